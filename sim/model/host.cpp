// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/host.h"

#include <trapeze/host.h>

namespace trapeze::model {

namespace {

/** The finisher takes nothing narrower than a half-word. */
constexpr bool too_narrow(std::uint32_t offset, unsigned enables) {
  return offset == TRAPEZE_HOST_FINISHER_OFFSET && (enables & 3U) != 3U && (enables & 12U) != 12U;
}

}  // namespace

DeviceRead Host::read(std::uint32_t offset, unsigned enables, std::uint64_t /*now*/) {
  return {.value = 0, .error = too_narrow(offset, enables), .timed = false};
}

bool Host::write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t) {
  if (too_narrow(offset, enables)) return false;
  // The status field must be written as a whole: a word, or the lower half-word.
  if (offset != TRAPEZE_HOST_FINISHER_OFFSET || (enables & 3U) != 3U || exit_code_) return true;
  const std::uint32_t written = value & lane_mask(enables);
  const std::uint32_t status = written & TRAPEZE_HOST_FINISHER_STATUS_MASK;
  if (status == TRAPEZE_HOST_FINISHER_STATUS_PASS) exit_code_ = 0;
  if (status == TRAPEZE_HOST_FINISHER_STATUS_FAIL) {
    exit_code_ = (written & TRAPEZE_HOST_FINISHER_CODE_MASK) >> TRAPEZE_HOST_FINISHER_CODE_SHIFT;
  }
  return true;
}

}  // namespace trapeze::model
