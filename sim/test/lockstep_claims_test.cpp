// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Lockstep tells its follower of every interrupt once, with the instruction that it comes before. The leader is a model
// that runs by itself; what reaches the comparison is altered on the way.
#include <gtest/gtest.h>
#include <trapeze/clic.h>
#include <trapeze/map.h>

#include <functional>

#include "elf_builder.h"
#include "lockstep/lockstep.h"

namespace trapeze::test {
namespace {

constexpr std::uint32_t csr(unsigned kind, unsigned rd, unsigned number, unsigned rs1) {
  return 0x73U | (rd << 7) | (kind << 12) | (rs1 << 15) | (number << 20);
}
constexpr std::uint32_t kEmret = 0xbc200073, kNop = addi(0, 0, 0);
constexpr unsigned kChains = TZ_RETIRE_IRQ, kBegins = TZ_RETIRE_INTR | TZ_RETIRE_IRQ;

/** An event of the leader, in the order in which a pipeline reports events: a claim comes before the instruction that
 * it precedes.
 */
struct Happening {
  tz_retire record{};
  std::optional<tz_claim> claim;  ///< the claim, if the event is one
};

/** Software makes edge-triggered, vectored sources 41, 42 and 40 pending with interrupts off and turns these on: 42 is
 * taken, of level 102; its emret goes on to 41, that to 40, and that returns. */
class LockstepClaims : public ::testing::Test {
 protected:
  LockstepClaims() {
    const auto base = static_cast<std::uint32_t>(leader.hart(0).reset_vector);
    std::vector<std::uint32_t> words;
    const auto value = [&words](unsigned rd, std::uint32_t number) {
      words.push_back(lui(rd, number + 0x800U));
      words.push_back(addi(rd, rd, static_cast<int>(number << 20) >> 20));
    };
    value(5, TRAPEZE_CLIC_BASE);
    words.push_back(addi(6, 0, 8));
    words.push_back(store(2, 6, 5));
    value(5, TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 4 * 40);
    for (const unsigned n : {1U, 2U, 0U}) {
      value(6, 0x64030101U + (n << 24));
      words.push_back(store(2, 6, 5) | ((4 * n) << 7));
    }
    value(2, TRAPEZE_DMEM_BASE + 0x1000);
    value(6, TRAPEZE_DMEM_BASE);
    words.push_back(csr(1, 0, 0x307, 6));
    value(6, base + 0x200 + 3);
    words.push_back(csr(1, 0, 0x7c0, 6));
    words.push_back(kNop);
    words.push_back(csr(6, 0, 0x300, 8));
    const std::size_t before = words.size();
    words.insert(words.end(), {addi(8, 8, 1), kNop, kNop, jump(0)});
    for (Engine* engine : {&leader, &follower}) {
      engine->write_memory(0, base, words.data(), 4 * words.size());
      for (std::uint32_t id = 40; id < 43; ++id) {
        const std::uint32_t handler = base + 0x400 + 0x40 * id;
        const std::uint32_t body[] = {kNop, kNop, kNop, kEmret};
        engine->write_memory(0, TRAPEZE_DMEM_BASE + 4 * id, &handler, sizeof handler);
        engine->write_memory(0, handler, body, sizeof body);
      }
    }
    play(before + 18);
  }

