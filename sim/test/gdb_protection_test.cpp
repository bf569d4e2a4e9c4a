// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Text for rows of memory protection: addresses and rights that follow from a byte of pmpcfg and an address register,
// compared with the tables of the specifications.
#include "gdb/protection.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace trapeze::gdb {
namespace {

std::pair<std::uint64_t, std::uint64_t> bounds(unsigned config, std::uint64_t address, std::uint64_t before = 0) {
  const RowRange range = row_range(config, address, before);
  EXPECT_FALSE(range.empty);
  return {range.first, range.last};
}

TEST(Protection, RangesAreThoseOfTheSpecification) {
  EXPECT_TRUE(row_range(0x07, 0x20000000, 0).empty);  // OFF
  EXPECT_EQ(bounds(0x0f, 0x20001000, 0x20000000), std::pair(0x80000000UL, 0x80003fffUL));
  EXPECT_EQ(bounds(0x08, 0x10), std::pair(0UL, 0x3fUL));
  EXPECT_TRUE(row_range(0x0f, 0x100, 0x100).empty);
  EXPECT_TRUE(row_range(0x0f, 0x100, 0x101).empty);
  EXPECT_EQ(bounds(0x10, 0x20000001), std::pair(0x80000004UL, 0x80000007UL));
  EXPECT_EQ(bounds(0x18, 0x20000000), std::pair(0x80000000UL, 0x80000007UL));
  EXPECT_EQ(bounds(0x18, 0x200001ff), std::pair(0x80000000UL, 0x80000fffUL));
  EXPECT_EQ(bounds(0x18, 0xffffffff), std::pair(0UL, 0x7ffffffffUL));
}

TEST(Protection, PermissionsWithoutLockdown) {
  EXPECT_EQ(permissions(0x1b, false), (Permissions{"RWX", "RW-"}));
  EXPECT_EQ(permissions(0x98, false), (Permissions{"---", "---"}));
  EXPECT_EQ(permissions(0x9d, false), (Permissions{"R-X", "R-X"}));
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
    const Permissions may = permissions(config, true);
    EXPECT_EQ(may.machine, expected[bits].first) << bits;
    EXPECT_EQ(may.user, expected[bits].second) << bits;
  }
}

}  // namespace
}  // namespace trapeze::gdb
