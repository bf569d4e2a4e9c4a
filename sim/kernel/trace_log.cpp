// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <utility>

#include "kernel/disasm.h"
#include "kernel/error.h"
#include "kernel/names.h"
#include "kernel/trace.h"

namespace trapeze {
namespace {

/** Number of bytes of an access, from its mask. */
unsigned mask_bytes(unsigned mask) {
  unsigned bytes = 0;
  for (; mask != 0; mask >>= 1) bytes += mask & 1U;
  return bytes;
}

/** Value of an access in hexadecimal, with as many digits as its bytes need. */
std::string sized_hex(std::uint64_t value, unsigned bytes) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*llx", static_cast<int>(2 * bytes), static_cast<unsigned long long>(value));
  return text;
}

char mode_letter(unsigned mode) {
  return "USDM"[mode & 3U];
}

}  // namespace

LogTrace::LogTrace(const std::string& path, std::vector<SymbolTable> symbols, const tz_engine_info& info,
                   std::uint64_t from)
    : file_(path, "trace"), from_(from) {
  for (std::uint32_t i = 0; i < info.num_harts; ++i) {
    const tz_hart_info& hart = info.harts[i];
    harts_.push_back({std::move(symbols[i]), hart.num_lines, hart.line_id_base, instruction_set(hart)});
  }
  file_.write(std::string("# cycle of retirement, ") + (harts_.size() > 1 ? "hart:privilege" : "privilege") +
              ", address, instruction, assembly ; effects\n");
}

/** Prefix of a line that belongs to a hart; empty if there is only one hart. */
std::string LogTrace::prefix(unsigned hart) const {
  return harts_.size() > 1 ? std::to_string(hart) + ":" : "";
}

void LogTrace::event(std::uint64_t cycle, unsigned hart, const std::string& text) {
  if (cycle < from_) return;
  char head[32];
  std::snprintf(head, sizeof head, "%10llu >>> ", static_cast<unsigned long long>(cycle));
  file_.write(head + (harts_.size() > 1 ? "hart " + prefix(hart) + " " : "") + text + "\n");
}

void LogTrace::on_retire(const tz_retire& r) {
  if (r.cycle_retire < from_) return;
  Hart& hart = harts_[r.hart];
  const SymbolTable& symbols = hart.symbols;
  const ElfSymbol* function = symbols.find(r.pc);
  if (function != nullptr && (function != hart.function || r.pc == function->address)) {
    char head[24];
    std::snprintf(head, sizeof head, "%08llx <", static_cast<unsigned long long>(r.pc));
    file_.write("\n" + (head + symbols.describe(r.pc)) + ">:\n");
  }
  hart.function = function;

  char head[80];
  const bool compressed = instruction_size(r.insn, hart.set.has_c) == 2;
  std::snprintf(head, sizeof head,
                compressed ? "%10llu %s%c %08llx:\t%04x                \t" : "%10llu %s%c %08llx:\t%08x            \t",
                static_cast<unsigned long long>(r.cycle_retire), prefix(r.hart).c_str(), mode_letter(r.mode),
                static_cast<unsigned long long>(r.pc), r.insn);
  std::string text = head;
  text += disassemble(r.insn, r.pc, hart.set, [&symbols](std::uint64_t address) { return symbols.describe(address); });
  std::string effects;
  const auto add = [&effects](const std::string& effect) { effects += (effects.empty() ? "" : ", ") + effect; };
  if (r.rd != 0) add(std::string(register_name(r.rd)) + "=" + hex(r.rd_value));
  if ((r.flags & TZ_RETIRE_CSR_WE) != 0) add(csr_name(r.csr_addr) + "<-" + hex(r.csr_value));
  if (r.mem_rmask != 0) add("[" + hex(r.mem_addr) + "]->" + sized_hex(r.mem_rdata, mask_bytes(r.mem_rmask)));
  if (r.mem_wmask != 0) add("[" + hex(r.mem_addr) + "]<-" + sized_hex(r.mem_wdata, mask_bytes(r.mem_wmask)));
  if ((r.flags & (TZ_RETIRE_INTR | TZ_RETIRE_IRQ)) == TZ_RETIRE_IRQ) {
    add("goes on to " + interrupt_name(r.irq_id, hart.line_id_base, hart.num_lines));
  }
  if (!effects.empty()) text += "\t; " + effects;
  text += '\n';
  file_.write(text);
  if ((r.flags & TZ_RETIRE_TRAP) != 0) {
    event(r.cycle_retire, r.hart,
          "exception: " + exception_name(r.cause) + " (mcause " + std::to_string(r.cause) + "), handler at " +
              hex(r.pc_next));
  }
}

void LogTrace::on_claim(const tz_claim& claim) {
  const Hart& hart = harts_[claim.hart];
  event(claim.cycle, claim.hart,
        "interrupt: " + interrupt_name(claim.id, hart.line_id_base, hart.num_lines) + " (id " +
            std::to_string(claim.id) + ", level " + std::to_string(claim.level) + ") taken, mepc " + hex(claim.epc));
}

void LogTrace::on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) {
  event(cycle, hart, "line " + std::to_string(line) + (level ? " rises" : " falls"));
}

void LogTrace::finish(const RunState& state) {
  event(state.cycle, state.exit_hart,
        state.exited        ? "exit " + std::to_string(state.exit_code)
        : state.over_budget ? "stopped by --budget"
        : state.asleep      ? "stopped: nothing ends this sleep"
        : state.stopped     ? "stopped by a signal"
        : state.reached     ? "stopped by --until"
                            : "stopped by --max-cycles");
  file_.commit();
}

}  // namespace trapeze
