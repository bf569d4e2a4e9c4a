// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Policy of time of a core that issues one or two instructions a cycle, in order, with caches of one or two levels.
 *
 * Time is a sum: an instruction's place in the pipeline (scoreboard.h), and what is added by misses (cache.h), branches
 * (predictor.h), operands of multiplier and divider, devices, handlers. README.md says what is not modelled.
 */
#ifndef TRAPEZE_SIM_TIMING_PIPELINE_H
#define TRAPEZE_SIM_TIMING_PIPELINE_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "model/isa/decode.h"
#include "model/platform/shared_memory.h"
#include "model/platform/timing_plan.h"
#include "timing/cache.h"
#include "timing/predictor.h"
#include "timing/scoreboard.h"
#include "timing/second_level.h"
#include "timing/slots.h"
#include "timing/statistics.h"
#include "timing/translations.h"

namespace trapeze::timing {

/** As model/time/instruction_count.h asks for. */
class Pipeline {
 public:
  static constexpr bool kIsCount = false;
  static constexpr unsigned kPerCycle = 2;
  using Slot = timing::Slot;
  using Situation = timing::Situation;

  explicit Pipeline(const model::TimingPlan& plan)
      : plan_(plan),
        code_(plan.instructions, true),
        data_(plan.data, false),
        behind_(plan),
        predictor_(plan),
        data_pages_(plan.translation),
        code_pages_(plan.translation),
        tables_(plan.translation.tables) {}

  void reset() {
    code_.reset();
    data_.reset();
    behind_.reset();
    predictor_.reset();
    situation_ = {};
    line_ = kNoLine;
    last_stores_ = {};
    owed_ = late_ = 0;
    words_ = 0;
    statistics_ = {};
    forget_pages();
  }

  Slot slot(const model::Decoded& decoded, std::uint64_t address) const { return slot_of(decoded, address, plan_); }
  const Situation& situation() const { return situation_; }
  void become(const Situation& situation) { situation_ = situation; }
  std::uint64_t advance(Situation& situation, const Slot* first, std::size_t stride, std::uint64_t count) const {
    return plan_.pipelines ? advance_pairs(situation, first, stride, count)
                           : timing::advance(situation, first, stride, count);
  }

  // --- code
  std::uint64_t line(std::uint64_t address) const { return code_.line(address); }
  bool fetched(std::uint64_t line) const { return line == line_; }
  /** Packets that have come already are executed while the line comes. */
  std::uint64_t fetch_cost(std::uint64_t line, Situation& situation) {
    std::uint64_t whole = owed_;
    if (!code_.is_recent(line) && !code_.holds(line)) whole += code_miss(line);
    if (whole == 0) return 0;
    const std::uint64_t cost = whole - std::min<std::uint64_t>(ahead(situation), whole);
    pass(situation, cost);
    situation.ahead = 0;
    return fetching_ = cost;
  }
  /** Returns whether the line came late; else no memory was reached. */
  bool fetch(std::uint64_t line) {
    line_ = line;
    const bool missed = !code_.is_recent(line) && code_.access(line, false) != Met::kHit;
    const bool late = missed || owed_ != 0;
    if (late) [[unlikely]]
      fetched_late(line, missed);
    return late;
  }
  void forget_code() {
    code_.invalidate_all();
    line_ = kNoLine;
  }

