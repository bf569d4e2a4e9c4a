// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/probe.h"

#include <trapeze/probe.h>

#include <algorithm>

#include "model/time/instant.h"

namespace trapeze::model {
namespace {

// Numbers of the cycles after the acknowledge at whose ends these values are recorded.
constexpr unsigned kMax = 2, kMin = 4, kLastAndAlarm = 6, kSample = 7;

constexpr std::uint32_t kMostMissed = TRAPEZE_PROBE_CONTROL_MISSED_MASK >> TRAPEZE_PROBE_CONTROL_MISSED_SHIFT;
constexpr std::uint32_t kMostLatencies = TRAPEZE_PROBE_CONTROL_NUM_MASK >> TRAPEZE_PROBE_CONTROL_NUM_SHIFT;
/** Without options the registers repeat. */
constexpr std::uint32_t kOffsets = TRAPEZE_PROBE_MIN_OFFSET;

}  // namespace

LatencyProbe::LatencyProbe(unsigned width, unsigned depth)
    : largest_((std::uint64_t{1} << width) - 1), samples_(depth) {}

void LatencyProbe::reset() {
  // A reset does not change the samples.
  LatencyProbe fresh(1, 0);
  fresh.largest_ = largest_;
  fresh.samples_ = std::move(samples_);
  *this = std::move(fresh);
}

// --- registers

std::uint32_t LatencyProbe::control() const {
  return (on_ ? TRAPEZE_PROBE_CONTROL_WE_MASK : 0U) | (alarm_ ? TRAPEZE_PROBE_CONTROL_ALARM_MASK : 0U) |
         (overflow_ ? TRAPEZE_PROBE_CONTROL_OVERFLOW_MASK : 0U) | (missed_ << TRAPEZE_PROBE_CONTROL_MISSED_SHIFT) |
         (num_ << TRAPEZE_PROBE_CONTROL_NUM_SHIFT);
}

std::uint32_t LatencyProbe::read(std::uint32_t offset) const {
  switch (offset & kOffsets) {
    case TRAPEZE_PROBE_ALARM_LAT_OFFSET:
      return alarm_latency_.value_or(0);
    case TRAPEZE_PROBE_LAST_OFFSET:
      return recorded(last_);
    case TRAPEZE_PROBE_MAX_OFFSET:
      return recorded(max_);
    case TRAPEZE_PROBE_MIN_OFFSET:
      return recorded(min_);
    default:
      return control();
  }
}

std::optional<std::uint32_t> LatencyProbe::sample(std::uint32_t offset) const {
  const std::size_t index = offset / 4 % samples_.size();
  if (recording_ == kSample && index == num_) return std::nullopt;
  return samples_[index];
}

void LatencyProbe::write(std::uint32_t offset, std::uint32_t value) {
  offset &= kOffsets;
  if (offset == TRAPEZE_PROBE_ALARM_LAT_OFFSET) alarm_latency_ = value & static_cast<std::uint32_t>(largest_);
  if (offset != TRAPEZE_PROBE_CONTROL_OFFSET) return;
  on_ = (value & TRAPEZE_PROBE_CONTROL_WE_MASK) != 0;
  if ((value & TRAPEZE_PROBE_CONTROL_CLEAR_MASK) == 0) return;
  alarm_ = overflow_ = false;
  missed_ = num_ = 0;
  none_ = true;
}

// --- cycles

void LatencyProbe::step(bool interrupt, bool acknowledge, const BlockWrite* written) {
  const bool begins = interrupt && !interrupt_;
  const bool ends = measuring_ && acknowledge && !acknowledge_;
  interrupt_ = interrupt;
  acknowledge_ = acknowledge;
  const bool recording = recording_ != 0;
  if (begins && (measuring_ || recording)) missed_ = std::min(missed_ + 1, kMostMissed);
  if (measuring_ && latency_ == largest_) overflow_ = true;
  if (measuring_) latency_ = std::min(latency_ + 1, largest_);
  if (!measuring_ && !recording) latency_ = 0;
  if (recording) record();
  if (ends) recording_ = 1;
  measuring_ = on_ && (measuring_ ? !ends : begins && !recording);
  if (written != nullptr) write(written->offset, written->value);
}

void LatencyProbe::record() {
  const auto latency = static_cast<std::uint32_t>(latency_);
  switch (recording_++) {
    case kMax:
      max_ = std::max(recorded(max_), latency);
      break;
    case kMin:
      min_ = none_ ? latency : std::min(min_, latency);
      break;
    case kLastAndAlarm:
      last_ = latency;
      alarm_ |= alarm_latency_ && latency > *alarm_latency_;
      break;
    case kSample:
      if (num_ < samples_.size()) samples_[num_] = latency;
      num_ = std::min(num_ + 1, kMostLatencies);
      none_ = false;
      recording_ = 0;
      break;
    default:
      break;
  }
}

std::uint64_t LatencyProbe::quiet() const {
  if (recording_ != 0) return 0;
  if (!measuring_) return kNever;
  return latency_ != largest_ ? largest_ - latency_ : overflow_ ? kNever : 0;
}

}  // namespace trapeze::model
