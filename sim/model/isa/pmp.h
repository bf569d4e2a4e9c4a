// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Physical memory protection of a hart: its rows, their registers, and which accesses they allow. What a row matches
 * and gives is in `kernel/pmp.h`.
 *
 * Sources: Privileged ISA 20211203, section 3.7 (PMP); Smepmp 1.0 (mseccfg: MML, MMWP, RLB). A value: it is copied with
 * the CSRs of a snapshot.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_PMP_H
#define TRAPEZE_SIM_MODEL_ISA_PMP_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <trapeze/isa.hpp>

#include "kernel/pmp.h"
#include "model/isa/params.h"
#include "model/memory/access.h"

namespace trapeze::model {

using isa::csr::kMseccfg;
using isa::csr::kMseccfgh;
using isa::csr::kPmpaddr0;
using isa::csr::kPmpcfg0;

/** All fields of a row's byte in pmpcfg. */
constexpr std::uint8_t kPmpFields =
    isa::pmpcfg::kR | isa::pmpcfg::kW | isa::pmpcfg::kX | isa::pmpcfg::kA | isa::pmpcfg::kL;

/** The rights that an access needs. LR is a load, SC is a store; a vector table entry is executed. */
constexpr pmp::Rights wanted(AccessKind kind) {
  switch (kind) {
    case AccessKind::kFetch:
    case AccessKind::kTable:
      return {false, false, true};
    case AccessKind::kLoad:
    case AccessKind::kFrameLoad:
    case AccessKind::kTarget:
    case AccessKind::kUserFrameLoad:
      return {true, false, false};
    case AccessKind::kStore:
    case AccessKind::kFrameStore:
    case AccessKind::kUserFrameStore:
      return {false, true, false};
    case AccessKind::kAmo:
    case AccessKind::kPost:
      return {true, true, false};
  }
  return {true, true, true};
}

/** Registers of `kXlen` bits. */
template <unsigned kXlen = 32>
class Pmp {
 public:
  using Word = Register<kXlen>;

  /** `rows` rows, 0, 4, 8 or 16, for regions of 2^(grain + 2) bytes and more, which are within 32 bits of address: the
   * grain is less than 30; `smepmp`: with mseccfg. Without rows there are no registers, and all is allowed. */
  explicit Pmp(unsigned rows = 0, unsigned grain = 0, bool smepmp = false)
      : rows_(rows), grain_(grain), smepmp_(smepmp) {}

  bool exists() const { return rows_ != 0; }

  /** Whether the register exists. The registers of 16 rows always exist; those of rows that are not built read zero.
   * RV64 has no odd pmpcfg. */
  bool has_csr(unsigned number) const {
    if (!exists()) return false;
    return (number >= kPmpcfg0 && number < kPmpcfg0 + kSlots / 4 && (kXlen == 32 || number % 2 == 0)) ||
           (number >= kPmpaddr0 && number < kPmpaddr0 + kSlots) ||
           (smepmp_ && (number == kMseccfg || (kXlen == 32 && number == kMseccfgh)));
  }
  /** Value of a register, or nothing if it does not exist. */
  std::optional<Word> read(unsigned number) const {
    if (!has_csr(number)) return std::nullopt;
    if (number == kMseccfg) return security_;
    if (number == kMseccfgh) return 0;
    if (number >= kPmpaddr0) return number - kPmpaddr0 < rows_ ? address(number - kPmpaddr0) : 0;
    Word value = 0;
    const unsigned first = 4 * (number - kPmpcfg0);
    for (unsigned i = 0; i < kXlen / 8 && first + i < rows_; ++i) value |= Word{config_[first + i]} << (8 * i);
    return value;
  }
  /** Writes a register. Returns false if it does not exist. */
  bool write(unsigned number, Word value) {
    if (!has_csr(number)) return false;
    if (number == kMseccfg) {
      write_security(static_cast<std::uint32_t>(value));
    } else if (number >= kPmpaddr0 && number < kPmpaddr0 + kSlots) {
      write_address(number - kPmpaddr0, value);
    } else if (number >= kPmpcfg0 && number < kPmpcfg0 + kSlots / 4) {
      const unsigned first = 4 * (number - kPmpcfg0);
      for (unsigned i = 0; i < kXlen / 8 && first + i < rows_; ++i) {
        write_config(first + i, static_cast<std::uint8_t>(value >> (8 * i)));
      }
    }
    find_regions();
    ++changes_;
    return true;
  }

