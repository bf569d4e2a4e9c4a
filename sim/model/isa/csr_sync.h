// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The CSRs behind whose access the loop of a hart ends (Leave::kSync), because what the hart does next may be another
 * thing: an interrupt may be due, or accesses may have another privilege.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_CSR_SYNC_H
#define TRAPEZE_SIM_MODEL_ISA_CSR_SYNC_H

#include <array>
#include <cstdint>
#include <trapeze/isa.hpp>

#include "model/isa/params.h"

namespace trapeze::model {

/** The harts that a row of the table is for. */
enum class SyncOn : std::uint8_t {
  kAll,
  kClic,            ///< with a CLIC
  kUserInterrupts,  ///< with interrupts that user mode handles
  kSupervisorMode,  ///< with S mode
  kRows             ///< with rows of memory protection: a value of Params, not of Kind
};

/** CSRs from `first` on. A register that a hart does not have is never accessed, so its row is for all harts. */
struct SyncRow {
  unsigned first;
  unsigned count;
  SyncOn harts;
};

constexpr SyncRow kSyncsBehindWrite[] = {
    // Interrupts that are due, or counters that stop.
    {isa::csr::kMstatus, 1, SyncOn::kAll},
    {isa::csr::kMie, 1, SyncOn::kAll},
    {isa::csr::kMcountinhibit, 1, SyncOn::kAll},
    {isa::csr::kMintthresh, 1, SyncOn::kClic},
    {isa::csr::kUstatus, 1, SyncOn::kUserInterrupts},
    {isa::csr::kUintthresh, 1, SyncOn::kUserInterrupts},
    {isa::csr::kMuirr, 1, SyncOn::kUserInterrupts},
    {isa::csr::kMuirrh, 1, SyncOn::kUserInterrupts},
    {isa::csr::kMip, 1, SyncOn::kSupervisorMode},
    {isa::csr::kMideleg, 1, SyncOn::kSupervisorMode},
    {isa::csr::kSstatus, 1, SyncOn::kSupervisorMode},
    {isa::csr::kSie, 1, SyncOn::kSupervisorMode},
    {isa::csr::kSip, 1, SyncOn::kSupervisorMode},
    // Triggers match from the next instruction on.
    {isa::csr::kTselect, 3, SyncOn::kAll},
    // Accesses are allowed or translated otherwise from the next instruction on. With a CLIC mcause has MPP.
    {isa::csr::kSatp, 1, SyncOn::kSupervisorMode},
    {isa::csr::kMcause, 1, SyncOn::kRows},
    {isa::csr::kPmpcfg0, 16, SyncOn::kRows},
    {isa::csr::kPmpaddr0, 64, SyncOn::kRows},
    {isa::csr::kMseccfg, 1, SyncOn::kRows},
    {isa::csr::kMseccfgh, 1, SyncOn::kRows},
};

/** A turn ends behind a read of time. The hart goes on when all others have reached that time, so that none of them
 * sees what it does with the value before that. */
constexpr SyncRow kSyncsBehindRead[] = {
    {isa::csr::kTime, 1, SyncOn::kSupervisorMode},
};

/** The rows for a kind of hart, by the number of the CSR. */
template <Kind K>
class SyncTable {
 public:
  constexpr SyncTable() {
    for (const SyncRow& row : kSyncsBehindWrite) add(row, kWrite);
    for (const SyncRow& row : kSyncsBehindRead) add(row, kRead);
  }

  /** Whether the loop ends behind an access. `rows`: the hart has memory protection. */
  constexpr bool ends(unsigned number, bool writes, bool rows) const {
    const unsigned meets = kRead | (writes ? kWrite : 0U) | (writes && rows ? kWriteWithRows : 0U);
    return (on_[number] & meets) != 0;
  }

 private:
  static constexpr std::uint8_t kRead = 1, kWrite = 2, kWriteWithRows = 4;

  static constexpr bool has(SyncOn harts) {
    switch (harts) {
      case SyncOn::kClic:
        return K.clic;
      case SyncOn::kUserInterrupts:
        return K.user_interrupts;
      case SyncOn::kSupervisorMode:
        return K.supervisor;
      case SyncOn::kAll:
      case SyncOn::kRows:
        break;
    }
    return true;
  }
  constexpr void add(const SyncRow& row, std::uint8_t access) {
    if (!has(row.harts)) return;
    for (unsigned number = row.first; number < row.first + row.count; ++number) {
      on_[number] |= row.harts == SyncOn::kRows ? kWriteWithRows : access;
    }
  }

  std::array<std::uint8_t, 4096> on_{};
};

template <Kind K>
inline constexpr SyncTable<K> kSyncTable{};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CSR_SYNC_H
