// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/spans.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "elf_builder.h"
#include "engine_info.h"
#include "event_words.h"
#include "kernel/error.h"

namespace trapeze {
namespace {

using Stretches = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

constexpr const char* kSignals[] = {"mtip", "uart_irq"};
constexpr tz_hart_info kHarts[] = {test::hart_info(), test::hart_info()};

tz_engine_info platform() {
  tz_engine_info info = test::engine_info(kHarts);
  info.num_signals = 2;
  info.signals = kSignals;
  return info;
}

SpanTracker tracker(const std::string& from, const std::string& to, std::optional<std::uint64_t> budget = {}) {
  const tz_engine_info info = platform();
  std::vector<SpanSpec> spans = {{"one", test::event(from), test::event(to), budget}};
  return SpanTracker(std::make_shared<const SpanPlan>(std::move(spans), std::vector<TaskKernel>{}, info));
}

/** Record of marker `n` outside of any handler. */
void mark(SpanTracker& spans, HandlerStack& handlers, unsigned n, std::uint64_t cycle) {
  InterruptTable stamps;
  stamps.begin(3, 0);
  tz_retire record{};
  record.insn = test::marker(n);
  record.cycle_ex = cycle;
  record.cycle_retire = cycle + 1;
  handlers.on_retire(record, stamps, {});
  spans.on_retire(record, handlers);
}

/** The first instruction of the handler of interrupt `id`, claimed for injection `index`. */
void enter(SpanTracker& spans, HandlerStack& handlers, unsigned id, std::size_t index, std::uint64_t cycle) {
  InterruptTable stamps;
  stamps.begin(3, 0);
  tz_claim claim{};
  claim.cycle = cycle;
  claim.id = static_cast<std::uint16_t>(id);
  claim.epc = 0x80000010;
  handlers.on_claim(claim, index);
  spans.on_claim(0, id, cycle);
  tz_retire record{};
  record.insn = 0x13;
  record.flags = TZ_RETIRE_INTR | TZ_RETIRE_IRQ;
  record.cycle_ex = cycle + 3;
  handlers.on_retire(record, stamps, {});
}

void leave(HandlerStack& handlers, std::uint64_t cycle) {
  InterruptTable stamps;
  stamps.begin(3, 0);
  tz_retire record{};
  record.insn = kMret;
  record.cycle_ex = cycle;
  record.pc_next = 0x80000010;
  handlers.on_retire(record, stamps, {});
}

Stretches finish(SpanTracker& spans) {
  spans.finish();
  Stretches found;
  for (const SpanTracker::Ended& one : spans.take_ended()) found.emplace_back(one.stretch.from, one.stretch.to);
  return found;
}

TEST(Spans, AnEndEndsTheOpenOne) {
  SpanTracker spans = tracker("marker:2", "marker:3");
  HandlerStack handlers;
  for (const auto& [n, cycle] : Stretches{{3, 5}, {2, 10}, {3, 14}, {3, 16}, {2, 20}, {3, 29}}) {
    mark(spans, handlers, static_cast<unsigned>(n), cycle);
  }
  EXPECT_EQ(finish(spans), (Stretches{{10, 14}, {20, 29}}));
  EXPECT_EQ(spans.results()[0].missed, 0U);
  EXPECT_EQ(spans.results()[0].open, 0U);
  EXPECT_EQ(spans.results()[0].worst->from, 20U);
}

TEST(Spans, ASweepKnowsTheFirstRunWithTheLongestOne) {
  SpanResult all;
  for (const auto& [swept, took] : Stretches{{100, 4}, {101, 9}, {102, 9}, {103, 2}}) {
    SpanResult run;
    run.histogram[took] = 1;
    run.worst = {50, 50 + took, {}};
    all.add(run, swept);
  }
  EXPECT_EQ(all.worst->to - all.worst->from, 9U);
  EXPECT_EQ(all.worst->swept, 101U);
  EXPECT_EQ(all.histogram[9], 2U);
}

TEST(Spans, ASecondStartIsMissedAndTheFirstOneCounts) {
  SpanTracker spans = tracker("marker:2", "marker:3");
  HandlerStack handlers;
  for (const auto& [n, cycle] : Stretches{{2, 10}, {2, 12}, {3, 14}, {2, 20}}) {
    mark(spans, handlers, static_cast<unsigned>(n), cycle);
  }
  EXPECT_EQ(finish(spans), (Stretches{{10, 14}}));
  EXPECT_EQ(spans.results()[0].missed, 1U);
  EXPECT_EQ(spans.results()[0].open, 1U);
}

TEST(Spans, AnEventThatIsBothMeasuresAPeriod) {
  SpanTracker spans = tracker("marker:2", "marker:2");
  HandlerStack handlers;
  for (const std::uint64_t cycle : {10, 14, 20}) mark(spans, handlers, 2, cycle);
  EXPECT_EQ(finish(spans), (Stretches{{10, 14}, {14, 20}}));
  EXPECT_EQ(spans.results()[0].open, 1U);
}

TEST(Spans, OfOneCycleTheOpenSpanEndsFirst) {
  SpanTracker spans = tracker("signal:mtip", "claim:7");
  spans.on_rise({10, 0});
  spans.on_claim(0, 7, 10);
  spans.on_rise({20, 0});
  spans.on_rise({25, 1});
  spans.on_claim(0, 7, 30);
  spans.on_rise({30, 0});
  EXPECT_EQ(finish(spans), (Stretches{{10, 10}, {20, 30}}));
  EXPECT_EQ(spans.results()[0].open, 1U);
}

TEST(Spans, EventsAreInTheOrderOfCyclesWhateverCameFirst) {
  // A store is reported when it retires; a later claim may have been reported before.
  SpanTracker spans = tracker("store:0x100+4", "claim:1:3");
  spans.on_claim(1, 3, 14);
  spans.on_hit({10, 20, 0x100, 1, 0, 4});
  EXPECT_EQ(finish(spans), (Stretches{{10, 14}}));
}

TEST(Spans, AStoreWithAValueIsToThatAddress) {
  SpanTracker spans = tracker("store:0x100+4=0x12ff", "load:0x200");
  spans.on_hit({10, 10, 0x100, 0x12fe, 0, 4});
  spans.on_hit({11, 11, 0x102, 0x12ff, 0, 4});
  spans.on_hit({12, 12, 0x100, 0xff, 0, 1});
  spans.on_hit({14, 14, 0x200, 0, 1, 4});
  spans.on_hit({20, 20, 0x100, 0x12ff, 0, 4});
  spans.on_hit({29, 29, 0x200, 0, 1, 4});
  EXPECT_EQ(finish(spans), (Stretches{{12, 14}, {20, 29}}));
}

TEST(Spans, StartUpCodeStoresNothingOfTheProgram) {
  const std::vector<ElfSymbol> symbols = {{0x10, 4, "_start", true}, {0x20, 4, "main", true}};
  ASSERT_TRUE(start_up(symbols, 0));
  EXPECT_FALSE(start_up(symbols, 1)) << "it is not known where hart 1 waits";
  EXPECT_FALSE(start_up({symbols[0]}, 0)) << "no main";
  std::vector<SpanSpec> specs = {{"one", test::event("store:0x100+4"), test::event("load:0x200"), {}}};
  SpanTracker spans(std::make_shared<const SpanPlan>(std::move(specs), std::vector<TaskKernel>{}, platform(),
                                                     std::vector<StartUp>{*start_up(symbols, 0)}));
  ASSERT_EQ(spans.plan().watches().size(), 4U);
  const auto access = [&](std::uint32_t watch, std::uint64_t cycle) {
    spans.on_hit({cycle, cycle, watch == 0 ? 0x100U : 0x200U, 0, watch, 4});
  };
  access(0, 1);
  access(1, 2);
  spans.on_hit({5, 5, 0x20, 0, 3, 0});  // main
  access(0, 10);
  access(1, 14);
  spans.on_hit({20, 20, 0x10, 0, 2, 0});  // a restart
  access(0, 21);
  access(1, 22);
  spans.on_hit({25, 25, 0x20, 0, 3, 0});
  access(0, 30);
  access(1, 39);
  EXPECT_EQ(finish(spans), (Stretches{{10, 14}, {30, 39}}));
  EXPECT_EQ(spans.results()[0].first, 10U);
}

TEST(Spans, AHartThatWaitsForWorkHasStartedUp) {
  const std::vector<ElfSymbol> symbols = {
      {0x10, 4, "_start", true}, {0x20, 4, "main", true}, {0x30, 4, "__hart_park", true}};
  for (const unsigned hart : {0U, 1U}) EXPECT_EQ(start_up(symbols, hart)->ends.size(), 2U) << hart;
  EXPECT_FALSE(start_up({symbols[0], symbols[2]}, 1)) << "no main";
}

TEST(Spans, AMarkerInAHandlerBelongsToItsInterrupt) {
  for (const char* from : {"edge:3", "claim:19"}) {
    SpanTracker spans = tracker(from, "marker:1");
    HandlerStack handlers;
    spans.on_injection(0, {3, 10, 0, 0});
    spans.on_injection(1, {4, 20, 0, 0});
    enter(spans, handlers, 19, 0, 12);
    enter(spans, handlers, 20, 1, 22);
    mark(spans, handlers, 1, 30);  // marker of line 4, whose handler has interrupted that of line 3
    leave(handlers, 32);
    mark(spans, handlers, 1, 40);
    mark(spans, handlers, 1, 44);
    leave(handlers, 50);
    mark(spans, handlers, 1, 60);
    const std::uint64_t start = from[0] == 'e' ? 10 : 12;
    EXPECT_EQ(finish(spans), (Stretches{{start, 40}})) << from;
  }
}

TEST(Spans, WhatIsBeforeTheSettledCycleIsADefect) {
  SpanTracker spans = tracker("signal:mtip", "claim:7");
  spans.settle(100);
  spans.on_rise({100, 0});
  EXPECT_THROW(spans.on_rise({99, 0}), Error);
}

TEST(Spans, ABudgetIsBrokenByTheFirstThatTakesLonger) {
  SpanTracker spans = tracker("marker:2", "marker:3", 5);
  HandlerStack handlers;
  mark(spans, handlers, 2, 10);
  mark(spans, handlers, 3, 15);
  mark(spans, handlers, 2, 20);
  spans.settle(26);
  EXPECT_FALSE(spans.late()) << "it may still end in time";
  spans.settle(27);
  EXPECT_EQ(spans.late(), 0U);
  EXPECT_EQ(spans.late_since(), 20U);
  EXPECT_EQ(spans.late_until(), std::nullopt);
  mark(spans, handlers, 3, 40);
  mark(spans, handlers, 2, 50);
  mark(spans, handlers, 3, 90);
  spans.settle(100);
  EXPECT_EQ(spans.late_until(), 40U) << "not the end of the longer one that came before the run stopped";

  SpanTracker ended = tracker("marker:2", "marker:3", 5);
  HandlerStack none;
  mark(ended, none, 2, 10);
  mark(ended, none, 3, 16);
  ended.settle(100);
  EXPECT_EQ(ended.late_since(), 10U);

  SpanTracker open = tracker("marker:2", "marker:3", 5);
  mark(open, none, 2, 10);
  open.settle(11);
  EXPECT_FALSE(open.late());
  open.finish();
  EXPECT_EQ(open.late(), 0U) << "it never ends";
}

TEST(Spans, ATaskBeginsBehindThePort) {
  constexpr std::uint64_t kPort = 0x80000200;
  constexpr std::uint64_t kKernel = 0x80000300;
  constexpr std::uint64_t kApplication = 0x80000400;
  TaskKernel kernel{0,
                    0x1000,
                    0x1004,
                    {{kPort, kPort + 0x10}},
                    0,
                    {},
                    [](std::uint32_t task) { return task == 1 ? "first" : "second"; }};
  std::vector<SpanSpec> specs = {{"one", test::event("marker:2"), test::event("task:second"), {}}};
  SpanTracker spans(
      std::make_shared<const SpanPlan>(std::move(specs), std::vector<TaskKernel>{std::move(kernel)}, platform()));
  ASSERT_EQ(spans.plan().watches().size(), 2U);
  HandlerStack handlers;
  const auto at = [&](std::uint64_t pc, std::uint64_t cycle) {
    tz_retire record{};
    record.insn = 0x13;
    record.pc = pc;
    record.cycle_ex = cycle;
    spans.on_retire(record, handlers);
  };
  spans.on_hit({1, 1, 0x1000, 1, 0, 4});
  spans.on_hit({2, 2, 0x1004, 1, 1, 4});
  at(kPort, 3);
  at(kApplication, 4);  // the first task
  mark(spans, handlers, 2, 10);
  spans.on_hit({12, 12, 0x1000, 2, 0, 4});
  at(kKernel, 13);
  at(kPort, 15);
  at(kApplication, 17);
  at(kApplication, 18);
  EXPECT_EQ(finish(spans), (Stretches{{10, 17}}));
}

/** A kernel with two tasks, whose control blocks are at kFirst and kSecond. */
class Kernel {
 public:
  static constexpr std::uint32_t kFirst = 0x2000;
  static constexpr std::uint32_t kSecond = 0x3000;
  static constexpr std::uint64_t kReady = 0x4000;
  static constexpr std::uint64_t kWaiting = 0x5000;

