// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include <string>

#include "rtl/rtl_hart.h"

using trapeze::rtl::DesignError;

// What the verilated code calls for $finish, $stop and fatal errors. $finish is no business of a design.
void vl_finish(const char* filename, int line, const char*) {
  throw DesignError(std::string("the design called $finish at ") + filename + ":" + std::to_string(line));
}
void vl_stop(const char* filename, int line, const char*) {
  throw DesignError(std::string("an assertion of the design failed at ") + filename + ":" + std::to_string(line));
}
void vl_fatal(const char* filename, int line, const char*, const char* message) {
  throw DesignError(std::string(message) + " at " + filename + ":" + std::to_string(line));
}
