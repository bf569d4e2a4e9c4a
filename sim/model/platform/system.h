// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The platform: harts of one kind or of several, memories, devices, and time.
 *
 * Each hart has a bus of its own, with the memories that it has for itself, its CLIC, and what all share: the devices,
 * and memories of one name and place that are shared. How time passes, and whose turn it is, is a matter of the policy
 * in model/time.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_SYSTEM_H
#define TRAPEZE_SIM_MODEL_PLATFORM_SYSTEM_H

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernel/debug.h"
#include "kernel/engine.h"
#include "kernel/oracle.h"
#include "model/memory/bus.h"
#include "model/platform/clint.h"
#include "model/platform/console.h"
#include "model/platform/core.h"
#include "model/platform/host.h"
#include "model/platform/latency.h"
#include "model/platform/mailbox.h"
#include "model/platform/plic.h"
#include "model/platform/uart.h"
#include "model/platform/wiring.h"

namespace trapeze::model {

class System : private Notifier {
 public:
  System(const std::vector<CorePlan>& plans, const LatencyParameters& latency, const Wiring& wiring = {});
  System(const System&) = delete;  // harts know where it is
  System& operator=(const System&) = delete;

  void reset();
  /** One hart with what is its own; time, memories and what all share stay. */
  void reset_hart(unsigned hart);
  /** Memories and devices as hart `n` sees them. */
  Bus& bus(unsigned n = 0) { return cores_[n]->bus; }
  Core& core(unsigned n) { return *cores_[n]; }
  Clic& clic(unsigned n) { return cores_[n]->clic; }
  Clint& clint() { return clint_; }
  Uart& uart() { return uarts_.front(); }
  /** Forget what UARTs have sent. */
  void drop_output();
  Host& host() { return host_; }
  Latency& latency() { return latency_; }
  unsigned harts() const { return static_cast<unsigned>(cores_.size()); }
  std::uint64_t now() const;
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
    Mailbox::State mailbox;
    Plic plic;
    std::vector<std::unique_ptr<Core::State>> cores;
  };
  std::unique_ptr<Snapshot> save() const;
  void restore(const Snapshot& snapshot);

 private:
  static constexpr unsigned kWfiBytes = 4;

  std::unique_ptr<Snapshot> save_but_memories() const;
  void notify(std::uint32_t hart, unsigned vector) override;
  std::uint64_t retired() const;
  /** Where the harts are at the end of a run. */
  void report(const tz_run_args& args) const;
  std::uint64_t lines_of(const Core& core, std::uint64_t time);
  std::uint64_t pending(unsigned hart, std::uint64_t time);
  /** Attach what the wiring has to the buses, and the mailbox's interrupt to the line of its hart. */
  void wire();
  /** The PLIC sees its wires as they are. */
  void drive_plic(std::uint64_t time);
  std::uint64_t next_event(std::uint64_t time) const;
  unsigned next_hart() const;
  /** When a turn of a hart ends that may last until `limit`, with turns of more than one instruction. One that waits is
   * brought to the time of the others first, so that what they do to it happens then. */
  std::uint64_t end_of_turn(Core& core, std::uint64_t turn, std::uint64_t limit) const;
  /** Look at what a run wants watched. */
  void watch(std::span<const tz_watch> watches);
  /** The UART of a hart. */
  Uart& uart_of(unsigned hart) { return uarts_[uart_numbers_[hart]]; }
  /** Bytes that UARTs have sent go to the console. */
  void gather_output(std::uint64_t time);
  bool drain_console(const tz_run_args& args, tz_run_result& result);
  /** The memory of a region, for the hart that comes to it now: a shared one may be there already. */
  Memory& memory_of(const tz_region& region, bool shared);

  std::vector<std::unique_ptr<Memory>> memories_;
  Reservations reservations_;
  Clint clint_;
  std::vector<Uart> uarts_;  ///< hart 0's, and those of harts that have their own
  Console console_;
  Host host_;
  Latency latency_;
  Wiring wiring_;
  Mailbox mailbox_;
  Plic plic_;
  std::vector<std::unique_ptr<Core>> cores_;
  std::vector<std::size_t> uart_numbers_;  ///< in uarts_, by hart
  std::vector<tz_watch> watches_;          ///< watches of the last run
  std::vector<tz_wire_change> wires_;      ///< changes that were not reported yet, by cycle
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_SYSTEM_H
