// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/names.h"

#include <array>

namespace trapeze {

std::string interrupt_name(unsigned id, std::uint32_t line_id_base, std::uint32_t num_lines) {
  if (id >= line_id_base && id - line_id_base < num_lines) return "line " + std::to_string(id - line_id_base);
  switch (id) {
    case 3:
      return "software";
    case 7:
      return "timer";
    case 11:
      return "external";
    default:
      return "id " + std::to_string(id);
  }
}

std::string exception_name(std::uint64_t cause) {
  static constexpr std::array<const char*, 16> kNames = {"instruction address misaligned",
                                                         "instruction access fault",
                                                         "illegal instruction",
                                                         "breakpoint",
                                                         "load address misaligned",
                                                         "load access fault",
                                                         "store address misaligned",
                                                         "store access fault",
                                                         "environment call from U-mode",
                                                         "environment call from S-mode",
                                                         "",
                                                         "environment call from M-mode",
                                                         "instruction page fault",
                                                         "load page fault",
                                                         "",
                                                         "store page fault"};
  if (cause == 24) return "frame store fault";
  if (cause == 25) return "frame load fault";
  if (cause < kNames.size() && kNames[cause][0] != '\0') return kNames[cause];
  return "cause " + std::to_string(cause);
}

}  // namespace trapeze
