// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/plan.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "kernel/engine.h"
#include "kernel/field.h"
#include "model/platform/timing_reader.h"

namespace trapeze::model {
namespace {

constexpr char kSchema[] = "trapeze.platform/1";

HartPlan hart_of(const Field& field) {
  HartPlan hart;
  hart.isa = field["isa"].as<std::string>();
  hart.interrupts = field["interrupts"].as<std::string>();
  hart.reset_vector = field["reset_vector"].as<std::uint64_t>();
  hart.hart_id = field["hart_id"].as<std::uint64_t>();
  hart.lines = field["lines"].as<unsigned>();
  hart.line_id_base = field["line_id_base"].as<unsigned>();
  hart.line_delay = field["line_delay"].as<unsigned>();
  hart.sources = field["sources"].as<unsigned>();
  hart.ctl_bits = field["ctl_bits"].as<unsigned>();
  hart.staged = field["staged"].as<bool>();
  const Field pmp = field["pmp"];
  const bool clic = hart.interrupts != TZ_IRQ_CLINT;
  const bool fast = hart.interrupts == TZ_IRQ_FASTIRQ;
  if (clic && !fast && hart.interrupts != TZ_IRQ_CLIC) field["interrupts"].fail("the model has no such controller");
  hart.params = parse_params(hart.isa)
                    .with_clic(clic)
                    .with_fast(fast)
                    .with_user_interrupts(field["user"].as<bool>())
                    .with_uintr(field["uintr"].as<bool>())
                    .with_pmp(pmp["rows"].as<unsigned>(), pmp["grain"].as<unsigned>(), pmp["smepmp"].as<bool>())
                    .with_triggers(field.as_or<unsigned>("triggers", 0), field.as_or<bool>("debug", false));
  if (const auto timing = field.find("timing")) hart.timing = timing_of(*timing);
  if (!hart.params.valid) field["isa"].fail("the model does not implement '" + hart.isa + "'");
  return hart;
}

unsigned hart_number(const Field& field, std::size_t harts) {
  const auto number = field.as<unsigned>();
  if (number >= harts) field.fail("there is no hart " + std::to_string(number));
  return number;
}

RegionPlan region_of(const Field& field, std::size_t harts) {
  RegionPlan region;
  region.name = field["name"].as<std::string>();
  if (field["kind"].as<std::string>() != "memory") region.block = field["block"].as<std::string>();
  region.base = field["base"].as<std::uint64_t>();
  region.size = field["size"].as<std::uint64_t>();
  field["harts"].each([&](const Field& one) { region.harts.push_back(hart_number(one, harts)); });
  region.own = field["own"].as<bool>();
  if (const auto console = field.find("console")) region.console = hart_number(*console, harts);
  region.coherent = field.as_or<bool>("coherent", false);
  region.peer = field.as_or<std::string>("peer", "");
  return region;
}

WirePlan wire_of(const Field& field, const std::vector<HartPlan>& harts) {
  WirePlan wire{field["from"].as<std::string>(), field.as_or<unsigned>("output", 0), PlicSource{}};
  const Field to = field["to"];
  if (const auto source = to.find("plic")) {
    wire.to = PlicSource{source->as<unsigned>()};
    return wire;
  }
  const unsigned hart = hart_number(to["hart"], harts.size());
  if (const auto line = to.find("line")) {
    if (line->as<unsigned>() >= harts[hart].lines) line->fail("the hart has no such line");
    wire.to = HartLine{hart, line->as<unsigned>()};
  } else {
    if (to["interrupt"].as<unsigned>() >= 16) to["interrupt"].fail("is no standard interrupt");
    wire.to = HartInterrupt{hart, to["interrupt"].as<unsigned>()};
  }
  return wire;
}

SharedMemoryPlan shared_memory_of(const Field& field) {
  const SharedMemoryPlan plan{field["beats"].as<unsigned>(), field["turn"].as<unsigned>()};
  if (plan.beats == 0) field["beats"].fail("is not positive");
  return plan;
}

}  // namespace

PlatformPlan read_platform(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("platform '" + path + "': cannot be read: " + std::strerror(errno));
  const nlohmann::json whole = nlohmann::json::parse(file, nullptr, false);
  const Field top(whole, "platform '" + path + "'");
  if (whole.is_discarded()) top.fail("is no JSON");
  if (top["schema"].as<std::string>() != kSchema) top["schema"].fail(std::string("is not ") + kSchema);
  PlatformPlan plan;
  plan.name = top["name"].as<std::string>();
  top["harts"].each([&](const Field& one) { plan.harts.push_back(hart_of(one)); });
  if (plan.harts.empty()) top["harts"].fail("is empty");
  top["regions"].each([&](const Field& one) { plan.regions.push_back(region_of(one, plan.harts.size())); });
  top["wires"].each([&](const Field& one) { plan.wires.push_back(wire_of(one, plan.harts)); });
  if (const auto shared = top.find("shared_memory")) plan.shared_memory = shared_memory_of(*shared);
  return plan;
}

}  // namespace trapeze::model
