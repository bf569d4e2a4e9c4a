// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart that exist for S mode: translation of addresses, caches of translations, sfence.vma.
 *
 * Source: Privileged ISA 20211203, sections 4.2.1 and 4.3.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_SUPERVISOR_H
#define TRAPEZE_SIM_MODEL_ISA_HART_SUPERVISOR_H

#include <algorithm>

#include "kernel/sv39.h"
#include "model/isa/hart.h"
#include "model/isa/hart_door.h"

namespace trapeze::model {

template <Kind K, class Time>
bool Hart<K, Time>::sret_allowed() const {
  if constexpr (!K.supervisor)
    return false;
  else
    return mode_ == kMachine || (mode_ == kSupervisor && !csr_.supervisor().tsr);
}

template <Kind K, class Time>
bool Hart<K, Time>::sfence_allowed() const {
  if constexpr (!K.supervisor)
    return false;
  else
    return mode_ == kMachine || (mode_ == kSupervisor && !csr_.supervisor().tvm);
}

template <Kind K, class Time>
auto Hart<K, Time>::locate(AccessKind kind, Word address) -> Located {
  if constexpr (K.supervisor) {
    const unsigned privilege = privilege_of(kind);
    const SupervisorCsrs& csrs = csr_.supervisor();
    if (privilege == kMachine || !csrs.translates()) return {address, 0};
    const bool writes = kind == AccessKind::kStore || kind == AccessKind::kAmo;
    const sv39::Request request{writes, kind == AccessKind::kFetch, privilege == kUser, csrs.sum, csrs.mxr};
    // Page table entries are accessed with the privilege of S mode, whatever the mode of the access.
    const auto reach = [this](Word place, bool write) -> std::uint8_t* {
      const AccessKind use = write ? AccessKind::kStore : AccessKind::kLoad;
      if (!csr_.protection().allows(use, kSupervisor, place, sv39::kEntryBytes)) return nullptr;
      return write ? bus_.modify(place, sv39::kEntryBytes) : bus_.memory(place, sv39::kEntryBytes);
    };
    const sv39::Walk found = sv39::walk(csrs.satp, address, request, reach);
    if (found.outcome == sv39::Outcome::kPageFault) return {address, page_fault(kind)};
    if (found.outcome == sv39::Outcome::kAccessFault) return {address, access_fault(kind)};
    if (found.large) paging_.large[half_of(address)].add(address);
    return {found.address, 0};
  }
  return {address, 0};
}

template <Kind K, class Time>
void Hart<K, Time>::forget_translations(std::optional<Word> address) {
  if constexpr (K.supervisor) {
    const bool one = address && !paging_.large[half_of(*address)].holds(*address);
    for (unsigned view = 1; view < kViews; ++view) {
      for (auto* tlbs : {&load_tlb_, &store_tlb_}) {
        Tlb& tlb = (*tlbs)[view];
        if (one) {
          tlb[(*address / kPageBytes) % kTlbEntries] = {};
        } else {
          tlb.fill({});
        }
      }
    }
    for (auto* caches : {&fast_, &single_}) {
      for (unsigned view = 1; view < kViews; ++view) {
        BlockCache& cache = (*caches)[view];
        if (!one || cache.paged.is_used(page_of(*address))) forget_places(cache);
      }
    }
    if (!one) paging_.large = {};
  }
}

/** An LR has reserved `word`: pointers for stores to its page are forgotten, whatever virtual address they belong to,
 * so that these stores go through the bus, which looks at reservations. */
template <Kind K, class Time>
void Hart<K, Time>::forget_stores_to(const std::uint8_t* word, Word address) {
  if constexpr (K.supervisor) {
    const auto page = reinterpret_cast<std::uintptr_t>(word) - address % kPageBytes;
    for (Tlb& tlb : store_tlb_) {
      for (TlbEntry& entry : tlb) {
        if (entry.to_host + entry.tag == page) entry = {};
      }
    }
  } else {
    for (Tlb& tlb : store_tlb_) tlb[(address / kPageBytes) % kTlbEntries] = {};
  }
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_SUPERVISOR_H
