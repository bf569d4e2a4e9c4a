// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart that decode blocks, find them and forget them.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_BLOCKS_H
#define TRAPEZE_SIM_MODEL_ISA_HART_BLOCKS_H

#include <cstring>
#include <utility>

#include "kernel/disasm.h"
#include "model/isa/hart.h"

namespace trapeze::model {

// --- forgetting

template <Kind K, class Time>
void Hart<K, Time>::flush() {
  for (auto* caches : {&fast_, &single_}) {
    for (BlockCache& cache : *caches) {
      if constexpr (K.supervisor) {
        cache.recent.fill(nullptr);
        cache.paged.forget_all();
      } else {
        // The work is bounded by the number of blocks that exist, since rows of protection may be written often.
        for (const auto& [pc, block] : cache.blocks) cache.recent[(pc >> 1) % kJumpEntries] = nullptr;
        cache.blocks.clear();
        cache.room.forget();
      }
    }
  }
}

template <Kind K, class Time>
void Hart<K, Time>::flush_all() {
  flush();
  door_.forget();
}

template <Kind K, class Time>
void Hart<K, Time>::fence_code() {
  if (bus_.fenced_code()) return flush();
  if constexpr (!K.supervisor) {
    flush();
  } else {
    // Systems that load programs page by page execute fence.i often. Blocks of pages that have not changed are kept.
    for (auto* caches : {&fast_, &single_}) {
      for (BlockCache& cache : *caches) {
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

template <Kind K, class Time>
void Hart<K, Time>::forget_translations(std::optional<Word> address) {
  forget_places(door_.forget_translations(address));
}

template <Kind K, class Time>
void Hart<K, Time>::forget_places(std::optional<Word> address) {
  if constexpr (K.supervisor) {
    for (auto* caches : {&fast_, &single_}) {
      for (unsigned view = 1; view < MemoryDoor::kViews; ++view) {
        BlockCache& cache = (*caches)[view];
        if (!address || cache.paged.is_used(page_of(*address))) forget_places(cache);
      }
    }
  }
}

// --- decoding

template <Kind K, class Time>
bool Hart<K, Time>::fetch_half(Word physical, std::uint16_t& half) {
  const std::uint8_t* host = door_.fetchable(physical);
  if (host == nullptr) return false;
  std::memcpy(&half, host, sizeof half);
  return true;
}

template <Kind K, class Time>
auto Hart<K, Time>::translate(const Decoded& d, Word pc, const BlockCache& cache, const void* const* labels) const
    -> Op {
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
  return {labels[static_cast<unsigned>(op)], imm, rd, d.rs1, d.rs2, d.size};
}

/** Fetches the instruction at `pc`. Its first half-word is at the physical address pc + to_physical. */
template <Kind K, class Time>
auto Hart<K, Time>::fetch(Word pc, Word to_physical) -> Decoded {
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
void Hart<K, Time>::decode_block(Word pc, const BlockCache& cache, Word to_physical, Draft& draft) {
  const void* const* labels = nullptr;
  run(0, 0, fast_[0], &labels);
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
    draft.ops[count] = translate(decoded, at, cache, labels);
    draft.sources[count] = {decoded.insn, static_cast<std::uint32_t>(at - pc), {}};
    if constexpr (!Time::kIsCount) draft.sources[count].slot = time_.slot(decoded, at);
    ++count;
    at += decoded.size;
    ended = ends_block(decoded.op);
  }
  draft.operations = ended ? count : count + 1;
  if (!ended) draft.ops[count] = {labels[static_cast<unsigned>(Operation::fall_through)], 0, kDummy, 0, 0, 0};
  draft.block.pc = pc;
  draft.block.end = at;
  bus_.fetched(pc, pc + to_physical, at - pc);
  if constexpr (!Time::kIsCount) draft.block.line = time_.line(pc + to_physical);
}

// --- finding

template <Kind K, class Time>
auto Hart<K, Time>::find(Word pc, BlockCache& cache) -> Block* {
  Block*& recent = cache.recent[(pc >> 1) % kJumpEntries];
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
auto Hart<K, Time>::keep_fault(Word pc, unsigned cause, BlockCache& cache) -> Block* {
  const void* const* labels = nullptr;
  run(0, 0, cache, &labels);
  Decoded fault;
  fault.op = cause == kFetchPageFault ? Operation::fetch_page_fault : Operation::fetch_fault;
  Draft draft;
  draft.block.pc = pc;
  draft.block.end = pc + fault.size;
  draft.block.count = draft.operations = 1;
  draft.block.loose = true;
  draft.block.first = fault;
  draft.ops[0] = translate(fault, pc, cache, labels);
  draft.sources[0] = {fault.insn, 0, {}};
  if constexpr (!Time::kIsCount) {
    draft.sources[0].slot = time_.slot(fault, pc);
    draft.block.line = time_.line(pc);
  }
  cache.paged.fault_room.forget();
  return draft.keep(cache.paged.fault_room);
}

template <Kind K, class Time>
auto Hart<K, Time>::find_paged(Word pc, BlockCache& cache) -> Block* {
  auto& code = cache.paged;
  Block*& recent = cache.recent[(pc >> 1) % kJumpEntries];
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

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_BLOCKS_H
