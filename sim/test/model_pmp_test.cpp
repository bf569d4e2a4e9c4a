// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Rows of physical memory protection by themselves: what they allow, against a second statement of the rules, and
// legal values and locks of their registers.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>

#include "model/isa/pmp.h"

namespace trapeze::model {
namespace {

constexpr std::uint8_t kR = 1, kW = 2, kX = 4, kTor = 8, kNa4 = 16, kNapot = 24, kL = 128;
constexpr std::uint32_t kMml = 1, kMmwp = 2, kRlb = 4;

// --- the rules once more, byte by byte, from the values that the registers show

/** What Smepmp's truth table says of a row, by L, R, W, X: rights of machine mode, then of user mode. */
constexpr std::array<std::array<std::string_view, 2>, 16> kTruth = {{
    {"", ""},      // ----
    {"", "X"},     // ---X
    {"RW", "R"},   // --W-
    {"RW", "RW"},  // --WX
    {"", "R"},     // -R--
    {"", "RX"},    // -R-X
    {"", "RW"},    // -RW-
    {"", "RWX"},   // -RWX
    {"", ""},      // L---
    {"X", ""},     // L--X
    {"X", "X"},    // L-W-
    {"RX", "X"},   // L-WX
    {"R", ""},     // LR--
    {"RX", ""},    // LR-X
    {"RW", ""},    // LRW-
    {"R", "R"},    // LRWX
}};

std::string_view letters(AccessKind kind) {
  switch (kind) {
    case AccessKind::kFetch:
    case AccessKind::kTable:
      return "X";
    case AccessKind::kLoad:
    case AccessKind::kFrameLoad:
      return "R";
    case AccessKind::kAmo:
      return "RW";
    default:
      return "W";
  }
}

struct Naive {
  std::array<unsigned, 16> config;
  std::array<std::uint64_t, 16> address;
  unsigned rows, grain, security;

