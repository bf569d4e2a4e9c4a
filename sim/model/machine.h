// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The platform: harts, memories, devices, and time.
 *
 * Time is counted in instructions: each takes one unit, so does the entry into an interrupt handler, and waiting in wfi
 * lasts until something happens. It stands in for cycles where a program needs time to pass, and says nothing about the
 * hardware's.
 */
#ifndef TRAPEZE_SIM_MODEL_MACHINE_H
#define TRAPEZE_SIM_MODEL_MACHINE_H

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
#include "kernel/follower.h"
#include "kernel/handlers.h"
#include "model/bus.h"
#include "model/clic.h"
#include "model/clint.h"
#include "model/execute.h"
#include "model/hart.h"
#include "model/hart_state.h"
#include "model/host.h"
#include "model/latency.h"
#include "model/uart.h"

namespace trapeze::model {

/** Numbers of a platform. */
struct Platform {
  std::span<const tz_region> memories;
  std::uint64_t reset_vector = 0;
  std::uint64_t hart_id = 0;  ///< of hart 0; the others follow
  unsigned harts = 1;
  unsigned lines = 0;
  unsigned line_id_base = 16;
  unsigned sources = 0;      ///< of the CLIC, if the hart has one
  unsigned ctl_bits = 8;     ///< implemented bits of its ctl registers
  bool clic_staged = false;  ///< a register stage in its search for the winner
  LatencyParameters latency = {};
};

template <Params P>
class Machine {
 public:
  using Word = Register<P.xlen>;

  explicit Machine(const Platform& platform);

  void reset();
  Bus& bus() { return bus_; }
  Uart& uart() { return uart_; }
  Hart<P>& hart(unsigned n) { return *cores_[n].hart; }
  unsigned harts() const { return static_cast<unsigned>(cores_.size()); }
  std::uint64_t now() const;
  /** Memory was written from outside. */
  void flush();
  void set_line(unsigned line, bool level);
  void run(const tz_run_args& args, tz_run_result& result);
  /** Until an instruction has retired or trapped, or a handler was entered. */
  void step(const tz_run_args& args, tz_step_result& result);
  void follow(const tz_follow_args& args, tz_follow_result& result, std::string& complaint);

  struct Snapshot {
    std::vector<std::vector<std::uint8_t>> memories;
    Clint clint;
    Clic clic;
    Uart uart;
    Host host;
    Latency latency;
    std::uint64_t lines;
    std::vector<typename Hart<P>::State> harts;
    std::vector<std::uint64_t> times;
    std::vector<bool> waiting;
    std::vector<std::uint64_t> since;
    std::vector<RecordFilter> filters;
  };
  std::unique_ptr<Snapshot> save() const;
  void restore(const Snapshot& snapshot);

 private:
  /** With several harts none runs further ahead of the others than this. */
  static constexpr std::uint64_t kQuantum = 1000;
  /** A follower's clock is known to so many cycles. */
  static constexpr std::uint64_t kTimeSlack = 16;
  /** Instructions that may still retire once an interrupt is certain to be pending and enabled. */
  static constexpr unsigned kPatience = 4;
  static constexpr unsigned kWfiBytes = 4;

  struct Core {
    std::unique_ptr<Hart<P>> hart;
    std::uint64_t time = 0;   ///< of its next instruction
    bool waiting = false;     ///< in wfi
    std::uint64_t since = 0;  ///< time of that wfi
    RecordFilter filter = {};
  };
  /** Platform line that the latency measurement shares with the host: the 16th, or the last one of fewer. */
  static constexpr unsigned kLatencyLine = 15;
  /** What a follower knows about pending interrupts. */
  struct Pending {
    Word sure = 0;
    Word maybe = 0;
  };

