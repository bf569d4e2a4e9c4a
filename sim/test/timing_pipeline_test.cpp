// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A hart with a pipeline: small programs take exactly the time that the parameters say, in slices of any length, and
// with records as without.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "model/isa/csr.h"
#include "model/platform/machine.h"
#include "timing/harts.h"

namespace trapeze::timing {
namespace {

using model::Core;
using model::TimingPlan;

constexpr std::uint64_t kBase = 0x80000000, kData = kBase + 0x10000;
constexpr tz_region kMemory = {"memory", kBase, 0x20000, 0};

/** Numbers that tell everything apart. The data cache has 4 sets of 2 ways. */
TimingPlan numbers() {
  TimingPlan plan;
  plan.memory_latency = 30;
  plan.results_wait = true;
  plan.instructions = {16384, 4, 64, true, 19, 0};
  plan.data = {512, 2, 64, true, 13, 31};
  plan.load = {2, 3, 4, 5};
  plan.multiply = {4, 8, 10, 6};
  plan.divide = {5, 1, 67};
  plan.floating = {{4, 6}, {28, 57}, 4, 3};
  plan.fetch = {4, 5};
  plan.branches = {3, 1, 512, 1, 0, 0, 28, 6};
  plan.translation = {8, 4, 4, 8, 5, 4, 4, 1};
  plan.system = {3, 4, 4, 3, 2, 7, 10, 12, 0};
  return plan;
}

// Instructions. Registers: 5 t0, 6 t1, 7 t2, 8 rounds, 9 result, 10 a0, 11 a1, 12 a2.
using Code = std::vector<std::uint32_t>;
constexpr std::uint32_t kT0 = 5, kT1 = 6, kT2 = 7, kRounds = 8, kResult = 9, kA0 = 10, kA1 = 11, kA2 = 12;
constexpr std::uint32_t immediate(std::uint32_t opcode, unsigned funct3, std::uint32_t rd, std::uint32_t rs1, int imm) {
  return opcode | rd << 7 | funct3 << 12 | rs1 << 15 | static_cast<std::uint32_t>(imm) << 20;
}
constexpr std::uint32_t registers(unsigned funct7, unsigned funct3, std::uint32_t rd, std::uint32_t rs1,
                                  std::uint32_t rs2) {
  return 0x33U | rd << 7 | funct3 << 12 | rs1 << 15 | rs2 << 20 | funct7 << 25;
}
constexpr std::uint32_t addi(std::uint32_t rd, std::uint32_t rs1, int imm) {
  return immediate(0x13, 0, rd, rs1, imm);
}
constexpr std::uint32_t ld(std::uint32_t rd, std::uint32_t rs1, int imm = 0) {
  return immediate(0x03, 3, rd, rs1, imm);
}
constexpr std::uint32_t lbu(std::uint32_t rd, std::uint32_t rs1) {
  return immediate(0x03, 4, rd, rs1, 0);
}
constexpr std::uint32_t add(std::uint32_t rd, std::uint32_t a, std::uint32_t b) {
  return registers(0, 0, rd, a, b);
}
constexpr std::uint32_t sub(std::uint32_t rd, std::uint32_t a, std::uint32_t b) {
  return registers(32, 0, rd, a, b);
}
constexpr std::uint32_t mul(std::uint32_t rd, std::uint32_t a, std::uint32_t b) {
  return registers(1, 0, rd, a, b);
}
constexpr std::uint32_t divide(std::uint32_t rd, std::uint32_t a, std::uint32_t b) {
  return registers(1, 4, rd, a, b);
}
constexpr std::uint32_t amoadd(std::uint32_t rd, std::uint32_t rs1) {
  return 0x302fU | rd << 7 | rs1 << 15;
}
constexpr std::uint32_t sd(std::uint32_t rs2, std::uint32_t rs1, int imm) {
  const auto bits = static_cast<std::uint32_t>(imm);
  return 0x3023U | (bits & 31U) << 7 | rs1 << 15 | rs2 << 20 | ((bits >> 5) & 0x7fU) << 25;
}
constexpr std::uint32_t bnez(std::uint32_t rs1, int offset) {
  const auto bits = static_cast<std::uint32_t>(offset);
  return 0x1063U | ((bits >> 11) & 1U) << 7 | ((bits >> 1) & 15U) << 8 | rs1 << 15 | ((bits >> 5) & 63U) << 25 |
         ((bits >> 12) & 1U) << 31;
}
constexpr std::uint32_t csrr(std::uint32_t rd, unsigned number) {
  return immediate(0x73, 2, rd, 0, static_cast<int>(number));
}
constexpr std::uint32_t kStay = 0x6f, kNop = 0x13;

class Pipelined : public testing::Test {
 protected:
  static model::PlatformPlan plan(const TimingPlan& timing) {
    model::PlatformPlan made;
    model::HartPlan& hart = made.harts.emplace_back();
    hart.params = model::parse_params("rv64ima");
    hart.reset_vector = kBase;
    hart.timing = timing;
    model::add_devices(made);
    model::add_memories(made, {&kMemory, 1});
    return made;
  }

