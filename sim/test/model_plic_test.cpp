// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's PLIC against RISC-V Platform-Level Interrupt Controller Specification 1.0.0; with the mailbox on a
// platform of two harts.
#include <gtest/gtest.h>
#include <trapeze/map_amp.h>
#include <trapeze/uart.h>

#include <cstring>
#include <vector>

#include "model/platform/kinds.h"
#include "model/platform/plic.h"
#include "model/platform/system.h"

namespace trapeze::model {
namespace {

constexpr unsigned kWord = 0xf;
constexpr std::uint32_t kThreshold = TRAPEZE_PLIC_CONTEXT_THRESHOLD_OFFSET;
constexpr std::uint32_t kClaim = TRAPEZE_PLIC_CONTEXT_CLAIM_OFFSET;
constexpr std::uint32_t kNextContext = TRAPEZE_PLIC_CONTEXT_CLAIM_STRIDE;
constexpr std::uint32_t kNextEnable = TRAPEZE_PLIC_ENABLE_LOW_STRIDE;

std::uint32_t read(Plic& plic, std::uint32_t offset) {
  return plic.read(offset, kWord, 0).value;
}
void write(Plic& plic, std::uint32_t offset, std::uint32_t value) {
  EXPECT_TRUE(plic.write(offset, kWord, value, 0));
}
void set_priority(Plic& plic, unsigned source, std::uint32_t value) {
  write(plic, TRAPEZE_PLIC_PRIORITY_OFFSET + source * TRAPEZE_PLIC_PRIORITY_STRIDE, value);
}
void enable(Plic& plic, unsigned context, unsigned source) {
  const std::uint32_t offset = TRAPEZE_PLIC_ENABLE_LOW_OFFSET + context * kNextEnable + source / 32 * 4;
  write(plic, offset, read(plic, offset) | (1U << (source % 32)));
}
bool is_pending(Plic& plic, unsigned source) {
  return ((read(plic, TRAPEZE_PLIC_PENDING_OFFSET + source / 32 * 4) >> (source % 32)) & 1U) != 0;
}

TEST(ModelPlic, ARequestIsClaimedAndCompletedOnce) {
  Plic plic;
  set_priority(plic, 12, 1);
  enable(plic, 1, 12);
  EXPECT_FALSE(plic.interrupt(1));
  plic.drive(12, true);
  EXPECT_TRUE(is_pending(plic, 12));
  EXPECT_TRUE(plic.interrupt(1));
  EXPECT_FALSE(plic.interrupt(0)) << "context 0 has not enabled it";
  EXPECT_EQ(read(plic, kClaim), 0U);
  EXPECT_EQ(read(plic, kClaim + kNextContext), 12U);
  EXPECT_FALSE(is_pending(plic, 12));
  plic.drive(12, true);
  EXPECT_FALSE(plic.interrupt(1)) << "no other request before the completion";
  EXPECT_EQ(read(plic, kClaim + kNextContext), 0U);
  write(plic, kClaim + kNextContext, 12);
  EXPECT_TRUE(plic.interrupt(1)) << "the wire is still high";
  EXPECT_EQ(read(plic, kClaim + kNextContext), 12U);
  plic.drive(12, false);
  write(plic, kClaim + kNextContext, 12);
  EXPECT_FALSE(plic.interrupt(1));
}

TEST(ModelPlic, ARequestStaysWhenItsWireFalls) {
  Plic plic;
  set_priority(plic, 3, 1);
  enable(plic, 0, 3);
  plic.drive(3, true);
  plic.drive(3, false);
  EXPECT_TRUE(plic.interrupt(0));
  EXPECT_EQ(read(plic, kClaim), 3U);
}

TEST(ModelPlic, TheMostUrgentIsFirstThenTheLowest) {
  Plic plic;
  for (const unsigned source : {95U, 40U, 5U, 7U}) {
    set_priority(plic, source, source == 40 ? 6 : 2);
    enable(plic, 0, source);
    plic.drive(source, true);
  }
  for (const unsigned source : {40U, 5U, 7U, 95U, 0U}) EXPECT_EQ(read(plic, kClaim), source);
}

TEST(ModelPlic, PriorityAndThreshold) {
  Plic plic;
  enable(plic, 0, 1);
  plic.drive(1, true);
  EXPECT_FALSE(plic.interrupt(0)) << "priority 0 never interrupts";
  EXPECT_EQ(read(plic, kClaim), 0U);
  set_priority(plic, 1, 0xffffffff);
  EXPECT_EQ(read(plic, TRAPEZE_PLIC_PRIORITY_OFFSET + TRAPEZE_PLIC_PRIORITY_STRIDE), 7U) << "three bits";
  set_priority(plic, 1, 3);
  write(plic, kThreshold, 3);
  EXPECT_FALSE(plic.interrupt(0));
  write(plic, kThreshold, 2);
  EXPECT_TRUE(plic.interrupt(0));
  write(plic, kThreshold, 0xffffffff);
  EXPECT_EQ(read(plic, kThreshold), 7U);
  EXPECT_EQ(read(plic, kClaim), 1U) << "a claim does not look at the threshold (chapter 8)";
}

TEST(ModelPlic, ACompletionOfAnotherSourceIsIgnored) {
  Plic plic;
  set_priority(plic, 4, 1);
  enable(plic, 0, 4);
  plic.drive(4, true);
  ASSERT_EQ(read(plic, kClaim), 4U);
  for (const std::uint32_t other : {0U, 5U, 96U, 0xffffffffU}) write(plic, kClaim, other);
  write(plic, kClaim + kNextContext, 4);
  EXPECT_FALSE(plic.interrupt(0)) << "context 1 has not enabled it";
  write(plic, kClaim, 4);
  EXPECT_TRUE(plic.interrupt(0));
}

TEST(ModelPlic, SourceZeroIsNone) {
  Plic plic;
  set_priority(plic, 0, 7);
  EXPECT_EQ(read(plic, TRAPEZE_PLIC_PRIORITY_OFFSET), 0U);
  write(plic, TRAPEZE_PLIC_ENABLE_LOW_OFFSET, 0xffffffff);
  EXPECT_EQ(read(plic, TRAPEZE_PLIC_ENABLE_LOW_OFFSET), 0xfffffffeU);
  write(plic, TRAPEZE_PLIC_ENABLE_HIGH_OFFSET + 4, 0xffffffff);
  EXPECT_EQ(read(plic, TRAPEZE_PLIC_ENABLE_HIGH_OFFSET + 4), 0U) << "behind the sources";
}

constexpr Params kWide = parse_params("rv64imac").with_supervisor(true);
constexpr Params kNarrow = parse_params("rv32imc").with_clic(true);

/** Harts with a memory each, UART, CLIC, and the PLIC with two contexts for each hart with supervisor mode. */
PlatformPlan platform(const std::vector<Params>& kinds) {
  PlatformPlan plan;
  std::vector<unsigned> all, supervisors;
  for (const Params& params : kinds) {
    all.push_back(static_cast<unsigned>(plan.harts.size()));
    if (params.supervisor) supervisors.push_back(all.back());
    HartPlan& hart = plan.harts.emplace_back();
    hart.params = params;
    hart.reset_vector = 0x84000000;
    hart.hart_id = all.back();
    hart.lines = 16;
    hart.sources = 64;
  }
  const auto add = [&](const char* name, const char* block, std::uint64_t base, std::uint64_t size,
                       const std::vector<unsigned>& harts, bool own) {
    plan.regions.push_back({name, block, base, size, harts, own, {}, {}});
  };
  add("imem", "", 0x84000000, 0x1000, all, true);
  add(kUartBlock, kUartBlock, TRAPEZE_UART_BASE, TRAPEZE_UART_SIZE, all, false);
  add(kClicBlock, kClicBlock, TRAPEZE_CLIC_BASE, TRAPEZE_CLIC_SIZE, all, true);
  add(kPlicBlock, kPlicBlock, TRAPEZE_PLIC_BASE, TRAPEZE_PLIC_SIZE, supervisors, false);
  for (unsigned n = 0; n < supervisors.size(); ++n) {
    plan.wires.push_back({kPlicBlock, 2 * n, HartInterrupt{supervisors[n], kExternalInterrupt}});
    plan.wires.push_back({kPlicBlock, 2 * n + 1, HartInterrupt{supervisors[n], isa::interrupt::kSupervisorExternal}});
  }
  return plan;
}

/** A wide hart with supervisor mode and a narrow one with a CLIC, which both loop. */
struct Amp {
  static constexpr std::uint32_t kJumpHere = 0x0000006f;

