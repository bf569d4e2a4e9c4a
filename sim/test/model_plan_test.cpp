// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The file of a platform: what is read, and what is refused, with the place in the file.
#include <gtest/gtest.h>
#include <trapeze/map.h>
#include <trapeze/random.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "elf_builder.h"
#include "model/platform/kinds.h"
#include "model/platform/plan.h"
#include "model/platform/system.h"

namespace trapeze::model {
namespace {

using Json = nlohmann::json;

/** Two harts, an RV64 one with the PLIC and an RV32 one with fastirq, with a memory each, UARTs and a mailbox. */
Json whole() {
  return Json::parse(R"({
    "schema": "trapeze.platform/1", "name": "mine", "map": "amp",
    "harts": [
      {"isa": "rv64imac_sv39", "interrupts": "clint", "hart_id": 0, "reset_vector": 4096, "lines": 16, "line_id_base": 16,
       "line_delay": 0, "sources": 0, "ctl_bits": 8, "staged": false, "user": false, "uintr": false,
       "pmp": {"rows": 16, "grain": 0, "smepmp": false}},
      {"isa": "rv32imac", "interrupts": "fastirq", "hart_id": 5, "reset_vector": 4096, "lines": 20, "line_id_base": 12,
       "line_delay": 2, "sources": 40, "ctl_bits": 3, "staged": true, "user": true, "uintr": true, "triggers": 3, "debug": true,
       "pmp": {"rows": 0, "grain": 0, "smepmp": false}}],
    "regions": [
      {"name": "imem", "kind": "memory", "base": 4096, "size": 4096, "harts": [0, 1], "own": true},
      {"name": "uart", "kind": "device", "block": "uart", "base": 65536, "size": 256, "harts": [0, 1], "own": false},
      {"name": "uart1", "kind": "device", "block": "uart", "base": 65792, "size": 256, "harts": [1], "own": false,
       "console": 1},
      {"name": "a", "kind": "device", "block": "mailbox_side", "base": 69632, "size": 4096, "harts": [0, 1],
       "own": false, "peer": "b"},
      {"name": "b", "kind": "device", "block": "mailbox_side", "base": 73728, "size": 4096, "harts": [0, 1],
       "own": false, "peer": "a"}],
    "wires": [{"from": "uart", "to": {"plic": 3}}, {"from": "b", "to": {"hart": 1, "line": 19}},
              {"from": "uart1", "to": {"hart": 1, "interrupt": 11}}],
    "clocks": {"timebase": 1, "serial": 1}})");
}

/** Why a platform is refused, by its file or when it is built; empty: it is not. */
std::string refusal(const Json& platform) {
  const test::TempDir folder;
  const std::string path = folder / "p.json";
  std::ofstream(path) << (platform.is_string() ? platform.get<std::string>() : platform.dump());
  try {
    System system(read_platform(path), &make_hart);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

TEST(ModelPlan, IsReadFieldByField) {
  const test::TempDir folder;
  std::ofstream(folder / "p.json") << whole().dump();
  const PlatformPlan plan = read_platform(folder / "p.json");
  ASSERT_EQ(plan.harts.size(), 2U);
  const HartPlan& hart = plan.harts[1];
  EXPECT_EQ(hart.hart_id, 5U);
  EXPECT_EQ(hart.params.triggers, 3U);
  EXPECT_TRUE(hart.params.debug);
  EXPECT_EQ(plan.harts[0].params.triggers, 0U);
  EXPECT_EQ(hart.lines, 20U);
  EXPECT_EQ(hart.line_id_base, 12U);
  EXPECT_EQ(hart.line_delay, 2U);
  EXPECT_EQ(hart.sources, 40U);
  EXPECT_EQ(hart.ctl_bits, 3U);
  EXPECT_TRUE(hart.staged && hart.params.fast && hart.params.user_interrupts && hart.params.uintr);
  EXPECT_TRUE(plan.harts[0].params.supervisor);
  EXPECT_EQ(plan.harts[0].params.pmp, 16U);
  EXPECT_TRUE(plan.regions[0].is_memory() && plan.regions[0].own);
  EXPECT_EQ(plan.regions[2].console, 1U);
  EXPECT_EQ(plan.regions[3].peer, "b");
  EXPECT_EQ(std::get<PlicSource>(plan.wires[0].to).source, 3U);
  EXPECT_EQ(std::get<HartLine>(plan.wires[1].to).line, 19U);
  EXPECT_EQ(std::get<HartInterrupt>(plan.wires[2].to).interrupt, 11U);
  EXPECT_EQ(refusal(whole()), "");
}

TEST(ModelPlan, WhatIsWrongIsRefusedWithItsPlace) {
  const auto expect = [](const char* place, const Json& value, const char* reason) {
    Json platform = whole();
    platform[Json::json_pointer(place)] = value;
    EXPECT_NE(refusal(platform).find(reason), std::string::npos) << place << ": " << refusal(platform);
  };
  EXPECT_NE(refusal("{").find("p.json': is no JSON"), std::string::npos);
  EXPECT_NE(refusal(Json::object()).find("lacks 'schema'"), std::string::npos);
  expect("/schema", "trapeze.platform/2", "p.json'.schema: is not trapeze.platform/1");
  expect("/harts", Json::array(), ".harts: is empty");
  expect("/harts", 1, ".harts: is no list");
  expect("/harts/0/lines", -1, ".harts.0.lines: is no number");
  expect("/harts/0/pmp/smepmp", 1, ".harts.0.pmp.smepmp: has another type");
  expect("/harts/1/isa", "rv32q", ".harts.1.isa: the model does not implement 'rv32q'");
  expect("/harts/1/interrupts", "nvic", ".harts.1.interrupts: the model has no such controller");
  expect("/harts/1/uintr", Json(), ".harts.1.uintr: has another type");
  expect("/regions/0/harts/1", 2, ".regions.0.harts.1: there is no hart 2");
  expect("/regions/2/console", 7, ".regions.2.console: there is no hart 7");
  expect("/wires/1/to/line", 20, ".wires.1.to.line: the hart has no such line");
  expect("/wires/2/to/interrupt", 16, ".wires.2.to.interrupt: is no standard interrupt");
  expect("/wires/0/to/plic", 0, "wire 'uart': the PLIC has no such source");
  expect("/wires/0/from", "imem", "wire 'imem': no such interrupt");
  expect("/regions/1/block", "i2c", "region 'uart': the model has no device 'i2c'");
  expect("/regions/3/peer", "uart", "region 'a': its peer 'uart' is no other side of it");
  expect("/harts/0/interrupts", "clic", "hart 0: the model has no such hart: a CLIC is of RV32 alone");
}

TEST(ModelPlan, LatencyMeasurementsOfLinesAndOfThePlicAreTwo) {
  constexpr unsigned kWord = 0xf;
  constexpr std::uint64_t kLines = 0x40000, kBehindPlic = 0x48000, kPlic = 0x400'0000;
  constexpr std::uint64_t kRandom = TRAPEZE_PROBE_RANDOM_BASE - TRAPEZE_PROBE_BASE;
  Json platform = whole();
  const auto add = [&](const char* name, const char* block, std::uint64_t base, std::uint64_t size, const Json& harts) {
    platform["regions"].push_back({{"name", name},
                                   {"kind", "device"},
                                   {"block", block},
                                   {"base", base},
                                   {"size", size},
                                   {"harts", harts},
                                   {"own", false}});
  };
  add("probe", kProbeBlock, kLines, TRAPEZE_PROBE_SIZE, {0, 1});
  add("app_probe", kProbeBlock, kBehindPlic, TRAPEZE_PROBE_SIZE, {0});
  add("plic", kPlicBlock, kPlic, 0x400'0000, {0});
  platform["wires"].push_back({{"from", "probe"}, {"to", {{"hart", 1}, {"line", 15}}}});
  platform["wires"].push_back({{"from", "app_probe"}, {"to", {{"plic", 13}}}});
  const test::TempDir folder;
  std::ofstream(folder / "p.json") << platform.dump();
  System system(read_platform(folder / "p.json"), &make_hart);
  Bus& bus = system.bus(0);
  const auto status = [&](std::uint64_t block, std::uint64_t now) {
    return bus.read(block + kRandom + TRAPEZE_RANDOM_STATUS_OFFSET, kWord, now).value;
  };
  const auto before = system.save();
  bus.write(kBehindPlic + kRandom + TRAPEZE_RANDOM_CONTROL_OFFSET, kWord, TRAPEZE_RANDOM_CONTROL_START_MASK, 10);
  EXPECT_EQ(status(kBehindPlic, 100) & TRAPEZE_RANDOM_STATUS_READY_MASK, 1U);
  EXPECT_EQ(status(kLines, 100), 0U);
  EXPECT_FALSE(system.latency().interrupt(100)) << "that of the platform line";
  system.restore(*before);
  EXPECT_EQ(status(kBehindPlic, 200), 0U);
  bus.write(kBehindPlic + kRandom + TRAPEZE_RANDOM_CONTROL_OFFSET, kWord, TRAPEZE_RANDOM_CONTROL_START_MASK, 210);
  system.reset();
  EXPECT_EQ(status(kBehindPlic, 300), 0U);
  EXPECT_TRUE(bus.read(kBehindPlic + TRAPEZE_PROBE_SIZE, kWord, 0).error);
  EXPECT_TRUE(system.bus(1).read(kBehindPlic, kWord, 0).error) << "hart 1 does not see it";
}

}  // namespace
}  // namespace trapeze::model
