// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/task_states.h"

#include <algorithm>

#include "kernel/error.h"

namespace trapeze {
namespace {

constexpr std::size_t kLongestName = 32;

/** Size of the largest variable that is searched for a handle: a structure with one, not a heap or a stack. */
constexpr std::uint64_t kLargestHolder = 128;

/** The kernel's table of names, pairs of a name and a handle (vQueueAddToRegistry). */
constexpr char kRegistry[] = "xQueueRegistry";

std::string text_at(const TaskSource& source, std::uint64_t address) {
  std::string text;
  try {
    for (char c = 0; text.size() < kLongestName; text += c) {
      source.read(address + text.size(), &c, 1);
      if (c == '\0') break;
    }
  } catch (const Error&) {
    text.clear();  // it does not point to a text
  }
  return text;
}

}  // namespace

std::string task_name(const TaskSource& source, std::uint32_t task) {
  const std::string name = text_at(source, task + source.name);
  return name.empty() ? "task " + hex(task) : name;
}

std::optional<TaskChange> TaskStates::on_store(const tz_retire& r) {
  if (source_.current == 0 || r.mem_wmask == 0) return std::nullopt;
  if (source_.waits.event != 0) keep(r);
  const auto value = static_cast<std::uint32_t>(r.mem_wdata);
  if (r.mem_addr == source_.current) current_ = value;
  if (r.mem_addr == source_.started && r.mem_wdata != 0) started_ = true;
  if (!started_) return std::nullopt;
  if (current_ != running_) {
    running_ = current_;
    return TaskChange{TaskChange::State::kRuns, {running_, name_of(running_), {}, {}, r.cycle_ex}};
  }
  if (source_.waits.event == 0) return std::nullopt;
  const auto waiting = std::find_if(waits_.begin(), waits_.end(), [&](const TaskWait& one) {
    return r.mem_addr == std::uint64_t{one.task} + source_.waits.event;
  });
  if (waiting != waits_.end()) {
    TaskChange ended{TaskChange::State::kReady, std::move(*waiting)};
    waits_.erase(waiting);
    return ended;
  }
  // A task enters the list of what it waits for by itself.
  if (r.mem_addr != std::uint64_t{running_} + source_.waits.event || value == 0) return std::nullopt;
  std::optional<TaskWait> begun = wait_for(value);
  if (!begun) return std::nullopt;
  begun->since = r.cycle_ex;
  waits_.push_back(*begun);
  return TaskChange{TaskChange::State::kWaits, std::move(*begun)};
}

/** Keeps a word; what the kernel writes in other sizes does not matter here, and is not known then. */
void TaskStates::keep(const tz_retire& r) {
  constexpr std::uint64_t kAligned = ~std::uint64_t{3};
  if (r.mem_wmask == 0xF && (r.mem_addr & ~kAligned) == 0) {
    stored_[r.mem_addr] = static_cast<std::uint32_t>(r.mem_wdata);
    return;
  }
  stored_.erase(r.mem_addr & kAligned);
  stored_.erase((r.mem_addr + 3) & kAligned);
}

std::uint32_t TaskStates::word(std::uint64_t address) const {
  if (const auto found = stored_.find(address); found != stored_.end()) return found->second;
  std::uint32_t value = 0;
  try {
    source_.read(address, &value, sizeof value);
  } catch (const Error&) {
    return 0;
  }
  return value;
}

/** Whether a list of waiting tasks is there: its second word points to its end, which is its third. */
bool TaskStates::is_list(std::uint32_t address) const {
  return word(address + 4) == address + 8;
}

/** What has this list: a queue has two, each in its place. */
std::optional<TaskWait> TaskStates::wait_for(std::uint32_t list) const {
  const WaitPlaces& at = source_.waits;
  const bool receives = is_list(list - at.receive + at.send);
  if (!receives && !is_list(list - at.send + at.receive)) return std::nullopt;
  const std::uint32_t queue = list - (receives ? at.receive : at.send);
  TaskWait wait{running_, name_of(running_), {}, {}, 0};
  if (word(queue + at.item) != 0) {
    wait.what = receives ? "queue " : "room in queue ";
  } else if (word(queue) != 0) {
    wait.what = "semaphore ";
  } else {  // of a mutex the first word is no pointer
    wait.what = "mutex ";
    if (const std::uint32_t holder = word(queue + at.holder)) wait.holder = name_of(holder);
  }
  wait.what += object_name(queue);
  return wait;
}

/** The name that a program gave to a queue, or the variable that holds its handle, or the variable that it is. */
std::string TaskStates::object_name(std::uint32_t queue) const {
  std::string found;
  for (const ElfSymbol& one : source_.objects) {
    const bool registry = one.name == kRegistry;
    if (queue >= one.address && queue - one.address < one.size && one.size <= kLargestHolder && found.empty()) {
      found = one.name;
    }
    if (one.size < 4 || (one.size > kLargestHolder && !registry)) continue;
    for (std::uint64_t offset = registry ? 4 : 0; offset + 4 <= one.size; offset += registry ? 8 : 4) {
      if (word(one.address + offset) != queue) continue;
      if (!registry) {
        found = one.name;
      } else if (const std::string name = text_at(source_, word(one.address + offset - 4)); !name.empty()) {
        return "`" + name + "`";
      }
    }
  }
  // The compiler numbers the variables of functions, such as `bus.0`.
  return found.empty() ? "at " + hex(queue) : "`" + found.substr(0, found.find('.')) + "`";
}

}  // namespace trapeze
