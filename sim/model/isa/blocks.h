// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Blocks of decoded instructions: how they are made, found and forgotten. A block ends with the first instruction that
 * may jump, and keeps pointers to the blocks that followed it. A changed instruction is seen only after a fence.i, as
 * the specification allows.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_BLOCKS_H
#define TRAPEZE_SIM_MODEL_ISA_BLOCKS_H

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>

#include "kernel/disasm.h"
#include "model/isa/block_room.h"
#include "model/isa/csr.h"
#include "model/isa/decode.h"
#include "model/isa/door.h"
#include "model/isa/of_time.h"
#include "model/isa/paging.h"
#include "model/isa/watches.h"
#include "model/memory/bus.h"

namespace trapeze::model {

/** The blocks of a hart, by the privilege of the program. Those of the fast loop have many instructions, and the loop
 * stops before markers and watched addresses; the others have one instruction. */
template <Kind K, class Time>
class Blocks {
 public:
  using Word = Register<K.xlen>;
  static constexpr unsigned kDummy = 32;  ///< number of the register that takes the writes to x0
  /** The immediate of a computation of F and D is the rounding mode, with the number of rs3 in the bits above. */
  static constexpr unsigned kRs3Shift = 3;

  /** One operation of a block: 16 bytes on RV32. */
  struct Op {
    const void* run;
    Word imm;  ///< immediate; for jumps and branches the target; of a computation of F and D see kRs3Shift
    std::uint8_t rd, rs1, rs2, size;
  };
  using Slot = typename OfTime<Time>::Slot;
  /** The instruction that an operation was made from. */
  struct Source {
    std::uint32_t insn;               ///< the instruction
    std::uint32_t offset;             ///< its address minus that of the block
    [[no_unique_address]] Slot slot;  ///< what the policy of time must know of it
  };
  struct Block {
    Word pc = 0;
    Word end = 0;                                               ///< address of the first instruction behind the block
    std::uint32_t count = 0;                                    ///< number of instructions
    [[no_unique_address]] ForTime<Time, std::uint64_t> line{};  ///< of code; physical
    [[no_unique_address]] typename OfTime<Time>::Ways ways{};
    Block* taken = nullptr;  ///< block at the target of the jump at the end
    Block* next = nullptr;   ///< block that follows in memory
    bool loose = false;      ///< see PagedCode
    Op* ops = nullptr;
    Source* sources = nullptr;  ///< source of each instruction, off the fast path
    Decoded first;              ///< instruction

    Word address(std::uint64_t index) const { return pc + sources[index].offset; }
    Word behind(std::uint64_t index) const { return address(index) + ops[index].size; }
  };
  /** Blocks of one privilege. */
  struct Cache {
    static constexpr std::size_t kJumpEntries = 4096;

    unsigned limit = 1;  ///< instructions in a block
    std::unordered_map<Word, Block*> blocks;
    BlockRoom room;                             ///< room of the blocks
    std::array<Block*, kJumpEntries> recent{};  ///< those that were last found, by their addresses
    [[no_unique_address]] std::conditional_t<K.supervisor, PagedCode<Block>, NoPaging> paged;

    Block*& recent_at(Word pc) { return recent[(pc >> 1) % kJumpEntries]; }
  };

  /** `time` says what it must know of an instruction; `labels`: where the code of each operation is. */
  Blocks(Bus& bus, const CsrFile<K>& csr, Door<K, Time>& door, const Watches& watches, const Time& time,
         const void* const* labels)
      : bus_(bus), csr_(csr), door_(door), watches_(watches), time_(time), labels_(labels) {
    for (Cache& cache : fast_) cache.limit = kBlockLimit;
    for (Cache& cache : single_) cache.limit = 1;
  }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  /** `view`: see Door. */
  Cache& fast(unsigned view) { return fast_[view]; }
  Cache& single(unsigned view) { return single_[view]; }
  /** The block that begins at `pc`. */
  Block* find(Word pc, Cache& cache);
  /** Whether a block may keep a pointer to the block that follows it. */
  static bool chains(const Block& from, const Block& to) {
    if constexpr (!K.supervisor) return true;
    return !from.loose && !to.loose && page_of(from.pc) == page_of(to.pc);
  }

