// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "timing/second_level.h"

namespace trapeze::timing {

bool SecondLevel::is_dirty(std::uint64_t line, const Cache& data) const {
  if (lines_->is_dirty(line)) return true;
  const std::uint64_t first = lines_->address(line);
  for (std::uint64_t at = 0; at < lines_->bytes(); at += data.bytes()) {
    if (data.is_dirty(data.line(first + at))) return true;
  }
  return false;
}

void SecondLevel::drop(std::uint64_t line, Cache& code, Cache& data) const {
  const std::uint64_t first = lines_->address(line);
  for (Cache* const cache : {&code, &data}) {
    for (std::uint64_t at = 0; at < lines_->bytes(); at += cache->bytes()) cache->invalidate(cache->line(first + at));
  }
}

bool SecondLevel::writes_victim(std::uint64_t line, const Cache& data) const {
  const std::uint64_t victim = lines_->next_replaced(line);
  return victim != Cache::kNone && is_dirty(victim, data);
}

std::uint64_t SecondLevel::latency_of(std::uint64_t address, const Cache& data) const {
  const std::uint64_t line = lines_->line(address);
  if (lines_->holds(line)) return latency_;
  return latency_ + memory_latency_ + (writes_victim(line, data) ? write_back_ : 0);
}

std::uint64_t SecondLevel::bring_line(std::uint64_t address, Cache& code, Cache& data) {
  const std::uint64_t line = lines_->line(address);
  if (lines_->holds(line)) {
    lines_->access(line, false);
    return latency_;
  }
  const bool writes = writes_victim(line, data);
  lines_->access(line, false);
  transfers_ += writes ? 2 : 1;
  if (lines_->replaced() != Cache::kNone) drop(lines_->replaced(), code, data);
  return latency_ + memory_latency_ + (writes ? write_back_ : 0);
}

std::uint64_t SecondLevel::clean(std::uint64_t address, bool dirty) {
  if (lines_) dirty |= lines_->clean(lines_->line(address));
  transfers_ += dirty ? 1 : 0;
  return dirty ? write_back_ : 0;
}

std::uint64_t SecondLevel::flush(std::uint64_t address, bool dirty, Cache& code, Cache& data) {
  if (lines_) dirty |= is_dirty(lines_->line(address), data);
  transfers_ += dirty ? 1 : 0;
  invalidate(address, code, data);
  return dirty ? write_back_ : 0;
}

void SecondLevel::invalidate(std::uint64_t address, Cache& code, Cache& data) {
  if (!lines_) return;
  const std::uint64_t line = lines_->line(address);
  lines_->invalidate(line);
  drop(line, code, data);
}

}  // namespace trapeze::timing
