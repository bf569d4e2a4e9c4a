// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/stamps.h"

#include <algorithm>

namespace trapeze {

void StampTracker::on_injection(std::size_t index, const Injection& injection, std::size_t stimulus) {
  InterruptStamp& stamp = interrupts_.begin(index, stimulus);
  stamp.raised = true;
  stamp.hart = injection.hart;
  stamp.line = injection.line;
  stamp.t0 = injection.cycle;
}

HandlerStack& StampTracker::handlers(unsigned hart) {
  if (handlers_.size() <= hart) handlers_.resize(hart + 1);
  return handlers_[hart];
}

void StampTracker::on_claim(const tz_claim& claim, std::size_t index, std::optional<unsigned> line) {
  ++claim_count_;
  if (line) interrupts_.count_claim(claim.hart, *line, claim.cycle);
  const std::size_t held = handlers(claim.hart).take_held(claim.id);
  if (index == Stimulus::kNone && held != Stimulus::kNone) {
    handlers(claim.hart).on_claim(claim, held);
    return;
  }
  if (InterruptStamp* const stamp = interrupts_.find(index); stamp != nullptr) {
    stamp->taken = claim.cycle;
    stamp->id = claim.id;
    stamp->level = claim.level;
    stamp->epc = claim.epc;
    stamp->fate = Fate::kTaken;
  } else if (keep_markers_ && other_claims_.size() < kMaxMarkers) {
    other_claims_.push_back(claim);
  }
  handlers(claim.hart).on_claim(claim, index);
}

void StampTracker::on_rise(const tz_rise& rise) {
  if (signals_.size() <= rise.signal) signals_.resize(rise.signal + 1);
  SignalRises& signal = signals_[rise.signal];
  ++signal.count;
  if (signal.cycles.size() < kMaxRises) signal.cycles.push_back(rise.cycle);
}

void StampTracker::on_retire(const tz_retire& record, const HandlerStack::HandOut& hand_out) {
  HandlerStack& running = handlers(record.hart);
  running.on_retire(record, interrupts_, hand_out);
  note_marker(record);
  interrupts_.settle();
}

void StampTracker::note_marker(const tz_retire& record) {
  const unsigned n = marker_number(record.insn);
  if (n == 0 || (record.flags & TZ_RETIRE_TRAP) != 0) return;
  ++marker_count_;
  if (keep_markers_ && markers_.size() < kMaxMarkers) {
    markers_.push_back({record.hart, n, record.pc, record.cycle_fetch, record.cycle_ex, record.cycle_retire});
  }
  if (n != kHandlerMarker) return;
  ++handler_marker_count_;
  InterruptStamp* const stamp = interrupts_.find(handlers(record.hart).served());
  if (stamp == nullptr || stamp->tx) return;
  stamp->tx = record.cycle_ex;
  stamp->tr = record.cycle_retire;
  stamp->fate = Fate::kMarked;
}

StampTracker::Deadline StampTracker::deadline(std::uint64_t budget) const {
  // A marker retires in the cycle after it executed, and its record is available when that cycle is over.
  constexpr std::uint64_t kUntilKnown = 2;
  Deadline first;
  const auto look = [&](std::size_t index, const InterruptStamp& stamp) {
    if (!stamp.raised || stamp.tx) return;
    const std::uint64_t most = ~std::uint64_t{0} - stamp.t0;
    const std::uint64_t cycle =
        budget < most - std::min(most, kUntilKnown) ? stamp.t0 + budget + kUntilKnown : ~std::uint64_t{0};
    if (cycle < first.cycle) first = {cycle, index, {stamp.line, stamp.t0, 0, stamp.hart}};
  };
  const std::vector<InterruptStamp>& listed = interrupts_.listed();
  for (std::size_t index = 0; index < listed.size(); ++index) look(index, listed[index]);
  for (const InterruptTable::Passing& one : interrupts_.passing()) look(one.index, one.stamp);
  for (const ArrivalResult& one : interrupts_.arrivals()) {
    if (one.unmarked) look(InterruptTable::kFirstOfStimuli, *one.unmarked);
  }
  return first;
}

}  // namespace trapeze
