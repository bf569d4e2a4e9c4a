// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart that make all its accesses to memory. They derive the privilege of an access from its kind. Then the
 * address is translated (hart_supervisor.h), and memory protection judges the access (pmp.h). On a hart without these
 * an access is only a call of the bus.
 *
 * Sources: Privileged ISA 20211203, sections 3.1.6.3 (MPRV) and 3.7 (PMP).
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_DOOR_H
#define TRAPEZE_SIM_MODEL_ISA_HART_DOOR_H

#include <algorithm>

#include "model/isa/hart.h"

namespace trapeze::model {

template <Kind K, class Time>
unsigned Hart<K, Time>::privilege_of(AccessKind kind) const {
  switch (kind) {
    case AccessKind::kFetch:
    case AccessKind::kTable:  // mode of the handler; after a return into a table entry: the mode that it returns to
      return mode_;
    case AccessKind::kLoad:
    case AccessKind::kStore:
    case AccessKind::kAmo:
      return csr_.data_privilege(mode_);
    case AccessKind::kUserFrameStore:
    case AccessKind::kUserFrameLoad:
      return kUser;
    case AccessKind::kFrameStore:
    case AccessKind::kFrameLoad:
    case AccessKind::kTarget:
    case AccessKind::kPost:
      break;
  }
  return kMachine;  // the hardware's own accesses
}

template <Kind K, class Time>
bool Hart<K, Time>::admits(AccessKind kind, Word address, Word size) const {
  return csr_.protection().allows(kind, privilege_of(kind), address, size);
}

template <Kind K, class Time>
const std::uint8_t* Hart<K, Time>::readable(AccessKind kind, Word address, unsigned size) const {
  return admits(kind, address, size) ? bus_.memory(address, size) : nullptr;
}

template <Kind K, class Time>
std::uint8_t* Hart<K, Time>::modifiable(AccessKind kind, Word address, unsigned size) {
  return admits(kind, address, size) ? bus_.modify(address, size) : nullptr;
}

template <Kind K, class Time>
constexpr unsigned Hart<K, Time>::access_fault(AccessKind kind) {
  if (kind == AccessKind::kFetch) return kFetchFault;
  return kind == AccessKind::kLoad ? kLoadFault : kStoreFault;
}

template <Kind K, class Time>
constexpr unsigned Hart<K, Time>::page_fault(AccessKind kind) {
  if (kind == AccessKind::kFetch) return kFetchPageFault;
  return kind == AccessKind::kLoad ? kLoadPageFault : kStorePageFault;
}

template <Kind K, class Time>
auto Hart<K, Time>::span(AccessKind kind, Word address, unsigned size) -> Span {
  Span result{address, 0, size, 0, address};
  if constexpr (!K.supervisor) {
    if (!admits(kind, address, size)) result.cause = access_fault(kind);
  } else {
    // An access in two pages: each part is translated and judged by itself, before any part is accessed.
    const auto room = static_cast<unsigned>(kPageBytes - address % kPageBytes);
    result.head = std::min(size, room);
    const auto find = [&](Word part, unsigned bytes, Word& physical) {
      const Located found = locate(kind, part);
      physical = found.address;
      result.cause = found.cause;
      if (found.cause == 0 && !admits(kind, physical, bytes)) result.cause = access_fault(kind);
      result.tval = result.cause != 0 ? part : address;
      return result.cause == 0;
    };
    if (find(address, result.head, result.first) && size > room) find(address + room, size - room, result.second);
  }
  return result;
}

/** What an operation of Zicbom does here: CBIE may turn an invalidation into a flush. */
template <Kind K, class Time>
BlockAction Hart<K, Time>::block_action(Operation op) const {
  if constexpr (K.xlen == 64) {
    if (op == Operation::cbo_inval && !csr_.blocks().flushes(mode_)) return BlockAction::kInvalidate;
  }
  return op == Operation::cbo_clean ? BlockAction::kClean : BlockAction::kFlush;
}

/** An operation of Zicbom is allowed if the block may be loaded or stored. Pages and rows that allow stores allow
 * loads, so it is judged as a load. Its exceptions are those of a store. */
template <Kind K, class Time>
unsigned Hart<K, Time>::manage_block(Operation op, Word address) {
  constexpr auto kBytes = static_cast<unsigned>(kBlockBytes);
  const Span where = span(AccessKind::kLoad, address & ~static_cast<Word>(kBytes - 1), kBytes);
  if (where.cause != 0) return where.cause == kLoadPageFault ? kStorePageFault : kStoreFault;
  if (!bus_.holds(where.first, kBytes)) return kStoreFault;
  bus_.managed(block_action(op), where.first);
  if constexpr (!Time::kIsCount) spend(time_.manage(op, where.first));
  return 0;
}

/** Host address of the half-word of code at a physical address; null: it may not be fetched. The hardware fetches
 * words, so the word that holds it is judged, by itself. */
template <Kind K, class Time>
const std::uint8_t* Hart<K, Time>::fetchable(Word address) const {
  if (!admits(AccessKind::kFetch, address & ~Word{3}, 4)) return nullptr;
  return bus_.memory(address, sizeof(std::uint16_t));
}

template <Kind K, class Time>
unsigned Hart<K, Time>::view_of_data() const {
  const unsigned privilege = privilege_of(AccessKind::kLoad);
  if constexpr (K.supervisor) {
    if (privilege == kSupervisor && csr_.supervisor().sum) return kViewOfSum;
  }
  return view_of(privilege);
}

template <Kind K, class Time>
void Hart<K, Time>::learn(AccessKind kind, Word address, Word physical) {
  const Word page = page_of(address);
  const Word there = page_of(physical);
  if (!admits(kind, there, kPageBytes) || bus_.observed(there)) return;
  const bool loads = kind == AccessKind::kLoad;
  std::uint8_t* const host = loads ? bus_.memory(there, kPageBytes) : bus_.writable_memory(there, kPageBytes);
  if (host == nullptr) return;
  Tlb& tlb = (loads ? load_tlb_ : store_tlb_)[view_of_data()];
  TlbEntry& entry = tlb[(page / kPageBytes) % kTlbEntries];
  entry.tag = page;
  entry.to_host = reinterpret_cast<std::uintptr_t>(host) - page;
  if constexpr (!Time::kIsCount) entry.to_physical = there - page;
}

template <Kind K, class Time>
void Hart<K, Time>::follow_reservations() {
  reservations_seen_ = bus_.reservations().changes();
  bus_.reservations().of_others(number_, [this](const std::uint8_t* word) {
    const auto place = reinterpret_cast<std::uintptr_t>(word);
    for (Tlb& tlb : store_tlb_) {
      for (TlbEntry& entry : tlb) {
        const std::uintptr_t page = entry.to_host + entry.tag;
        if (entry.tag != kNoTag && place >= page && place - page < kPageBytes) entry = {};
      }
    }
  });
}

template <Kind K, class Time>
void Hart<K, Time>::follow_rows() {
  if (reservations_seen_ != bus_.reservations().changes()) follow_reservations();
  if constexpr (K.supervisor) {
    if (paging_.seen != csr_.supervisor().changes) {
      paging_.seen = csr_.supervisor().changes;
      forget_translations(std::nullopt);
    }
  }
  if (rows_seen_ == csr_.protection().changes()) return;
  rows_seen_ = csr_.protection().changes();
  flush_all();
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_DOOR_H
