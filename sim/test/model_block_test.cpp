// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Zicbom: modes and addresses in which cbo.inval, cbo.clean and cbo.flush may execute. Source: Base Cache Management
// Operation ISA extensions 1.0.0. QEMU 7.2, which the tests use, does not have it.
#include <gtest/gtest.h>

#include <cstring>

#include "kernel/sv39.h"
#include "model/platform/machine.h"

namespace trapeze::model {
namespace {

/** A row that allows everything, in all memory. */
constexpr unsigned kOpenRow = isa::pmpcfg::kANapot | isa::pmpcfg::kR | isa::pmpcfg::kW | isa::pmpcfg::kX;

constexpr Params kHart = parse_params("rv64imac_zicbom").with_supervisor(true).with_pmp(8);
constexpr Params kUserHart = parse_params("rv64imac_zicbom").with_pmp(8);
constexpr std::uint64_t kBase = 0x80000000;
constexpr std::uint64_t kRoot = kBase + 0x1000, kMiddle = kBase + 0x2000, kLeaves = kBase + 0x3000;
constexpr std::uint64_t kPage = kBase + 0x4000;
constexpr std::uint64_t kPages = 0x40000000;  ///< where the leaves are
constexpr std::uint64_t kNowhere = 0x700000000;
constexpr tz_region kRegions[] = {{"memory", kBase, 0x10000, 0}};
constexpr std::uint32_t kInval = 0x0005a00f, kClean = 0x0015a00f, kFlush = 0x0025a00f;  // (a1)
constexpr std::uint64_t kCbcfe = 1U << isa::menvcfg::kCbcfe;
constexpr std::uint64_t cbie(unsigned value) {
  return std::uint64_t{value} << isa::menvcfg::kCbie;
}

template <Params P>
class Blocks : public testing::Test {
 protected:
  static constexpr unsigned kNone = 99;

  Blocks() {
    csr(isa::csr::kPmpaddr0, ~std::uint64_t{0});
    csr(isa::csr::kPmpcfg0, kOpenRow);
    csr(isa::csr::kMtvec, kBase + 0x800);
  }

  Hart<kind_of(P)>& hart() { return machine.hart(0); }
  void csr(unsigned number, std::uint64_t value) { hart().csr().write(number, value, {}); }
  std::uint64_t csr(unsigned number) { return hart().csr().read(number, hart().counts(0)).value(); }
  void write(std::uint64_t address, std::uint64_t value) { std::memcpy(machine.bus().memory(address, 8), &value, 8); }
  std::uint64_t read(std::uint64_t address) {
    std::uint64_t value = 0;
    std::memcpy(&value, machine.bus().memory(address, 8), 8);
    return value;
  }

  /** Cause of the exception that `word` raises with a1 in `mode`; kNone: no exception. */
  unsigned attempt(std::uint32_t word, std::uint64_t a1, unsigned mode) {
    std::memcpy(machine.bus().memory(kBase, 4), &word, 4);
    hart().flush();
    hart().set_x(11, a1);
    hart().set_mode(mode);
    hart().set_pc(kBase);
    const std::uint64_t trapped = hart().trapped();
    hart().step(0, nullptr);
    return hart().trapped() == trapped ? kNone : static_cast<unsigned>(csr(isa::csr::kMcause));
  }

