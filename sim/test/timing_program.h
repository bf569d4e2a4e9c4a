// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Small programs on a hart with a pipeline, and how long they take, in slices of any length, and with records as
 * without.
 */
#ifndef TRAPEZE_SIM_TEST_TIMING_PROGRAM_H
#define TRAPEZE_SIM_TEST_TIMING_PROGRAM_H

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "model/isa/csr.h"
#include "model/platform/machine.h"
#include "timing/harts.h"
#include "timing_numbers.h"

namespace trapeze::timing {
using model::Core;
using model::TimingPlan;

constexpr std::uint64_t kBase = 0x80000000, kData = kBase + 0x10300;
inline constexpr tz_region kMemory = {"memory", kBase, 0x20000, 0};

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
    hart.params = model::parse_params("rv64ima_zicbom");
    hart.reset_vector = kBase;
    hart.timing = timing;
    model::add_devices(made);
    model::add_memories(made, {&kMemory, 1});
    return made;
  }

  /** Time of `code` between two reads of mcycle, in the third of three rounds; the reads are 64 bytes apart at least.
   */
  static std::uint64_t time_of(const TimingPlan& timing, const Code& code, std::uint64_t slice, bool records) {
    model::System system(plan(timing), &make_hart);
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
    // Without the first read and the two instructions behind it, which may issue together.
    return *core.read_register(kResult) - (timing.pipelines ? 2 : 3);
  }
  static void expect(std::uint64_t cycles, const Code& code, const char* what, const TimingPlan& timing = numbers()) {
    for (const std::uint64_t slice : {1, 7, 1'000'000}) {
      EXPECT_EQ(time_of(timing, code, slice, false), cycles) << what << ", slices of " << slice;
      EXPECT_EQ(time_of(timing, code, slice, true), cycles) << what << ", with records, slices of " << slice;
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

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TEST_TIMING_PROGRAM_H
