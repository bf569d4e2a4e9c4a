// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A policy of time with costs: a hart's time is the sum of what its instructions cost by themselves and of what the
// hooks add, in the fast loop as step by step, and at whatever budget a slice ends.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "model/platform/machine.h"

namespace trapeze::model {
namespace {

constexpr Params kHart = parse_params("rv32imac");
constexpr std::uint32_t kBase = 0x80000000;
constexpr tz_region kRegions[] = {{"memory", kBase, 0x10000, 0}};

/** Costs that tell everything apart in the sum. */
struct Costs {
  static constexpr bool kIsCount = false;
  static constexpr unsigned kPerCycle = 1;
  static void uncached(std::uint64_t /*base*/, std::uint64_t /*size*/) {}
  static constexpr std::uint32_t kPlain = 2, kCsr = 5, kAfterCsr = 7;

  using Slot = std::uint32_t;
  using Situation = bool;  ///< the last instruction accessed a CSR
  template <class Decoded>
  static constexpr Slot slot(const Decoded& instruction, std::uint64_t /*address*/) {
    return instruction.op == Operation::csr ? kCsr : kPlain;
  }
  static std::uint64_t advance(Situation& situation, const Slot* slots, std::size_t stride, std::uint64_t count) {
    std::uint64_t sum = 0;
    for (const auto* at = reinterpret_cast<const std::byte*>(slots); count != 0; --count, at += stride) {
      const Slot slot = *reinterpret_cast<const Slot*>(at);
      sum += slot + (std::exchange(situation, slot == kCsr) ? kAfterCsr : 0);
    }
    return sum;
  }
  static std::uint64_t stalled(Situation& situation, const Slot& slot, std::uint64_t met) {
    return advance(situation, &slot, 0, 1) + met;
  }
  static std::uint64_t both(std::uint64_t one, std::uint64_t other) { return one + other; }
  static std::uint64_t longer(std::uint64_t cycles) { return cycles; }
  Situation situation() const { return after_csr; }
  void become(Situation situation) { after_csr = situation; }

  static std::uint64_t line(std::uint64_t address) { return address / 8; }
  bool fetched(std::uint64_t line) const { return line == last; }
  static std::uint64_t fetch_cost(std::uint64_t /*line*/, Situation& /*situation*/) { return kFetch; }
  bool fetch(std::uint64_t line) {
    last = line;
    return false;  // none is late
  }
  std::uint64_t load(std::uint64_t address, unsigned /*size*/) { return seen(address, 100); }
  std::uint64_t store(std::uint64_t address, unsigned /*size*/) { return seen(address, 1000); }
  static std::uint64_t data_line(std::uint64_t address) { return address / 64; }
  static std::uint64_t device_load() { return 0; }
  static std::uint64_t device_store() { return 0; }
  static std::uint64_t manage(Operation /*op*/, std::uint64_t /*address*/) { return 0; }
  static std::uint64_t branch(std::uint64_t /*end*/, std::uint64_t /*target*/, bool taken) {
    return taken ? 10'000 : 0;
  }
  static std::uint64_t jump(unsigned /*rd*/, std::uint64_t /*end*/, std::uint64_t /*target*/) { return 0; }
  static std::uint64_t jump_register(unsigned, unsigned, std::uint64_t, std::uint64_t) { return 0; }
  static std::uint64_t multiply(Operation, std::uint64_t a, std::uint64_t b) { return 100'000 * a + b; }
  static std::uint64_t divide(Operation, std::uint64_t a, std::uint64_t b) { return 10'000'000 * a + b; }
  static void forget_code() {}
  static void share(SharedMemory& /*memory*/) {}
  static bool reached_memory() { return false; }
  static std::uint64_t transfer(std::uint64_t /*now*/) { return 0; }
  static void transfer_code(std::uint64_t /*now*/) {}
  static std::uint64_t trapped() { return 0; }
  static std::uint64_t entered() { return 1; }
  void reset() { *this = {}; }
  /** Counts nothing but time. */
  struct Statistics {
    void in_mode(unsigned /*mode*/) {}
    void passed(std::uint64_t /*instructions*/, std::uint64_t cycles) { time += cycles; }
    void slept(std::uint64_t cycles) { time += cycles; }
    static std::vector<tz_cause> causes() { return {}; }
    std::uint64_t time = 0;
  };
  Statistics& statistics() { return passed; }
  const Statistics& statistics() const { return passed; }

  std::uint64_t seen(std::uint64_t address, std::uint64_t cost) {
    addresses.push_back(static_cast<std::uint32_t>(address));
    return cost;
  }

  static constexpr std::uint64_t kFetch = 3;
  bool after_csr = false;
  Statistics passed;
  std::uint64_t last = 0;
  std::vector<std::uint32_t> addresses;
};

// li a0, 3; li a1, 1; lui a2, 0x80001; 1: lw a3, 0(a2); sw a3, 64(a2); amoadd.w a3, a0, (a2); addi a0, a0, -1; bnez a0,
// 1b; mul a3, a1, a1; divu a3, a1, a1; csrr a4, mcycle; csrr a5, minstret; j .
constexpr std::array<std::uint32_t, 13> kProgram = {0x00300513, 0x00100593, 0x80001637, 0x00062683, 0x04d62023,
                                                    0x00a626af, 0xfff50513, 0xfe0518e3, 0x02b586b3, 0x02b5d6b3,
                                                    0xb0002773, 0xb02027f3, 0x0000006f};
constexpr std::uint64_t kTurns = 3;
constexpr std::uint64_t kBefore = 3 + 5 * kTurns + 2;  ///< instructions before the read of mcycle
/** Lines of two instructions: 6 on the way through, and back over three of them twice. */
constexpr std::uint64_t kFetches = 6 + (kTurns - 1) * 3;
constexpr std::uint64_t kTime = kFetches * Costs::kFetch + kBefore * Costs::kPlain + kTurns * (100 + 1000 + 1000) +
                                (kTurns - 1) * 10'000 + 100'000 + 1 + 10'000'000 + 1;

class Time : public testing::Test {
 protected:
  Time() { std::memcpy(machine.bus().memory(kBase, sizeof kProgram), kProgram.data(), sizeof kProgram); }

