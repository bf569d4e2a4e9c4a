// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A core of one kind of hart.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_HART_CORE_H
#define TRAPEZE_SIM_MODEL_PLATFORM_HART_CORE_H

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "kernel/debug.h"
#include "model/isa/execute.h"
#include "model/isa/hart.h"
#include "model/isa/hart_state.h"
#include "model/platform/core.h"
#include "model/time/instruction_count.h"

namespace trapeze::model {

template <Kind K, class Time = InstructionCount>
class HartCore final : public Core {
 public:
  using Word = Register<K.xlen>;

  HartCore(unsigned number, const HartPlan& plan, Bus& to, Time policy = {})
      : Core(number, plan, to, K.user_interrupts),
        hart(plan.params, number, plan.hart_id, interrupts(plan), bus, K.clic ? &clic : nullptr, std::move(policy)) {}

  bool has_clic() const override { return K.clic; }
  void show_time(const TimeSource& source) override { hart.show_time(&source); }
  void show_coherent(const RegionPlan& region) override {
    if constexpr (!Time::kIsCount) hart.policy().uncached(region.base, region.size);
  }
  void show_shared_memory(SharedMemory& memory) override {
    if constexpr (!Time::kIsCount) hart.policy().share(memory);
  }
  bool has_posts() const override { return plan_.params.uintr; }
  void connect(Notifier& notifier) override { hart.posts().connect(&notifier); }
  void notified(unsigned vector) override { hart.posts().notified(vector); }
  void attach(const RegionPlan& region) override {
    if (K.clic && region.block == kClicBlock) bus.attach(region.base, region.size, clic);
    if (K.user_interrupts && region.block == kClicUserBlock) bus.attach(region.base, region.size, clic_user);
  }
  void drive_line(unsigned line, bool level) override {
    if (K.clic) clic.drive(plan_.line_id_base + line, level);
  }
  void reset() override {
    hart.reset(static_cast<Word>(plan_.reset_vector));
    clic.reset();
    time = since = 0;
    filter = {};
    waiting = false;
    first_in_mode = {};
    in_user_ = false;
  }
  void flush() override { hart.flush(); }
  void watch(std::span<const tz_watch> watches) override { hart.watch(Watches(watches, number_)); }
  std::uint64_t retired() const override { return hart.retired(); }
  std::uint64_t pc() const override { return waiting ? hart.pc() - kWfiBytes : hart.pc(); }
  std::vector<tz_cause> causes() const override;
  bool run(const Slice& slice) override;
  std::optional<std::uint64_t> read_register(unsigned number) const override;
  void write_register(unsigned number, std::uint64_t value) override;
  std::optional<std::uint64_t> read_csr(unsigned number, std::uint64_t now) const override {
    return hart.csr().read(number, hart.counts(now));
  }
  bool write_csr(unsigned number, std::uint64_t value, std::uint64_t now) override;
  void access(tz_word_access& access) override {
    const auto old =
        hart.posts().access(static_cast<tz_word_op>(access.op), static_cast<Word>(access.address), access.operand);
    access.found = old ? 1 : 0;
    access.value = old.value_or(0);
  }
  std::optional<std::uint64_t> receiver(unsigned vector) const override { return hart.posts().receiver(vector); }
  void join(unsigned first, std::uint32_t vectors) override { hart.posts().join(first, vectors); }
  bool enter(unsigned interrupt, bool in_table, tz_entry& entry) override;
  void step(const tz_choices& choices, tz_effects& effects) override;
  bool frame_faults_held() const override { return K.fast && hart.frame_faults_held(); }
  bool frame_refused() const override { return hart.refuses({true, 0, 1, false, kUser}); }
  std::uint32_t triggers() override { return hart.triggers_due(); }
  void halted(bool by_trigger) override { hart.halted(by_trigger); }
  std::unique_ptr<State> save() const override { return std::make_unique<Saved>(*this); }
  void restore(const State& state) override {
    const auto& saved = static_cast<const Saved&>(state);
    hart.restore(saved.hart);
    clic = saved.clic;
    time = saved.time;
    since = saved.since;
    waiting = saved.waiting;
    filter = saved.filter;
  }

