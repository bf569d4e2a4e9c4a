// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Where the cycles of a hart with a pipeline went: a program that meets every cause, in slices of any length, and with
// records as without.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "model/isa/csr.h"
#include "model/platform/machine.h"
#include "timing/harts.h"
#include "timing_numbers.h"

namespace trapeze::timing {
namespace {

constexpr std::uint64_t kBase = 0x80000000, kTable = kBase + 0x8000, kData = kBase + 0x10000;
constexpr std::uint64_t kCompare = 0x2004000;  ///< mtimecmp of hart 0
constexpr std::uint64_t kAlarm = 20'000, kEnd = 30'000;
constexpr tz_region kMemory = {"memory", kBase, 0x20000, 0};

// In supervisor mode:
//     sd zero, 8(a0); ld t0, 8(a0); add t0, t0, t0; sd zero, 8(a0); ld t0, 8(a0); mv t1, a0; li t2, 32
// 1:  sd t2, 0(t1); ld t0, 1024(t1); addi t1, t1, 64; addi t2, t2, -1; bnez t2, 1b
//     auipc t3, 0; jr 12(t3); nop; sd t2, 0(a0); cbo.clean (a0); ecall; ld t0, 0(a2); sd a3, 0(a2); wfi; j .
// In machine mode, the handler:
//     csrr t5, mcause; bltz t5, 3f; csrr t5, mepc; addi t5, t5, 4; csrw mepc, t5; mret
// 3:  csrw mie, zero; mret
constexpr std::uint32_t kProgram[] = {0x00053423, 0x00853283, 0x005282b3, 0x00053423, 0x00853283, 0x00050313,
                                      0x02000393, 0x00733023, 0x40033283, 0x04030313, 0xfff38393, 0xfe0398e3,
                                      0x00000e17, 0x00ce0067, 0x00000013, 0x00753023, 0x0015200f, 0x00000073,
                                      0x00063283, 0x00d63023, 0x10500073, 0x0000006f, 0x34202f73, 0x000f4a63,
                                      0x34102f73, 0x004f0f13, 0x341f1073, 0x30200073, 0x30401073, 0x30200073};
constexpr std::uint64_t kHandler = kBase + 22 * 4;
constexpr unsigned kSupervisor = 1, kMachine = 3;

/** Those of the other tests, and operations on cache blocks take time. */
model::TimingPlan with_blocks() {
  model::TimingPlan plan = numbers();
  plan.system.block = 6;
  return plan;
}

struct Row {
  std::uint64_t times = 0, cycles = 0;
  bool operator==(const Row&) const = default;
};
using Rows = std::map<std::string, Row>;

/** A hart with the program. */
struct Hart {
  static model::PlatformPlan plan() {
    model::PlatformPlan made;
    model::HartPlan& hart = made.harts.emplace_back();
    hart.params = model::parse_params("rv64ima_zicbom_sv39");
    hart.reset_vector = kBase;
    hart.timing = with_blocks();
    model::add_devices(made);
    model::add_memories(made, {&kMemory, 1});
    return made;
  }

  Hart() {
    std::memcpy(system.bus(0).memory(kBase, sizeof kProgram), kProgram, sizeof kProgram);
    // Large pages, of the devices and of the memory, that may be read, written and executed.
    const std::uint64_t entries[] = {0xcf, 0, kBase >> 2 | 0xcf};
    std::memcpy(system.bus(0).memory(kTable, sizeof entries), entries, sizeof entries);
    model::Core& core = system.core(0);
    core.write_csr(model::kMtvec, kHandler, 0);
    core.write_csr(model::kMenvcfg, 0xf0, 0);
    core.write_csr(model::kMie, 1U << model::kTimerInterrupt, 0);
    core.write_csr(model::kSatp, std::uint64_t{8} << 60 | kTable >> 12, 0);
    core.write_register(10, kData);
    core.write_register(12, kCompare);
    core.write_register(13, kAlarm);
    core.write_register(TZ_DEBUG_MODE, kSupervisor);
  }

