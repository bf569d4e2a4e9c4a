// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Sv39: the walk through a page table, for the model and for debuggers. The module has no state and no memory: the
 * caller gives access to the page table's entries.
 *
 * Source: Privileged ISA 20211203, sections 4.3.2 and 4.4. Choices where the specification leaves one: hardware sets A
 * and D. An entry with a reserved bit set is a page fault; in a pointer to a table A, D and U are reserved, too.
 */
#ifndef TRAPEZE_SIM_KERNEL_SV39_H
#define TRAPEZE_SIM_KERNEL_SV39_H

#include <cstdint>
#include <cstring>
#include <trapeze/isa.hpp>

namespace trapeze::sv39 {

/** Bits and fields of an entry. */
constexpr std::uint64_t kValid = 1U << 0, kRead = 1U << 1, kWrite = 1U << 2, kExecute = 1U << 3, kUserPage = 1U << 4,
                        kAccessed = 1U << 6, kDirty = 1U << 7;
constexpr std::uint64_t kReserved = ~std::uint64_t{0} << 54;
constexpr unsigned kNumber = 10;  ///< lowest bit of the number of the physical page

constexpr unsigned kLevels = 3;
constexpr unsigned kIndexBits = 9;    ///< bits of an address that index the table of one level
constexpr unsigned kOffsetBits = 12;  ///< bits of an address that are its offset in a page
constexpr unsigned kEntryBytes = 8;
constexpr unsigned kAddressBits = kLevels * kIndexBits + kOffsetBits;

/** Whether an address is canonical: its bits above the highest one that is translated are equal to that bit. */
constexpr bool is_canonical(std::uint64_t address) {
  const auto above = static_cast<std::int64_t>(address) >> (kAddressBits - 1);
  return above == 0 || above == -1;
}

/** Kind of an access, and the fields of mstatus that decide whether it is allowed. */
struct Request {
  bool write = false;
  bool execute = false;
  bool user = false;  ///< the access is made in U mode
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
  std::uint64_t address = 0;  ///< physical address
  bool large = false;         ///< the page has more than 4 KiB
};

/** Request of a debugger: finds every mapping, whoever may access it. */
struct Any {
  static constexpr bool write = false;
  static constexpr bool allowed(std::uint64_t /*entry*/) { return true; }
};

/** Translates `address` for a Request, or for Any. `reach(physical, write)` returns the place of an entry in the
 * host's memory, or null if the entry must not be read, or written. */
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