 private:
  static constexpr unsigned kWfiBytes = 4;

  struct Saved : State {
    explicit Saved(const HartCore& core)
        : hart(core.hart.save()),
          clic(core.clic),
          time(core.time),
          since(core.since),
          waiting(core.waiting),
          filter(core.filter) {}

    typename Hart<K, Time>::State hart;
    Clic clic;
    std::uint64_t time, since;
    bool waiting;
    RecordFilter filter;
  };

  static std::uint64_t interrupts(const HartPlan& plan) {
    const std::uint64_t own = K.clic ? 0 : ((std::uint64_t{1} << plan.lines) - 1) << plan.line_id_base;
    std::uint64_t all = own;
    for (const unsigned id : kStandardInterrupts) all |= std::uint64_t{1} << id;
    return all;
  }
  /** It goes on after a wfi. */
  void awake() {
    if constexpr (!Time::kIsCount) {
      if (waiting) hart.policy().statistics().slept(slept());
    }
    waiting = false;
  }
  /** How long it has slept. */
  std::uint64_t slept() const { return time - since - 1; }
  /** Executes in the loop, or one instruction; and time passes. */
  template <typename Body>
  Executed spend(Body&& body) {
    if constexpr (!Time::kIsCount) hart.policy().statistics().in_mode(hart.mode());
    const Executed executed = body();
    if constexpr (!Time::kIsCount) hart.policy().statistics().passed(executed.steps, executed.time);
    time += executed.time;
    return executed;
  }
  void see(const Slice& slice);
  /** Hand out what watches were met; false: the buffer has no room for another instruction that meets them all. */
  bool show_hits(const Slice& slice);
  /** Enter a handler if an interrupt is due. */
  bool interrupt(const Slice& slice);
  /** The run ends with this claim. */
  void claimed(const ClicOffer& offer, std::uint64_t when, Word epc, const Slice& slice) const;

  bool in_user_ = false;       ///< its first instruction in user mode was selected, and no handler has begun since
  std::vector<tz_word> lost_;  ///< words of the last interrupt's frame that could not be stored

