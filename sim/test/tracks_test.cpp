// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Tracks of a timeline from what an engine reports beside the instructions, played by hand.
#include "kernel/tracks.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "elf_builder.h"
#include "engine_info.h"
#include "kernel/error.h"
#include "kernel/trace.h"

namespace trapeze {
namespace {

using Json = nlohmann::json;
using Slices = std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>>;

constexpr tz_hart_info kHart = test::hart_info();
constexpr tz_engine_info kInfo = test::engine_info({&kHart, 1});
constexpr std::uint32_t kFrame = 0x80100100;

/** Names of slices by track, in the order of the file. */
std::map<std::string, Slices> tracks(const std::string& path) {
  std::map<std::pair<int, int>, std::string> names;
  std::map<std::string, Slices> found;
  const Json json = Json::parse(test::read_text(path));
  for (const Json& event : json.at("traceEvents")) {
    const std::pair<int, int> track = {event.at("pid"), event.at("tid")};
    if (event.at("name") == "thread_name") names[track] = event.at("args").at("name");
    if (event.at("ph") != "X") continue;
    const std::uint64_t start = event.at("ts");
    found[names.at(track)].emplace_back(event.at("name"), start, start + event.at("dur").get<std::uint64_t>());
  }
  return found;
}

/** Plays activities on a timeline and returns what it shows. */
class Player {
 public:
  explicit Player(std::vector<TaskSource> tasks = {})
      : trace_(dir_ / "t.json", {SymbolTable{}}, kInfo, std::move(tasks)) {}

  void activity(tz_activity_kind kind, std::uint64_t cycle, std::uint32_t value) {
    trace_.on_activity({cycle, cycle, value, static_cast<std::uint16_t>(kind), 0});
  }
  void banks(std::uint64_t cycle, std::uint32_t current, std::uint32_t held, std::uint32_t leave = 0) {
    activity(TZ_ACTIVITY_BANKS, cycle, current | held << 8 | leave << 16);
  }
  /** Loads a whole frame, from this cycle on. */
  void load_frame(std::uint64_t cycle, std::uint32_t frame = kFrame, unsigned words = 18) {
    for (unsigned i = 0; i < words; ++i) {
      const std::uint32_t word = i == 0 ? 17 : i == 1 ? 16 : i - 2;
      activity(TZ_ACTIVITY_LOAD, cycle + i, frame + 4 * word);
    }
  }
  void drain(std::uint64_t cycle, std::uint32_t frame = kFrame, unsigned words = 18) {
    for (unsigned i = 0; i < words; ++i) activity(TZ_ACTIVITY_STORE, cycle + i, frame + 4 * i);
  }
  void claim(std::uint64_t cycle, unsigned id) {
    tz_claim one{};
    one.cycle = cycle;
    one.id = static_cast<std::uint16_t>(id);
    trace_.on_claim(one);
  }
  tz_retire instruction(std::uint64_t execute, std::uint32_t insn = 0x13) {
    tz_retire r{};
    r.cycle_fetch = execute - 2;
    r.cycle_ex = execute;
    r.cycle_retire = execute + 1;
    r.pc = 0x80000000;
    r.mode = static_cast<std::uint8_t>(mode_);
    r.insn = insn;
    return r;
  }
  void retire(std::uint64_t execute, std::uint32_t insn = 0x13) { trace_.on_retire(instruction(execute, insn)); }
  void emret(std::uint64_t execute) { retire(execute, 0xbc200073); }
  void store(std::uint64_t execute, std::uint64_t address, std::uint32_t value) {
    tz_retire r = instruction(execute);
    r.mem_addr = address;
    r.mem_wmask = 0xf;
    r.mem_wdata = value;
    trace_.on_retire(r);
  }
  void write_csr(std::uint64_t execute, unsigned number, std::uint32_t value) {
    tz_retire r = instruction(execute, 0x30051073);
    r.flags = TZ_RETIRE_CSR_WE;
    r.csr_addr = static_cast<std::uint16_t>(number);
    r.csr_value = value;
    trace_.on_retire(r);
  }
  /** Sets the code that executes from now on. */
  void mode(unsigned mode) { mode_ = mode; }
  std::map<std::string, Slices> finish(std::uint64_t cycle) {
    RunState state;
    state.cycle = cycle;
    trace_.finish(state);
    return tracks(dir_ / "t.json");
  }