  void forget();
  /** Forgets where the code of a virtual address is, or of all. */
  void forget_places(std::optional<Word> address);
  /** fence.i. */
  void fence();

 private:
  static constexpr unsigned kBlockLimit = 64;
  using MemoryDoor = Door<K, Time>;
  using SignedWord = std::make_signed_t<Word>;
  using Located = typename MemoryDoor::Located;

  /** A block while it is being decoded. */
  struct Draft {
    Block block;
    std::array<Op, kBlockLimit + 1> ops;
    std::array<Source, kBlockLimit> sources;
    unsigned operations = 0;  ///< there may be one more than instructions

    /** The block, with what belongs to it, in `room`. */
    Block* keep(BlockRoom& room) const {
      Block* const kept = room.copy(&block, 1);
      kept->ops = room.copy(ops.data(), operations);
      kept->sources = room.copy(sources.data(), block.count);
      return kept;
    }
  };
  static constexpr Word page_of(Word address) { return address & ~static_cast<Word>(kPageBytes - 1); }
  static void forget_places(Cache& cache) {
    cache.recent.fill(nullptr);
    cache.paged.forget_places();
  }
  bool fetch_half(Word physical, std::uint16_t& half);
  Decoded fetch(Word pc, Word to_physical);
  Op translate(const Decoded& decoded, Word pc, const Cache& cache) const;
  void decode_block(Word pc, const Cache& cache, Word to_physical, Draft& draft);
  Block* find_paged(Word pc, Cache& cache);
  Block* keep_fault(Word pc, unsigned cause, Cache& cache);

