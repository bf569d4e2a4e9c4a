// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A platform whose harts are alike.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_MACHINE_H
#define TRAPEZE_SIM_MODEL_PLATFORM_MACHINE_H

#include <trapeze/map.h>

#include <cstring>
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

template <Params P, class Time = InstructionCount>
class Machine : public System {
 public:
  explicit Machine(const Platform& platform) : System(plans(platform), platform.latency) {}

  Hart<kind_of(P), Time>& hart(unsigned n) { return static_cast<HartCore<kind_of(P), Time>&>(core(n)).hart; }

 private:
  static std::vector<CorePlan> plans(const Platform& platform) {
    std::vector<CorePlan> all;
    for (unsigned n = 0; n < platform.harts; ++n) {
      all.push_back({&make_core<P, Time>, platform.memories, platform.reset_vector, platform.hart_id + n,
                     platform.lines, platform.line_id_base, platform.sources, platform.ctl_bits});
    }
    return all;
  }
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_MACHINE_H