 public:
  Hart<K, Time> hart;
};

/** Wires as they are when the slice begins. */
template <Kind K, class Time>
void HartCore<K, Time>::see(const Slice& slice) {
  if constexpr (K.clic) {
    for (const unsigned id : kStandardInterrupts) clic.drive(id, ((slice.wires >> id) & 1U) != 0);
    for (std::uint64_t left = slice.device_lines; left != 0; left &= left - 1) {
      const auto line = static_cast<unsigned>(std::countr_zero(left));
      clic.drive(plan_.line_id_base + line, ((slice.lines >> line) & 1U) != 0);
    }
  } else {
    hart.csr().set_mip(static_cast<Word>(slice.wires | (slice.lines << plan_.line_id_base)));
  }
}

template <Kind K, class Time>
bool HartCore<K, Time>::interrupt(const Slice& slice) {
  ClicOffer offer;
  if constexpr (K.clic) {
    offer = clic.best();
    if (hart.frame_fault_due() || !hart.takes(offer)) return false;
    if (hart.refuses(offer)) {
      hart.refuse();
      return false;
    }
  } else {
    const int id = hart.next_interrupt();
    if (id < 0) return false;
    offer.id = static_cast<unsigned>(id);
  }
  claimed(offer, time, hart.pc(), slice);
  if constexpr (K.clic) {
    hart.enter(offer);
  } else {
    hart.interrupt(offer.id);
  }
  time += hart.policy().entered();
  return true;
}

template <Kind K, class Time>
std::vector<tz_cause> HartCore<K, Time>::causes() const {
  if constexpr (Time::kIsCount) {
    return {};
  } else {
    auto all = hart.policy().statistics();
    if (waiting) all.slept(slept());
    return all.causes();
  }
}

template <Kind K, class Time>
bool HartCore<K, Time>::show_hits(const Slice& slice) {
  for (const tz_hit& hit : hart.watches().take()) slice.args.hits[slice.result.num_hits++] = hit;
  if (slice.result.num_hits + slice.args.num_watches <= slice.args.hits_capacity) return true;
  slice.result.stop = std::max(slice.result.stop, TZ_STOP_RECORDS);
  return false;
}

template <Kind K, class Time>
void HartCore<K, Time>::claimed(const ClicOffer& offer, std::uint64_t when, Word epc, const Slice& slice) const {
  if (slice.args.claims != nullptr) {
    slice.args.claims[slice.result.num_claims++] = {when, epc, static_cast<std::uint16_t>(offer.id),
                                                    static_cast<std::uint16_t>(number_),
                                                    static_cast<std::uint8_t>(offer.level)};
  }
  slice.result.stop = std::max(slice.result.stop, TZ_STOP_CLAIM);
}

template <Kind K, class Time>
bool HartCore<K, Time>::run(const Slice& slice) {
  const tz_run_args& args = slice.args;
  tz_run_result& result = slice.result;
  see(slice);
  if (waiting) {
    if (!hart.wakes()) {
      time = slice.limit;
      return true;
    }
    awake();
  }
  if (interrupt(slice)) return false;
  // What changes handlers is found one instruction at a time, which is slow: for tests.
  const bool traps = (args.select & TZ_SELECT_TRAPS) != 0;
  const bool all = (args.select & TZ_SELECT_ALL) != 0 || traps;
  Executed executed;
  bool more = true;
  do {
    const bool handler = hart.at_handler();
    in_user_ &= !handler;  // every way out of user mode leads to a handler
    const bool enters_user = (args.select & TZ_SELECT_USER) != 0 && !in_user_ && hart.mode() == kUser;
    in_user_ |= enters_user;
    const std::uint64_t budget = std::min(slice.limit - time, (slice.retired_limit - hart.retired()) / Time::kPerCycle);
    if (!all && !handler && !enters_user && executed.leave != Leave::kMarker) {
      executed = spend([&] { return hart.execute(budget, time); });
      if (hart.watches().met()) more = show_hits(slice);
      if (executed.leave != Leave::kBudget || executed.steps != 0) continue;
    }
    // One instruction by itself: recorded or watched, or a block is longer than the budget; that may begin with a
    // marker, too.
    const bool marker = (args.select & TZ_SELECT_MARKERS) != 0 && hart.at_marker();
    const Word pc = hart.pc();
    const std::uint64_t trapped = hart.trapped();
    const bool record = all || marker || enters_user || (handler && (args.select & TZ_SELECT_HANDLERS) != 0);
    const std::uint64_t begin = time;
    executed = spend([&] { return hart.step(time, record ? &args.records[result.num_records] : nullptr); });
    if (hart.watches().executes() && hart.trapped() == trapped) hart.watches().execute(pc, begin);
    if (hart.watches().met()) more = show_hits(slice);
    const bool kept = record && (!traps || filter.keeps(args.records[result.num_records], args.select));
    if (kept && ++result.num_records == args.records_capacity) {
      result.stop = std::max(result.stop, TZ_STOP_RECORDS);
      more = false;
    }
    if constexpr (K.supervisor) {
      std::uint64_t& first = first_in_mode[hart.mode()];
      if (first == 0) first = time;
    }
  } while (more && time < slice.limit && hart.retired() < slice.retired_limit &&
           (executed.leave == Leave::kBudget || executed.leave == Leave::kMarker || executed.leave == Leave::kTrap));
  if (executed.leave == Leave::kWait) {
    waiting = true;
    since = time - 1;
  }
  if constexpr (K.fast) {
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

// --- between two instructions

template <Kind K, class Time>
std::optional<std::uint64_t> HartCore<K, Time>::read_register(unsigned number) const {
  if (number == TZ_DEBUG_PC) return hart.pc();
  if (number == TZ_DEBUG_MODE) return hart.mode();
  return number < hart.csr().params().registers() ? std::optional<std::uint64_t>(hart.x(number)) : std::nullopt;
}

template <Kind K, class Time>
void HartCore<K, Time>::write_register(unsigned number, std::uint64_t value) {
  if (number == TZ_DEBUG_PC) {
    hart.set_pc(static_cast<Word>(value));
    awake();  // it goes on there
  } else if (number == TZ_DEBUG_MODE) {
    hart.set_mode(static_cast<unsigned>(value));
  } else {
    hart.set_x(number, static_cast<Word>(value));
  }
}

template <Kind K, class Time>
bool HartCore<K, Time>::write_csr(unsigned number, std::uint64_t value, std::uint64_t now) {
  if (!hart.csr().allowed(number, kMachine, true)) return false;
  if (hart.csr().triggers().write(number, static_cast<std::uint32_t>(value), true)) return true;
  hart.csr().set(number, static_cast<Word>(value), hart.counts(now));
  hart.posts().show();
  return true;
}

template <Kind K, class Time>
bool HartCore<K, Time>::enter(unsigned interrupt, bool in_table, tz_entry& entry) {
  entry = {};
  if constexpr (!K.clic) {
    hart.interrupt(interrupt);
  } else {
    const ClicOffer offer = clic.offer(interrupt);
    if (!offer.valid) return false;
    if (hart.refuses(offer)) {
      hart.refuse(in_table);
      entry.refused = 1;
      return true;
    }
    hart.enter(offer, in_table);
    if (const auto table_entry = hart.table_entry()) {
      entry.table_entry = *table_entry;
      entry.vectored = 1;
    }
    if constexpr (K.fast) {
      hart.frames().forget_faults();  // they come when the caller says so
      const FrameState& frames = hart.frames().state();
      if (frames.saved) {
        entry.saved = 1;
        entry.frame = *frames.saved;
        lost_.clear();
        for (const FrameWord& word : frames.lost) lost_.push_back({word.address, word.value, 0xf});
        entry.lost = lost_.data();
        entry.num_lost = lost_.size();
      }
    }
  }
  return true;
}

template <Kind K, class Time>
void HartCore<K, Time>::step(const tz_choices& choices, tz_effects& effects) {
  Choices chosen;
  chosen.second_word = choices.now2;
  if ((choices.given & TZ_CHOICE_LOAD) != 0) chosen.load = choices.load;
  if ((choices.given & TZ_CHOICE_CSR) != 0) chosen.csr = choices.csr;
  if ((choices.given & TZ_CHOICE_FRAME_FAULT) != 0) chosen.frame_fault = choices.frame_fault;
  if (choices.interrupt != TZ_NO_INTERRUPT) chosen.interrupt = choices.interrupt;
  for (std::size_t i = 0; i < choices.num_kept; ++i) {
    chosen.kept.emplace(choices.kept[i].address, choices.kept[i].value);
  }
  PostTrail trail({choices.accesses, choices.num_accesses});
  if ((choices.given & TZ_CHOICE_POST) != 0) chosen.trail = &trail;
  time = choices.now;
  if constexpr (!K.clic) hart.csr().set_mip(static_cast<Word>(choices.mip));
  effects = {};
  hart.step(choices.now, &effects.record, &chosen);
  if (const auto entry = hart.table_entry()) {
    effects.table_entry = *entry;
    effects.vectored = 1;
  }
  const auto chained = hart.take_chained();
  effects.chained = chained ? chained->offer.id : TZ_NO_INTERRUPT;
  effects.level = chained ? chained->offer.level : 0;
  effects.posted = trail.posted();
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_HART_CORE_H
