// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What the texts of `monitor` commands have in common.
 */
#ifndef TRAPEZE_SIM_GDB_TEXT_H
#define TRAPEZE_SIM_GDB_TEXT_H

#include <algorithm>
#include <string>

namespace trapeze::gdb {

/** With blanks behind, at least so many characters. */
inline std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_TEXT_H
