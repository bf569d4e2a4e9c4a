// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// trapeze-sim as a process on the scripted engine (fake_engine.cpp): results and ends of runs.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/live.h"
#include "elf_builder.h"
#include "process.h"

namespace trapeze::test {
namespace {

using Json = nlohmann::json;

/** Prints "hi", spins `loops` times ten instructions, exits with `code`; the handler at 0x100 has a marker. */
std::vector<std::uint8_t> program(int code, bool endless = false) {
  ElfBuilder builder;
  std::vector<std::uint32_t> words = {addi(11, 0, 'h'), addi(11, 0, 'i'), addi(11, 0, '\n'), marker(2)};
  for (int i = 0; i < 40; ++i) words.push_back(addi(0, 0, 0));
  words.push_back(marker(3));
  words.push_back(addi(10, 0, code));
  words.push_back(endless ? jump(0) : kEbreak);
  builder.segments = {{0x80000000, words, 0}, {0x80000100, {addi(0, 0, 0), addi(0, 0, 0), marker(1), kMret}, 0}};
  builder.symbols = {{"_start", 0x80000000, 200}, {"handler", 0x80000100, 16}};
  return builder.build();
}

TEST(Live, SaysHowFast) {
  EXPECT_EQ(how_fast(3000000, 1234567, "cycles"), "cycle 3000000, 1.2 M cycles a second");
  EXPECT_EQ(how_fast(7, 45600, "instructions"), "instruction 7, 45.6 k instructions a second");
  EXPECT_EQ(how_fast(7, 12, "cycles"), "cycle 7, 12 cycles a second");
}

class App : public ::testing::Test {
 protected:
  void SetUp() override { write_bytes(dir_ / "p.elf", program(0)); }

  /** Runs p.elf on the fake engine. */
  ProcessResult run(const Json& fields, const std::vector<std::string>& words = {}) {
    Json whole{{"programs", {dir_ / "p.elf"}}, {"engine", TEST_FAKE_ENGINE}, {"config", "fake"}};
    if (!fields.is_null()) whole.update(fields);
    return simulate(whole, words);
  }
  Json json() { return Json::parse(read_text(dir_ / "r.json")); }

