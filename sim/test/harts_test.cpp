// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// trapeze-sim as a process on a scripted engine of three harts (fake_engine.cpp), whose mhartids are 4, 5 and 6.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "elf_builder.h"
#include "process.h"

namespace trapeze::test {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t kReadHartId = 0xf1402573;  // csrr a0, mhartid
constexpr std::uint32_t kWfi = 0x10500073;
constexpr std::uint32_t kShared = 0x80300000;

/** A program that exits with `code` in cycle `cycle`, unless an interrupt comes; its handler has a marker. */
ElfBuilder program(int code, int cycle) {
  ElfBuilder builder;
  std::vector<std::uint32_t> words(static_cast<std::size_t>(cycle - 1), addi(0, 0, 0));
  words.insert(words.end(), {addi(10, 0, code), kEbreak, jump(0)});
  builder.segments = {{0x80000000, words, 0}, {0x80000100, {addi(0, 0, 0), marker(1), kMret}, 0}};
  return builder;
}

class Harts : public ::testing::Test {
 protected:
  /** Runs a.elf, b.elf, ..., as many as there are programs. */
  ProcessResult run(const std::vector<ElfBuilder>& programs, const Json& fields,
                    const std::vector<std::string>& words = {}) {
    std::vector<std::string> all;
    for (const ElfBuilder& one : programs) {
      all.push_back(dir_ / (std::string(1, static_cast<char>('a' + all.size())) + ".elf"));
      write_bytes(all.back(), one.build());
    }
    Json whole{{"programs", all}, {"engine", TEST_FAKE_TRIO}, {"config", "fake-trio"}};
    if (!fields.is_null()) whole.update(fields);
    return simulate(whole, words);
  }
  Json json() { return Json::parse(read_text(dir_ / "r.json")); }
  /** Expects that the run fails with one line that contains all of these. */
  void refuses(const ProcessResult& result, const std::vector<std::string>& parts) {
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    for (const std::string& part : parts) EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(dir_ / "r.json"));
  }

  TempDir dir_;
};

TEST_F(Harts, OneProgramIsAllHartsAndEndsAtItsFirstExit) {
  ElfBuilder builder;
  builder.segments = {{0x80000000, {kReadHartId, addi(0, 0, 0), kEbreak, jump(0)}, 0}};
  const ProcessResult result = run({builder}, {}, {"--json", dir_ / "r.json"});
  EXPECT_EQ(result.code, 4) << result.err;
  EXPECT_EQ(result.err, "trapeze-sim: exit 4 of hart 0 after 3 cycles, 9 instructions\n");
  const Json harts = json().at("harts");
  ASSERT_EQ(harts.size(), 3U);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(harts[i].at("hart"), i);
    EXPECT_EQ(harts[i].at("hart_id"), 4 + i);
    EXPECT_EQ(harts[i].at("elf"), "a.elf");
    EXPECT_EQ(harts[i].at("instructions"), 3);
    EXPECT_EQ(harts[i].at("exit"), (Json{{"code", 4 + i}, {"cycle", 2}}));
  }
}

