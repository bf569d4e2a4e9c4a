// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/coherence.h"

#include <cstdio>

#include "kernel/error.h"

namespace trapeze {

std::string CoherenceReports::place(unsigned hart, std::uint64_t pc) const {
  for (const SymbolTable& table : symbols_[hart]) {
    // The last symbol of a table holds all that is behind it.
    const ElfSymbol* const symbol = table.find(pc);
    if (symbol != nullptr && pc - symbol->address < kLongest) return table.describe(pc);
  }
  return hex(pc);
}

std::string CoherenceReports::sentence(const tz_incoherence& one) const {
  const auto hart = [](unsigned number) { return "hart " + std::to_string(number); };
  const std::string here = hart(one.hart);
  const std::string there = hart(one.other_hart);
  const std::string wrote = there + " wrote it at " + place(one.other_hart, one.other_pc);
  const std::string address = hex(one.address);
  const std::string at = " (" + place(one.hart, one.pc) + ")";
  switch (one.kind) {
    case TZ_READS_UNWRITTEN:
      return here + " reads " + address + at + ": " + wrote +
             " and has not written the line back since (cbo.clean or cbo.flush of " + there + ")";
    case TZ_READS_OLD_COPY:
      return here + " reads " + address + at + ": its cache may hold the line as it was before " + wrote +
             " (cbo.inval or cbo.flush of " + here + " before the read)";
    case TZ_READS_DISCARDED:
      return here + " reads " + address + at + ": " + wrote + ", and the cbo.inval of " + hart(one.third_hart) +
             " at " + place(one.third_hart, one.third_pc) + " may have discarded that (cbo.flush in its place)";
    case TZ_FETCHES_UNWRITTEN:
      return here + " fetches from " + address + at + ": " + wrote +
             " and has not written the line back since (cbo.clean or cbo.flush of " + there + ")";
    case TZ_FETCHES_OLD_COPY:
      return here + " fetches from " + address + at + ": its cache may hold the code as it was before " + wrote +
             " (fence.i of " + here + ")";
    case TZ_WRITES_BESIDE:
      return here + " writes " + address + at + ": the cache of " + there + " may hold the line dirty, which " + there +
             " wrote at " + place(one.other_hart, one.other_pc) +
             ", and may write it back over this (cbo.flush or cbo.inval of " + there + " before)";
    default:
      return here + " reads " + address + at + ": " + wrote + ", and the cache of " + hart(one.third_hart) +
             " may have written back over that a copy from before, to which " + hart(one.third_hart) + " wrote at " +
             place(one.third_hart, one.third_pc) + " (cbo.inval or cbo.flush of " + hart(one.third_hart) +
             " before that)";
  }
}

void CoherenceReports::show(Engine& engine) {
  for (const tz_incoherence& one : engine.take_incoherences()) {
    if (count_++ < kMost) std::fprintf(stderr, "trapeze-sim: incoherent: %s\n", sentence(one).c_str());
  }
}

void CoherenceReports::finish() const {
  if (count_ > kMost) std::fprintf(stderr, "trapeze-sim: incoherent: %zu more are not shown\n", count_ - kMost);
}

}  // namespace trapeze
