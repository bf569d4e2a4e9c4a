// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Lockstep of two harts: what one does to the other's memory is judged by the order in which the bus granted their
// accesses. The model plays both parts; the leader's records get cycles, and mistakes.
#include <gtest/gtest.h>
#include <trapeze/clic.h>
#include <trapeze/map.h>

#include <array>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <trapeze/isa.hpp>

#include "elf_builder.h"
#include "kernel/error.h"
#include "kernel/programs.h"
#include "lockstep/lockstep.h"

namespace trapeze::test {
namespace {

constexpr std::uint32_t kShared = 0x80300000;
constexpr std::uint64_t kCycles = 8;  ///< cycles that each instruction of the leader takes

constexpr unsigned kAdd = 0x00, kLr = 0x02, kSc = 0x03;
constexpr std::uint32_t amo(unsigned function, unsigned rd, unsigned rs1, unsigned rs2) {
  return 0x2fU | (rd << 7) | (2U << 12) | (rs1 << 15) | (rs2 << 20) | (function << 27);
}

bool is_amo(const tz_retire& r, unsigned function) {
  return (r.insn & 0x7fU) == 0x2f && r.insn >> 27 == function;
}

/** Each hart adds to two words of shared memory, by LR and SC and by an AMO, and writes a number for the other hart.
 * Hart 1 begins `lag` instructions later. */
ElfFile program(const tz_engine_info& info, unsigned lag) {
  ElfFile elf;
  elf.entry = info.harts[0].reset_vector;
  std::vector<std::uint32_t> words = {
      0xf1402573,                               // csrr a0, mhartid
      0x00050063U | (((lag + 1) & 0xfU) << 9),  // beqz a0, behind the words that follow
  };
  words.insert(words.end(), lag, addi(0, 0, 0));
  const std::vector<std::uint32_t> both = {
      lui(5, kShared),
      addi(6, 0, 8),
      addi(11, 5, 8),
      amo(kAdd, 9, 11, 6),
      amo(kLr, 7, 5, 0),  // loop
      addi(7, 7, 1),
      amo(kSc, 8, 5, 7),
      0xfe041ae3,  // bnez s0, loop
      amo(kAdd, 9, 11, 6),
      load(2, 12, 5, 4),
      0x0062a223,  // sw t1, 4(t0)
      addi(6, 6, -1),
      0xfe0310e3,  // bnez t1, loop
      lui(13, TRAPEZE_HOST_BASE),
      lui(14, 0x5000),
      addi(14, 14, 0x555),
      store(2, 14, 13),
      jump(0),
  };
  words.insert(words.end(), both.begin(), both.end());
  std::vector<std::uint8_t> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  elf.segments.push_back({elf.entry, bytes.size(), bytes});
  return elf;
}

/** Gives records the cycles of a pipeline, alters them, and passes those of one hart on later than the other's. */
class Altering final : public Observer {
 public:
  using Alter = std::function<void(tz_retire&)>;
  Altering(Lockstep& lockstep, Alter alter, std::size_t delay)
      : lockstep_(lockstep), alter_(std::move(alter)), delay_(delay) {}

  void on_retire(const tz_retire& record) override {
    tz_retire r = record;
    r.cycle_ex = r.cycle_ex * kCycles;
    // Both harts execute an instruction at a time of the model, hart 0 first.
    if ((r.mem_rmask | r.mem_wmask) != 0 || is_amo(r, kSc)) r.cycle_mem = r.cycle_ex + 1 + r.hart;
    r.cycle_retire = r.cycle_ex + 4;
    alter_(r);
    if (record.hart == 0 && delay_ != 0) {
      late_.push_back(r);
    } else {
      lockstep_.on_retire(r);
    }
    while (late_.size() > delay_ || (record.hart == 0 && delay_ == 0 && !late_.empty())) pass();
  }
  void on_claim(const tz_claim& claim) override {
    tz_claim c = claim;
    c.cycle *= kCycles;
    lockstep_.on_claim(c);
  }
  void on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) override {
    lockstep_.on_line(cycle, hart, line, level);
  }
  void finish() {
    while (!late_.empty()) pass();
  }

 private:
  void pass() {
    const tz_retire record = late_.front();
    late_.pop_front();
    lockstep_.on_retire(record);
  }

