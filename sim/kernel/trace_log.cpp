// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "kernel/disasm.h"
#include "kernel/error.h"
#include "kernel/isa.h"
#include "kernel/trace.h"

namespace trapeze {
namespace {

/** Bytes of an access by its mask. */
unsigned mask_bytes(unsigned mask) {
  unsigned bytes = 0;
  for (; mask != 0; mask >>= 1) bytes += mask & 1U;
  return bytes;
}

/** Value of an access: as many digits as it has bytes. */
std::string sized_hex(std::uint64_t value, unsigned bytes) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*llx", static_cast<int>(2 * bytes), static_cast<unsigned long long>(value));
  return text;
}

char mode_letter(unsigned mode) {
  return "US?M"[mode & 3U];
}

}  // namespace

std::string interrupt_name(unsigned id, std::uint32_t line_id_base, std::uint32_t num_lines) {
  if (id >= line_id_base && id - line_id_base < num_lines) return "line " + std::to_string(id - line_id_base);
  switch (id) {
    case 3:
      return "software";
    case 7:
      return "timer";
    case 11:
      return "external";
    default:
      return "id " + std::to_string(id);
  }
}

std::string exception_name(std::uint64_t cause) {
  static constexpr std::array<const char*, 16> kNames = {"instruction address misaligned",
                                                         "instruction access fault",
                                                         "illegal instruction",
                                                         "breakpoint",
                                                         "load address misaligned",
                                                         "load access fault",
                                                         "store address misaligned",
                                                         "store access fault",
                                                         "environment call from U-mode",
                                                         "environment call from S-mode",
                                                         "",
                                                         "environment call from M-mode",
                                                         "instruction page fault",
                                                         "load page fault",
                                                         "",
                                                         "store page fault"};
  if (cause == 24) return "frame store fault";
  if (cause == 25) return "frame load fault";
  if (cause < kNames.size() && kNames[cause][0] != '\0') return kNames[cause];
  return "cause " + std::to_string(cause);
}

LogTrace::LogTrace(const std::string& path, const ElfFile& elf, const tz_engine_info& info, std::uint64_t from)
    : file_(path, "trace"),
      symbols_(elf.symbols),
      num_lines_(info.harts[0].num_lines),
      line_id_base_(info.harts[0].line_id_base),
      has_c_(parse_isa(info.harts[0].isa).has("c")),
      from_(from) {
  file_.write("# cycle of retirement, privilege, address, instruction, assembly ; effects\n");
}

void LogTrace::event(std::uint64_t cycle, const std::string& text) {
  if (cycle < from_) return;
  char head[32];
  std::snprintf(head, sizeof head, "%10llu >>> ", static_cast<unsigned long long>(cycle));
  file_.write(head + text + "\n");
}

void LogTrace::on_retire(const tz_retire& r) {
  if (r.cycle_retire < from_) return;
  const ElfSymbol* function = symbols_.find(r.pc);
  if (function != nullptr && (function != function_ || r.pc == function->address)) {
    char head[16];
    std::snprintf(head, sizeof head, "%08llx <", static_cast<unsigned long long>(r.pc));
    file_.write("\n" + (head + symbols_.describe(r.pc)) + ">:\n");
  }
  function_ = function;

  char head[64];
  const bool compressed = instruction_size(r.insn, has_c_) == 2;
  std::snprintf(head, sizeof head,
                compressed ? "%10llu %c %08llx:\t%04x                \t" : "%10llu %c %08llx:\t%08x            \t",
                static_cast<unsigned long long>(r.cycle_retire), mode_letter(r.mode),
                static_cast<unsigned long long>(r.pc), r.insn);
  std::string text = head;
  text += disassemble(
      r.insn, static_cast<std::uint32_t>(r.pc), [this](std::uint64_t address) { return symbols_.describe(address); },
      has_c_);
  std::string effects;
  const auto add = [&effects](const std::string& effect) { effects += (effects.empty() ? "" : ", ") + effect; };
  if (r.rd != 0) add(std::string(register_name(r.rd)) + "=" + hex(r.rd_value));
  if ((r.flags & TZ_RETIRE_CSR_WE) != 0) add(csr_name(r.csr_addr) + "<-" + hex(r.csr_value));
  if (r.mem_rmask != 0) add("[" + hex(r.mem_addr) + "]->" + sized_hex(r.mem_rdata, mask_bytes(r.mem_rmask)));
  if (r.mem_wmask != 0) add("[" + hex(r.mem_addr) + "]<-" + sized_hex(r.mem_wdata, mask_bytes(r.mem_wmask)));
  if ((r.flags & (TZ_RETIRE_INTR | TZ_RETIRE_IRQ)) == TZ_RETIRE_IRQ) {
    add("goes on to " + interrupt_name(r.irq_id, line_id_base_, num_lines_));
  }
  if (!effects.empty()) text += "\t; " + effects;
  text += '\n';
  file_.write(text);
  if ((r.flags & TZ_RETIRE_TRAP) != 0) {
    event(r.cycle_retire, "exception: " + exception_name(r.cause) + " (mcause " + std::to_string(r.cause) +
                              "), handler at " + hex(r.pc_next));
  }
}

void LogTrace::on_claim(const tz_claim& claim) {
  event(claim.cycle, "interrupt: " + interrupt_name(claim.id, line_id_base_, num_lines_) + " (id " +
                         std::to_string(claim.id) + ", level " + std::to_string(claim.level) + ") taken, mepc " +
                         hex(claim.epc));
}

void LogTrace::on_line(std::uint64_t cycle, unsigned line, bool level) {
  event(cycle, "line " + std::to_string(line) + (level ? " rises" : " falls"));
}

void LogTrace::finish(const RunState& state) {
  event(state.cycle, state.exited        ? "exit " + std::to_string(state.exit_code)
                     : state.over_budget ? "stopped by --budget"
                     : state.asleep      ? "stopped: nothing ends this sleep"
                     : state.stopped     ? "stopped by a signal"
                                         : "stopped by --max-cycles");
  file_.commit();
}

}  // namespace trapeze
