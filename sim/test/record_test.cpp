// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/record.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace trapeze {
namespace {

using Json = nlohmann::json;

RunRecord sample() {
  RunRecord record;
  record.config = "mcu";
  record.engine = "rtl";
  record.elf = "a \"b\".elf";
  record.state.cycle = 1000;
  record.state.retired = 900;
  record.state.exited = true;
  record.state.exit_code = 7;
  record.state.console_crc = 0xcbf43926;
  record.state.stamps.on_injection(0, {3, 100, 0});
  return record;
}

TEST(Record, HasTheSchemasFields) {
  const Json json = Json::parse(to_json(sample()));
  EXPECT_EQ(json.at("schema"), "trapeze.run/1");
  EXPECT_EQ(json.at("elf"), "a \"b\".elf");
  EXPECT_EQ(json.at("exit"), (Json{{"reason", "exit"}, {"code", 7}}));
  EXPECT_EQ(json.at("cycles"), 1000);
  EXPECT_EQ(json.at("instructions"), 900);
  EXPECT_TRUE(json.at("sweep").is_null());
  const Json& interrupt = json.at("interrupts").at(0);
  EXPECT_EQ(interrupt.at("line"), 3);
  EXPECT_EQ(interrupt.at("t0"), 100);
  for (const char* key : {"taken", "id", "level", "epc", "tf", "tx", "tr"}) EXPECT_TRUE(interrupt.at(key).is_null());
}

TEST(Record, MaxCyclesHasNoCode) {
  RunRecord record = sample();
  record.state.exited = false;
  const Json json = Json::parse(to_json(record));
  EXPECT_EQ(json.at("exit").at("reason"), "max-cycles");
  EXPECT_TRUE(json.at("exit").at("code").is_null());
}

TEST(Record, SweepRows) {
  RunRecord record = sample();
  SweepRun run;
  run.stamp.t0 = 5;
  run.stamp.taken = 7;
  run.stamp.tx = 30;
  run.stamp.taken_count = 1;
  run.exited = true;
  run.cycles = 99;
  record.sweep = SweepRecord{{2, 5, 5, 0, 0, "2@5..5"}, {run}};
  const Json json = Json::parse(to_json(record));
  EXPECT_EQ(json.at("sweep").at("line"), 2);
  const Json& row = json.at("sweep").at("runs").at(0);
  EXPECT_EQ(row.at("t0"), 5);
  EXPECT_EQ(row.at("taken"), 7);
  EXPECT_EQ(row.at("tx"), 30);
  EXPECT_TRUE(row.at("tf").is_null());
  EXPECT_EQ(row.at("exit"), 0);
  EXPECT_EQ(row.at("reason"), "exit");
  EXPECT_EQ(row.at("cycles"), 99);
  EXPECT_EQ(row.at("console_crc"), 0);
}

TEST(Record, SignalsAreThereOrNull) {
  RunRecord record = sample();
  EXPECT_TRUE(Json::parse(to_json(record)).at("signals").is_null()) << "an engine without signals";
  EXPECT_TRUE(Json::parse(to_json(record)).at("signal_counts").is_null());
  record.signals = {"a", "b", "c"};
  record.state.stamps.on_rise({7, 1});
  record.state.stamps.on_rise({9, 1});
  const Json json = Json::parse(to_json(record));
  EXPECT_EQ(json.at("signals"), (Json{{"a", Json::array()}, {"b", {7, 9}}, {"c", Json::array()}}));
  EXPECT_EQ(json.at("signal_counts"), (Json{{"a", 0}, {"b", 2}, {"c", 0}}));
}

TEST(Record, ALimitOfRises) {
  RunRecord record = sample();
  record.signals = {"a"};
  for (std::uint64_t i = 0; i <= StampTracker::kMaxRises; ++i) record.state.stamps.on_rise({i, 0});
  const Json json = Json::parse(to_json(record));
  EXPECT_EQ(json.at("signals").at("a").size(), StampTracker::kMaxRises);
  EXPECT_EQ(json.at("signal_counts").at("a"), StampTracker::kMaxRises + 1);
}

TEST(Record, BadUtf8IsStillJson) {
  RunRecord record = sample();
  record.elf = "\xff\xfe.elf";
  EXPECT_TRUE(Json::accept(to_json(record)));
}

TEST(Record, Crc32) {
  EXPECT_EQ(crc32(0, "123456789"), 0xcbf43926U);
  EXPECT_EQ(crc32(crc32(0, "1234"), "56789"), 0xcbf43926U);
  EXPECT_EQ(crc32(0, ""), 0U);
}

}  // namespace
}  // namespace trapeze