  Lockstep& lockstep_;
  Alter alter_;
  std::size_t delay_;
  std::deque<tz_retire> late_;
};

/** Runs with altered records. Returns the report, or nothing if the engines agree. `lasts`: the run has more
 * instructions than this. */
std::string compare(ElfFile (*make)(const tz_engine_info&, unsigned), unsigned parameter, const Altering::Alter& alter,
                    std::size_t delay, std::uint64_t lasts) {
  Engine leader(TEST_MODEL, 0, TEST_PLATFORM);
  Engine follower(TEST_MODEL, 0, TEST_PLATFORM);
  std::vector<ElfFile> files{make(leader.info(), parameter)};
  const Programs programs(files, leader.info());
  programs.load(follower);
  Session session(leader);
  session.load(programs);
  Lockstep lockstep(follower, leader.info(), files.front(), "the command");
  Altering altering(lockstep, alter, delay);
  session.set_observer(&altering);
  RunState state;
  try {
    session.advance(state, 800);
    altering.finish();
    lockstep.finish(leader, state);
  } catch (const Mismatch& mismatch) {
    return mismatch.what();
  }
  EXPECT_GT(lockstep.compared(), lasts);
  return {};
}
std::string compare(const Altering::Alter& alter, std::size_t delay = 0, unsigned lag = 0) {
  return compare(program, lag, alter, delay, 100);
}

/** Applies `change` to the n-th record of a hart for which `chosen` holds. */
Altering::Alter at(unsigned hart, unsigned n, std::function<bool(const tz_retire&)> chosen,
                   std::function<void(tz_retire&)> change) {
  return [=, seen = 0U](tz_retire& r) mutable {
    if (r.hart == hart && chosen(r) && seen++ == n) change(r);
  };
}
bool loads_word_4(const tz_retire& r) {
  return r.mem_rmask != 0 && r.mem_addr == kShared + 4;
}

TEST(LockstepHarts, AgreeInWhateverOrderTheyRetire) {
  for (const std::size_t delay : {0, 1, 3, 20}) EXPECT_EQ(compare([](tz_retire&) {}, delay), "") << delay;
}

/** Whether the order of two accesses makes a difference. */
bool conflict(const tz_retire& a, const tz_retire& b) {
  return a.mem_addr == b.mem_addr && (a.mem_wmask | b.mem_wmask) != 0;
}

TEST(LockstepHarts, FindTwoGrantsInTheWrongOrder) {
  // If both harts access shared memory at the same time, the altered records say that hart 0 comes second. Lockstep
  // finds that if, and only if, one of the accesses is a store and both are to the same word.
  unsigned found = 0;
  unsigned amos = 0;
  unsigned other = 0;
  for (unsigned lag = 0; lag < 7; ++lag) {
    std::map<std::uint64_t, std::array<tz_retire, 2>> meetings;
    ASSERT_EQ(compare(
                  [&](tz_retire& r) {
                    if (r.cycle_mem != 0 && r.mem_addr - kShared < 16) meetings[r.cycle_ex][r.hart] = r;
                  },
                  0, lag),
              "");
    for (const auto& [cycle, both] : meetings) {
      if (both[0].cycle_mem == 0 || both[1].cycle_mem == 0) continue;
      const std::string report = compare(
          [when = cycle](tz_retire& r) {
            if (r.hart == 0 && r.cycle_ex == when) r.cycle_mem += 2;
          },
          0, lag);
      if (!conflict(both[0], both[1])) {
        EXPECT_EQ(report, "") << "lag " << lag << ", cycle " << cycle;
        ++other;
        continue;
      }
      // Two stores without a read in between: a wrong order shows later, if a hart reads before the next store.
      const bool silent = both[0].mem_rmask == 0 && both[1].mem_rmask == 0 && !is_amo(both[0], kSc);
      if (!silent) {
        EXPECT_NE(report, "") << "lag " << lag << ", cycle " << cycle;
        ++found;
        amos += is_amo(both[0], kAdd) ? 1 : 0;
      }
    }
  }
  EXPECT_GE(found, 10U);
  EXPECT_GE(amos, 1U);
  EXPECT_GE(other, 5U);
}

TEST(LockstepHarts, FindAValueThatIsNotInMemory) {
  EXPECT_NE(compare(at(1, 1, loads_word_4, [](tz_retire& r) { r.rd_value = r.mem_rdata = 77; })).find("data read"),
            std::string::npos);
}

TEST(LockstepHarts, FindAWrongAmo) {
  const auto adds = [](const tz_retire& r) { return is_amo(r, kAdd); };
  EXPECT_NE(compare(at(0, 3, adds, [](tz_retire& r) { r.mem_wdata += 1; })).find("data written"), std::string::npos);
  EXPECT_NE(compare(at(1, 3, adds, [](tz_retire& r) { r.mem_rdata = r.rd_value += 1; })).find("value of s1"),
            std::string::npos);
}

TEST(LockstepHarts, FindAReservationLostOrKept) {
  const auto fails = [](const tz_retire& r) { return is_amo(r, kSc) && r.rd_value != 0; };
  const auto succeeds = [](const tz_retire& r) { return is_amo(r, kSc) && r.rd_value == 0; };
  EXPECT_NE(compare(at(1, 0, fails,
                       [](tz_retire& r) {
                         r.rd_value = 0;
                         r.mem_wmask = 0xf;
                         r.mem_wdata = r.rs2_value;
                       }))
                .find("bytes written"),
            std::string::npos);
  EXPECT_NE(compare(at(0, 1, succeeds,
                       [](tz_retire& r) {
                         r.rd_value = 1;
                         r.mem_wmask = 0;
                         r.mem_wdata = 0;
                       }))
                .find("value of s0"),
            std::string::npos);
}

TEST(LockstepHarts, FindAWrongHartNumber) {
  const auto any = [](const tz_retire&) { return true; };
  EXPECT_NE(compare(at(1, 3, any, [](tz_retire& r) { r.hart = 0; })), "");
  EXPECT_NE(compare(at(1, 3, any, [](tz_retire& r) { r.hart = 2; })).find("hart 2"), std::string::npos);
}

TEST(LockstepHarts, SayWhichHartDiffers) {
  const std::string report = compare(at(1, 1, loads_word_4, [](tz_retire& r) { r.rd_value = 77; }));
  EXPECT_NE(report.find("\nhart 1:\n"), std::string::npos) << report;
}

TEST(LockstepHarts, RefuseToJudgeWhatComesBetweenTwoWords) {
  const std::string report = compare([](tz_retire& r) {
    if (r.hart == 0 && is_amo(r, kAdd)) r.cycle_mem2 = r.cycle_mem + 20 * kCycles;
  });
  EXPECT_NE(report.find("between the two words"), std::string::npos) << report;
}

/** Each hart takes an interrupt, which saves a frame below `stack`, and returns. */
ElfFile interrupted(const tz_engine_info& info, unsigned stack) {
  constexpr unsigned kId = 40;
  ElfFile elf;
  elf.entry = info.harts[0].reset_vector;
  const auto start = static_cast<std::uint32_t>(elf.entry);
  const auto csrw = [](unsigned number, unsigned rs1) { return 0x1073U | (rs1 << 15) | (number << 20); };
  std::vector<std::uint32_t> words;
  const auto value = [&words](unsigned rd, std::uint32_t number) {
    words.push_back(lui(rd, number + 0x800U));
    words.push_back(addi(rd, rd, static_cast<int>(number << 20) >> 20));
  };
  const auto put = [&](std::uint32_t address, std::uint32_t content) {
    value(5, address);
    value(6, content);
    words.push_back(store(2, 6, 5));
  };
  put(TRAPEZE_CLIC_BASE, 8);
  put(TRAPEZE_DMEM_BASE + 4 * kId, start + 0x200);
  value(6, TRAPEZE_DMEM_BASE);
  words.push_back(csrw(isa::csr::kMtvt, 6));
  value(6, start + 0x100 + 3);
  words.push_back(csrw(isa::csr::kMfastirq, 6));
  value(2, stack);
  put(TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 4 * kId, 0x64030101);  // level 100, vectored, on, pending
  words.insert(words.end(), 4, addi(0, 0, 0));
  words.push_back(0x30046073);  // csrsi mstatus, MIE
  words.insert(words.end(), 4, addi(0, 0, 0));
  put(TRAPEZE_HOST_BASE, 0x5555);
  words.push_back(jump(0));
  words.resize(0x200 / 4, isa::encoding::kEmret.match);
  words.insert(words.end(), {addi(5, 0, 1), isa::encoding::kEmret.match});
  std::vector<std::uint8_t> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  elf.segments.push_back({elf.entry, bytes.size(), bytes});
  return elf;
}

TEST(LockstepHarts, RefuseFramesInMemoryOfSeveralHarts) {
  const auto keep = [](tz_retire&) {};
  EXPECT_EQ(compare(interrupted, TRAPEZE_DMEM_BASE + 0x1000, keep, 0, 20), "");
  const std::string report = compare(interrupted, kShared + 0x1000, keep, 0, 20);
  EXPECT_NE(report.find("a frame at " + hex(kShared + 0x1000 - 80) + " is in memory that several harts see"),
            std::string::npos)
      << report;
}

TEST(LockstepHarts, HearOfInterruptsBehindTheEndOfTheRun) {
  // The run ends early, and the altered records say that the harts have exited. Their further instructions and
  // interrupts are still compared.
  Engine leader(TEST_MODEL, 0, TEST_PLATFORM);
  Engine follower(TEST_MODEL, 0, TEST_PLATFORM);
  std::vector<ElfFile> files{interrupted(leader.info(), TRAPEZE_DMEM_BASE + 0x1000)};
  const Programs programs(files, leader.info());
  programs.load(follower);
  Session session(leader);
  session.load(programs);
  Lockstep lockstep(follower, leader.info(), files.front(), "the command");
  session.set_observer(&lockstep);
  RunState state;
  session.advance(state, 8);
  ASSERT_LT(lockstep.compared(), 20U);
  for (HartRun& hart : state.harts) hart.exited = true;
  EXPECT_NO_THROW(lockstep.finish(leader, state));
  EXPECT_GT(lockstep.compared(), 60U);
}

TEST(GrantOrder, ByGrantAndEachHartInItsOwn) {
  GrantOrder order(2);
  const auto add = [&](unsigned hart, std::uint64_t ex, std::uint64_t grant, std::uint64_t retired) {
    tz_retire r{};
    r.hart = static_cast<std::uint16_t>(hart);
    r.cycle_ex = ex;
    r.cycle_mem = grant;
    r.cycle_retire = retired;
    order.add(r);
  };
  add(1, 10, 14, 15);
  EXPECT_FALSE(order.next()) << "hart 0 may have been granted before";
  add(0, 11, 12, 20);
  EXPECT_EQ(order.next()->hart, 0U);
  EXPECT_FALSE(order.next());
  add(0, 13, 0, 21);
  EXPECT_EQ(order.next()->hart, 0U) << "executed before the grant";
  add(0, 16, 0, 22);
  EXPECT_EQ(order.next()->hart, 1U);
  EXPECT_TRUE(order.waits_for(23)) << "hart 0's last one, which retired in cycle 22";
  EXPECT_FALSE(order.waits_for(22));
  EXPECT_EQ(order.next(true)->hart, 0U);
  EXPECT_FALSE(order.next(true));
  // A hart that sleeps may not delay the comparison for ever, and may not come back with accesses from the past.
  add(0, 100, 0, 102);
  EXPECT_FALSE(order.next());
  add(0, 100 + GrantOrder::kSilence, 0, 102 + GrantOrder::kSilence);
  EXPECT_TRUE(order.next());
  EXPECT_TRUE(order.in_order());
  add(1, 90, 95, 103 + GrantOrder::kSilence);
  EXPECT_TRUE(order.next());
  EXPECT_FALSE(order.in_order());
}

TEST(SplitAccesses, MeetOnlyInTheSameWordsAtTheSameTime) {
  const auto access = [](unsigned hart, std::uint64_t address, unsigned bytes, bool stores, std::uint64_t first,
                         std::uint64_t second) {
    tz_retire r{};
    r.hart = static_cast<std::uint16_t>(hart);
    r.mem_addr = address;
    (stores ? r.mem_wmask : r.mem_rmask) = static_cast<std::uint8_t>((1U << bytes) - 1);
    r.cycle_mem = first;
    r.cycle_mem2 = second;
    return r;
  };
  const tz_retire split = access(0, 0x1002, 4, true, 10, 14);
  const auto meets = [&](const tz_retire& other) {
    SplitAccesses accesses;
    EXPECT_FALSE(accesses.meets(split));
    return accesses.meets(other);
  };
  EXPECT_TRUE(meets(access(1, 0x1004, 4, false, 12, 0)));
  EXPECT_TRUE(meets(access(1, 0x1000, 1, true, 12, 0)));
  EXPECT_FALSE(meets(access(1, 0x1008, 4, true, 12, 0))) << "another word";
  EXPECT_FALSE(meets(access(1, 0x1004, 4, false, 15, 0))) << "later";
  EXPECT_FALSE(meets(access(0, 0x1004, 4, true, 12, 0))) << "the same hart";
}

}  // namespace
}  // namespace trapeze::test
