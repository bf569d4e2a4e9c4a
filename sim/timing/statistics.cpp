// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "timing/statistics.h"

#include <algorithm>

namespace trapeze::timing {

const char* Statistics::name(Cause cause) {
  switch (cause) {
    case Cause::kCodeMiss:
      return "instruction cache misses";
    case Cause::kCodeWalk:
      return "page walks for code";
    case Cause::kLoadMiss:
      return "data cache misses, loads";
    case Cause::kStoreMiss:
      return "data cache misses, stores";
    case Cause::kDirtyVictim:
      return "dirty victims of those";
    case Cause::kSecondMiss:
      return "second level misses";
    case Cause::kDataWalk:
      return "page walks for data";
    case Cause::kBehindStore:
      return "loads behind a store";
    case Cause::kBranch:
      return "mispredicted branches";
    case Cause::kJump:
      return "mispredicted jumps";
    case Cause::kDeviceLoad:
      return "loads from devices";
    case Cause::kDeviceStore:
      return "stores to devices";
    case Cause::kManaged:
      return "cache management";
    case Cause::kWrittenBack:
      return "write-backs by that";
    case Cause::kException:
      return "exceptions";
    case Cause::kInterrupt:
      return "interrupts";
    case Cause::kAsleep:
      return "asleep in wfi";
    case Cause::kCount:
      break;
  }
  return "";
}

std::vector<tz_cause> Statistics::causes() const {
  constexpr auto kCauses = static_cast<std::size_t>(Cause::kCount);
  std::vector<tz_cause> rows(kCauses + 2, tz_cause{});
  tz_cause& instructions = rows.front();
  tz_cause& rest = rows.back();
  instructions.name = "instructions";
  rest.name = "operands, units, fetch";
  for (std::size_t n = 0; n < kCauses; ++n) rows[n + 1].name = name(static_cast<Cause>(n));
  for (std::size_t mode = 0; mode < TZ_MODES; ++mode) {
    const Mode& of = modes_[mode];
    // An instruction that raises an exception does not retire: its cycle is the exception's.
    const std::uint64_t trapped = of.causes[static_cast<std::size_t>(Cause::kException)].times;
    instructions.times[mode] = instructions.cycles[mode] = of.instructions - trapped;
    std::uint64_t sum = of.instructions;
    for (std::size_t n = 0; n < kCauses; ++n) {
      const Tally& tally = of.causes[n];
      rows[n + 1].times[mode] = tally.times;
      rows[n + 1].cycles[mode] = tally.cycles + (static_cast<Cause>(n) == Cause::kException ? trapped : 0);
      sum += tally.cycles;
    }
    // Instructions that share a cycle with another one take less than a cycle each.
    if (sum > of.cycles) instructions.cycles[mode] -= std::min(sum - of.cycles, instructions.cycles[mode]);
    rest.cycles[mode] = of.cycles - std::min(sum, of.cycles);
  }
  return rows;
}

}  // namespace trapeze::timing
