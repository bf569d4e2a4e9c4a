// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The A extension on the model's harts: results, records, exceptions, and what ends a reservation.
#include <gtest/gtest.h>
#include <trapeze/clint.h>
#include <trapeze/map.h>

#include <cstring>
#include <functional>
#include <memory>

#include "elf_builder.h"
#include "model/platform/machine.h"

namespace trapeze::model {
namespace {

constexpr Params kHart = parse_params("rv32ima");
constexpr std::uint32_t kBase = TRAPEZE_IMEM_BASE;
constexpr std::uint32_t kData = TRAPEZE_DMEM_BASE + 0x100;
constexpr std::uint32_t kHandler = kBase + 0x400;
constexpr std::uint32_t kMret = 0x30200073;
constexpr tz_region kRegions[] = {{"imem", TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, 1},
                                  {"dmem", TRAPEZE_DMEM_BASE, TRAPEZE_DMEM_SIZE, 1}};

/** Values of funct5, by name. */
enum Function : unsigned {
  kAdd = 0x00,
  kSwap = 0x01,
  kLr = 0x02,
  kSc = 0x03,
  kXor = 0x04,
  kOr = 0x08,
  kAnd = 0x0c,
  kMin = 0x10,
  kMax = 0x14,
  kMinu = 0x18,
  kMaxu = 0x1c
};

/** `function` rd, rs2, (rs1) on a word. */
constexpr std::uint32_t amo(Function function, unsigned rd, unsigned rs1, unsigned rs2) {
  return 0x2fU | (rd << 7) | (2U << 12) | (rs1 << 15) | (rs2 << 20) | (unsigned{function} << 27);
}

/** Harts that execute one instruction at a time; a1 holds the address of a word in data memory. */
class Harts {
 public:
  explicit Harts(unsigned harts = 1) : machine(Platform{kRegions, kBase, 0, harts, 16, 16}) {
    for (unsigned n = 0; n < harts; ++n) {
      machine.hart(n).set_x(11, kData);
      machine.hart(n).csr().write(kMtvec, kHandler, {});
    }
  }
  /** Lets `hart` execute `word`, at an address that was not used before. */
  tz_retire execute(std::uint32_t word, unsigned hart = 0) {
    std::memcpy(machine.bus().memory(at_, 4), &word, 4);
    machine.hart(hart).flush();
    machine.hart(hart).set_pc(at_);
    tz_retire record{};
    machine.hart(hart).step(0, &record);
    return record;
  }
  std::uint32_t word(std::uint32_t address = kData) {
    std::uint32_t value = 0;
    std::memcpy(&value, machine.bus().memory(address, 4), 4);
    return value;
  }
  void set_word(std::uint32_t value, std::uint32_t address = kData) {
    std::memcpy(machine.bus().memory(address, 4), &value, 4);
  }
  std::uint32_t x(unsigned n, unsigned hart = 0) { return machine.hart(hart).x(n); }
  void set_x(unsigned n, std::uint32_t value, unsigned hart = 0) { machine.hart(hart).set_x(n, value); }
  /** Executes LR, then `between`, then an SC of 7. Returns whether the SC has stored. */
  bool pair(const std::function<void()>& between) {
    set_x(11, kData);
    execute(amo(kLr, 10, 11, 0));
    between();
    set_x(11, kData);
    set_x(12, 7);
    const std::uint32_t before = word();
    execute(amo(kSc, 10, 11, 12));
    EXPECT_LE(x(10), 1U);
    EXPECT_EQ(word(), x(10) == 0 ? 7U : before);
    set_word(0);
    return x(10) == 0;
  }

  Machine<kHart> machine;

