// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/protection.h"

#include <algorithm>
#include <array>
#include <trapeze/isa.hpp>

#include "gdb/text.h"
#include "kernel/debug.h"
#include "kernel/error.h"

namespace trapeze::gdb {
namespace {

using namespace isa::pmpcfg;

constexpr unsigned kAll = kR | kW | kX;
constexpr std::array<const char*, 4> kModes = {"OFF", "TOR", "NA4", "NAPOT"};  ///< by field A

constexpr unsigned kMostRows = 64;
constexpr unsigned kMml = 1U << isa::mseccfg::kMml;
constexpr unsigned kMmwp = 1U << isa::mseccfg::kMmwp;

std::string letters(unsigned rights) {
  std::string text = "---";
  if ((rights & kR) != 0) text[0] = 'R';
  if ((rights & kW) != 0) text[1] = 'W';
  if ((rights & kX) != 0) text[2] = 'X';
  return text;
}

/** A row that both modes share under MML: W without R, or all four bits (Smepmp, the table in section 2.1). */
Permissions shared(unsigned config) {
  const bool locked = (config & kL) != 0;
  const bool more = (config & kX) != 0;
  if (locked && (config & kAll) == kAll) return {letters(kR), letters(kR)};
  if (locked) return {letters(more ? kR | kX : kX), letters(kX)};
  return {letters(kR | kW), letters(more ? kR | kW : kR)};
}

}  // namespace

Permissions permissions(unsigned config, bool lockdown) {
  const unsigned rights = config & kAll;
  const bool locked = (config & kL) != 0;
  if (!lockdown) return {letters(locked ? rights : kAll), letters(rights)};
  if ((rights & (kR | kW)) == kW || (locked && rights == kAll)) return shared(config);
  return {letters(locked ? rights : 0), letters(locked ? 0 : rights)};
}

RowRange row_range(unsigned config, std::uint64_t address, std::uint64_t before) {
  switch (config & kA) {
    case kATor:
      if (before >= address) return {};
      return {before << 2, (address << 2) - 1, false};
    case kANa4:
      return {address << 2, (address << 2) + 3, false};
    case kANapot: {
      const std::uint64_t ones = address ^ (address + 1);  // a zero and the ones below it
      return {(address & ~ones) << 2, ((address | ones) << 2) + 3, false};
    }
    default:
      return {};
  }
}

std::string protection(Target& target, unsigned hart) {
  const auto csr = [](unsigned number) { return static_cast<unsigned>(TZ_DEBUG_CSR) + number; };
  unsigned rows = 0;
  while (rows < kMostRows && target.has(hart, csr(isa::csr::kPmpaddr0 + rows))) ++rows;
  if (rows == 0) return "hart " + std::to_string(hart) + " has no memory protection\n";

  const unsigned seccfg = csr(isa::csr::kMseccfg);
  const std::uint64_t policy = target.has(hart, seccfg) ? target.read(hart, seccfg) : 0;
  const bool lockdown = (policy & kMml) != 0;
  const unsigned bytes = target.info().harts[hart].xlen / 8;  // of a pmpcfg; RV64 has those of even numbers
  std::string text;
  std::uint64_t before = 0;
  for (unsigned row = 0; row < rows; ++row) {
    const unsigned holder = row / bytes * (bytes / 4);
    const auto config =
        static_cast<unsigned>(target.read(hart, csr(isa::csr::kPmpcfg0 + holder)) >> (row % bytes * 8) & 0xff);
    const std::uint64_t address = target.read(hart, csr(isa::csr::kPmpaddr0 + row));
    const RowRange range = row_range(config, address, before);
    before = address;
    if ((config & kA) == kAOff && (config & kL) == 0) continue;
    const Permissions may = permissions(config, lockdown);
    text += padded("row " + std::to_string(row), 8);
    text += padded(range.empty ? "nothing" : hex(range.first) + " to " + hex(range.last), 26);
    text += padded(kModes[(config & kA) >> kAShift], 7) + "user " + may.user + "  machine " + may.machine;
    text += (config & kL) != 0 ? "  locked\n" : "\n";
  }
  if (text.empty()) text = "no row is on\n";
  const unsigned rest = (policy & kMmwp) != 0 ? 0 : lockdown ? kR | kW : kAll;
  return text + padded("elsewhere", 41) + "user ---  machine " + letters(rest) + "\n";
}

}  // namespace trapeze::gdb
