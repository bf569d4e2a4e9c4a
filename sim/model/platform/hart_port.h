// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a platform knows of a hart, whatever executes it: slices of time, lines and notifications go in; accesses to the
 * bus that it was made with, notifications, claims and records come out.
 *
 * The platform calls a hart once a slice of time, not once an instruction. core.h has the model's own harts, which can
 * be steered as well.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_HART_PORT_H
#define TRAPEZE_SIM_MODEL_PLATFORM_HART_PORT_H

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "kernel/engine.h"
#include "model/isa/notifier.h"
#include "model/memory/bus.h"
#include "model/platform/plan.h"
#include "model/platform/shared_memory.h"
#include "model/platform/stress.h"
#include "model/time/time_source.h"

namespace trapeze::model {

/** A slice of time of one hart. */
struct Slice {
  std::uint64_t limit;          ///< time at which it ends
  std::uint64_t retired_limit;  ///< instructions of this hart since reset at which the run ends
  std::uint64_t wires;          ///< standard interrupts that are pending, as in mip
  std::uint64_t lines;          ///< platform lines that are high
  std::uint64_t device_lines;   ///< lines that devices drive: others change by drive_line() alone
  const tz_run_args& args;      ///< arguments of the run, and its result so far
  tz_run_result& result;
};

class HartPort {
 public:
  HartPort() = default;
  virtual ~HartPort() = default;
  HartPort(const HartPort&) = delete;
  HartPort& operator=(const HartPort&) = delete;

  /** Gives the hart what its time CSR reads, if it has one. */
  virtual void show_time(const TimeSource& source) = 0;
  /** Sets where the hart's notifications go. */
  virtual void connect(Notifier& notifier) = 0;
  /** A region with a device that belongs to the hart: its CLIC. A hart that has none ignores it. */
  virtual void attach(const RegionPlan& region) = 0;
  /** A memory that the hart's caches do not hold. */
  virtual void show_coherent(const RegionPlan& /*region*/) {}
  /** Gives the hart the port of the memory that it shares with others; a hart whose time knows no memory ignores it. */
  virtual void show_shared_memory(SharedMemory& /*memory*/) {}
  /** Gives the hart what else accesses its banks. */
  virtual void show_stress(StressSource& /*source*/) {}
  /** The bytes of a memory that is a part of the hart and that no other hart sees; null: the platform has them. */
  virtual std::uint8_t* own_memory(const RegionPlan& /*region*/) { return nullptr; }

  virtual void reset() = 0;
  /** Runs up to the end of the slice, or to what ends the run: then false. */
  virtual bool run(const Slice& slice) = 0;
  /** A platform line changes between two slices. */
  virtual void drive_line(unsigned line, bool level) = 0;
  /** Takes a notification for this hart. */
  virtual void notified(unsigned vector) = 0;
  /** Drops what the hart has kept of memory, which was written from outside. */
  virtual void flush() = 0;
  /** Sets what is watched from now on; of all harts. */
  virtual void watch(std::span<const tz_watch> watches) = 0;
  virtual std::uint64_t retired() const = 0;
  /** Address of the next instruction, or of the wfi in which the hart waits. */
  virtual std::uint64_t pc() const = 0;
  /** Where its cycles went; empty: it does not know. */
  virtual std::vector<tz_cause> causes() const { return {}; }

  /** By privilege mode: time at which the hart came to be in it for the first time since reset; 0: never, or not known.
   */
  std::array<std::uint64_t, 4> first_in_mode{};

  /** State without caches, for snapshots. */
  struct State {
    virtual ~State() = default;
  };
  virtual std::unique_ptr<State> save() const = 0;
  virtual void restore(const State& state) = 0;

  std::uint64_t time = 0;   ///< time of the next instruction
  bool waiting = false;     ///< in wfi
  bool asleep = false;      ///< the same, and it has looked at its inputs since: nothing wakes it before `time`
  std::uint64_t since = 0;  ///< time of that wfi; of an exact hart, since when the next instruction has been the next
  /** Its times are cycles of the hardware. So whatever others do to it must happen in its cycle, too. */
  bool exact = false;
};

/** Makes hart `number` of a platform. Its accesses go to `bus`, which outlives it. */
using MakeHart = std::function<std::unique_ptr<HartPort>(unsigned number, const HartPlan& plan, Bus& bus)>;

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_HART_PORT_H
