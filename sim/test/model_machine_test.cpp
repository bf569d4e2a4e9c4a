// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's harts: results of instructions, CSRs and their legal values, traps, interrupts, blocks and records.
#include <gtest/gtest.h>
#include <trapeze/clint.h>
#include <trapeze/host.h>
#include <trapeze/map.h>

#include <cstring>

#include "elf_builder.h"
#include "model/platform/machine.h"

namespace trapeze::model {
namespace {

using test::addi;
using test::jump;
using test::kEbreak;
using test::kMret;
using test::lui;

constexpr Params kFull = parse_params("rv32imc_zba_zbb_zbs");
constexpr Params kSmall = parse_params("rv32i");
constexpr std::uint32_t kBase = TRAPEZE_IMEM_BASE;
constexpr std::uint32_t kData = TRAPEZE_DMEM_BASE;
constexpr std::uint32_t kHandler = kBase + 0x400;
constexpr std::uint32_t kWfi = 0x10500073;
constexpr std::uint32_t kEcall = 0x00000073;
constexpr std::uint32_t kFenceI = 0x0000100f;
constexpr tz_region kRegions[] = {{"imem", TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, 1},
                                  {"dmem", TRAPEZE_DMEM_BASE, TRAPEZE_DMEM_SIZE, 1}};

constexpr std::uint32_t csr(unsigned kind, unsigned rd, unsigned number, unsigned rs1) {
  return 0x73U | (rd << 7) | (kind << 12) | (rs1 << 15) | (number << 20);
}
constexpr std::uint32_t alu(std::uint32_t word, unsigned rd, unsigned rs1, unsigned rs2) {
  return word | (rd << 7) | (rs1 << 15) | (rs2 << 20);
}

template <Params P>
class Program {
 public:
  explicit Program(unsigned harts = 1) : machine(Platform{kRegions, kBase, 0, harts, 16, 16}) {}

  void put(std::uint32_t address, const std::vector<std::uint32_t>& words) {
    std::memcpy(machine.bus().memory(address, words.size() * 4), words.data(), words.size() * 4);
    machine.flush();
  }
  /** Executes `steps` instructions, as fast as it can or each with its record. */
  void run(const std::vector<std::uint32_t>& words, std::uint64_t steps, bool recorded = false) {
    put(kBase, words);
    machine.reset();
    go(steps, recorded);
  }
  void go(std::uint64_t steps, bool recorded = false) {
    records.assign(1000, {});
    std::size_t count = 0;
    const std::uint64_t until = machine.now() + steps;
    do {
      tz_run_args args{};
      args.until_cycle = until;
      args.select = recorded ? unsigned{TZ_SELECT_ALL} : 0;
      args.records = records.data() + count;
      args.records_capacity = records.size() - count;
      args.claims = &claim;
      args.claims_capacity = 1;
      machine.run(args, result);
      count += result.num_records;
    } while (result.stop == TZ_STOP_CLAIM && machine.now() < until);
    records.resize(count);
  }
  Hart<kind_of(P)>& hart() { return machine.hart(0); }
  std::uint32_t x(unsigned n) { return hart().x(n); }
  std::uint32_t read_csr(unsigned number) { return hart().csr().read(number, hart().counts(machine.now())).value(); }
  /** Value of a CSR after writing `value`. */
  std::uint32_t after_writing(unsigned number, std::uint32_t value) {
    hart().csr().write(number, value, {});
    return read_csr(number);
  }