 private:
  std::uint32_t at_ = kBase;
};

TEST(ModelAtomic, EachAmoReadsAndWrites) {
  struct Case {
    Function function;
    std::uint32_t old, operand, result;
  };
  const std::vector<Case> cases = {
      {kSwap, 1, 2, 2},
      {kAdd, 0xffffffff, 3, 2},
      {kXor, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0},
      {kAnd, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
      {kOr, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
      {kMin, 0x80000000, 1, 0x80000000},
      {kMin, 1, 0xffffffff, 0xffffffff},
      {kMax, 0x80000000, 1, 1},
      {kMax, 1, 0xffffffff, 1},
      {kMinu, 0x80000000, 1, 1},
      {kMinu, 1, 0xffffffff, 1},
      {kMaxu, 0x80000000, 1, 0x80000000},
      {kMaxu, 1, 0xffffffff, 0xffffffff},
  };
  for (const Case& c : cases) {
    Harts harts;
    harts.set_word(c.old);
    harts.set_x(12, c.operand);
    const tz_retire r = harts.execute(amo(c.function, 10, 11, 12));
    EXPECT_EQ(harts.x(10), c.old);
    EXPECT_EQ(harts.word(), c.result) << unsigned{c.function};
    EXPECT_EQ(r.mem_rmask, 0xf);
    EXPECT_EQ(r.mem_wmask, 0xf);
    EXPECT_EQ(r.mem_rdata, c.old);
    EXPECT_EQ(r.mem_wdata, c.result);
    EXPECT_EQ(r.mem_addr, kData);
    EXPECT_EQ(r.rd_value, c.old);
  }
}

TEST(ModelAtomic, RegistersMayBeTheSame) {
  Harts harts;
  harts.set_word(5);
  harts.execute(amo(kAdd, 11, 11, 11));
  EXPECT_EQ(harts.x(11), 5U);
  EXPECT_EQ(harts.word(), kData + 5);
  harts.set_x(11, kData);
  EXPECT_EQ(harts.execute(amo(kSwap, 0, 11, 0)).mem_rdata, kData + 5) << "x0";
  EXPECT_EQ(harts.word(), 0U);
}

TEST(ModelAtomic, AnScStoresWithItsReservationOnce) {
  Harts harts;
  harts.set_word(0x80000001);
  const tz_retire lr = harts.execute(amo(kLr, 10, 11, 0));
  EXPECT_EQ(harts.x(10), 0x80000001U);
  EXPECT_EQ(lr.mem_rmask, 0xf);
  EXPECT_EQ(lr.mem_wmask, 0);
  harts.set_x(12, 7);
  const tz_retire sc = harts.execute(amo(kSc, 10, 11, 12));
  EXPECT_EQ(harts.x(10), 0U);
  EXPECT_EQ(harts.word(), 7U);
  EXPECT_EQ(sc.mem_rmask, 0);
  EXPECT_EQ(sc.mem_wmask, 0xf);
  EXPECT_EQ(sc.mem_wdata, 7U);
  harts.set_x(12, 8);
  const tz_retire again = harts.execute(amo(kSc, 10, 11, 12));
  EXPECT_EQ(harts.x(10), 1U);
  EXPECT_EQ(harts.word(), 7U);
  EXPECT_EQ(again.mem_wmask, 0);
}

TEST(ModelAtomic, WhatEndsAReservation) {
  Harts harts(2);
  const auto other_stores = [&](std::uint32_t address, std::uint32_t word) {
    harts.set_x(11, address, 1);
    harts.set_x(12, 0, 1);
    harts.execute(word, 1);
    harts.set_x(11, kData, 1);
  };
  const std::uint32_t store_word = test::store(2, 12, 11);
  const std::uint32_t store_byte = test::store(0, 12, 11);
  EXPECT_TRUE(harts.pair([] {}));
  EXPECT_TRUE(harts.pair([&] { other_stores(kData + 4, store_word); }));
  EXPECT_TRUE(harts.pair([&] { other_stores(kData - 4, store_word); }));
  EXPECT_FALSE(harts.pair([&] { other_stores(kData, store_word); }));
  EXPECT_FALSE(harts.pair([&] { other_stores(kData + 3, store_byte); }));
  EXPECT_FALSE(harts.pair([&] { other_stores(kData - 2, store_word); })) << "its second word";
  EXPECT_FALSE(harts.pair([&] { other_stores(kData, amo(kAdd, 10, 11, 12)); }));
  EXPECT_TRUE(harts.pair([&] { other_stores(kData, amo(kLr, 10, 11, 0)); })) << "both have one";
  EXPECT_TRUE(harts.pair([&] { other_stores(kData + 8, amo(kSc, 10, 11, 12)); })) << "fails";
  EXPECT_FALSE(harts.pair([&] {
    other_stores(kData, amo(kLr, 10, 11, 0));
    other_stores(kData, amo(kSc, 10, 11, 12));
  }));
  // The hart's own store.
  EXPECT_FALSE(harts.pair([&] { harts.execute(store_word); }));
  EXPECT_FALSE(harts.pair([&] { harts.execute(store_byte); }));
  EXPECT_FALSE(harts.pair([&] { harts.execute(amo(kOr, 10, 11, 0)); }));
  EXPECT_TRUE(harts.pair([&] { harts.execute(test::load(2, 10, 11, 0)); }));
  EXPECT_FALSE(harts.pair([&] {
    harts.set_x(11, kData + 4);
    harts.execute(amo(kLr, 10, 11, 0));
  })) << "it has one";
  EXPECT_FALSE(harts.pair([&] {
    harts.set_x(11, kData + 4);
    harts.execute(amo(kSc, 10, 11, 12));
  }));
  EXPECT_FALSE(harts.pair([&] { harts.execute(test::kEbreak); })) << "a trap";
  EXPECT_FALSE(harts.pair([&] { harts.machine.hart(0).interrupt(3); }));
  EXPECT_FALSE(harts.pair([&] { harts.execute(kMret); }));
}

TEST(ModelAtomic, AStoreOfTheFastLoopEndsItToo) {
  // The hart knows the page before the LR, so its stores bypass the bus from then on.
  Harts harts;
  const std::vector<std::uint32_t> words = {
      test::store(2, 0, 11), test::store(2, 0, 11), amo(kLr, 10, 11, 0),  test::store(2, 0, 11),
      amo(kSc, 13, 11, 11),  amo(kLr, 10, 11, 0),   amo(kSc, 14, 11, 11), test::jump(0),
  };
  std::memcpy(harts.machine.bus().memory(kBase, words.size() * 4), words.data(), words.size() * 4);
  harts.machine.flush();
  tz_run_args args{};
  args.until_cycle = 20;
  tz_run_result result{};
  harts.set_x(14, 5);
  harts.machine.run(args, result);
  EXPECT_EQ(harts.x(13), 1U);
  EXPECT_EQ(harts.x(14), 0U);
}

TEST(ModelAtomic, ExceptionsAreOfLoadsForLrAndOfStoresForTheRest) {
  struct Case {
    std::uint32_t address;
    unsigned load, store;
  };
  for (const Case& c : {Case{kData + 2, kLoadMisaligned, kStoreMisaligned}, Case{kData + 1, 4, 6},
                        Case{TRAPEZE_CLINT_BASE, kLoadFault, kStoreFault}, Case{0x40000000, 5, 7},
                        Case{TRAPEZE_CLINT_BASE + 1, 4, 6}}) {
    for (const Function function : {kLr, kSc, kAdd, kSwap, kMaxu}) {
      Harts harts;
      harts.set_x(11, c.address);
      harts.set_x(10, 0x55);
      const std::uint32_t word = amo(function, 10, 11, function == kLr ? 0 : 12);
      const tz_retire r = harts.execute(word);
      ASSERT_NE(r.flags & TZ_RETIRE_TRAP, 0);
      EXPECT_EQ(r.cause, function == kLr ? c.load : c.store);
      EXPECT_EQ(r.rd, 0);
      EXPECT_EQ(r.mem_rmask | r.mem_wmask, 0);
      EXPECT_EQ(harts.x(10), 0x55U);
      EXPECT_EQ(harts.machine.hart(0).csr().read(kMtval, {}), c.address);
      EXPECT_EQ(harts.machine.hart(0).pc(), kHandler);
    }
  }
}

TEST(ModelAtomic, ASnapshotHoldsReservations) {
  Harts harts;
  harts.execute(amo(kLr, 10, 11, 0));
  const auto snapshot = harts.machine.save();
  harts.execute(amo(kSc, 10, 11, 12));
  harts.machine.restore(*snapshot);
  harts.execute(amo(kSc, 10, 11, 12));
  EXPECT_EQ(harts.x(10), 0U);
  harts.execute(amo(kLr, 10, 11, 0));
  harts.machine.reset();
  harts.set_x(11, kData);
  harts.execute(amo(kSc, 10, 11, 12));
  EXPECT_EQ(harts.x(10), 1U);
}

TEST(ModelAtomic, MisaNamesIt) {
  Harts harts;
  EXPECT_EQ(harts.machine.hart(0).csr().read(kMisa, {}).value() & 1U, 1U);
}

}  // namespace
}  // namespace trapeze::model
