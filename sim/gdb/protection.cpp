// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/protection.h"

#include <array>
#include <cstdint>
#include <trapeze/isa.hpp>

#include "gdb/text.h"
#include "kernel/debug.h"
#include "kernel/pmp.h"

namespace trapeze::gdb {
namespace {

using namespace isa::pmpcfg;

constexpr std::array<const char*, 4> kModes = {"OFF", "TOR", "NA4", "NAPOT"};  ///< by field A

constexpr unsigned kMostRows = 64;

std::string text_of(const pmp::Rights& rights) {
  return {rights.read ? 'R' : '-', rights.write ? 'W' : '-', rights.execute ? 'X' : '-'};
}

std::string text_of(const pmp::Given& given) {
  return "user " + text_of(given.user) + "  machine " + text_of(given.machine);
}

}  // namespace

std::string protection(Target& target, unsigned hart) {
  const auto csr = [](unsigned number) { return static_cast<unsigned>(TZ_DEBUG_CSR) + number; };
  unsigned rows = 0;
  while (rows < kMostRows && target.has(hart, csr(isa::csr::kPmpaddr0 + rows))) ++rows;
  if (rows == 0) return "hart " + std::to_string(hart) + " has no memory protection\n";

  const unsigned seccfg = csr(isa::csr::kMseccfg);
  const auto security = target.has(hart, seccfg) ? static_cast<std::uint32_t>(target.read(hart, seccfg)) : 0;
  const unsigned bytes = target.info().harts[hart].xlen / 8;  // of a pmpcfg; RV64 has those of even numbers
  std::string text;
  std::uint64_t before = 0;
  for (unsigned row = 0; row < rows; ++row) {
    const unsigned holder = row / bytes * (bytes / 4);
    const auto config =
        static_cast<unsigned>(target.read(hart, csr(isa::csr::kPmpcfg0 + holder)) >> (row % bytes * 8) & 0xff);
    const std::uint64_t address = target.read(hart, csr(isa::csr::kPmpaddr0 + row));
    const pmp::Region region = pmp::region(config, address, before);
    before = address;
    if ((config & kA) == kAOff && (config & kL) == 0) continue;
    text += padded("row " + std::to_string(row), 8);
    text += padded(region.empty() ? "nothing" : hex(region.begin) + " to " + hex(region.end - 1), 26);
    text += padded(kModes[(config & kA) >> kAShift], 7) + text_of(pmp::given(config, security));
    text += (config & kL) != 0 ? "  locked\n" : "\n";
  }
  if (text.empty()) text = "no row is on\n";
  return text + padded("elsewhere", 41) + text_of(pmp::elsewhere(security)) + "\n";
}

}  // namespace trapeze::gdb