TEST_F(Harts, OwnProgramsEndWithTheLastExit) {
  const ProcessResult result = run({program(0, 10), program(0, 30)}, {}, {"--json", dir_ / "r.json"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("exit 0 of hart 1 after 31 cycles"), std::string::npos) << result.err;
  const Json record = json();
  EXPECT_EQ(record.at("cycles"), 31);
  EXPECT_EQ(record.at("harts").at(0).at("exit").at("cycle"), 10);
  EXPECT_EQ(record.at("harts").at(1).at("exit").at("cycle"), 30);
  EXPECT_TRUE(record.at("harts").at(2).at("elf").is_null());
  EXPECT_EQ(record.at("harts").at(2).at("instructions"), 1) << "a hart without a program waits in wfi";
  EXPECT_TRUE(record.at("harts").at(2).at("exit").is_null());
}

TEST_F(Harts, TheFirstFailureEndsTheRun) {
  const ProcessResult result = run({program(0, 30), program(3, 10)}, {}, {"--json", dir_ / "r.json"});
  EXPECT_EQ(result.code, 3) << result.err;
  EXPECT_NE(result.err.find("exit 3 of hart 1 after 11 cycles"), std::string::npos) << result.err;
  EXPECT_TRUE(json().at("harts").at(0).at("exit").is_null());
}

TEST_F(Harts, LinesAndStampsBelongToAHart) {
  const std::vector<ElfBuilder> both{program(0, 60), program(0, 60)};
  EXPECT_EQ(
      run(both, {{"edges", {edge(2, 10, 0, 1), edge(2, 10), edge(3, 30, 0, 1)}}}, {"--json", dir_ / "r.json"}).code, 0);
  const Json record = json();
  EXPECT_EQ(record.at("claims"), 3);
  const Json& rows = record.at("interrupts");
  ASSERT_EQ(rows.size(), 3U);
  const std::vector<std::vector<int>> expected{{1, 2, 10, 11, 13}, {0, 2, 10, 11, 13}, {1, 3, 30, 31, 33}};
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(rows[i].at("hart"), expected[i][0]);
    EXPECT_EQ(rows[i].at("line"), expected[i][1]);
    EXPECT_EQ(rows[i].at("t0"), expected[i][2]);
    EXPECT_EQ(rows[i].at("taken"), expected[i][3]);
    EXPECT_EQ(rows[i].at("tr"), expected[i][4]);
    EXPECT_EQ(rows[i].at("taken_count"), 1);
    EXPECT_EQ(rows[i].at("fate"), "marked");
  }
  std::multiset<int> markers;
  for (const Json& marker : record.at("markers")) markers.insert(marker.at("hart").get<int>());
  EXPECT_EQ(markers, (std::multiset<int>{0, 1, 1}));
}

TEST_F(Harts, SweepsAndBudgetsNameAHart) {
  const std::vector<ElfBuilder> both{program(0, 60), program(0, 60)};
  EXPECT_EQ(run(both, {{"sweep", sweep("1:2@10..14", 2, 10, 14, 1)}}, {"--json", dir_ / "r.json"}).code, 0);
  const Json sweep = json().at("sweep");
  EXPECT_EQ(sweep.at("hart"), 1);
  ASSERT_EQ(sweep.at("runs").size(), 5U);
  for (const Json& one : sweep.at("runs")) {
    EXPECT_EQ(one.at("tx").get<int>() - one.at("t0").get<int>(), 2);
    EXPECT_EQ(one.at("taken_count"), 1);
  }
  EXPECT_EQ(run(both, {{"edges", {edge(2, 10, 0, 1)}}, {"budget", 2}}).code, 0);
  const ProcessResult late = run(both, {{"edges", {edge(2, 10, 0, 1)}}, {"budget", 1}}, {"--json", dir_ / "r.json"});
  EXPECT_EQ(late.code, 123);
  EXPECT_NE(late.err.find("line 2 of hart 1, raised in cycle 10: no marker within 1 cycles"), std::string::npos)
      << late.err;
  EXPECT_EQ(json().at("late"), (Json{{"hart", 1}, {"line", 2}, {"t0", 10}}));
}

TEST_F(Harts, AnEndByAnythingElseSaysWhereEachIs) {
  ElfBuilder endless = program(0, 5);
  endless.segments[0].words = {addi(0, 0, 0), jump(0)};
  endless.symbols = {{"spin", 0x80000004, 4}};
  const ProcessResult limit = run({program(0, 5), endless}, {{"max_cycles", 100}});
  EXPECT_EQ(limit.code, 124);
  for (const char* part : {"'a.elf', 'b.elf' did not exit within --max-cycles 100", "hart 0 exited in cycle 5",
                           "hart 1 is at 0x80000004 (spin) since cycle 99", "hart 2 is at 0x80000000 since cycle 0"}) {
    EXPECT_NE(limit.err.find(part), std::string::npos) << part << "\n" << limit.err;
  }
  ElfBuilder sleeper = program(0, 5);
  sleeper.segments[0].words = {addi(0, 0, 0), kWfi};
  const ProcessResult asleep = run({sleeper}, {});
  EXPECT_EQ(asleep.code, 122);
  EXPECT_NE(asleep.err.find("that a hart waits for: hart 0 is in wfi at 0x80000004 since cycle 1, hart 1 is in wfi at"),
            std::string::npos)
      << asleep.err;
}

