// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/held_lines.h"

#include <algorithm>
#include <trapeze/isa.hpp>

#include "kernel/debug.h"
#include "kernel/handlers.h"

namespace trapeze::gdb {
namespace {

constexpr std::uint64_t kUserMode = 0;         ///< as TZ_DEBUG_MODE has it
constexpr std::uint64_t kClicMode = 3;         ///< mtvec.mode
constexpr std::uint64_t kEntryAlignment = 64;  ///< alignment of the shared entry
constexpr std::uint64_t kIdMask = 0xfff;       ///< mcause.exccode

std::uint64_t csr(Engine& engine, unsigned hart, unsigned number) {
  return engine.read_register(hart, static_cast<unsigned>(TZ_DEBUG_CSR) + number);
}

/** Whether xnxti or jalxnxti has handed out an interrupt. Of a result that was thrown away nobody knows. */
bool hands_out(const tz_retire& record) {
  return accessed_csr(record.insn) == isa::csr::kJalmnxti ? record.pc_next != record.pc + 4
                                                          : record.rd_value != 0 || record.rd == 0;
}

}  // namespace

bool HeldLines::hold(unsigned hart, unsigned line) {
  const auto same = [&](const Line& one) { return one.hart == hart && one.line == line; };
  if (std::any_of(lines_.begin(), lines_.end(), same)) return false;
  lines_.push_back({hart, line, engine_.hart(hart).line_id_base + line});
  return true;
}

void HeldLines::forget(unsigned hart, unsigned line) {
  std::erase_if(lines_, [&](const Line& one) { return one.hart == hart && one.line == line; });
}

/** Lowers the lines of a hart that have been served. */
void HeldLines::serve(unsigned hart, const std::function<bool(Line&)>& served) {
  std::vector<unsigned> low;
  for (Line& line : lines_) {
    if (line.hart == hart && served(line)) low.push_back(line.line);
  }
  for (const unsigned line : low) {
    forget(hart, line);
    lower_(hart, line);
  }
}

void HeldLines::on_claim(const tz_claim& claim) {
  for (Line& line : lines_) line.claimed = line.claimed || (line.hart == claim.hart && line.id == claim.id);
}

/** Whether the handler at whose first instruction the hart is has an entry that interrupts of its CLIC share. */
bool HeldLines::enters_shared(unsigned hart) const {
  const bool user = engine_.read_register(hart, TZ_DEBUG_MODE) == kUserMode;
  const std::uint64_t vector = csr(engine_, hart, user ? isa::csr::kUtvec : isa::csr::kMtvec);
  const bool clic = (vector & kClicMode) == kClicMode;
  return clic && engine_.read_register(hart, TZ_DEBUG_PC) == (vector & ~(kEntryAlignment - 1));
}

void HeldLines::on_entry(unsigned hart) {
  serve(hart, [&](Line& line) {
    if (line.shared) ++line.depth;
    if (!line.claimed || line.shared) return false;
    line.shared = enters_shared(hart);
    return !line.shared;
  });
}

/** Whether an instruction of the handler ends what the line was raised for. */
bool HeldLines::served_by(Line& line, const tz_retire& record) const {
  if ((record.flags & TZ_RETIRE_TRAP) != 0) {
    ++line.depth;
    return false;
  }
  if (is_trap_return(record.insn)) return line.depth == 0 || line.depth-- == 0;
  if (!is_next_interrupt(record.insn) || !hands_out(record)) return false;
  const bool user = accessed_csr(record.insn) == isa::csr::kUnxti;
  return (csr(engine_, line.hart, user ? isa::csr::kUcause : isa::csr::kMcause) & kIdMask) == line.id;
}

void HeldLines::on_retire(const tz_retire& record) {
  if (lines_.empty()) return;
  serve(record.hart, [&](Line& line) { return line.shared && served_by(line, record); });
}

}  // namespace trapeze::gdb
