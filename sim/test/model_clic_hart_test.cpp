// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's hart with a CLIC: CSRs, entry and return, levels and thresholds, vectoring, xnxti, jalxnxti, scratch
// swaps.
#include <gtest/gtest.h>
#include <trapeze/clic.h>
#include <trapeze/map.h>

#include <cstring>

#include "elf_builder.h"
#include "model/platform/machine.h"

namespace trapeze::model {
namespace {

using test::addi;
using test::jump;
using test::kMret;
using test::lui;

constexpr Params kParams = parse_params("rv32imc_zba_zbb_zbs").with_clic(true);
constexpr std::uint32_t kBase = TRAPEZE_IMEM_BASE;
constexpr std::uint32_t kEntry = kBase + 0x400;    ///< mtvec
constexpr std::uint32_t kHandler = kBase + 0x800;  ///< address of the handlers
constexpr std::uint32_t kTable = TRAPEZE_DMEM_BASE;
constexpr std::uint32_t kEcall = 0x00000073;
constexpr std::uint32_t kWfi = 0x10500073;
constexpr tz_region kRegions[] = {{"imem", TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, 0},
                                  {"dmem", TRAPEZE_DMEM_BASE, TRAPEZE_DMEM_SIZE, 0}};

constexpr std::uint32_t csr(unsigned kind, unsigned rd, unsigned number, unsigned rs1) {
  return 0x73U | (rd << 7) | (kind << 12) | (rs1 << 15) | (number << 20);
}
constexpr unsigned kWrite = 1, kSet = 2, kClear = 3, kImmediate = 4;

/** A machine whose registers the tests set directly: 8 level bits, interrupts off, all table entries are kHandler. */
class ModelClicHart : public ::testing::Test {
 protected:
  ModelClicHart() {
    std::uint32_t words[64];
    std::fill(std::begin(words), std::end(words), kHandler + 1);  // the core ignores bit 0 of an entry
    std::memcpy(machine.bus().memory(kTable, sizeof words), words, sizeof words);
    machine.bus().write(TRAPEZE_CLIC_BASE, 0xf, 8, 0);
    write(kMtvec, kEntry);
    write(kMtvt, kTable);
  }

  Hart<kind_of(kParams)>& hart() { return machine.hart(0); }
  std::uint32_t read(unsigned number) { return hart().csr().read(number, {}).value(); }
  void write(unsigned number, std::uint32_t value) { hart().csr().write(number, value, {}); }
  std::uint32_t after_writing(unsigned number, std::uint32_t value) {
    write(number, value);
    return read(number);
  }
  /** Makes an edge-triggered source enabled and pending. */
  void raise(unsigned id, unsigned level, bool vectored = false) {
    machine.bus().write(address(id), 0xf, 0x00020101U | (level << 24) | (vectored ? 0x10000U : 0U), 0);
  }
  bool pending(unsigned id) { return (machine.bus().read(address(id), 0xf, 0).value & 1U) != 0; }
  static std::uint32_t address(unsigned id) { return TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 4 * id; }
  void set_level(std::uint8_t level, std::uint8_t interrupted = 0) {
    hart().csr().clic().level = level;
    hart().csr().clic().previous_level = interrupted;
  }
  /** Executes `words` from kBase on; an entry into a handler is a step, too. */
  void run(const std::vector<std::uint32_t>& words, std::uint64_t steps) {
    std::memcpy(machine.bus().memory(kBase, words.size() * 4), words.data(), words.size() * 4);
    machine.flush();
    hart().set_pc(kBase);
    go(steps);
  }
  void go(std::uint64_t steps) {
    const std::uint64_t until = machine.now() + steps;
    tz_run_args args{};
    args.until_cycle = until;
    args.claims = &claim;
    args.claims_capacity = 1;
    do machine.run(args, result);
    while (result.stop == TZ_STOP_CLAIM && machine.now() < until);
  }
  /** One CSR instruction with x5 as rd and `rs1` with a value. */
  std::uint32_t ask(unsigned kind, unsigned number, unsigned rs1, std::uint32_t value = 0) {
    hart().set_x(rs1, value);
    hart().set_x(5, 0xdead);
    run({csr(kind, 5, number, rs1)}, 1);
    return hart().x(5);
  }

