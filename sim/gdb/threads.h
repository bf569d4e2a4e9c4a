// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What GDB calls threads: harts, hart h with the number h + 1, and tasks that do not run, with the numbers behind.
 */
#ifndef TRAPEZE_SIM_GDB_THREADS_H
#define TRAPEZE_SIM_GDB_THREADS_H

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdb/processes.h"
#include "gdb/target.h"
#include "gdb/tasks.h"

namespace trapeze::gdb {

class Threads {
 public:
  Threads(Target& target, const Processes& processes, std::vector<KernelPlaces> kernels);

  /** All that there are now, by name, separated by commas. */
  std::string list();
  std::string id(unsigned hart) const { return processes_.id(hart, hart + 1); }
  std::string id(const Task& task) const { return processes_.id(task.hart, number(task)); }
  /** The hart of a thread; of `0` and `-1`, any thread, `current`, or that of the process that is named with it.
   * Nothing: there is no such thread. */
  std::optional<unsigned> hart_of(std::string_view thread, unsigned current) const;
  /** Whether it names a thread, not any or all. */
  bool is_one(std::string_view thread) const;
  /** The task of a thread that is none of the harts: one that does not run. Null: it is a hart. */
  const Task* task_of(std::string_view thread) const;
  /** In words: a hart with its running task, or a task. */
  std::string description(std::string_view thread, unsigned hart) const;

 private:
  void find_tasks();
  /** A task keeps its number; 0: it has none yet. */
  unsigned number(const Task& task) const;

  Target& target_;
  const Processes& processes_;
  std::vector<KernelPlaces> kernels_;
  std::vector<Task> tasks_;                               ///< at the last stop
  std::vector<std::pair<unsigned, std::uint64_t>> seen_;  ///< harts and control blocks of all tasks that ever were
};

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_THREADS_H