 private:
  test::TempDir dir_;
  JsonTrace trace_;
  unsigned mode_ = isa::privilege::kM;
};

TEST(Tracks, NothingReportedNothingShown) {
  Player player;
  player.claim(10, 17);
  player.retire(14);
  const auto shown = player.finish(30);
  for (const char* name :
       {"privilege", "levels", "tasks", "drain", "emret loads", "mframe loads", "table entries", "bank 0"}) {
    EXPECT_EQ(shown.count(name), 0U) << name;
  }
  EXPECT_EQ(shown.count("handlers"), 1U);
}

TEST(Tracks, PrivilegeFromTheFirstInstructionOfAMode) {
  Player player;
  constexpr std::array<std::pair<std::uint64_t, unsigned>, 5> instructions = {{{5, isa::privilege::kM},
                                                                               {10, isa::privilege::kU},
                                                                               {11, isa::privilege::kU},
                                                                               {20, isa::privilege::kS},
                                                                               {30, isa::privilege::kM}}};
  for (const auto& [cycle, mode] : instructions) {
    player.mode(mode);
    player.retire(cycle);
  }
  const Slices expected = {{"machine", 0, 10}, {"user", 10, 20}, {"supervisor", 20, 30}, {"machine", 30, 40}};
  EXPECT_EQ(player.finish(40)["privilege"], expected);
}

TEST(Tracks, LevelsNest) {
  Player player;
  const std::vector<std::pair<std::uint64_t, std::uint32_t>> changes = {{0, 0},   {10, 31}, {20, 127}, {30, 63},
                                                                        {40, 31}, {50, 0},  {60, 255}};
  for (const auto& [cycle, level] : changes) player.activity(TZ_ACTIVITY_LEVEL, cycle, level);
  const Slices expected = {{"level 127", 20, 30}, {"level 63", 30, 40}, {"level 31", 10, 50}, {"level 255", 60, 70}};
  EXPECT_EQ(player.finish(70)["levels"], expected);
}

TEST(Tracks, TasksByNameOnceTheyRun) {
  const auto read = [](std::uint64_t address, void* data, std::size_t size) {
    const std::string memory(address >= 0x2000 ? std::string(100, '\0') : std::string("......ping"));
    if (address < 0x1000 || size != 1) throw Error("no memory there");
    std::memcpy(data, memory.c_str() + address % 0x1000, 1);
  };
  Player player({TaskSource{0x500, 6, 0x600, read, {}, {}}});
  player.store(10, 0x500, 0x2000);  // created, while main() runs
  player.store(20, 0x500, 0x1000);
  player.store(30, 0x600, 1);
  player.store(40, 0x500, 0x2000);
  player.store(50, 0x500, 0x2000);
  player.store(60, 0x700, 0x1000);
  player.store(70, 0x500, 0x10);
  const Slices expected = {{"ping", 30, 40}, {"task 0x00002000", 40, 70}, {"task 0x00000010", 70, 90}};
  EXPECT_EQ(player.finish(90)["tasks"], expected);
}

TEST(Tracks, BanksHoldWhatRanInThem) {
  Player player;
  player.banks(0, 0, 0);
  player.claim(10, 17);
  player.retire(10);  // older than the claim
  player.banks(11, 1, 1, 1);
  player.retire(15);
  player.banks(29, 1, 1);
  player.claim(30, 18);
  player.banks(31, 2, 3, 2);
  player.retire(34);
  player.emret(40);
  player.banks(41, 1, 1, 1);
  player.banks(46, 1, 0, 1);  // a store has changed the frame after its words were stored
  player.banks(50, 1, 0);
  player.emret(80);  // so the frame had to be loaded
  player.retire(90);
  auto shown = player.finish(100);
  const Slices first = {{"runs program", 0, 11}, {"holds program", 11, 46}, {"leaves: program", 46, 50}};
  const Slices second = {
      {"runs line 1", 11, 31}, {"holds line 1", 31, 41}, {"runs line 1", 41, 81}, {"runs program", 81, 100}};
  const Slices third = {{"runs line 2", 31, 41}};
  EXPECT_EQ(shown["bank 0"], first);
  EXPECT_EQ(shown["bank 1"], second);
  EXPECT_EQ(shown["bank 2"], third);
}

TEST(Tracks, WordsOfADrainStandInTheirFrame) {
  Player player;
  player.banks(0, 0, 0);
  player.drain(10);
  player.drain(40, kFrame, 3);  // the handler returned before the rest had left
  player.drain(50, kFrame);
  const Slices shown = player.finish(100)["drain"];
  ASSERT_EQ(shown.size(), 3 + 18 + 3 + 18U);
  EXPECT_EQ(shown[0], std::tuple("frame at 0x80100100", 10U, 28U));
  EXPECT_EQ(shown[1], std::tuple("ra", 10U, 11U));
  EXPECT_EQ(shown[18], std::tuple("mcause", 27U, 28U));
  EXPECT_EQ(shown[19], std::tuple("frame at 0x80100100", 40U, 43U));
  EXPECT_EQ(shown[23], std::tuple("frame at 0x80100100", 50U, 68U));
}

TEST(Tracks, LoadsAheadFollowTheirHint) {
  Player player;
  player.banks(0, 0, 0);
  player.write_csr(10, 0x7c1, kFrame);
  player.load_frame(11);
  player.emret(40);
  player.load_frame(50);
  auto shown = player.finish(100);
  ASSERT_EQ(shown["mframe loads"].size(), 19U);
  EXPECT_EQ(shown["mframe loads"][0], std::tuple("frame at 0x80100100", 11U, 29U));
  ASSERT_EQ(shown["emret loads"].size(), 19U);
  EXPECT_EQ(shown["emret loads"][0], std::tuple("frame at 0x80100100", 50U, 68U));
  EXPECT_EQ(shown["emret loads"][1], std::tuple("mcause", 50U, 51U));
}

TEST(Tracks, LoadsThatNoHintAskedForAreThoseOfEmret) {
  // The load ahead ends early: words of another frame had still to be stored; a store came; an interrupt came.
  Player drained;
  drained.banks(0, 0, 0);
  drained.write_csr(10, 0x7c1, kFrame);
  drained.drain(10, 0x80100000, 2);
  drained.load_frame(20);
  EXPECT_EQ(drained.finish(90).count("mframe loads"), 0U);

  Player stored;
  stored.banks(0, 0, 0);
  stored.write_csr(10, 0x7c1, kFrame);
  stored.load_frame(11, kFrame, 5);
  stored.load_frame(30);
  auto shown = stored.finish(90);
  EXPECT_EQ(shown["mframe loads"].size(), 6U);
  EXPECT_EQ(shown["emret loads"].size(), 19U);

  Player interrupted;
  interrupted.banks(0, 0, 0);
  interrupted.write_csr(10, 0x7c1, kFrame);
  interrupted.load_frame(11, kFrame, 5);
  interrupted.claim(16, 17);
  interrupted.load_frame(40);
  shown = interrupted.finish(90);
  EXPECT_EQ(shown["mframe loads"].size(), 6U);
  EXPECT_EQ(shown["emret loads"].size(), 19U);
}

TEST(Tracks, WithoutBanksWordsComeInAnyOrder) {
  Player player;
  std::uint64_t cycle = 10;
  for (const std::uint32_t word : {0U, 12U, 4U, 5U}) player.activity(TZ_ACTIVITY_STORE, cycle++, kFrame + 4 * word);
  player.write_csr(25, 0x7c1, kFrame);  // has no effect
  player.activity(TZ_ACTIVITY_LOAD, 30, kFrame);
  player.activity(TZ_ACTIVITY_LOAD, 31, kFrame + 4 * 5);
  player.emret(33);
  player.load_frame(40, kFrame + 80);
  player.emret(60);
  player.drain(70, kFrame);
  auto shown = player.finish(100);
  const Slices drain = {
      {"frame at 0x80100100", 10, 14}, {"ra", 10, 11}, {"t3", 11, 12}, {"a0", 12, 13}, {"a1", 13, 14}};
  EXPECT_EQ(Slices(shown["drain"].begin(), shown["drain"].begin() + 5), drain);
  EXPECT_EQ(shown["drain"].size(), 5 + 19U);
  EXPECT_EQ(shown["drain"][5], std::tuple("frame at 0x80100100", 70U, 88U));
  EXPECT_EQ(shown.count("mframe loads"), 0U);
  const Slices loads = {{"frame at 0x80100100", 30, 32}, {"ra", 30, 31}, {"a1", 31, 32}};
  EXPECT_EQ(Slices(shown["emret loads"].begin(), shown["emret loads"].begin() + 3), loads);
  EXPECT_EQ(shown["emret loads"][3], std::tuple("frame at 0x80100150", 40U, 58U));
}

TEST(Tracks, TableEntriesAreNamed) {
  Player player;
  player.write_csr(5, 0x307, 0x80000200);
  player.activity(TZ_ACTIVITY_LOAD, 10, 0x80000200 + 4 * 19);
  player.activity(TZ_ACTIVITY_LOAD, 12, 0x80000200 + 4 * 32);
  auto shown = player.finish(90);
  const Slices expected = {{"entry of line 3", 10, 11}};
  EXPECT_EQ(shown["table entries"], expected);
  EXPECT_EQ(shown["emret loads"].size(), 2U);
}

}  // namespace
}  // namespace trapeze
