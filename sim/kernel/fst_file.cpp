// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/fst_file.h"

#include <array>
#include <cstdint>
#include <fstream>

namespace trapeze {
namespace {

// Header block: type and length (9 bytes), eight 64-bit numbers, time scale, 128 bytes of writer, 26 bytes of date.
constexpr std::streamoff kDateOffset = 9 + 8 * 8 + 1 + 128;
constexpr std::size_t kDateSize = 26;
constexpr std::uint64_t kHeaderLength = 329;

}  // namespace

bool fst_is_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return false;
  const auto size = static_cast<std::uint64_t>(file.tellg());
  std::uint64_t at = 0;
  while (at < size) {
    std::array<char, 9> head{};
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(head.data(), head.size())) return false;
    std::uint64_t length = 0;
    for (std::size_t i = 1; i < head.size(); ++i) length = (length << 8) | static_cast<std::uint8_t>(head[i]);
    if (at == 0 && (head[0] != 0 || length != kHeaderLength)) return false;
    if (length < 8 || length > size - at - 1) return false;
    at += 1 + length;
  }
  return at == size && size > kHeaderLength + 1;
}

bool fst_clear_date(const std::string& path) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const std::array<char, kDateSize> zeros{};
  file.seekp(kDateOffset);
  file.write(zeros.data(), zeros.size());
  file.close();
  return !file.fail();
}

}  // namespace trapeze
