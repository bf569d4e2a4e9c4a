// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The door of a hart: its only way to memory. The privilege of an access follows from its kind. Then the address is
 * translated, and memory protection judges the access (pmp.h). On a hart without these an access is only a call of the
 * bus. The door keeps pointers to the pages of data that loads and stores may access without asking again.
 *
 * Sources: Privileged ISA 20211203, sections 3.1.6.3 (MPRV), 3.7 (PMP), 4.2.1 and 4.3 (Sv39).
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_DOOR_H
#define TRAPEZE_SIM_MODEL_ISA_DOOR_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "kernel/sv39.h"
#include "model/isa/csr.h"
#include "model/isa/of_time.h"
#include "model/isa/paging.h"
#include "model/memory/bus.h"

namespace trapeze::model {

/** `Time`: with a policy of time other than the number of instructions, a pointer also has the physical address. */
template <Kind K, class Time>
class Door {
 public:
  using Word = Register<K.xlen>;

  /** Number of sets of pointers, and of decoded code. With memory protection each privilege has its own set, because
   * what one may access another may not. With S mode there are those of machine, S and U mode, and one for data that S
   * mode accesses with SUM. */
  static constexpr unsigned kViews = K.supervisor ? 4 : 2;

  /** A page of data. */
  struct Page {
    Word tag = kNoTag;
    std::uintptr_t to_host = 0;  ///< sum of this and an address: where the byte is in the host's memory
    [[no_unique_address]] ForTime<Time, Word> to_physical{};  ///< the same: its physical address

    /** Whether an aligned access is in the page. */
    bool has(Word address, unsigned size) const {
      return tag == (address & (~static_cast<Word>(kPageBytes - 1) | (size - 1)));
    }
    std::uint8_t* at(Word address) const { return reinterpret_cast<std::uint8_t*>(to_host + address); }
  };
  /** Pages of one view, by their numbers. */
  class Pages {
   public:
    const Page& of(Word address) const { return pages_[index(address)]; }

   private:
    friend class Door;
    static constexpr std::size_t kEntries = 256;
    static constexpr std::size_t index(Word address) { return (address / kPageBytes) % kEntries; }
    std::array<Page, kEntries> pages_{};
  };

  /** The physical address of a byte, or the exception that its translation raises. */
  struct Located {
    Word address = 0;    ///< physical
    unsigned cause = 0;  ///< exception, 0: none
  };
  /** Where the bytes of an access are: `head` bytes from `first` on, the others from `second` on. */
  struct Span {
    Word first = 0;
    Word second = 0;
    unsigned head = 0;
    unsigned cause = 0;  ///< exception, 0: none
    Word tval = 0;       ///< its value

    Word at(unsigned done) const {
      if constexpr (!K.supervisor) return first + static_cast<Word>(done);
      return done < head ? first + done : second + (done - head);
    }
  };
  /** What is no longer valid of all that a hart keeps. */
  enum class Stale : std::uint8_t { kNothing, kTranslations, kAll };

  /** `mode`: the hart's, which changes; `number`: the hart's among those of the platform. */
  Door(Bus& bus, const CsrFile<K>& csr, const unsigned& mode, unsigned number)
      : bus_(bus), csr_(csr), mode_(mode), number_(number) {}
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  // --- accesses

  unsigned privilege_of(AccessKind kind) const;
  /** Whether the addresses of such an access are virtual. */
  bool translates(AccessKind kind) const;
  Located locate(AccessKind kind, Word address);
  Span span(AccessKind kind, Word address, unsigned size);
  /** Whether memory protection allows an access, which is judged as a whole. */
  bool admits(AccessKind kind, Word address, Word size) const {
    return csr_.protection().allows(kind, privilege_of(kind), address, size);
  }
  /** Host address for a read from memory. Null: the access is not allowed, or no memory is there. */
  const std::uint8_t* readable(AccessKind kind, Word address, unsigned size) const {
    return admits(kind, address, size) ? bus_.memory(address, size) : nullptr;
  }
  /** AMO, or a word of a frame. */
  std::uint8_t* modifiable(AccessKind kind, Word address, unsigned size) {
    return admits(kind, address, size) ? bus_.modify(address, size) : nullptr;
  }
  /** Host address of the half-word of code at a physical address; null: it may not be fetched. The hardware fetches
   * words, so the word that holds it is judged, by itself. */
  const std::uint8_t* fetchable(Word address) const {
    return admits(AccessKind::kFetch, address & ~Word{3}, 4) ? bus_.memory(address, sizeof(std::uint16_t)) : nullptr;
  }

  // --- pointers to pages

  /** The set of a privilege. */
  unsigned view_of(unsigned privilege) const {
    if constexpr (K.supervisor) return privilege == kMachine ? 0 : privilege == kSupervisor ? 1 : 2;
    return csr_.protection().exists() && privilege != kMachine ? 1 : 0;
  }
  /** The set for loads and stores of the program, as it is now. */
  unsigned view_of_data() const;
  const Pages& loads(unsigned view) const { return loads_[view]; }
  const Pages& stores(unsigned view) const { return stores_[view]; }
  /** Keeps the host address of the page that holds `address`, if all of the page may be accessed so. `physical`: the
   * translated address. */
  void learn(AccessKind kind, Word address, Word physical);

