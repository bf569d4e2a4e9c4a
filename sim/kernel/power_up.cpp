// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/power_up.h"

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

namespace trapeze {

void fill_memories(Engine& engine, std::uint32_t seed) {
  if (seed == 0) return;
  std::mt19937_64 source(seed);
  for (unsigned hart = 0; hart < engine.harts(); ++hart) {
    const tz_hart_info& info = engine.hart(hart);
    for (unsigned i = 0; i < info.num_regions; ++i) {
      const tz_region& region = info.regions[i];
      if (region.shared != 0 && hart != 0) continue;  // shared memory: it was filled for hart 0
      std::vector<std::uint64_t> words((region.size + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
      std::generate(words.begin(), words.end(), std::ref(source));
      engine.write_memory(hart, region.base, words.data(), region.size);
    }
  }
}

}  // namespace trapeze