  Machine<P> machine;
  tz_run_result result{};
  tz_claim claim{};  ///< the last one
  std::vector<tz_retire> records;
};

/** lui and addi that make any value. */
std::vector<std::uint32_t> constant(unsigned rd, std::uint32_t value) {
  const std::uint32_t upper = (value + 0x800U) & 0xfffff000U;
  return {lui(rd, upper), addi(rd, rd, static_cast<int>(value - upper))};
}

std::vector<std::uint32_t> operator+(std::vector<std::uint32_t> a, const std::vector<std::uint32_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(ModelHart, Arithmetic) {
  struct Case {
    std::uint32_t word, a, b, result;
  };
  const std::vector<Case> cases = {
      {0x00000033, 0xffffffff, 2, 1},                    // add
      {0x40000033, 1, 2, 0xffffffff},                    // sub
      {0x00001033, 1, 0xffffffe1, 2},                    // sll: five bits of the amount
      {0x00002033, 0x80000000, 1, 1},                    // slt
      {0x00003033, 0x80000000, 1, 0},                    // sltu
      {0x00005033, 0x80000000, 31, 1},                   // srl
      {0x40005033, 0x80000000, 31, 0xffffffff},          // sra
      {0x02000033, 0x10001, 0x10001, 0x20001},           // mul
      {0x02001033, 0x80000000, 0x80000000, 0x40000000},  // mulh
      {0x02002033, 0xffffffff, 0xffffffff, 0xffffffff},  // mulhsu
      {0x02003033, 0xffffffff, 0xffffffff, 0xfffffffe},  // mulhu
      {0x02004033, 0x80000000, 0xffffffff, 0x80000000},  // div: overflow
      {0x02004033, 7, 0, 0xffffffff},                    // div: by zero
      {0x02004033, 0xfffffff9, 2, 0xfffffffd},           // div: towards zero
      {0x02005033, 7, 0, 0xffffffff},                    // divu
      {0x02006033, 0x80000000, 0xffffffff, 0},           // rem: overflow
      {0x02006033, 0xfffffff9, 0, 0xfffffff9},           // rem: by zero
      {0x02006033, 0xfffffff9, 2, 0xffffffff},           // rem: sign of the dividend
      {0x02007033, 7, 0, 7},                             // remu
      {0x20006033, 0x20000001, 1, 9},                    // sh3add
      {0x40007033, 0xff, 0x0f, 0xf0},                    // andn
      {0x0a004033, 0x80000000, 1, 0x80000000},           // min
      {0x0a005033, 0x80000000, 1, 1},                    // minu
      {0x60001033, 0x80000001, 33, 3},                   // rol
      {0x60005033, 0x80000001, 0, 0x80000001},           // ror by nothing
      {0x48005033, 0x80000000, 31, 1},                   // bext
      {0x28001033, 0, 31, 0x80000000},                   // bset
  };
  for (const Case& c : cases) {
    Program<kFull> program;
    program.run(constant(5, c.a) + constant(6, c.b) + std::vector{alu(c.word, 7, 5, 6)}, 5);
    EXPECT_EQ(program.x(7), c.result) << std::hex << c.word << " " << c.a << " " << c.b;
  }
  const std::vector<std::array<std::uint32_t, 3>> unary = {{0x60001013, 0, 32},
                                                           {0x60101013, 0, 32},
                                                           {0x60201013, 0xffffffff, 32},
                                                           {0x60401013, 0x80, 0xffffff80},
                                                           {0x60501013, 0x8000, 0xffff8000},
                                                           {0x08004033, 0xffff8000, 0x8000},
                                                           {0x28705013, 0x00100100, 0x00ffff00},
                                                           {0x69805013, 0x01020304, 0x04030201},
                                                           {0x60001013, 0x00800000, 8},
                                                           {0x60101013, 0x00800000, 23}};
  for (const auto& [word, a, expected] : unary) {
    Program<kFull> program;
    program.run(constant(5, a) + std::vector{alu(word, 7, 5, 0)}, 3);
    EXPECT_EQ(program.x(7), expected) << std::hex << word << " " << a;
  }
}

TEST(ModelHart, RegisterZeroStaysZero) {
  Program<kFull> program;
  program.run({addi(0, 0, 5), addi(5, 0, 0), lui(6, kData), test::load(2, 0, 6, 0), csr(2, 0, kMisa, 0), jump(4),
               addi(7, 0, 0)},
              7);
  EXPECT_EQ(program.x(0), 0U);
  EXPECT_EQ(program.x(5), 0U);
}

TEST(ModelHart, MisalignedAccessesAndFaults) {
  const std::uint32_t end = TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE;
  Program<kFull> program;
  program.put(kData, {0x44332211, 0x88776655});
  program.run({lui(5, kData), test::load(2, 6, 5, 3), test::load(5, 7, 5, 3), test::load(1, 8, 5, 6)}, 4);
  EXPECT_EQ(program.x(6), 0x77665544U);
  EXPECT_EQ(program.x(7), 0x5544U);
  EXPECT_EQ(program.x(8), 0xffff8877U);
  // A store across the end of the memory: its first part is done, mtval is the address of the second word.
  program.run(constant(5, end - 2) + constant(6, 0x12345678) + std::vector{test::store(2, 6, 5)}, 5);
  EXPECT_EQ(program.read_csr(kMcause), unsigned{kStoreFault});
  EXPECT_EQ(program.read_csr(kMtval), end);
  EXPECT_EQ(program.read_csr(kMepc), kBase + 16);
  program.run(constant(5, 0x90000001) + std::vector{test::load(2, 6, 5, 0)}, 3);
  EXPECT_EQ(program.read_csr(kMcause), unsigned{kLoadFault});
  EXPECT_EQ(program.read_csr(kMtval), 0x90000001U);
  EXPECT_EQ(program.x(6), 0U);
  program.run(constant(5, TRAPEZE_UART_BASE) + std::vector{test::load(2, 6, 5, 0)}, 3);
  EXPECT_EQ(program.read_csr(kMcause), unsigned{kLoadFault}) << "the UART takes bytes only";
}

TEST(ModelHart, FetchFaults) {
  const std::uint32_t end = TRAPEZE_IMEM_BASE + TRAPEZE_IMEM_SIZE;
  Program<kFull> program;
  program.put(end - 4, {0x00130001});  // c.nop, then half of an addi
  program.run(constant(5, end - 4) + std::vector{alu(0x67, 0, 5, 0)}, 5);
  EXPECT_EQ(program.read_csr(kMcause), unsigned{kFetchFault});
  EXPECT_EQ(program.read_csr(kMepc), end - 2);
  EXPECT_EQ(program.read_csr(kMtval), end);
  program.run(constant(5, TRAPEZE_CLINT_BASE) + std::vector{alu(0x67, 0, 5, 0)}, 4);
  EXPECT_EQ(program.read_csr(kMcause), unsigned{kFetchFault}) << "devices hold no instructions";
}

TEST(ModelHart, JumpsWithoutCompressedInstructions) {
  Program<kSmall> program;
  program.run({addi(1, 0, 7), jump(2) | (1U << 7)}, 2);
  EXPECT_EQ(program.read_csr(kMcause), unsigned{kFetchMisaligned});
  EXPECT_EQ(program.read_csr(kMtval), kBase + 6);
  EXPECT_EQ(program.read_csr(kMepc), kBase + 4);
  EXPECT_EQ(program.x(1), 7U) << "no link";
  program.run({addi(5, 0, 1), test::branch_nonzero(0, 2), addi(6, 0, 1)}, 3);
  EXPECT_EQ(program.x(6), 1U) << "a branch that is not taken goes nowhere";
  EXPECT_EQ(program.after_writing(kMepc, 0xffffffff), 0xfffffffcU);
}

TEST(ModelCsr, LegalValues) {
  Program<kFull> program;
  EXPECT_EQ(program.read_csr(kMisa), 0x40101106U);
  EXPECT_EQ(program.after_writing(kMstatus, 0xfffffff7), 0x00221880U);
  EXPECT_EQ(program.after_writing(kMstatus, 0x800), 0U);
  EXPECT_EQ(program.after_writing(kMstatus, 0x1000), 0U);
  EXPECT_EQ(program.after_writing(kMie, 0xffffffff), 0xffff0888U);
  EXPECT_EQ(program.after_writing(kMip, 0xffffffff), 0U);
  EXPECT_EQ(program.after_writing(kMtvec, 0x8000017d), 0x80000101U);
  EXPECT_EQ(program.after_writing(kMtvec, 0x80000106), 0x80000104U);
  EXPECT_EQ(program.after_writing(kMepc, 0xffffffff), 0xfffffffeU);
  EXPECT_EQ(program.after_writing(kMcause, 0xffffffff), 0x8000001fU);
  EXPECT_EQ(program.after_writing(kMtval, 0xffffffff), 0xffffffffU);
  EXPECT_EQ(program.after_writing(kMscratch, 0xffffffff), 0xffffffffU);
  EXPECT_EQ(program.after_writing(kMcounteren, 0xffffffff), 5U);
  EXPECT_EQ(program.after_writing(kMcountinhibit, 0xffffffff), 5U);
  for (const unsigned zero : {0x310U, 0x30aU, 0x31aU, 0xf11U, 0xf12U, 0xf13U, 0xf14U, 0xf15U, 0xb03U, 0xb1fU, 0xb83U,
                              0xb9fU, 0x323U, 0x33fU}) {
    EXPECT_EQ(program.after_writing(zero, 0xffffffff), 0U) << std::hex << zero;
  }
}

TEST(ModelCsr, WhatDoesNotExistIsIllegal) {
  Program<kFull> program;
  unsigned present = 0;
  for (unsigned number = 0; number < 0x1000; ++number)
    present += program.hart().csr().read(number, {}).has_value() ? 1 : 0;
  // Machine registers, counters, those for U mode, 29 counters in two halves, 29 events, 5 that identify.
  EXPECT_EQ(present, 14U + 4 + 4 + 2 * 29 + 29 + 5);
  for (const std::uint32_t word :
       {csr(2, 5, 0xc01, 0), csr(2, 5, 0x302, 0), csr(2, 5, 0xb01, 0), csr(1, 5, 0xf14, 0), csr(2, 5, 0xf14, 6),
        csr(6, 5, 0xc00, 1), csr(4, 5, 0x300, 0), csr(2, 5, 0x7c0, 0)}) {
    program.run({addi(5, 0, 77), word}, 2);
    EXPECT_EQ(program.read_csr(kMcause), unsigned{kIllegal}) << std::hex << word;
    EXPECT_EQ(program.read_csr(kMtval), word);
    EXPECT_EQ(program.x(5), 77U);
  }
  program.run({addi(5, 0, 77), csr(2, 5, 0xf14, 0), csr(7, 5, 0xf14, 0)}, 3);
  EXPECT_EQ(program.x(5), 0U) << "reading forms are legal";
}

TEST(ModelCsr, Counters) {
  Program<kFull> program;
  program.run({csr(2, 5, kMinstret, 0), addi(0, 0, 0), csr(2, 6, kMinstret, 0), csr(5, 0, kMinstret, 9),
               csr(2, 7, kMinstret, 0), csr(5, 0, kMcountinhibit, 4), addi(0, 0, 0), csr(2, 8, kMinstret, 0),
               csr(5, 0, kMcountinhibit, 0), csr(2, 9, kMinstret, 0)},
              10);
  EXPECT_EQ(program.x(6) - program.x(5), 2U);
  EXPECT_EQ(program.x(7), 9U) << "the write takes the place of the increment";
  EXPECT_EQ(program.x(8), 10U);
  EXPECT_EQ(program.x(9), 11U);
}

TEST(ModelTraps, EntryAndReturn) {
  Program<kFull> program;
  program.put(kHandler, {csr(2, 6, kMstatus, 0), csr(2, 7, kMcause, 0), csr(2, 8, kMepc, 0), addi(8, 8, 4),
                         csr(1, 0, kMepc, 8), kMret});
  // MIE on, MPP U: mret goes to user mode at the ecall.
  program.run(constant(5, kHandler) + std::vector{csr(1, 0, kMtvec, 5), csr(5, 0, kMstatus, 8)} +
                  constant(5, kBase + 0x20) + std::vector{csr(1, 0, kMepc, 5), kMret, kEcall, csr(2, 9, kMstatus, 0)},
              9);
  EXPECT_EQ(program.hart().mode(), kMachine);
  EXPECT_EQ(program.read_csr(kMcause), unsigned{kCallFromUser});
  EXPECT_EQ(program.read_csr(kMstatus) & 0x1888U, 0U) << "from user mode, MPIE as MIE was (mret cleared it)";
  program.go(6);
  EXPECT_EQ(program.hart().mode(), kUser);
  program.go(1);
  EXPECT_EQ(program.read_csr(kMcause), unsigned{kIllegal}) << "machine CSR in user mode";
  EXPECT_EQ(program.hart().mode(), kMachine);
}

TEST(ModelTraps, MretClearsMprvAndSetsMpie) {
  Program<kFull> program;
  program.hart().csr().write(kMstatus, 0x20080, {});
  unsigned mode = kMachine;
  program.hart().csr().leave(mode);
  EXPECT_EQ(mode, kUser);
  EXPECT_EQ(program.read_csr(kMstatus), 0x88U);
}

TEST(ModelTraps, Causes) {
  const std::vector<std::pair<std::uint32_t, unsigned>> cases = {{kEcall, kCallFromMachine},
                                                                 {kEbreak, kBreakpoint},
                                                                 {0, kIllegal},
                                                                 {0x10200073, kIllegal},
                                                                 {0x12000073, kIllegal}};
  for (const auto& [word, cause] : cases) {
    Program<kFull> program;
    program.run({addi(1, 0, 1), word}, 2);
    EXPECT_EQ(program.read_csr(kMcause), cause);
    EXPECT_EQ(program.read_csr(kMepc), kBase + 4);
    EXPECT_EQ(program.read_csr(kMtval), cause == kIllegal ? word : 0U);
  }
}

TEST(ModelTraps, WaitInUserModeWithTimeoutWait) {
  Program<kFull> program;
  program.run(constant(5, 0x200000) + std::vector{csr(1, 0, kMstatus, 5)} + constant(5, kBase + 0x1c) +
                  std::vector{csr(1, 0, kMepc, 5), kMret, kWfi},
              8);
  EXPECT_EQ(program.read_csr(kMcause), unsigned{kIllegal});
  EXPECT_EQ(program.read_csr(kMtval), kWfi);
}

TEST(ModelInterrupts, PriorityAndVectors) {
  EXPECT_EQ(most_important(0), -1);
  EXPECT_EQ(most_important(0xffff0888), 31);
  EXPECT_EQ(most_important(0x00010888), 16);
  EXPECT_EQ(most_important(0x888), 11);
  EXPECT_EQ(most_important(0x88), 3);
  EXPECT_EQ(most_important(0x80), 7);

  Program<kFull> program;
  program.run(constant(5, kHandler + 1) + std::vector{csr(1, 0, kMtvec, 5)} + constant(5, 0xffff0888) +
                  std::vector{csr(1, 0, kMie, 5), jump(0)},
              10);
  program.machine.set_line(0, 2, true);
  program.machine.set_line(0, 9, true);
  program.go(3);
  EXPECT_EQ(program.hart().pc(), kBase + 24) << "MIE is clear";
  program.hart().csr().write(kMstatus, 8, {});
  program.go(1);
  EXPECT_EQ(program.hart().pc(), kHandler + 4 * 25);
  EXPECT_EQ(program.read_csr(kMcause), 0x80000019U);
  EXPECT_EQ(program.read_csr(kMepc), kBase + 24);
  EXPECT_EQ(program.read_csr(kMtval), 0U);
  EXPECT_EQ(program.read_csr(kMstatus), 0x1880U);
  EXPECT_EQ(program.claim.id, 25);
}

TEST(ModelInterrupts, TimerEndsWaiting) {
  Program<kFull> program;
  program.put(kHandler, {jump(0)});
  const auto words = constant(5, kHandler) + std::vector{csr(1, 0, kMtvec, 5)} +
                     constant(5, TRAPEZE_CLINT_BASE + 0x4000) +
                     std::vector{addi(6, 0, 500),
                                 test::store(2, 0, 5) | (4U << 7),
                                 test::store(2, 6, 5),
                                 addi(6, 0, 128),
                                 csr(1, 0, kMie, 6),
                                 csr(6, 0, kMstatus, 8),
                                 kWfi,
                                 addi(7, 0, 1)};
  // The upper half of mtimecmp first: it is all ones after reset.
  program.run(words, 400);
  EXPECT_EQ(program.x(7), 0U);
  program.go(106);  // the CLINT shows the timer a cycle later
  EXPECT_EQ(program.hart().pc(), kHandler);
  EXPECT_EQ(program.read_csr(kMepc), kBase + 4 * 12) << "behind the wfi";
  EXPECT_EQ(program.hart().retired(), 12U + 4) << "nothing retired while it waited";
}

TEST(ModelBlocks, ChangedCodeIsSeenAfterFenceI) {
  Program<kFull> program;
  // Calls x20 = 1 at +0x40, changes it to 2, fence.i, calls it again.
  program.put(kBase + 0x40, {addi(20, 0, 1), alu(0x67, 0, 1, 0)});
  program.run(constant(5, kBase + 0x40) + constant(6, addi(20, 0, 2)) +
                  std::vector{alu(0x67, 1, 5, 0), addi(21, 20, 0), test::store(2, 6, 5), kFenceI, alu(0x67, 1, 5, 0)},
              13);
  EXPECT_EQ(program.x(21), 1U);
  EXPECT_EQ(program.x(20), 2U);
}

TEST(ModelBlocks, FastAndRecordedRunsAgreeAtEveryLength) {
  const auto words = constant(5, kData) + constant(6, 40) +
                     std::vector{test::store(2, 6, 5),
                                 test::load(2, 7, 5, 0),
                                 alu(0x33, 8, 8, 7),
                                 test::marker(9),
                                 addi(6, 6, -1),
                                 test::branch_nonzero(6, -20),
                                 kEcall};
  for (const std::uint64_t steps : {1U, 2U, 5U, 6U, 7U, 9U, 10U, 11U, 50U, 244U, 245U, 300U}) {
    Program<kFull> fast;
    Program<kFull> recorded;
    fast.run(words, steps);
    recorded.run(words, steps, true);
    for (unsigned n = 0; n < 32; ++n) ASSERT_EQ(fast.x(n), recorded.x(n)) << steps;
    ASSERT_EQ(fast.hart().pc(), recorded.hart().pc()) << steps;
    ASSERT_EQ(fast.result.retired, recorded.result.retired);
    ASSERT_EQ(recorded.records.size(), steps);
  }
}

TEST(ModelRecords, SayWhatAnInstructionDid) {
  Program<kFull> program;
  program.run(
      {lui(5, kData), addi(6, 0, -2), test::store(1, 6, 5), test::load(1, 7, 5, 0), csr(2, 8, kMscratch, 6), kEcall}, 6,
      true);
  const std::vector<tz_retire>& r = program.records;
  ASSERT_EQ(r.size(), 6U);
  EXPECT_EQ(r[2].mem_wmask, 3);
  EXPECT_EQ(r[2].mem_addr, kData);
  EXPECT_EQ(r[2].mem_wdata, 0xfffeU);
  EXPECT_EQ(r[2].rd, 0);
  EXPECT_EQ(r[3].mem_rmask, 3);
  EXPECT_EQ(r[3].mem_rdata, 0xfffeU);
  EXPECT_EQ(r[3].rd_value, 0xfffffffeU);
  EXPECT_EQ(r[4].flags, TZ_RETIRE_CSR_WE);
  EXPECT_EQ(r[4].csr_addr, kMscratch);
  EXPECT_EQ(r[4].csr_value, 0xfffffffeU);
  EXPECT_EQ(r[5].flags, TZ_RETIRE_TRAP);
  EXPECT_EQ(r[5].cause, unsigned{kCallFromMachine});
  for (std::size_t i = 0; i < r.size(); ++i) EXPECT_EQ(r[i].order, i);
}

TEST(ModelMachine, StepsOneInstructionOrEntryAtATime) {
  Program<kFull> program;
  program.put(kHandler, {jump(0)});
  program.run(constant(5, kHandler) + std::vector{csr(1, 0, kMtvec, 5)} + constant(6, 0x10000) +
                  std::vector{csr(1, 0, kMie, 6), csr(6, 0, kMstatus, 8), kWfi, addi(7, 0, 1)},
              7);
  tz_retire record{};
  tz_run_args args{};
  args.until_cycle = 1000;
  args.records = &record;
  args.records_capacity = 1;
  args.claims = &program.claim;
  args.claims_capacity = 1;
  tz_step_result result{};
  program.machine.step(args, result);
  EXPECT_EQ(result.run.num_records, 1U);
  EXPECT_EQ(record.insn, kWfi);
  EXPECT_EQ(result.run.cycle, 8U);
  program.machine.step(args, result);
  EXPECT_EQ(result.run.cycle, 1000U) << "it waits as long as it may";
  EXPECT_EQ(result.run.num_records, 0U);
  program.machine.set_line(0, 0, true);
  args.until_cycle = 2000;
  program.machine.step(args, result);
  EXPECT_EQ(result.entered, 1U);
  EXPECT_EQ(result.run.num_records, 0U);
  EXPECT_EQ(program.hart().pc(), kHandler);
  program.machine.set_line(0, 0, false);
  program.machine.step(args, result);
  EXPECT_EQ(result.run.num_records, 1U);
  EXPECT_EQ(record.flags, TZ_RETIRE_INTR | TZ_RETIRE_IRQ);
}

TEST(ModelMachine, SnapshotsTakeEverythingBack) {
  Program<kFull> program;
  program.run(constant(5, kData) + std::vector{addi(6, 6, 1), test::store(2, 6, 5), jump(-8)}, 20);
  const auto snapshot = program.machine.save();
  const std::uint32_t before = program.x(6);
  program.go(31);
  const std::uint32_t after = program.x(6);
  program.machine.restore(*snapshot);
  EXPECT_EQ(program.x(6), before);
  program.go(31);
  EXPECT_EQ(program.x(6), after);
  EXPECT_EQ(program.machine.now(), 51U);
}

TEST(ModelMachine, WithoutCEveryInstructionHas32Bits) {
  // Each is of 16 bits with C; what is behind it is part of it without.
  for (const std::uint32_t word : {0x00000001U, 0x12344501U, 0xffff8082U}) {
    Program<kSmall> program;
    program.run({word}, 1, true);
    EXPECT_EQ(program.records[0].insn, word);
    EXPECT_EQ(program.records[0].flags & TZ_RETIRE_TRAP, TZ_RETIRE_TRAP);
    EXPECT_EQ(program.machine.hart(0).csr().read(kMtval, {}), word);
  }
}

}  // namespace
}  // namespace trapeze::model
