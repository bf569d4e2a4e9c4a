// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "rtl/snapshot.h"

#include <algorithm>
#include <cstring>

namespace trapeze::rtl {

SaveToMemory::SaveToMemory(std::vector<std::uint8_t>& bytes) : bytes_(bytes) {
  bytes_.clear();
  m_isOpen = true;
}

SaveToMemory::~SaveToMemory() {
  m_isOpen = false;
}

void SaveToMemory::close() {
  flush();
}

void SaveToMemory::flush() {
  bytes_.insert(bytes_.end(), m_bufp, m_cp);
  m_cp = m_bufp;
}

RestoreFromMemory::RestoreFromMemory(const std::vector<std::uint8_t>& bytes) : bytes_(bytes) {
  m_isOpen = true;
  m_endp = m_bufp;
  m_cp = m_bufp;
}

RestoreFromMemory::~RestoreFromMemory() {
  m_isOpen = false;
}

void RestoreFromMemory::close() {}

void RestoreFromMemory::flush() {}

void RestoreFromMemory::fill() {
  const auto left = static_cast<std::size_t>(m_endp - m_cp);
  std::memmove(m_bufp, m_cp, left);
  const std::size_t take = std::min(bufferSize() - left, bytes_.size() - done_);
  std::memcpy(m_bufp + left, bytes_.data() + done_, take);
  done_ += take;
  // The reader asks for some bytes ahead of what it needs: they must exist, and are not looked at.
  std::memset(m_bufp + left + take, 0, bufferSize() - left - take);
  m_cp = m_bufp;
  m_endp = m_bufp + bufferSize();
}

}  // namespace trapeze::rtl
