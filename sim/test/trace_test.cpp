// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/trace.h"

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "elf_builder.h"
#include "engine_info.h"
#include "kernel/names.h"
#include "kernel/trace_records.h"

namespace trapeze {
namespace {

using Json = nlohmann::json;

constexpr tz_hart_info kHart = test::hart_info();
constexpr tz_engine_info kInfo = test::engine_info({&kHart, 1});

std::vector<SymbolTable> program() {
  return {SymbolTable({{0x80000000, 16, "_start", true}, {0x80000010, 16, "handler", true}})};
}

tz_retire retire(std::uint64_t cycle, std::uint64_t pc, std::uint32_t insn) {
  tz_retire r{};
  r.cycle_fetch = cycle - 3;
  r.cycle_ex = cycle - 1;
  r.cycle_retire = cycle;
  r.pc = pc;
  r.pc_next = pc + 4;
  r.insn = insn;
  r.mode = 3;
  return r;
}

/** A short run: a load, a store, a CSR write, an exception, an interrupt with its handler. */
void play(TraceWriter& trace) {
  tz_retire load = retire(10, 0x80000000, test::load(2, 10, 11, 4));
  load.rd = 10;
  load.rd_value = 0x1234;
  load.mem_addr = 0x80100004;
  load.mem_rmask = 0xf;
  load.mem_rdata = 0x1234;
  trace.on_retire(load);
  tz_retire store = retire(11, 0x80000004, test::store(0, 10, 11));
  store.mem_addr = 0x80100001;
  store.mem_wmask = 1;
  store.mem_wdata = 0x34;
  trace.on_retire(store);
  tz_retire csr = retire(12, 0x80000008, 0x30051073);
  csr.flags = TZ_RETIRE_CSR_WE;
  csr.csr_addr = 0x300;
  csr.csr_value = 8;
  trace.on_retire(csr);
  tz_retire trap = retire(13, 0x8000000c, 0);
  trap.flags = TZ_RETIRE_TRAP;
  trap.cause = 2;
  trap.pc_next = 0x80000010;
  trace.on_retire(trap);
  trace.on_line(14, 0, 5, true);
  tz_claim claim{};
  claim.cycle = 16;
  claim.id = 21;
  claim.epc = 0x8000000c;
  trace.on_claim(claim);
  trace.on_line(17, 0, 5, false);
  tz_retire handler = retire(20, 0x80000010, test::marker(1));
  handler.flags = TZ_RETIRE_INTR | TZ_RETIRE_IRQ;
  handler.irq_id = 21;
  trace.on_retire(handler);
  trace.on_retire(retire(21, 0x80000014, test::kMret));
  RunState state;
  state.cycle = 30;
  state.exited = true;
  state.exit_code = 3;
  trace.finish(state);
}

TEST(Trace, LogShowsWhatHappened) {
  const test::TempDir dir;
  LogTrace trace(dir / "t.log", program(), kInfo);
  play(trace);
  const std::string text = test::read_text(dir / "t.log");
  for (const char* line : {
           "80000000 <_start>:\n",
           "        10 M 80000000:\t0045a503            \tlw\ta0,4(a1)\t; a0=0x00001234, [0x80100004]->0x00001234\n",
           "        11 M 80000004:\t00a58023            \tsb\ta0,0(a1)\t; [0x80100001]<-0x34\n",
           "        12 M 80000008:\t30051073            \tcsrw\tmstatus,a0\t; mstatus<-0x00000008\n",
           "        13 M 8000000c:\t0000                \tunimp\n",
           "        13 >>> exception: illegal instruction (mcause 2), handler at 0x80000010\n",
           "        14 >>> line 5 rises\n",
           "        16 >>> interrupt: line 5 (id 21, level 0) taken, mepc 0x8000000c\n",
           "        17 >>> line 5 falls\n",
           "80000010 <handler>:\n",
           "        20 M 80000010:\t00102013            \tslti\tzero,zero,1\n",
           "        30 >>> exit 3\n",
       }) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "is not in\n" << text;
  }
}

TEST(Trace, LengthsAreThoseOfTheCore) {
  const test::TempDir dir;
  for (const char* isa : {"rv32im", "rv32imc"}) {
    const tz_hart_info hart = test::hart_info(isa);
    const tz_engine_info info = test::engine_info({&hart, 1});
    LogTrace log(dir / "t.log", program(), info);
    JsonTrace json(dir / "t.json", program(), info);
    for (TraceWriter* trace : {static_cast<TraceWriter*>(&log), static_cast<TraceWriter*>(&json)}) {
      trace->on_retire(retire(13, 0x8000000c, 0x4501));
      trace->finish({});
    }
    const bool has_c = std::string(isa) == "rv32imc";
    const char* line = has_c ? "\t4501                \tli\ta0,0\n" : "\t00004501            \t.4byte\t0x4501\n";
    EXPECT_NE(test::read_text(dir / "t.log").find(line), std::string::npos) << test::read_text(dir / "t.log");
    const char* name = has_c ? "\"li a0,0\"" : "\".4byte 0x4501\"";
    EXPECT_NE(test::read_text(dir / "t.json").find(name), std::string::npos) << isa;
  }
}

TEST(Trace, TextsAndAddressesAreThoseOfTheHartsWidth) {
  const test::TempDir dir;
  const std::array<tz_hart_info, 2> harts = {test::hart_info("rv32imac"), test::hart_info("rv64imac")};
  const tz_engine_info info = test::engine_info(harts);
  constexpr std::uint64_t kHigh = 0xffffffff80001000;
  const std::vector<SymbolTable> symbols(2, SymbolTable({{kHigh, 16, "high", true}}));
  LogTrace log(dir / "t.log", symbols, info);
  JsonTrace json(dir / "t.json", symbols, info);
  RecordTrace records(dir / "t.jsonl", symbols, info, {});
  for (TraceWriter* trace : std::initializer_list<TraceWriter*>{&log, &json, &records}) {
    trace->on_retire(retire(13, 0x80000000, 0x2505));
    tz_retire wide = retire(14, kHigh, 0x2505);
    wide.hart = 1;
    wide.rd = 10;
    wide.rd_value = 0xfffffffffffffff1;
    trace->on_retire(wide);
    wide = retire(15, kHigh + 2, 0xbffd);
    wide.hart = 1;
    trace->on_retire(wide);
    trace->finish({});
  }
  EXPECT_EQ(test::read_text(dir / "t.log"),
            "# cycle of retirement, hart:privilege, address, instruction, assembly ; effects\n"
            "        13 0:M 80000000:\t2505                \tjal\t80000620\n"
            "\nffffffff80001000 <high>:\n"
            "        14 1:M ffffffff80001000:\t2505                \taddiw\ta0,a0,1\t; a0=0xfffffffffffffff1\n"
            "        15 1:M ffffffff80001002:\tbffd                \tj\tffffffff80001000 <high>\n"
            "         0 >>> hart 0: stopped by --max-cycles\n");
  for (const char* name : {"\"jal 80000620\"", "\"addiw a0,a0,1\"", "\"j ffffffff80001000 <high>\""}) {
    EXPECT_NE(test::read_text(dir / "t.json").find(name), std::string::npos) << name;
  }
  for (const char* text : {R"("asm":"jal\t80000620")", R"("asm":"addiw\ta0,a0,1")", R"(<high>")"}) {
    EXPECT_NE(test::read_text(dir / "t.jsonl").find(text), std::string::npos) << text;
  }
}

TEST(Trace, JsonIsATimeline) {
  const test::TempDir dir;
  JsonTrace trace(dir / "t.json", program(), kInfo);
  play(trace);
  const Json json = Json::parse(test::read_text(dir / "t.json"));
  // Slices of one track either nest or do not overlap.
  std::map<std::pair<int, int>, std::vector<std::pair<std::uint64_t, std::uint64_t>>> tracks;
  std::map<std::string, int> names;
  for (const Json& event : json.at("traceEvents")) {
    ++names[event.at("name").get<std::string>()];
    if (event.at("ph") != "X") continue;
    const std::uint64_t start = event.at("ts");
    const std::uint64_t end = start + event.at("dur").get<std::uint64_t>();
    auto& track = tracks[{event.at("pid").get<int>(), event.at("tid").get<int>()}];
    for (const auto& [a, b] : track) {
      const bool apart = end <= a || b <= start;
      const bool nested = (a <= start && end <= b) || (start <= a && b <= end);
      EXPECT_TRUE(apart || nested) << event;
    }
    track.emplace_back(start, end);
  }
  for (const char* name : {"lw a0,4(a1)", "execute", "_start", "handler", "high", "line 5", "taken: line 5",
                           "exception: illegal instruction"}) {
    EXPECT_GE(names[name], 1) << name;
  }
}

/** Two interrupts without an instruction between; the emret of the second goes on to a third; all return. */
void play_emret(TraceWriter& trace) {
  constexpr std::uint32_t kEmret = 0xbc200073;
  const auto claim = [&trace](std::uint64_t cycle, unsigned id) {
    tz_claim one{};
    one.cycle = cycle;
    one.id = static_cast<std::uint16_t>(id);
    trace.on_claim(one);
  };
  claim(10, 16);
  claim(12, 17);
  trace.on_retire(retire(16, 0x80000010, 0x13));
  claim(20, 18);
  tz_retire chained = retire(21, 0x80000014, kEmret);
  chained.flags = TZ_RETIRE_IRQ;
  chained.irq_id = 18;
  trace.on_retire(chained);
  trace.on_retire(retire(26, 0x80000014, kEmret));
  trace.on_retire(retire(31, 0x80000014, kEmret));
  RunState state;
  state.cycle = 40;
  trace.finish(state);
}

TEST(Trace, LogNamesTheInterruptThatAnEmretGoesOnTo) {
  const test::TempDir dir;
  LogTrace trace(dir / "t.log", program(), kInfo);
  play_emret(trace);
  const std::string text = test::read_text(dir / "t.log");
  EXPECT_NE(text.find("\temret\t; goes on to line 2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\temret\n"), std::string::npos) << text;
}

TEST(Trace, JsonHandlersEndWithEmret) {
  const test::TempDir dir;
  JsonTrace trace(dir / "t.json", program(), kInfo);
  play_emret(trace);
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> handlers;
  const Json json = Json::parse(test::read_text(dir / "t.json"));
  for (const Json& event : json.at("traceEvents")) {
    if (event.at("ph") != "X" || event.at("pid") != 3) continue;
    handlers[event.at("name").get<std::string>()] = {event.at("ts"), event.at("dur")};
  }
  const std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> expected = {
      {"line 0", {10, 21}}, {"line 1", {12, 8}}, {"line 2", {20, 6}}};
  EXPECT_EQ(handlers, expected);
}

TEST(Trace, FromACycleOn) {
  const test::TempDir dir;
  LogTrace log(dir / "t.log", program(), kInfo, 16);
  play(log);
  const std::string text = test::read_text(dir / "t.log");
  EXPECT_EQ(text.find(">>> line 5 rises"), std::string::npos) << text;
  EXPECT_EQ(text.find("\tunimp"), std::string::npos) << text;
  EXPECT_NE(text.find("        16 >>> interrupt: line 5"), std::string::npos) << text;

  JsonTrace json(dir / "t.json", program(), kInfo, {}, 18);
  play(json);
  std::multiset<std::string> names;
  const Json value = Json::parse(test::read_text(dir / "t.json"));
  for (const Json& event : value.at("traceEvents")) {
    if (event.at("ph") == "M") continue;
    EXPECT_GT(event.at("ts").get<std::uint64_t>() + event.value("dur", std::uint64_t{1}), 18U) << event;
    names.insert(event.at("name"));
  }
  EXPECT_EQ(names.count("lw a0,4(a1)"), 0U);
  EXPECT_EQ(names.count("mret"), 1U);
  EXPECT_EQ(names.count("line 5"), 1U);  // the slice began before
}

TEST(Trace, NoFileWithoutFinish) {
  const test::TempDir dir;
  {
    LogTrace log(dir / "t.log", program(), kInfo);
    JsonTrace json(dir / "t.json", program(), kInfo);
    log.on_retire(retire(10, 0x80000000, 0x13));
    json.on_retire(retire(10, 0x80000000, 0x13));
  }
  EXPECT_TRUE(dir.list().empty());
}

TEST(Trace, InterruptNames) {
  EXPECT_EQ(interrupt_name(19, 16, 16), "line 3");
  EXPECT_EQ(interrupt_name(7, 16, 16), "timer");
  EXPECT_EQ(interrupt_name(3, 16, 16), "software");
  EXPECT_EQ(interrupt_name(11, 16, 16), "external");
  EXPECT_EQ(interrupt_name(40, 16, 16), "id 40");
  EXPECT_EQ(exception_name(5), "load access fault");
  EXPECT_EQ(exception_name(14), "cause 14");
  EXPECT_EQ(exception_name(24), "frame store fault");
  EXPECT_EQ(exception_name(25), "frame load fault");
}

}  // namespace
}  // namespace trapeze
