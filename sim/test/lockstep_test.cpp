// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Lockstep finds every field of a record that is altered, and choices that the leader was not free to make. The model
// plays both parts, so that the test does not depend on hardware.
#include <gtest/gtest.h>
#include <trapeze/map.h>

#include <cstring>
#include <functional>
#include <memory>

#include "elf_builder.h"
#include "kernel/error.h"
#include "lockstep/lockstep.h"
#include "process.h"

namespace trapeze::test {
namespace {

constexpr std::uint32_t csr(unsigned kind, unsigned rd, unsigned number, unsigned rs1) {
  return 0x73U | (rd << 7) | (kind << 12) | (rs1 << 15) | (number << 20);
}

/** A program that sets up a handler for software interrupts, raises one, causes an exception, and exits. */
ElfFile program(const tz_engine_info& info) {
  ElfFile elf;
  elf.entry = info.harts[0].reset_vector;
  if (std::string(info.harts[0].isa).compare(0, 5, "rv32e") == 0) elf.flags = 8;
  const std::vector<std::uint32_t> words = {
      0x00000297,           // auipc t0, 0
      addi(5, 5, 0x80),     //
      csr(1, 0, 0x305, 5),  // csrw mtvec, t0
      addi(6, 0, 8),        //
      csr(1, 0, 0x304, 6),  // csrw mie, 8
      csr(6, 0, 0x300, 8),  // csrsi mstatus, 8
      lui(7, TRAPEZE_CLINT_BASE),
      addi(8, 0, 1),
      store(2, 8, 7),    // msip = 1: the interrupt comes behind it
      load(2, 9, 7, 0),  // word 9
      kEbreak,           // word 10
      lui(7, TRAPEZE_DMEM_BASE),
      store(1, 6, 7),
      load(1, 9, 7, 0),
      lui(6, 0x5000),
      addi(6, 6, 0x555),
      lui(5, TRAPEZE_HOST_BASE),
      store(2, 6, 5),
      jump(0),
  };
  const std::vector<std::uint32_t> handler = {
      csr(2, 10, 0x342, 0),  // csrr a0, mcause
      store(2, 0, 7),        // msip = 0
      0x00054863,            // bltz a0, +16
      csr(2, 11, 0x341, 0), addi(11, 11, 4), csr(1, 0, 0x341, 11), kMret,
  };
  std::vector<std::uint8_t> bytes(0x100);
  std::memcpy(bytes.data(), words.data(), words.size() * 4);
  std::memcpy(bytes.data() + 0x80, handler.data(), handler.size() * 4);
  elf.segments.push_back({elf.entry, bytes.size(), bytes});
  return elf;
}

/** Alters records on their way to lockstep. */
class Altering final : public Observer {
 public:
  Altering(Lockstep& lockstep, std::function<bool(tz_retire&)> alter) : lockstep_(lockstep), alter_(std::move(alter)) {}
  void on_retire(const tz_retire& record) override {
    tz_retire changed = record;
    changed.order -= dropped_;
    if (!alter_(changed)) {
      ++dropped_;
      return;
    }
    lockstep_.on_retire(changed);
  }
  void on_claim(const tz_claim& claim) override { lockstep_.on_claim(claim); }
  void on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) override {
    lockstep_.on_line(cycle, hart, line, level);
  }