  bool holds(unsigned row, std::uint64_t byte) const {
    const std::uint64_t word = byte / 4;
    switch ((config[row] >> 3) & 3U) {
      case 1: {  // in units of the grain, so that bits below it do not count
        const std::uint64_t unit = word >> grain;
        return unit >= (row == 0 ? 0 : address[row - 1] >> grain) && unit < address[row] >> grain;
      }
      case 2:
        return word == address[row];
      case 3: {
        // Bits above the lowest zero are compared; those below the grain read as ones.
        unsigned bit = 0;
        while (((address[row] >> bit) & 1U) != 0) ++bit;
        return word >> (bit + 1) == address[row] >> (bit + 1);
      }
      default:
        return false;
    }
  }
  bool gives(unsigned row, char right, bool machine) const {
    const bool locked = (config[row] & 0x80U) != 0;
    if ((security & kMml) != 0) {
      const unsigned index = (locked ? 8U : 0U) | ((config[row] & 1U) != 0 ? 4U : 0U) | (config[row] & 2U) |
                             ((config[row] & 4U) != 0 ? 1U : 0U);
      return kTruth[index][machine ? 0 : 1].find(right) != std::string_view::npos;
    }
    if (machine && !locked) return true;
    return ((config[row] >> (right == 'R' ? 0 : right == 'W' ? 1 : 2)) & 1U) != 0;
  }
  bool allows(AccessKind kind, bool machine, std::uint32_t first, std::uint32_t size) const {
    for (unsigned row = 0; row < rows; ++row) {
      unsigned held = 0;
      for (std::uint32_t i = 0; i < size; ++i) held += holds(row, static_cast<std::uint32_t>(first + i)) ? 1 : 0;
      if (held == 0) continue;
      if (held != size) return false;
      for (const char right : letters(kind)) {
        if (!gives(row, right, machine)) return false;
      }
      return true;
    }
    if (!machine || (security & kMmwp) != 0) return false;
    return (security & kMml) == 0 || letters(kind) != "X";
  }
};

constexpr AccessKind kKinds[] = {AccessKind::kFetch, AccessKind::kLoad,       AccessKind::kStore,    AccessKind::kAmo,
                                 AccessKind::kTable, AccessKind::kFrameStore, AccessKind::kFrameLoad};

template <unsigned kRows, unsigned kGrain, bool kSmepmp>
void compare(unsigned seed, unsigned settings, unsigned accesses) {
  std::mt19937 random(seed);
  const auto below = [&random](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  // Few addresses, so that rows meet, and some at the end of the address space.
  const auto address = [&] {
    const unsigned choice = below(16);
    if (choice == 0) return 0xffffffffU >> below(16);
    if (choice == 1) return 0x3fffffffU - below(32);
    return (below(64) & ~((1U << below(5)) - 1)) | ((1U << below(6)) >> 1) * below(2) |
           ((1U << below(5)) - 1) * below(2);
  };
  unsigned allowed = 0;
  for (unsigned n = 0; n < settings; ++n) {
    Pmp<> pmp{kRows, kGrain, kSmepmp};
    const std::uint32_t security = kSmepmp ? below(4) : 0;
    if (kSmepmp) pmp.write(kMseccfg, kRlb | security);  // so that rows of all kinds can be made
    for (unsigned i = 0; i < kRows; ++i) pmp.write(kPmpaddr0 + i, address());
    for (unsigned i = 0; i < kRows / 4; ++i) {
      std::uint32_t config = 0;
      for (unsigned k = 0; k < 4; ++k) {
        config |= (below(3) == 0 ? 0 : below(256)) << (8 * k);  // not all rows are on
      }
      pmp.write(kPmpcfg0 + i, config);
    }
    if (kSmepmp && below(2) == 0) pmp.write(kMseccfg, 0);  // locked from here on
    Naive naive{{}, {}, kRows, kGrain, security};
    for (unsigned i = 0; i < kRows; ++i) {
      naive.config[i] = (pmp.read(kPmpcfg0 + i / 4).value() >> (8 * (i % 4))) & 0xffU;
      naive.address[i] = pmp.read(kPmpaddr0 + i).value();
    }
    for (unsigned k = 0; k < accesses; ++k) {
      const AccessKind kind = kKinds[below(std::size(kKinds))];
      const bool machine = below(2) != 0;
      const std::uint32_t size = below(50) == 0 ? 256 : 1U << below(4);
      const std::uint32_t first = below(10) == 0 ? 0U - below(64) : below(320);
      const bool is = pmp.allows(kind, machine ? kMachine : kUser, first, size);
      ASSERT_EQ(is, naive.allows(kind, machine, first, size))
          << "seed " << seed << " setting " << n << " access " << k << ": kind " << static_cast<unsigned>(kind)
          << " machine " << machine << " at " << first << " of " << size << ", security " << security;
      allowed += is ? 1 : 0;
    }
  }
  EXPECT_GT(allowed, settings * accesses / 8) << "both outcomes are there";
  EXPECT_LT(allowed, settings * accesses * 7 / 8);
}

TEST(ModelPmp, DecidesAsTheRulesSay) {
  compare<4, 0, false>(1, 2000, 10);
  compare<8, 0, false>(2, 2000, 10);
  compare<16, 0, true>(3, 4000, 10);
  compare<8, 0, true>(4, 2000, 10);
  compare<4, 0, true>(5, 2000, 10);
  compare<4, 1, true>(6, 1000, 10);
  compare<16, 2, true>(7, 1000, 10);
  compare<8, 3, false>(8, 1000, 10);
}

// --- the statement's tables by examples of the specification, which both could have wrong

TEST(ModelPmp, ExamplesOfTheSpecification) {
  Pmp<> pmp{4, 0, false};
  EXPECT_TRUE(pmp.allows(AccessKind::kFetch, kMachine, 0x1000, 4)) << "no row: machine mode may, user mode may not";
  EXPECT_FALSE(pmp.allows(AccessKind::kLoad, kUser, 0x1000, 4));
  // Table 3.11: yyyy...y01 is a region of 16 bytes.
  pmp.write(kPmpaddr0, (0x1000U >> 2) | 1U);
  pmp.write(kPmpcfg0, kR | kNapot);
  EXPECT_TRUE(pmp.allows(AccessKind::kLoad, kUser, 0x100c, 4));
  EXPECT_FALSE(pmp.allows(AccessKind::kLoad, kUser, 0x1010, 4));
  EXPECT_FALSE(pmp.allows(AccessKind::kLoad, kUser, 0x100e, 4)) << "not all of its bytes match";
  EXPECT_FALSE(pmp.allows(AccessKind::kLoad, kMachine, 0x100e, 4)) << "irrespective of L, R, W and X";
  EXPECT_TRUE(pmp.allows(AccessKind::kStore, kMachine, 0x100c, 4));
  pmp.write(kPmpaddr0, 0xffffffff);
  EXPECT_TRUE(pmp.allows(AccessKind::kLoad, kUser, 0xfffffffc, 4)) << "all of the address space";
  EXPECT_FALSE(pmp.allows(AccessKind::kAmo, kUser, 0x1000, 4));
  // TOR: of row 0 from 0 on; none if the top is not above the bottom.
  pmp.write(kPmpaddr0, 0x2000 >> 2);
  pmp.write(kPmpaddr0 + 1, 0x2000 >> 2);
  pmp.write(kPmpcfg0, kX | kTor | (kR | kTor) << 8);
  EXPECT_TRUE(pmp.allows(AccessKind::kFetch, kUser, 0x1ffc, 4));
  EXPECT_FALSE(pmp.allows(AccessKind::kFetch, kUser, 0x2000, 4));
  EXPECT_FALSE(pmp.allows(AccessKind::kLoad, kUser, 0x1ffe, 4));
}

// --- registers

TEST(ModelPmp, Registers) {
  Pmp<> four{4, 0, false};
  EXPECT_FALSE(four.read(kMseccfg).has_value());
  EXPECT_FALSE(four.read(kMseccfgh).has_value());
  EXPECT_FALSE(four.read(kPmpcfg0 + 4).has_value());
  EXPECT_FALSE(four.read(kPmpaddr0 + 16).has_value());
  EXPECT_FALSE(four.read(kPmpaddr0 - 1).has_value());
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_TRUE(four.write(kPmpaddr0 + i, 0xffffffff));
    EXPECT_EQ(four.read(kPmpaddr0 + i), i < 4 ? 0xffffffffU : 0U) << i;
  }
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(four.read(kPmpcfg0 + i), 0U);
    four.write(kPmpcfg0 + i, 0x7f7f7f7f);
    EXPECT_EQ(four.read(kPmpcfg0 + i), i == 0 ? 0x1f1f1f1fU : 0U) << i;
  }
  Pmp<> all{16, 0, true};
  EXPECT_EQ(all.read(kMseccfg), 0U);
  all.write(kMseccfgh, 0xffffffff);
  EXPECT_EQ(all.read(kMseccfgh), 0U);
  for (unsigned i = 0; i < 16; ++i) all.write(kPmpaddr0 + i, 0x80000000U + i);
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(all.read(kPmpaddr0 + i), 0x80000000U + i);
}

TEST(ModelPmp, LegalValues) {
  Pmp<> pmp{4, 0, true};
  pmp.write(kPmpcfg0, 0x02 | 0x06 << 8 | 0x03 << 16 | 0x1e << 24);
  EXPECT_EQ(pmp.read(kPmpcfg0), 0x1c030400U) << "writing without reading is reserved";
  pmp.write(kMseccfg, kMml);
  pmp.write(kPmpcfg0, 0x02 | 0x06 << 8 | 0x03 << 16 | 0x7e << 24);
  EXPECT_EQ(pmp.read(kPmpcfg0), 0x1e030602U) << "and has a meaning with MML";

  Pmp<> coarse{4, 3, false};
  coarse.write(kPmpaddr0, 0x12345678);
  EXPECT_EQ(coarse.read(kPmpaddr0), 0x12345678U);
  coarse.write(kPmpaddr0, 0xfffffff0);
  EXPECT_EQ(coarse.read(kPmpaddr0), 0xfffffff0U);
  coarse.write(kPmpaddr0, 0x1234567d);
  EXPECT_EQ(coarse.read(kPmpaddr0), 0x12345678U) << "OFF: bits 2 to 0 read zero";
  coarse.write(kPmpcfg0, kNapot);
  EXPECT_EQ(coarse.read(kPmpaddr0), 0x1234567fU) << "NAPOT: bits 1 and 0 read one";
  coarse.write(kPmpaddr0, 0x12345678);
  EXPECT_EQ(coarse.read(kPmpaddr0), 0x1234567bU) << "bit 2 is what was written";
  coarse.write(kPmpcfg0, kTor);
  EXPECT_EQ(coarse.read(kPmpaddr0), 0x12345678U);
  coarse.write(kPmpcfg0, kR | kNa4);
  EXPECT_EQ(coarse.read(kPmpcfg0), std::uint32_t{kR}) << "NA4 is not selectable: OFF";
  coarse.write(kPmpcfg0, kL | kNa4);
  EXPECT_EQ(coarse.read(kPmpcfg0), std::uint32_t{kL});
}

TEST(ModelPmp, Locks) {
  Pmp<> pmp{8, 0, false};
  pmp.write(kPmpaddr0 + 1, 100);
  pmp.write(kPmpaddr0 + 2, 200);
  pmp.write(kPmpcfg0, std::uint32_t{kL | kR | kTor} << 16);
  pmp.write(kPmpcfg0, 0x1f1f1f1f);
  EXPECT_EQ(pmp.read(kPmpcfg0), 0x1f891f1fU) << "its neighbours in the register are written";
  for (unsigned i = 0; i < 4; ++i) pmp.write(kPmpaddr0 + i, 1000 + i);
  EXPECT_EQ(pmp.read(kPmpaddr0), 1000U);
  EXPECT_EQ(pmp.read(kPmpaddr0 + 1), 100U) << "bottom of a locked TOR";
  EXPECT_EQ(pmp.read(kPmpaddr0 + 2), 200U);
  EXPECT_EQ(pmp.read(kPmpaddr0 + 3), 1003U);
  // Locked and OFF, or NAPOT: the address below is free.
  pmp.write(kPmpcfg0 + 1, (kL | std::uint32_t{kL | kNapot} << 16));
  for (unsigned i = 3; i < 8; ++i) pmp.write(kPmpaddr0 + i, 2000 + i);
  EXPECT_EQ(pmp.read(kPmpaddr0 + 3), 2003U);
  EXPECT_EQ(pmp.read(kPmpaddr0 + 4), 0U);
  EXPECT_EQ(pmp.read(kPmpaddr0 + 5), 2005U);
  EXPECT_EQ(pmp.read(kPmpaddr0 + 6), 0U);
  EXPECT_EQ(pmp.read(kPmpaddr0 + 7), 2007U);
}

TEST(ModelPmp, LocksAndTheirBypass) {
  Pmp<> pmp{4, 0, true};
  pmp.write(kMseccfg, kRlb);
  EXPECT_EQ(pmp.read(kMseccfg), kRlb);
  pmp.write(kPmpcfg0, kL | (kL | kTor) << 8);
  pmp.write(kPmpaddr0, 7);
  pmp.write(kPmpaddr0 + 1, 9);
  EXPECT_EQ(pmp.read(kPmpaddr0), 7U) << "locked rows can be changed";
  EXPECT_EQ(pmp.read(kPmpaddr0 + 1), 9U);
  pmp.write(kPmpcfg0, kL | kR);
  EXPECT_EQ(pmp.read(kPmpcfg0), std::uint32_t{kL | kR});
  pmp.write(kMseccfg, kRlb | kMmwp);
  EXPECT_EQ(pmp.read(kMseccfg), kRlb | kMmwp) << "a bypass in force stays, with locked rows, too";
  pmp.write(kMseccfg, 0);
  EXPECT_EQ(pmp.read(kMseccfg), kMmwp);
  pmp.write(kMseccfg, kRlb);
  EXPECT_EQ(pmp.read(kMseccfg), kMmwp) << "a row is locked, although it is OFF";
  pmp.write(kPmpcfg0, 0);
  EXPECT_EQ(pmp.read(kPmpcfg0), std::uint32_t{kL | kR});
}

TEST(ModelPmp, LockdownAddsNoCodeOfMachineMode) {
  const auto after = [](std::uint32_t security, std::uint8_t config) {
    Pmp<> pmp{4, 0, true};
    pmp.write(kMseccfg, security);
    pmp.write(kPmpcfg0, std::uint32_t{config} << 8 | kR);
    EXPECT_EQ(pmp.read(kPmpcfg0).value() & 0xffU, kR) << "the other rows are written";
    return pmp.read(kPmpcfg0).value() >> 8;
  };
  for (unsigned rwx = 0; rwx < 8; ++rwx) {
    const auto config = static_cast<std::uint8_t>(kL | kNapot | rwx);
    const bool code = kTruth[8 | (rwx & 1U) << 2 | (rwx & 2U) | rwx >> 2][0].find('X') != std::string_view::npos;
    EXPECT_EQ(after(kMml, config), code ? 0U : config) << rwx;
    EXPECT_EQ(after(kMml | kRlb, config), config) << rwx;
    EXPECT_EQ(after(kMml, config & 0x7fU), config & 0x7fU) << "of user mode: " << rwx;
  }
  Pmp<> pmp{4, 0, true};
  pmp.write(kMseccfg, kMml | kMmwp);
  pmp.write(kMseccfg, 0);
  EXPECT_EQ(pmp.read(kMseccfg), kMml | kMmwp) << "they stay until reset";
}

}  // namespace
}  // namespace trapeze::model
