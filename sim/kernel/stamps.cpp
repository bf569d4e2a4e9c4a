// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/stamps.h"

#include <algorithm>

namespace trapeze {

void StampTracker::on_injection(std::size_t index, const Injection& injection) {
  if (interrupts_.size() <= index) interrupts_.resize(index + 1);
  interrupts_[index].raised = true;
  interrupts_[index].line = injection.line;
  interrupts_[index].t0 = injection.cycle;
}

void StampTracker::on_claim(const tz_claim& claim, std::size_t index, std::optional<unsigned> line) {
  ++claim_count_;
  if (line) {
    for (InterruptStamp& stamp : interrupts_) {
      if (stamp.line == *line && claim.cycle >= stamp.t0) ++stamp.taken_count;
    }
  }
  if (index < interrupts_.size()) {
    InterruptStamp& stamp = interrupts_[index];
    stamp.taken = claim.cycle;
    stamp.id = claim.id;
    stamp.level = claim.level;
    stamp.epc = claim.epc;
  }
  // Handlers without a marker leave entries behind: they are the oldest ones.
  if (entries_.size() == kMaxEntries) entries_.erase(entries_.begin());
  entries_.push_back({index, claim.id, Phase::kClaimed});
}

void StampTracker::on_rise(const tz_rise& rise) {
  if (signals_.size() <= rise.signal) signals_.resize(rise.signal + 1);
  SignalRises& signal = signals_[rise.signal];
  ++signal.count;
  if (signal.cycles.size() < kMaxRises) signal.cycles.push_back(rise.cycle);
}

void StampTracker::on_retire(const tz_retire& record) {
  constexpr unsigned kInterrupt = TZ_RETIRE_INTR | TZ_RETIRE_IRQ;
  if ((record.flags & kInterrupt) == kInterrupt) {
    const auto entry = std::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry& e) {
      return e.phase == Phase::kClaimed && e.id == record.irq_id;
    });
    if (entry != entries_.rend()) {
      entry->phase = Phase::kEntered;
      if (entry->index < interrupts_.size()) interrupts_[entry->index].tf = record.cycle_fetch;
      std::for_each(std::next(entry), entries_.rend(), [](Entry& older) {
        if (older.phase == Phase::kClaimed) older.phase = Phase::kOvertaken;
      });
    }
  }
  const unsigned n = marker_number(record.insn);
  if (n == 0 || (record.flags & TZ_RETIRE_TRAP) != 0) return;
  ++marker_count_;
  if (keep_markers_ && markers_.size() < kMaxMarkers) {
    markers_.push_back({n, record.pc, record.cycle_fetch, record.cycle_ex, record.cycle_retire});
  }
  if (n != kHandlerMarker) return;
  // The innermost handler that has begun and not reached its marker.
  const auto entry =
      std::find_if(entries_.rbegin(), entries_.rend(), [](const Entry& e) { return e.phase != Phase::kClaimed; });
  if (entry == entries_.rend()) return;
  if (entry->index < interrupts_.size() && entry->phase == Phase::kEntered) {
    interrupts_[entry->index].tx = record.cycle_ex;
    interrupts_[entry->index].tr = record.cycle_retire;
  }
  entries_.erase(std::next(entry).base());
}

StampTracker::Deadline StampTracker::deadline(std::uint64_t budget) const {
  // A marker retires in the cycle after it executed, and its record is there when that cycle is over.
  constexpr std::uint64_t kUntilKnown = 2;
  Deadline first;
  for (std::size_t index = 0; index < interrupts_.size(); ++index) {
    const InterruptStamp& stamp = interrupts_[index];
    const std::uint64_t cycle = stamp.t0 + budget + kUntilKnown;
    if (stamp.raised && !stamp.tx && cycle < first.cycle) first = {cycle, index};
  }
  return first;
}

}  // namespace trapeze
