// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/host.h"

#include <trapeze/host.h>

namespace trapeze::model {

namespace {

/** The finisher takes nothing narrower than a half-word. */
constexpr bool too_narrow(std::uint32_t offset, unsigned enables) {
  return offset == TRAPEZE_HOST_FINISHER_OFFSET && (enables & 3U) != 3U && (enables & 12U) != 12U;
}

}  // namespace

DeviceRead Host::on_read(std::uint32_t offset, unsigned enables, std::uint64_t /*now*/, const Origin& /*from*/) {
  return {.value = 0, .error = too_narrow(offset, enables), .open = false};
}

bool Host::on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t, const Origin& from) {
  if (too_narrow(offset, enables)) return false;
  // The status field must be written as a whole: a word, or the lower half-word.
  if (offset != TRAPEZE_HOST_FINISHER_OFFSET || (enables & 3U) != 3U) return true;
  const std::uint32_t written = value & lane_mask(enables);
  const std::uint32_t status = written & TRAPEZE_HOST_FINISHER_STATUS_MASK;
  const bool passed = status == TRAPEZE_HOST_FINISHER_STATUS_PASS;
  if (!passed && status != TRAPEZE_HOST_FINISHER_STATUS_FAIL) return true;
  if (!ended_.insert(from.hart).second) return true;
  exits_[from.hart] = passed ? 0 : (written & TRAPEZE_HOST_FINISHER_CODE_MASK) >> TRAPEZE_HOST_FINISHER_CODE_SHIFT;
  return true;
}

}  // namespace trapeze::model