  explicit Kernel(const std::string& from) : spans_(plan(from)) {
    spans_.on_hit({1, 1, 0x1004, 1, 1, 4});
    run(kSecond, 2);
    run(kFirst, 4);
    put(kSecond, kWaiting, 6);
  }

  /** The kernel puts a task into a list. */
  void put(std::uint32_t task, std::uint64_t list, std::uint64_t cycle) {
    for (const std::uint64_t value : {std::uint64_t{0}, list}) {
      tz_retire record = instruction(kCode, cycle);
      record.mem_addr = task + 20;
      record.mem_wmask = 0xf;
      record.mem_wdata = value;
      retire(record);
    }
  }
  /** The kernel chooses a task; its first instruction executes in the next cycle. */
  void run(std::uint32_t task, std::uint64_t cycle) {
    spans_.on_hit({cycle, cycle, 0x1000, task, 0, 4});
    retire(instruction(kPort, cycle));
    retire(instruction(kCode, cycle + 1));
  }
  /** An edge of line 3, and its handler, which goes on until leave(). */
  void edge(std::size_t index, std::uint64_t cycle) {
    spans_.on_injection(index, {3, cycle, 0, 0});
    enter(spans_, handlers_, 19, index, cycle + 1);
    retire(instruction(kCode, cycle + 5));
  }
  void leave(std::uint64_t cycle) {
    trapeze::leave(handlers_, cycle);
    spans_.on_retire(instruction(kCode, cycle), handlers_);
  }
  void mark(unsigned n, std::uint64_t cycle) { trapeze::mark(spans_, handlers_, n, cycle); }
  Stretches finish() { return trapeze::finish(spans_); }
  const SpanResult& result() const { return spans_.results()[0]; }