  void play(std::uint64_t cycles) {
    tz_retire record{};
    tz_run_args args{};
    args.select = TZ_SELECT_ALL;
    args.records = &record;
    args.records_capacity = 1;
    tz_claim claim{};
    args.claims = &claim;
    args.claims_capacity = 1;
    args.until_cycle = cycles;
    tz_run_result result{};
    do {
      result = leader.run(args);
      if (result.num_claims != 0) happenings.push_back({{}, claim});
      if (result.num_records != 0) happenings.push_back({record, std::nullopt});
    } while (result.cycle < cycles);
  }
  /** The report of a difference, or the number of instructions compared. */
  std::string compare() {
    Lockstep lockstep(follower, leader.info(), ElfFile{}, "the command");
    try {
      for (const Happening& happening : happenings) {
        if (happening.claim) {
          lockstep.on_claim(*happening.claim);
        } else {
          lockstep.on_retire(happening.record);
        }
      }
    } catch (const Mismatch& mismatch) {
      return mismatch.what();
    }
    return std::to_string(lockstep.compared());
  }
  /** Index of the `n`th record whose handler flags are these. */
  std::size_t find(unsigned flags, unsigned n) {
    for (std::size_t i = 0; i < happenings.size(); ++i) {
      if (!happenings[i].claim && (happenings[i].record.flags & kBegins) == flags && n-- == 0) return i;
    }
    ADD_FAILURE() << "there is no such record";
    return 0;
  }
  void expect(const std::string& part) {
    const std::string report = compare();
    EXPECT_NE(report.find(part), std::string::npos) << part << " is not in:\n" << report;
  }
  tz_retire& chains(unsigned n) { return happenings[find(kChains, n)].record; }
  tz_retire& begins(unsigned n) { return happenings[find(kBegins, n)].record; }

  Engine leader{TEST_MODEL, 0, TEST_PLATFORM};
  Engine follower{TEST_MODEL, 0, TEST_PLATFORM};
  std::vector<Happening> happenings;
};

TEST_F(LockstepClaims, AgreesWithItself) {
  std::vector<unsigned> ids;
  for (const Happening& happening : happenings) {
    if (happening.claim) ids.push_back(happening.claim->id);
  }
  EXPECT_EQ(ids, (std::vector<unsigned>{42, 41, 40})) << "each is claimed once";
  EXPECT_EQ(chains(0).irq_id, 41);
  EXPECT_EQ(begins(1).irq_id, 41);
  EXPECT_EQ(chains(1).irq_id, 40);
  EXPECT_EQ(compare(), std::to_string(happenings.size() - 3));
}

TEST_F(LockstepClaims, AChainThatWasNotClaimed) {
  happenings.erase(happenings.begin() + static_cast<std::ptrdiff_t>(find(kChains, 0)) - 1);
  // The claim of the next interrupt is reported too late.
  expect("the handler of interrupt 41 follows, which has not been claimed");
}

TEST_F(LockstepClaims, AChainIsNamedAsItWasClaimed) {
  chains(0).irq_id = 40;
  expect("interrupt 41 was claimed, the handler of 40 runs");
}

TEST_F(LockstepClaims, AChainHasTheLevelOfItsClaim) {
  chains(0).irq_level = 9;
  expect("interrupt 41 was claimed at level 101, its handler runs at 9");
}

TEST_F(LockstepClaims, AChainThatTheRecordDoesNotShow) {
  chains(0).flags = 0;
  expect("handler of an interrupt (irq): 0, follower 1");
}

TEST_F(LockstepClaims, TheHandlerOfAChainIsNamed) {
  begins(1).irq_id = 40;
  expect("interrupt 41 was claimed, the handler of 40 runs");
}

TEST_F(LockstepClaims, AHandlerThatIsNotMarked) {
  begins(1).flags = 0;
  expect("first of a handler (intr): 0, follower 1");
}

TEST_F(LockstepClaims, AClaimThatLeadsNowhere) {
  begins(0).flags = 0;
  expect("interrupt 42 was claimed, and no handler begins");
}

TEST_F(LockstepClaims, AHandlerThatWasNotClaimed) {
  happenings.erase(happenings.begin() + static_cast<std::ptrdiff_t>(find(kBegins, 0)) - 1);
  expect("an interrupt handler begins that no interrupt has entered");
}

TEST_F(LockstepClaims, AReturnInThePlaceOfAChain) {
  const std::size_t at = find(kChains, 0);
  const std::size_t last = find(kChains, 1) + 4;  // the emret that returns
  happenings[at].record.flags = 0;
  happenings[at].record.pc_next = happenings[last].record.pc_next;
  happenings.erase(happenings.begin() + static_cast<std::ptrdiff_t>(at) - 1);
  expect("emret returned though interrupt 41 of level 101 is due");
}

}  // namespace
}  // namespace trapeze::test
