// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Platforms of several harts: memories for all and for each, turns, exits.
#include <gtest/gtest.h>
#include <trapeze/host.h>
#include <trapeze/map.h>

#include <cstring>
#include <vector>

#include "elf_builder.h"
#include "model/platform/kinds.h"
#include "model/platform/machine.h"

namespace trapeze::model {
namespace {

using test::addi;
using test::jump;
using test::lui;

constexpr Params kHart = parse_params("rv32imc_zba");
constexpr std::uint32_t kBase = TRAPEZE_IMEM_BASE;
constexpr std::uint32_t kData = TRAPEZE_DMEM_BASE;
constexpr std::uint32_t kReadHartId6 = 0xf1402373;  // csrr x6, mhartid
constexpr std::uint32_t kSh2add5 = 0x205342b3;      // sh2add x5, x6, x5

/** Two harts with one program. Data memory is `shared`, or each hart has its own. */
class Harts {
 public:
  Harts(const std::vector<std::uint32_t>& words, bool shared, std::uint64_t hart_id = 0)
      : regions_{{"imem", TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, 1},
                 {"dmem", TRAPEZE_DMEM_BASE, TRAPEZE_DMEM_SIZE, shared ? 1U : 0U}},
        machine(Platform{regions_, kBase, hart_id, 2, 16, 16}) {
    std::memcpy(machine.bus().memory(kBase, words.size() * 4), words.data(), words.size() * 4);
  }
  tz_run_result run(std::uint64_t until) {
    tz_run_args args{};
    args.until_cycle = until;
    args.harts = states;
    tz_run_result result{};
    machine.run(args, result);
    return result;
  }
  std::uint32_t word(unsigned hart, std::uint32_t address) {
    std::uint32_t value = 0;
    std::memcpy(&value, machine.bus(hart).memory(address, 4), 4);
    return value;
  }

 private:
  tz_region regions_[2];

