// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <trapeze/isa.hpp>

#include "kernel/disasm.h"

namespace trapeze {

std::string csr_name(unsigned number) {
  for (const isa::CsrName& run : isa::kCsrNames) {
    if (number < run.first || number >= run.first + run.count) continue;
    if (run.count == 1) return run.name;
    return run.name + std::to_string(run.index + number - run.first) + run.suffix;
  }
  char text[16];
  std::snprintf(text, sizeof text, "0x%x", number);
  return text;
}

}  // namespace trapeze
