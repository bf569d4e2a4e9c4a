// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A core of one kind of hart.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_HART_CORE_H
#define TRAPEZE_SIM_MODEL_PLATFORM_HART_CORE_H

#include <algorithm>
#include <memory>

#include "model/isa/execute.h"
#include "model/isa/hart.h"
#include "model/isa/hart_state.h"
#include "model/platform/core.h"
#include "model/time/instruction_count.h"

namespace trapeze::model {

template <Params P>
class HartCore final : public Core {
 public:
  using Word = Register<P.xlen>;

  HartCore(unsigned number, const CorePlan& plan, Reservations& reservations)
      : Core(number, plan, reservations), hart(number, plan.hart_id, interrupts(plan), bus, P.clic ? &clic : nullptr) {}

  bool has_clic() const override { return P.clic; }
  void reset() override {
    hart.reset(static_cast<Word>(plan_.reset_vector));
    clic.reset();
    lines = time = since = 0;
    filter = {};
    waiting = false;
  }
  void flush() override { hart.flush(); }
  std::uint64_t retired() const override { return hart.retired(); }
  std::uint64_t pc() const override { return hart.pc(); }
  bool run(const Slice& slice) override;
  std::unique_ptr<State> save() const override { return std::make_unique<Saved>(*this); }
  void restore(const State& state) override {
    const auto& saved = static_cast<const Saved&>(state);
    hart.restore(saved.hart);
    clic = saved.clic;
    lines = saved.lines;
    time = saved.time;
    since = saved.since;
    waiting = saved.waiting;
    filter = saved.filter;
  }

 private:
  struct Saved : State {
    explicit Saved(const HartCore& core)
        : hart(core.hart.save()),
          clic(core.clic),
          lines(core.lines),
          time(core.time),
          since(core.since),
          waiting(core.waiting),
          filter(core.filter) {}

    typename Hart<P>::State hart;
    Clic clic;
    std::uint64_t lines, time, since;
    bool waiting;
    RecordFilter filter;
  };

  static std::uint32_t interrupts(const CorePlan& plan) {
    const std::uint64_t own = P.clic ? 0 : ((std::uint64_t{1} << plan.lines) - 1) << plan.line_id_base;
    std::uint64_t all = own;
    for (const unsigned id : kStandardInterrupts) all |= std::uint64_t{1} << id;
    return static_cast<std::uint32_t>(all);
  }
  void see(const Slice& slice);
  /** Enter a handler if an interrupt is due. */
  bool interrupt(const Slice& slice);
  /** The run ends with this claim. */
  void claimed(const ClicOffer& offer, std::uint64_t when, Word epc, const Slice& slice) const;

 public:
  Hart<P> hart;
};

/** A core of this kind, for CorePlan::make. */
template <Params P>
std::unique_ptr<Core> make_core(unsigned number, const CorePlan& plan, Reservations& reservations) {
  return std::make_unique<HartCore<P>>(number, plan, reservations);
}

/** Wires as they are when the slice begins. */
template <Params P>
void HartCore<P>::see(const Slice& slice) {
  if constexpr (P.clic) {
    for (const unsigned id : kStandardInterrupts) clic.drive(id, ((slice.wires >> id) & 1U) != 0);
    const unsigned line = shared_line();
    clic.drive(plan_.line_id_base + line, ((slice.lines >> line) & 1U) != 0);
  } else {
    hart.csr().set_mip(static_cast<Word>(slice.wires | (slice.lines << plan_.line_id_base)));
  }
}

template <Params P>
bool HartCore<P>::interrupt(const Slice& slice) {
  ClicOffer offer;
  if constexpr (P.clic) {
    offer = clic.best();
    if (hart.frame_fault_due() || !hart.takes(offer)) return false;
  } else {
    const int id = hart.next_interrupt();
    if (id < 0) return false;
    offer.id = static_cast<unsigned>(id);
  }
  claimed(offer, time, hart.pc(), slice);
  if constexpr (P.clic) {
    hart.enter(offer);
  } else {
    hart.interrupt(offer.id);
  }
  time += InstructionCount::kEntry;
  return true;
}

template <Params P>
void HartCore<P>::claimed(const ClicOffer& offer, std::uint64_t when, Word epc, const Slice& slice) const {
  if (slice.args.claims != nullptr) {
    slice.args.claims[slice.result.num_claims++] = {when, epc, static_cast<std::uint16_t>(offer.id),
                                                    static_cast<std::uint16_t>(number_),
                                                    static_cast<std::uint8_t>(offer.level)};
  }
  slice.result.stop = std::max(slice.result.stop, TZ_STOP_CLAIM);
}

template <Params P>
bool HartCore<P>::run(const Slice& slice) {
  const tz_run_args& args = slice.args;
  tz_run_result& result = slice.result;
  see(slice);
  if (waiting) {
    if (!hart.wakes()) {
      time = slice.limit;
      return true;
    }
    waiting = false;
  }
  if (interrupt(slice)) return false;
  // What changes handlers is found one instruction at a time, which is slow: for tests.
  const bool traps = (args.select & TZ_SELECT_TRAPS) != 0;
  const bool all = (args.select & TZ_SELECT_ALL) != 0 || traps;
  Executed executed;
  bool more = true;
  do {
    const bool handler = hart.at_handler();
    const std::uint64_t budget = std::min(slice.limit - time, slice.retired_limit - hart.retired());
    if (!all && !handler && executed.leave != Leave::kMarker) {
      executed = hart.execute(budget, time);
      time += InstructionCount::of(executed.steps);
      if (executed.leave != Leave::kBudget || executed.steps != 0) continue;
    }
    // One instruction by itself: recorded, or a block is longer than the budget.
    const bool marker = executed.leave == Leave::kMarker;
    const bool record = all || (marker && (args.select & TZ_SELECT_MARKERS) != 0) ||
                        (handler && (args.select & TZ_SELECT_HANDLERS) != 0);
    executed = hart.step(time, record ? &args.records[result.num_records] : nullptr);
    time += InstructionCount::of(1);
    const bool kept = record && (!traps || filter.keeps(args.records[result.num_records], args.select));
    if (kept && ++result.num_records == args.records_capacity) {
      result.stop = std::max(result.stop, TZ_STOP_RECORDS);
      more = false;
    }
  } while (more && time < slice.limit && hart.retired() < slice.retired_limit &&
           (executed.leave == Leave::kBudget || executed.leave == Leave::kMarker || executed.leave == Leave::kTrap));
  if (executed.leave == Leave::kWait) {
    waiting = true;
    since = time - 1;
  }
  if constexpr (P.fast) {
    if (const auto chained = hart.take_chained()) {
      claimed(chained->offer, time - 1, chained->epc, slice);
      more = false;
    }
  }
  if (hart.retired() >= slice.retired_limit) {
    result.stop = std::max(result.stop, TZ_STOP_RETIRED);
    more = false;
  }
  return more;
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_HART_CORE_H