 public:
  Machine<kHart> machine;
  tz_hart_state states[2] = {};
};

TEST(ModelHarts, ShareMemory) {
  // Each stores its number plus one at the number's place.
  Harts harts({kReadHartId6, lui(5, kData), kSh2add5, addi(6, 6, 1), test::store(2, 6, 5), jump(0)}, true);
  harts.run(20);
  for (unsigned n = 0; n < 2; ++n) {
    EXPECT_EQ(harts.word(n, kData), 1U);
    EXPECT_EQ(harts.word(n, kData + 4), 2U);
  }
}

TEST(ModelHarts, HaveMemoriesOfTheirOwn) {
  Harts harts({kReadHartId6, lui(5, kData), test::store(2, 6, 5), jump(0)}, false, 5);
  ASSERT_NE(harts.machine.bus(0).memory(kData, 4), harts.machine.bus(1).memory(kData, 4));
  ASSERT_EQ(harts.machine.bus(0).memory(kBase, 4), harts.machine.bus(1).memory(kBase, 4));
  harts.run(8);
  EXPECT_EQ(harts.word(0, kData), 5U) << "mhartid";
  EXPECT_EQ(harts.word(1, kData), 6U);
}

TEST(ModelHarts, ExecuteInTurnAndExitByThemselves) {
  // Hart 1 writes its exit code at once, hart 0 an instruction later.
  Harts harts({kReadHartId6, lui(5, TRAPEZE_HOST_BASE), lui(7, 0x33000), addi(7, 7, 0x333),
               0x00031463 /* bnez x6, +8 */, addi(0, 0, 0), test::store(2, 7, 5), jump(0)},
              true);
  EXPECT_EQ(harts.run(100).stop, TZ_STOP_EXIT);
  EXPECT_EQ(harts.states[0].exited, 0U);
  EXPECT_EQ(harts.states[1].exited, 1U);
  EXPECT_EQ(harts.states[1].exit_code, 3U);
  EXPECT_LE(harts.states[0].retired - harts.states[1].retired + 1, 2U) << "neither is ahead by more than one";
  EXPECT_EQ(harts.run(100).stop, TZ_STOP_EXIT);
  EXPECT_EQ(harts.states[0].exited, 1U);
  EXPECT_EQ(harts.states[1].exited, 0U) << "is told once";
  EXPECT_EQ(harts.run(100).stop, TZ_STOP_CYCLES);
}

TEST(ModelHarts, HaveLinesAndSoftwareInterruptsOfTheirOwn) {
  Harts harts({jump(0)}, true);
  const auto pending = [&](unsigned hart) {
    harts.run(harts.machine.now() + 4);
    return harts.machine.hart(hart).csr().mip();
  };
  harts.machine.set_line(1, 2, true);
  EXPECT_EQ(pending(0), 0U);
  EXPECT_EQ(pending(1), 1U << 18);
  harts.machine.bus(0).write(TRAPEZE_CLINT_BASE + 4, 0xf, 1, 0);
  EXPECT_EQ(pending(0), 0U);
  EXPECT_EQ(pending(1), (1U << 18) | (1U << kSoftwareInterrupt));
}

TEST(ModelHarts, OfDifferentKindsShareAPlatform) {
  // An RV32 hart with a CLIC and an RV64 hart each store a register, all ones, at 8 times their number in the memory
  // that they share: 4 bytes of one, 8 of the other. The program of each is in memory of its own, at the same address.
  constexpr Params kNarrow = parse_params("rv32imc").with_clic(true);
  constexpr Params kWide = parse_params("rv64imac");
  constexpr std::uint32_t kSd = 0x00003023;
  const tz_region regions[] = {{"imem", TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, 0},
                               {"dmem", TRAPEZE_DMEM_BASE, TRAPEZE_DMEM_SIZE, 1}};
  PlatformPlan plan;
  plan.harts.resize(2);
  plan.harts[0].params = kNarrow;
  plan.harts[0].lines = 48;
  plan.harts[0].sources = 64;
  plan.harts[1].params = kWide;
  plan.harts[1].lines = 16;
  plan.harts[1].hart_id = 1;
  for (HartPlan& hart : plan.harts) hart.reset_vector = kBase;
  add_devices(plan);
  add_memories(plan, regions);
  System system(plan, &make_hart);
  // RV64 sign-extends lui: auipc, which does not, is at kBase here and there.
  const auto auipc = [](unsigned rd, std::uint32_t value) { return (value & 0xfffff000U) | (rd << 7) | 0x17U; };
  const std::vector<std::uint32_t> narrow = {auipc(5, kData - kBase), addi(6, 0, -1), test::store(2, 6, 5), jump(0)};
  const std::vector<std::uint32_t> wide = {auipc(5, kData - kBase), addi(6, 0, -1),
                                           kSd | (6U << 20) | (5U << 15) | (8U << 7), jump(0)};
  std::memcpy(system.bus(0).memory(kBase, 16), narrow.data(), 16);
  std::memcpy(system.bus(1).memory(kBase, 16), wide.data(), 16);
  tz_hart_state states[2] = {};
  tz_run_args args{};
  args.until_cycle = 10;
  args.harts = states;
  tz_run_result result{};
  const auto snapshot = system.save();
  for (int again = 0; again < 2; ++again) {
    system.run(args, result);
    EXPECT_EQ(result.cycle, 10U);
    for (const tz_hart_state& state : states) EXPECT_EQ(state.pc, kBase + 12);
    std::uint64_t words[2] = {};
    std::memcpy(words, system.bus(again == 0 ? 0 : 1).memory(kData, sizeof words), sizeof words);
    EXPECT_EQ(words[0], 0xffffffffU);
    EXPECT_EQ(words[1], ~std::uint64_t{0});
    system.restore(*snapshot);
    EXPECT_EQ(system.now(), 0U);
    std::memcpy(words, system.bus(0).memory(kData, sizeof words), sizeof words);
    EXPECT_EQ(words[1], 0U);
  }
}

TEST(ModelHarts, SeeNoTimeThatGoesBack) {
  // Each compares the stamp that the other one left with its own time, and leaves one. With turns of a thousand
  // instructions a hart executes long before the other one does, or behind it.
  constexpr Params kWide = parse_params("rv64imac").with_supervisor(true);
  const std::vector<std::uint32_t> words = {
      (kData - kBase) | 0x417U,  //       auipc s0, data
      0x00843303,                // loop: ld t1, 8(s0)
      0xc01023f3,                //       rdtime t2
      0x0063f663,                //       bgeu t2, t1, ok
      0x40730e33,                //       sub t3, t1, t2
      0x01c43823,                //       sd t3, 16(s0)
      0xc01023f3,                // ok:   rdtime t2
      0x00743423,                //       sd t2, 8(s0)
      0xfe5ff06f,                //       j loop
  };
  const tz_region regions[] = {{"imem", kBase, TRAPEZE_IMEM_SIZE, 1}, {"dmem", kData, TRAPEZE_DMEM_SIZE, 1}};
  Machine<kWide> machine(Platform{regions, kBase, 0, 2, 16, 16});
  std::memcpy(machine.bus().memory(kBase, 4 * words.size()), words.data(), 4 * words.size());
  tz_run_args args{};
  args.until_cycle = 20000;
  args.turn = 1000;
  tz_run_result result{};
  machine.run(args, result);
  std::uint64_t found[3] = {};
  std::memcpy(found, machine.bus().memory(kData, sizeof found), sizeof found);
  EXPECT_GT(found[1], 10000U) << "stamps were left";
  EXPECT_EQ(found[2], 0U) << "so much a stamp was ahead of the time behind it";
}

}  // namespace
}  // namespace trapeze::model
