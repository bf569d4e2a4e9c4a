// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The tasks of a FreeRTOS kernel with Trapeze's port, as a debugger finds them in memory: which there are, in what
 * state, and the registers of those that do not run.
 *
 * Sources: FreeRTOS-Kernel V11.2.0, list.h and tasks.c (xLIST, tskTCB); fw/freertos/include/port_scheme.h (what the
 * port leaves on the stack of a task that does not run).
 */
#ifndef TRAPEZE_SIM_GDB_TASKS_H
#define TRAPEZE_SIM_GDB_TASKS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gdb/target.h"

namespace trapeze::gdb {

/** Where the kernel of a hart has what. */
struct KernelPlaces {
  struct List {
    std::string state;  ///< state of the tasks in it
    std::uint64_t address = 0;
  };
  unsigned hart = 0;
  std::uint64_t current = 0;  ///< the pointer to the running task's control block
  std::uint64_t name = 0;     ///< offset of the name in a control block
  std::uint64_t started = 0;  ///< the word that is not zero once tasks run
  std::uint64_t whole = 0;    ///< the word that is not zero if the core's frames hold all registers; 0: there is none
  std::vector<List> lists;
};

struct Task {
  std::uint64_t block = 0;  ///< address of the control block
  unsigned hart = 0;
  std::string name;
  std::string state;
  bool running = false;
  bool whole = false;  ///< an interrupt's frame holds all registers
};

/** The tasks of a kernel; none before it has started. */
std::vector<Task> tasks(Target& target, const KernelPlaces& kernel);

/** A register, numbered as in tz_debug_api, that a task which does not run will go on with. Nothing: the call that
 * switched need not keep it, or it is no task's own. */
std::optional<std::uint64_t> saved_register(Target& target, const Task& task, unsigned number);

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_TASKS_H