  std::uint64_t retired() const;
  /** Enter a handler if an interrupt is due. */
  bool interrupt(Core& core, const tz_run_args& args, tz_run_result& result);
  /** The run ends with this claim. */
  void claimed(const Core& core, const ClicOffer& offer, std::uint64_t time, Word epc, const tz_run_args& args,
               tz_run_result& result) const;
  /** Where the harts are at the end of a run. */
  void report(const tz_run_args& args, tz_run_result& result) const;
  Word pending(unsigned hart, std::uint64_t now);
  std::uint64_t next_event(std::uint64_t now) const;
  Core& next_core();
  /** Runs a core up to `limit`; false: the run is over. */
  bool slice(Core& core, std::uint64_t limit, std::uint64_t retired_limit, const tz_run_args& args,
             tz_run_result& result);
  bool drain_console(const tz_run_args& args, tz_run_result& result);
  Pending judge(std::uint64_t lines, std::uint64_t now) const;
  std::string enter_like_leader(const tz_follow_claim& claim);
  std::string check_patience(Word sure);
  std::string check_timed_read(const tz_retire& leader, const Pending& pending);
  void doubt_latency(const tz_retire& leader);
  // With a CLIC, see follow_clic.h.
  void drive_sources(std::uint64_t now);
  std::string enter_like_leader_clic(const tz_follow_claim& claim);
  std::string prepare_clic(const tz_follow_args& args);
  std::string finish_clic(const tz_retire& leader);
  // With fastirq, see follow_fast.h.
  std::string prepare_emret(const tz_follow_args& args);
  std::string chain_like_leader(const tz_follow_claim& claim, unsigned above);
  std::string check_frame_faults(const tz_retire& leader);

