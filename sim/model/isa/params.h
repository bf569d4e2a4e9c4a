// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The properties of a hart. Those that make the code of a hart another one are its kind, a compile-time constant: the
 * model is a template over Kind. All others are values, which cost nothing while the hart runs: decoding and registers
 * follow from them.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_PARAMS_H
#define TRAPEZE_SIM_MODEL_ISA_PARAMS_H

#include <cstdint>
#include <string_view>
#include <trapeze/isa.hpp>
#include <type_traits>

#include "kernel/frame_layout.h"

namespace trapeze::model {

/** What a hart is compiled for. A structural type, so that it can be a template argument. */
struct Kind {
  unsigned xlen = 32;
  bool f = false;                ///< RV64; a kind with F and D also makes harts without them
  bool supervisor = false;       ///< RV64 without a CLIC: S mode with Sv39
  bool clic = false;             ///< interrupts come from a CLIC, not from a CLINT
  bool fast = false;             ///< with a CLIC: fastirq
  bool user_interrupts = false;  ///< RV32 with a CLIC: interrupts that user mode handles

  friend bool operator==(const Kind&, const Kind&) = default;
};

/** The whole hart: base and extensions, interrupts, memory protection. */
struct Params : Kind {
  bool embedded = false;  ///< base E: 16 registers
  bool m = false;
  bool a = false;  ///< Zaamo and Zalrsc
  bool c = false;
  bool d = false;  ///< with f
  bool zba = false;
  bool zbb = false;
  bool zbs = false;
  bool zicbom = false;        ///< RV64
  bool uintr = false;         ///< with user_interrupts and A: user interrupts from hart to hart
  bool whole_frames = false;  ///< with fast: frames hold all registers but sp, gp and tp
  unsigned pmp = 0;           ///< rows of physical memory protection: 0 (none), 4, 8 or 16
  unsigned pmp_grain = 0;     ///< its regions are of 2^(grain + 2) bytes and more
  bool smepmp = false;        ///< with rows: mseccfg
  unsigned asid_bits = 16;    ///< with S mode: bits of satp's ASID that exist, from the lowest on
  unsigned triggers = 0;      ///< RV32: 0 to 8
  bool debug = false;         ///< with triggers: debug mode, which they may begin
  bool valid = false;         ///< the string was understood to its end

  constexpr Params with_clic(bool on) const {
    Params p = *this;
    p.clic = on;
    return p;
  }
  constexpr Params with_fast(bool on) const {
    Params p = *this;
    p.fast = on;
    return p;
  }
  constexpr Params with_user_interrupts(bool on) const {
    Params p = *this;
    p.user_interrupts = on;
    return p;
  }
  constexpr Params with_uintr(bool on) const {
    Params p = *this;
    p.uintr = on;
    return p;
  }
  constexpr Params with_pmp(unsigned rows, unsigned grain = 0, bool enhanced = false) const {
    Params p = *this;
    p.pmp = rows;
    p.pmp_grain = rows != 0 ? grain : 0;
    p.smepmp = rows != 0 && enhanced;
    return p;
  }
  constexpr Params with_triggers(unsigned number, bool begin_debug_mode = false) const {
    Params p = *this;
    p.triggers = number;
    p.debug = number != 0 && begin_debug_mode;
    return p;
  }
  constexpr Params with_supervisor(bool on) const {
    Params p = *this;
    p.supervisor = on;
    return p;
  }
  constexpr unsigned registers() const { return embedded ? 16 : 32; }
  /** The bits of an instruction's address that are zero. */
  constexpr unsigned zero_bits() const { return c ? 1 : 3; }
};

constexpr Kind kind_of(const Params& params) {
  return params;
}

/** Parameters from an ISA string such as "rv32imac_zba_zbb_zbs_zicsr_zifencei"; `valid` is false for anything that the
 * model does not implement. Zicsr and Zifencei are always there and need not be named; sv39 comes with supervisor mode.
 * RV64E is not implemented. */
constexpr Params parse_params(std::string_view isa) {
  Params p;
  const std::string_view width = isa.substr(0, 4);
  if (width != "rv32" && width != "rv64") return p;
  p.xlen = width == "rv64" ? 64 : 32;
  if (isa.size() < 5 || (isa[4] != 'i' && (isa[4] != 'e' || p.xlen != 32))) return p;
  p.embedded = isa[4] == 'e';
  std::string_view rest = isa.substr(5);
  while (!rest.empty() && rest[0] != '_') {
    if (rest[0] == 'm') {
      p.m = true;
    } else if (rest[0] == 'a') {
      p.a = true;
    } else if (rest[0] == 'c') {
      p.c = true;
    } else if (rest[0] == 'f' && p.xlen == 64) {
      p.f = true;
    } else if (rest[0] == 'd' && p.xlen == 64) {
      p.f = p.d = true;
    } else {
      return p;
    }
    rest.remove_prefix(1);
  }
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view word = rest.substr(0, rest.find('_'));
    rest.remove_prefix(word.size());
    if (word == "zba") {
      p.zba = true;
    } else if (word == "zbb") {
      p.zbb = true;
    } else if (word == "zbs") {
      p.zbs = true;
    } else if (word == "zicbom" && p.xlen == 64) {
      p.zicbom = true;
    } else if (word == "sv39" && p.xlen == 64) {
      p.supervisor = true;
    } else if (word == kWholeFrames && p.xlen == 32) {
      p.whole_frames = true;
    } else if (word != "zicsr" && word != "zifencei") {
      return p;
    }
  }
  p.valid = true;
  return p;
}

/** Unsigned register type of a width. */
template <unsigned kXlen>
using Register = std::conditional_t<kXlen == 64, std::uint64_t, std::uint32_t>;

/** Exception codes (Privileged ISA 20211203, table 3.6). */
enum Cause : unsigned {
  kFetchMisaligned = isa::exception::kFetchMisaligned,
  kFetchFault = isa::exception::kFetchFault,
  kIllegal = isa::exception::kIllegalInstruction,
  kBreakpoint = isa::exception::kBreakpoint,
  kLoadMisaligned = isa::exception::kLoadMisaligned,  ///< LR only: loads need no alignment
  kLoadFault = isa::exception::kLoadFault,
  kStoreMisaligned = isa::exception::kStoreMisaligned,  ///< SC and AMO only
  kStoreFault = isa::exception::kStoreFault,
  kCallFromUser = isa::exception::kEcallU,
  kCallFromSupervisor = isa::exception::kEcallS,
  kCallFromMachine = isa::exception::kEcallM,
  kFetchPageFault = isa::exception::kFetchPageFault,
  kLoadPageFault = isa::exception::kLoadPageFault,
  kStorePageFault = isa::exception::kStorePageFault,
  kFrameStoreFault = isa::exception::kFrameStoreFault,  ///< fastirq
  kFrameLoadFault = isa::exception::kFrameLoadFault,
  kSendFault = isa::exception::kSendFault  ///< senduipi
};

/** Interrupt codes of the standard interrupts. */
constexpr unsigned kSoftwareInterrupt = isa::interrupt::kSoftware;
constexpr unsigned kTimerInterrupt = isa::interrupt::kTimer;
constexpr unsigned kExternalInterrupt = isa::interrupt::kExternal;

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_PARAMS_H