  // --- data
  /** A memory that the data cache does not hold: each access to it is one to a device. One at most. */
  void uncached(std::uint64_t base, std::uint64_t size) {
    uncached_first_ = data_.line(base);
    uncached_lines_ = data_.line(base + size) - uncached_first_;
  }
  std::uint64_t data_line(std::uint64_t address) const { return data_.line(address); }
  std::uint64_t load(std::uint64_t address, unsigned size) {
    const std::uint64_t line = data_.line(address);
    const std::uint32_t bytes = bytes_of(address, size);
    const std::uint64_t stored =
        (meets(last_stores_[0], bytes) ? kMaybeStored : 0) | (meets(last_stores_[1], bytes) ? kMaybeStored << 1 : 0);
    return (data_.is_recent(line) ? 0 : reach_for(Cause::kLoadMiss, line, false)) | stored;
  }
  std::uint64_t store(std::uint64_t address, unsigned size) {
    const std::uint64_t line = data_.line(address);
    last_stores_ = {bytes_of(address, size), last_stores_[0]};
    return data_.is_recent_dirty(line) ? 0 : reach_for(Cause::kStoreMiss, line, true);
  }
  /** Two parts of an access. */
  static std::uint64_t both(std::uint64_t one, std::uint64_t other) {
    return one % kMaybeStored + other % kMaybeStored + ((one | other) & ~(kMaybeStored - 1));
  }
  std::uint64_t device_load() { return counted(Cause::kDeviceLoad, plan_.system.device_load - 1); }
  std::uint64_t device_store() { return counted(Cause::kDeviceStore, plan_.system.device_store - 1); }
  /** Zicbom: one that writes a line back takes as long as a miss takes longer if it does. */
  std::uint64_t manage(model::Operation op, std::uint64_t address) {
    const std::uint64_t line = data_.line(address);
    const bool dirty = op == model::Operation::cbo_clean ? data_.clean(line) : data_.invalidate(line);
    const std::uint64_t block = counted(Cause::kManaged, plan_.system.block);
    if (op == model::Operation::cbo_inval) {
      behind_.invalidate(address, code_, data_);
      return block;
    }
    const std::uint64_t beyond =
        op == model::Operation::cbo_clean ? behind_.clean(address, dirty) : behind_.flush(address, dirty, code_, data_);
    const std::uint64_t written = beyond + (dirty ? plan_.data.dirty_miss - plan_.data.miss : 0);
    return block + (written != 0 ? counted(Cause::kWrittenBack, written) : 0);
  }
  /** What an instruction costs that has `met` something. An access that took longer is executed again at the end of
   * that: then all others have their results, and the queue of what is fetched is full; behind a store it is fetched
   * again.
   */
  std::uint64_t stalled(Situation& situation, const Slot& slot, std::uint64_t met) {
    if ((met & kLonger) != 0) {
      Slot longer = slot;
      longer.latency = static_cast<std::uint8_t>(slot.latency + met % kMaybeStored);
      longer.unit_latency = static_cast<std::uint8_t>(slot.unit_latency + met % kMaybeStored);
      return advance(situation, &longer, 0, 1);
    }
    const Situation before = situation;
    const std::uint64_t cost = advance(situation, &slot, 0, 1);
    const unsigned own = cost == 0 ? 0 : 1;  // 0: it has joined another in its cycle
    const auto waited = static_cast<std::uint32_t>(cost - own - slot.more);
    const std::uint64_t missed = met % kMaybeStored;
    const bool stored = ((met & kMaybeStored) != 0 && waits(before, 0, waited)) ||
                        ((met & kMaybeStored << 1) != 0 && waits(before, 1, waited));
    const std::uint64_t extra = missed + (stored ? counted(Cause::kBehindStore, plan_.load.behind_store) : 0);
    if (extra == 0) {
      if ((met & kMarks) != 0) situation.blocked = kMarking;
      return cost;
    }
    situation = before;
    const std::uint64_t again = waited + extra + own - 1;
    pass(situation, again);
    situation.ahead = static_cast<std::int8_t>(missed != 0 ? plan_.fetch.queue : 0);
    return again + advance(situation, &slot, 0, 1);
  }

  // --- a memory that others have, too
  void share(model::SharedMemory& memory) { memory_ = &memory; }
  /** Whether the memory was reached that others have, too: then the hart calls one of the next two. */
  bool reached_memory() const { return memory_ != nullptr && (behind_.transfers() | words_) != 0; }
  /** By a load or store that begins in cycle `now`. Returns how long it waits for the port. */
  std::uint64_t transfer(std::uint64_t now) {
    return memory_->transfer(now, behind_.take_transfers(), std::exchange(words_, 0));
  }
  /** By a fetch: the next one waits. */
  void transfer_code(std::uint64_t now) {
    const std::uint64_t wait = transfer(now);
    late_ += wait;
    owed_ += wait;
  }

  // --- translations
  bool recent_data(std::uint64_t address) const { return data_pages_.is_recent(address); }
  bool recent_code(std::uint64_t address) const { return code_pages_.is_recent(address); }
  bool use_data(std::uint64_t address) { return data_pages_.use(address); }
  bool use_code(std::uint64_t address) { return code_pages_.use(address); }
  /** A walk read these entries of tables, the last one for the page; what it adds to a load or store. */
  std::uint64_t walked_data(std::uint64_t address, std::span<const std::uint64_t> entries, unsigned levels) {
    data_pages_.keep(address, levels - static_cast<unsigned>(entries.size()));
    return counted(Cause::kDataWalk, plan_.translation.walk_data + steps(entries));
  }
  /** The same of a fetch, which the next fetch_cost() has in it. */
  void walked_code(std::uint64_t address, std::span<const std::uint64_t> entries, unsigned levels) {
    code_pages_.keep(address, levels - static_cast<unsigned>(entries.size()));
    statistics_.count(Cause::kCodeWalk, 0);
    owed_ += plan_.translation.walk_code + steps(entries);
  }
  void forget_pages() {
    data_pages_.forget();
    code_pages_.forget();
    tables_.forget();
    line_ = kNoLine;
  }
  /** Pointers to tables stay: Rocket's RTL forgets them only with an sfence.vma of all addresses. */
  void forget_page(std::uint64_t address) {
    data_pages_.forget(address);
    code_pages_.forget(address);
    line_ = kNoLine;
  }

