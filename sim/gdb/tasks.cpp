// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/tasks.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "kernel/debug.h"
#include "kernel/frame_layout.h"

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

/** The callee-saved registers below the frame of an interrupt, where the core does not store them, from sp upwards. */
constexpr std::array<unsigned, 12> kCalleeI = {18, 19, 20, 21, kS0, kS1, 22, 23, 24, 25, 26, 27};
constexpr std::array<unsigned, 2> kCalleeE = {kS0, kS1};

bool callee_saved(unsigned number) {
  return number == kS0 || number == kS1 || (number >= kS2 && number < kS2 + 10);
}

/** Where a register is in an array of words; nothing: it is not there. */
std::optional<std::uint64_t> place(std::span<const unsigned> registers, unsigned number) {
  const auto found = std::find(registers.begin(), registers.end(), number);
  if (found == registers.end()) return std::nullopt;
  return kWord * static_cast<std::uint64_t>(found - registers.begin());
}

}  // namespace

std::vector<Task> tasks(Target& target, const KernelPlaces& kernel) {
  const unsigned hart = kernel.hart;
  std::vector<Task> found;
  if (word(target, hart, kernel.started).value_or(0) == 0) return found;
  const std::uint64_t running = word(target, hart, kernel.current).value_or(0);
  const bool whole = kernel.whole != 0 && word(target, hart, kernel.whole).value_or(0) != 0;
  for (const KernelPlaces::List& list : kernel.lists) {
    const std::uint64_t end = list.address + kListEnd;
    std::uint64_t item = word(target, hart, end + kItemNext).value_or(0);
    for (unsigned n = 0; item != end && item != 0 && n < kMaxTasks; ++n) {
      const std::uint64_t block = word(target, hart, item + kItemOwner).value_or(0);
      item = word(target, hart, item + kItemNext).value_or(0);
      const bool known = std::any_of(found.begin(), found.end(), [&](const Task& one) { return one.block == block; });
      if (block == 0 || known) continue;
      Task task{block, hart, text(target, hart, block + kernel.name), list.state, block == running, whole};
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
  // mepc and mcause are in the places of a whole frame, whoever stored them.
  const FrameLayout whole = frame_layout(embedded, true), frame = frame_layout(embedded, task.whole);
  const auto sp = word(target, task.hart, task.block + kBlockSp);
  if (!sp) return std::nullopt;
  const auto saved = [&](std::uint64_t offset) -> std::optional<std::uint64_t> {
    const auto value = word(target, task.hart, *sp + offset);
    return value ? std::optional<std::uint64_t>(*value) : std::nullopt;
  };
  const std::uint32_t cause = word(target, task.hart, *sp + kWord * whole.cause).value_or(0);
  const bool interrupted = (cause & kInterrupted) != 0;
  if (number == 0) return 0;
  if (number == TZ_DEBUG_PC) return saved(kWord * whole.epc);
  if (interrupted && !task.whole) {
    const std::span<const unsigned> callee = embedded ? std::span<const unsigned>(kCalleeE) : kCalleeI;
    const std::uint64_t below = kWord * callee.size();
    if (number == kStackPointer) return *sp + below + frame.bytes;
    if (const auto offset = place(callee, number)) return saved(*offset);
    const auto offset = place(frame.registers, number);
    return offset ? saved(below + *offset) : std::nullopt;
  }
  if (number == kStackPointer) return *sp + whole.bytes;
  if (!interrupted && !callee_saved(number)) return std::nullopt;
  if (!interrupted && number != kS0 && (cause & kBare) != 0) return std::nullopt;
  const auto offset = place(whole.registers, number);
  return offset ? saved(*offset) : std::nullopt;
}

}  // namespace trapeze::gdb
