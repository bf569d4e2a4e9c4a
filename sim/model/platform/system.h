// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The platform: harts of one kind or of several, memories, devices, and time.
 *
 * All of it is built from a PlatformPlan. Each hart has a bus of its own with the regions that the hart sees: memories
 * and devices that are its own, and those that it shares with others. Interrupts go where the plan's wires lead. How
 * time passes, and whose turn it is, is a matter of the policy in model/time.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_SYSTEM_H
#define TRAPEZE_SIM_MODEL_PLATFORM_SYSTEM_H

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernel/debug.h"
#include "kernel/engine.h"
#include "kernel/oracle.h"
#include "model/memory/bus.h"
#include "model/platform/bells.h"
#include "model/platform/clint.h"
#include "model/platform/console.h"
#include "model/platform/core.h"
#include "model/platform/hart_port.h"
#include "model/platform/host.h"
#include "model/platform/latency.h"
#include "model/platform/mailbox.h"
#include "model/platform/plan.h"
#include "model/platform/plic.h"
#include "model/platform/shared_memory.h"
#include "model/platform/uart.h"

namespace trapeze::model {

class System : private Notifier {
 public:
  /** `make`: makes the harts. Throws std::invalid_argument if the plan contradicts itself, or has what the model has
   * not. */
  System(const PlatformPlan& plan, const MakeHart& make, const LatencyParameters& latency = {});
  System(const System&) = delete;  // harts know where it is
  System& operator=(const System&) = delete;

  void reset();
  /** One hart with what is its own; time, memories and what all share stay. */
  void reset_hart(unsigned hart);
  /** Memories and devices as hart `n` sees them. */
  Bus& bus(unsigned n = 0) { return buses_[n]; }
  /** A hart of the model's own. Throws std::invalid_argument if hart `n` is of another kind. */
  Core& core(unsigned n);
  const HartPort& hart(unsigned n) const { return *harts_[n]; }
  Clic& clic(unsigned n) { return core(n).clic; }
  Clint& clint() { return clint_; }
  /** The UART of the run's console. */
  Uart& uart() { return uarts_[main_uart_]; }
  /** Forget what UARTs have sent. */
  void drop_output() {
    for (Uart& uart : uarts_) uart.output().clear();
  }
  Host& host() { return host_; }
  /** The latency measurement; of several the one whose interrupt is a platform line. */
  Latency& latency() { return latency_; }
  unsigned harts() const { return static_cast<unsigned>(harts_.size()); }
  std::uint64_t now() const { return harts_[next_hart()]->time; }
  /** Shows all accesses of harts to memory; before the first run. `observer` outlives this. */
  void observe(AccessObserver& observer);
  /** Memory was written from outside. */
  void flush();
  void set_line(unsigned hart, unsigned line, bool level);
  void run(const tz_run_args& args, tz_run_result& result);
  /** See tz_oracle_api.wires. */
  std::size_t wires(std::uint64_t until, std::span<tz_wire_change> changes);
  /** What a hart's read of the bus in machine mode would get now, see Bus::read(). Nothing changes. */
  BusRead look(unsigned hart, std::uint64_t address, unsigned enables);
  /** Until an instruction has retired or trapped, or a handler was entered. */
  void step(const tz_run_args& args, tz_step_result& result);

  struct Snapshot {
    std::vector<std::vector<std::uint8_t>> memories;  ///< none: they stay as they are
    Reservations reservations;
    Clint clint;
    std::vector<Uart> uarts;
    Console console;
    Host host;
    Latency latency;
    std::deque<Latency> plic_latencies;
    std::vector<Mailbox::State> mailboxes;
    Bells::State bells;
    Plic plic;
    std::vector<std::unique_ptr<HartPort::State>> harts;
    std::vector<std::uint64_t> lines;
    std::optional<SharedMemory> shared_memory{};
  };
  std::unique_ptr<Snapshot> save() const;
  void restore(const Snapshot& snapshot);

 private:
  static constexpr unsigned kLines = 64;  ///< platform lines that a hart can have