  // --- branches
  std::uint64_t branch(std::uint64_t end, std::uint64_t target, bool taken) {
    return steer(predictor_.branch(end, target, taken, ahead(situation_)), end, Cause::kBranch);
  }
  std::uint64_t jump(unsigned rd, std::uint64_t end, std::uint64_t target) {
    return steer(predictor_.jump(rd, end, target, ahead(situation_)), end, Cause::kJump);
  }
  std::uint64_t jump_register(unsigned rd, unsigned rs1, std::uint64_t end, std::uint64_t target) {
    return steer(predictor_.jump_register(rd, rs1, end, target, ahead(situation_)), end, Cause::kJump);
  }

  // --- operands
  std::uint64_t multiply(model::Operation op, std::uint64_t a, std::uint64_t /*b*/) const {
    return multiply_more(plan_.multiply, op, a);
  }
  std::uint64_t divide(model::Operation op, std::uint64_t a, std::uint64_t b) const {
    return divide_more(plan_.divide, op, a, b);
  }

  /** A latency that is so much longer, as `met`. */
  static std::uint64_t longer(std::uint64_t cycles) { return cycles == 0 ? 0 : kLonger | cycles; }

  // --- handlers
  std::uint64_t trapped() {
    situation_ = {};
    return counted(Cause::kException, plan_.system.trap);
  }
  std::uint64_t entered() {
    situation_ = {};
    statistics_.passed(0, plan_.system.trap);
    return counted(Cause::kInterrupt, plan_.system.trap);
  }

  // --- where the time went
  Statistics& statistics() { return statistics_; }
  const Statistics& statistics() const { return statistics_; }

 private:
  static constexpr std::uint64_t kNoLine = ~std::uint64_t{0};
  /** A load's address is that of the last store, as far as is compared: it waits if the store still does. The next bit
   * says it of the store before that. */
  static constexpr std::uint64_t kMaybeStored = std::uint64_t{1} << 40;

  /** A store marks its line as dirty, in two cycles in which no access can begin. Rocket's RTL: kernel stream-update.
   */
  static constexpr std::uint64_t kMarks = kMaybeStored << 2;
  static constexpr std::uint8_t kMarking = 2;
  static constexpr std::uint64_t kLonger = kMaybeStored << 3;

