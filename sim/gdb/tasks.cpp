// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/tasks.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <trapeze/isa.hpp>
#include <utility>

#include "kernel/debug.h"

namespace trapeze::gdb {
namespace {

constexpr std::uint64_t kWord = 4;
/** Offsets in xLIST: the end of the list, an item. Offsets in an item: the next one, and the task that it is of. */
constexpr std::uint64_t kListEnd = 2 * kWord, kItemNext = kWord, kItemOwner = 3 * kWord;
/** Offsets in a control block: sp, and the list in which the task waits for an event. */
constexpr std::uint64_t kBlockSp = 0, kBlockEventList = 10 * kWord;
/** More than any list holds: memory that is no list ends there. */
constexpr unsigned kMaxTasks = 1000;
constexpr std::size_t kMaxName = 64;
constexpr unsigned kStackPointer = 2, kS0 = 8, kS1 = 9, kS2 = 18, kLastOfE = 15;
/** PORT_CALLED_BARE has it in mcause: of the callee-saved registers only s0 is there. */
constexpr std::uint32_t kBare = 0x1000;
constexpr std::uint32_t kInterrupted = 0x80000000;

std::optional<std::uint32_t> word(Target& target, unsigned hart, std::uint64_t address) {
  const auto bytes = target.read_memory(hart, address, kWord);
  if (!bytes) return std::nullopt;
  std::uint32_t value = 0;
  std::memcpy(&value, bytes->data(), sizeof value);
  return value;
}

std::string text(Target& target, unsigned hart, std::uint64_t address) {
  std::string found;
  while (found.size() < kMaxName) {
    const auto byte = target.read_memory(hart, address + found.size(), 1);
    if (!byte || byte->front() == '\0') break;
    found += byte->front();
  }
  return found;
}

/** A task's stack from sp upwards: callee-saved registers, then the frame of an interrupt. */
struct Layout {
  std::uint64_t callee;  ///< bytes of the former
  std::uint64_t frame;   ///< and of the latter
  std::uint64_t mepc, mcause;
  std::span<const unsigned> caller;  ///< registers of the frame, in order
};
constexpr Layout kFull = {48, isa::frame::kBytesI, kWord* isa::frame::kMepcI, kWord* isa::frame::kMcauseI,
                          isa::frame::kRegistersI};
constexpr Layout kEmbedded = {16, isa::frame::kBytesE, kWord* isa::frame::kMepcE, kWord* isa::frame::kMcauseE,
                              isa::frame::kRegistersE};

/** Where a callee-saved register is above sp. */
std::optional<std::uint64_t> callee_offset(unsigned number) {
  if (number == kS0) return 0;
  if (number == kS1) return kWord;
  if (number >= kS2 && number < kS2 + 10) return (number - kS2 + 2) * kWord;
  return std::nullopt;
}

}  // namespace

std::vector<Task> tasks(Target& target, const KernelPlaces& kernel) {
  const unsigned hart = kernel.hart;
  std::vector<Task> found;
  if (word(target, hart, kernel.started).value_or(0) == 0) return found;
  const std::uint64_t running = word(target, hart, kernel.current).value_or(0);
  for (const KernelPlaces::List& list : kernel.lists) {
    const std::uint64_t end = list.address + kListEnd;
    std::uint64_t item = word(target, hart, end + kItemNext).value_or(0);
    for (unsigned n = 0; item != end && item != 0 && n < kMaxTasks; ++n) {
      const std::uint64_t block = word(target, hart, item + kItemOwner).value_or(0);
      item = word(target, hart, item + kItemNext).value_or(0);
      const bool known = std::any_of(found.begin(), found.end(), [&](const Task& one) { return one.block == block; });
      if (block == 0 || known) continue;
      Task task{block, hart, text(target, hart, block + kernel.name), list.state, block == running};
      // Who waits for an event without a time limit is in the list of those that are suspended.
      if (list.state == "suspended" && word(target, hart, block + kBlockEventList).value_or(0) != 0) {
        task.state = "blocked";
      }
      if (task.running) task.state = "running";
      found.push_back(std::move(task));
    }
  }
  return found;
}

std::optional<std::uint64_t> saved_register(Target& target, const Task& task, unsigned number) {
  const bool embedded = !target.has(task.hart, kLastOfE + 1);
  const Layout& layout = embedded ? kEmbedded : kFull;
  const auto sp = word(target, task.hart, task.block + kBlockSp);
  if (!sp) return std::nullopt;
  const auto saved = [&](std::uint64_t offset) -> std::optional<std::uint64_t> {
    const auto value = word(target, task.hart, *sp + offset);
    return value ? std::optional<std::uint64_t>(*value) : std::nullopt;
  };
  const std::uint32_t cause = word(target, task.hart, *sp + layout.callee + layout.mcause).value_or(0);
  const bool interrupted = (cause & kInterrupted) != 0;
  const bool bare = !interrupted && (cause & kBare) != 0;
  if (number == 0) return 0;
  if (number == kStackPointer) return *sp + layout.callee + layout.frame;
  if (number == TZ_DEBUG_PC) return saved(layout.callee + layout.mepc);
  if (const auto offset = callee_offset(number)) {
    if (bare && number != kS0) return std::nullopt;
    return saved(*offset);
  }
  const auto caller = std::find(layout.caller.begin(), layout.caller.end(), number);
  if (caller == layout.caller.end() || !interrupted) return std::nullopt;
  return saved(layout.callee + kWord * static_cast<std::uint64_t>(caller - layout.caller.begin()));
}

}  // namespace trapeze::gdb
