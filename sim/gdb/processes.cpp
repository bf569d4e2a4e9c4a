// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/processes.h"

#include <algorithm>
#include <bit>
#include <filesystem>

#include "gdb/packet.h"

namespace trapeze::gdb {

Processes::Processes(unsigned harts, const std::vector<std::string>& files) : present_(kAllHarts >> (32 - harts)) {
  if (files.size() < 2) return;
  for (const std::string& file : files) files_.push_back(std::filesystem::absolute(file).string());
  files_.resize(harts);
}

std::string Processes::id(unsigned hart, unsigned thread) const {
  return (several() ? "p" + hex_number(hart + 1) + "." : "") + hex_number(thread);
}

std::optional<unsigned> Processes::hart_of(std::string_view number) const {
  if (!several()) return 0;
  const auto process = parse_hex(number);
  if (!process || *process == 0 || *process > files_.size()) return std::nullopt;
  return static_cast<unsigned>(*process - 1);
}

std::optional<Processes::Named> Processes::parse(std::string_view id) const {
  if (!several() || id.empty() || id[0] != 'p') return Named{{}, id};
  const std::size_t point = std::min(id.find('.'), id.size());
  const std::string_view process = id.substr(1, point - 1);
  const std::string_view thread = point < id.size() ? id.substr(point + 1) : "-1";  // without: all of the process
  if (process == "0" || process == "-1") return Named{{}, thread};
  const auto hart = hart_of(process);
  return hart ? std::optional(Named{hart, thread}) : std::nullopt;
}

std::optional<unsigned> Processes::first() const {
  if (present_ == 0) return std::nullopt;
  return static_cast<unsigned>(std::countr_zero(present_));
}

std::string Processes::ended(unsigned hart) const {
  return several() ? ";process:" + hex_number(hart + 1) : "";
}

}  // namespace trapeze::gdb
