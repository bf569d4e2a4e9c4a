// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/bells.h"

namespace trapeze::model {
namespace {

constexpr unsigned kWholeWord = 0xf;
constexpr DeviceRead kError{.value = 0, .error = true, .open = false};

/** Whether the page at an offset has its register there. */
constexpr bool is_ring(std::uint32_t offset) {
  const std::uint32_t from_first = offset - TRAPEZE_BELL_PAGES_RING_OFFSET;
  return from_first % TRAPEZE_BELL_PAGES_RING_STRIDE == 0 &&
         from_first / TRAPEZE_BELL_PAGES_RING_STRIDE < TRAPEZE_BELL_PAGES_RING_COUNT;
}

}  // namespace

DeviceRead Bells::Pages::on_read(std::uint32_t offset, unsigned enables, std::uint64_t /*now*/,
                                 const Origin& /*from*/) {
  return enables == kWholeWord && is_ring(offset) ? DeviceRead{} : kError;
}

bool Bells::Pages::on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t /*now*/,
                            const Origin& /*from*/) {
  if (enables != kWholeWord || !is_ring(offset)) return false;
  const std::uint32_t bell = (offset - TRAPEZE_BELL_PAGES_RING_OFFSET) / TRAPEZE_BELL_PAGES_RING_STRIDE;
  if ((value & TRAPEZE_BELL_PAGES_RING_BELL_MASK) != 0) bells_.state_.bells |= 1U << bell;
  return true;
}

DeviceRead Bells::Registers::on_read(std::uint32_t offset, unsigned enables, std::uint64_t /*now*/,
                                     const Origin& /*from*/) {
  if (enables != kWholeWord) return kError;
  switch (offset) {
    case TRAPEZE_BELLS_BELLS_OFFSET:
      return {bells_.state_.bells};
    case TRAPEZE_BELLS_ENABLE_OFFSET:
      return {bells_.state_.enable};
    case TRAPEZE_BELLS_INTERVAL_OFFSET:
      return {bells_.state_.interval};
    default:
      return kError;
  }
}

bool Bells::Registers::on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                                const Origin& /*from*/) {
  State& state = bells_.state_;
  if (enables != kWholeWord) return false;
  switch (offset) {
    case TRAPEZE_BELLS_BELLS_OFFSET:
      if ((state.bells & value) != 0) state.cleared = now;
      state.bells &= ~value;
      return true;
    case TRAPEZE_BELLS_ENABLE_OFFSET:
      state.enable = value & TRAPEZE_BELLS_ENABLE_BELLS_MASK;
      return true;
    case TRAPEZE_BELLS_INTERVAL_OFFSET:
      state.interval = value & TRAPEZE_BELLS_INTERVAL_CYCLES_MASK;
      return true;
    default:
      return false;
  }
}

}  // namespace trapeze::model
