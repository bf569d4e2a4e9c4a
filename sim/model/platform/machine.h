// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The platform: harts, memories, devices, and time.
 *
 * Harts are alike. Each has a bus of its own, with the memories that it has for itself, its CLIC, and what all share.
 * How time passes, and whose turn it is, is a matter of the policy in model/time.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_MACHINE_H
#define TRAPEZE_SIM_MODEL_PLATFORM_MACHINE_H

#include <trapeze/map.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernel/debug.h"
#include "kernel/engine.h"
#include "kernel/handlers.h"
#include "model/isa/execute.h"
#include "model/isa/hart.h"
#include "model/isa/hart_state.h"
#include "model/memory/bus.h"
#include "model/platform/clic.h"
#include "model/platform/clint.h"
#include "model/platform/host.h"
#include "model/platform/latency.h"
#include "model/platform/uart.h"
#include "model/time/instruction_count.h"

namespace trapeze::model {

/** Numbers of a platform. */
struct Platform {
  std::span<const tz_region> memories;  ///< as each hart sees them; those that are not shared are there for each
  std::uint64_t reset_vector = 0;
  std::uint64_t hart_id = 0;  ///< of hart 0; the others follow
  unsigned harts = 1;
  unsigned lines = 0;
  unsigned line_id_base = 16;
  unsigned sources = 0;   ///< of the CLIC, if the hart has one
  unsigned ctl_bits = 8;  ///< implemented bits of its ctl registers
  LatencyParameters latency = {};
};

template <Params P>
class Machine {
 public:
  using Word = Register<P.xlen>;

  explicit Machine(const Platform& platform);

  void reset();
  /** Memories and devices as hart `n` sees them. */
  Bus& bus(unsigned n = 0) { return *cores_[n].bus; }
  Hart<P>& hart(unsigned n) { return *cores_[n].hart; }
  Clic& clic(unsigned n) { return *cores_[n].clic; }
  Clint& clint() { return clint_; }
  Uart& uart() { return uart_; }
  Host& host() { return host_; }
  Latency& latency() { return latency_; }
  const Platform& platform() const { return platform_; }
  /** The next instruction of hart `n` is executed at `time`. */
  void set_time(unsigned n, std::uint64_t time) { cores_[n].time = time; }
  unsigned harts() const { return static_cast<unsigned>(cores_.size()); }
  std::uint64_t now() const;
  /** Memory was written from outside. */
  void flush();
  void set_line(unsigned hart, unsigned line, bool level);
  void run(const tz_run_args& args, tz_run_result& result);
  /** Until an instruction has retired or trapped, or a handler was entered. */
  void step(const tz_run_args& args, tz_step_result& result);

  struct Snapshot {
    struct Core {
      typename Hart<P>::State hart;
      Clic clic;
      std::uint64_t lines, time, since;
      bool waiting;
      RecordFilter filter;
    };
    std::vector<std::vector<std::uint8_t>> memories;
    Reservations reservations;
    Clint clint;
    Uart uart;
    Host host;
    Latency latency;
    std::vector<Core> cores;
  };
  std::unique_ptr<Snapshot> save() const;
  void restore(const Snapshot& snapshot);

 private:
  static constexpr unsigned kWfiBytes = 4;

  struct Core {
    std::unique_ptr<Bus> bus;
    std::unique_ptr<Clic> clic;  ///< without sources where the platform has none
    std::unique_ptr<Hart<P>> hart;
    std::uint64_t lines = 0;  ///< platform lines
    std::uint64_t time = 0;   ///< of its next instruction
    bool waiting = false;     ///< in wfi
    std::uint64_t since = 0;  ///< time of that wfi
    RecordFilter filter = {};
  };
  /** Platform line that the latency measurement shares with the host: the 16th, or the last one of fewer. */
  static constexpr unsigned kLatencyLine = 15;

  std::uint64_t retired() const;
  /** Enter a handler if an interrupt is due. */
  bool interrupt(Core& core, const tz_run_args& args, tz_run_result& result);
  /** The run ends with this claim. */
  void claimed(const Core& core, const ClicOffer& offer, std::uint64_t time, Word epc, const tz_run_args& args,
               tz_run_result& result) const;
  /** Where the harts are at the end of a run. */
  void report(const tz_run_args& args) const;
  std::uint64_t lines_of(unsigned hart, std::uint64_t time);
  Word pending(unsigned hart, std::uint64_t now);
  std::uint64_t next_event(std::uint64_t now) const;
  Core& next_core();
  /** Runs a core up to `limit`; false: the run is over. */
  bool slice(Core& core, std::uint64_t limit, std::uint64_t retired_limit, const tz_run_args& args,
             tz_run_result& result);
  bool drain_console(const tz_run_args& args, tz_run_result& result);