  Bus& bus_;
  const CsrFile<K>& csr_;
  MemoryDoor& door_;
  const Watches& watches_;
  const Time& time_;
  const void* const* labels_;
  std::array<Cache, MemoryDoor::kViews> fast_;
  std::array<Cache, MemoryDoor::kViews> single_;
};

// --- forgetting

template <Kind K, class Time>
void Blocks<K, Time>::forget() {
  for (auto* caches : {&fast_, &single_}) {
    for (Cache& cache : *caches) {
      if constexpr (K.supervisor) {
        cache.recent.fill(nullptr);
        cache.paged.forget_all();
      } else {
        // The work is bounded by the number of blocks that exist, since rows of protection may be written often.
        for (const auto& [pc, block] : cache.blocks) cache.recent_at(pc) = nullptr;
        cache.blocks.clear();
        cache.room.forget();
      }
    }
  }
}

template <Kind K, class Time>
void Blocks<K, Time>::forget_places(std::optional<Word> address) {
  if constexpr (K.supervisor) {
    for (auto* caches : {&fast_, &single_}) {
      for (unsigned view = 1; view < MemoryDoor::kViews; ++view) {
        Cache& cache = (*caches)[view];
        if (!address || cache.paged.is_used(page_of(*address))) forget_places(cache);
      }
    }
  }
}

template <Kind K, class Time>
void Blocks<K, Time>::fence() {
  if (bus_.fenced_code()) return forget();
  if constexpr (!K.supervisor) {
    forget();
  } else {
    // Systems that load programs page by page execute fence.i often. Blocks of pages that have not changed are kept.
    for (auto* caches : {&fast_, &single_}) {
      for (Cache& cache : *caches) {
        forget_places(cache);
        auto& pages = cache.paged.pages;
        if (pages.size() > cache.paged.kMost) pages.clear();
        std::erase_if(pages, [](const auto& each) {
          return each.second.changed || std::memcmp(each.first, each.second.bytes.data(), kPageBytes) != 0;
        });
      }
    }
  }
}

// --- decoding

template <Kind K, class Time>
bool Blocks<K, Time>::fetch_half(Word physical, std::uint16_t& half) {
  const std::uint8_t* host = door_.fetchable(physical);
  if (host == nullptr) return false;
  std::memcpy(&half, host, sizeof half);
  return true;
}

template <Kind K, class Time>
auto Blocks<K, Time>::translate(const Decoded& d, Word pc, const Cache& cache) const -> Op {
  Operation op = d.op;
  Word imm = static_cast<Word>(static_cast<SignedWord>(d.imm));
  switch (op) {
    case Operation::li:
      if (d.relative) imm += pc;
      break;
    case Operation::jal:
    case Operation::beq:
    case Operation::bne:
    case Operation::blt:
    case Operation::bge:
    case Operation::bltu:
    case Operation::bgeu:
      imm += pc;
      break;
    case Operation::fetch_fault:
    case Operation::fetch_page_fault:
      imm += pc;
      break;
    case Operation::illegal:
      imm = static_cast<Word>(d.insn);
      break;
    case Operation::slti_marker:
      if (cache.limit == 1) op = Operation::nop;  // only the fast loop stops at a marker
      break;
    default:
      if (K.f && is_float(op) && memory_use(op).size == 0) imm |= Word{d.rs3} << kRs3Shift;
      break;
  }
  if (cache.limit != 1 && watches_.executes(pc)) op = Operation::slti_marker;  // so that the fast loop stops before it
  const bool dummy = d.rd == 0 && !(K.f && float_use(op).rd);
  const std::uint8_t rd = dummy ? std::uint8_t{kDummy} : d.rd;
  return {labels_[static_cast<unsigned>(op)], imm, rd, d.rs1, d.rs2, d.size};
}

/** Fetches the instruction at `pc`. Its first half-word is at the physical address pc + to_physical. */
template <Kind K, class Time>
auto Blocks<K, Time>::fetch(Word pc, Word to_physical) -> Decoded {
  Decoded fault;
  fault.op = Operation::fetch_fault;
  std::uint16_t low = 0;
  std::uint16_t high = 0;
  if (!fetch_half(pc + to_physical, low)) return fault;
  if (instruction_size(low, csr_.params().c) == 4) {
    Located second{pc + 2 + to_physical, 0};
    if (K.supervisor && (pc + 2) % kPageBytes == 0) second = door_.locate(AccessKind::kFetch, pc + 2);
    if (second.cause == 0 && !fetch_half(second.address, high)) second.cause = kFetchFault;
    if (second.cause != 0) {
      if (second.cause == kFetchPageFault) fault.op = Operation::fetch_page_fault;
      fault.imm = 2;
      return fault;
    }
  }
  return decode(low | (std::uint32_t{high} << 16), csr_.params());
}

template <Kind K, class Time>
void Blocks<K, Time>::decode_block(Word pc, const Cache& cache, Word to_physical, Draft& draft) {
  std::uint32_t& count = draft.block.count;
  Word at = pc;
  bool ended = false;
  while (!ended && count < cache.limit) {
    if constexpr (K.supervisor) {
      // A block does not leave its page. An instruction that crosses into the next page is a block of its own.
      if (count != 0 && page_of(at) != page_of(pc)) break;
      std::uint16_t low = 0;
      const bool last = page_of(at + 2) != page_of(pc);
      if (count != 0 && last && fetch_half(at + to_physical, low) && instruction_size(low, csr_.params().c) == 4) break;
    }
    if constexpr (!Time::kIsCount) {
      if (time_.line(at) != time_.line(pc)) break;
    }
    const Decoded decoded = fetch(at, to_physical);
    if (count == 0) draft.block.first = decoded;
    draft.ops[count] = translate(decoded, at, cache);
    draft.sources[count] = {decoded.insn, static_cast<std::uint32_t>(at - pc), {}};
    if constexpr (!Time::kIsCount) draft.sources[count].slot = time_.slot(decoded, at);
    ++count;
    at += decoded.size;
    ended = ends_block(decoded.op);
  }
  draft.operations = ended ? count : count + 1;
  if (!ended) draft.ops[count] = {labels_[static_cast<unsigned>(Operation::fall_through)], 0, kDummy, 0, 0, 0};
  draft.block.pc = pc;
  draft.block.end = at;
  bus_.fetched(pc, pc + to_physical, at - pc);
  if constexpr (!Time::kIsCount) draft.block.line = time_.line(pc + to_physical);
}

// --- finding

template <Kind K, class Time>
auto Blocks<K, Time>::find(Word pc, Cache& cache) -> Block* {
  Block*& recent = cache.recent_at(pc);
  if (recent != nullptr && recent->pc == pc) return recent;
  if constexpr (K.supervisor) {
    return find_paged(pc, cache);
  } else {
    Block*& known = cache.blocks[pc];
    if (known == nullptr) {
      Draft draft;
      decode_block(pc, cache, 0, draft);
      known = draft.keep(cache.room);
    }
    return recent = known;
  }
}

/** A block that only raises the exception of a fetch. It is not kept: the next fetch may succeed. */
template <Kind K, class Time>
auto Blocks<K, Time>::keep_fault(Word pc, unsigned cause, Cache& cache) -> Block* {
  Decoded fault;
  fault.op = cause == kFetchPageFault ? Operation::fetch_page_fault : Operation::fetch_fault;
  Draft draft;
  draft.block.pc = pc;
  draft.block.end = pc + fault.size;
  draft.block.count = draft.operations = 1;
  draft.block.loose = true;
  draft.block.first = fault;
  draft.ops[0] = translate(fault, pc, cache);
  draft.sources[0] = {fault.insn, 0, {}};
  if constexpr (!Time::kIsCount) {
    draft.sources[0].slot = time_.slot(fault, pc);
    draft.block.line = time_.line(pc);
  }
  cache.paged.fault_room.forget();
  return draft.keep(cache.paged.fault_room);
}

template <Kind K, class Time>
auto Blocks<K, Time>::find_paged(Word pc, Cache& cache) -> Block* {
  auto& code = cache.paged;
  Block*& recent = cache.recent_at(pc);
  if (const auto known = code.loose.find(pc); known != code.loose.end()) return recent = known->second;
  auto& place = code.places[(pc / kPageBytes) % code.kPlaces];
  if (place.tag != page_of(pc)) {
    const Located found = door_.locate(AccessKind::kFetch, pc);
    if (found.cause != 0) return keep_fault(pc, found.cause, cache);
    place = {page_of(pc), found.address - pc, bus_.memory(page_of(found.address), kPageBytes)};
    code.mark(page_of(pc));
  }
  typename PagedCode<Block>::Page* page = nullptr;
  if (place.host != nullptr) {
    const auto [entry, is_new] = code.pages.try_emplace(place.host);
    page = &entry->second;
    if (is_new) std::memcpy(page->bytes.data(), place.host, kPageBytes);
    if (const auto known = page->blocks.find(pc); known != page->blocks.end()) return recent = known->second;
    // Marks a page that has changed since its first block was decoded. The next fence.i forgets its blocks, even if the
    // page equals its copy again by then.
    page->changed |= std::memcmp(page->bytes.data(), place.host, kPageBytes) != 0;
  }
  Draft draft;
  Block& block = draft.block;
  decode_block(pc, cache, place.to_physical, draft);
  if (block.first.op == Operation::fetch_fault || block.first.op == Operation::fetch_page_fault) {
    block.loose = true;
    code.fault_room.forget();
    return draft.keep(code.fault_room);
  }
  block.loose = page == nullptr || page_of(block.end - 1) != page_of(pc);
  Block* const kept = draft.keep(block.loose ? code.loose_room : page->room);
  (block.loose ? code.loose : page->blocks)[pc] = kept;
  return recent = kept;
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_BLOCKS_H
