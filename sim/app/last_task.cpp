// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/last_task.h"

#include <charconv>
#include <cstdint>
#include <optional>

#include "kernel/error.h"

namespace trapeze {
namespace {

constexpr std::size_t kTail = 512;
/** A stack that overflows by far leaves its memory, of so many bytes at most, and the access below it faults. */
constexpr std::uint64_t kFar = 0x110000;
/** Numbers in the line of a report: the cause and two addresses. */
constexpr int kNumbers = 3;

struct Task {
  std::string name;
  std::uint64_t block;
  std::uint64_t stack;
  std::uint64_t top;  ///< sp when the kernel stopped it
};

std::uint32_t word(Engine& engine, unsigned hart, std::uint64_t address) {
  std::uint32_t value = 0;
  engine.read_memory(hart, address, &value, sizeof value);
  return value;
}

/** The task whose control block is there; nothing if that is none: an overflow overwrites the pointer to it, too. */
std::optional<Task> task_at(Engine& engine, const Kernel& kernel, std::uint32_t block) {
  try {
    Task task{{}, block, word(engine, kernel.hart, block + *kernel.stack), word(engine, kernel.hart, block)};
    for (std::uint64_t at = block + kernel.name; task.name.size() < 32; ++at) {
      char c = 0;
      engine.read_memory(kernel.hart, at, &c, 1);
      if (c == '\0') break;
      if (c < ' ' || c > '~') return std::nullopt;
      task.name += c;
    }
    const bool whole = !task.name.empty() && task.stack != 0 && task.top != 0;
    return whole ? std::optional(task) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/** Whether an allocated block of the kernel's heap begins there: a null pointer, then its size with the top bit set. */
bool is_allocated(Engine& engine, unsigned hart, std::uint64_t header) {
  return word(engine, hart, header) == 0 && (word(engine, hart, header + 4) >> 31) != 0;
}

/** `address`: where the report says that the program was; 0: unknown. */
bool overflowed(Engine& engine, unsigned hart, const Task& task, std::uint64_t address) {
  if (task.top < task.stack) return true;
  if (address != 0 && address < task.stack && task.stack - address < kFar) return true;
  try {
    // The heap's own word below the stack; it tells only where the control block shows that there is one.
    for (const std::uint64_t header : {16U, 8U}) {  // as the kernel aligns
      if (is_allocated(engine, hart, task.block - header)) return !is_allocated(engine, hart, task.stack - header);
    }
  } catch (const Error&) {
  }
  return false;
}

}  // namespace

void ConsoleTail::add(std::string_view bytes) {
  text_ += bytes;
  if (text_.size() > kTail) text_.erase(0, text_.size() - kTail);
}

std::uint64_t ConsoleTail::last_address() const {
  const std::size_t end = text_.find_last_not_of("\r\n");
  const std::size_t begin = text_.rfind('\n', end);
  std::uint64_t value = 0;
  int numbers = 0;
  for (std::size_t at = begin; (at = text_.find("0x", at == std::string::npos ? 0 : at + 1)) != std::string::npos;) {
    std::from_chars(text_.data() + at + 2, text_.data() + text_.size(), value, 16);
    ++numbers;
  }
  return numbers >= kNumbers ? value : 0;
}

std::string last_tasks(const Request& request, Engine& engine, const RunState& state, const ConsoleTail& console,
                       bool reported) {
  std::string said;
  for (const Kernel& kernel : request.kernels) {
    if (!kernel.stack) continue;
    for (const std::uint32_t block : state.spans.recent_tasks(kernel.hart)) {
      const std::optional<Task> task = task_at(engine, kernel, block);
      if (!task) continue;
      if (overflowed(engine, kernel.hart, *task, reported ? console.last_address() : 0)) {
        said += "trapeze-sim: stack overflow in task '" + task->name + "', whose stack begins at " + hex(task->stack);
        said += "\n";
      } else if (reported) {
        said += "trapeze-sim: the last task was '" + task->name + "'\n";
      }
      break;
    }
  }
  return said;
}

}  // namespace trapeze