 private:
  static constexpr std::uint64_t kPort = 0x80000200;
  static constexpr std::uint64_t kCode = 0x80000400;

  static std::shared_ptr<const SpanPlan> plan(const std::string& from) {
    std::vector<TaskKernel> kernels = {
        {0, 0x1000, 0x1004, {{kPort, kPort + 0x10}}, 20, {kReady, kReady + 0x100}, [](std::uint32_t task) {
           return task == kFirst ? "first" : "second";
         }}};
    std::vector<SpanSpec> specs = {{"one", test::event(from), test::event("task:second"), {}}};
    return std::make_shared<const SpanPlan>(std::move(specs), std::move(kernels), platform());
  }
  static tz_retire instruction(std::uint64_t pc, std::uint64_t cycle) {
    tz_retire record{};
    record.insn = 0x13;
    record.pc = pc;
    record.cycle_ex = cycle;
    return record;
  }
  void retire(const tz_retire& record) {
    InterruptTable stamps;
    handlers_.on_retire(record, stamps, {});
    spans_.on_retire(record, handlers_);
  }

  SpanTracker spans_;
  HandlerStack handlers_;
};

TEST(Spans, AnEdgeThatIsServedWithoutAWakeIsNoStart) {
  Kernel kernel("edge:3");
  kernel.edge(0, 100);
  kernel.put(Kernel::kSecond, Kernel::kReady, 110);
  kernel.leave(120);
  kernel.run(Kernel::kSecond, 130);
  kernel.edge(1, 200);  // while the task runs
  kernel.leave(220);
  kernel.put(Kernel::kSecond, Kernel::kWaiting, 300);
  kernel.run(Kernel::kFirst, 301);
  kernel.edge(2, 400);
  kernel.put(Kernel::kSecond, Kernel::kReady, 410);
  kernel.leave(420);
  kernel.run(Kernel::kSecond, 440);
  EXPECT_EQ(kernel.finish(), (Stretches{{100, 131}, {400, 441}}));
  EXPECT_EQ(kernel.result().unwoken, 1U);
  EXPECT_EQ(kernel.result().missed + kernel.result().open, 0U);
}

TEST(Spans, AnEdgeBetweenTheWakeAndTheTaskHasNoPartInIt) {
  Kernel kernel("edge:3");
  kernel.edge(0, 100);
  kernel.put(Kernel::kSecond, Kernel::kReady, 110);
  kernel.leave(120);
  kernel.edge(1, 121);  // the task is ready, and has not run
  kernel.leave(140);
  kernel.run(Kernel::kSecond, 150);
  EXPECT_EQ(kernel.finish(), (Stretches{{100, 151}}));
  EXPECT_EQ(kernel.result().missed, 1U) << "it was served without a wake while another one was open";
  EXPECT_EQ(kernel.result().open, 0U);
}

TEST(Spans, ATaskThatWasPreemptedDoesNotWake) {
  Kernel kernel("marker:2");
  kernel.put(Kernel::kSecond, Kernel::kReady, 100);
  kernel.run(Kernel::kSecond, 110);
  kernel.run(Kernel::kFirst, 120);
  kernel.mark(2, 125);
  kernel.run(Kernel::kSecond, 130);
  EXPECT_TRUE(kernel.finish().empty());
  EXPECT_EQ(kernel.result().open, 1U);
}

TEST(Spans, ATaskThatIsWokenBeforeItHasGivenWay) {
  Kernel kernel("edge:3");
  kernel.put(Kernel::kSecond, Kernel::kReady, 90);
  kernel.run(Kernel::kSecond, 95);
  kernel.put(Kernel::kSecond, Kernel::kWaiting, 99);
  kernel.edge(0, 100);
  kernel.put(Kernel::kSecond, Kernel::kReady, 110);
  kernel.leave(120);
  kernel.run(Kernel::kSecond, 130);
  EXPECT_EQ(kernel.finish(), (Stretches{{100, 131}})) << "the kernel chooses the same task again";
}

TEST(Spans, ATaskThatWaitsMayStillBeWokenOnTheInterruptsBehalf) {
  Kernel kernel("edge:3");
  kernel.edge(0, 100);
  kernel.leave(120);
  kernel.put(Kernel::kSecond, Kernel::kReady, 200);
  kernel.run(Kernel::kSecond, 210);
  EXPECT_EQ(kernel.finish(), (Stretches{{100, 211}}));
}

TEST(Spans, AMarkerInAHandlerIsServedWithIt) {
  Kernel kernel("marker:2");
  kernel.edge(0, 100);
  kernel.put(Kernel::kSecond, Kernel::kReady, 110);
  kernel.mark(2, 115);
  kernel.leave(120);
  kernel.run(Kernel::kSecond, 130);
  kernel.edge(1, 200);
  kernel.mark(2, 215);
  kernel.leave(220);
  kernel.put(Kernel::kSecond, Kernel::kWaiting, 300);
  kernel.run(Kernel::kFirst, 301);
  kernel.put(Kernel::kSecond, Kernel::kReady, 400);
  kernel.run(Kernel::kSecond, 440);
  EXPECT_EQ(kernel.finish(), (Stretches{{115, 131}}));
  EXPECT_EQ(kernel.result().unwoken, 1U);
}

TEST(Spans, EventsThatCannotBe) {
  for (const char* event : {"edge:16", "claim:32", "signal:nothing", "pc:2:0", "marker:2:1", "task:idle"}) {
    EXPECT_THROW(tracker(event, "marker:1"), Error) << event;
    EXPECT_THROW(tracker("marker:1", event), Error) << event;
  }
}

}  // namespace
}  // namespace trapeze
