// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/latency.h"

#include <trapeze/map.h>
#include <trapeze/random.h>
#include <trapeze/timers.h>

#include <algorithm>
#include <iterator>

namespace trapeze::model {
namespace {

struct Range {
  std::uint32_t base;
  std::uint32_t size;
};

/** By Part. */
constexpr Range kParts[] = {
    {TRAPEZE_PROBE_SAMPLES0_BASE, TRAPEZE_PROBE_SAMPLES0_SIZE}, {TRAPEZE_PROBE_REGS0_BASE, TRAPEZE_PROBE_REGS0_SIZE},
    {TRAPEZE_PROBE_SAMPLES1_BASE, TRAPEZE_PROBE_SAMPLES1_SIZE}, {TRAPEZE_PROBE_REGS1_BASE, TRAPEZE_PROBE_REGS1_SIZE},
    {TRAPEZE_PROBE_RANDOM_BASE, TRAPEZE_PROBE_RANDOM_SIZE},     {TRAPEZE_PROBE_TIMER_BASE, TRAPEZE_PROBE_TIMER_SIZE},
    {TRAPEZE_PROBE_STRESS_BASE, TRAPEZE_PROBE_STRESS_SIZE},
};

constexpr unsigned kWord = 0xf;
constexpr std::uint32_t kStride = TRAPEZE_TIMERS_CHANNEL_CONTROL_STRIDE;

}  // namespace

Latency::Latency(const LatencyParameters& parameters)
    : probes_{LatencyProbe(parameters.width, parameters.depth), LatencyProbe(parameters.width, parameters.depth)},
      generator_(parameters.words, parameters.cycles) {
  reset();
}

void Latency::reset() {
  for (LatencyProbe& probe : probes_) probe.reset();
  generator_.reset();
  timers_ = {};
  stress_ = {};
  output_ = {};
  time_ = 0;
  rises_.clear();
  levels_ = 0;
  settled_ = true;
  read_done_ = active_ = false;
}

Latency::Part Latency::find(std::uint32_t& offset) {
  const std::uint32_t address = TRAPEZE_PROBE_BASE + offset;
  for (std::size_t i = 0; i < std::size(kParts); ++i) {
    if (address < kParts[i].base || address - kParts[i].base >= kParts[i].size) continue;
    offset = address - kParts[i].base;
    return static_cast<Part>(i);
  }
  return Part::kNone;
}

// --- time

void Latency::advance(std::uint64_t now) {
  while (time_ < now) {
    const std::uint64_t skipped = std::min(quiet(), now - time_);
    if (skipped == 0) {
      step(Part::kNone, 0, nullptr);
    } else {
      skip(skipped);
    }
  }
}

bool Latency::takes(std::uint32_t offset, std::uint64_t now) {
  advance(now);
  const Part part = find(offset);
  if (part == Part::kRegs0) return !probes_[0].recording();
  if (part == Part::kRegs1) return !probes_[1].recording();
  return true;
}

std::uint64_t Latency::quiet() const {
  // The outputs of the other timers are not connected.
  if (!settled_) return 0;
  return std::min({timers_[0].quiet(), generator_.quiet(), probes_[0].quiet(), probes_[1].quiet()});
}

void Latency::skip(std::uint64_t cycles) {
  for (LatencyProbe& probe : probes_) probe.skip(cycles);
  for (Timer& timer : timers_) timer.skip(cycles);
  generator_.skip(cycles);
  stress_.skip(cycles);
  time_ += cycles;
}

void Latency::step(Part part, std::uint32_t offset, const BlockWrite* write) {
  const auto to = [&](Part block) { return part == block ? write : nullptr; };
  const bool timer = timers_[0].output();
  const bool ready = generator_.ready();
  const bool done = read_done_;
  note_rises((timer ? 1U : 0U) | (ready ? 2U : 0U) | (done ? 4U : 0U));
  probes_[0].step(timer, ready, to(Part::kRegs0));
  probes_[1].step(ready, done, to(Part::kRegs1));
  const bool takes = part == Part::kRandom && write == nullptr && offset == TRAPEZE_RANDOM_DATA_OFFSET;
  read_done_ = takes && generator_.has_last();
  generator_.step(timer, to(Part::kRandom), takes);
  for (std::size_t i = 0; i < kTimers; ++i) {
    if (part == Part::kTimer && write != nullptr && write->offset / kStride == i) {
      const BlockWrite own{write->offset % kStride, write->value};
      timers_[i].step(&own);
    } else {
      timers_[i].step(nullptr);
    }
  }
  stress_.step(to(Part::kStress));
  settled_ = timer == timers_[0].output() && ready == generator_.ready() && !done && !read_done_;
  output_.note(++time_, generator_.ready());
}

void Latency::note_rises(unsigned levels) {
  const unsigned risen = levels & ~levels_;
  levels_ = levels;
  if (!keeps_rises_ || risen == 0) return;
  for (unsigned signal = 0; signal < kLatencySignals.size(); ++signal) {
    if (((risen >> signal) & 1U) != 0) rises_.push_back({time_, signal});
  }
}

std::uint64_t Latency::next_event(std::uint64_t now) const {
  if (generator_.ready()) return kNever;
  if (generator_.busy()) return std::max(time_ + generator_.left(), now + 1);
  const std::uint64_t wait = settled_ ? timers_[0].quiet() : 0;
  return !generator_.enabled() || wait == kNever ? kNever : std::max(time_ + wait, now) + 1;
}

// --- registers

std::optional<std::uint32_t> Latency::value_of(Part part, std::uint32_t offset) const {
  switch (part) {
    case Part::kSamples0:
      return probes_[0].sample(offset);
    case Part::kSamples1:
      return probes_[1].sample(offset);
    case Part::kRegs0:
      return probes_[0].read(offset);
    case Part::kRegs1:
      return probes_[1].read(offset);
    case Part::kRandom:
      return generator_.read(offset);
    case Part::kTimer:
      return offset / kStride < kTimers ? timers_[offset / kStride].read(offset % kStride) : 0;
    default:
      return stress_.read(offset);
  }
}

DeviceRead Latency::on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& /*from*/) {
  const Part part = find(offset);
  if (enables != kWord || part == Part::kNone) return {0, true, false};
  advance(now - std::min(now, early_));
  const std::optional<std::uint32_t> value = value_of(part, offset);
  step(part, offset, nullptr);
  return {value.value_or(0), false, !value};
}

bool Latency::on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                       const Origin& /*from*/) {
  const Part part = find(offset);
  if (enables != kWord || part == Part::kNone || part == Part::kSamples0 || part == Part::kSamples1) return false;
  advance(now - std::min(now, early_));
  const BlockWrite write{offset, value};
  step(part, offset, &write);
  if (part == Part::kRandom && offset == TRAPEZE_RANDOM_CONTROL_OFFSET) {
    constexpr std::uint32_t kStarts = TRAPEZE_RANDOM_CONTROL_ENABLE_MASK | TRAPEZE_RANDOM_CONTROL_START_MASK;
    active_ = (value & kStarts) != 0 || (active_ && (value & TRAPEZE_RANDOM_CONTROL_ACK_MASK) == 0);
  }
  return true;
}

}  // namespace trapeze::model