  /** Runs up to a time, and returns what took it, by privilege. */
  std::vector<Rows> run(std::uint64_t until, std::uint64_t slice, bool records) {
    std::vector<tz_retire> kept(64);
    tz_run_args args{};
    args.select = records ? TZ_SELECT_ALL : 0;
    args.records = kept.data();
    args.records_capacity = kept.size();
    tz_run_result result{};
    while (result.cycle < until) {
      args.until_cycle = std::min(result.cycle + slice, until);
      system.run(args, result);
    }
    std::vector<Rows> by_mode(TZ_MODES);
    for (const tz_cause& cause : system.hart(0).causes()) {
      for (unsigned mode = 0; mode < TZ_MODES; ++mode)
        by_mode[mode][cause.name] = {cause.times[mode], cause.cycles[mode]};
    }
    return by_mode;
  }
  static std::uint64_t cycles(const std::vector<Rows>& by_mode) {
    std::uint64_t sum = 0;
    for (const Rows& rows : by_mode) {
      for (const auto& [name, row] : rows) {
        EXPECT_LE(row.cycles, kEnd) << name << ": more than there were";
        sum += row.cycles;
      }
    }
    return sum;
  }

  model::System system{plan(), &make_hart};
};

class Statistics : public testing::Test, protected Hart {};

TEST_F(Statistics, CausesHaveAllCycles) {
  for (const std::uint64_t until : {1, 50, 200, 1000, 2500, 10'000, 30'000}) {
    const std::vector<Rows> found = run(until, 7, false);
    EXPECT_EQ(cycles(found), system.now()) << "at " << until;
  }
}

TEST_F(Statistics, EveryCauseIsCounted) {
  const std::vector<Rows> found = run(kEnd, kEnd, false);
  const Rows& kernel = found[kSupervisor];
  const auto each = [&](const char* name, std::uint64_t cycles) {
    const Row row = kernel.at(name);
    EXPECT_NE(row.times, 0U) << name;
    EXPECT_EQ(row.cycles, row.times * cycles) << name;
  };
  each("data cache misses, loads", 13 + 30);
  each("data cache misses, stores", 13 + 30);
  each("dirty victims of those", 31 - 13);
  each("loads behind a store", 5);
  each("mispredicted branches", 3);
  each("mispredicted jumps", 3);
  EXPECT_EQ(kernel.at("dirty victims of those").times, 32U - 4 + 1)
      << "of the loop but for its first lines, and behind";
  EXPECT_EQ(kernel.at("mispredicted branches").times, 2U) << "the first time, and the last";
  EXPECT_EQ(kernel.at("page walks for code"), (Row{1, 4 + 4 + 13 + 30})) << "of a large page";
  EXPECT_EQ(kernel.at("instruction cache misses").times, 2U);
  EXPECT_EQ(kernel.at("page walks for data").times, 2U);
  EXPECT_EQ(kernel.at("page walks for data").cycles, 2U * (5 + 4) + 13 + 30) << "the table is in the cache later";
  EXPECT_EQ(kernel.at("loads from devices"), (Row{1, 9}));
  EXPECT_EQ(kernel.at("stores to devices"), (Row{1, 11}));
  EXPECT_EQ(kernel.at("cache management"), (Row{1, 6}));
  EXPECT_EQ(kernel.at("write-backs by that"), (Row{1, 31 - 13}));
  EXPECT_EQ(kernel.at("exceptions"), (Row{1, 4 + 1}));
  EXPECT_EQ(kernel.at("interrupts"), (Row{1, 4}));
  EXPECT_EQ(kernel.at("asleep in wfi").times, 1U);
  EXPECT_GT(kernel.at("asleep in wfi").cycles, kAlarm / 2);
  EXPECT_EQ(found[kMachine].at("instructions"), (Row{10, 10}));
  EXPECT_EQ(kernel.at("instructions").times + 10, system.hart(0).retired());
}

TEST_F(Statistics, SleepCountsWhileItLasts) {
  const std::vector<Rows> found = run(kAlarm - 1, kEnd, false);
  EXPECT_EQ(cycles(found), kAlarm - 1);
}

TEST_F(Statistics, SlicesAndRecordsChangeNothing) {
  const std::vector<Rows> whole = run(kEnd, kEnd, false);
  for (const std::uint64_t slice : {1, 7, 1000}) {
    for (const bool records : {false, true}) {
      Hart again;
      EXPECT_EQ(again.run(kEnd, slice, records), whole) << slice << records;
    }
  }
}

}  // namespace
}  // namespace trapeze::timing
