// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/clint.h"

#include <trapeze/clint.h>

#include <algorithm>

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
  for (Hart& hart : harts_) {
    hart = {};
    hart.mtimecmp = kReset;
    hart.software.note(0, TRAPEZE_CLINT_MSIP_RESET != 0);
  }
  time_ = 0;
  offset_ = (std::uint64_t{TRAPEZE_CLINT_MTIME_HI_RESET} << 32) | TRAPEZE_CLINT_MTIME_LO_RESET;
}

void Clint::reset_hart(unsigned hart, std::uint64_t now) {
  advance(now);
  harts_[hart].software.note(time_ + 1, TRAPEZE_CLINT_MSIP_RESET != 0);
  harts_[hart].mtimecmp = kReset;
  compare_anew(harts_[hart], time_);
}

// --- timers

std::uint64_t Clint::next_change(const Hart& hart, std::uint64_t from) const {
  // The timer interrupt is one cycle late: it shows the comparison of mtime and mtimecmp of the cycle before.
  const std::uint64_t first = std::max(from, hart.compared);
  const std::uint64_t clock = mtime(first - 1);
  const bool due = clock >= hart.mtimecmp;
  if (due != hart.timer.level()) return first;
  if (hart.mtimecmp == 0) return kNever;
  const std::uint64_t wait = (due ? 0 : hart.mtimecmp) - clock;  // until it wraps, or until it is due
  return wait != 0 && wait < kNever - first ? first + wait : kNever;
}

void Clint::advance(std::uint64_t now) {
  if (now <= time_) return;
  for (Hart& hart : harts_) {
    for (std::uint64_t at = time_ + 1; (at = next_change(hart, at)) <= now; ++at) {
      hart.timer.note(at, !hart.timer.level());
    }
  }
  time_ = now;
}

void Clint::compare_anew(Hart& hart, std::uint64_t now) {
  hart.timer.note(now + 1, false);
  hart.compared = now + 2;
}

std::uint64_t Clint::next_event(unsigned hart, std::uint64_t now) const {
  return harts_[hart].timer.level() ? kNever : next_change(harts_[hart], std::max(now, time_) + 1);
}

std::uint64_t Clint::next_event(std::uint64_t now) const {
  std::uint64_t next = kNever;
  for (unsigned hart = 0; hart < harts_.size(); ++hart) next = std::min(next, next_event(hart, now));
  return next;
}

// --- registers

DeviceRead Clint::on_read(std::uint32_t offset, unsigned, std::uint64_t now, const Origin& /*from*/) {
  advance(now);
  if (offset == TRAPEZE_CLINT_MTIME_LO_OFFSET) return {static_cast<std::uint32_t>(mtime(now))};
  if (offset == TRAPEZE_CLINT_MTIME_HI_OFFSET) return {static_cast<std::uint32_t>(mtime(now) >> 32)};
  const std::size_t software = (offset - TRAPEZE_CLINT_MSIP_OFFSET) / 4;
  if (software < harts_.size()) return {harts_[software].software.level() ? TRAPEZE_CLINT_MSIP_MSIP_MASK : 0U};
  const std::size_t compare = (offset - TRAPEZE_CLINT_MTIMECMP_LO_OFFSET) / 8;
  if (offset >= TRAPEZE_CLINT_MTIMECMP_LO_OFFSET && compare < harts_.size()) {
    const std::uint64_t value = harts_[compare].mtimecmp;
    return {static_cast<std::uint32_t>((offset & 4) != 0 ? value >> 32 : value)};
  }
  return {};
}

bool Clint::on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                     const Origin& /*from*/) {
  advance(now);
  if (offset == TRAPEZE_CLINT_MTIME_LO_OFFSET || offset == TRAPEZE_CLINT_MTIME_HI_OFFSET) {
    // In the cycle of a write mtime does not count, neither the half that is written nor the other one.
    offset_ = merge_half(mtime(now), offset == TRAPEZE_CLINT_MTIME_HI_OFFSET, value, enables) - (now + 1);
    for (Hart& hart : harts_) compare_anew(hart, time_);
    return true;
  }
  const std::size_t software = (offset - TRAPEZE_CLINT_MSIP_OFFSET) / 4;
  if (software < harts_.size()) {
    if ((enables & 1U) != 0) harts_[software].software.note(time_ + 1, (value & TRAPEZE_CLINT_MSIP_MSIP_MASK) != 0);
    return true;
  }
  const std::size_t compare = (offset - TRAPEZE_CLINT_MTIMECMP_LO_OFFSET) / 8;
  if (offset >= TRAPEZE_CLINT_MTIMECMP_LO_OFFSET && compare < harts_.size()) {
    Hart& hart = harts_[compare];
    hart.mtimecmp = merge_half(hart.mtimecmp, (offset & 4) != 0, value, enables);
    compare_anew(hart, time_);
  }
  return true;
}

}  // namespace trapeze::model