  Machine<P> machine{Platform{kRegions, kBase, 0, 1, 40, 16}};
};

using BlocksOfSupervisor = Blocks<kHart>;
using BlocksOfUser = Blocks<kUserHart>;

TEST_F(BlocksOfSupervisor, EachModeAsThoseAboveAllow) {
  const auto legal = [this](std::uint32_t word, unsigned mode) {
    const unsigned cause = attempt(word, kPage, mode);
    EXPECT_TRUE(cause == kNone || (cause == kIllegal && csr(isa::csr::kMtval) == word));
    return cause == kNone;
  };
  for (unsigned above = 0; above < 8; ++above) {
    for (unsigned supervisor = 0; supervisor < 8; ++supervisor) {
      if ((above & 3) == 2 || (supervisor & 3) == 2) continue;
      csr(isa::csr::kMenvcfg, std::uint64_t{above} << 4);
      csr(isa::csr::kSenvcfg, std::uint64_t{supervisor} << 4);
      EXPECT_EQ(csr(isa::csr::kMenvcfg), std::uint64_t{above} << 4);
      EXPECT_EQ(csr(isa::csr::kSenvcfg), std::uint64_t{supervisor} << 4);
      for (const std::uint32_t word : {kInval, kClean, kFlush}) {
        const unsigned field = word == kInval ? 3 : 4;
        EXPECT_TRUE(legal(word, kMachine));
        EXPECT_EQ(legal(word, kSupervisor), (above & field) != 0);
        EXPECT_EQ(legal(word, kUser), (above & field) != 0 && (supervisor & field) != 0);
      }
    }
  }
  csr(isa::csr::kMenvcfg, kCbcfe | cbie(1));
  csr(isa::csr::kMenvcfg, ~std::uint64_t{0} & ~cbie(1));
  EXPECT_EQ(csr(isa::csr::kMenvcfg), kCbcfe | cbie(1)) << "a reserved value leaves the field, other bits are not there";
}

TEST_F(BlocksOfUser, WithoutSupervisorModeMachineModeAlone) {
  EXPECT_FALSE(hart().csr().read(isa::csr::kSenvcfg, {}).has_value());
  EXPECT_EQ(attempt(kFlush, kPage, kUser), unsigned{kIllegal});
  csr(isa::csr::kMenvcfg, kCbcfe | cbie(3));
  EXPECT_EQ(attempt(kFlush, kPage, kUser), kNone);
  EXPECT_EQ(attempt(kInval, kPage, kUser), kNone);
}

TEST_F(BlocksOfUser, ABlockIsOneAccess) {
  csr(isa::csr::kMenvcfg, kCbcfe | cbie(3));
  write(kPage, 0x1234);
  for (const std::uint32_t word : {kInval, kClean, kFlush}) {
    EXPECT_EQ(attempt(word, kPage + 61, kUser), kNone) << "any address within";
    EXPECT_EQ(read(kPage), 0x1234U) << "no caches, so nothing is lost";
    // Row 0: half of the block, for loads; row 1: everything.
    csr(isa::csr::kPmpaddr0, (kPage >> 2) | 3);
    csr(isa::csr::kPmpaddr0 + 1, ~std::uint64_t{0});
    csr(isa::csr::kPmpcfg0, 0x1f19);
    EXPECT_EQ(attempt(word, kPage + 61, kUser), unsigned{kStoreFault});
    EXPECT_EQ(csr(isa::csr::kMtval), kPage + 61);
    EXPECT_EQ(attempt(word, kPage + 64, kUser), kNone);
    csr(isa::csr::kPmpaddr0, (kPage >> 2) | 7);
    EXPECT_EQ(attempt(word, kPage + 61, kUser), kNone) << "what may be loaded";
    csr(isa::csr::kPmpcfg0, 0x1f1c);
    EXPECT_EQ(attempt(word, kPage, kUser), unsigned{kStoreFault}) << "what may be executed alone";
    csr(isa::csr::kPmpcfg0, 0x1f1f);
    EXPECT_EQ(attempt(word, kNowhere, kUser), unsigned{kStoreFault});
    EXPECT_EQ(attempt(word, TRAPEZE_UART_BASE, kUser), kNone) << "a device has nothing to clean";
  }
}

TEST_F(BlocksOfSupervisor, PagesAreOfLoadsAndTheirFaultsOfStores) {
  using namespace sv39;
  const auto entry = [](std::uint64_t page, std::uint64_t flags) { return (page >> 12 << 10) | flags; };
  constexpr std::uint64_t kAll = kValid | kRead | kWrite | kExecute | kAccessed | kDirty;
  write(kRoot + 8 * 2, entry(kBase & ~0x3fffffffU, kAll));
  write(kRoot + 8 * 1, entry(kMiddle, kValid));
  write(kRoot + 8 * 3, entry(kNowhere, kValid));
  write(kMiddle, entry(kLeaves, kValid));
  write(kLeaves, entry(kPage, kValid | kRead));
  write(kLeaves + 8, entry(kPage, kValid | kExecute | kAccessed));
  write(kLeaves + 16, entry(kPage, kValid | kRead | kAccessed | kUserPage));
  csr(isa::csr::kSatp, (std::uint64_t{isa::satp::kModeSv39} << isa::satp::kMode) | (kRoot >> 12));
  csr(isa::csr::kMenvcfg, kCbcfe | cbie(3));
  for (const std::uint32_t word : {kInval, kClean, kFlush}) {
    write(kLeaves, entry(kPage, kValid | kRead));
    EXPECT_EQ(attempt(word, kPages + 100, kSupervisor), kNone);
    EXPECT_EQ(read(kLeaves) & (kAccessed | kDirty), std::uint64_t{kAccessed}) << "nothing is written";
    EXPECT_EQ(attempt(word, kPages + 0x1000, kSupervisor), unsigned{kStorePageFault});
    EXPECT_EQ(csr(isa::csr::kMtval), kPages + 0x1000);
    EXPECT_EQ(attempt(word, kPages + 0x2000, kSupervisor), unsigned{kStorePageFault}) << "without SUM";
    EXPECT_EQ(attempt(word, kPages + 0x3001, kSupervisor), unsigned{kStorePageFault});
    EXPECT_EQ(csr(isa::csr::kMtval), kPages + 0x3001);
    EXPECT_EQ(attempt(word, 0xc0000000, kSupervisor), unsigned{kStoreFault}) << "a table that is nowhere";
    EXPECT_EQ(attempt(word, kPages, kMachine), unsigned{kStoreFault}) << "nothing is there without a translation";
  }
}

}  // namespace
}  // namespace trapeze::model
