// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The report of a difference: what differs, the state of both, and the leader's last instructions.
#include <trapeze/isa.hpp>

#include <cstdio>

#include "kernel/disasm.h"
#include "kernel/error.h"
#include "lockstep/lockstep.h"

namespace trapeze {
namespace {

/** CSRs shown in a report. */
constexpr unsigned kShownCsrs[] = {
    isa::csr::kMstatus,    isa::csr::kMie,           isa::csr::kMip,        isa::csr::kMtvec,
    isa::csr::kMepc,       isa::csr::kMcause,        isa::csr::kMtval,      isa::csr::kMscratch,
    isa::csr::kMcounteren, isa::csr::kMcountinhibit, isa::csr::kMcycle,     isa::csr::kMinstret,
    isa::csr::kMtvt,       isa::csr::kMintthresh,    isa::csr::kMintstatus, isa::csr::kMfastirq};

}  // namespace

/** One instruction in objdump's shape, with its effects. */
std::string Lockstep::line_of(const tz_retire& r) const {
  const SymbolTable& symbols = symbols_[r.hart < symbols_.size() ? r.hart : 0];
  const InstructionSet set = instruction_set(leader_.harts[r.hart < leader_.num_harts ? r.hart : 0]);
  char head[64];
  std::snprintf(head, sizeof head,
                instruction_size(r.insn, set.has_c) == 2 ? "%10llu %c %8llx:\t%04x    \t" : "%10llu %c %8llx:\t%08x\t",
                static_cast<unsigned long long>(r.cycle_retire), "US?M"[r.mode & 3U],
                static_cast<unsigned long long>(r.pc), r.insn);
  std::string text =
      head + disassemble(r.insn, r.pc, set, [&symbols](std::uint64_t address) { return symbols.describe(address); });
  std::string effects;
  const auto add = [&effects](const std::string& effect) { effects += (effects.empty() ? "\t; " : ", ") + effect; };
  if ((r.flags & (TZ_RETIRE_INTR | TZ_RETIRE_IRQ)) == TZ_RETIRE_IRQ) add("goes on");
  if ((r.flags & TZ_RETIRE_IRQ) != 0) add("interrupt " + std::to_string(r.irq_id));
  if (r.rd != 0) add(std::string(register_name(r.rd)) + "=" + hex(r.rd_value));
  if ((r.flags & TZ_RETIRE_CSR_WE) != 0) add(csr_name(r.csr_addr) + "<-" + hex(r.csr_value));
  if (r.mem_rmask != 0) add("[" + hex(r.mem_addr) + "]->" + hex(r.mem_rdata));
  if (r.mem_wmask != 0) add("[" + hex(r.mem_addr) + "]<-" + hex(r.mem_wdata));
  if ((r.flags & TZ_RETIRE_TRAP) != 0) add("exception " + std::to_string(r.cause));
  return (lanes_.size() > 1 ? std::to_string(r.hart) + " " : "") + text + effects;
}

std::string Lockstep::state(unsigned hart) const {
  std::string text = "registers (leader as recorded, follower; * differ):\n";
  char line[96];
  for (unsigned n = 1; n < lanes_[hart].shadow.size(); ++n) {
    std::uint64_t own = 0;
    if (api_.read_register(follower_.handle(), hart, n, &own) != TZ_OK) break;
    std::snprintf(line, sizeof line, "  %-4s %08llx %08llx%s", register_name(n),
                  static_cast<unsigned long long>(lanes_[hart].shadow[n]), static_cast<unsigned long long>(own),
                  own != lanes_[hart].shadow[n] ? "*" : " ");
    text += line;
    if (n % 4 == 0) text += '\n';
  }
  std::snprintf(line, sizeof line, "\nfollower: next pc %08llx, mode %llu\n",
                static_cast<unsigned long long>(value_of(hart, TZ_REGISTER_PC)),
                static_cast<unsigned long long>(value_of(hart, TZ_REGISTER_MODE)));
  text += line;
  unsigned shown = 0;
  for (const unsigned number : kShownCsrs) {
    std::uint64_t value = 0;
    if (api_.read_csr(follower_.handle(), hart, number, &value) != TZ_OK) continue;
    std::snprintf(line, sizeof line, "  %-13s %08llx%s", csr_name(number).c_str(),
                  static_cast<unsigned long long>(value), ++shown % 4 == 0 ? "\n" : "");
    text += line;
  }
  return text + "\n";
}

void Lockstep::fail(const std::vector<std::string>& differences, unsigned hart, const tz_retire* leader,
                    const tz_retire* follower) {
  std::string text = std::string("lockstep: ") + leader_.engine + " and " + follower_.info().engine +
                     " disagree after " + std::to_string(compared_) + " instructions\n";
  if (lanes_.size() > 1) text += "hart " + std::to_string(hart) + ":\n";
  for (const std::string& difference : differences) text += "  " + difference + "\n";
  if (leader != nullptr) text += "leader:   " + line_of(*leader) + "\n";
  if (follower != nullptr) {
    tz_retire shown = *follower;
    if (leader != nullptr) shown.cycle_retire = leader->cycle_retire;
    text += "follower: " + line_of(shown) + "\n";
  }
  text += state(hart);
  text += "last instructions of the leader:\n";
  recent_.for_each([&](const tz_retire& record) { text += line_of(record) + "\n"; });
  text += "reproduce: " + reproduce_;
  throw Mismatch(text);
}

}  // namespace trapeze