  static unsigned ahead(const Situation& situation) { return static_cast<unsigned>(std::max<int>(situation.ahead, 0)); }
  /** The bytes of an access, as far as loads are compared with stores: eight bits, below address bits 11 to 3. Rocket's
   * RTL, and kernel store-load-page-apart. */
  static std::uint32_t bytes_of(std::uint64_t address, unsigned size) {
    const std::uint32_t mask = (((1U << size) - 1) << (address & 7U)) & 0xffU;
    return static_cast<std::uint32_t>(address & 0xff8U) << 5 | mask;
  }
  static bool meets(std::uint32_t stored, std::uint32_t loaded) {
    return (stored ^ loaded) < 0x100U && (stored & loaded & 0xffU) != 0;
  }
  std::uint64_t counted(Cause cause, std::uint64_t cycles) {
    statistics_.count(cause, cycles);
    return cycles;
  }
  // Misses are kept out of the hart's loop, which would have a copy of them for each access and jump.
  [[gnu::noinline]] std::uint64_t code_miss(std::uint64_t line) const {
    return plan_.instructions.miss + behind_.latency(code_.address(line), data_);
  }
  /** A line of code came late: for its walk, as far as that is owed, and for the line. */
  [[gnu::noinline]] void fetched_late(std::uint64_t line, bool missed) {
    const std::uint64_t walked = std::min(std::exchange(owed_, 0) - std::exchange(late_, 0), fetching_);
    statistics_.add(Cause::kCodeWalk, walked);
    if (!missed) return;
    const std::uint64_t beyond = beyond_second(behind_.bring(code_.address(line), code_, data_), fetching_ - walked);
    statistics_.count(Cause::kCodeMiss, fetching_ - walked - beyond);
  }
  /** Counts what the second level lacked, at most so many cycles of the latency, and returns it. */
  std::uint64_t beyond_second(std::uint64_t latency, std::uint64_t most) {
    if (!plan_.level2 || latency <= plan_.level2->latency) return 0;
    return counted(Cause::kSecondMiss, std::min(latency - plan_.level2->latency, most));
  }
  /** The same as reach(), for a load or store of the program. */
  std::uint64_t reach_for(Cause cause, std::uint64_t line, bool store) {
    const std::uint64_t cost = reach(line, store);
    if (met_ == Met::kMiss || met_ == Met::kDirtyMiss) count_miss(cause, cost);
    return cost;
  }
  [[gnu::noinline]] void count_miss(Cause cause, std::uint64_t cost) {
    std::uint64_t victim = 0;
    if (met_ == Met::kDirtyMiss) {
      victim = counted(Cause::kDirtyVictim, std::max(plan_.data.dirty_miss, plan_.data.miss) - plan_.data.miss);
    }
    const std::uint64_t beyond = beyond_second(latency_, cost - victim);
    statistics_.count(cause, cost - victim - beyond);
  }
  [[gnu::noinline]] std::uint64_t data_miss(std::uint64_t line, bool dirty) {
    if (dirty) behind_.take(data_.address(data_.replaced()));
    latency_ = behind_.bring(data_.address(line), code_, data_);
    return latency_ + (dirty ? plan_.data.dirty_miss : plan_.data.miss);
  }
  std::uint64_t reach(std::uint64_t line, bool store) {
    if (line - uncached_first_ < uncached_lines_) {
      met_ = Met::kHit;
      ++words_;
      return store ? device_store() : device_load();
    }
    const Met met = met_ = data_.access(line, store);
    if (met == Met::kHit) return 0;
    if (met == Met::kFirstStore) return kMarks;
    return data_miss(line, met == Met::kDirtyMiss);
  }
  std::uint64_t steps(std::span<const std::uint64_t> entries) {
    std::uint64_t sum = 0;
    for (std::size_t n = 0; n < entries.size(); ++n) {
      const bool is_pointer = n + 1 < entries.size();
      if (is_pointer && tables_.use(entries[n])) {
        sum += plan_.translation.known_step;
      } else {
        sum += plan_.translation.step + reach(data_.line(entries[n]), false);
        if (is_pointer) tables_.keep(entries[n]);
      }
    }
    return sum;
  }
  /** Effect of a branch on what is fetched. Something taken leaves the rest of its packet. */
  std::uint64_t steer(Steered steered, std::uint64_t end, Cause cause) {
    const bool halved = std::exchange(situation_.halved, false);
    if (steered == Steered::kStraight) return 0;
    if (steered == Steered::kWrong) {
      pass(situation_, plan_.branches.misprediction);
      situation_.ahead = 0;
      situation_.entered = true;
      return counted(cause, plan_.branches.misprediction);
    }
    situation_.entered = !halved;
    const unsigned rest = end % plan_.fetch.packet != 0 ? 1 : 0;
    const unsigned gap = steered == Steered::kGap ? plan_.branches.taken : 0;
    situation_.ahead = static_cast<std::int8_t>(situation_.ahead - static_cast<int>(rest + gap));
    return 0;
  }

  model::TimingPlan plan_;
  Cache code_;
  Cache data_;
  SecondLevel behind_;
  Predictor predictor_;
  Translations data_pages_, code_pages_;
  Kept tables_;  ///< by the addresses of the pointers
  Situation situation_;
  std::uint64_t uncached_first_ = 0, uncached_lines_ = 0;  ///< lines of data that the cache does not hold
  std::uint64_t owed_ = 0;                                 ///< what walks and the memory's port add to the next fetch
  std::uint64_t late_ = 0;  ///< of owed_, what the next fetch waits for the memory's port
  model::SharedMemory* memory_ = nullptr;
  unsigned words_ = 0;                          ///< accesses past the caches since the last transfer()
  std::uint64_t fetching_ = 0;                  ///< the last cost of a fetch that was not 0
  Met met_ = Met::kHit;                         ///< of the last reach()
  std::uint64_t latency_ = 0;                   ///< of the last miss of data, behind the first level
  std::uint64_t line_ = kNoLine;                ///< of the last instruction
  std::array<std::uint32_t, 2> last_stores_{};  ///< bytes of the last two stores, the last one in front
  Statistics statistics_;
};

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_PIPELINE_H
