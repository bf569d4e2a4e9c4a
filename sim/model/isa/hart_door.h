// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart through which it reaches memory, all of it: one door, which knows the kind of an access and with it
 * its privilege. Layers stand behind the door (pmp.h); where a hart has none, all of this is a call of the bus.
 *
 * Sources: Privileged ISA 20211203, sections 3.1.6.3 (MPRV) and 3.7 (PMP).
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_DOOR_H
#define TRAPEZE_SIM_MODEL_ISA_HART_DOOR_H

#include "model/isa/hart.h"

namespace trapeze::model {

template <Params P>
unsigned Hart<P>::privilege_of(AccessKind kind) const {
  switch (kind) {
    case AccessKind::kFetch:
    case AccessKind::kTable:  // the handler's; a return into a table entry goes on with the mode that it returns to
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
      break;
  }
  return kMachine;  // the hardware's own accesses
}

template <Params P>
bool Hart<P>::admits(AccessKind kind, Word address, Word size) const {
  return csr_.protection().allows(kind, privilege_of(kind), address, size);
}

template <Params P>
const std::uint8_t* Hart<P>::readable(AccessKind kind, Word address, unsigned size) const {
  return admits(kind, address, size) ? bus_.memory(address, size) : nullptr;
}

template <Params P>
std::uint8_t* Hart<P>::modifiable(AccessKind kind, Word address, unsigned size) {
  return admits(kind, address, size) ? bus_.modify(address, size) : nullptr;
}

template <Params P>
const std::uint8_t* Hart<P>::reserve(Word address, unsigned size) {
  return admits(AccessKind::kLoad, address, size) ? bus_.reserve(address, size) : nullptr;
}

template <Params P>
Bus::Conditional Hart<P>::conditional(Word address, unsigned size) {
  if (!admits(AccessKind::kStore, address, size)) return {nullptr, true};
  return bus_.conditional(address, size);
}

/** The hardware fetches words: each is judged by itself. */
template <Params P>
const std::uint8_t* Hart<P>::fetchable(Word address) const {
  if (!admits(AccessKind::kFetch, address & ~Word{3}, 4)) return nullptr;
  return bus_.memory(address, sizeof(std::uint16_t));
}

template <Params P>
void Hart<P>::learn(AccessKind kind, Word address) {
  const Word page = address & ~static_cast<Word>(kPageBytes - 1);
  if (!admits(kind, page, kPageBytes)) return;
  const bool loads = kind == AccessKind::kLoad;
  std::uint8_t* const host = loads ? bus_.memory(page, kPageBytes) : bus_.writable_memory(page, kPageBytes);
  if (host == nullptr) return;
  Tlb& tlb = (loads ? load_tlb_ : store_tlb_)[view_of(privilege_of(kind))];
  tlb[(page / kPageBytes) % kTlbEntries] = {page, reinterpret_cast<std::uintptr_t>(host) - page};
}

template <Params P>
void Hart<P>::follow_rows() {
  if constexpr (P.pmp != 0) {
    if (rows_seen_ == csr_.protection().changes()) return;
    rows_seen_ = csr_.protection().changes();
    flush_all();
  }
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_DOOR_H