  TempDir dir_;
};

TEST_F(App, ConsoleToStdoutSummaryToStderr) {
  const ProcessResult result = run({});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "hi\n");
  EXPECT_EQ(result.err, "trapeze-sim: exit 0 after 47 cycles, 47 instructions\n");
  EXPECT_EQ(run({}, {"--quiet"}).err, "");
}

TEST_F(App, RisesOfSignals) {
  constexpr int kPulses = 300;  // more pulses than a buffer of the session holds
  ElfBuilder builder;
  std::vector<std::uint32_t> words = {addi(12, 0, 3), addi(12, 0, 2), addi(12, 0, 2)};
  for (int i = 0; i < kPulses; ++i) words.insert(words.end(), {addi(12, 0, 3), addi(12, 0, 2)});
  words.push_back(kEbreak);
  builder.segments = {{0x80000000, words, 0}};
  write_bytes(dir_ / "p.elf", builder.build());
  EXPECT_EQ(run({}, {"--json", dir_ / "r.json"}).code, 0);
  const Json record = json();
  EXPECT_EQ(record.at("signals").at("high"), Json({0}));
  const std::vector<std::uint64_t> low = record.at("signals").at("low");
  ASSERT_EQ(low.size(), kPulses + 1U);
  EXPECT_EQ(low[0], 0U);
  for (std::uint64_t i = 1; i < low.size(); ++i) EXPECT_EQ(low[i], 1 + 2 * i);
  EXPECT_EQ(record.at("signal_counts"), (Json{{"low", kPulses + 1}, {"high", 1}}));
}

TEST_F(App, ExitCodeIsTheFirmwares) {
  write_bytes(dir_ / "p.elf", program(42));
  EXPECT_EQ(run({}).code, 42);
  write_bytes(dir_ / "p.elf", program(0x100));
  EXPECT_EQ(run({}).code, 255) << "a failure is never shown as success";
}

TEST_F(App, MaxCycles) {
  write_bytes(dir_ / "p.elf", program(0, true));
  const ProcessResult result = run({{"max_cycles", 1000}}, {"--json", dir_ / "r.json"});
  EXPECT_EQ(result.code, 124);
  EXPECT_NE(result.err.find("did not exit within --max-cycles 1000; raise it"), std::string::npos);
  EXPECT_EQ(json().at("exit").at("reason"), "max-cycles");
  EXPECT_EQ(json().at("cycles"), 1000);
}

TEST_F(App, JsonRecordsStamps) {
  EXPECT_EQ(run({{"edges", {edge(2, 10)}}}, {"--json", dir_ / "r.json"}).code, 0);
  const Json record = json();
  EXPECT_EQ(record.at("elf"), "p.elf");
  EXPECT_EQ(record.at("config"), "fake");
  EXPECT_EQ(record.at("claims"), 1);
  ASSERT_EQ(record.at("markers").size(), 3U);
  const Json& interrupt = record.at("interrupts").at(0);
  // The line is high from cycle 10, sampled in 11 and so claimed in 11; the handler's instructions retire in 12, 13,
  // 14.
  EXPECT_EQ(interrupt.at("t0"), 10);
  EXPECT_EQ(interrupt.at("taken"), 11);
  EXPECT_EQ(interrupt.at("id"), 18);
  EXPECT_EQ(interrupt.at("tf"), 10);
  EXPECT_EQ(interrupt.at("tx"), 13);
  EXPECT_EQ(interrupt.at("tr"), 14);
  EXPECT_EQ(interrupt.at("taken_count"), 1);
}

TEST_F(App, SameCommandSameBytes) {
  for (const char* name : {"a", "b"}) {
    run({{"edges", {edge(2, 10)}}}, {"--json", dir_ / (std::string(name) + ".json")});
    run({{"edges", {edge(2, 10)}}, {"trace", trace(dir_ / (std::string(name) + "t.log"))}});
    run({{"edges", {edge(2, 10)}}, {"trace", trace(dir_ / (std::string(name) + "t.json"))}});
  }
  EXPECT_EQ(read_text(dir_ / "a.json"), read_text(dir_ / "b.json"));
  EXPECT_EQ(read_text(dir_ / "at.log"), read_text(dir_ / "bt.log"));
  EXPECT_EQ(read_text(dir_ / "at.json"), read_text(dir_ / "bt.json"));
  EXPECT_NE(read_text(dir_ / "at.log").find("interrupt: line 2"), std::string::npos);
}

TEST_F(App, SweepRunsEveryCycle) {
  const ProcessResult result = run({{"sweep", sweep("1@5..40", 1, 5, 40)}}, {"--json", dir_ / "r.json", "--progress"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("progress 1 36\n"), std::string::npos);
  EXPECT_NE(result.err.find("progress 36 36\n"), std::string::npos);
  const Json sweep = json().at("sweep");
  ASSERT_EQ(sweep.at("runs").size(), 36U);
  int cycle = 5;
  for (const Json& row : sweep.at("runs")) {
    EXPECT_EQ(row.at("t0"), cycle);
    EXPECT_EQ(row.at("taken"), cycle + 1);
    EXPECT_EQ(row.at("tx"), cycle + 3);
    EXPECT_EQ(row.at("taken_count"), 1);
    EXPECT_EQ(row.at("exit"), 0);
    EXPECT_EQ(row.at("cycles"), 52);
    EXPECT_EQ(row.at("console_crc"), json().at("sweep").at("runs").at(0).at("console_crc"));
    ++cycle;
  }
  // The same interrupt in a run of its own.
  run({{"edges", {edge(1, 20)}}}, {"--json", dir_ / "r.json"});
  EXPECT_EQ(json().at("interrupts").at(0).at("tx"), sweep.at("runs").at(15).at("tx"));
  EXPECT_EQ(json().at("cycles"), sweep.at("runs").at(15).at("cycles"));
}

TEST_F(App, PartOfASweep) {
  EXPECT_EQ(run({{"sweep", sweep("1@5..40", 1, 5, 40)}}, {"--json", dir_ / "r.json", "--quiet"}).code, 0);
  const Json whole = json().at("sweep").at("runs");
  EXPECT_EQ(run({{"sweep", part(sweep("1@5..40", 1, 5, 40), 10, 19)}}, {"--json", dir_ / "r.json", "--quiet"}).code, 0);
  const Json part = json().at("sweep");
  EXPECT_EQ(part.at("from"), 10);
  EXPECT_EQ(part.at("to"), 19);
  EXPECT_EQ(part.at("runs"), Json(Json::array_t(whole.begin() + 5, whole.begin() + 15)));
}

TEST_F(App, SweepBesideOtherInterrupts) {
  EXPECT_EQ(
      run({{"edges", {edge(0, 8)}}, {"sweep", sweep("3@2..30", 3, 2, 30)}}, {"--json", dir_ / "r.json", "--quiet"})
          .code,
      0);
  for (const Json& row : json().at("sweep").at("runs")) {
    EXPECT_EQ(row.at("id"), 19);
    EXPECT_EQ(row.at("taken_count"), 1);
    EXPECT_EQ(row.at("cycles"), 57);
  }
}

TEST_F(App, SweepShowsFailures) {
  write_bytes(dir_ / "p.elf", program(3));
  EXPECT_EQ(run({{"sweep", sweep("1@5..6", 1, 5, 6)}}, {"--json", dir_ / "r.json"}).code, 3);
  EXPECT_EQ(json().at("exit").at("code"), 3);
}

TEST_F(App, BudgetIsKept) {
  for (const std::uint64_t budget : {10ULL, ~2ULL, ~1ULL, ~0ULL}) {
    const ProcessResult result = run({{"edges", {edge(1, 10)}}, {"budget", budget}}, {"--json", dir_ / "r.json"});
    EXPECT_EQ(result.code, 0) << budget << ": " << result.err;
    EXPECT_TRUE(json().at("late").is_null());
  }
}

TEST_F(App, BudgetFailsWithoutAMarker) {
  // Line 1 is high while the handler of line 0 runs, and low again when it ends.
  ProcessResult result = run({{"edges", {edge(0, 10), edge(1, 13, 1)}}, {"budget", 500}}, {"--json", dir_ / "r.json"});
  EXPECT_EQ(result.code, 123);
  EXPECT_NE(result.err.find("over budget: line 1, raised in cycle 13: the program ended in cycle 51, and the interrupt "
                            "was not taken\n"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(json().at("late"), (Json{{"hart", 0}, {"line", 1}, {"t0", 13}}));
  EXPECT_EQ(json().at("interrupts").at(1).at("fate"), "not-taken");
  EXPECT_EQ(json().at("interrupts").at(0).at("fate"), "marked");

  result = run({{"edges", {edge(0, 10), edge(1, 900)}}, {"budget", 500}}, {"--json", dir_ / "r.json"});
  EXPECT_EQ(result.code, 123);
  EXPECT_NE(result.err.find("line 1 was to rise in cycle 900, but the program ended in cycle 51\n"), std::string::npos)
      << result.err;
  EXPECT_EQ(json().at("late"), (Json{{"hart", 0}, {"line", 1}, {"t0", 900}}));

  write_bytes(dir_ / "p.elf", program(7));
  result = run({{"edges", {edge(1, 900)}}, {"budget", 500}});
  EXPECT_EQ(result.code, 7) << "the firmware failed first";
  EXPECT_NE(result.err.find("over budget"), std::string::npos);
}

TEST_F(App, BudgetNamesTheLineThatIsLate) {
  // The swept interrupt keeps the budget; the other one does not.
  const ProcessResult result =
      run({{"edges", {edge(0, 14, 1)}}, {"budget", 500}, {"sweep", sweep("1@5..30", 1, 5, 30)}},
          {"--json", dir_ / "r.json"});
  EXPECT_EQ(result.code, 123);
  EXPECT_NE(result.err.find("line 0, raised in cycle 14: the program ended"), std::string::npos) << result.err;
  EXPECT_EQ(json().at("late"), (Json{{"hart", 0}, {"line", 0}, {"t0", 14}}));
  EXPECT_EQ(json().at("sweep").at("runs").back().at("fate"), "marked");
  EXPECT_EQ(json().at("sweep").at("runs").back().at("t0"), 10) << "the first run in which it is kept back";

  // The other interrupt exceeds its budget before the swept line has risen.
  EXPECT_EQ(run({{"edges", {edge(0, 6)}}, {"budget", 1}, {"sweep", sweep("1@20..30", 1, 20, 30)}},
                {"--json", dir_ / "r.json"})
                .code,
            123);
  EXPECT_EQ(json().at("late"), (Json{{"hart", 0}, {"line", 0}, {"t0", 6}}));
  EXPECT_EQ(json().at("sweep").at("runs").at(0).at("fate"), "not-taken");
}

TEST_F(App, HelpAndVersion) {
  const ProcessResult help = simulate(std::vector<std::string>{"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* option : {"REQUEST", "--json", "--quiet", "--progress"}) {
    EXPECT_NE(help.out.find(option), std::string::npos) << option;
  }
  EXPECT_EQ(simulate(std::vector<std::string>{"--version"}).code, 0);
}

}  // namespace
}  // namespace trapeze::test
