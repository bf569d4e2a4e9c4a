// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's hart with physical memory protection: every kind of access, refused and allowed; the state after a
// refused access; and that a hart's cached view of memory follows its rows and its privilege.
#include <gtest/gtest.h>

#include "fast_hart.h"

namespace trapeze::model {
namespace {

using test::addi;
using test::jump;
using test::kMret;
using test::load;
using test::store;

constexpr Params kGuarded = parse_params("rv32imac_zba_zbb_zbs").with_clic(true).with_fast(true).with_pmp(8, 0, true);
constexpr std::uint8_t kR = isa::pmpcfg::kR, kW = isa::pmpcfg::kW, kX = isa::pmpcfg::kX, kL = isa::pmpcfg::kL;
constexpr std::uint8_t kTor = isa::pmpcfg::kATor, kNa4 = isa::pmpcfg::kANa4, kNapot = isa::pmpcfg::kANapot;
constexpr std::uint8_t kAll = kR | kW | kX;
constexpr std::uint32_t kUserData = TRAPEZE_DMEM_BASE + 0x1000;
constexpr std::uint32_t kMprv = 1U << 17, kMppMachine = 3U << 11;
constexpr std::uint32_t kLr = 0x1000202f | 5U << 15 | 7U << 7;                 // lr.w x7, (x5)
constexpr std::uint32_t kSc = 0x1800202f | 6U << 20 | 5U << 15 | 7U << 7;      // sc.w x7, x6, (x5)
constexpr std::uint32_t kAmoadd = 0x0000202f | 6U << 20 | 5U << 15 | 7U << 7;  // amoadd.w x7, x6, (x5)

constexpr std::uint32_t csr(unsigned kind, unsigned rd, unsigned number, unsigned rs1) {
  return 0x73U | (rd << 7) | (kind << 12) | (rs1 << 15) | (number << 20);
}

/** x5 is kUserData. An exception ends in a loop at mtvec. `recorded`: one instruction at a time. */
struct Guarded : FastHart<kGuarded> {
  explicit Guarded(bool one_by_one) : recorded(one_by_one) {
    write(kMfastirq, 0);
    poke(kEntry, jump(0));
    hart().set_x(5, kUserData);
    hart().set_x(6, 0x11223344);
  }

  void row(unsigned n, std::uint8_t config, std::uint32_t address) {
    write(kPmpaddr0 + n, address);
    const std::uint32_t others = read(kPmpcfg0 + n / 4) & ~(0xffU << (8 * (n % 4)));
    write(kPmpcfg0 + n / 4, others | (std::uint32_t{config} << (8 * (n % 4))));
  }
  void word(unsigned n, std::uint8_t rights, std::uint32_t address) { row(n, rights | kNa4, address / 4); }
  void power(unsigned n, std::uint8_t rights, std::uint32_t base, std::uint32_t size) {
    row(n, rights | kNapot, (base | (size / 2 - 1)) / 4);
  }
  /** All of memory. */
  void rest(unsigned n, std::uint8_t rights) { row(n, rights | kNapot, 0xffffffff); }
  void put(const std::vector<std::uint32_t>& words, std::uint32_t base = kBase) {
    for (std::size_t i = 0; i < words.size(); ++i) poke(base + static_cast<std::uint32_t>(4 * i), words[i]);
    hart().set_pc(base);
  }
  /** Executes so many instructions. Rows may have changed since the last call, memory may not. Instructions that do
   * not fill a block are executed one by one, so a test of blocks leaves room behind its end, in the loop at mtvec. */
  void execute(std::uint64_t steps) {
    if (recorded) return go(steps);
    tz_run_args args{};
    args.until_cycle = machine.now() + steps;
    tz_claim claim{};
    args.claims = &claim;
    args.claims_capacity = 1;
    do {
      machine.run(args, result);
    } while (machine.now() < args.until_cycle);
  }
  void user(const std::vector<std::uint32_t>& words, std::uint64_t steps) {
    put(words);
    hart().set_mode(kUser);
    execute(steps);
  }
  unsigned cause() { return read(kMcause) & 0xfffU; }
  unsigned from() { return (read(kMcause) >> 28) & 3U; }
  void expect_trap(unsigned code, std::uint32_t epc, std::uint32_t value) {
    EXPECT_EQ(hart().pc(), kEntry);
    EXPECT_EQ(cause(), code);
    EXPECT_EQ(read(kMepc), epc);
    EXPECT_EQ(read(kMtval), value);
  }

