// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Sv39: the walk of a page table, for the model and for debuggers. No state, and no memory of its own: the caller
 * reaches the entries.
 *
 * Source: Privileged ISA 20211203, sections 4.3.2 and 4.4. What it leaves open: A and D are set by hardware; an entry
 * with a bit that is reserved, A, D and U of a pointer to a table included, is a page fault.
 */
#ifndef TRAPEZE_SIM_KERNEL_SV39_H
#define TRAPEZE_SIM_KERNEL_SV39_H

#include <cstdint>
#include <cstring>
#include <trapeze/isa.hpp>

namespace trapeze::sv39 {

/** Bits of an entry. */
constexpr std::uint64_t kValid = 1U << 0, kRead = 1U << 1, kWrite = 1U << 2, kExecute = 1U << 3, kUserPage = 1U << 4,
                        kAccessed = 1U << 6, kDirty = 1U << 7;
constexpr std::uint64_t kReserved = ~std::uint64_t{0} << 54;
constexpr unsigned kNumber = 10;  ///< the lowest bit of the physical page's number

constexpr unsigned kLevels = 3;
constexpr unsigned kIndexBits = 9;    ///< of an address, for each level
constexpr unsigned kOffsetBits = 12;  ///< of an address, inside its page
constexpr unsigned kEntryBytes = 8;
constexpr unsigned kAddressBits = kLevels * kIndexBits + kOffsetBits;

/** The bits of an address above which are equal to its highest one. */
constexpr bool is_canonical(std::uint64_t address) {
  const auto above = static_cast<std::int64_t>(address) >> (kAddressBits - 1);
  return above == 0 || above == -1;
}

/** What an access needs, and what mstatus says of it. */
struct Request {
  bool write = false;
  bool execute = false;
  bool user = false;  ///< of U mode
  bool sum = false;
  bool mxr = false;

  constexpr bool allowed(std::uint64_t entry) const {
    const bool user_page = (entry & kUserPage) != 0;
    if (user != user_page && (user || execute || !sum)) return false;
    if (execute) return (entry & kExecute) != 0;
    if (write) return (entry & kWrite) != 0;
    return (entry & kRead) != 0 || (mxr && (entry & kExecute) != 0);
  }
};

enum class Outcome : std::uint8_t { kFound, kPageFault, kAccessFault };

struct Walk {
  Outcome outcome = Outcome::kPageFault;
  std::uint64_t address = 0;  ///< physical
  bool large = false;         ///< in a page of more than 4 KiB
};

/** Of a debugger: what is mapped, whoever may access it. */
struct Any {
  static constexpr bool write = false;
  static constexpr bool allowed(std::uint64_t /*entry*/) { return true; }
};

/** Translate `address` for a Request, or Any. `reach(physical, write)` is where an entry is in the host's memory, or
 * null where it may not be read, or written. */
template <typename Access, typename Reach>
Walk walk(std::uint64_t satp, std::uint64_t address, const Access& request, Reach&& reach) {
  if (!is_canonical(address)) return {};
  std::uint64_t table = (satp & ((std::uint64_t{1} << isa::satp::kPpnWidth) - 1)) << kOffsetBits;
  for (unsigned level = kLevels; level-- > 0;) {
    const unsigned shift = kOffsetBits + kIndexBits * level;
    const std::uint64_t index = (address >> shift) & ((1U << kIndexBits) - 1);
    const std::uint64_t place = table + kEntryBytes * index;
    const std::uint8_t* const host = reach(place, false);
    if (host == nullptr) return {Outcome::kAccessFault};
    std::uint64_t entry = 0;
    std::memcpy(&entry, host, sizeof entry);
    if ((entry & kValid) == 0 || (entry & kReserved) != 0 || (entry & (kRead | kWrite)) == kWrite) return {};
    const std::uint64_t page = (entry >> kNumber) << kOffsetBits;
    if ((entry & (kRead | kExecute)) == 0) {
      if ((entry & (kUserPage | kAccessed | kDirty)) != 0) return {};
      table = page;
      continue;
    }
    const std::uint64_t inside = (std::uint64_t{1} << shift) - 1;
    if (!request.allowed(entry) || (page & inside) != 0) return {};
    const std::uint64_t marked = entry | kAccessed | (request.write ? kDirty : 0);
    if (marked != entry) {
      std::uint8_t* const changed = reach(place, true);
      if (changed == nullptr) return {Outcome::kAccessFault};
      std::memcpy(changed, &marked, sizeof marked);
    }
    return {Outcome::kFound, page | (address & inside), level != 0};
  }
  return {};
}

}  // namespace trapeze::sv39

#endif  // TRAPEZE_SIM_KERNEL_SV39_H
