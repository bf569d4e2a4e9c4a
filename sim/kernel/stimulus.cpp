// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/stimulus.h"

#include <algorithm>
#include <string>
#include <utility>

#include "kernel/interrupt_table.h"

namespace trapeze {
namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};

/** First cycle after an injection's pulse; kNever for a level. */
std::uint64_t end_of(const Injection& injection) {
  const bool ends = injection.pulse_cycles != 0 && injection.pulse_cycles < kNever - injection.cycle;
  return ends ? injection.cycle + injection.pulse_cycles : kNever;
}

void raise(std::vector<std::uint64_t>& high, const Injection& injection) {
  if (high.size() <= injection.hart) high.resize(injection.hart + 1);
  high[injection.hart] |= std::uint64_t{1} << injection.line;
}

}  // namespace

std::string hart_prefix(unsigned hart) {
  return hart == 0 ? "" : std::to_string(hart) + ":";
}

Stimulus::Stimulus(std::vector<Injection> injections)
    : injections_(std::move(injections)), states_(injections_.size()) {}

std::size_t Stimulus::add(const Injection& injection) {
  injections_.push_back(injection);
  states_.emplace_back();
  next_change_ = std::min(next_change_, injection.cycle);
  return injections_.size() - 1;
}

void Stimulus::add(std::shared_ptr<const ArrivalSpec> arrivals) {
  streams_.push_back({Arrivals(std::move(arrivals)), 0, {}});
}

bool Stimulus::is_high(unsigned hart, unsigned line) const {
  return hart < high_.size() && ((high_[hart] >> line) & 1) != 0;
}

/** Plays the edges of a stream up to `cycle`. If its line is high, sets the line's bit in `high`. */
void Stimulus::play(std::size_t stream, std::uint64_t cycle, std::vector<std::uint64_t>& high) {
  Stream& one = streams_[stream];
  const ArrivalSpec& spec = one.arrivals.spec();
  for (; one.arrivals.next() <= cycle; one.arrivals.pop()) {
    if (one.held && one.held->claimed && cycle >= end_of(one.held->injection)) one.held.reset();
    // A line that was already high in the cycle before has no edge now, even if its interrupt has just been claimed.
    if (one.held || is_high(spec.hart, spec.line) || one.arrivals.next() < cycle) {
      ++one.merged;
      continue;
    }
    const std::size_t index = InterruptTable::kFirstOfStimuli + next_index_++;
    one.held = Stream::Edge{index, {spec.line, cycle, spec.pulse_cycles, spec.hart}, false};
    risen_.push_back({index, stream, one.held->injection});
  }
  next_change_ = std::min(next_change_, one.arrivals.next());
  if (!one.held) return;
  const std::uint64_t end = end_of(one.held->injection);
  if (cycle < end) {
    next_change_ = std::min(next_change_, end);
    raise(high, one.held->injection);
  } else if (one.held->claimed) {
    one.held.reset();
  }
}

std::vector<LineChange> Stimulus::begin(std::uint64_t cycle) {
  next_change_ = kNever;
  std::vector<std::uint64_t> high(high_.size());
  for (std::size_t i = 0; i < injections_.size(); ++i) {
    const Injection& injection = injections_[i];
    State& state = states_[i];
    const std::uint64_t end = end_of(injection);
    if (state.phase == Phase::kWaiting && cycle >= injection.cycle) state.phase = Phase::kHigh;
    if (state.phase == Phase::kHigh && cycle >= end) state.phase = Phase::kDone;
    if (state.phase == Phase::kWaiting) next_change_ = std::min(next_change_, injection.cycle);
    if (state.phase == Phase::kHigh) {
      next_change_ = std::min(next_change_, end);
      raise(high, injection);
    }
  }
  risen_.clear();
  for (std::size_t stream = 0; stream < streams_.size(); ++stream) play(stream, cycle, high);
  std::vector<LineChange> changes;
  high_.resize(high.size());
  for (unsigned hart = 0; hart < high.size(); ++hart) {
    const std::uint64_t changed = high[hart] ^ high_[hart];
    for (unsigned line = 0; line < 64 && changed >> line != 0; ++line) {
      if (((changed >> line) & 1) != 0) changes.push_back({hart, line, ((high[hart] >> line) & 1) != 0});
    }
  }
  high_ = std::move(high);
  return changes;
}

std::size_t Stimulus::claim(unsigned hart, unsigned line, std::uint64_t cycle) {
  for (Stream& one : streams_) {
    const bool same = one.arrivals.spec().hart == hart && one.arrivals.spec().line == line;
    if (!same || !one.held || one.held->claimed || one.held->injection.cycle > cycle) continue;
    const std::size_t index = one.held->index;
    one.held->claimed = true;
    if (one.held->injection.pulse_cycles == 0) one.held.reset();
    return index;
  }
  // The claim serves the oldest injection that still holds the line. If none does, it serves the last pulse that may
  // have caused the claim.
  std::size_t found = kNone;
  for (std::size_t i = 0; i < injections_.size(); ++i) {
    const Injection& injection = injections_[i];
    const State& state = states_[i];
    if (injection.hart != hart || injection.line != line || state.claimed || injection.cycle > cycle) continue;
    if (found == kNone) {
      found = i;
      continue;
    }
    const bool high = state.phase == Phase::kHigh;
    const bool found_high = states_[found].phase == Phase::kHigh;
    const bool older = injection.cycle < injections_[found].cycle;
    if (high != found_high ? high : high == older) found = i;
  }
  if (found == kNone) return kNone;
  states_[found].claimed = true;
  if (injections_[found].pulse_cycles == 0) states_[found].phase = Phase::kDone;
  return found;
}

bool Stimulus::lower(unsigned hart, unsigned line) {
  bool found = false;
  for (std::size_t i = 0; i < injections_.size(); ++i) {
    if (injections_[i].hart != hart || injections_[i].line != line) continue;
    const bool held = injections_[i].pulse_cycles == kHeld && states_[i].phase != Phase::kDone;
    if (!held && states_[i].phase != Phase::kHigh) continue;
    states_[i].phase = Phase::kDone;
    next_change_ = 0;
    found = true;
  }
  return found;
}

}  // namespace trapeze