  Hart<kind_of(kHart), Costs>& hart() { return machine.hart(0); }
  /** To the jump at the end, in slices of so many units of time, or with records. */
  void run(std::uint64_t slice, bool records) {
    std::vector<tz_retire> kept(64);
    tz_run_args args{};
    args.select = records ? TZ_SELECT_ALL : 0;
    args.records = kept.data();
    args.records_capacity = kept.size();
    std::vector<std::uint8_t> console(64);
    args.console = console.data();
    args.console_capacity = console.size();
    tz_run_result result{};
    while (hart().pc() != kBase + 4 * (kProgram.size() - 1)) {
      const std::uint64_t retired = hart().retired();
      for (args.until_cycle = result.cycle + slice; hart().retired() == retired; args.until_cycle += slice) {
        args.max_retired = records ? 1 : 0;
        machine.run(args, result);
      }
    }
  }

  Machine<kHart, Costs> machine{Platform{kRegions, kBase, 0, 1, 0, 16}};
};

TEST_F(Time, IsWhatInstructionsCost) {
  for (const bool records : {false, true}) {
    for (const std::uint64_t slice : {1, 2, 7, 1000, 100'000'000}) {
      machine.reset();
      run(slice, records);
      EXPECT_EQ(hart().x(14), kTime) << slice << records;
      EXPECT_EQ(hart().x(15), kBefore + 1) << "instructions are counted as ever";
      EXPECT_GE(machine.now(), kTime + 2 * Costs::kCsr + Costs::kAfterCsr);
      if (records) {
        EXPECT_EQ(machine.now(), kTime + 2 * Costs::kCsr + Costs::kAfterCsr);
      }
    }
  }
}

TEST_F(Time, HooksAreToldTheAddresses) {
  run(1000, false);
  const auto& seen = hart().policy().addresses;
  ASSERT_EQ(seen.size(), 3 * kTurns);
  for (unsigned n = 0; n < seen.size(); ++n) EXPECT_EQ(seen[n], kBase + 0x1000 + (n % 3 == 1 ? 64 : 0));
}

}  // namespace
}  // namespace trapeze::model
