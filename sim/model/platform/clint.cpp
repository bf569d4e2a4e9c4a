// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/clint.h"

#include <trapeze/clint.h>

namespace trapeze::model {
namespace {

constexpr std::uint64_t kReset =
    (std::uint64_t{TRAPEZE_CLINT_MTIMECMP_HI_RESET} << 32) | TRAPEZE_CLINT_MTIMECMP_LO_RESET;

/** `old` with its upper or lower half merged with a bus word. */
std::uint64_t merge_half(std::uint64_t old, bool high, std::uint32_t value, unsigned enables) {
  const unsigned shift = high ? 32 : 0;
  const std::uint32_t half = merge_lanes(static_cast<std::uint32_t>(old >> shift), value, enables);
  return (old & ~(std::uint64_t{0xffffffffU} << shift)) | (std::uint64_t{half} << shift);
}

}  // namespace

void Clint::reset() {
  for (Hart& hart : harts_) hart = {TRAPEZE_CLINT_MSIP_RESET != 0, kReset};
  offset_ = (std::uint64_t{TRAPEZE_CLINT_MTIME_HI_RESET} << 32) | TRAPEZE_CLINT_MTIME_LO_RESET;
}

DeviceRead Clint::on_read(std::uint32_t offset, unsigned, std::uint64_t now, const Origin& /*from*/) {
  if (offset == TRAPEZE_CLINT_MTIME_LO_OFFSET) return {static_cast<std::uint32_t>(mtime(now)), false, true};
  if (offset == TRAPEZE_CLINT_MTIME_HI_OFFSET) return {static_cast<std::uint32_t>(mtime(now) >> 32), false, true};
  const std::size_t software = (offset - TRAPEZE_CLINT_MSIP_OFFSET) / 4;
  if (software < harts_.size()) return {harts_[software].msip ? TRAPEZE_CLINT_MSIP_MSIP_MASK : 0U, false, false};
  const std::size_t compare = (offset - TRAPEZE_CLINT_MTIMECMP_LO_OFFSET) / 8;
  if (offset >= TRAPEZE_CLINT_MTIMECMP_LO_OFFSET && compare < harts_.size()) {
    const std::uint64_t value = harts_[compare].mtimecmp;
    return {static_cast<std::uint32_t>((offset & 4) != 0 ? value >> 32 : value), false, false};
  }
  return {};
}

bool Clint::on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                     const Origin& /*from*/) {
  if (offset == TRAPEZE_CLINT_MTIME_LO_OFFSET || offset == TRAPEZE_CLINT_MTIME_HI_OFFSET) {
    set_mtime(merge_half(mtime(now), offset == TRAPEZE_CLINT_MTIME_HI_OFFSET, value, enables), now);
    return true;
  }
  const std::size_t software = (offset - TRAPEZE_CLINT_MSIP_OFFSET) / 4;
  if (software < harts_.size()) {
    if ((enables & 1U) != 0) harts_[software].msip = (value & TRAPEZE_CLINT_MSIP_MSIP_MASK) != 0;
    return true;
  }
  const std::size_t compare = (offset - TRAPEZE_CLINT_MTIMECMP_LO_OFFSET) / 8;
  if (offset >= TRAPEZE_CLINT_MTIMECMP_LO_OFFSET && compare < harts_.size()) {
    harts_[compare].mtimecmp = merge_half(harts_[compare].mtimecmp, (offset & 4) != 0, value, enables);
  }
  return true;
}

std::uint64_t Clint::next_event(unsigned hart, std::uint64_t now) const {
  const std::uint64_t target = harts_[hart].mtimecmp;
  const std::uint64_t time = mtime(now);
  if (time >= target) return kNever;
  const std::uint64_t wait = target - time;
  return wait < kNever - now ? now + wait : kNever;
}

}  // namespace trapeze::model