  Amp() {
    for (unsigned n = 0; n < 2; ++n) std::memcpy(system.bus(n).memory(kBase, 4), &kJumpHere, 4);
  }
  /** Both harts see their wires as they are. */
  void run() {
    tz_run_args args{};
    args.until_cycle = system.now() + 4;
    tz_run_result result{};
    system.run(args, result);
  }
  std::uint64_t mip() { return system.core(0).read_csr(isa::csr::kMip, system.now()).value_or(0); }
  bool line() {
    const std::uint32_t source = 16 + TRAPEZE_MAILBOX_B_LINE;
    const std::uint64_t ip = TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + source * TRAPEZE_CLIC_IRQ_IP_STRIDE;
    return (system.bus(1).read(ip, 1, system.now()).value & 1U) != 0;
  }
  void store(unsigned hart, std::uint64_t address, std::uint32_t value) {
    EXPECT_FALSE(system.bus(hart).write(address, kWord, value, system.now()).error) << address;
  }

  static constexpr std::uint64_t kBase = 0x84000000;
  System system{plan(), &make_hart};

 private:
  static PlatformPlan plan() {
    PlatformPlan plan = platform({kWide, kNarrow});
    const auto side = [&](const char* name, const char* peer, std::uint64_t base) {
      plan.regions.push_back({name, kMailboxBlock, base, TRAPEZE_MAILBOX_A_SIZE, {0, 1}, false, {}, peer});
    };
    side("mailbox_a", "mailbox_b", TRAPEZE_MAILBOX_A_BASE);
    side("mailbox_b", "mailbox_a", TRAPEZE_MAILBOX_B_BASE);
    plan.regions.push_back({"uart1", kUartBlock, TRAPEZE_UART1_BASE, TRAPEZE_UART1_SIZE, {0, 1}, false, 1, {}});
    plan.wires.push_back({"mailbox_a", 0, PlicSource{TRAPEZE_MAILBOX_A_PLIC_SOURCE}});
    plan.wires.push_back({"mailbox_b", 0, HartLine{1, TRAPEZE_MAILBOX_B_LINE}});
    plan.wires.push_back({kUartBlock, 0, PlicSource{TRAPEZE_UART_PLIC_SOURCE}});
    plan.wires.push_back({"uart1", 0, PlicSource{TRAPEZE_UART1_PLIC_SOURCE}});
    return plan;
  }
};

TEST(ModelAmp, AWordInterruptsTheOtherHart) {
  Amp amp;
  amp.store(1, TRAPEZE_MAILBOX_B_BASE + TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_OFFSET,
            TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_WORD_MASK);
  amp.run();
  EXPECT_FALSE(amp.line());
  amp.store(0, TRAPEZE_MAILBOX_A_BASE + TRAPEZE_MAILBOX_SIDE_SEND_OFFSET, 0x1234);
  amp.run();
  EXPECT_TRUE(amp.line());
  EXPECT_EQ(amp.mip(), 0U);
  const auto snapshot = amp.system.save();
  const std::uint64_t receive = TRAPEZE_MAILBOX_B_BASE + TRAPEZE_MAILBOX_SIDE_RECEIVE_OFFSET;
  EXPECT_EQ(amp.system.bus(1).read(receive, kWord, 0).value, 0x1234U);
  amp.run();
  EXPECT_FALSE(amp.line());
  amp.system.restore(*snapshot);
  EXPECT_EQ(amp.system.bus(1).read(receive, kWord, 0).value, 0x1234U);
}

TEST(ModelAmp, ADoorbellInterruptsLinuxByThePlic) {
  Amp amp;
  const auto plic = [&](std::uint32_t offset, std::uint32_t value) { amp.store(0, TRAPEZE_PLIC_BASE + offset, value); };
  constexpr unsigned kSource = TRAPEZE_MAILBOX_A_PLIC_SOURCE;
  plic(TRAPEZE_PLIC_PRIORITY_OFFSET + kSource * TRAPEZE_PLIC_PRIORITY_STRIDE, 1);
  plic(TRAPEZE_PLIC_ENABLE_LOW_OFFSET + kNextEnable, 1U << kSource);
  amp.store(0, TRAPEZE_MAILBOX_A_BASE + TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET, 2);
  amp.store(1, TRAPEZE_MAILBOX_B_BASE + TRAPEZE_MAILBOX_SIDE_RING_OFFSET, 3);
  amp.run();
  EXPECT_EQ(amp.mip(), 1U << isa::interrupt::kSupervisorExternal) << "supervisor mode has enabled it";
  plic(TRAPEZE_PLIC_ENABLE_LOW_OFFSET, 1U << kSource);
  amp.run();
  EXPECT_EQ(amp.mip(), (1U << isa::interrupt::kSupervisorExternal) | (1U << kExternalInterrupt));
  const std::uint64_t claim = TRAPEZE_PLIC_BASE + kClaim + kNextContext;
  EXPECT_EQ(amp.system.bus(0).read(claim, kWord, 0).value, kSource);
  amp.run();
  EXPECT_EQ(amp.mip(), 0U);
  EXPECT_TRUE(amp.system.bus(1).read(claim, kWord, 0).error) << "hart 1 does not see the PLIC";
}

TEST(ModelAmp, ALookClaimsAndReceivesNothing) {
  Amp amp;
  constexpr unsigned kSource = TRAPEZE_MAILBOX_A_PLIC_SOURCE;
  constexpr std::uint64_t kClaimed = TRAPEZE_PLIC_BASE + kClaim;
  constexpr std::uint64_t kPending = TRAPEZE_PLIC_BASE + TRAPEZE_PLIC_PENDING_OFFSET;
  constexpr std::uint64_t kReceive = TRAPEZE_MAILBOX_A_BASE + TRAPEZE_MAILBOX_SIDE_RECEIVE_OFFSET;
  constexpr std::uint64_t kStatus = TRAPEZE_MAILBOX_A_BASE + TRAPEZE_MAILBOX_SIDE_STATUS_OFFSET;
  const auto look = [&](std::uint64_t address) {
    const BusRead read = amp.system.look(0, address, kWord);
    EXPECT_FALSE(read.error) << address;
    return read.value;
  };
  const auto load = [&](std::uint64_t address) { return amp.system.bus(0).read(address, kWord, 0).value; };
  amp.store(0, TRAPEZE_PLIC_BASE + TRAPEZE_PLIC_PRIORITY_OFFSET + kSource * TRAPEZE_PLIC_PRIORITY_STRIDE, 1);
  amp.store(0, TRAPEZE_PLIC_BASE + TRAPEZE_PLIC_ENABLE_LOW_OFFSET, 1U << kSource);
  amp.store(0, TRAPEZE_MAILBOX_A_BASE + TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_OFFSET,
            TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_WORD_MASK);
  for (const std::uint32_t word : {0x1234U, 0x5678U}) {
    amp.store(1, TRAPEZE_MAILBOX_B_BASE + TRAPEZE_MAILBOX_SIDE_SEND_OFFSET, word);
  }
  amp.run();
  const std::uint32_t status = look(kStatus);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(look(kClaimed), kSource);
    EXPECT_EQ(look(kReceive), 0x1234U);
    EXPECT_EQ(look(kStatus), status);
    EXPECT_EQ(look(kPending) >> kSource & 1U, 1U);
    amp.run();
    EXPECT_EQ(amp.mip(), 1U << kExternalInterrupt);
  }
  EXPECT_TRUE(amp.system.look(1, kClaimed, kWord).error) << "hart 1 does not see the PLIC";
  EXPECT_EQ(load(kClaimed), kSource);
  EXPECT_EQ(look(kClaimed), 0U) << "claimed by the load";
  EXPECT_EQ(load(kReceive), 0x1234U);
  EXPECT_EQ(look(kReceive), 0x5678U);
  EXPECT_EQ(load(kReceive), 0x5678U);
  EXPECT_NE(look(kStatus), status);
}

TEST(ModelAmp, UartsInterruptByThePlic) {
  Amp amp;
  constexpr std::uint32_t kTransmitterEmpty = 2;
  constexpr unsigned kSource = TRAPEZE_UART_PLIC_SOURCE;
  amp.store(0, TRAPEZE_PLIC_BASE + TRAPEZE_PLIC_PRIORITY_OFFSET + kSource * TRAPEZE_PLIC_PRIORITY_STRIDE, 1);
  amp.store(0, TRAPEZE_PLIC_BASE + TRAPEZE_PLIC_ENABLE_LOW_OFFSET, 1U << kSource);
  EXPECT_FALSE(amp.system.bus(0).write(TRAPEZE_UART_BASE, 2, kTransmitterEmpty << 8, amp.system.now()).error) << "IER";
  amp.run();
  EXPECT_EQ(amp.mip(), 1U << kExternalInterrupt);
  EXPECT_EQ(amp.system.bus(0).read(TRAPEZE_PLIC_BASE + kClaim, kWord, 0).value, kSource);
}

TEST(ModelAmp, InputWaitsForFifosAndInterrupt) {
  Amp amp;
  const auto store = [&](unsigned offset, std::uint32_t value) {
    const std::uint64_t word = TRAPEZE_UART_BASE + (offset & ~3U);
    EXPECT_FALSE(
        amp.system.bus(0).write(word, 1U << (offset & 3U), value << (8 * (offset & 3U)), amp.system.now()).error);
  };
  const auto byte = [&] { return amp.system.bus(0).read(TRAPEZE_UART_BASE, 1, amp.system.now()).value & 0xffU; };
  const std::string text = "abc";
  amp.system.reset();
  amp.system.uart().receive(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  amp.run();
  store(TRAPEZE_UART_IER_OFFSET, TRAPEZE_UART_IER_ERBFI_MASK);
  amp.run();
  EXPECT_EQ(byte(), TRAPEZE_UART_RBR_RESET);
  store(TRAPEZE_UART_FCR_OFFSET, TRAPEZE_UART_FCR_ENABLE_MASK);  // which empties the receiver
  amp.run();
  for (const char expected : text) EXPECT_EQ(byte(), static_cast<std::uint32_t>(expected));
}

TEST(ModelPlic, EachHartWithSupervisorModeHasTwoContexts) {
  PlatformPlan plan = platform({kWide, kNarrow, kWide});
  plan.wires.push_back({kUartBlock, 0, PlicSource{1}});
  System system(plan, &make_hart);
  for (unsigned n = 0; n < 3; ++n) std::memcpy(system.bus(n).memory(Amp::kBase, 4), &Amp::kJumpHere, 4);
  const auto store = [&](std::uint64_t address, std::uint32_t value) {
    EXPECT_FALSE(system.bus(2).write(address, kWord, value, system.now()).error) << address;
  };
  store(TRAPEZE_PLIC_BASE + TRAPEZE_PLIC_PRIORITY_OFFSET + TRAPEZE_PLIC_PRIORITY_STRIDE, 1);
  store(TRAPEZE_PLIC_BASE + TRAPEZE_PLIC_ENABLE_LOW_OFFSET + 3 * kNextEnable, 1U << 1);
  constexpr unsigned kIer = 1U << TRAPEZE_UART_IER_OFFSET;  // its byte of the word
  const std::uint32_t interrupts = TRAPEZE_UART_IER_ETBEI_MASK << (TRAPEZE_UART_IER_OFFSET * 8);
  EXPECT_FALSE(system.bus(2).write(TRAPEZE_UART_BASE, kIer, interrupts, system.now()).error);
  tz_run_args args{};
  args.until_cycle = system.now() + 8;
  tz_run_result result{};
  system.run(args, result);
  const auto mip = [&](unsigned hart) { return system.core(hart).read_csr(isa::csr::kMip, system.now()).value_or(0); };
  EXPECT_EQ(mip(0), 0U);
  EXPECT_EQ(mip(2), 1U << isa::interrupt::kSupervisorExternal) << "context 3";
  EXPECT_TRUE(system.bus(1).read(TRAPEZE_PLIC_BASE, kWord, 0).error) << "hart 1 does not see it";
}

}  // namespace
}  // namespace trapeze::model
