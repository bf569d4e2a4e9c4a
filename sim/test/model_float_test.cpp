// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// F and D of a hart of 64 bits: state of the unit, NaN boxes, rounding modes, loads and stores. test_float.py tests the
// results.
#include <gtest/gtest.h>

#include <cstring>

#include "model/isa/float_arithmetic.h"
#include "model/platform/machine.h"

namespace trapeze::model {
namespace {

constexpr Params kFloat = parse_params("rv64imafdc").with_supervisor(true);
constexpr std::uint64_t kBase = 0x80000000;
constexpr std::uint64_t kData = kBase + 0x8000;
constexpr tz_region kRegions[] = {{"memory", kBase, 0x10000, 0}};
constexpr std::uint64_t kOne = 0x3ff0000000000000;
constexpr std::uint32_t kOneSingle = 0x3f800000;

constexpr std::uint64_t fs(unsigned state) {
  return std::uint64_t{state} << isa::mstatus::kFs;
}
constexpr std::uint64_t kDirty = fs(isa::mstatus::kFsDirty) | (std::uint64_t{1} << isa::mstatus::kSd);
constexpr std::uint64_t kClean = fs(isa::mstatus::kFsClean);

// As GNU as encodes them; fa0 is f10.
constexpr std::uint32_t kAddDouble = 0x02b57653;    // fadd.d fa2, fa0, fa1
constexpr std::uint32_t kAddSingle = 0x00b57653;    // fadd.s fa2, fa0, fa1
constexpr std::uint32_t kLoadSingle = 0x0005a507;   // flw fa0, 0(a1)
constexpr std::uint32_t kLoadDouble = 0x0005b507;   // fld fa0, 0(a1)
constexpr std::uint32_t kStoreSingle = 0x00a5a027;  // fsw fa0, 0(a1)
constexpr std::uint32_t kStoreDouble = 0x00a5b027;  // fsd fa0, 0(a1)

class Float : public testing::Test {
 protected:
  Float() { set_state(kClean); }

  Hart<kind_of(kFloat)>& hart() { return machine.hart(0); }
  void set_state(std::uint64_t state) { hart().csr().write(kMstatus, state, {}); }
  /** FS and SD, in both registers that have them. */
  std::uint64_t state() {
    const std::uint64_t own = hart().csr().read(kMstatus, {}).value() & kDirty;
    EXPECT_EQ(hart().csr().read(kSstatus, {}).value() & kDirty, own);
    return own;
  }
  std::uint64_t flags() { return hart().csr().read(kFflags, {}).value(); }
  /** Executes one instruction. Returns the exception that it raised, or 0. */
  unsigned execute(std::uint32_t word, std::uint64_t a1 = 0) {
    std::memcpy(machine.bus().memory(kBase, 4), &word, 4);
    hart().flush();
    hart().set_pc(kBase);
    hart().set_x(11, a1);
    hart().step(0, &record);
    return (record.flags & TZ_RETIRE_TRAP) != 0 ? static_cast<unsigned>(record.cause) : 0U;
  }
  std::uint64_t memory(std::uint64_t address) {
    std::uint64_t value = 0;
    std::memcpy(&value, machine.bus().memory(address, 8), 8);
    return value;
  }
  void set_memory(std::uint64_t address, std::uint64_t value) {
    std::memcpy(machine.bus().memory(address, 8), &value, 8);
  }

