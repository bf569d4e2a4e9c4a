// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A hart with registers of 64 bits, where QEMU is no reference or too coarse a one: rv64.S has the rest.
#include <gtest/gtest.h>

#include <cstring>

#include "model/platform/machine.h"

namespace trapeze::model {
namespace {

constexpr Params kWide = parse_params("rv64imac_zba_zbb_zbs");
constexpr std::uint64_t kBase = 0x80000000;
constexpr std::uint64_t kData = kBase + 0x8000;
constexpr tz_region kRegions[] = {{"memory", kBase, 0x10000, 0}};

class Wide : public testing::Test {
 protected:
  /** a0 after `word`, with a1 and a2; its record is in `record`. */
  std::uint64_t execute(std::uint32_t word, std::uint64_t a1, std::uint64_t a2 = 0) {
    std::memcpy(machine.bus().memory(kBase, 4), &word, 4);
    machine.hart(0).flush();
    machine.hart(0).set_pc(kBase);
    machine.hart(0).set_x(11, a1);
    machine.hart(0).set_x(12, a2);
    machine.hart(0).step(0, &record);
    return machine.hart(0).x(10);
  }

  Machine<kWide> machine{Platform{kRegions, kBase, 0, 1, 16, 16}};
  tz_retire record{};
};

TEST_F(Wide, CountsInTheLowerWordAlone) {
  EXPECT_EQ(execute(0x6015951b, 0x100000000), 32U) << "ctzw";
  EXPECT_EQ(execute(0x6005951b, 0xffffffff00000000), 32U) << "clzw";
  EXPECT_EQ(execute(0x6025951b, 0xffffffff00000001), 1U) << "cpopw";
}

TEST_F(Wide, ExceptionsOfAtomicsAreThoseOfStores) {
  execute(0x00c5b52f, kData + 4);  // amoadd.d
  EXPECT_EQ(record.cause, unsigned{kStoreMisaligned});
  execute(0x00c5a52f, kData + 4);  // amoadd.w
  EXPECT_EQ(record.flags, TZ_RETIRE_INTR) << "the first instruction behind the exception";
  execute(0x18c5b52f, 0x180000000);  // sc.d
  EXPECT_EQ(record.cause, unsigned{kStoreFault});
  EXPECT_EQ(machine.hart(0).csr().read(kMtval, {}), 0x180000000);
  execute(0x1005b52f, 0x180000000);  // lr.d
  EXPECT_EQ(record.cause, unsigned{kLoadFault});
}

TEST_F(Wide, RecordsHoldEightBytes) {
  execute(0x00c5b023, kData, 0x0123456789abcdef);  // sd
  EXPECT_EQ(record.mem_wmask, 0xff);
  EXPECT_EQ(record.mem_wdata, 0x0123456789abcdef);
  EXPECT_EQ(execute(0x0005b503, kData), 0x0123456789abcdef);  // ld
  EXPECT_EQ(record.mem_rmask, 0xff);
  EXPECT_EQ(record.mem_rdata, 0x0123456789abcdef);
  EXPECT_EQ(execute(0x0005e503, kData), 0x89abcdef) << "lwu";
  EXPECT_EQ(execute(0x0005a503, kData), 0xffffffff89abcdef) << "lw";
}

TEST_F(Wide, AReservationIsOfItsWidth) {
  execute(0x1005b52f, kData);  // lr.d
  EXPECT_EQ(execute(0x18c5a52f, kData, 7), 1U) << "sc.w of its lower word";
  execute(0x1005b52f, kData);
  EXPECT_EQ(execute(0x18c5b52f, kData, 7), 0U) << "sc.d";
}

TEST_F(Wide, AddressesHave64Bits) {
  execute(0x00058067, 0x123456780);  // jalr x0, a1: there is nothing
  EXPECT_EQ(machine.hart(0).pc(), 0x123456780);
  machine.hart(0).step(0, &record);
  EXPECT_EQ(record.cause, unsigned{kFetchFault});
  EXPECT_EQ(machine.hart(0).csr().read(kMtval, {}), 0x123456780);
  EXPECT_EQ(machine.hart(0).csr().read(kMisa, {}).value() >> 62, 2U);
}

}  // namespace
}  // namespace trapeze::model