  bool recorded;
};

class ModelPmpHart : public ::testing::TestWithParam<bool>, public Guarded {
 protected:
  ModelPmpHart() : Guarded(GetParam()) {}
};
INSTANTIATE_TEST_SUITE_P(Paths, ModelPmpHart, ::testing::Bool(),
                         [](const auto& path) { return path.param ? "Recorded" : "Fast"; });

TEST_P(ModelPmpHart, UserModeHasNothingWithoutRows) {
  put({kNop, kNop});
  execute(2);
  EXPECT_EQ(hart().pc(), kBase + 8) << "machine mode has all";
  user({kNop}, 1);
  expect_trap(kFetchFault, kBase, kBase);
  EXPECT_EQ(from(), kUser);
}

TEST_P(ModelPmpHart, FetchIsJudgedWordByWord) {
  row(0, kX | kTor, (kBase + 8) / 4);
  // c.nop, then an instruction over the region's end.
  user({kNop, 0x02130001, 0x00010010, kNop}, 3);
  expect_trap(kFetchFault, kBase + 6, kBase + 8);
  word(1, kX, kBase + 8);
  user({kNop, 0x02130001, 0x00010010, kNop}, 5);  // addi x4, x0, 1; then c.nop
  EXPECT_EQ(x(4), 1U);
  expect_trap(kFetchFault, kBase + 12, kBase + 12);
}

TEST_P(ModelPmpHart, FirstHalfRefused) {
  word(0, 0, kBase + 4);
  rest(1, kAll);
  user({kNop, 0x02130001, 0x00010010}, 2);
  expect_trap(kFetchFault, kBase + 4, kBase + 4);
  hart().set_mode(kUser);
  hart().set_pc(kBase + 6);
  execute(1);
  expect_trap(kFetchFault, kBase + 6, kBase + 6);
}

TEST_P(ModelPmpHart, LoadsAndStores) {
  power(0, kR, kUserData, 8);
  word(1, kX | kW | kR, kUserData + 8);
  word(2, kX, kUserData + 12);
  row(3, kX | kTor, 0);
  power(4, kX, kBase, 0x1000);
  poke(kUserData + 4, 0x55667788);
  user({load(2, 7, 5, 4), store(2, 6, 5)}, 2);
  EXPECT_EQ(x(7), 0x55667788U);
  expect_trap(kStoreFault, kBase + 4, kUserData);
  EXPECT_EQ(peek(kUserData), 0U);
  user({load(0, 7, 5, 13)}, 1);
  expect_trap(kLoadFault, kBase, kUserData + 13);
  hart().set_x(5, kUserData + 8);
  user({store(2, 6, 5), load(2, 7, 5, 0)}, 2);
  EXPECT_EQ(x(7), 0x11223344U);
  user({load(2, 7, 5, 64)}, 1);
  expect_trap(kLoadFault, kBase, kUserData + 8 + 64);
  hart().set_x(5, kUserData);
  put({store(2, 6, 5), kNop});
  execute(2);
  EXPECT_EQ(peek(kUserData), 0x11223344U) << "machine mode is not bound by rows without a lock";
}

TEST_P(ModelPmpHart, SplitAccessIsJudgedAsAWhole) {
  word(0, kAll, kUserData + 4);
  rest(1, kAll);
  hart().set_x(5, kUserData + 2);
  for (const unsigned mode : {kUser, kMachine}) {
    put({store(2, 6, 5)});
    hart().set_mode(mode);
    execute(1);
    expect_trap(kStoreFault, kBase, kUserData + 2);
    EXPECT_EQ(peek(kUserData), 0U) << "nothing of it has happened";
    EXPECT_EQ(peek(kUserData + 4), 0U);
    put({load(2, 7, 5, 0)});
    hart().set_mode(mode);
    execute(1);
    expect_trap(kLoadFault, kBase, kUserData + 2);
  }
  hart().set_x(5, kUserData + 6);
  user({load(2, 7, 5, 0)}, 1);
  expect_trap(kLoadFault, kBase, kUserData + 6);
  hart().set_x(5, kUserData + 3);
  user({load(0, 7, 5, 0), load(1, 7, 5, 1), load(1, 7, 5, 3), load(2, 7, 5, 5)}, 4);
  EXPECT_EQ(hart().pc(), kBase + 16) << "none of these is over an edge";
}

TEST_P(ModelPmpHart, DevicesAreBehindTheDoorToo) {
  power(0, kR | kX, kBase, 0x1000);
  hart().set_x(5, TRAPEZE_CLIC_BASE);
  user({load(2, 7, 5, 0)}, 1);
  expect_trap(kLoadFault, kBase, TRAPEZE_CLIC_BASE);
  user({store(2, 0, 5)}, 1);
  expect_trap(kStoreFault, kBase, TRAPEZE_CLIC_BASE);
  EXPECT_EQ(machine.bus().read(TRAPEZE_CLIC_BASE, 0xf, 0).value & 0xffU, 8U);
}

TEST_P(ModelPmpHart, Atomics) {
  word(0, kR, kUserData);
  word(1, 0, kUserData + 4);
  rest(2, kAll);
  poke(kUserData, 0x55667788);
  user({kLr, kSc}, 2);
  EXPECT_EQ(x(7), 0x55667788U);
  expect_trap(kStoreFault, kBase + 4, kUserData);
  user({kAmoadd}, 1);
  expect_trap(kStoreFault, kBase, kUserData);
  EXPECT_EQ(peek(kUserData), 0x55667788U);
  hart().set_x(5, kUserData + 4);
  user({kLr}, 1);
  expect_trap(kLoadFault, kBase, kUserData + 4);
  hart().set_x(5, kUserData + 6);
  user({kAmoadd}, 1);
  expect_trap(kStoreMisaligned, kBase, kUserData + 6);
  hart().set_x(5, kUserData + 8);
  user({kLr, kSc, kAmoadd}, 3);
  EXPECT_EQ(peek(kUserData + 8), 2 * 0x11223344U);
}

TEST_P(ModelPmpHart, TableEntryIsFetched) {
  interrupts_on();
  word(0, kL | kR | kW, kTable + 4 * 40);
  power(1, kL | kX, kTable + 4 * 41 / 8 * 8, 8);  // entries 40 and 41
  raise(40, 100);
  put({kNop});
  execute(2);
  expect_trap(kFetchFault, kTable + 4 * 40, kTable + 4 * 40);
  EXPECT_NE(read(kMcause) & kInTable, 0U);
  machine.reset();
  write(kMtvec, kEntry);
  write(kMtvt, kTable);
  set_level(0);
  machine.bus().write(TRAPEZE_CLIC_BASE, 0xf, 8, 0);
  interrupts_on();
  word(1, kL | kX, kTable + 4 * 41);  // user mode has no right of its own
  raise(41, 100);
  put({kNop});
  hart().set_mode(kMachine);
  execute(1);
  EXPECT_EQ(hart().pc(), handler(41));
}

/** A return that goes through a table entry fetches it with the privilege that it returns to. */
TEST_P(ModelPmpHart, ReturnFetchesTableEntriesWithItsMode) {
  for (const bool allowed : {false, true}) {
    for (const bool by_frame : {false, true}) {
      machine.reset();
      power(0, kX, kHandler, 0x800);
      if (allowed) word(1, kX, kTable + 4 * 40);
      write(kMtvec, kEntry);
      write(kMtvt, kTable);
      write(kMfastirq, by_frame ? kLink | kEnable : 0);
      const std::uint32_t context = kInTable;  // minhv; to user mode
      hart().set_x(2, kStack - 80);
      put_frame(kTable + 4 * 40, context);
      write(kMepc, kTable + 4 * 40);
      write(kMcause, context);
      put({by_frame ? kEmret : kMret});
      execute(allowed ? 1 : 2);
      if (allowed) {
        EXPECT_EQ(hart().mode(), kUser);
        EXPECT_EQ(hart().pc(), handler(40));
      } else {
        expect_trap(kFetchFault, kTable + 4 * 40, kTable + 4 * 40);
        EXPECT_EQ(hart().mode(), kMachine);
      }
    }
  }
}

TEST_P(ModelPmpHart, FrameCannotBeStored) {
  write(kMfastirq, kLink | kEnable | kNest);
  interrupts_on();
  raise(40, 100);
  word(0, kL | kR, kStack - 80 + 12);
  put({kNop});
  execute(2);  // the entry, and the exception for its frame
  EXPECT_EQ(cause(), unsigned{kFrameStoreFault});
  EXPECT_EQ(read(kMtval), kStack - 80 + 12);
  EXPECT_EQ(frame(3), 0U);
  EXPECT_EQ(frame(4), value_of(10)) << "words that may be stored are";
  EXPECT_EQ(frame(0), value_of(1));
}

TEST_P(ModelPmpHart, FrameIsMachineModes) {
  write(kMfastirq, kLink | kEnable | kNest);
  raise(40, 100);
  write(kMscratch, kStack);
  power(0, kX, kBase, 0x1000);
  put({kNop});
  hart().set_mode(kUser);
  execute(1);
  EXPECT_EQ(hart().pc(), handler(40));
  EXPECT_EQ(frame(4), value_of(10)) << "where user mode may not store";
  execute(2);  // nop, emret
  EXPECT_EQ(hart().mode(), kUser);
  EXPECT_EQ(hart().pc(), kBase);
}

TEST_P(ModelPmpHart, FrameCannotBeLoaded) {
  write(kMfastirq, kLink | kEnable | kNest);
  hart().set_x(2, kStack - 80);
  put_frame(kBase + 0x40, kFromMachine);
  word(0, kL, kStack - 80 + 8);
  put({kEmret});
  execute(1);
  expect_trap(kFrameLoadFault, kBase, kStack - 80 + 8);
}

// --- rows written by the program

TEST_P(ModelPmpHart, NextInstructionIsFetchedUnderNewRows) {
  // In the second round the row is locked and refuses the next instruction.
  write(kPmpaddr0, (kBase + 4) / 4);
  hart().set_x(8, kL | kR | kNa4);
  hart().set_x(6, 0);
  hart().set_x(7, 0);
  put({csr(1, 0, kPmpcfg0, 6), addi(7, 7, 1), addi(6, 8, 0), jump(-12)});
  execute(50);
  EXPECT_EQ(x(7), 1U);
  expect_trap(kFetchFault, kBase + 4, kBase + 4);
}

TEST_P(ModelPmpHart, NextAccessIsMadeUnderNewRows) {
  write(kPmpaddr0, kUserData / 4);
  hart().set_x(6, kL | kR | kNa4);
  const std::vector<std::uint32_t> words = {store(2, 6, 5), load(2, 7, 5, 0), csr(1, 0, kPmpcfg0, 6), load(2, 8, 5, 0),
                                            store(2, 0, 5)};
  put(words);
  execute(50);
  EXPECT_EQ(x(8), x(6));
  expect_trap(kStoreFault, kBase + 16, kUserData);
  // The address moves the row away again. The row is locked, and a reset frees it.
  machine.reset();
  write(kMtvec, kEntry);
  hart().set_x(5, kUserData);
  put({store(2, 0, 5), kNop});
  execute(2);
  EXPECT_EQ(hart().pc(), kBase + 8);
}

TEST_P(ModelPmpHart, RowsThatOpen) {
  power(0, kX, kBase, 0x1000);
  user({load(2, 7, 5, 0)}, 1);
  expect_trap(kLoadFault, kBase, kUserData);
  // The handler gives the word and returns; user mode tries again.
  put({csr(1, 0, kPmpaddr0 + 1, 6), csr(1, 0, kPmpcfg0, 8), kMret}, kEntry);
  hart().set_x(6, kUserData / 4);
  hart().set_x(8, kX | kNapot | (kR | kNa4) << 8);
  poke(kUserData, 0x55667788);
  hart().set_pc(kEntry);
  execute(4);
  EXPECT_EQ(x(7), 0x55667788U);
  EXPECT_EQ(hart().mode(), kUser);
}

TEST_P(ModelPmpHart, LockdownTakesCodeFromMachineMode) {
  hart().set_x(6, 1);  // MML
  put({kNop, csr(1, 0, kMseccfg, 6), kNop});
  execute(2);
  EXPECT_EQ(hart().pc(), kBase + 8);
  execute(1);
  expect_trap(kFetchFault, kBase + 8, kBase + 8);
  execute(1);
  expect_trap(kFetchFault, kEntry, kEntry);
}

TEST_P(ModelPmpHart, WhitelistTakesDataFromMachineMode) {
  power(0, kL | kX, kBase, 0x1000);
  hart().set_x(6, 2);  // MMWP
  put({load(2, 7, 5, 0), csr(1, 0, kMseccfg, 6), load(2, 7, 5, 0)});
  execute(50);
  expect_trap(kLoadFault, kBase + 8, kUserData);
}

// --- privilege

TEST_P(ModelPmpHart, CodeAndPagesAreOfOnePrivilege) {
  // Machine mode runs the code and caches its pages before user mode reaches either.
  word(0, kX, kBase);
  word(1, kX | kR | kW, kBase + 4);
  put({load(2, 7, 5, 0), store(2, 6, 5), csr(2, 0, kMscratch, 0), kMret});
  write(kMepc, kBase);
  write(kMcause, 0);  // MPP: user mode
  execute(4);
  EXPECT_EQ(hart().mode(), kUser);
  execute(1);
  expect_trap(kLoadFault, kBase, kUserData);
  EXPECT_EQ(from(), kUser);
  // And back: machine mode may still access what user mode may not.
  put({kMret}, kEntry);
  hart().set_pc(kBase);
  execute(2);
  EXPECT_EQ(hart().pc(), kBase + 8);
  hart().set_mode(kUser);
  hart().set_pc(kBase + 8);
  execute(1);
  expect_trap(kFetchFault, kBase + 8, kBase + 8);
}

TEST_P(ModelPmpHart, LoadsAndStoresHaveThePrivilegeOfMprv) {
  hart().set_x(6, kMprv);
  put({load(2, 7, 5, 0), csr(1, 0, kMstatus, 6), kNop, load(2, 7, 5, 0)});
  execute(4);
  expect_trap(kLoadFault, kBase + 12, kUserData);
  EXPECT_EQ(from(), kMachine) << "it was fetched with its own";
  // The trap has set MPP, so the handler's accesses have machine mode's rights.
  put({load(2, 7, 5, 0), store(2, 6, 5), csr(1, 0, kMcause, 0), kNop, store(2, 0, 5)}, kEntry + 0x40);
  execute(50);
  expect_trap(kStoreFault, kEntry + 0x50, kUserData);  // mcause holds MPP, too
  EXPECT_EQ(peek(kUserData), kMprv);
  // In user mode's row it may.
  word(0, kR, kUserData);
  write(kMstatus, kMprv);
  put({load(2, 7, 5, 0), kAmoadd});
  execute(2);
  EXPECT_EQ(x(7), kMprv);
  expect_trap(kStoreFault, kBase + 4, kUserData);
}

TEST_P(ModelPmpHart, InterruptGoesToAnotherPrivilege) {
  power(0, kX, kBase, 0x1000);
  put({jump(0)});
  hart().set_mode(kUser);
  execute(3);
  EXPECT_EQ(hart().pc(), kBase);
  poke(handler(40), load(2, 7, 5, 0));
  poke(handler(40) + 4, kMret);
  poke(kUserData, 0x55667788);
  raise(40, 100);
  execute(3);  // entry, load, mret
  EXPECT_EQ(x(7), 0x55667788U);
  EXPECT_EQ(hart().mode(), kUser);
  EXPECT_EQ(hart().pc(), kBase);
}

// --- registers, from outside and in records

TEST_P(ModelPmpHart, DebuggersSeeAndWriteRows) {
  Core& core = machine.core(0);
  put({load(2, 7, 5, 0), jump(-4)});
  execute(4);
  EXPECT_TRUE(core.write_csr(kPmpaddr0 + 3, kUserData / 4, 0));
  EXPECT_TRUE(core.write_csr(kPmpcfg0, std::uint32_t{kL | kW | kR | kNa4} << 24, 0));
  EXPECT_EQ(core.read_csr(kPmpaddr0 + 3, 0), kUserData / 4);
  EXPECT_EQ(core.read_csr(kPmpcfg0, 0), std::uint32_t{kL | kW | kR | kNa4} << 24);
  EXPECT_EQ(core.read_csr(kMseccfg, 0), 0U);
  EXPECT_EQ(core.read_csr(kPmpcfg0 + 4, 0), std::nullopt);
  execute(2);
  EXPECT_EQ(hart().pc(), kBase);
  EXPECT_TRUE(core.write_csr(kPmpaddr0 + 3, 0, 0)) << "which is locked";
  EXPECT_EQ(core.read_csr(kPmpaddr0 + 3, 0), kUserData / 4);
  EXPECT_TRUE(core.write_csr(kPmpaddr0, kUserData / 4, 0));
  EXPECT_TRUE(core.write_csr(kPmpcfg0, kL | kNa4, 0));
  execute(1);
  expect_trap(kLoadFault, kBase, kUserData);
}

TEST_P(ModelPmpHart, SnapshotsHoldRows) {
  word(0, kR, kUserData);
  power(1, kX, kBase, 0x1000);
  put({load(2, 7, 5, 0), jump(-4)});
  hart().set_mode(kUser);
  execute(2);
  const auto before = machine.save();
  word(0, 0, kUserData);
  execute(1);
  expect_trap(kLoadFault, kBase, kUserData);
  machine.restore(*before);
  execute(3);
  EXPECT_EQ(hart().pc(), kBase + 4);
  EXPECT_EQ(hart().mode(), kUser);
}

TEST(ModelPmpRegisters, RecordsNameWhatIsWritten) {
  Guarded guarded(true);
  guarded.hart().set_x(6, 0xffffffff);
  guarded.put({csr(1, 7, kPmpcfg0, 6), csr(3, 8, kPmpcfg0, 6), csr(2, 7, kPmpcfg0, 0)});
  guarded.execute(1);
  EXPECT_EQ(guarded.last.csr_addr, kPmpcfg0);
  EXPECT_EQ(guarded.last.csr_value, 0xffffffffU);
  EXPECT_NE(guarded.last.flags & TZ_RETIRE_CSR_WE, 0U);
  guarded.execute(2);
  EXPECT_EQ(guarded.last.rd_value, 0x9f9f9f9fU);
}

TEST(ModelPmpRegisters, AreThereWithRowsOnly) {
  FastHart<kFast> plain;
  for (const unsigned number : {kPmpcfg0, kPmpaddr0, kMseccfg, kMseccfgh}) {
    EXPECT_FALSE(plain.hart().csr().read(number, {}).has_value());
    plain.poke(kEntry, jump(0));
    plain.run({csr(2, 7, number, 0)}, 1);
    EXPECT_EQ(plain.read(kMcause) & 0xfffU, unsigned{kIllegal});
  }
  FastHart<kFast.with_pmp(4)> rows;
  EXPECT_TRUE(rows.hart().csr().read(kPmpaddr0 + 15, {}).has_value());
  EXPECT_FALSE(rows.hart().csr().read(kMseccfg, {}).has_value());
  Guarded guarded(true);
  guarded.rest(0, kAll);
  guarded.user({csr(2, 7, kPmpcfg0, 0)}, 1);
  EXPECT_EQ(guarded.cause(), unsigned{kIllegal}) << "of machine mode";
}

TEST(ModelPmpRegisters, UserModeHasAllWhereThereAreNone) {
  FastHart<kFast> plain;
  plain.hart().set_mode(kUser);
  plain.run({kNop, kNop}, 2);
  EXPECT_EQ(plain.hart().pc(), kBase + 8) << "user mode without PMP has all";
}

}  // namespace
}  // namespace trapeze::model
