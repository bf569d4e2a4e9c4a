// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Predicts branches: counters for directions, a buffer of targets, a stack of return addresses.
 *
 * Code is fetched in packets of plan.packet bytes. Directions and targets are kept by packet. The buffer is looked up
 * when a packet is fetched; without an entry there, a branch that is predicted as taken, a jump or a return is seen
 * when the packet has come, which leaves a gap of plan.taken cycles in what is fetched.
 */
#ifndef TRAPEZE_SIM_TIMING_PREDICTOR_H
#define TRAPEZE_SIM_TIMING_PREDICTOR_H

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/platform/timing_plan.h"
#include "timing/target_buffer.h"

namespace trapeze::timing {

/** What a branch does to what is fetched behind it. */
enum class Steered : std::uint8_t {
  kStraight,  ///< it is not taken, as predicted
  kAtOnce,    ///< it is taken, and the next packet is that of the target
  kGap,       ///< the same behind a gap
  kWrong      ///< it was not predicted
};

/** `end`: the address behind a branch. `ahead`: packets that wait between the fetch and the decoder. */
class Predictor {
 public:
  explicit Predictor(const model::TimingPlan& plan)
      : plan_(plan.branches),
        shift_(static_cast<unsigned>(std::countr_zero(plan.fetch.packet))),
        targets_(plan.branches.targets) {
    reset();
  }

  void reset() {
    counters_.assign(plan_.counters, 0);
    returns_.assign(plan_.returns, 0);
    targets_.reset();
    top_ = depth_ = 0;
    history_ = before_ = 0;
    next_ = entered_ = kNone;
    entered_middle_ = false;
  }

  /** A branch with a condition. */
  Steered branch(std::uint64_t end, std::uint64_t target, bool taken, unsigned ahead) {
    const std::uint64_t packet = packet_of(end);
    const bool again = packet == counted_;
    // The packet behind one with a branch is looked up before that branch is counted, if it is fetched in the next
    // cycle.
    const std::uint32_t seen = again || (packet == next_ && ahead < kThrottled) ? before_ : history_;
    std::uint8_t& counter = counters_[place_of(packet, seen)];
    const auto most = static_cast<std::uint8_t>((1U << plan_.bits) - 1);
    const bool predicted = counter > most / 2;
    if (taken && counter < most) ++counter;
    if (!taken && counter > 0) --counter;
    if (!again) count(predicted);
    counted_ = packet;
    next_ = packet + 1;
    if (!predicted && !taken) return Steered::kStraight;
    if (predicted != taken) {
      history_ = before_ = shifted(seen, taken);
      next_ = counted_ = kNone;
      if (!taken) return Steered::kWrong;
      targets_.learn(packet, {target, Kind::kBranch});
      return enter(target, Steered::kWrong);
    }
    return follow(packet, target, Kind::kBranch, ahead);
  }

  Steered jump(unsigned rd, std::uint64_t end, std::uint64_t target, unsigned ahead) {
    const Steered steered = follow(packet_of(end), target, is_link(rd) ? Kind::kCall : Kind::kJump, ahead);
    if (is_link(rd)) push(end);
    return steered;
  }

  /** A return is predicted by the stack; another jump, or a return with an empty stack, by where it went the last
   * time. */
  Steered jump_register(unsigned rd, unsigned rs1, std::uint64_t end, std::uint64_t target, unsigned ahead) {
    const std::uint64_t packet = packet_of(end);
    const bool returns = is_link(rs1) && !is_link(rd);
    const TargetBuffer::Entry* known = look_up(packet);
    const bool stacked = depth_ != 0;
    bool right = false;
    if (known != nullptr) {
      // The stack is read when the packet is fetched: if that is the cycle behind a call, before the call has pushed.
      const bool early = packet == called_ && stacked;
      const std::uint64_t top = early ? before_call_ : returns_[top_];
      right = (known->kind == Kind::kReturn && stacked ? top : known->target) == target;
    } else {
      right = returns && stacked && returns_[top_] == target;
    }
    if (returns) pop();
    if (is_link(rd)) push(end);
    const Kind kind = is_link(rd) ? Kind::kCall : returns ? Kind::kReturn : Kind::kJump;
    called_ = kNone;
    if (!right) {
      targets_.learn(packet, {target, kind});
      next_ = kNone;
      return enter(target, Steered::kWrong);
    }
    if (known != nullptr) {
      targets_.touch(packet);
      next_ = target >> shift_;
      return enter(target, Steered::kAtOnce);
    }
    if (ahead < kBusy) targets_.learn(packet, {target, kind});
    next_ = kNone;
    return enter(target, Steered::kGap);
  }