  /** Whether an access to `size` bytes from `first` is allowed. The first row that holds one of the bytes decides; it
   * refuses the access if it does not hold all of them. With addresses of 32 bits an access at the end goes on at 0;
   * with 64 bits no row lies at the end. */
  bool allows(AccessKind kind, unsigned privilege, Word first, Word size) const {
    if (!exists()) return true;
    const bool machine = privilege == kMachine;
    const std::uint64_t end = std::uint64_t{first} + size;
    for (unsigned i = 0; i < rows_; ++i) {
      std::uint64_t held = 0;
      if constexpr (kXlen == 32) {
        held = regions_[i].overlap(first, std::min(end, kSpace));
        if (end > kSpace) held += regions_[i].overlap(0, end - kSpace);
      } else {
        held = regions_[i].overlap(first, end);
      }
      if (held == 0) continue;
      return held == size && pmp::given(config_[i], security_).to(machine).cover(wanted(kind));
    }
    return pmp::elsewhere(security_).to(machine).cover(wanted(kind));
  }

  /** Grows with each write of a register. A hart must forget the pointers that it has found before. */
  std::uint64_t changes() const { return changes_; }

 private:
  static constexpr unsigned kSlots = 16;
  static constexpr std::uint64_t kSpace = std::uint64_t{1} << 32;
  static constexpr Word kAddress = kXlen == 64 ? static_cast<Word>((std::uint64_t{1} << 54) - 1) : ~Word{0};

  Word below_grain() const { return (Word{1} << grain_) - 1; }  ///< bits of pmpaddr that TOR ignores
  Word power_ones() const { return below_grain() >> 1; }        ///< bits of pmpaddr that are ones for NAPOT
  bool lockdown() const { return (security_ & pmp::kLockdown) != 0; }
  bool bypass() const { return (security_ & pmp::kBypass) != 0; }
  std::uint8_t matching(unsigned row) const { return config_[row] & isa::pmpcfg::kA; }
  bool locked(unsigned row) const { return (config_[row] & isa::pmpcfg::kL) != 0; }

  /** Value that pmpaddr reads. The bits below the grain depend on the kind of matching; the register keeps what was
   * written there. */
  Word address(unsigned row) const {
    return matching(row) >= isa::pmpcfg::kANa4 ? addresses_[row] | power_ones() : addresses_[row] & ~below_grain();
  }
  void write_address(unsigned row, Word value) {
    if (row >= rows_) return;
    const bool bounds_locked = row + 1 < rows_ && locked(row + 1) &&
                               matching(row + 1) == isa::pmpcfg::kATor;  // it is the beginning of the next row
    if (bypass() || (!locked(row) && !bounds_locked)) addresses_[row] = value & kAddress;
  }
  void write_config(unsigned row, std::uint8_t value) {
    using namespace isa::pmpcfg;
    if (locked(row) && !bypass()) return;
    value &= kPmpFields;
    if (!lockdown() && (value & kR) == 0) value &= static_cast<std::uint8_t>(~kW);
    if (grain_ != 0 && (value & kA) == kANa4) value &= static_cast<std::uint8_t>(~kA);
    // Smepmp, section 2.1, 4.b: under lockdown machine mode gets no more code.
    const bool adds_code = (value & kL) != 0 && pmp::given(value, pmp::kLockdown).machine.execute;
    if (lockdown() && !bypass() && adds_code) return;
    config_[row] = value;
  }
  void write_security(std::uint32_t value) {
    using pmp::kBypass, pmp::kLockdown, pmp::kWhitelist;
    bool any_locked = false;
    for (unsigned i = 0; i < rows_; ++i) any_locked |= locked(i);
    const std::uint32_t held = bypass() || !any_locked ? value & kBypass : 0;
    security_ = (security_ & ~kBypass) | held | (value & (kLockdown | kWhitelist));
  }
  void find_regions() {
    for (unsigned i = 0; i < rows_; ++i) {
      regions_[i] = pmp::region(config_[i], address(i), i == 0 ? 0 : addresses_[i - 1] & ~below_grain());
    }
  }

  unsigned rows_;
  unsigned grain_;
  bool smepmp_;
  std::array<std::uint8_t, kSlots> config_{};
  std::array<Word, kSlots> addresses_{};
  std::array<pmp::Region, kSlots> regions_{};
  std::uint32_t security_ = 0;  ///< mseccfg
  std::uint64_t changes_ = 0;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_PMP_H