  Machine<kParams> machine{Platform{kRegions, kBase, 0, 1, 48, 16, 64}};
  tz_run_result result{};
  tz_claim claim{};  ///< the last claim
};

TEST_F(ModelClicHart, LegalValues) {
  EXPECT_EQ(after_writing(kMtvec, 0xffffffff), 0xffffffc3U);
  EXPECT_EQ(after_writing(kMtvec, 0), 3U);
  EXPECT_EQ(after_writing(kMtvt, 0xffffffff), 0xffffff00U) << "the table of 64 sources";
  EXPECT_EQ(after_writing(kMintthresh, 0xffffff12), 0x12U);
  EXPECT_EQ(after_writing(kMie, 0xffffffff), 0U);
  EXPECT_EQ(after_writing(kMip, 0xffffffff), 0U);
  EXPECT_EQ(after_writing(kMcause, 0xffffffff), 0xf8ff0fffU);
  EXPECT_EQ(read(kMstatus) & 0x1880U, 0x1880U) << "mpp and mpie are mstatus's";
  EXPECT_EQ(after_writing(kMcause, 0x10000000), 0U) << "mpp 1 is no mode here";
  write(kMstatus, 0x1880);
  EXPECT_EQ(read(kMcause), 0x38000000U);
  EXPECT_EQ(read(kMintstatus), 0U);
}

TEST_F(ModelClicHart, RegistersOfTheClicAreThereWithItOnly) {
  constexpr Params kPlain = parse_params("rv32imc");
  Machine<kPlain> plain(Platform{kRegions, kBase, 0, 1, 16, 16});
  for (const unsigned number : {unsigned{kMtvt}, unsigned{kMintthresh}, unsigned{kMintstatus}}) {
    EXPECT_TRUE(hart().csr().read(number, {}).has_value());
    EXPECT_FALSE(plain.hart(0).csr().read(number, {}).has_value());
  }
  EXPECT_TRUE(plain.bus().read(TRAPEZE_CLIC_BASE, 0xf, 0).error);
}

TEST_F(ModelClicHart, ReservedAccessesAreIllegal) {
  const std::vector<std::uint32_t> words = {
      csr(kWrite, 5, kMnxti, 6),
      csr(kWrite | kImmediate, 5, kMnxti, 8),
      csr(kClear, 5, kMnxti, 6),
      csr(kClear, 5, kMnxti, 0),
      csr(kSet | kImmediate, 5, kMnxti, 1),
      csr(kSet | kImmediate, 5, kMnxti, 4),
      csr(kSet | kImmediate, 5, kMnxti, 16),
      csr(kWrite, 0, kMscratchcsw, 6),
      csr(kWrite, 5, kMscratchcsw, 0),
      csr(kSet, 5, kMscratchcsw, 6),
      csr(kWrite | kImmediate, 5, kMscratchcsw, 6),
      csr(kWrite, 0, kMscratchcswl, 6),
      csr(kWrite, 5, kMscratchcswl, 0),
      csr(kClear | kImmediate, 5, kMscratchcswl, 6),
      csr(kWrite, 5, kJalmnxti, 6),
      csr(kWrite, 0, kJalmnxti, 0),
      csr(kSet, 5, kJalmnxti, 5),
      csr(kWrite, 5, kMintstatus, 6),
      csr(kSet, 5, 0x346, 0),
  };
  for (const std::uint32_t word : words) {
    hart().set_x(5, 77);
    run({word}, 1);
    EXPECT_EQ(read(kMcause) & 0xfffU, unsigned{kIllegal}) << std::hex << word;
    EXPECT_EQ(read(kMtval), word);
    EXPECT_EQ(hart().x(5), 77U);
  }
  hart().set_mode(kUser);
  run({csr(kSet, 5, kMnxti, 0)}, 1);
  EXPECT_EQ(read(kMcause) & 0xfffU, unsigned{kIllegal}) << "in user mode";
}

TEST_F(ModelClicHart, EntryWithoutVectoring) {
  raise(40, 100);
  set_level(20);
  write(kMstatus, 8);
  run({addi(0, 0, 0)}, 1);
  EXPECT_EQ(hart().pc(), kEntry);
  EXPECT_EQ(read(kMepc), kBase);
  EXPECT_EQ(read(kMcause), 0x80000028U | (20U << 16) | (3U << 28) | (1U << 27));
  EXPECT_EQ(read(kMintstatus), 100U << 24);
  EXPECT_EQ(read(kMstatus) & 8U, 0U);
  EXPECT_TRUE(pending(40)) << "xnxti clears it, not the entry";
  EXPECT_EQ(claim.id, 40);
  EXPECT_EQ(claim.level, 100);
}

TEST_F(ModelClicHart, EntryThroughTheTable) {
  raise(40, 100, true);
  write(kMstatus, 8);
  run({addi(0, 0, 0)}, 1);
  EXPECT_EQ(hart().pc(), kHandler);
  EXPECT_EQ(read(kMcause) & 0xc0000fffU, 0x80000028U) << "minhv is clear behind the fetch";
  EXPECT_FALSE(pending(40));
}

TEST_F(ModelClicHart, LevelsAndThresholds) {
  struct Case {
    std::uint8_t level, threshold;
    unsigned offered;
    bool taken;
  };
  for (const Case& c :
       {Case{0, 0, 1, true}, Case{100, 0, 100, false}, Case{100, 0, 101, true}, Case{0, 100, 100, false},
        Case{0, 100, 101, true}, Case{50, 100, 100, false}, Case{100, 50, 101, true}, Case{255, 0, 255, false}}) {
    raise(40, c.offered);
    set_level(c.level);
    write(kMintthresh, c.threshold);
    write(kMstatus, 8);
    run({addi(0, 0, 0)}, 1);
    EXPECT_EQ(hart().pc() == kEntry, c.taken) << unsigned{c.level} << " " << unsigned{c.threshold} << " " << c.offered;
  }
}

TEST_F(ModelClicHart, UserModeIsInterruptedByEveryLevel) {
  raise(40, 1);
  set_level(200);
  write(kMintthresh, 255);
  hart().set_mode(kUser);
  run({addi(0, 0, 0)}, 1);
  EXPECT_EQ(hart().pc(), kEntry);
  EXPECT_EQ(read(kMintstatus), 1U << 24);
  EXPECT_EQ(read(kMcause) & 0x30ff0000U, 200U << 16);
}

TEST_F(ModelClicHart, ExceptionsKeepTheLevelFromTheirOwnModeOnly) {
  set_level(60);
  run({kEcall}, 1);
  EXPECT_EQ(read(kMintstatus), 60U << 24);
  EXPECT_EQ(read(kMcause), unsigned{kCallFromMachine} | (60U << 16) | (3U << 28));
  hart().set_mode(kUser);
  run({kEcall}, 1);
  EXPECT_EQ(read(kMintstatus), 0U);
  EXPECT_EQ(read(kMcause), unsigned{kCallFromUser} | (60U << 16));
  EXPECT_EQ(hart().pc(), kEntry);
}

TEST_F(ModelClicHart, ReturnSetsTheLevel) {
  set_level(200, 30);
  write(kMepc, kHandler);
  write(kMintthresh, 9);
  write(kMcause, 0x38000000U | (30U << 16));
  run({kMret}, 1);
  EXPECT_EQ(read(kMintstatus), 30U << 24);
  EXPECT_EQ(read(kMcause), (30U << 16) | (1U << 27)) << "mpil stays, mpp is the least mode";
  EXPECT_EQ(read(kMintthresh), 9U);
  EXPECT_EQ(hart().pc(), kHandler);
  write(kMcause, 0);
  run({kMret}, 1);
  EXPECT_EQ(hart().mode(), kUser);
  EXPECT_EQ(read(kMintthresh), 0U) << "returning to a lower mode clears it";
}

TEST_F(ModelClicHart, ReturnFetchesATableEntry) {
  write(kMepc, kTable + 6);
  write(kMcause, 0x78000000);
  run({kMret}, 1);
  EXPECT_EQ(hart().pc(), kHandler);
  EXPECT_EQ(read(kMcause) & 0x40000000U, 0x40000000U) << "minhv stays";
}

TEST_F(ModelClicHart, EntriesThatCannotBeFetched) {
  write(kMtvt, TRAPEZE_CLIC_BASE);
  raise(40, 100, true);
  write(kMstatus, 8);
  run({addi(0, 0, 0)}, 2);
  EXPECT_EQ(hart().pc(), kEntry);
  EXPECT_EQ(read(kMcause), unsigned{kFetchFault} | (1U << 30) | (3U << 28) | (100U << 16));
  EXPECT_EQ(read(kMepc), TRAPEZE_CLIC_BASE + 160U);
  EXPECT_EQ(read(kMtval), TRAPEZE_CLIC_BASE + 160U);
  EXPECT_EQ(read(kMintstatus), 100U << 24);
  EXPECT_FALSE(pending(40));

  write(kMepc, 0x90000002);
  write(kMcause, 0x48000000);
  run({kMret}, 2);
  EXPECT_EQ(read(kMepc), 0x90000000U) << "the word's address";
  EXPECT_EQ(read(kMcause), unsigned{kFetchFault} | (1U << 30) | (1U << 27)) << "from user mode, interrupts on";
  EXPECT_EQ(read(kMintstatus), 0U);
}

TEST_F(ModelClicHart, NextInterruptIsReadWithoutEffect) {
  EXPECT_EQ(ask(kSet, kMnxti, 0), 0U);
  raise(40, 100);
  write(kMcause, 0x30000007);
  EXPECT_EQ(ask(kSet, kMnxti, 0), kTable + 160);
  EXPECT_EQ(ask(kSet | kImmediate, kMnxti, 0), kTable + 160);
  EXPECT_EQ(ask(kClear | kImmediate, kMnxti, 0), kTable + 160);
  EXPECT_EQ(ask(kSet, kMnxti, 6, 0xffffffe0U & ~0xff0000U), kTable + 160) << "no bit of 4:0 is set";
  EXPECT_EQ(read(kMcause), 0x30000007U);
  EXPECT_EQ(read(kMintstatus), 0U);
  EXPECT_TRUE(pending(40));
}

TEST_F(ModelClicHart, NextInterruptQualifiesAboveTheInterruptedLevel) {
  raise(40, 100);
  set_level(200, 99);
  EXPECT_EQ(ask(kSet, kMnxti, 0), kTable + 160) << "the present level does not count";
  set_level(0, 100);
  EXPECT_EQ(ask(kSet, kMnxti, 0), 0U);
  EXPECT_EQ(ask(kSet, kMnxti, 6, 99U << 16), kTable + 160) << "a register brings its own level";
  EXPECT_EQ(ask(kSet, kMnxti, 6, 100U << 16), 0U);
  set_level(0, 0);
  write(kMintthresh, 100);
  EXPECT_EQ(ask(kSet, kMnxti, 0), 0U);
  write(kMintthresh, 99);
  EXPECT_EQ(ask(kSet, kMnxti, 0), kTable + 160);
  raise(41, 101, true);
  EXPECT_EQ(ask(kSet, kMnxti, 0), 0U) << "a vectored one hides what is behind it";
}

TEST_F(ModelClicHart, NextInterruptIsClaimed) {
  for (const auto& [word, on] : {std::pair{csr(kSet | kImmediate, 5, kMnxti, 8), true},
                                 {csr(kSet | kImmediate, 5, kMnxti, 2), false},
                                 {csr(kClear | kImmediate, 5, kMnxti, 31), false}}) {
    raise(40, 100);
    set_level(0, 0);
    write(kMstatus, 0x1800);
    write(kMcause, 0x30000007);
    run({word}, 1);
    EXPECT_EQ(hart().x(5), kTable + 160);
    EXPECT_EQ(read(kMcause), 0xb0000028U);
    EXPECT_EQ(read(kMintstatus), 100U << 24);
    EXPECT_EQ((read(kMstatus) & 8U) != 0, on);
    EXPECT_FALSE(pending(40));
  }
  set_level(0, 0);
  run({csr(kSet | kImmediate, 5, kMnxti, 8)}, 1);
  EXPECT_EQ(hart().x(5), 0U);
  EXPECT_NE(read(kMstatus) & 8U, 0U) << "mstatus is written in any case";
  EXPECT_EQ(read(kMintstatus), 0U);
}

TEST_F(ModelClicHart, JumpToTheNextInterrupt) {
  hart().set_x(1, 5);
  run({csr(kWrite, 1, kJalmnxti, 1)}, 1);
  EXPECT_EQ(hart().pc(), kBase + 4);
  EXPECT_EQ(hart().x(1), 5U);
  EXPECT_EQ(read(kMstatus) & 8U, 0U);
  raise(40, 100);
  write(kMcause, 0x30000007);
  run({csr(kWrite, 1, kJalmnxti, 1)}, 1);
  EXPECT_EQ(hart().pc(), kHandler);
  EXPECT_EQ(hart().x(1), kBase);
  EXPECT_EQ(read(kMcause), 0xb0000028U);
  EXPECT_EQ(read(kMintstatus), 100U << 24);
  EXPECT_EQ(read(kMstatus) & 8U, 8U);
  EXPECT_FALSE(pending(40));
  raise(41, 200, true);
  write(kMstatus, 0);
  run({csr(kWrite, 1, kJalmnxti, 1)}, 1);
  EXPECT_EQ(hart().pc(), kBase + 4) << "vectored interrupts are not its business";
}

TEST_F(ModelClicHart, ScratchSwaps) {
  const auto swaps = [&](unsigned number) {
    write(kMscratch, 11);
    const std::uint32_t got = ask(kWrite, number, 6, 22);
    EXPECT_EQ(read(kMscratch), got == 11 ? 22U : 11U);
    EXPECT_TRUE(got == 11 || got == 22);
    return got == 11;
  };
  write(kMcause, 0x30000000);
  EXPECT_FALSE(swaps(kMscratchcsw));
  write(kMcause, 0);
  EXPECT_TRUE(swaps(kMscratchcsw));
  for (const auto& [level, interrupted, expected] :
       {std::tuple{0, 0, false}, {1, 0, true}, {0, 1, true}, {2, 1, false}}) {
    set_level(static_cast<std::uint8_t>(level), static_cast<std::uint8_t>(interrupted));
    EXPECT_EQ(swaps(kMscratchcswl), expected);
  }
}

TEST_F(ModelClicHart, WaitEndsWithWhatQualifies) {
  set_level(100);
  raise(40, 100);
  run({kWfi, addi(7, 0, 1)}, 10);
  EXPECT_EQ(hart().x(7), 0U);
  raise(40, 101);
  go(2);
  EXPECT_EQ(hart().x(7), 1U) << "whether interrupts are on or not";
}

TEST_F(ModelClicHart, SnapshotsHoldTheController) {
  raise(40, 100);
  const auto snapshot = machine.save();
  write(kMstatus, 8);
  raise(41, 101);
  run({addi(0, 0, 0)}, 1);
  machine.restore(*snapshot);
  EXPECT_EQ(read(kMintstatus), 0U);
  EXPECT_FALSE(pending(41));
  EXPECT_TRUE(pending(40));
}

}  // namespace
}  // namespace trapeze::model
