// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What the tasks of a kernel do, read from its stores: which one runs, and which one waits for what.
 */
#ifndef TRAPEZE_SIM_KERNEL_TASK_STATES_H
#define TRAPEZE_SIM_KERNEL_TASK_STATES_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernel/elf.h"
#include "kernel/engine.h"

namespace trapeze {

/** Where FreeRTOS has what tasks wait for: queues, of which semaphores and mutexes are kinds. */
struct WaitPlaces {
  std::uint32_t event = 0;    ///< offset in a control block of the pointer to the awaited list; 0: not known
  std::uint32_t send = 0;     ///< offset in a queue of the list of tasks that wait for room in it
  std::uint32_t receive = 0;  ///< offset in a queue of the list of tasks that wait for an item, or for a semaphore
  std::uint32_t holder = 0;   ///< offset in a mutex of the pointer to the task that holds it
  std::uint32_t item = 0;     ///< offset in a queue of the size of an item, which is 0 of a semaphore
};

/** Where a kernel keeps its tasks in memory. */
struct TaskSource {
  using Read = std::function<void(std::uint64_t address, void* data, std::size_t size)>;

  std::uint64_t current = 0;  ///< address of the pointer to the running task; 0: there are no tasks
  std::uint64_t name = 0;     ///< offset of the name in a task's control block; the name ends with a zero byte
  std::uint64_t started = 0;  ///< address of the word that is not zero once tasks run
  Read read;                  ///< reads the memory, or throws Error
  WaitPlaces waits;
  std::vector<ElfSymbol> objects;  ///< variables of the program, by which what is waited for is named
};

/** The name of the task whose control block is at `task`. */
std::string task_name(const TaskSource& source, std::uint32_t task);

/** A task that waits. */
struct TaskWait {
  std::uint32_t task = 0;  ///< its control block
  std::string name;
  std::string what;    ///< such as "mutex `bus`"
  std::string holder;  ///< name of the task that holds the mutex; empty if none does
  std::uint64_t since = 0;

  std::string text() const { return holder.empty() ? what : what + ", held by `" + holder + "`"; }
};

/** What a store changes. */
struct TaskChange {
  enum class State : std::uint8_t { kRuns, kWaits, kReady };
  State state;
  TaskWait wait;  ///< of a task that runs only its control block and its name
};

/** The tasks of a hart. A change counts from the store that makes it. */
class TaskStates {
 public:
  explicit TaskStates(TaskSource source) : source_(std::move(source)) {}
  std::optional<TaskChange> on_store(const tz_retire& record);
  /** Control block of the task that runs; 0: none does. */
  std::uint32_t running() const { return running_; }
  const std::vector<TaskWait>& waits() const { return waits_; }
  std::string name_of(std::uint32_t task) const { return task_name(source_, task); }

 private:
  std::optional<TaskWait> wait_for(std::uint32_t list) const;
  std::uint32_t word(std::uint64_t address) const;
  bool is_list(std::uint32_t address) const;
  std::string object_name(std::uint32_t queue) const;

  void keep(const tz_retire& record);

  TaskSource source_;
  bool started_ = false;
  std::uint32_t current_ = 0;
  std::uint32_t running_ = 0;
  std::vector<TaskWait> waits_;
  /** Words that were stored. An engine may be ahead of what it reports, and so may its memory. */
  std::unordered_map<std::uint64_t, std::uint32_t> stored_;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_TASK_STATES_H