 private:
  Lockstep& lockstep_;
  std::function<bool(tz_retire&)> alter_;
  std::uint64_t dropped_ = 0;
};

/** Runs with altered records. Returns the report, or the number of instructions compared. */
std::string compare(const std::function<bool(tz_retire&)>& alter) {
  Engine leader(TEST_MODEL, 0, TEST_PLATFORM);
  Engine follower(TEST_MODEL, 0, TEST_PLATFORM);
  const ElfFile elf = program(leader.info());
  Session(follower).load(elf);
  Session session(leader);
  session.load(elf);
  Lockstep lockstep(follower, leader.info(), elf, "the command");
  Altering altering(lockstep, alter);
  session.set_observer(&altering);
  RunState state;
  try {
    session.advance(state, 1000);
    lockstep.finish(leader, state);
  } catch (const Mismatch& mismatch) {
    return mismatch.what();
  }
  EXPECT_TRUE(state.exited);
  EXPECT_EQ(state.exit_code, 0U);
  return std::to_string(lockstep.compared());
}

bool is(const tz_retire& r, unsigned opcode) {
  return (r.insn & 0x7fU) == opcode && (r.flags & TZ_RETIRE_TRAP) == 0;
}

TEST(Lockstep, AgreesWithItself) {
  // 18 words up to the last store, 4 in the handler of the interrupt, 7 in that of the exception.
  EXPECT_EQ(compare([](tz_retire&) { return true; }), "29");
}

TEST(Lockstep, FindsEveryAlteredField) {
  struct Case {
    const char* expected;
    std::function<void(tz_retire&)> alter;
  };
  const std::vector<Case> cases = {
      {"pc: ",
       [](tz_retire& r) {
         if (r.order == 3) r.pc += 4;
       }},
      {"next pc: ",
       [](tz_retire& r) {
         if (is(r, 0x63)) r.pc_next ^= 4;
       }},
      {"order: ",
       [](tz_retire& r) {
         if (r.order >= 7) ++r.order;
       }},
      {"instruction: ",
       [](tz_retire& r) {
         if (r.order == 3) r.insn ^= 1U << 20;
       }},
      {"mode: ",
       [](tz_retire& r) {
         if (r.order == 4) r.mode = 0;
       }},
      {"register written: ",
       [](tz_retire& r) {
         if (r.rd == 8) r.rd = 9;
       }},
      {"value of t1",
       [](tz_retire& r) {
         if (r.rd == 6) r.rd_value ^= 0x80000000U;
       }},
      {"operand s0",
       [](tz_retire& r) {
         if (r.rs2 == 8) r.rs2_value ^= 1;
       }},
      {"memory address: ",
       [](tz_retire& r) {
         if (r.mem_wmask != 0) r.mem_addr ^= 4;
       }},
      {"bytes written: ",
       [](tz_retire& r) {
         if (r.mem_wmask == 3) r.mem_wmask = 1;
       }},
      {"data written: ",
       [](tz_retire& r) {
         if (r.mem_wmask == 3) r.mem_wdata ^= 0x100;
       }},
      {"bytes read: ",
       [](tz_retire& r) {
         if (r.mem_rmask == 3) r.mem_rmask = 0xf;
       }},
      {"data read: ",
       [](tz_retire& r) {
         if (r.mem_rmask == 3) r.mem_rdata ^= 1;
       }},
      {"CSR written: ", [](tz_retire& r) { r.flags &= static_cast<std::uint8_t>(~unsigned{TZ_RETIRE_CSR_WE}); }},
      {"CSR number: ",
       [](tz_retire& r) {
         if (r.csr_addr == 0x304) r.csr_addr = 0x305;
       }},
      {"value for mie: ",
       [](tz_retire& r) {
         if (r.csr_addr == 0x304) r.csr_value = 9;
       }},
      {"trap: ", [](tz_retire& r) { r.flags &= static_cast<std::uint8_t>(~unsigned{TZ_RETIRE_TRAP}); }},
      {"cause: ",
       [](tz_retire& r) {
         if ((r.flags & TZ_RETIRE_TRAP) != 0) r.cause = 2;
       }},
      {"first of a handler",
       [](tz_retire& r) {
         if (r.cause == 3) r.flags &= static_cast<std::uint8_t>(~unsigned{TZ_RETIRE_INTR});
       }},
      {"interrupt 3 was claimed, the handler of 7",
       [](tz_retire& r) {
         if (r.irq_id == 3) r.irq_id = 7;
       }},
  };
  for (const Case& c : cases) {
    const std::string report = compare([&](tz_retire& r) {
      c.alter(r);
      return true;
    });
    EXPECT_NE(report.find(c.expected), std::string::npos) << c.expected << " is not in:\n" << report;
  }
}

TEST(Lockstep, FindsALostInstruction) {
  const std::string report = compare([](const tz_retire& r) { return (r.pc & 0xfffU) != 0x1c; });
  EXPECT_NE(report.find("pc: "), std::string::npos) << report;
}

TEST(Lockstep, ReportSaysAllThatIsNeeded) {
  const std::string report = compare([](tz_retire& r) {
    if (r.rd == 9) r.rd_value ^= 1;
    return true;
  });
  for (const char* part : {"model and model disagree after", "leader: ", "follower: ", "registers", "mstatus", "mcause",
                           "sp  ", "last instructions of the leader:", "csrw\tmtvec,t0", "reproduce: the command"}) {
    EXPECT_NE(report.find(part), std::string::npos) << part << " is not in:\n" << report;
  }
}

TEST(Lockstep, FollowerJudgesInterrupts) {
  // Records made by hand: a leader that executes a loop of nops, and interrupts that are impossible.
  Engine follower(TEST_MODEL, 0, TEST_PLATFORM);
  auto following = std::make_unique<following::Follower>(follower);
  const std::vector<std::uint32_t> words = {addi(6, 0, 8), csr(1, 0, 0x304, 6), addi(0, 0, 0), jump(-4)};
  follower.write_memory(0, follower.hart(0).reset_vector, words.data(), words.size() * 4);
  std::uint64_t cycle = 100;
  const auto follow = [&](tz_retire record, std::uint64_t sure, std::uint64_t claim_lines, std::uint64_t epc) {
    record.cycle_ex = ++cycle;
    const following::Claim claim{cycle, claim_lines, epc, record.irq_id, 0, false};
    return following->follow({record, sure, {&claim, record.flags != 0 ? 1U : 0U}, {}}).complaint;
  };
  const auto interrupt = [](unsigned id) {
    tz_retire record{};
    record.flags = TZ_RETIRE_INTR | TZ_RETIRE_IRQ;
    record.irq_id = static_cast<std::uint16_t>(id);
    return record;
  };
  const std::uint64_t base = follower.hart(0).reset_vector;
  EXPECT_EQ(follow({}, 0, 0, 0), "");
  EXPECT_EQ(follow({}, 0, 0, 0), "");
  EXPECT_EQ(follow(interrupt(3), 0, 0, base + 8), "interrupt 3 was taken with mstatus.MIE clear");

  const auto prepare = [&](std::uint32_t mie) {
    follower.reset();
    following = std::make_unique<following::Follower>(follower);
    cycle = 100;
    const std::vector<std::uint32_t> setup = {lui(6, mie), csr(1, 0, 0x304, 6), csr(6, 0, 0x300, 8), addi(0, 0, 0),
                                              jump(-4)};
    follower.write_memory(0, base, setup.data(), setup.size() * 4);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(follow({}, 0, 0, 0), "");
  };
  prepare(0x30000);
  EXPECT_EQ(follow(interrupt(18), 0, 4, base + 16), "interrupt 18 was taken though its bit of mie is clear");
  prepare(0x30000);
  EXPECT_EQ(follow(interrupt(16), 0, 0, base + 16), "interrupt 16 was taken though it is not pending");
  prepare(0x30000);
  EXPECT_EQ(follow(interrupt(16), 0, 3, base + 16), "interrupt 16 was taken before interrupt 17");
  prepare(0x30000);
  EXPECT_EQ(follow(interrupt(17), 0, 3, base + 4),
            "interrupt 17 interrupted " + hex(base + 4) + " instead of " + hex(base + 16));
  prepare(0x30000);
  EXPECT_EQ(follow(interrupt(17), 0, 3, base + 16), "");

  prepare(0x30000);
  std::string complaint;
  int instructions = 0;
  while (complaint.empty() && instructions < 20) {
    complaint = follow({}, 1, 0, 0);
    ++instructions;
  }
  EXPECT_NE(complaint.find("interrupt 16 is pending and enabled and was not taken"), std::string::npos) << complaint;
  EXPECT_LT(instructions, 10);
}

TEST(Lockstep, LineHistory) {
  LineHistory history;
  EXPECT_EQ(history.at(5), 0U);
  history.change(10, 2, true);
  history.change(10, 3, true);
  history.change(20, 2, false);
  EXPECT_EQ(history.at(9), 0U);
  EXPECT_EQ(history.at(10), 0xcU);
  EXPECT_EQ(history.at(100), 8U);
  EXPECT_EQ(history.at(19), 0xcU);
  EXPECT_EQ(history.at(20), 8U);
}

TEST(Lockstep, RefusesEnginesThatCannotFollow) {
  Engine fake(TEST_FAKE_ENGINE);
  Engine model(TEST_MODEL, 0, TEST_PLATFORM);
  EXPECT_THROW(Lockstep(fake, model.info(), ElfFile{}, ""), Error);
}

}  // namespace
}  // namespace trapeze::test