  /** Time of `code` between two reads of mcycle, in the third of three rounds; the reads are 64 bytes apart at least.
   */
  static std::uint64_t time_of(const Code& code, std::uint64_t slice, bool records) {
    model::System system(plan(numbers()), &make_hart);
    Code whole = {addi(kRounds, 0, 3)};
    const std::size_t loop = whole.size();
    whole.insert(whole.end(), {csrr(30, model::kMcycle), kNop, kNop});
    whole.insert(whole.end(), code.begin(), code.end());
    whole.insert(whole.end(), {csrr(31, model::kMcycle), kNop, kNop, sub(kResult, 31, 30), addi(kRounds, kRounds, -1)});
    whole.push_back(bnez(kRounds, -4 * static_cast<int>(whole.size() - loop)));
    const std::uint64_t end = kBase + 4 * whole.size();
    whole.push_back(kStay);
    std::memcpy(system.bus(0).memory(kBase, 4 * whole.size()), whole.data(), 4 * whole.size());
    Core& core = system.core(0);
    core.write_register(kA0, kData);
    std::vector<tz_retire> kept(64);
    std::vector<tz_claim> claims(64);
    tz_run_args args{};
    args.select = records ? TZ_SELECT_ALL : 0;
    args.records = kept.data();
    args.records_capacity = kept.size();
    tz_run_result result{};
    while (core.pc() != end) {
      args.until_cycle += slice;
      system.run(args, result);
    }
    return *core.read_register(kResult) - 3;  // without the first read and what is behind it
  }
  static void expect(std::uint64_t cycles, const Code& code, const char* what) {
    for (const std::uint64_t slice : {1, 7, 1'000'000}) {
      EXPECT_EQ(time_of(code, slice, false), cycles) << what << ", slices of " << slice;
      EXPECT_EQ(time_of(code, slice, true), cycles) << what << ", with records, slices of " << slice;
    }
  }
  /** A loop of eight rounds: `body` and three instructions. */
  static Code rounds(Code body, int step) {
    Code code = {addi(kA1, kA0, 0), addi(kA2, 0, 16)};
    const auto length = static_cast<int>(body.size()) + 2;
    code.insert(code.end(), body.begin(), body.end());
    code.insert(code.end(), {addi(kA1, kA1, step), addi(kA2, kA2, -1), bnez(kA2, -4 * length)});
    return code;
  }
};

TEST_F(Pipelined, WaitsForResults) {
  expect(2, {addi(kT0, 0, 1), addi(kT0, kT0, 1)}, "one behind the other");
  expect(3, {ld(kT0, kA0), add(kT1, kT0, kT0)}, "load and use");
  expect(3, {ld(kT0, kA0), kNop, add(kT1, kT0, kT0)}, "load, another, use");
  expect(4, {lbu(kT0, kA0), kNop, add(kT1, kT0, kT0)}, "byte, another, use");
  expect(3, {ld(kT0, kA0), addi(kT0, 0, 1)}, "load and another write");
  expect(8, {amoadd(kT0, kA0), add(kT1, kT0, kT0)}, "atomic operation and use");
  expect(3 + 1 + 5, {sd(0, kA0, 8), ld(kT0, kA0, 8), add(kT1, kT0, kT0)}, "load of what was stored");
}

TEST_F(Pipelined, StoresAreComparedByLowAddressBits) {
  const Code apart = {addi(kA1, kA0, 2047), addi(kA1, kA1, 2047), addi(kA1, kA1, 2)};
  const auto behind = [&](const Code& rest) {
    Code code = apart;
    code.insert(code.end(), rest.begin(), rest.end());
    return code;
  };
  const std::uint32_t use = add(kT1, kT0, kT0);
  expect(3 + 3 + 1 + 5, behind({sd(0, kA0, 8), ld(kT0, kA1, 8), use}), "load a page behind the store");
  expect(3 + 4 + 1 + 5, behind({sd(0, kA0, 8), kNop, ld(kT0, kA1, 8), use}), "the same behind another instruction");
  expect(3 + 5 + 1, behind({sd(0, kA0, 8), kNop, kNop, ld(kT0, kA1, 8), use}), "the same behind two");
  expect(3 + 3 + 1, behind({sd(0, kA0, 8), ld(kT0, kA1, 16), use}), "load of another double word");
}

TEST_F(Pipelined, FenceKeepsAccessesBack) {
  constexpr std::uint32_t kFence = 0x0ff0000f;
  expect(1 + 1 + 3, {ld(kT0, kA0), kFence, ld(kT1, kA0)}, "load, fence, load");
  expect(3, {ld(kT0, kA0), kFence, kNop}, "load, fence, another");
}

TEST_F(Pipelined, MultiplierAndDividerTakeTheirOperands) {
  expect(6, {addi(kT0, 0, 3), mul(kT1, kT0, kT0), add(kT2, kT1, kT1)}, "3 x 3");
  expect(7, {addi(kT0, 0, 0x7ff), mul(kT1, kT0, kT0), add(kT2, kT1, kT1)}, "11 bits");
  expect(12, {addi(kT0, 0, -3), mul(kT1, kT0, kT0), add(kT2, kT1, kT1)}, "-3 x -3");
  expect(6 + 8,
         {addi(kT0, 0, 3), mul(kT1, kT0, kT0), addi(kA1, 0, 1), addi(kA1, 0, 1), addi(kA1, 0, 1), addi(kA1, 0, 1),
          addi(kA1, 0, 1), addi(kA1, 0, 1), addi(kA1, 0, 1), addi(kA1, 0, 1), add(kT2, kT1, kT1)},
         "the result waits for a free port");
  expect(3 + 9, {addi(kT0, 0, 100), addi(kT1, 0, 7), divide(kT2, kT0, kT1), add(kT1, kT2, kT2)}, "100 / 7");
  expect(3 + 11, {addi(kT0, 0, -100), addi(kT1, 0, 7), divide(kT2, kT0, kT1), add(kT1, kT2, kT2)}, "-100 / 7");
  expect(3 + 67, {addi(kT0, 0, 100), addi(kT1, 0, 0), divide(kT2, kT0, kT1), add(kT1, kT2, kT2)}, "100 / 0");
}

TEST_F(Pipelined, BranchesArePredicted) {
  // 16 rounds of three instructions. Predicted from its last direction, the branch is wrong at the first round and the
  // last one.
  expect(2 + 16 * 3 + 2 * 3, rounds({}, 0), "loop");
}

TEST_F(Pipelined, CacheMissesAndDirtyLines) {
  constexpr std::uint64_t kLoop = 2 + 16 * 4 + 2 * 3;
  expect(kLoop, rounds({ld(kT0, kA1)}, 32), "lines that fit");
  expect(kLoop + 16 * (13 + 30), rounds({ld(kT0, kA1)}, 64), "lines that do not fit");
  expect(kLoop, rounds({sd(kT0, kA1, 0)}, 32), "stores to lines that fit");
  expect(kLoop + 16 * (31 + 30), rounds({sd(kT0, kA1, 0)}, 64), "stores to lines that do not fit");
}

}  // namespace
}  // namespace trapeze::timing
