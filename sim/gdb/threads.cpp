// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/threads.h"

#include <algorithm>

#include "gdb/packet.h"

namespace trapeze::gdb {

Threads::Threads(Target& target, const Processes& processes, std::vector<KernelPlaces> kernels)
    : target_(target), processes_(processes), kernels_(std::move(kernels)) {}

std::string Threads::list() {
  find_tasks();
  std::string all;
  const auto add = [&](const std::string& one) { all += (all.empty() ? "" : ",") + one; };
  for (unsigned hart = 0; hart < target_.harts(); ++hart) {
    if (processes_.present(hart)) add(id(hart));
  }
  for (const Task& task : tasks_) {
    if (!task.running && processes_.present(task.hart)) add(id(task));
  }
  return all;
}

std::string Threads::description(std::string_view thread, unsigned hart) const {
  if (const Task* const task = task_of(thread)) return "task " + task->name + ", " + task->state;
  const tz_hart_info& info = target_.info().harts[hart];
  std::string text =
      "hart " + std::to_string(hart) + ", mhartid " + std::to_string(info.hart_id) + ", " + std::string(info.isa);
  for (const Task& task : tasks_) {
    if (task.hart == hart && task.running) text += "; task " + task.name + ", running";
  }
  return text;
}

void Threads::find_tasks() {
  tasks_.clear();
  for (const KernelPlaces& kernel : kernels_) {
    for (Task& task : tasks(target_, kernel)) tasks_.push_back(std::move(task));
  }
  for (const Task& task : tasks_) {
    if (number(task) == 0) seen_.emplace_back(task.hart, task.block);
  }
}

/** GDB takes no large numbers, such as addresses. */
unsigned Threads::number(const Task& task) const {
  const auto found = std::find(seen_.begin(), seen_.end(), std::pair(task.hart, task.block));
  return found == seen_.end() ? 0 : target_.harts() + 1 + static_cast<unsigned>(found - seen_.begin());
}

bool Threads::is_one(std::string_view thread) const {
  const auto named = processes_.parse(thread);
  return named && !named->thread.empty() && named->thread != "-1" && named->thread != "0";
}

const Task* Threads::task_of(std::string_view thread) const {
  const auto named = processes_.parse(thread);
  if (!named) return nullptr;
  const auto wanted = parse_hex(named->thread);
  if (!wanted) return nullptr;
  const auto is_it = [&](const Task& task) { return !task.running && *wanted == number(task); };
  const auto found = std::find_if(tasks_.begin(), tasks_.end(), is_it);
  return found == tasks_.end() ? nullptr : &*found;
}

std::optional<unsigned> Threads::hart_of(std::string_view thread, unsigned current) const {
  const auto named = processes_.parse(thread);
  if (!named) return std::nullopt;
  if (named->thread == "-1" || named->thread == "0") return named->hart.value_or(current);
  const Task* const task = task_of(thread);
  const auto wanted = parse_hex(named->thread);
  if (task == nullptr && (!wanted || *wanted == 0 || *wanted > target_.harts())) return std::nullopt;
  const unsigned hart = task != nullptr ? task->hart : static_cast<unsigned>(*wanted - 1);
  return named->hart.value_or(hart) == hart && processes_.present(hart) ? std::optional(hart) : std::nullopt;
}

}  // namespace trapeze::gdb
