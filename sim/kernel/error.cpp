// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/error.h"

#include <cstdio>
#include <system_error>

namespace trapeze {

std::string hex(unsigned long long value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%08llx", value);
  return text;
}

std::string errno_text(int number) {
  return std::generic_category().message(number);
}

}  // namespace trapeze
