// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Physical memory protection: what a row matches and what it gives to whom, for the model and for debuggers. The module
 * has no state: the caller has the registers.
 *
 * Sources: Privileged ISA 20211203, section 3.7 (PMP); Smepmp 1.0 (mseccfg: MML, MMWP, RLB).
 */
#ifndef TRAPEZE_SIM_KERNEL_PMP_H
#define TRAPEZE_SIM_KERNEL_PMP_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <trapeze/isa.hpp>

namespace trapeze::pmp {

/** Bits of mseccfg. */
constexpr std::uint32_t kLockdown = 1U << isa::mseccfg::kMml, kWhitelist = 1U << isa::mseccfg::kMmwp,
                        kBypass = 1U << isa::mseccfg::kRlb;

/** The three rights that an access needs and a row gives. */
struct Rights {
  bool read = false;
  bool write = false;
  bool execute = false;

  constexpr bool cover(const Rights& wanted) const {
    return (read || !wanted.read) && (write || !wanted.write) && (execute || !wanted.execute);
  }
};

/** Rights by their letters, as "R-X". */
constexpr Rights letters(const char (&text)[4]) {
  return {text[0] == 'R', text[1] == 'W', text[2] == 'X'};
}

/** The rights of machine mode, and of supervisor and user mode. */
struct Given {
  Rights machine;
  Rights user;

  constexpr const Rights& to(bool machine_mode) const { return machine_mode ? machine : user; }
};

/** The rights that a row gives while mseccfg.MML is set, by its bits L, R, W, X (Smepmp, section 2.1, truth table). */
constexpr std::array<Given, 16> kTruth = {{
    /* 0 ---  */ {letters("---"), letters("---")},
    /* 0 --X  */ {letters("---"), letters("--X")},
    /* 0 -W-  */ {letters("RW-"), letters("R--")},
    /* 0 -WX  */ {letters("RW-"), letters("RW-")},
    /* 0 R--  */ {letters("---"), letters("R--")},
    /* 0 R-X  */ {letters("---"), letters("R-X")},
    /* 0 RW-  */ {letters("---"), letters("RW-")},
    /* 0 RWX  */ {letters("---"), letters("RWX")},
    /* L ---  */ {letters("---"), letters("---")},
    /* L --X  */ {letters("--X"), letters("---")},
    /* L -W-  */ {letters("--X"), letters("--X")},
    /* L -WX  */ {letters("R-X"), letters("--X")},
    /* L R--  */ {letters("R--"), letters("---")},
    /* L R-X  */ {letters("R-X"), letters("---")},
    /* L RW-  */ {letters("RW-"), letters("---")},
    /* L RWX  */ {letters("R--"), letters("R--")},
}};

/** The rights that a row gives. `config`: its byte of pmpcfg; `security`: mseccfg. */
constexpr Given given(unsigned config, std::uint32_t security) {
  using namespace isa::pmpcfg;
  const bool r = (config & kR) != 0, w = (config & kW) != 0, x = (config & kX) != 0, l = (config & kL) != 0;
  if ((security & kLockdown) != 0) return kTruth[8U * l + 4U * r + 2U * w + x];
  return {l ? Rights{r, w, x} : letters("RWX"), {r, w, x}};
}

/** The rights where no row matches. */
constexpr Given elsewhere(std::uint32_t security) {
  if ((security & kWhitelist) != 0) return {};
  return {letters((security & kLockdown) != 0 ? "RW-" : "RWX"), {}};
}

/** The range of addresses that a row matches, of 34 bits (RV64: 56); empty if the end is not above the beginning. */
struct Region {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  constexpr bool empty() const { return end <= begin; }
  constexpr std::uint64_t overlap(std::uint64_t from, std::uint64_t to) const {
    const std::uint64_t low = std::max(begin, from);
    const std::uint64_t high = std::min(end, to);
    return high > low ? high - low : 0;
  }
};

/** What a row matches. `config`: its byte of pmpcfg; `address`, `before`: its pmpaddr and that of the row before it, 0
 * for row 0, without the bits that the grain hides. */
constexpr Region region(unsigned config, std::uint64_t address, std::uint64_t before) {
  using namespace isa::pmpcfg;
  const std::uint64_t below = address ^ (address + 1);  // NAPOT: the ones at the end, and the zero above them
  switch (config & kA) {
    case kATor:
      return {before << 2, address << 2};
    case kANa4:
      return {address << 2, (address + 1) << 2};
    case kANapot:
      return {(address & ~below) << 2, ((address | below) + 1) << 2};
    default:
      return {};
  }
}

}  // namespace trapeze::pmp

#endif  // TRAPEZE_SIM_KERNEL_PMP_H