  Platform platform_;
  Bus bus_;
  Clint clint_;
  Clic clic_;
  Uart uart_;
  Host host_;
  Latency latency_;
  unsigned latency_line_;
  std::vector<Core> cores_;
  std::uint64_t lines_ = 0;
  // Following.
  Pending last_pending_;
  std::array<unsigned, 64> missed_{};  ///< by interrupt: instructions since it should have been taken
  bool time_known_ = false;
  std::uint64_t timer_written_ = 0;    ///< cycle of the last write to mtimecmp or mtime
  bool latency_doubted_ = false;       ///< the line of the latency measurement may be high
  std::uint64_t latency_settles_ = 0;  ///< in this cycle, too
  bool latency_host_ = false;          ///< CLIC: that line, as the host drives it
  std::array<Tri, 3> driven_{};        ///< CLIC: wires of the standard interrupts
  unsigned overdue_ = 0;               ///< CLIC: instructions since an interrupt should have been taken
};

/** The standard interrupts. */
constexpr unsigned kStandardInterrupts[] = {kSoftwareInterrupt, kTimerInterrupt, kExternalInterrupt};

template <Params P>
Machine<P>::Machine(const Platform& platform)
    : platform_(platform),
      bus_(platform.memories),
      clint_(platform.harts),
      clic_(platform.sources, platform.ctl_bits, platform.clic_staged),
      latency_(platform.latency),
      latency_line_(std::min(kLatencyLine, platform.lines == 0 ? 0 : platform.lines - 1)) {
  if (P.clic) bus_.attach(TRAPEZE_CLIC_BASE, TRAPEZE_CLIC_SIZE, clic_);
  bus_.attach(TRAPEZE_HOST_BASE, TRAPEZE_HOST_SIZE, host_);
  bus_.attach(TRAPEZE_CLINT_BASE, TRAPEZE_CLINT_SIZE, clint_);
  bus_.attach(TRAPEZE_UART_BASE, TRAPEZE_UART_SIZE, uart_);
  bus_.attach(TRAPEZE_PROBE_BASE, TRAPEZE_PROBE_SIZE, latency_);
  const std::uint64_t lines = P.clic ? 0 : ((std::uint64_t{1} << platform.lines) - 1) << platform.line_id_base;
  const auto interrupts = static_cast<std::uint32_t>(lines | (1U << kSoftwareInterrupt) | (1U << kTimerInterrupt) |
                                                     (1U << kExternalInterrupt));
  for (unsigned n = 0; n < platform.harts; ++n) {
    Clic* const clic = P.clic ? &clic_ : nullptr;
    cores_.push_back({std::make_unique<Hart<P>>(n, platform.hart_id + n, interrupts, bus_, clic), 0, false, 0});
  }
  reset();
}

template <Params P>
void Machine<P>::reset() {
  clint_.reset();
  clic_.reset();
  uart_.reset();
  host_.reset();
  latency_.reset();
  lines_ = 0;
  last_pending_ = {};
  missed_.fill(0);
  time_known_ = false;
  timer_written_ = 0;
  latency_doubted_ = false;
  latency_settles_ = 0;
  latency_host_ = false;
  driven_.fill(Tri::kOff);
  overdue_ = 0;
  for (Core& core : cores_) {
    core.hart->reset(static_cast<Word>(platform_.reset_vector));
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
void Machine<P>::set_line(unsigned line, bool level) {
  const std::uint64_t bit = std::uint64_t{1} << line;
  lines_ = level ? lines_ | bit : lines_ & ~bit;
  if (P.clic) clic_.drive(platform_.line_id_base + line, level || (line == latency_line_ && latency_.interrupt(now())));
}

template <Params P>
auto Machine<P>::pending(unsigned hart, std::uint64_t time) -> Word {
  const std::uint64_t own = latency_.interrupt(time) ? std::uint64_t{1} << latency_line_ : 0;
  std::uint64_t bits = P.clic ? 0 : (lines_ | own) << platform_.line_id_base;
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
    offer = clic_.best();
    if (hart.frame_fault_due() || !hart.takes(offer)) return false;
  } else {
    const int id = hart.next_interrupt();
    if (id < 0) return false;
    offer.id = static_cast<unsigned>(id);
  }
  claimed(core, offer, core.time, hart.pc(), args, result);
  if constexpr (P.clic) {
    hart.enter(offer, core.time);
  } else {
    hart.interrupt(offer.id);
  }
  ++core.time;
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
    for (const unsigned id : kStandardInterrupts) clic_.drive(id, ((wires >> id) & 1U) != 0);
    clic_.drive(platform_.line_id_base + latency_line_,
                ((lines_ >> latency_line_) & 1U) != 0 || latency_.interrupt(core.time));
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
      core.time += executed.steps;
      if (executed.leave != Leave::kBudget || executed.steps != 0) continue;
    }
    // One instruction by itself: recorded, or a block is longer than the budget.
    const bool marker = executed.leave == Leave::kMarker;
    const bool record = all || (marker && (args.select & TZ_SELECT_MARKERS) != 0) ||
                        (handler && (args.select & TZ_SELECT_HANDLERS) != 0);
    executed = hart.step(core.time, record ? &args.records[result.num_records] : nullptr);
    ++core.time;
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
  const std::uint64_t retired_limit = args.max_retired == 0 ? kNever : retired() + args.max_retired;
  bool running = true;
  while (running) {
    Core& core = next_core();
    if (core.time >= args.until_cycle) break;
    std::uint64_t limit = std::min(args.until_cycle, next_event(core.time));
    if (cores_.size() > 1) limit = std::min(limit, core.time + kQuantum);
    running = slice(core, limit, retired_limit, args, result);
    if (!uart_.output().empty()) running &= drain_console(args, result);
    if (host_.exit_code()) {
      result.stop = TZ_STOP_EXIT;
      running = false;
    }
  }
  result.cycle = now();
  result.retired = retired();
  report(args, result);
  const bool waiting = std::all_of(cores_.begin(), cores_.end(), [](const Core& core) { return core.waiting; });
  result.asleep = waiting && next_event(result.cycle) == kNever ? 1 : 0;
}

template <Params P>
void Machine<P>::report(const tz_run_args& args, tz_run_result& result) const {
  for (std::size_t n = 0; args.harts != nullptr && n < cores_.size(); ++n) {
    const Core& core = cores_[n];
    const bool exited = result.stop == TZ_STOP_EXIT && n == 0;  // the host port does not know who wrote it
    args.harts[n] = {core.waiting ? core.hart->pc() - kWfiBytes : core.hart->pc(),
                     core.waiting ? core.since : core.time,
                     core.hart->retired(),
                     core.waiting ? 1U : 0U,
                     exited ? 1U : 0U,
                     exited ? *host_.exit_code() : 0U};
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
  auto snapshot = std::make_unique<Snapshot>(
      Snapshot{bus_.save(), clint_, clic_, uart_, host_, latency_, lines_, {}, {}, {}, {}, {}});
  for (const Core& core : cores_) {
    snapshot->harts.push_back(core.hart->save());
    snapshot->times.push_back(core.time);
    snapshot->waiting.push_back(core.waiting);
    snapshot->since.push_back(core.since);
    snapshot->filters.push_back(core.filter);
  }
  return snapshot;
}

template <Params P>
void Machine<P>::restore(const Snapshot& snapshot) {
  bus_.restore(snapshot.memories);
  clint_ = snapshot.clint;
  clic_ = snapshot.clic;
  uart_ = snapshot.uart;
  host_ = snapshot.host;
  latency_ = snapshot.latency;
  lines_ = snapshot.lines;
  for (std::size_t n = 0; n < cores_.size(); ++n) {
    cores_[n].hart->restore(snapshot.harts[n]);
    cores_[n].time = snapshot.times[n];
    cores_[n].waiting = snapshot.waiting[n];
    cores_[n].since = snapshot.since[n];
    cores_[n].filter = snapshot.filters[n];
  }
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_MACHINE_H
