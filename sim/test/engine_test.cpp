// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Requirements on the RTL engine of every configuration, tested with programs of a few instructions. All harts run the
// same program in step, because it shares only the UART and the host port.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "elf_builder.h"
#include "kernel/dynamic_engine.h"
#include "kernel/error.h"
#include "kernel/fst_file.h"
#include "kernel/session.h"
#include "process.h"
#include "program.h"

namespace trapeze::test {
namespace {

/** Prints "ok\n", counts down from `count`, exits with 0 through the host port. */
std::vector<std::uint32_t> program(int count) {
  std::vector<std::uint32_t> words = {lui(5, TEST_UART_BASE)};
  for (const char c : {'o', 'k', '\n'}) {
    words.push_back(addi(6, 0, c));
    words.push_back(store(0, 6, 5));
  }
  words.push_back(addi(7, 0, count));
  words.push_back(marker(2));
  words.push_back(addi(7, 7, -1));
  words.push_back(branch_nonzero(7, -8));
  words.push_back(lui(6, 0x5000));
  words.push_back(addi(6, 6, 0x555));
  words.push_back(lui(5, TEST_HOST_BASE));
  words.push_back(store(2, 6, 5));
  words.push_back(jump(0));
  return words;
}

constexpr std::uint32_t kEcall = 0x00000073;

/** A program that raises an exception twice; its handler is in words 16 to 19. */
std::vector<std::uint32_t> traps() {
  std::vector<std::uint32_t> words = {0x00000297, addi(5, 5, 64), 0x30529073,  // auipc t0, 0; csrw mtvec, t0
                                      kEcall,     marker(2),      addi(0, 0, 0), kEcall, addi(0, 0, 0), jump(0)};
  words.resize(16);
  words.insert(words.end(), {0x34102373, addi(6, 6, 4), 0x34131073, kMret});  // csrr t1, mepc; csrw mepc, t1
  return words;
}

ElfFile elf(Engine& engine, int count = 100) {
  return file_of(engine, program(count));
}

/** All output of a run. */
struct Watcher final : Observer {
  void on_retire(const tz_retire& record) override {
    records.append(reinterpret_cast<const char*>(&record.order), sizeof record.order);
    for (const std::uint64_t value :
         {record.cycle_fetch, record.cycle_ex, record.cycle_retire, record.pc, record.pc_next, record.rd_value,
          record.mem_addr, record.mem_wdata, std::uint64_t{record.insn}}) {
      records.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    orders.resize(std::max(orders.size(), std::size_t{record.hart} + 1));
    orders[record.hart].push_back(record.order);
    last = record;
  }
  void on_claim(const tz_claim&) override {}
  void on_line(std::uint64_t, unsigned, unsigned, bool) override {}

  std::string records;
  std::vector<std::vector<std::uint64_t>> orders;  ///< by hart: orders of its records
  tz_retire last{};
};

TEST(RtlEngine, DescribesItself) {
  const Engine engine(TEST_ENGINE);
  EXPECT_STREQ(engine.info().config, TEST_CONFIG);
  EXPECT_STREQ(engine.info().engine, "rtl");
  EXPECT_TRUE(engine.can(TZ_CAP_CYCLES));
  EXPECT_TRUE(engine.can(TZ_CAP_SNAPSHOT));
  EXPECT_TRUE(engine.can(TZ_CAP_WAIT));
  EXPECT_FALSE(engine.can(TZ_CAP_WAVE));
  EXPECT_TRUE(Engine(TEST_WAVE_ENGINE).can(TZ_CAP_WAVE));
}

TEST(RtlEngine, MemoryIsWhereTheMapSays) {
  Engine engine(TEST_ENGINE);
  for (std::uint32_t i = 0; i < engine.hart(0).num_regions; ++i) {
    const tz_region& region = engine.hart(0).regions[i];
    std::uint32_t value = 0;
    engine.read_memory(0, region.base + region.size - 4, &value, 4);
    EXPECT_EQ(value, 0U) << region.name;
    const std::uint8_t bytes[3] = {1, 2, 3};
    engine.write_memory(0, region.base + 5, bytes, 3);
    engine.read_memory(0, region.base + 4, &value, 4);
    EXPECT_EQ(value, 0x03020100U) << region.name;
    EXPECT_THROW(engine.read_memory(0, region.base + region.size - 2, &value, 4), Error);
  }
  EXPECT_THROW(engine.write_memory(0, 0, "x", 1), Error);
  EXPECT_THROW(engine.write_memory(engine.harts(), engine.hart(0).regions[0].base, "x", 1), Error);
}

TEST(RtlEngine, RunsAndExits) {
  Engine engine(TEST_ENGINE);
  Session session(engine);
  session.load(elf(engine));
  std::string console;
  session.set_console([&console](std::string_view bytes) { console += bytes; });
  RunState state;
  session.advance(state, 100000);
  EXPECT_TRUE(state.exited);
  EXPECT_EQ(state.exit_code, 0U);
  EXPECT_EQ(console, "ok\n");
  EXPECT_EQ(state.stamps.marker_count(), 100U * engine.harts());
  EXPECT_LT(state.cycle, 100000U);
}

TEST(RtlEngine, RecordsAreInOrderAndOnTime) {
  Engine engine(TEST_ENGINE);
  Session session(engine);
  session.load(elf(engine));
  Watcher watcher;
  session.set_observer(&watcher);
  RunState state;
  session.advance(state, 100000);
  ASSERT_EQ(watcher.orders.size(), engine.harts());
  std::size_t retired = 0;
  for (const std::vector<std::uint64_t>& orders : watcher.orders) {
    for (std::size_t i = 0; i < orders.size(); ++i) ASSERT_EQ(orders[i], i);
    retired += orders.size();
  }
  EXPECT_EQ(retired, state.retired);
  EXPECT_LT(watcher.last.cycle_fetch, watcher.last.cycle_ex);
  EXPECT_LE(watcher.last.cycle_ex, watcher.last.cycle_retire);
  EXPECT_LT(watcher.last.cycle_retire, state.cycle);
  EXPECT_GE(watcher.last.cycle_retire + 8, state.cycle);
}

TEST(RtlEngine, StopsAfterInstructions) {
  Engine engine(TEST_ENGINE);
  Session session(engine);
  session.load(elf(engine));
  std::vector<tz_retire> records(engine.harts());
  std::uint64_t retired = 0;
  for (std::uint64_t i = 0; i < 50; ++i) {
    tz_run_args args{};
    args.until_cycle = 1000;
    args.max_retired = 1;
    args.select = TZ_SELECT_ALL;
    args.records = records.data();
    args.records_capacity = records.size();
    const tz_run_result result = engine.run(args);
    // Harts that retire in the same cycle stop together.
    ASSERT_GE(result.num_records, 1U);
    ASSERT_EQ(result.retired, retired + result.num_records);
    retired = result.retired;
    for (std::size_t k = 0; k < result.num_records; ++k) ASSERT_EQ(records[k].cycle_retire + 1, result.cycle);
    if (engine.harts() == 1) {
      ASSERT_EQ(records[0].order, i);
    }
  }
}

/** Compares the hits of a watch with the accesses that the records of the run show. */
std::vector<tz_hit> expected_hits(const std::vector<tz_retire>& records, const tz_watch& watch, std::uint32_t index) {
  std::vector<tz_hit> hits;
  for (const tz_retire& r : records) {
    if (r.hart != watch.hart || (r.flags & TZ_RETIRE_TRAP) != 0) continue;
    if (watch.kind == TZ_WATCH_EXECUTE) {
      if (r.pc == watch.address) hits.push_back({r.cycle_ex, r.cycle_retire, r.pc, 0, index, 0});
      continue;
    }
    const bool store = watch.kind == TZ_WATCH_STORE;
    const unsigned mask = store ? r.mem_wmask : r.mem_rmask;
    for (std::uint32_t size = 0, byte = 0; byte < 4; ++byte) {
      if ((mask >> byte & 1U) == 0 || r.mem_addr + byte < watch.address) continue;
      if (r.mem_addr + byte >= watch.address + watch.size) continue;
      while ((mask >> size & 1U) != 0) ++size;
      const bool second = (r.mem_addr + byte) / 4 != r.mem_addr / 4;
      hits.push_back({second ? r.cycle_mem2 : r.cycle_mem, r.cycle_retire, r.mem_addr,
                      store ? r.mem_wdata : r.mem_rdata, index, size});
      break;
    }
  }
  return hits;
}

TEST(RtlEngine, SaysWhatWatchesMeet) {
  Engine engine(TEST_ENGINE);
  Session session(engine);
  const tz_hart_info& hart = engine.hart(0);
  std::uint64_t data = 0;
  for (std::uint32_t i = 0; i < hart.num_regions; ++i) {
    if (std::string(hart.regions[i].name) == "dmem") data = hart.regions[i].base;
  }
  // A loop with stores and loads of all sizes, aligned and across words.
  const std::uint64_t base = hart.reset_vector;
  session.load(
      file_of(engine, {test::lui(5, static_cast<std::uint32_t>(data)), test::addi(6, 0, 0x123), test::store(2, 6, 5),
                       test::store(1, 6, 5), test::load(0, 7, 5, 1), test::load(2, 7, 5, 2), test::addi(5, 5, 2),
                       test::store(2, 6, 5), test::addi(5, 5, -2), test::jump(-28)}));
  engine.set_wait_states(40, 90, 7);
  const auto last = static_cast<std::uint16_t>(engine.harts() - 1);
  const std::vector<tz_watch> watches = {
      {data, 4, TZ_WATCH_STORE, 0},       {data + 4, 4, TZ_WATCH_STORE, last},   {data + 1, 1, TZ_WATCH_LOAD, 0},
      {data + 5, 1, TZ_WATCH_LOAD, last}, {base + 8, 1, TZ_WATCH_EXECUTE, last}, {data + 3, 2, TZ_WATCH_STORE, 0},
  };
  std::vector<tz_retire> records;
  std::vector<tz_hit> hits;
  std::vector<tz_retire> buffer(100);
  std::vector<tz_hit> few(engine.harts() * watches.size());
  for (tz_run_result result{}; result.cycle < 2000;) {
    tz_run_args args{};
    args.until_cycle = 2000;
    args.select = TZ_SELECT_ALL;
    args.records = buffer.data();
    args.records_capacity = buffer.size();
    args.watches = watches.data();
    args.num_watches = watches.size();
    args.hits = few.data();
    args.hits_capacity = few.size();
    result = engine.run(args);
    records.insert(records.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(result.num_records));
    hits.insert(hits.end(), few.begin(), few.begin() + static_cast<std::ptrdiff_t>(result.num_hits));
  }
  for (std::uint32_t i = 0; i < watches.size(); ++i) {
    const std::vector<tz_hit> wanted = expected_hits(records, watches[i], i);
    std::vector<tz_hit> found;
    for (const tz_hit& hit : hits) {
      if (hit.watch == i) found.push_back(hit);
    }
    ASSERT_EQ(found.size(), wanted.size()) << i;
    EXPECT_GT(found.size(), 10U) << i;
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_EQ(found[k].cycle, wanted[k].cycle) << i;
      EXPECT_EQ(found[k].retired, wanted[k].retired) << i;
      EXPECT_EQ(found[k].address, wanted[k].address) << i;
      EXPECT_EQ(found[k].value, wanted[k].value) << i;
      EXPECT_EQ(found[k].size, wanted[k].size) << i;
    }
  }
}

/** Orders of the records that a run of traps() gives for the last hart. */
std::vector<std::uint64_t> selected(std::uint32_t select, bool again = false) {
  Engine engine(TEST_ENGINE);
  Session session(engine);
  session.load(file_of(engine, traps()));
  std::vector<tz_retire> records(1000);
  std::vector<std::uint64_t> orders;
  std::optional<Engine::Snapshot> snapshot;
  for (std::uint64_t until = again ? 1 : 200; until <= 200; ++until) {
    tz_run_args args{};
    args.until_cycle = until;
    args.select = select;
    args.records = records.data();
    args.records_capacity = records.size();
    if (snapshot) engine.restore(*snapshot);
    const tz_run_result result = engine.run(args);
    for (std::size_t i = 0; i < result.num_records; ++i) {
      if (records[i].hart == engine.harts() - 1) orders.push_back(records[i].order);
    }
    // The engine continues from a snapshot, after another run in between.
    if (again) {
      snapshot.emplace(engine.save());
      args.until_cycle = until + 30;
      engine.run(args);
    }
  }
  return orders;
}

TEST(RtlEngine, SelectsWhatChangesHandlers) {
  const std::vector<std::uint64_t> all = selected(TZ_SELECT_ALL);
  ASSERT_GT(all.size(), 16U);
  EXPECT_EQ(all.at(15), 15U);
  // 0 to 2: mtvec. 3: ecall, 4 to 7: handler, 8: marker, 10: ecall, 11 to 14: handler, 15: the one behind.
  EXPECT_EQ(selected(TZ_SELECT_TRAPS), (std::vector<std::uint64_t>{3, 7, 8, 10, 14, 15}));
  EXPECT_EQ(selected(TZ_SELECT_TRAPS, true), selected(TZ_SELECT_TRAPS)) << "a snapshot knows of the return before it";
  EXPECT_EQ(selected(TZ_SELECT_HANDLERS), (std::vector<std::uint64_t>{4, 11}));
  EXPECT_EQ(selected(TZ_SELECT_MARKERS), (std::vector<std::uint64_t>{8}));
  EXPECT_EQ(selected(TZ_SELECT_TRAPS | TZ_SELECT_HANDLERS | TZ_SELECT_MARKERS),
            (std::vector<std::uint64_t>{3, 4, 7, 8, 10, 11, 14, 15}));
}

TEST(RtlEngine, SnapshotsBringEverythingBack) {
  for (const unsigned wait : {0U, 80U}) {
    Engine engine(TEST_ENGINE);
    Session session(engine);
    session.load(elf(engine));
    engine.set_wait_states(wait, wait, 7);
    for (const std::uint64_t cycle : {0U, 1U, 7U, 60U}) {
      RunState state;
      engine.reset();
      session.load(elf(engine));
      session.set_observer(nullptr);
      session.advance(state, cycle);
      const Engine::Snapshot snapshot = engine.save();
      Watcher first;
      Watcher second;
      RunState a = state;
      session.set_observer(&first);
      session.advance(a, 100000);
      engine.restore(snapshot);
      RunState b = state;
      session.set_observer(&second);
      session.advance(b, 100000);
      EXPECT_FALSE(first.records.empty());
      EXPECT_EQ(first.records, second.records);
      EXPECT_EQ(a.cycle, b.cycle);
      EXPECT_EQ(a.console_crc, b.console_crc);
      EXPECT_TRUE(b.exited);
    }
  }
}

TEST(RtlEngine, TwoInstancesDoNotDisturbEachOther) {
  Engine one(TEST_ENGINE);
  Engine two(TEST_ENGINE);
  Session first(one);
  Session second(two);
  first.load(elf(one, 100));
  second.load(elf(two, 50));
  RunState a;
  RunState b;
  for (std::uint64_t cycle = 10; cycle < 2000; cycle += 10) {
    first.advance(a, cycle);
    second.advance(b, cycle);
  }
  EXPECT_TRUE(a.exited && b.exited);
  EXPECT_EQ(a.stamps.marker_count(), 100U * one.harts());
  EXPECT_EQ(b.stamps.marker_count(), 50U * two.harts());
}

TEST(RtlEngine, ResetStartsAgain) {
  Engine engine(TEST_ENGINE);
  Session session(engine);
  session.load(elf(engine));
  RunState first;
  session.advance(first, 100000);
  engine.reset();
  RunState second;
  session.advance(second, 100000);
  EXPECT_EQ(first.cycle, second.cycle);
  EXPECT_EQ(first.console_crc, second.console_crc);
}

TEST(RtlEngine, WavesChangeNothingAndAreWhole) {
  const TempDir dir;
  std::vector<std::string> records;
  for (const std::string name : {"a.fst", "b.fst"}) {
    Engine engine(TEST_WAVE_ENGINE);
    Session session(engine);
    session.load(elf(engine));
    Watcher watcher;
    session.set_observer(&watcher);
    engine.wave_open(dir / name);
    RunState state;
    session.advance(state, 100000);
    engine.wave_close();
    EXPECT_TRUE(state.exited);
    EXPECT_TRUE(fst_is_whole(dir / name));
    EXPECT_TRUE(fst_clear_date(dir / name));
    records.push_back(watcher.records);
  }
  EXPECT_EQ(read_text(dir / "a.fst"), read_text(dir / "b.fst"));
  Engine engine(TEST_ENGINE);
  Session session(engine);
  session.load(elf(engine));
  Watcher watcher;
  session.set_observer(&watcher);
  RunState state;
  session.advance(state, 100000);
  EXPECT_EQ(watcher.records, records[0]);
  EXPECT_EQ(watcher.records, records[1]);
  EXPECT_THROW(engine.wave_open(dir / "c.fst"), Error);
}

TEST(RtlEngine, FullDiskWhileWritingWaves) {
  const TempDir dir;
  Engine engine(TEST_ENGINE);
  ElfBuilder builder;
  if (std::string(engine.hart(0).isa).compare(0, 5, "rv32e") == 0) builder.flags = 8;
  builder.segments = {{0x80000000, program(2000), 0}};
  write_bytes(dir / "p.elf", builder.build());
  const ProcessResult result = simulate({{"programs", {dir / "p.elf"}},
                                         {"engine", TEST_WAVE_ENGINE},
                                         {"config", TEST_CONFIG},
                                         {"trace", trace(dir / "t.fst")}},
                                        {}, 16384);
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("t.fst"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("free space"), std::string::npos) << result.err;
  EXPECT_EQ(dir.list(), std::vector<std::string>{"p.elf"});
}

TEST(RtlEngine, LinesExistOrNot) {
  Engine engine(TEST_ENGINE);
  EXPECT_NO_THROW(engine.set_line(0, engine.hart(0).num_lines - 1, true));
  EXPECT_THROW(engine.set_line(0, engine.hart(0).num_lines, true), Error);
  EXPECT_THROW(engine.set_line(engine.harts(), 0, true), Error);
}

}  // namespace
}  // namespace trapeze::test
