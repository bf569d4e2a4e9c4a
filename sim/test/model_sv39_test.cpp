// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A hart with S mode and Sv39, where QEMU is no reference or not a right one: sv39.S has the rest.
#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>
#include <tuple>

#include "kernel/sv39.h"
#include "model/platform/machine.h"

namespace trapeze::model {
namespace {

/** A row that allows everything, in all memory. */
constexpr unsigned kOpenRow = isa::pmpcfg::kANapot | isa::pmpcfg::kR | isa::pmpcfg::kW | isa::pmpcfg::kX;

constexpr Params kHart = parse_params("rv64imac").with_supervisor(true).with_pmp(8);
constexpr std::uint64_t kBase = 0x80000000;
constexpr std::uint64_t kRoot = kBase + 0x1000, kMiddle = kBase + 0x2000, kLeaves = kBase + 0x3000;
constexpr std::uint64_t kPage = kBase + 0x4000, kOther = kBase + 0x5000;
constexpr std::uint64_t kPages = 0x40000000;  ///< where the leaves are
constexpr std::uint64_t kNowhere = 0x700000000;
constexpr tz_region kRegions[] = {{"memory", kBase, 0x10000, 0}};
using sv39::kAccessed, sv39::kDirty, sv39::kExecute, sv39::kRead, sv39::kUserPage, sv39::kValid, sv39::kWrite;
constexpr std::uint64_t kData = kValid | kRead | kWrite | kAccessed | kDirty;
constexpr std::uint64_t kCode = kValid | kRead | kExecute | kAccessed;
constexpr std::uint64_t kAll = kData | kExecute;
constexpr std::uint32_t kLoad = 0x0005b503, kStore = 0x00a5b023, kAmo = 0x00c5b52f;  // ld, sd a0, 0(a1); amoadd.d
constexpr std::uint32_t kLr = 0x1005b52f, kSc = 0x18c5b52f, kJump = 0x00058067, kEcall = 0x00000073;
constexpr std::uint32_t kSret = 0x10200073, kSfenceAll = 0x12000073, kSfenceA1 = 0x12058073, kFenceI = 0x0000100f;

class Sv39 : public testing::Test {
 protected:
  Sv39() {
    write(kRoot + 8 * 2, entry(kBase & ~0x3fffffffU, kAll));
    write(kRoot + 8 * 1, entry(kMiddle, kValid));
    write(kMiddle, entry(kLeaves, kValid));
    csr(isa::csr::kPmpaddr0, ~std::uint64_t{0});
    csr(isa::csr::kPmpcfg0, kOpenRow);
    csr(isa::csr::kSatp, (std::uint64_t{isa::satp::kModeSv39} << isa::satp::kMode) | (kRoot >> 12));
    csr(isa::csr::kMtvec, kBase + 0x800);
    csr(isa::csr::kStvec, kBase + 0x900);
    hart().set_mode(kSupervisor);
  }

  Hart<kind_of(kHart)>& hart() { return machine.hart(0); }
  static std::uint64_t entry(std::uint64_t page, std::uint64_t flags) { return (page >> 12 << 10) | flags; }
  void write(std::uint64_t address, std::uint64_t value) { std::memcpy(machine.bus().memory(address, 8), &value, 8); }
  std::uint64_t read(std::uint64_t address) {
    std::uint64_t value = 0;
    std::memcpy(&value, machine.bus().memory(address, 8), 8);
    return value;
  }
  void leaf(unsigned n, std::uint64_t page, std::uint64_t flags) { write(kLeaves + 8 * n, entry(page, flags)); }
  void csr(unsigned number, std::uint64_t value) { hart().csr().write(number, value, {}); }
  std::uint64_t csr(unsigned number) { return hart().csr().read(number, hart().counts(0)).value(); }

