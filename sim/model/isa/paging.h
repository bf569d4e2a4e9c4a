// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Caches of translations of a hart with S mode, other than pointers to pages of data. Empty types for a hart without.
 *
 * A decoded block belongs to its physical page and to the virtual address at which the page was. When mappings change
 * the blocks stay, and only the translations that lead to them are forgotten. So a block must not leave its page, and
 * may keep pointers only to blocks of the same page.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_PAGING_H
#define TRAPEZE_SIM_MODEL_ISA_PAGING_H

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <unordered_map>

#include "model/isa/block_room.h"
#include "model/memory/memory.h"

namespace trapeze::model {

/** The addresses, in one half of the address space, that were translated by large pages. An sfence.vma with one address
 * of a large page must forget all addresses of that page. */
struct LargePages {
  std::uint64_t first = ~std::uint64_t{0};
  std::uint64_t last = 0;

  static constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;
  void add(std::uint64_t address) {
    first = std::min(first, address & ~(kLargest - 1));
    last = std::max(last, address | (kLargest - 1));
  }
  bool holds(std::uint64_t address) const { return address >= first && address <= last; }
};

struct Paging {
  std::array<LargePages, 2> large{};  ///< large pages of the lower and the upper half of the address space
  std::uint64_t seen = 0;             ///< number of changes of satp and MXR at which the caches were last emptied
};

/** Decoded code of one privilege. */
template <typename Block>
struct PagedCode {
  /** A physical page with code. */
  struct Page {
    std::array<std::uint8_t, kPageBytes> bytes;        ///< copy of the page from when the first block was decoded
    bool changed = false;                              ///< the page had changed when a later block was decoded
    std::unordered_map<std::uint64_t, Block*> blocks;  ///< by virtual address
    BlockRoom room;                                    ///< memory of the blocks
  };
  /** A translation for fetches. */
  struct Place {
    std::uint64_t tag = 1;  ///< address of the virtual page; 1: none
    std::uint64_t to_physical = 0;
    std::uint8_t* host = nullptr;  ///< null: not all of the page is memory
  };
  static constexpr std::size_t kPlaces = 256;
  static constexpr std::size_t kMost = 8192;  ///< with more pages than this the next fence.i forgets all
  static constexpr std::size_t kMarks = 4096;

  std::unordered_map<const std::uint8_t*, Page> pages;  ///< by their host address
  std::array<Place, kPlaces> places{};
  /** Blocks that are forgotten when mappings change: an instruction in two pages, or in memory that is not a whole
   * page. */
  std::unordered_map<std::uint64_t, Block*> loose;
  BlockRoom loose_room;
  BlockRoom fault_room;      ///< memory of the block of the last fetch that failed
  std::bitset<kMarks> used;  ///< virtual pages that may have a translation here, by their numbers modulo kMarks

  void mark(std::uint64_t page) { used.set((page / kPageBytes) % kMarks); }
  bool is_used(std::uint64_t page) const { return used.test((page / kPageBytes) % kMarks); }
  /** Forgets the translations that lead to blocks. */
  void forget_places() {
    places.fill({});
    loose.clear();
    loose_room.forget();
    used.reset();
  }
  void forget_all() {
    forget_places();
    pages.clear();
  }
};

struct NoPaging {};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_PAGING_H
