// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A hart of a platform with what it alone sees, whatever kind of hart it is: the platform calls it once a slice of
 * time, not once an instruction.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_CORE_H
#define TRAPEZE_SIM_MODEL_PLATFORM_CORE_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "kernel/engine.h"
#include "kernel/handlers.h"
#include "kernel/oracle.h"
#include "model/isa/notifier.h"
#include "model/isa/params.h"
#include "model/memory/bus.h"
#include "model/platform/clic.h"
#include "model/time/instruction_count.h"
#include "model/time/time_source.h"

namespace trapeze::model {

/** The standard interrupts. */
constexpr unsigned kStandardInterrupts[] = {kSoftwareInterrupt, kTimerInterrupt, kExternalInterrupt};

class Core;

/** What a hart of a platform is. */
struct CorePlan {
  /** Makes the core, as hart `number` of the platform; see make_core() for a kind of hart. */
  std::unique_ptr<Core> (*make)(unsigned number, const CorePlan& plan, Reservations& reservations) = nullptr;
  std::span<const tz_region> memories;  ///< memories at the hart's addresses; those that are not shared are its own
  std::uint64_t reset_vector = 0;
  std::uint64_t hart_id = 0;
  unsigned lines = 0;
  unsigned line_id_base = 16;
  unsigned sources = 0;   ///< sources of its CLIC; 0: it has none
  unsigned ctl_bits = 8;  ///< implemented bits of the CLIC's ctl registers
  /** Address of a UART whose interrupt and output are this hart's alone; 0: it has that of hart 0. */
  std::uint64_t uart_base = 0;
};

/** The hart that a configuration names: its ISA, TZ_IRQ_* for its interrupt controller, its PMP (rows, grain,
 * whether with Smepmp), whether user mode handles interrupts, and whether harts send them to one another. */
constexpr Params hart_params(std::string_view isa, std::string_view interrupts, unsigned pmp, unsigned grain,
                             bool smepmp, bool user, bool posts) {
  return parse_params(isa)
      .with_clic(interrupts != TZ_IRQ_CLINT)
      .with_fast(interrupts == TZ_IRQ_FASTIRQ)
      .with_user_interrupts(user)
      .with_uintr(posts)
      .with_pmp(pmp, grain, smepmp);
}

/** A core of this kind and policy of time. Its definition is in hart_core.h, with all that a hart is made of;
 * make_core() has those that are compiled already. */
template <Kind K, class Time = InstructionCount>
std::unique_ptr<Core> make_core_of(const Params& params, unsigned number, const CorePlan& plan,
                                   Reservations& reservations);

/** The same for CorePlan::make, where the whole hart is known when this is compiled. */
template <Params P, class Time = InstructionCount>
std::unique_ptr<Core> make_core(unsigned number, const CorePlan& plan, Reservations& reservations) {
  return make_core_of<kind_of(P), Time>(P, number, plan, reservations);
}

/** A slice of time of one hart. */
struct Slice {
  std::uint64_t limit;          ///< time at which it ends
  std::uint64_t retired_limit;  ///< instructions of this hart since reset at which the run ends
  std::uint64_t wires;          ///< standard interrupts that are pending, as in mip
  std::uint64_t lines;          ///< platform lines that are high, with that of the latency measurement
  const tz_run_args& args;      ///< arguments of the run, and its result so far
  tz_run_result& result;
};

class Core {
 public:
  /** `user`: user mode handles interrupts. */
  Core(unsigned number, const CorePlan& plan, Reservations& reservations, bool user)
      : number_(number),
        plan_(plan),
        bus(number, reservations),
        clic(plan.sources, plan.ctl_bits, user),
        device_lines(std::uint64_t{1} << shared_line()) {}
  virtual ~Core() = default;
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  const CorePlan& plan() const { return plan_; }
  /** Platform line that the latency measurement shares with the host: the 16th, or the last one of fewer. */
  unsigned shared_line() const { return std::min(kSharedLine, std::max(1U, plan_.lines) - 1); }
  virtual bool has_clic() const = 0;
  virtual bool has_supervisor() const = 0;
  /** Gives the hart what its time CSR reads, if it has one. */
  virtual void show_time(const TimeSource& source) = 0;
  virtual bool has_user_interrupts() const = 0;
  virtual bool has_posts() const = 0;
  /** Sets where the hart's notifications go. */
  virtual void connect(Notifier& notifier) = 0;
  /** Takes a notification for this hart. */
  virtual void notified(unsigned vector) = 0;
  virtual void reset() = 0;
  /** Drops what the hart has kept of memory, which was written from outside. */
  virtual void flush() = 0;
  virtual std::uint64_t retired() const = 0;
  /** Address of the next instruction. */
  virtual std::uint64_t pc() const = 0;
  /** Sets what is watched from now on; of all harts. */
  virtual void watch(std::span<const tz_watch> watches) = 0;
  /** Runs up to the end of the slice, or to what ends the run: then false. */
  virtual bool run(const Slice& slice) = 0;

  // Its state between two instructions. Registers have their numbers in kernel/debug.h; nothing: there is none of the
  // number. Those that are written must exist.
  virtual std::optional<std::uint64_t> read_register(unsigned number) const = 0;
  virtual void write_register(unsigned number, std::uint64_t value) = 0;
  virtual std::optional<std::uint64_t> read_csr(unsigned number, std::uint64_t now) const = 0;
  /** False: it is read-only. */
  virtual bool write_csr(unsigned number, std::uint64_t value, std::uint64_t now) = 0;

  // One step whose choices are made outside, see kernel/oracle.h. The first three functions are for a hart that
  // has_posts().
  virtual void access(tz_word_access& access) = 0;
  virtual std::optional<std::uint64_t> receiver(unsigned vector) const = 0;
  virtual void join(unsigned first, std::uint32_t vectors) = 0;
  /** False: there is no such interrupt. What `entry` points to is valid until the next call. */
  virtual bool enter(unsigned interrupt, bool in_table, tz_entry& entry) = 0;
  /** What `effects` says of exits is the platform's matter. */
  virtual void step(const tz_choices& choices, tz_effects& effects) = 0;
  /** fastirq: no exception for a frame may come before the next instruction. */
  virtual bool frame_faults_held() const = 0;
  /** User-level interrupts: user mode may not store the frame of one that came now. */
  virtual bool frame_refused() const = 0;

  /** State without caches, for snapshots. */
  struct State {
    virtual ~State() = default;
  };
  virtual std::unique_ptr<State> save() const = 0;
  virtual void restore(const State& state) = 0;

 protected:
  static constexpr unsigned kSharedLine = 15;

  unsigned number_;
  CorePlan plan_;

 public:
  Bus bus;
  Clic clic;  ///< without sources where there is none
  ClicUser clic_user{clic};
  std::uint64_t device_lines;            ///< platform lines that devices drive, too
  std::uint64_t lines = 0;               ///< platform lines, as the host drives them
  std::uint64_t time = 0;                ///< time of the next instruction
  std::optional<unsigned> plic_context;  ///< machine mode's; supervisor mode's is the next
  bool waiting = false;                  ///< in wfi
  std::uint64_t since = 0;               ///< time of that wfi
  RecordFilter filter = {};
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_CORE_H
