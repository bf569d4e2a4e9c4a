// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A platform whose harts are alike.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_MACHINE_H
#define TRAPEZE_SIM_MODEL_PLATFORM_MACHINE_H

#include <trapeze/map.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "model/platform/hart_core.h"
#include "model/platform/system.h"

namespace trapeze::model {

/** Parameters of a platform. */
struct Platform {
  std::span<const tz_region>
      memories;  ///< memories as each hart sees them; each hart has its own of those that are not shared
  std::uint64_t reset_vector = 0;
  std::uint64_t hart_id = 0;  ///< mhartid of hart 0; the others follow
  unsigned harts = 1;
  unsigned lines = 0;
  unsigned line_id_base = 16;
  unsigned sources = 0;   ///< number of sources of the CLIC, if the hart has one
  unsigned ctl_bits = 8;  ///< implemented bits of its ctl registers
  LatencyParameters latency = {};
};

/** Devices of `mcu` that every platform has, with their wires: all harts see them. */
inline void add_devices(PlatformPlan& plan) {
  std::vector<unsigned> all(plan.harts.size());
  std::iota(all.begin(), all.end(), 0U);
  const auto add = [&](const char* block, std::uint64_t base, std::uint64_t size, bool own = false) {
    plan.regions.push_back({.name = block, .block = block, .base = base, .size = size, .harts = all, .own = own});
  };
  add(kHostBlock, TRAPEZE_HOST_BASE, TRAPEZE_HOST_SIZE);
  add(kClintBlock, TRAPEZE_CLINT_BASE, TRAPEZE_CLINT_SIZE);
  add(kClicBlock, TRAPEZE_CLIC_BASE, TRAPEZE_CLIC_SIZE, true);
  add(kClicUserBlock, TRAPEZE_CLIC_USER_BASE, TRAPEZE_CLIC_USER_SIZE, true);
  add(kUartBlock, TRAPEZE_UART_BASE, TRAPEZE_UART_SIZE);
  add(kProbeBlock, TRAPEZE_PROBE_BASE, TRAPEZE_PROBE_SIZE);
  for (const unsigned hart : all) {
    plan.wires.push_back({kClintBlock, 2 * hart, HartInterrupt{hart, kSoftwareInterrupt}});
    plan.wires.push_back({kClintBlock, 2 * hart + 1, HartInterrupt{hart, kTimerInterrupt}});
    plan.wires.push_back({kUartBlock, 0, HartInterrupt{hart, kExternalInterrupt}});
    if (plan.harts[hart].lines == 0) continue;
    plan.wires.push_back({kProbeBlock, 0, HartLine{hart, std::min(15U, plan.harts[hart].lines - 1)}});
  }
}

/** Memories as tz_region has them, which all harts see. */
inline void add_memories(PlatformPlan& plan, std::span<const tz_region> memories) {
  std::vector<unsigned> all(plan.harts.size());
  std::iota(all.begin(), all.end(), 0U);
  for (const tz_region& one : memories) {
    plan.regions.push_back(
        {.name = one.name, .base = one.base, .size = one.size, .harts = all, .own = one.shared == 0});
  }
}

template <Params P, class Time = InstructionCount>
class Machine : public System {
 public:
  explicit Machine(const Platform& platform) : System(plan(platform), &make, platform.latency) {}

  Hart<kind_of(P), Time>& hart(unsigned n) { return static_cast<HartCore<kind_of(P), Time>&>(core(n)).hart; }

  static std::unique_ptr<HartPort> make(unsigned number, const HartPlan& hart, Bus& bus) {
    return std::make_unique<HartCore<kind_of(P), Time>>(number, hart, bus);
  }

 private:
  static PlatformPlan plan(const Platform& platform) {
    PlatformPlan plan;
    for (unsigned n = 0; n < platform.harts; ++n) {
      HartPlan& hart = plan.harts.emplace_back();
      hart.params = P;
      hart.reset_vector = platform.reset_vector;
      hart.hart_id = platform.hart_id + n;
      hart.lines = platform.lines;
      hart.line_id_base = platform.line_id_base;
      hart.sources = platform.sources;
      hart.ctl_bits = platform.ctl_bits;
    }
    add_devices(plan);
    add_memories(plan, platform.memories);
    return plan;
  }
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_MACHINE_H