  /** The cause of what happens to `word` at `pc` with a1, a2 in `mode`; kNone: nothing. It is written there from
   * outside, which forgets no translation. */
  static constexpr unsigned kNone = 99;
  unsigned attempt(std::uint32_t word, std::uint64_t a1, std::uint64_t a2 = 0, unsigned mode = kSupervisor) {
    std::memcpy(machine.bus().memory(kBase, 4), &word, 4);
    hart().flush();
    hart().set_x(11, a1);
    hart().set_x(12, a2);
    return go(kBase, mode);
  }
  /** The same for the instruction that is at `pc`. */
  unsigned go(std::uint64_t pc, unsigned mode = kSupervisor) {
    hart().set_mode(mode);
    hart().set_pc(pc);
    const std::uint64_t trapped = hart().trapped();
    hart().step(0, nullptr);
    if (hart().trapped() == trapped) return kNone;
    const unsigned at = hart().mode();
    hart().set_mode(mode);
    return static_cast<unsigned>(csr(at == kMachine ? isa::csr::kMcause : isa::csr::kScause));
  }
  std::uint64_t tval() { return csr(isa::csr::kMtval); }

  Machine<kHart> machine{Platform{kRegions, kBase, 0, 1, 40, 16}};
};

TEST_F(Sv39, AnAtomicOperationIsAStore) {
  leaf(0, kPage, kData & ~kWrite & ~kDirty);
  EXPECT_EQ(attempt(kAmo, kPages + 8), unsigned{kStorePageFault});
  EXPECT_EQ(attempt(kSc, kPages + 8), unsigned{kStorePageFault});
  EXPECT_EQ(tval(), kPages + 8);
  EXPECT_EQ(attempt(kLr, kPages + 8), kNone);
  EXPECT_EQ(attempt(kLr, kPages + 0x1008), unsigned{kLoadPageFault});
  EXPECT_EQ(attempt(kAmo, kPages + 4), unsigned{kStoreMisaligned}) << "before the page is looked for";
  leaf(0, kPage, kValid | kRead | kWrite);
  EXPECT_EQ(attempt(kSfenceAll, 0), kNone);
  EXPECT_EQ(attempt(kAmo, kPages + 8), kNone);
  EXPECT_EQ(read(kLeaves) & (kAccessed | kDirty), kAccessed | kDirty);
}

TEST_F(Sv39, RecordsSayWhatAnAtomicOperationLeft) {
  leaf(0, kPage, kData);
  write(kPage + 8, 40);
  EXPECT_EQ(attempt(kAmo, kPages + 8, 2), kNone);
  hart().set_pc(kBase);
  hart().set_x(11, kPages + 8);
  tz_retire record{};
  hart().step(0, &record);
  EXPECT_EQ(record.mem_addr, kPages + 8);
  EXPECT_EQ(record.mem_rdata, 42U);
  EXPECT_EQ(record.mem_wdata, 44U);
}

TEST_F(Sv39, AReservationIsOfWhatIsInMemory) {
  leaf(0, kPage, kData);
  leaf(1, kPage, kData);
  EXPECT_EQ(attempt(kStore, kPages + 0x1040), kNone) << "its page is known now";
  EXPECT_EQ(attempt(kLr, kPages + 0x40), kNone);
  EXPECT_EQ(attempt(kSc, kPages + 0x1040, 5), kNone);
  EXPECT_EQ(hart().x(10), 0U) << "by another address";
  EXPECT_EQ(attempt(kLr, kPages + 0x40), kNone);
  EXPECT_EQ(attempt(kStore, kPages + 0x1040), kNone);
  EXPECT_EQ(attempt(kSc, kPages + 0x40, 5), kNone);
  EXPECT_EQ(hart().x(10), 1U) << "a store by another address ends it";
}

TEST_F(Sv39, AReservationEndsWithSret) {
  leaf(0, kPage, kData);
  EXPECT_EQ(attempt(kLr, kPages + 0x40), kNone);
  csr(isa::csr::kSepc, kBase);
  EXPECT_EQ(attempt(kSret, 0), kNone);
  EXPECT_EQ(attempt(kSc, kPages + 0x40, 5), kNone);
  EXPECT_EQ(hart().x(10), 1U);
}

TEST_F(Sv39, AnotherSatpForgetsWithoutAFence) {
  constexpr std::uint64_t kRoot2 = kBase + 0x6000, kMiddle2 = kBase + 0x7000, kLeaves2 = kBase + 0x8000;
  write(kRoot2 + 8 * 2, entry(kBase & ~0x3fffffffU, kAll));
  write(kRoot2 + 8 * 1, entry(kMiddle2, kValid));
  write(kMiddle2, entry(kLeaves2, kValid));
  leaf(0, kPage, kAll);
  write(kLeaves2, entry(kOther, kAll));
  write(kPage, 0x00000073'00150513);  // addi a0, a0, 1; ecall
  write(kOther, 0x00000073'00250513);
  const std::uint64_t first = csr(isa::csr::kSatp);
  const std::uint64_t second = (first & ~std::uint64_t{0xfffffffffff}) | (std::uint64_t{1} << 44) | (kRoot2 >> 12);
  for (const auto& [satp, page, step] : {std::tuple(first, kPage, 1U), {second, kOther, 2U}, {first, kPage, 1U}}) {
    csr(isa::csr::kSatp, satp);
    EXPECT_EQ(attempt(kLoad, kPages), kNone);
    EXPECT_EQ(hart().x(10), read(page));
    hart().set_x(10, 7);
    EXPECT_EQ(attempt(kStore, kPages + 8), kNone);
    EXPECT_EQ(read(page + 8), 7U);
    write(page + 8, 0);
    EXPECT_EQ(go(kPages), kNone);
    EXPECT_EQ(hart().x(10), 7 + step);
  }
}

TEST_F(Sv39, WithoutMxrCodeIsNotReadAnyLonger) {
  leaf(0, kPage, kCode & ~kRead);
  csr(isa::csr::kSstatus, std::uint64_t{1} << isa::mstatus::kMxr);
  EXPECT_EQ(attempt(kLoad, kPages), kNone);
  csr(isa::csr::kSstatus, 0);
  EXPECT_EQ(attempt(kLoad, kPages), unsigned{kLoadPageFault});
}

TEST_F(Sv39, ATableThatIsNowhereIsAnAccessFault) {
  write(kRoot + 8 * 3, entry(kNowhere, kValid));
  EXPECT_EQ(attempt(kLoad, 0xc0000123), unsigned{kLoadFault});
  EXPECT_EQ(tval(), 0xc0000123U);
  EXPECT_EQ(attempt(kStore, 0xc0000000), unsigned{kStoreFault});
  EXPECT_EQ(attempt(kAmo, 0xc0000000), unsigned{kStoreFault});
  EXPECT_EQ(attempt(kJump, 0xc0000002), kNone);
  EXPECT_EQ(go(0xc0000002), unsigned{kFetchFault});
  EXPECT_EQ(tval(), 0xc0000002U);
}

TEST_F(Sv39, ProtectionIsOfPhysicalAddressesAndOfTheTable) {
  using isa::csr::kPmpaddr0, isa::csr::kPmpcfg0;
  leaf(0, kPage, kData & ~kDirty);
  leaf(1, kOther, kCode);
  // Row 0: the leaves, which can be read; row 1: the page behind them, nothing; row 7: everything.
  csr(kPmpaddr0, (kLeaves | 0x7ff) >> 2);
  csr(kPmpaddr0 + 1, (kPage | 0x7ff) >> 2);
  csr(kPmpaddr0 + 7, ~std::uint64_t{0});
  EXPECT_EQ(csr(kPmpaddr0 + 7), ~std::uint64_t{0} >> 10) << "addresses have 56 bits";
  const auto rows = [](std::uint64_t first, std::uint64_t second) {
    return 0x1f00000000000000 | (second << 8) | first;
  };
  csr(kPmpcfg0, rows(0x19, 0x18));
  EXPECT_EQ(csr(kPmpcfg0), rows(0x19, 0x18)) << "eight rows in a register";
  EXPECT_FALSE(hart().csr().read(kPmpcfg0 + 1, {}).has_value());
  EXPECT_EQ(attempt(kLoad, kPages), unsigned{kLoadFault});
  EXPECT_EQ(tval(), kPages) << "the address of the program";
  EXPECT_EQ(attempt(kStore, kPages), unsigned{kStoreFault}) << "D cannot be set";
  csr(kPmpcfg0, rows(0x1b, 0x19));
  EXPECT_EQ(attempt(kLoad, kPages), kNone);
  EXPECT_EQ(attempt(kStore, kPages), unsigned{kStoreFault});
  csr(kPmpcfg0, rows(0x1b, 0x1b));
  EXPECT_EQ(attempt(kStore, kPages), kNone);
  csr(kPmpcfg0, rows(0x18, 0x1b));
  EXPECT_EQ(attempt(kLoad, kPages), unsigned{kLoadFault}) << "the table cannot be read";
  EXPECT_EQ(attempt(kLoad, kPages, 0, kMachine), unsigned{kLoadFault}) << "there is nothing";
  EXPECT_EQ(attempt(kLoad, kLeaves, 0, kMachine), kNone);
}

TEST_F(Sv39, AFetchIsJudgedAnewWhenAPageComesBack) {
  leaf(0, kPage, kCode);
  leaf(1, kOther, kCode);
  write(kPage, 0x00000073'00150513);  // addi a0, a0, 1; ecall
  write(kOther, 0x00000073'00250513);
  hart().set_x(10, 0);
  EXPECT_EQ(go(kPages), kNone);
  EXPECT_EQ(go(kPages + 0x1000), kNone);
  EXPECT_EQ(hart().x(10), 3U);
  leaf(0, kOther, kCode);
  leaf(1, kPage, kCode);
  EXPECT_EQ(attempt(kSfenceA1, kPages), kNone);
  EXPECT_EQ(go(kPages), kNone);
  EXPECT_EQ(hart().x(10), 5U);
  EXPECT_EQ(attempt(kSfenceA1, kPages + 0x1000), kNone);
  EXPECT_EQ(go(kPages + 0x1000), kNone);
  EXPECT_EQ(hart().x(10), 6U);
  leaf(0, kPage, 0);
  EXPECT_EQ(attempt(kSfenceA1, kPages), kNone);
  EXPECT_EQ(go(kPages), unsigned{kFetchPageFault});
  leaf(0, kPage, kCode);
  EXPECT_EQ(go(kPages), kNone) << "what was not there is not kept";
  EXPECT_EQ(hart().x(10), 7U);
}

TEST_F(Sv39, CodeIsAsItWasUntilFenceI) {
  leaf(0, kPage, kCode);
  write(kPage, 0x00000073'00150513);
  hart().set_x(10, 0);
  EXPECT_EQ(go(kPages), kNone);
  write(kBase + 8, kFenceI);
  write(kPage, 0x00000073'00250513);
  EXPECT_EQ(go(kBase + 8), kNone);
  EXPECT_EQ(go(kPages), kNone);
  EXPECT_EQ(hart().x(10), 3U);
  // Decoded between two changes of the page, of which the second takes back the first.
  write(kPage + 0x100, 0x00000073'00350513);
  EXPECT_EQ(go(kPages + 0x100), kNone);
  write(kPage + 0x100, 0);
  EXPECT_EQ(go(kBase + 8), kNone);
  EXPECT_EQ(go(kPages + 0x100), unsigned{kIllegal});
}

TEST_F(Sv39, ALargePageIsForgottenByAnyOfItsAddresses) {
  // The program itself is in a large page between these, so that one address is below all that are known, another
  // above.
  struct Large {
    std::uint64_t entry, first, bytes;
  };
  constexpr Large kLarge[] = {{kMiddle + 8, 0x40200000, 1U << 21},
                              {kRoot + 8 * 3, 0xc0000000, 1U << 30},
                              {kRoot + 8 * 511, 0xffffffffc0000000, 1U << 30}};
  write(kPage, 0x00000073'00150513);  // addi a0, a0, 1; ecall
  for (const auto& [place, first, bytes] : kLarge) {
    for (const std::uint64_t fenced : {first, first + 0x5000, first + bytes - 8}) {
      EXPECT_EQ(attempt(kSfenceAll, 0), kNone);
      write(place, entry(kBase & ~(bytes - 1), kAll));
      const std::uint64_t used = first + (kPage & (bytes - 1));
      EXPECT_EQ(attempt(kLoad, used), kNone);
      EXPECT_EQ(attempt(kStore, used + 8), kNone);
      EXPECT_EQ(go(used), kNone);
      write(place, 0);
      EXPECT_EQ(attempt(kLoad, used), kNone) << "not before the fence";
      EXPECT_EQ(attempt(kSfenceA1, fenced), kNone);
      EXPECT_EQ(attempt(kLoad, used), unsigned{kLoadPageFault}) << std::hex << fenced;
      EXPECT_EQ(attempt(kStore, used + 8), unsigned{kStorePageFault}) << std::hex << fenced;
      EXPECT_EQ(go(used), unsigned{kFetchPageFault}) << std::hex << fenced;
    }
  }
}

TEST_F(Sv39, AFenceForgetsGlobalPagesAndThoseOfAnAddressSpace) {
  constexpr std::uint32_t kOfA2 = 12U << 20;  // sfence.vma with an address space in a2, which is that of satp
  constexpr std::uint64_t kGlobal = 1U << 5;
  for (const std::uint32_t fence : {kSfenceAll, kSfenceA1, kSfenceAll | kOfA2, kSfenceA1 | kOfA2}) {
    for (const std::uint64_t global : {std::uint64_t{0}, kGlobal}) {
      if (global != 0 && (fence & kOfA2) != 0) continue;  // such a fence need not forget them
      leaf(0, kPage, kData | global);
      write(kPage, 1);
      write(kOther, 2);
      EXPECT_EQ(attempt(kSfenceAll, 0), kNone);
      EXPECT_EQ(attempt(kLoad, kPages), kNone);
      leaf(0, kOther, kData | global);
      EXPECT_EQ(attempt(fence, kPages), kNone);
      EXPECT_EQ(attempt(kLoad, kPages), kNone);
      EXPECT_EQ(hart().x(10), 2U) << std::hex << fence << ' ' << global;
    }
  }
}

// Privileged ISA 20211203, 4.3.1 and 3.1.6.3. No fence is needed between changes of SUM, MXR and MPRV, so that every
// combination follows every other one, with what the one before has learnt.
TEST_F(Sv39, RightsFollowSumMxrAndMprvAtOnce) {
  constexpr std::uint64_t kRights[] = {kRead, kRead | kWrite, kExecute, kRead | kWrite | kExecute};
  const std::uint64_t base = kValid | kAccessed | kDirty;
  for (unsigned n = 0; n < 8; ++n) leaf(n, kPage, base | kRights[n / 2] | (n % 2 != 0 ? kUserPage : 0));
  write(kMiddle + 8, entry(kBase, kAll | kUserPage));  // the program for U mode
  write(kPage + 0x800, 0x00000013);                    // nop
  const auto judge = [&](unsigned mode, bool sum, bool mxr, bool mprv) {
    const std::uint64_t bits = (std::uint64_t{sum} << isa::mstatus::kSum) | (std::uint64_t{mxr} << isa::mstatus::kMxr);
    for (unsigned n = 0; n < 8; ++n) {
      const std::uint64_t rights = kRights[n / 2];
      const bool own = (n % 2 != 0) == (mode == kUser);
      const bool data = own || (mode == kSupervisor && sum);
      const bool loads = data && ((rights & kRead) != 0 || (mxr && (rights & kExecute) != 0));
      const bool stores = data && (rights & kWrite) != 0;
      const unsigned as = mprv ? kMachine : mode;
      const auto run = [&](std::uint32_t word) {
        csr(isa::csr::kMstatus,
            bits | (std::uint64_t{mprv} << isa::mstatus::kMprv) | (std::uint64_t{mode} << isa::mstatus::kMpp));
        std::memcpy(machine.bus().memory(kBase, 4), &word, 4);
        hart().flush();
        hart().set_x(11, kPages + 0x1000 * n);
        return go(mode == kUser && !mprv ? 0x40200000 : kBase, as);
      };
      EXPECT_EQ(run(kLoad), loads ? kNone : unsigned{kLoadPageFault}) << mode << n << sum << mxr << mprv;
      EXPECT_EQ(run(kStore), stores ? kNone : unsigned{kStorePageFault}) << mode << n << sum << mxr << mprv;
      if (mprv) continue;
      const bool fetches = own && (rights & kExecute) != 0;
      EXPECT_EQ(go(kPages + 0x1000 * n + 0x800, mode), fetches ? kNone : unsigned{kFetchPageFault}) << mode << n;
    }
  };
  for (unsigned before = 0; before < 16; ++before) {
    for (unsigned now = 0; now < 16; ++now) {
      for (const unsigned one : {before, now}) {
        judge((one & 8U) != 0 ? kUser : kSupervisor, (one & 1U) != 0, (one & 2U) != 0, (one & 4U) != 0);
      }
    }
  }
}

TEST_F(Sv39, MprvEndsWithAReturnToLessThanMachineMode) {
  constexpr std::uint32_t kMret = 0x30200073;
  constexpr std::uint64_t kMprv = std::uint64_t{1} << isa::mstatus::kMprv;
  csr(isa::csr::kMepc, kBase);
  csr(isa::csr::kSepc, kBase);
  for (const std::uint32_t word : {kMret, kSret}) {
    for (const unsigned to : {kUser, kSupervisor, kMachine}) {
      csr(isa::csr::kMstatus,
          kMprv | (std::uint64_t{to} << isa::mstatus::kMpp) | (std::uint64_t{to == kSupervisor} << isa::mstatus::kSpp));
      std::memcpy(machine.bus().memory(kBase + 8, 4), &word, 4);
      hart().flush();
      EXPECT_EQ(go(kBase + 8, kMachine), kNone);
      EXPECT_EQ(hart().mode(), word == kSret && to == kMachine ? unsigned{kUser} : to);
      EXPECT_EQ(csr(isa::csr::kMstatus) & kMprv, word == kMret && to == kMachine ? kMprv : 0U) << word << to;
    }
  }
}

TEST_F(Sv39, ModesDoNotSeeEachOthersPages) {
  leaf(0, kPage, kData | kUserPage);
  leaf(1, kPage, kData);
  write(kRoot + 8 * 2, entry(kBase & ~0x3fffffffU, kAll | kUserPage));
  EXPECT_EQ(attempt(kSfenceAll, 0, 0, kMachine), kNone);
  EXPECT_EQ(attempt(kLoad, kPages, 0, kUser), kNone);
  EXPECT_EQ(attempt(kLoad, kPages + 0x1000, 0, kUser), unsigned{kLoadPageFault});
  EXPECT_EQ(go(kBase), unsigned{kFetchPageFault}) << "S mode does not execute U mode's";
  EXPECT_EQ(attempt(kLoad, kPage, 0, kMachine), kNone) << "physical";
}

TEST_F(Sv39, ModesOfSatpThatThereAreNot) {
  const std::uint64_t before = csr(isa::csr::kSatp);
  for (const std::uint64_t mode : {1, 7, 9, 10, 11, 15}) {
    csr(isa::csr::kSatp, (mode << isa::satp::kMode) | 0x123);
    EXPECT_EQ(csr(isa::csr::kSatp), before) << mode;
  }
  csr(isa::csr::kSatp, 0);
  EXPECT_EQ(attempt(kLoad, kPage), kNone) << "bare";
  EXPECT_EQ(attempt(kLoad, kPages), unsigned{kLoadFault});
}

TEST_F(Sv39, InterruptsInTheirOrder) {
  csr(isa::csr::kMie, ~std::uint64_t{0});
  csr(isa::csr::kMip, ~std::uint64_t{0});
  hart().csr().set_mip((1U << 11) | (1U << 7) | (1U << 3) | (std::uint64_t{1} << 50));
  std::vector<int> order;
  for (int next = hart().next_interrupt(); next >= 0; next = hart().next_interrupt()) {
    order.push_back(next);
    csr(isa::csr::kMie, csr(isa::csr::kMie) & ~(std::uint64_t{1} << next));
  }
  EXPECT_EQ(order, (std::vector<int>{50, 11, 3, 7, 9, 1, 5}));
  // Machine mode's come first, whatever their number.
  csr(isa::csr::kMie, ~std::uint64_t{0});
  csr(isa::csr::kMideleg, ~std::uint64_t{0});
  EXPECT_EQ(csr(isa::csr::kMideleg) & 0xffff, 0x222U);
  csr(isa::csr::kSstatus, 2);
  EXPECT_EQ(hart().next_interrupt(), 11);
  hart().csr().set_mip(std::uint64_t{1} << 50);
  EXPECT_EQ(hart().next_interrupt(), 50) << "delegated";
  hart().interrupt(50);
  EXPECT_EQ(hart().mode(), kSupervisor);
  EXPECT_EQ(csr(isa::csr::kScause), (std::uint64_t{1} << 63) | 50);
  EXPECT_EQ(hart().next_interrupt(), -1) << "SIE is clear";
  EXPECT_TRUE(hart().wakes());
  hart().set_mode(kMachine);
  csr(isa::csr::kMstatus, 8);
  EXPECT_EQ(hart().next_interrupt(), -1) << "delegated ones do not interrupt machine mode";
}

TEST_F(Sv39, TheExternalInterruptHasTwoBits) {
  hart().csr().set_mip(1U << 9);
  EXPECT_EQ(csr(isa::csr::kMip), 0x200U);
  hart().set_x(11, 2);
  EXPECT_EQ(attempt(0x3445a573, 2, 0, kMachine), kNone) << "csrrs a0, mip, a1";
  EXPECT_EQ(hart().x(10), 0x200U);
  hart().csr().set_mip(0);
  EXPECT_EQ(csr(isa::csr::kMip), 2U) << "the wire has not become software's bit";
  csr(isa::csr::kMip, 0x200);
  EXPECT_EQ(csr(isa::csr::kMip), 0x200U);
}

TEST_F(Sv39, TimeIsThePlatforms) {
  csr(isa::csr::kMcounteren, 2);
  const std::uint32_t word = 0xc0102573;  // csrr a0, time
  std::memcpy(machine.bus().memory(kBase, 4), &word, 4);
  hart().flush();
  hart().set_pc(kBase);
  hart().step(1234, nullptr);
  EXPECT_EQ(hart().x(10), machine.clint().mtime(1234));
  EXPECT_EQ(attempt(word, 0, 0, kSupervisor), kNone);
  csr(isa::csr::kMcounteren, 0);
  EXPECT_EQ(attempt(word, 0, 0, kSupervisor), unsigned{kIllegal});
}

TEST_F(Sv39, ASnapshotHasIt) {
  leaf(0, kPage, kData);
  csr(isa::csr::kMedeleg, 1U << kLoadPageFault);
  const auto saved = machine.save();
  csr(isa::csr::kSatp, 0);
  csr(isa::csr::kMedeleg, 0);
  hart().set_mode(kUser);
  machine.restore(*saved);
  EXPECT_EQ(hart().mode(), kSupervisor);
  EXPECT_EQ(attempt(kLoad, kPages), kNone);
  EXPECT_EQ(attempt(kLoad, kPages + 0x1000), unsigned{kLoadPageFault});
  EXPECT_EQ(csr(isa::csr::kStval), kPages + 0x1000);
  EXPECT_EQ(csr(isa::csr::kMtval), 0U);
}

TEST(Sv39Less, AHartWithoutSupervisorModeHasNothingOfIt) {
  constexpr Params kPlain = parse_params("rv64imac");
  Machine<kPlain> machine{Platform{kRegions, kBase, 0, 1, 16, 16}};
  for (const unsigned number : {isa::csr::kSatp, isa::csr::kSstatus, isa::csr::kMedeleg, isa::csr::kTime}) {
    EXPECT_FALSE(machine.hart(0).csr().read(number, {}).has_value()) << number;
  }
  machine.hart(0).csr().write(isa::csr::kMstatus, ~std::uint64_t{0}, {});
  EXPECT_EQ(machine.hart(0).csr().read(isa::csr::kMstatus, {}), 0x221888U);
  EXPECT_LT(sizeof(CsrFile<kind_of(kPlain)>), sizeof(CsrFile<kind_of(kPlain.with_supervisor(true))>));
}

}  // namespace
}  // namespace trapeze::model
