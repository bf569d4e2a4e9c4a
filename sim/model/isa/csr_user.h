// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The registers of the interrupts that one mode handles, as a view that has the same form for machine mode and user
 * mode; and the registers of user mode themselves.
 *
 * Sources: docs/user-level-interrupts.md; RISC-V Fast Interrupts at commit 5f5f98d, section suclic. RV32 alone.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_CSR_USER_H
#define TRAPEZE_SIM_MODEL_ISA_CSR_USER_H

#include <cstdint>
#include <optional>
#include <trapeze/isa.hpp>
#include <type_traits>

#include "model/isa/csr_clic.h"
#include "model/isa/fast.h"
#include "model/isa/params.h"

namespace trapeze::model {

using isa::csr::kUcause;
using isa::csr::kUepc;
using isa::csr::kUfastirq;
using isa::csr::kUframe;
using isa::csr::kUie;
using isa::csr::kUintstatus;
using isa::csr::kUintthresh;
using isa::csr::kUip;
using isa::csr::kUnxti;
using isa::csr::kUscratch;
using isa::csr::kUscratchcswl;
using isa::csr::kUstatus;
using isa::csr::kUtval;
using isa::csr::kUtvec;
using isa::csr::kUtvt;

/** References to the registers of the interrupts that one mode handles. */
template <typename Word>
struct TrapRegisters {
  bool& on;           ///< xIE
  bool& previous_on;  ///< xPIE
  Word& handler;      ///< xtvec without its mode bits
  Word& scratch;
  Word& epc;
  Word& cause;  ///< interrupt bit and code
  ClicCsrs& clic;
  FastControl& fast;
};

/** The registers of user mode. */
template <Kind K>
class UserCsrs {
 public:
  static_assert(K.xlen == 32 && K.clic, "user-level interrupts are those of a CLIC, and described for RV32 alone");

  UserCsrs(const Params& params, unsigned sources)
      : clic(sources), epc_bits_(~params.zero_bits()), cause_bits_(kCause | (params.uintr ? kPosted : 0)) {}

  std::optional<std::uint32_t> read(unsigned number) const;
  /** Writes a register that is not read-only by its number. Returns false if it does not exist. */
  bool write(unsigned number, std::uint32_t value);

  /** UIE and UPIE, in their places in ustatus and mstatus. */
  std::uint32_t status() const {
    return (std::uint32_t{on} << isa::ustatus::kUie) | (std::uint32_t{previous_on} << isa::ustatus::kUpie);
  }
  void write_status(std::uint32_t value) {
    on = ((value >> isa::ustatus::kUie) & 1U) != 0;
    previous_on = ((value >> isa::ustatus::kUpie) & 1U) != 0;
  }
  std::uint32_t level() const { return std::uint32_t{clic.level} << isa::uintstatus::kUil; }
  /** ucause with all its fields. */
  std::uint32_t whole_cause() const {
    return cause | (std::uint32_t{clic.in_vector} << isa::ucause::kUinhv) |
           (std::uint32_t{previous_on} << isa::ucause::kUpie) |
           (std::uint32_t{clic.previous_level} << isa::ucause::kUpil);
  }
  void set_epc(std::uint32_t value) { epc = value & epc_bits_; }
  void write_cause(std::uint32_t value) {
    cause = value & cause_bits_;
    clic.in_vector = ((value >> isa::ucause::kUinhv) & 1U) != 0;
    previous_on = ((value >> isa::ucause::kUpie) & 1U) != 0;
    clic.previous_level = static_cast<std::uint8_t>(value >> isa::ucause::kUpil);
  }

  /** Entry of an interrupt from `pc`. `code`: code for ucause, with its bit `posted`. The caller sets the level
   * afterwards. Returns the handler's address. */
  std::uint32_t enter(std::uint32_t code, std::uint32_t pc) {
    epc = pc;
    cause = kInterrupt | code;
    trap_value = 0;
    previous_on = on;
    on = false;
    clic.previous_level = clic.level;
    return handler;
  }
  /** uret; returns the address. */
  std::uint32_t leave() {
    on = previous_on;
    previous_on = true;
    clic.level = clic.previous_level;
    return epc;
  }

  TrapRegisters<std::uint32_t> registers() { return {on, previous_on, handler, scratch, epc, cause, clic, fast}; }

  bool on = false;           ///< ustatus.UIE
  bool previous_on = false;  ///< ustatus.UPIE
  std::uint32_t handler = 0;
  std::uint32_t scratch = 0;
  std::uint32_t epc = 0;
  std::uint32_t cause = 0;
  std::uint32_t trap_value = 0;  ///< utval
  ClicCsrs clic;
  FastControl fast;

 private:
  static constexpr std::uint32_t kInterrupt = 1U << isa::ucause::interrupt(K.xlen);
  static constexpr std::uint32_t kCause = kInterrupt | ((1U << isa::ucause::kCodeWidth) - 1);
  static constexpr std::uint32_t kPosted = 1U << isa::ucause::kPosted;

  std::uint32_t epc_bits_;    ///< the bits that uepc has
  std::uint32_t cause_bits_;  ///< the bits of ucause that `cause` holds
};

template <Kind K>
std::optional<std::uint32_t> UserCsrs<K>::read(unsigned number) const {
  switch (number) {
    case kUstatus:
      return status();
    case kUie:
    case kUip:
      return 0;
    case kUtvec:
      return handler | ClicCsrs::kMode;
    case kUtvt:
      return clic.table;
    case kUscratch:
      return scratch;
    case kUepc:
      return epc;
    case kUcause:
      return whole_cause();
    case kUtval:
      return trap_value;
    case kUintthresh:
      return clic.threshold;
    case kUintstatus:
      return level();
    case kUfastirq:
      if constexpr (K.fast) return fast.value;
      return std::nullopt;
    case kUframe:
      if constexpr (K.fast) return 0;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

template <Kind K>
bool UserCsrs<K>::write(unsigned number, std::uint32_t value) {
  switch (number) {
    case kUstatus:
      write_status(value);
      return true;
    case kUie:
    case kUip:
      return true;
    case kUtvec:
      handler = value & ~(ClicCsrs::kVectorAlignment - 1);
      return true;
    case kUtvt:
      clic.set_table(value);
      return true;
    case kUscratch:
      scratch = value;
      return true;
    case kUepc:
      set_epc(value);
      return true;
    case kUcause:
      write_cause(value);
      return true;
    case kUtval:
      trap_value = value;
      return true;
    case kUintthresh:
      clic.threshold = static_cast<std::uint8_t>(value);
      return true;
    case kUfastirq:
      if constexpr (K.fast) fast.value = value;
      return K.fast;
    case kUframe:  // a hint: what euret does is the same
      return K.fast;
    default:
      return false;
  }
}

/** The registers of a hart on which machine mode handles all interrupts: none, and no state. */
struct NoUserCsrs {
  constexpr NoUserCsrs(const Params&, unsigned) {}
  static constexpr std::optional<std::uint32_t> read(unsigned) { return std::nullopt; }
  static constexpr bool write(unsigned, std::uint32_t) { return false; }
  static constexpr std::uint32_t status() { return 0; }
  static constexpr void write_status(std::uint32_t) {}
  static constexpr std::uint32_t level() { return 0; }
};

template <Kind K, bool kUserInterrupts = K.user_interrupts>
struct UserCsrsOf {
  using Type = NoUserCsrs;
};
template <Kind K>
struct UserCsrsOf<K, true> {
  using Type = UserCsrs<K>;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CSR_USER_H