TEST_F(Harts, TracesNameTheHart) {
  const std::vector<ElfBuilder> both{program(0, 20), program(0, 20)};
  EXPECT_EQ(run(both, {{"edges", {edge(2, 10, 0, 1)}}, {"trace", trace(dir_ / "t.log")}}).code, 0);
  const std::string log = read_text(dir_ / "t.log");
  for (const char* line : {"         5 0:M 80000014:\t00000013", "         5 1:M 80000014:\t00000013",
                           "        10 >>> hart 1: line 2 rises", "        11 >>> hart 1: interrupt: line 2 (id 18"}) {
    EXPECT_NE(log.find(line), std::string::npos) << line << "\n" << log;
  }
  EXPECT_EQ(run(both, {{"edges", {edge(2, 10, 0, 1)}}, {"trace", trace(dir_ / "t.json")}}).code, 0);
  std::map<int, std::string> processes;
  std::set<std::string> handlers;
  const Json timeline = Json::parse(read_text(dir_ / "t.json"));
  for (const Json& event : timeline.at("traceEvents")) {
    if (event.at("name") == "process_name") processes[event.at("pid")] = event.at("args").at("name");
    if (event.at("name") == "line 2") handlers.insert(processes.at(event.at("pid")));
  }
  std::multiset<std::string> names;
  for (const auto& [number, name] : processes) names.insert(name);
  EXPECT_EQ(names.size(), 9U);
  for (const char* hart : {"hart 0 ", "hart 1 ", "hart 2 "}) {
    for (const char* group : {"pipeline", "software", "interrupts"}) {
      EXPECT_EQ(names.count(std::string(hart) + group), 1U) << hart << group;
    }
  }
  EXPECT_EQ(handlers, std::set<std::string>{"hart 1 interrupts"});
}

TEST_F(Harts, BadInputIsOneLine) {
  const ElfBuilder good = program(0, 20);
  const std::vector<std::string> json{"--json", dir_ / "r.json"};
  const Json kernel{{"hart", 3}, {"current", 1}, {"name", 2}, {"started", 3}};
  refuses(run({good}, {{"edges", {edge(2, 10, 0, 3)}}}, json), {"--irq", "has no hart 3; use 0 to 2"});
  refuses(run({good}, {{"edges", {edge(4, 10, 0, 1)}}}, json), {"--irq", "no interrupt line 4 of hart 1; use 0 to 3"});
  refuses(run({good}, {{"sweep", sweep("7:2@10..20", 2, 10, 20, 7)}}, json), {"--sweep", "no hart 7; use 0 to 2"});
  refuses(run({good}, {{"kernels", {kernel}}}, json), {"kernels", "has no hart 3; use 0 to 2"});
  refuses(run({good, good, good, good}, {}, json), {"d.elf", "has no hart", "'fake-trio' has 3 harts; give at most 3"});
  ElfBuilder outside = good;
  outside.segments[1].address = 0x90000000;
  refuses(run({good, outside}, {}, json), {"b.elf", "0x90000000", "hart 1 of configuration 'fake-trio' has no memory"});
  ElfBuilder wide = good;
  wide.elf_class = 2;
  refuses(run({good, wide}, {}, json), {"b.elf", "64-bit"});
}

TEST_F(Harts, ImagesMayMeetInPrivateMemoryAlone) {
  ElfBuilder one = program(0, 20);
  ElfBuilder other = program(0, 20);
  one.segments.push_back({kShared, {1, 2, 3}, 0});
  other.segments.push_back({kShared + 12, {4}, 0});
  EXPECT_EQ(run({one, other}, {}).code, 0);
  other.segments.back().address = kShared + 8;
  refuses(run({one, other}, {}, {"--json", dir_ / "r.json"}),
          {"a.elf' (hart 0)", "b.elf' (hart 1)", "overlap at 0x80300008..0x8030000b", "shared memory 'shared'"});
  EXPECT_EQ(run({one}, {}).code, 0) << "one program for all harts is in shared memory once";
}

}  // namespace
}  // namespace trapeze::test