  Platform platform_;
  std::vector<std::unique_ptr<Memory>> memories_;
  Reservations reservations_;
  Clint clint_;
  Uart uart_;
  Host host_;
  Latency latency_;
  unsigned latency_line_;
  std::vector<Core> cores_;
};

/** The standard interrupts. */
constexpr unsigned kStandardInterrupts[] = {kSoftwareInterrupt, kTimerInterrupt, kExternalInterrupt};

template <Params P>
Machine<P>::Machine(const Platform& platform)
    : platform_(platform),
      clint_(platform.harts),
      latency_(platform.latency),
      latency_line_(std::min(kLatencyLine, platform.lines == 0 ? 0 : platform.lines - 1)) {
  const std::uint64_t lines = P.clic ? 0 : ((std::uint64_t{1} << platform.lines) - 1) << platform.line_id_base;
  const auto interrupts = static_cast<std::uint32_t>(lines | (1U << kSoftwareInterrupt) | (1U << kTimerInterrupt) |
                                                     (1U << kExternalInterrupt));
  for (unsigned n = 0; n < platform.harts; ++n) {
    cores_.push_back({std::make_unique<Bus>(n, reservations_),
                      std::make_unique<Clic>(platform.sources, platform.ctl_bits), nullptr});
    Core& core = cores_.back();
    if (P.clic) core.bus->attach(TRAPEZE_CLIC_BASE, TRAPEZE_CLIC_SIZE, *core.clic);
    core.bus->attach(TRAPEZE_HOST_BASE, TRAPEZE_HOST_SIZE, host_);
    core.bus->attach(TRAPEZE_CLINT_BASE, TRAPEZE_CLINT_SIZE, clint_);
    core.bus->attach(TRAPEZE_UART_BASE, TRAPEZE_UART_SIZE, uart_);
    core.bus->attach(TRAPEZE_PROBE_BASE, TRAPEZE_PROBE_SIZE, latency_);
    core.hart =
        std::make_unique<Hart<P>>(n, platform.hart_id + n, interrupts, *core.bus, P.clic ? core.clic.get() : nullptr);
  }
  for (const tz_region& region : platform.memories) {
    const bool shared = region.shared != 0 && platform.harts > 1;
    for (Core& core : cores_) {
      if (!shared || &core == &cores_.front()) {
        memories_.push_back(std::make_unique<Memory>(region.base, region.size, shared));
      }
      core.bus->attach(*memories_.back());
    }
  }
  reset();
}

template <Params P>
void Machine<P>::reset() {
  clint_.reset();
  uart_.reset();
  host_.reset();
  latency_.reset();
  reservations_.clear();
  for (Core& core : cores_) {
    core.hart->reset(static_cast<Word>(platform_.reset_vector));
    core.clic->reset();
    core.lines = 0;
    core.time = 0;
    core.since = 0;
    core.filter = {};
    core.waiting = false;
  }
}

template <Params P>
std::uint64_t Machine<P>::now() const {
  std::uint64_t time = kNever;
  for (const Core& core : cores_) time = std::min(time, core.time);
  return time;
}

template <Params P>
std::uint64_t Machine<P>::retired() const {
  std::uint64_t count = 0;
  for (const Core& core : cores_) count += core.hart->retired();
  return count;
}

template <Params P>
void Machine<P>::flush() {
  for (Core& core : cores_) core.hart->flush();
}

template <Params P>
void Machine<P>::set_line(unsigned hart, unsigned line, bool level) {
  Core& core = cores_[hart];
  const std::uint64_t bit = std::uint64_t{1} << line;
  core.lines = level ? core.lines | bit : core.lines & ~bit;
  if (P.clic) core.clic->drive(platform_.line_id_base + line, ((lines_of(hart, now()) >> line) & 1U) != 0);
}

/** Platform lines of a hart; the latency measurement has one of each. */
template <Params P>
std::uint64_t Machine<P>::lines_of(unsigned hart, std::uint64_t time) {
  const bool own = latency_.interrupt(time);
  return cores_[hart].lines | (std::uint64_t{own} << latency_line_);
}

template <Params P>
auto Machine<P>::pending(unsigned hart, std::uint64_t time) -> Word {
  std::uint64_t bits = P.clic ? 0 : lines_of(hart, time) << platform_.line_id_base;
  if (clint_.software(hart)) bits |= 1U << kSoftwareInterrupt;
  if (clint_.timer(hart, time)) bits |= 1U << kTimerInterrupt;
  if (uart_.interrupt(time)) bits |= 1U << kExternalInterrupt;
  return static_cast<Word>(bits);
}

template <Params P>
std::uint64_t Machine<P>::next_event(std::uint64_t time) const {
  std::uint64_t next = std::min(uart_.next_event(time), latency_.next_event(time));
  for (unsigned n = 0; n < harts(); ++n) next = std::min(next, clint_.next_event(n, time));
  return next;
}

template <Params P>
auto Machine<P>::next_core() -> Core& {
  return *std::min_element(cores_.begin(), cores_.end(), [](const Core& a, const Core& b) { return a.time < b.time; });
}

template <Params P>
bool Machine<P>::drain_console(const tz_run_args& args, tz_run_result& result) {
  std::vector<std::uint8_t>& output = uart_.output();
  if (args.console == nullptr) output.clear();
  const std::size_t count =
      std::min(output.size(), args.console == nullptr ? 0 : args.console_capacity - result.console_bytes);
  if (count != 0) std::memcpy(args.console + result.console_bytes, output.data(), count);
  result.console_bytes += count;
  output.erase(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(count));
  if (args.console == nullptr || result.console_bytes < args.console_capacity) return true;
  result.stop = std::max(result.stop, TZ_STOP_CONSOLE);
  return false;
}

template <Params P>
bool Machine<P>::interrupt(Core& core, const tz_run_args& args, tz_run_result& result) {
  Hart<P>& hart = *core.hart;
  ClicOffer offer;
  if constexpr (P.clic) {
    offer = core.clic->best();
    if (hart.frame_fault_due() || !hart.takes(offer)) return false;
  } else {
    const int id = hart.next_interrupt();
    if (id < 0) return false;
    offer.id = static_cast<unsigned>(id);
  }
  claimed(core, offer, core.time, hart.pc(), args, result);
  if constexpr (P.clic) {
    hart.enter(offer);
  } else {
    hart.interrupt(offer.id);
  }
  core.time += InstructionCount::kEntry;
  return true;
}

template <Params P>
void Machine<P>::claimed(const Core& core, const ClicOffer& offer, std::uint64_t time, Word epc,
                         const tz_run_args& args, tz_run_result& result) const {
  if (args.claims != nullptr) {
    args.claims[result.num_claims++] = {time, epc, static_cast<std::uint16_t>(offer.id),
                                        static_cast<std::uint16_t>(&core - cores_.data()),
                                        static_cast<std::uint8_t>(offer.level)};
  }
  result.stop = std::max(result.stop, TZ_STOP_CLAIM);
}

template <Params P>
bool Machine<P>::slice(Core& core, std::uint64_t limit, std::uint64_t retired_limit, const tz_run_args& args,
                       tz_run_result& result) {
  Hart<P>& hart = *core.hart;
  const auto index = static_cast<unsigned>(&core - cores_.data());
  const Word wires = pending(index, core.time);
  if constexpr (P.clic) {
    for (const unsigned id : kStandardInterrupts) core.clic->drive(id, ((wires >> id) & 1U) != 0);
    core.clic->drive(platform_.line_id_base + latency_line_, ((lines_of(index, core.time) >> latency_line_) & 1U) != 0);
  } else {
    hart.csr().set_mip(wires);
  }
  if (core.waiting) {
    if (!hart.wakes()) {
      core.time = limit;
      return true;
    }
    core.waiting = false;
  }
  if (interrupt(core, args, result)) return false;
  // What changes handlers is found one instruction at a time, which is slow: for tests.
  const bool traps = (args.select & TZ_SELECT_TRAPS) != 0;
  const bool all = (args.select & TZ_SELECT_ALL) != 0 || traps;
  Executed executed;
  bool more = true;
  do {
    const bool handler = hart.at_handler();
    const std::uint64_t budget = std::min(limit - core.time, retired_limit - retired());
    if (!all && !handler && executed.leave != Leave::kMarker) {
      executed = hart.execute(budget, core.time);
      core.time += InstructionCount::of(executed.steps);
      if (executed.leave != Leave::kBudget || executed.steps != 0) continue;
    }
    // One instruction by itself: recorded, or a block is longer than the budget.
    const bool marker = executed.leave == Leave::kMarker;
    const bool record = all || (marker && (args.select & TZ_SELECT_MARKERS) != 0) ||
                        (handler && (args.select & TZ_SELECT_HANDLERS) != 0);
    executed = hart.step(core.time, record ? &args.records[result.num_records] : nullptr);
    core.time += InstructionCount::of(1);
    const bool kept = record && (!traps || core.filter.keeps(args.records[result.num_records], args.select));
    if (kept && ++result.num_records == args.records_capacity) {
      result.stop = std::max(result.stop, TZ_STOP_RECORDS);
      more = false;
    }
  } while (more && core.time < limit && retired() < retired_limit &&
           (executed.leave == Leave::kBudget || executed.leave == Leave::kMarker || executed.leave == Leave::kTrap));
  if (executed.leave == Leave::kWait) {
    core.waiting = true;
    core.since = core.time - 1;
  }
  if constexpr (P.fast) {
    if (const auto chained = hart.take_chained()) {
      claimed(core, chained->offer, core.time - 1, chained->epc, args, result);
      more = false;
    }
  }
  if (retired() >= retired_limit) {
    result.stop = std::max(result.stop, TZ_STOP_RETIRED);
    more = false;
  }
  return more;
}

template <Params P>
void Machine<P>::run(const tz_run_args& args, tz_run_result& result) {
  result = {};
  result.stop = TZ_STOP_CYCLES;
  host_.forget_exits();
  const std::uint64_t retired_limit = args.max_retired == 0 ? kNever : retired() + args.max_retired;
  bool running = true;
  while (running) {
    Core& core = next_core();
    if (core.time >= args.until_cycle) break;
    std::uint64_t limit = std::min(args.until_cycle, next_event(core.time));
    const std::uint64_t turn = InstructionCount::turn(harts());
    if (turn != kNever) limit = std::min(limit, core.time + turn);
    running = slice(core, limit, retired_limit, args, result);
    if (!uart_.output().empty()) running &= drain_console(args, result);
    if (host_.any_exit()) {
      result.stop = TZ_STOP_EXIT;
      running = false;
    }
  }
  result.cycle = now();
  result.retired = retired();
  report(args);
  const bool waiting = std::all_of(cores_.begin(), cores_.end(), [](const Core& core) { return core.waiting; });
  result.asleep = waiting && next_event(result.cycle) == kNever ? 1 : 0;
}

template <Params P>
void Machine<P>::report(const tz_run_args& args) const {
  for (std::size_t n = 0; args.harts != nullptr && n < cores_.size(); ++n) {
    const Core& core = cores_[n];
    const std::optional<std::uint32_t> exit_code = host_.exit_code(static_cast<unsigned>(n));
    args.harts[n] = {core.waiting ? core.hart->pc() - kWfiBytes : core.hart->pc(),
                     core.waiting ? core.since : core.time,
                     core.hart->retired(),
                     core.waiting ? 1U : 0U,
                     exit_code ? 1U : 0U,
                     exit_code.value_or(0)};
  }
}

template <Params P>
void Machine<P>::step(const tz_run_args& args, tz_step_result& result) {
  result = {};
  tz_run_args one = args;
  one.select = TZ_SELECT_ALL;
  one.records_capacity = 1;
  one.max_retired = 0;
  do {
    // A hart that waits does so in one go.
    const Core& core = next_core();
    one.until_cycle = core.waiting ? args.until_cycle : std::min(args.until_cycle, core.time + 1);
    run(one, result.run);
  } while (result.run.num_records == 0 && result.run.stop == TZ_STOP_CYCLES && result.run.cycle < args.until_cycle);
  for (std::size_t i = 0; i < result.run.num_claims; ++i) result.entered |= std::uint64_t{1} << args.claims[i].hart;
  result.boundary = (std::uint64_t{1} << cores_.size()) - 1;
  if (result.run.stop == TZ_STOP_RECORDS) result.run.stop = TZ_STOP_RETIRED;
}

template <Params P>
auto Machine<P>::save() const -> std::unique_ptr<Snapshot> {
  auto snapshot = std::make_unique<Snapshot>(Snapshot{{}, reservations_, clint_, uart_, host_, latency_, {}});
  for (const auto& memory : memories_) snapshot->memories.push_back(memory->data);
  for (const Core& core : cores_) {
    snapshot->cores.push_back(
        {core.hart->save(), *core.clic, core.lines, core.time, core.since, core.waiting, core.filter});
  }
  return snapshot;
}

template <Params P>
void Machine<P>::restore(const Snapshot& snapshot) {
  // In place: harts keep pointers into the memories.
  for (std::size_t i = 0; i < memories_.size(); ++i) {
    std::memcpy(memories_[i]->data.data(), snapshot.memories[i].data(), snapshot.memories[i].size());
  }
  reservations_ = snapshot.reservations;
  clint_ = snapshot.clint;
  uart_ = snapshot.uart;
  host_ = snapshot.host;
  latency_ = snapshot.latency;
  for (std::size_t n = 0; n < cores_.size(); ++n) {
    const typename Snapshot::Core& saved = snapshot.cores[n];
    Core& core = cores_[n];
    core.hart->restore(saved.hart);
    *core.clic = saved.clic;
    core.lines = saved.lines;
    core.time = saved.time;
    core.since = saved.since;
    core.waiting = saved.waiting;
    core.filter = saved.filter;
  }
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_MACHINE_H
