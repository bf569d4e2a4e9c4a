// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Which task of a kernel ran when a run ended badly, and whether its stack has overflowed.
 */
#ifndef TRAPEZE_SIM_APP_LAST_TASK_H
#define TRAPEZE_SIM_APP_LAST_TASK_H

#include <string>
#include <string_view>

#include "app/request.h"
#include "kernel/dynamic_engine.h"
#include "kernel/session.h"

namespace trapeze {

/** The last bytes of the console, for what a program says of its end. */
class ConsoleTail {
 public:
  void add(std::string_view bytes);
  const std::string& text() const { return text_; }
  /** The last number of the last line, if that is the report of an exception: the address of the access, or sp; else 0.
   * The line is known by its numbers, since an overflow may overwrite its words. */
  std::uint64_t last_address() const;

 private:
  std::string text_;
};

/** A line for each hart whose kernel ran tasks. `reported`: the program itself said that something is wrong, so the
 * task is named in any case, else if its stack has overflowed. */
std::string last_tasks(const Request& request, Engine& engine, const RunState& state, const ConsoleTail& console,
                       bool reported);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_LAST_TASK_H
