// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a hart with S mode keeps of translations beside pointers to pages of data; empty types for one without.
 *
 * Decoded blocks belong to the physical page that they are in and to the address at which it was, and stay when
 * mappings change: only the ways to them are forgotten. So a block never leaves its page, and goes on by itself to
 * blocks of the same page alone.
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

/** The addresses of one half of the address space that were found in large pages: an entry of any of them may be meant
 * by sfence.vma with any other. */
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
  std::array<LargePages, 2> large{};  ///< of the lower and the upper half of the address space
  std::uint64_t seen = 0;             ///< changes of satp and MXR that were followed
};

/** Decoded code of one privilege. */
template <typename Block>
struct PagedCode {
  /** A physical page with code. */
  struct Page {
    std::array<std::uint8_t, kPageBytes> bytes;        ///< as they were when the first block was decoded
    bool changed = false;                              ///< since then, but before another one was
    std::unordered_map<std::uint64_t, Block*> blocks;  ///< by virtual address
    BlockRoom room;                                    ///< of the blocks
  };
  /** A translation for fetches. */
  struct Place {
    std::uint64_t tag = 1;  ///< address of the virtual page; 1: of none
    std::uint64_t to_physical = 0;
    std::uint8_t* host = nullptr;  ///< null: not all of the page is memory
  };
  static constexpr std::size_t kPlaces = 256;
  static constexpr std::size_t kMost = 8192;  ///< pages, beyond which all are forgotten with the next fence.i
  static constexpr std::size_t kMarks = 4096;

  std::unordered_map<const std::uint8_t*, Page> pages;  ///< by where they are in the host's memory
  std::array<Place, kPlaces> places{};
  /** Blocks that hold as long as mappings do: of an instruction that is in two pages, or outside of whole pages. */
  std::unordered_map<std::uint64_t, Block*> loose;
  BlockRoom loose_room;
  BlockRoom fault_room;      ///< of the block of the last fetch that failed
  std::bitset<kMarks> used;  ///< pages of which there is a place, by their numbers

  void mark(std::uint64_t page) { used.set((page / kPageBytes) % kMarks); }
  bool is_used(std::uint64_t page) const { return used.test((page / kPageBytes) % kMarks); }
  /** Forget the ways to blocks. */
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