 private:
  using Kind = TargetBuffer::Kind;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  /** With so many packets waiting there is a gap between fetches: the queue of 5 takes no more at 3. */
  static constexpr unsigned kThrottled = 3;
  /** With so many, a gap costs nothing, and no entry is made for it. */
  static constexpr unsigned kBusy = 2;

  /** Unprivileged ISA 20191213, section 2.5: ra and t0 are what calls and returns use. */
  static constexpr bool is_link(unsigned number) { return number == 1 || number == 5; }
  /** The packet that holds the end of an instruction. */
  std::uint64_t packet_of(std::uint64_t end) const { return (end - 1) >> shift_; }
  std::size_t place_of(std::uint64_t packet, std::uint32_t history) const {
    constexpr unsigned kFactor = 0xdd;  // of the RTL: 2^8 times half the square root of 3
    const auto bits = static_cast<unsigned>(std::countr_zero(counters_.size()));
    const std::uint64_t address = packet ^ ((packet >> bits) & 3U);
    if (plan_.history_bits == 0) return address & (counters_.size() - 1);
    const std::uint32_t mixed = (history * kFactor) & ((1U << plan_.history) - 1);
    const std::uint32_t part = mixed >> (plan_.history - plan_.history_bits);
    return (address ^ (std::uint64_t{part} << (bits - plan_.history_bits))) & (counters_.size() - 1);
  }
  std::uint32_t shifted(std::uint32_t history, bool taken) const {
    if (plan_.history == 0) return 0;
    return history >> 1 | std::uint32_t{taken} << (plan_.history - 1);
  }
  void count(bool predicted) {
    before_ = history_;
    history_ = shifted(history_, predicted);
  }
  /** The entry of a packet. One that was entered behind its first half has none: entries are by whole packets. */
  const TargetBuffer::Entry* look_up(std::uint64_t packet) const {
    return entered_middle_ && packet == entered_ ? nullptr : targets_.find(packet);
  }
  Steered enter(std::uint64_t target, Steered steered) {
    entered_ = target >> shift_;
    entered_middle_ = (target & ((std::uint64_t{1} << shift_) - 1)) != 0;
    counted_ = kNone;
    return steered;
  }
  /** Something taken, whose target is known when it is decoded. */
  Steered follow(std::uint64_t packet, std::uint64_t target, Kind kind, unsigned ahead) {
    called_ = kNone;
    if (look_up(packet) != nullptr) {
      targets_.touch(packet);
      next_ = target >> shift_;
      if (kind == Kind::kCall) {
        called_ = next_;
        before_call_ = returns_[top_];
      }
      return enter(target, Steered::kAtOnce);
    }
    if (ahead < kBusy) targets_.learn(packet, {target, kind});
    next_ = kNone;
    return enter(target, Steered::kGap);
  }
  void push(std::uint64_t address) {
    top_ = (top_ + 1) % returns_.size();
    returns_[top_] = address;
    depth_ = std::min(depth_ + 1, returns_.size());
  }
  void pop() {
    if (depth_ == 0) return;
    --depth_;
    top_ = (top_ + returns_.size() - 1) % returns_.size();
  }

  model::TimingPlan::Branches plan_;
  unsigned shift_;
  std::vector<std::uint8_t> counters_;
  TargetBuffer targets_;
  std::vector<std::uint64_t> returns_;
  std::size_t top_ = 0, depth_ = 0;
  std::uint32_t history_ = 0, before_ = 0;  ///< directions of the last branches; the same without the last packet's
  std::uint64_t counted_ = kNone;           ///< the last packet with a branch, until something is taken
  std::uint64_t next_ = kNone;              ///< the packet that is fetched right behind that one
  std::uint64_t entered_ = kNone;           ///< packet of the last target
  bool entered_middle_ = false;             ///< that target is not at its beginning
  std::uint64_t called_ = kNone;            ///< packet fetched right behind a call
  std::uint64_t before_call_ = 0;           ///< top of the stack before it
};

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_PREDICTOR_H