  Machine<kFloat> machine{Platform{kRegions, kBase, 0, 1, 16, 16}};
  tz_retire record{};
};

TEST_F(Float, OffMakesInstructionsAndRegistersIllegal) {
  set_state(0);
  for (const std::uint32_t word : {kAddDouble, kAddSingle, kLoadSingle, kLoadDouble, kStoreSingle, kStoreDouble,
                                   0xf2050553U /* fmv.d.x */, 0xe2050553U /* fmv.x.d */, 0x00102573U /* frflags */,
                                   0x00202573U /* frrm */, 0x00305073U /* csrwi fcsr, 0 */, 0x2188U /* c.fld */}) {
    EXPECT_EQ(execute(word, kData), unsigned{kIllegal}) << std::hex << word;
    EXPECT_EQ(hart().csr().read(kMtval, {}), word);
    EXPECT_EQ(state(), 0U);
  }
}

TEST_F(Float, WhatChangesTheUnitMakesItDirty) {
  EXPECT_EQ(state(), kClean);
  EXPECT_EQ(execute(kStoreDouble, kData), 0U);
  EXPECT_EQ(execute(0xa2b52553), 0U);  // feq.d a0, fa0, fa1
  EXPECT_EQ(execute(0x00302573), 0U);  // frcsr a0
  EXPECT_EQ(state(), kClean);
  for (const std::uint32_t word : {kLoadDouble, kLoadSingle, kAddDouble, 0xf2050553U /* fmv.d.x */,
                                   0x00105073U /* csrwi fflags, 0 */, 0x0021d073U /* fsrmi 3 */}) {
    set_state(kClean);
    EXPECT_EQ(execute(word, kData), 0U);
    EXPECT_EQ(state(), kDirty) << std::hex << word;
  }
  set_state(kClean);
  hart().set_f(10, 0x7ff0000000000001);
  EXPECT_EQ(execute(0xa2b52553), 0U) << "feq.d of a signalling NaN";
  EXPECT_EQ(state(), kDirty);
  EXPECT_EQ(flags(), 0x10U);
}

TEST_F(Float, StateIsWrittenByEitherRegisterAndSdIsNot) {
  hart().csr().write(kSstatus, fs(isa::mstatus::kFsInitial) | (std::uint64_t{1} << isa::mstatus::kSd), {});
  EXPECT_EQ(state(), fs(isa::mstatus::kFsInitial));
  set_state(fs(isa::mstatus::kFsDirty));
  EXPECT_EQ(state(), kDirty);
  EXPECT_EQ(hart().csr().read(kMisa, {}).value() & 0x28U, 0x28U);
  hart().csr().write(kFcsr, ~std::uint64_t{0}, {});
  EXPECT_EQ(hart().csr().read(kFcsr, {}), 0xffU);
  EXPECT_EQ(hart().csr().read(kFrm, {}), 7U);
  EXPECT_EQ(flags(), 0x1fU);
}

TEST_F(Float, SinglesAreBoxed) {
  set_memory(kData, kOneSingle);
  EXPECT_EQ(execute(kLoadSingle, kData), 0U);
  EXPECT_EQ(hart().f(10), boxed(kOneSingle));
  EXPECT_EQ(record.mem_rdata, kOneSingle);
  EXPECT_EQ(record.rd, 0) << "registers of the unit are not in the record";
  hart().set_f(11, boxed(kOneSingle));
  EXPECT_EQ(execute(kAddSingle), 0U);
  EXPECT_EQ(hart().f(12), boxed(0x40000000));
  hart().set_f(11, kOneSingle);
  EXPECT_EQ(execute(kAddSingle), 0U);
  EXPECT_EQ(hart().f(12), boxed(0x7fc00000)) << "what is not boxed is a NaN";
  EXPECT_EQ(flags(), 0U);
  hart().set_f(10, 0x0123456789abcdef);
  EXPECT_EQ(execute(kStoreSingle, kData), 0U);
  EXPECT_EQ(memory(kData), 0x89abcdefU) << "a store takes the bits as they are";
  EXPECT_EQ(record.mem_wdata, 0x89abcdefU);
}

TEST_F(Float, ReservedRoundingModesAreIllegal) {
  hart().set_f(10, kOne);
  hart().set_f(11, kOne);
  for (const unsigned mode : {5U, 6U}) {
    EXPECT_EQ(execute((kAddDouble & ~0x7000U) | (mode << 12)), unsigned{kIllegal});
  }
  for (unsigned mode = 0; mode < 8; ++mode) {
    hart().csr().write(kFrm, mode, {});
    EXPECT_EQ(execute(kAddDouble), mode > 4 ? unsigned{kIllegal} : 0U) << mode;
    EXPECT_EQ(execute(kAddDouble & ~0x7000U), 0U) << "static, with frm " << mode;
  }
}

TEST_F(Float, RegisterZeroIsARegister) {
  set_memory(kData, kOne);
  EXPECT_EQ(execute(0x0005b007, kData), 0U);  // fld ft0, 0(a1)
  EXPECT_EQ(hart().f(0), kOne);
  EXPECT_EQ(execute(0x02007053), 0U);  // fadd.d ft0, ft0, ft0
  EXPECT_EQ(hart().f(0), kOne + (std::uint64_t{1} << 52));
  EXPECT_EQ(hart().x(0), 0U);
}

TEST_F(Float, CompressedLoadsAndStores) {
  hart().set_f(10, kOne);
  EXPECT_EQ(execute(0xa588, kData), 0U);  // c.fsd fa0, 8(a1)
  EXPECT_EQ(memory(kData + 8), kOne);
  hart().set_f(10, 0);
  EXPECT_EQ(execute(0x2588, kData), 0U);  // c.fld fa0, 8(a1)
  EXPECT_EQ(hart().f(10), kOne);
  hart().set_x(2, kData);
  EXPECT_EQ(execute(0xa82a), 0U);  // c.fsdsp fa0, 16(sp)
  EXPECT_EQ(memory(kData + 16), kOne);
  EXPECT_EQ(execute(0x25c2), 0U);  // c.fldsp fa1, 16(sp)
  EXPECT_EQ(hart().f(11), kOne);
}

TEST_F(Float, AccessesFailAsThoseOfIntegers) {
  const std::uint64_t nowhere = 0x180000000;
  hart().set_f(10, kOne);
  for (const std::uint32_t word : {kLoadSingle, kLoadDouble}) {
    EXPECT_EQ(execute(word, nowhere), unsigned{kLoadFault});
    EXPECT_EQ(hart().csr().read(kMtval, {}), nowhere);
  }
  for (const std::uint32_t word : {kStoreSingle, kStoreDouble}) {
    EXPECT_EQ(execute(word, nowhere), unsigned{kStoreFault});
  }
  EXPECT_EQ(hart().f(10), kOne);
  EXPECT_EQ(state(), kClean) << "nothing was loaded";
  set_memory(kData, 0xaabbccddeeff0011);
  set_memory(kData + 8, 0x2233445566778899);
  EXPECT_EQ(execute(kLoadDouble, kData + 3), 0U);
  EXPECT_EQ(hart().f(10), 0x778899aabbccddee);
}

TEST_F(Float, PagesAreAskedFor) {
  // Translation with an empty table: every access of S mode is a page fault, but its code would be, too; so MPRV.
  hart().csr().write(kSatp, (std::uint64_t{isa::satp::kModeSv39} << isa::satp::kMode) | ((kBase + 0x4000) >> 12), {});
  const std::uint64_t as_supervisor =
      (std::uint64_t{kSupervisor} << isa::mstatus::kMpp) | (std::uint64_t{1} << isa::mstatus::kMprv);
  set_state(kClean | as_supervisor);
  EXPECT_EQ(execute(kLoadDouble, kData), unsigned{kLoadPageFault});
  EXPECT_EQ(hart().csr().read(kMtval, {}), kData);
  set_state(kClean | as_supervisor);
  EXPECT_EQ(execute(kStoreSingle, kData), unsigned{kStorePageFault});
  EXPECT_EQ(state(), kClean);
}

TEST_F(Float, SnapshotsHoldTheRegisters) {
  hart().set_f(31, kOne);
  const auto saved = hart().save();
  hart().set_f(31, 0);
  hart().restore(saved);
  EXPECT_EQ(hart().f(31), kOne);
  hart().reset(kBase);
  EXPECT_EQ(hart().f(31), 0U);
  EXPECT_EQ(state(), 0U) << "off";
}

TEST(NoFloat, StateIsZero) {
  constexpr Params kPlain = parse_params("rv64imac").with_supervisor(true);
  Machine<kPlain> machine{Platform{kRegions, kBase, 0, 1, 16, 16}};
  machine.hart(0).csr().write(kMstatus, kDirty, {});
  EXPECT_EQ(machine.hart(0).csr().read(kMstatus, {}).value() & kDirty, 0U);
  EXPECT_FALSE(machine.hart(0).csr().read(kFcsr, {}).has_value());
}

}  // namespace
}  // namespace trapeze::model
