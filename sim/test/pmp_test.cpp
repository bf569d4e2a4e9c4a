// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Rows of memory protection: addresses and rights that follow from a byte of pmpcfg and an address register, compared
// with the tables of the specifications.
#include "kernel/pmp.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

namespace trapeze::pmp {
namespace {

std::pair<std::uint64_t, std::uint64_t> bounds(unsigned config, std::uint64_t address, std::uint64_t before = 0) {
  const Region found = region(config, address, before);
  EXPECT_FALSE(found.empty());
  return {found.begin, found.end - 1};
}

std::string text(const Rights& rights) {
  return {rights.read ? 'R' : '-', rights.write ? 'W' : '-', rights.execute ? 'X' : '-'};
}

/** What machine mode and user mode may do. */
using Texts = std::pair<std::string, std::string>;

Texts texts(const Given& given) {
  return {text(given.machine), text(given.user)};
}

TEST(Protection, RangesAreThoseOfTheSpecification) {
  EXPECT_TRUE(region(0x07, 0x20000000, 0).empty());  // OFF
  EXPECT_EQ(bounds(0x0f, 0x20001000, 0x20000000), std::pair(0x80000000UL, 0x80003fffUL));
  EXPECT_EQ(bounds(0x08, 0x10), std::pair(0UL, 0x3fUL));
  EXPECT_TRUE(region(0x0f, 0x100, 0x100).empty());
  EXPECT_TRUE(region(0x0f, 0x100, 0x101).empty());
  EXPECT_EQ(bounds(0x10, 0x20000001), std::pair(0x80000004UL, 0x80000007UL));
  EXPECT_EQ(bounds(0x18, 0x20000000), std::pair(0x80000000UL, 0x80000007UL));
  EXPECT_EQ(bounds(0x18, 0x200001ff), std::pair(0x80000000UL, 0x80000fffUL));
  EXPECT_EQ(bounds(0x18, 0xffffffff), std::pair(0UL, 0x7ffffffffUL));
}

TEST(Protection, PermissionsWithoutLockdown) {
  EXPECT_EQ(texts(given(0x1b, 0)), Texts("RWX", "RW-"));
  EXPECT_EQ(texts(given(0x98, 0)), Texts("---", "---"));
  EXPECT_EQ(texts(given(0x9d, kWhitelist)), Texts("R-X", "R-X"));
}

TEST(Protection, PermissionsElsewhere) {
  EXPECT_EQ(texts(elsewhere(0)), Texts("RWX", "---"));
  EXPECT_EQ(texts(elsewhere(kLockdown)), Texts("RW-", "---"));
  EXPECT_EQ(texts(elsewhere(kLockdown | kWhitelist)), Texts("---", "---"));
}

/** Smepmp 1.0, the table of section 2.1: for L, R, W, X from 0000 on, machine mode and user mode. */
TEST(Protection, PermissionsWithLockdown) {
  constexpr std::array<std::pair<const char*, const char*>, 16> expected = {{{"---", "---"},
                                                                             {"---", "--X"},
                                                                             {"RW-", "R--"},
                                                                             {"RW-", "RW-"},
                                                                             {"---", "R--"},
                                                                             {"---", "R-X"},
                                                                             {"---", "RW-"},
                                                                             {"---", "RWX"},
                                                                             {"---", "---"},
                                                                             {"--X", "---"},
                                                                             {"--X", "--X"},
                                                                             {"R-X", "--X"},
                                                                             {"R--", "---"},
                                                                             {"R-X", "---"},
                                                                             {"RW-", "---"},
                                                                             {"R--", "R--"}}};
  for (unsigned bits = 0; bits < expected.size(); ++bits) {
    const unsigned config = (bits >> 3 & 1U) << 7 | (bits >> 2 & 1U) | (bits >> 1 & 1U) << 1 | (bits & 1U) << 2;
    EXPECT_EQ(texts(given(config, kLockdown)), Texts(expected[bits])) << bits;
  }
}

}  // namespace
}  // namespace trapeze::pmp
