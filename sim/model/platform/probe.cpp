// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/probe.h"

#include <trapeze/probe.h>

#include <algorithm>

namespace trapeze::model {
namespace {

/** Time in which a latency is recorded and nothing else is measured. */
constexpr std::uint64_t kRecording = 8;
constexpr std::uint32_t kMostMissed = TRAPEZE_PROBE_CONTROL_MISSED_MASK >> TRAPEZE_PROBE_CONTROL_MISSED_SHIFT;
constexpr std::uint32_t kMostLatencies = TRAPEZE_PROBE_CONTROL_NUM_MASK >> TRAPEZE_PROBE_CONTROL_NUM_SHIFT;
/** Without options the registers repeat. */
constexpr std::uint32_t kOffsets = TRAPEZE_PROBE_MIN_OFFSET;

}  // namespace

LatencyProbe::LatencyProbe(unsigned width, unsigned depth)
    : largest_(static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1)), samples_(depth) {}

void LatencyProbe::reset() {
  // Samples stay what they were.
  LatencyProbe fresh(1, 0);
  fresh.largest_ = largest_;
  fresh.samples_ = std::move(samples_);
  *this = std::move(fresh);
}

std::uint32_t LatencyProbe::control() const {
  return (on_ ? TRAPEZE_PROBE_CONTROL_WE_MASK : 0U) | (alarm_ ? TRAPEZE_PROBE_CONTROL_ALARM_MASK : 0U) |
         (overflow_ ? TRAPEZE_PROBE_CONTROL_OVERFLOW_MASK : 0U) | (missed_ << TRAPEZE_PROBE_CONTROL_MISSED_SHIFT) |
         (num_ << TRAPEZE_PROBE_CONTROL_NUM_SHIFT);
}

DeviceRead LatencyProbe::read(std::uint32_t offset) const {
  switch (offset & kOffsets) {
    case TRAPEZE_PROBE_ALARM_LAT_OFFSET:
      return {alarm_latency_.value_or(0), false, false};
    case TRAPEZE_PROBE_LAST_OFFSET:
      return {last_, false, true};
    case TRAPEZE_PROBE_MAX_OFFSET:
      return {max_, false, true};
    case TRAPEZE_PROBE_MIN_OFFSET:
      return {min_, false, true};
    default:
      return {control(), false, true};
  }
}

void LatencyProbe::write(std::uint32_t offset, std::uint32_t value) {
  offset &= kOffsets;
  if (offset == TRAPEZE_PROBE_ALARM_LAT_OFFSET) alarm_latency_ = value & largest_;
  if (offset != TRAPEZE_PROBE_CONTROL_OFFSET) return;
  on_ = (value & TRAPEZE_PROBE_CONTROL_WE_MASK) != 0;
  if (!on_) begun_.reset();
  if ((value & TRAPEZE_PROBE_CONTROL_CLEAR_MASK) == 0) return;
  alarm_ = overflow_ = false;
  missed_ = num_ = last_ = max_ = min_ = 0;
}

void LatencyProbe::interrupt(std::uint64_t now) {
  if (begun_ || now < busy_until_) {
    missed_ = std::min(missed_ + 1, kMostMissed);
  } else if (on_) {
    begun_ = now;
  }
}

void LatencyProbe::acknowledge(std::uint64_t now) {
  if (!begun_ || *begun_ == now) return;
  record(now - *begun_);
  begun_.reset();
  busy_until_ = now + kRecording;
}

void LatencyProbe::record(std::uint64_t latency) {
  overflow_ |= latency > largest_;
  last_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(latency, largest_));
  max_ = num_ == 0 ? last_ : std::max(max_, last_);
  min_ = num_ == 0 ? last_ : std::min(min_, last_);
  alarm_ |= alarm_latency_ && last_ > *alarm_latency_;
  if (num_ < samples_.size()) samples_[num_] = last_;
  num_ = std::min(num_ + 1, kMostLatencies);
}

}  // namespace trapeze::model