  void forget();
  /** sfence.vma of an address, or of all. Returns the address if it is enough to forget that of code, too. */
  std::optional<Word> forget_translations(std::optional<Word> address);
  /** An LR has reserved `word`: pointers for stores to its page are forgotten, whatever virtual address they belong to,
   * so that these stores go through the bus, which looks at reservations. */
  void forget_stores_to(const std::uint8_t* word, Word address);
  /** Forgets pointers that are no longer valid, because rows of protection or translations have changed or another hart
   * has made an LR. Returns what is no longer valid of code. */
  Stale follow() {
    if (reservations_seen_ != bus_.reservations().changes()) follow_reservations();
    Stale stale = Stale::kNothing;
    if constexpr (K.supervisor) {
      if (paging_.seen != csr_.supervisor().changes) {
        paging_.seen = csr_.supervisor().changes;
        forget_translations(std::nullopt);
        stale = Stale::kTranslations;
      }
    }
    if (rows_seen_ == csr_.protection().changes()) return stale;
    rows_seen_ = csr_.protection().changes();
    forget();
    return Stale::kAll;
  }

 private:
  static constexpr Word kNoTag = 0x10;  // a bit that Page::has() never asks for
  static constexpr unsigned kViewOfSum = 3;

  static constexpr unsigned half_of(Word address) { return static_cast<unsigned>(address >> (K.xlen - 1)); }
  static constexpr unsigned access_fault(AccessKind kind) {
    if (kind == AccessKind::kFetch) return kFetchFault;
    return kind == AccessKind::kLoad ? kLoadFault : kStoreFault;
  }
  static constexpr unsigned page_fault(AccessKind kind) {
    if (kind == AccessKind::kFetch) return kFetchPageFault;
    return kind == AccessKind::kLoad ? kLoadPageFault : kStorePageFault;
  }
  void follow_reservations();

  Bus& bus_;
  const CsrFile<K>& csr_;
  const unsigned& mode_;
  unsigned number_;
  std::array<Pages, kViews> loads_{};
  std::array<Pages, kViews> stores_{};
  std::uint64_t rows_seen_ = 0;          ///< number of changes of protection at which the pointers were last forgotten
  std::uint64_t reservations_seen_ = 0;  ///< number of LRs at which the pointers for stores were last forgotten
  [[no_unique_address]] std::conditional_t<K.supervisor, Paging, NoPaging> paging_;
};

// --- accesses

template <Kind K, class Time>
unsigned Door<K, Time>::privilege_of(AccessKind kind) const {
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
bool Door<K, Time>::translates(AccessKind kind) const {
  if constexpr (K.supervisor) return privilege_of(kind) != kMachine && csr_.supervisor().translates();
  return false;
}

template <Kind K, class Time>
auto Door<K, Time>::locate(AccessKind kind, Word address) -> Located {
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
auto Door<K, Time>::span(AccessKind kind, Word address, unsigned size) -> Span {
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

// --- pointers to pages

template <Kind K, class Time>
unsigned Door<K, Time>::view_of_data() const {
  const unsigned privilege = privilege_of(AccessKind::kLoad);
  if constexpr (K.supervisor) {
    if (privilege == kSupervisor && csr_.supervisor().sum) return kViewOfSum;
  }
  return view_of(privilege);
}

template <Kind K, class Time>
void Door<K, Time>::learn(AccessKind kind, Word address, Word physical) {
  constexpr Word kInPage = kPageBytes - 1;
  const Word page = address & ~kInPage;
  const Word there = physical & ~kInPage;
  if (!admits(kind, there, kPageBytes) || bus_.observed(there)) return;
  const bool loads = kind == AccessKind::kLoad;
  std::uint8_t* const host = loads ? bus_.memory(there, kPageBytes) : bus_.writable_memory(there, kPageBytes);
  if (host == nullptr) return;
  Page& entry = (loads ? loads_ : stores_)[view_of_data()].pages_[Pages::index(page)];
  entry.tag = page;
  entry.to_host = reinterpret_cast<std::uintptr_t>(host) - page;
  if constexpr (!Time::kIsCount) entry.to_physical = there - page;
}

template <Kind K, class Time>
void Door<K, Time>::forget() {
  for (auto* const sets : {&loads_, &stores_}) {
    for (Pages& set : *sets) set.pages_.fill({});
  }
}

template <Kind K, class Time>
auto Door<K, Time>::forget_translations(std::optional<Word> address) -> std::optional<Word> {
  if constexpr (K.supervisor) {
    if (address && paging_.large[half_of(*address)].holds(*address)) address.reset();
    for (auto* const sets : {&loads_, &stores_}) {
      for (unsigned view = 1; view < kViews; ++view) {
        auto& pages = (*sets)[view].pages_;
        if (address) {
          pages[Pages::index(*address)] = {};
        } else {
          pages.fill({});
        }
      }
    }
    if (!address) paging_.large = {};
  }
  return address;
}

template <Kind K, class Time>
void Door<K, Time>::forget_stores_to(const std::uint8_t* word, Word address) {
  if constexpr (K.supervisor) {
    const auto page = reinterpret_cast<std::uintptr_t>(word) - address % kPageBytes;
    for (Pages& set : stores_) {
      for (Page& entry : set.pages_) {
        if (entry.to_host + entry.tag == page) entry = {};
      }
    }
  } else {
    for (Pages& set : stores_) set.pages_[Pages::index(address)] = {};
  }
}

template <Kind K, class Time>
void Door<K, Time>::follow_reservations() {
  reservations_seen_ = bus_.reservations().changes();
  bus_.reservations().of_others(number_, [this](const std::uint8_t* word) {
    const auto place = reinterpret_cast<std::uintptr_t>(word);
    for (Pages& set : stores_) {
      for (Page& entry : set.pages_) {
        const std::uintptr_t page = entry.to_host + entry.tag;
        if (entry.tag != kNoTag && place >= page && place - page < kPageBytes) entry = {};
      }
    }
  });
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_DOOR_H
