// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a hart is, as compile-time constants: everything in the model that depends on it is a template over Params.
 */
#ifndef TRAPEZE_SIM_MODEL_PARAMS_H
#define TRAPEZE_SIM_MODEL_PARAMS_H

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace trapeze::model {

/** Base and extensions of a hart. A structural type, so that it can be a template argument. */
struct Params {
  unsigned xlen = 32;
  bool embedded = false;  ///< base E: 16 registers
  bool m = false;
  bool c = false;
  bool zba = false;
  bool zbb = false;
  bool zbs = false;
  bool clic = false;   ///< interrupts come from a CLIC, not from a CLINT
  bool fast = false;   ///< with a CLIC: fastirq
  bool valid = false;  ///< the string was understood to its end

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
  constexpr unsigned registers() const { return embedded ? 16 : 32; }
};

/** Parameters from an ISA string such as "rv32imc_zba_zbb_zbs_zicsr_zifencei"; `valid` is false for anything that the
 * model does not implement. Zicsr and Zifencei are always there and need not be named. */
constexpr Params parse_params(std::string_view isa) {
  Params p;
  if (isa.substr(0, 4) != "rv32" || isa.size() < 5 || (isa[4] != 'i' && isa[4] != 'e')) return p;
  p.embedded = isa[4] == 'e';
  std::string_view rest = isa.substr(5);
  while (!rest.empty() && rest[0] != '_') {
    if (rest[0] == 'm') {
      p.m = true;
    } else if (rest[0] == 'c') {
      p.c = true;
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
  kFetchMisaligned = 0,
  kFetchFault = 1,
  kIllegal = 2,
  kBreakpoint = 3,
  kLoadFault = 5,
  kStoreFault = 7,
  kCallFromUser = 8,
  kCallFromMachine = 11,
  kFrameStoreFault = 24,  ///< fastirq
  kFrameLoadFault = 25
};

/** Interrupt codes of the standard interrupts. */
constexpr unsigned kSoftwareInterrupt = 3;
constexpr unsigned kTimerInterrupt = 7;
constexpr unsigned kExternalInterrupt = 11;

/** Privilege modes as encoded in mstatus.MPP. */
constexpr unsigned kUser = 0;
constexpr unsigned kMachine = 3;

/** A point in time that never comes. */
constexpr std::uint64_t kNever = ~std::uint64_t{0};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PARAMS_H