  /** A wire to a hart or to the PLIC. */
  struct Wire {
    InterruptSource* from;
    unsigned output;
    unsigned number;  ///< of a standard interrupt, a line, or a source of the PLIC
  };
  /** What leads to a hart. */
  struct Inputs {
    std::vector<Wire> interrupts;
    std::vector<Wire> lines;
    std::uint64_t device_lines = 0;  ///< lines with a wire
    std::uint64_t host_lines = 0;    ///< lines as the host drives them
  };
  /** A device, and where its outputs begin among those of its source. */
  struct Placed {
    Device* device;
    InterruptSource* source;  ///< null: it has no interrupt
    unsigned first_output;    ///< number of the region's first output
  };

  void attach_memory(const RegionPlan& region);
  /** The device of a region; nothing: it is a part of a hart. */
  std::optional<Placed> place(const RegionPlan& region, const PlatformPlan& plan);
  void connect(const WirePlan& wire, InterruptSource& from, unsigned output);
  std::unique_ptr<Snapshot> save_but_memories() const;
  void notify(std::uint32_t hart, unsigned vector) override;
  std::uint64_t retired() const;
  /** Where the harts are at the end of a run. */
  void report(const tz_run_args& args) const;
  std::uint64_t lines_of(unsigned hart, std::uint64_t time);
  std::uint64_t pending(unsigned hart, std::uint64_t time);
  std::uint64_t next_event(std::uint64_t time) const;
  unsigned next_hart() const;
  /** When a turn of a hart ends that may last until `limit`, with turns of more than one instruction. One that waits is
   * brought to the time of the others first, so that what they do to it happens then. */
  std::uint64_t end_of_turn(HartPort& hart, std::uint64_t turn, std::uint64_t limit) const;
  /** Whether another hart that waits, as this one does, has yet to look at its inputs up to this one's time: it may go
   * on then, and meet this one before the next event. */
  bool another_may_wake(const HartPort& hart) const;
  /** When the slice of a hart ends that may last until `limit`, where a hart is exact: before another one may meet it.
   * `turn`: of harts among which none is exact. */
  std::uint64_t next_meeting(const HartPort& hart, std::uint64_t turn, std::uint64_t limit) const;
  /** Hart `by` has accessed a device: those that wait look at their inputs in cycle `time`, when they may have changed.
   */
  void wake(unsigned by, std::uint64_t time);
  /** Look at what a run wants watched. */
  void watch(std::span<const tz_watch> watches);
  /** Bytes that UARTs have sent go to the console. */
  void gather_output(std::uint64_t time);
  bool drain_console(const tz_run_args& args, tz_run_result& result);
  /** Rises of the latency measurement's signals up to the cycle before `time`. */
  void gather_rises(std::uint64_t time);
  /** False if there are more than the caller has room for: they are reported by the next run. */
  bool drain_rises(const tz_run_args& args, tz_run_result& result);

  std::vector<std::unique_ptr<Memory>> memories_;
  Reservations reservations_;
  Clint clint_;
  std::vector<Uart> uarts_;
  std::vector<std::optional<unsigned>> consoles_;  ///< of uarts_: see RegionPlan::console
  std::size_t main_uart_ = 0;                      ///< in uarts_
  Console console_;
  Host host_;
  Latency latency_;  ///< the only one, or the one whose interrupt is a platform line
  LatencyParameters latency_parameters_;
  std::deque<Latency> plic_latencies_;  ///< beside that, those whose interrupt is a source of the PLIC
  std::deque<Mailbox> mailboxes_;
  Bells bells_;
  std::vector<std::string> mailbox_sides_;  ///< names of the regions of their sides, two for each
  Plic plic_;
  std::optional<SharedMemory> shared_memory_;
  std::deque<Bus> buses_;  ///< by hart
  AccessObserver* observer_ = nullptr;
  std::vector<std::unique_ptr<HartPort>> harts_;
  std::vector<Core*> cores_;               ///< the same, where they are of the model
  bool exact_ = false;                     ///< one of them is exact
  std::vector<std::uint64_t> hart_ids_;    ///< by hart
  std::vector<Inputs> inputs_;             ///< by hart
  std::vector<Wire> plic_inputs_;          ///< wires to the PLIC
  std::vector<InterruptSource*> sources_;  ///< devices with an interrupt
  std::vector<tz_watch> watches_;          ///< watches of the last run
  std::vector<tz_rise> rises_;             ///< rises of signals that were not reported yet
  std::vector<tz_wire_change> wires_;      ///< changes that were not reported yet, by cycle
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_SYSTEM_H
