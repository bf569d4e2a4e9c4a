// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Policy of time of a core that issues one instruction a cycle, in order, with caches of one level.
 *
 * Time is a sum: an instruction's place in the pipeline (scoreboard.h), and what is added by misses (cache.h), branches
 * (predictor.h), operands of multiplier and divider, devices, handlers. README.md says what is not modelled.
 */
#ifndef TRAPEZE_SIM_TIMING_PIPELINE_H
#define TRAPEZE_SIM_TIMING_PIPELINE_H

#include <algorithm>
#include <cstdint>

#include "model/isa/decode.h"
#include "model/platform/timing_plan.h"
#include "timing/cache.h"
#include "timing/predictor.h"
#include "timing/scoreboard.h"
#include "timing/slots.h"

namespace trapeze::timing {

/** As model/time/instruction_count.h asks for. */
class Pipeline {
 public:
  static constexpr bool kIsCount = false;
  using Slot = timing::Slot;
  using Situation = timing::Situation;

  explicit Pipeline(const model::TimingPlan& plan)
      : plan_(plan), code_(plan.instructions), data_(plan.data), predictor_(plan.branches) {}

  void reset() {
    code_.reset();
    data_.reset();
    predictor_.reset();
    situation_ = {};
    line_ = kNoLine;
  }

  Slot slot(const model::Decoded& decoded) const { return slot_of(decoded, plan_); }
  const Situation& situation() const { return situation_; }
  void become(const Situation& situation) { situation_ = situation; }
  static std::uint32_t advance(Situation& situation, const Slot& slot) { return timing::advance(situation, slot); }

  // --- code
  std::uint64_t line(std::uint64_t address) const { return code_.line(address); }
  bool fetched(std::uint64_t line) const { return line == line_; }
  std::uint64_t most_fetch() const { return plan_.instructions.miss + plan_.memory_latency; }
  std::uint64_t fetch_cost(std::uint64_t line) const { return code_.holds(line) ? 0 : most_fetch(); }
  std::uint64_t fetch(std::uint64_t line) {
    line_ = line;
    if (code_.is_recent(line)) return 0;
    return code_.access(line, false) == Met::kHit ? 0 : most_fetch();
  }
  void forget_code() {
    code_.invalidate_all();
    line_ = kNoLine;
  }

  // --- data
  std::uint64_t data_line(std::uint64_t address) const { return data_.line(address); }
  std::uint64_t load(std::uint64_t address) {
    const std::uint64_t line = data_.line(address);
    return data_.is_recent(line) ? 0 : reach(line, false);
  }
  std::uint64_t store(std::uint64_t address) {
    const std::uint64_t line = data_.line(address);
    return data_.is_recent_dirty(line) ? 0 : reach(line, true);
  }
  std::uint64_t device_load() const { return plan_.system.device_load - 1; }
  std::uint64_t device_store() const { return plan_.system.device_store - 1; }
  /** Zicbom: one that writes a line back takes as long as a miss takes longer if it does. */
  std::uint64_t manage(model::Operation op, std::uint64_t address) {
    const std::uint64_t line = data_.line(address);
    const bool dirty = op == model::Operation::cbo_clean ? data_.clean(line) : data_.invalidate(line);
    const bool writes = dirty && op != model::Operation::cbo_inval;
    return plan_.system.block + (writes ? plan_.data.dirty_miss - plan_.data.miss : 0);
  }

  // --- branches
  std::uint64_t branch(std::uint64_t end, std::uint64_t target, bool taken) {
    return predictor_.branch(end, target, taken);
  }
  std::uint64_t jump(unsigned rd, std::uint64_t end, std::uint64_t target) { return predictor_.jump(rd, end, target); }
  std::uint64_t jump_register(unsigned rd, unsigned rs1, std::uint64_t end, std::uint64_t target) {
    return predictor_.jump_register(rd, rs1, end, target);
  }

  // --- operands
  std::uint64_t multiply(model::Operation op, std::uint64_t a, std::uint64_t /*b*/) const {
    return multiply_more(plan_.multiply, op, a);
  }
  std::uint64_t divide(model::Operation op, std::uint64_t a, std::uint64_t b) const {
    return divide_more(plan_.divide, op, a, b);
  }

  // --- handlers
  std::uint64_t trapped() {
    situation_ = {};
    return plan_.system.trap;
  }
  std::uint64_t entered() {
    situation_ = {};
    return plan_.system.trap;
  }

 private:
  static constexpr std::uint64_t kNoLine = ~std::uint64_t{0};
  std::uint64_t reach(std::uint64_t line, bool store) {
    const Met met = data_.access(line, store);
    if (met == Met::kHit) return 0;
    return plan_.memory_latency + (met == Met::kMiss ? plan_.data.miss : plan_.data.dirty_miss);
  }

  model::TimingPlan plan_;
  Cache code_;
  Cache data_;
  Predictor predictor_;
  Situation situation_;
  std::uint64_t line_ = kNoLine;  ///< of the last instruction
};

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_PIPELINE_H
