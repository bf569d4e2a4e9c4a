// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The control and status registers of extension F: fflags, frm, fcsr, and FS and SD in mstatus and sstatus.
 *
 * Sources: Unprivileged ISA 20191213, section 11.2; Privileged ISA 20211203, section 3.1.6.6. FS is Off after a reset;
 * an instruction that raises flags sets FS to Dirty even if they were raised before.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_CSR_FLOAT_H
#define TRAPEZE_SIM_MODEL_ISA_CSR_FLOAT_H

#include <cstdint>
#include <optional>
#include <trapeze/isa.hpp>
#include <type_traits>

#include "model/isa/params.h"

namespace trapeze::model {

using isa::csr::kFcsr;
using isa::csr::kFflags;
using isa::csr::kFrm;

/** A value: it is copied with the CSRs of a snapshot. */
class FloatCsrs {
 public:
  static constexpr unsigned kFlags = 0x1f;      ///< NV DZ OF UF NX, from bit 4 to bit 0
  static constexpr unsigned kLastRounding = 4;  ///< RMM
  static constexpr unsigned kDynamic = 7;       ///< in an instruction: the rounding mode is that of frm

  /** `present`: the hart has F. Without it no register exists, and FS stays Off. */
  explicit FloatCsrs(bool present) : present_(present) {}

  static constexpr bool has_csr(unsigned number) { return number == kFflags || number == kFrm || number == kFcsr; }

  /** FS is Off: instructions and registers of F are illegal. */
  bool off() const { return state_ == isa::mstatus::kFsOff; }
  unsigned rounding() const { return frm_; }
  void set_dirty() { state_ = isa::mstatus::kFsDirty; }
  void raise(unsigned flags) {
    if (flags == 0) return;
    flags_ |= flags;
    set_dirty();
  }

  std::optional<std::uint64_t> read(unsigned number) const {
    if (!present_) return std::nullopt;
    if (number == kFflags) return flags_;
    if (number == kFrm) return frm_;
    if (number == kFcsr) return (std::uint64_t{frm_} << kFrmShift) | flags_;
    return std::nullopt;
  }
  bool write(unsigned number, std::uint64_t value) {
    if (!present_ || !has_csr(number)) return false;
    if (number != kFrm) flags_ = static_cast<unsigned>(value) & kFlags;
    if (number != kFflags) frm_ = static_cast<unsigned>(number == kFcsr ? value >> kFrmShift : value) & 7U;
    set_dirty();
    return true;
  }

  /** FS and SD in their places in mstatus and sstatus of RV64. */
  std::uint64_t status() const {
    const bool dirty = state_ == isa::mstatus::kFsDirty;
    return (std::uint64_t{state_} << isa::mstatus::kFs) | (std::uint64_t{dirty} << isa::mstatus::kSd);
  }
  void write_status(std::uint64_t value) {
    if (present_) state_ = static_cast<unsigned>(value >> isa::mstatus::kFs) & 3U;
  }

 private:
  static constexpr unsigned kFrmShift = 5;

  bool present_;
  unsigned flags_ = 0;
  unsigned frm_ = 0;
  unsigned state_ = isa::mstatus::kFsOff;
};

/** The registers of a kind of hart without F: no state; FS reads zero. */
struct NoFloatCsrs {
  explicit constexpr NoFloatCsrs(bool) {}
  static constexpr bool has_csr(unsigned) { return false; }
  static constexpr std::optional<std::uint64_t> read(unsigned) { return std::nullopt; }
  static constexpr bool write(unsigned, std::uint64_t) { return false; }
  static constexpr std::uint64_t status() { return 0; }
  static constexpr void write_status(std::uint64_t) {}
};

template <Kind K>
using FloatCsrsOf = std::conditional_t<K.f, FloatCsrs, NoFloatCsrs>;

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CSR_FLOAT_H
