// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "kernel/disasm.h"
#include "kernel/error.h"
#include "lockstep/lockstep.h"

namespace trapeze {
namespace {

/** Collects the fields that differ. Text is made only for fields that differ, because nearly all records are equal. */
class Differences {
 public:
  /** `what`: the field; `name`, if it is not empty, is printed behind `what`. */
  void check(std::string_view what, std::uint64_t leader, std::uint64_t follower, const char* name = "") {
    if (leader != follower) add(what, name, hex(leader), hex(follower));
  }
  void number(std::string_view what, std::uint64_t leader, std::uint64_t follower) {
    if (leader != follower) add(what, "", std::to_string(leader), std::to_string(follower));
  }
  void add(std::string_view what, std::string_view name, const std::string& leader, const std::string& follower) {
    lines.push_back(std::string(what).append(name) + ": " + leader + ", follower " + follower);
  }

  std::vector<std::string> lines;
};

constexpr std::uint64_t kFetchFault = 1;
constexpr std::uint64_t kBreakpoint = 3;
constexpr std::uint64_t kFrameStoreFault = 24;  ///< exception that is taken in the place of an instruction

}  // namespace

std::vector<std::string> compare_records(const tz_retire& a, const tz_retire& b) {
  Differences out;
  const auto flag = [&](const char* what, unsigned mask) {
    out.number(what, (a.flags & mask) != 0 ? 1 : 0, (b.flags & mask) != 0 ? 1 : 0);
  };
  const unsigned either = a.flags | b.flags;
  out.number("order", a.order, b.order);
  out.check("pc", a.pc, b.pc);
  flag("trap", TZ_RETIRE_TRAP);
  flag("first of a handler (intr)", TZ_RETIRE_INTR);
  flag("handler of an interrupt (irq)", TZ_RETIRE_IRQ);
  if ((either & TZ_RETIRE_IRQ) != 0) {
    out.number("interrupt id", a.irq_id, b.irq_id);
    out.number("interrupt level", a.irq_level, b.irq_level);
  }
  if ((either & (TZ_RETIRE_TRAP | TZ_RETIRE_INTR)) != 0) out.check("cause", a.cause, b.cause);
  // The instruction word is not compared if its fetch failed, or if an exception was taken in the place of the
  // instruction, which need not have been fetched then. The breakpoint exception of a trigger comes before a fetch that
  // fails; the follower has no instruction then.
  const bool fetched =
      (either & TZ_RETIRE_TRAP) == 0 || a.cause != b.cause ||
      (a.cause != kFetchFault && a.cause != kFrameStoreFault && !(a.cause == kBreakpoint && b.insn == 0));
  if (fetched) out.check("instruction", a.insn, b.insn);
  out.number("mode", a.mode, b.mode);
  out.check("next pc", a.pc_next, b.pc_next);
  if (a.rd != b.rd) out.add("register written", "", register_name(a.rd), register_name(b.rd));
  out.check("value of ", a.rd_value, b.rd_value, register_name(a.rd));
  // Values of source registers are compared if both records name the register: a wrong operand may give a right result.
  if (fetched && a.rs1 != 0 && a.rs1 == b.rs1) out.check("operand ", a.rs1_value, b.rs1_value, register_name(a.rs1));
  if (fetched && a.rs2 != 0 && a.rs2 == b.rs2) out.check("operand ", a.rs2_value, b.rs2_value, register_name(a.rs2));
  out.check("bytes read", a.mem_rmask, b.mem_rmask);
  out.check("bytes written", a.mem_wmask, b.mem_wmask);
  if ((a.mem_rmask | a.mem_wmask) != 0 && (b.mem_rmask | b.mem_wmask) != 0)
    out.check("memory address", a.mem_addr, b.mem_addr);
  if (a.mem_rmask != 0 && b.mem_rmask != 0) out.check("data read", a.mem_rdata, b.mem_rdata);
  if (a.mem_wmask != 0 && b.mem_wmask != 0) out.check("data written", a.mem_wdata, b.mem_wdata);
  flag("CSR written", TZ_RETIRE_CSR_WE);
  if ((a.flags & b.flags & TZ_RETIRE_CSR_WE) != 0) {
    out.check("CSR number", a.csr_addr, b.csr_addr);
    if (a.csr_value != b.csr_value) out.add("value for ", csr_name(a.csr_addr), hex(a.csr_value), hex(b.csr_value));
  }
  return out.lines;
}

}  // namespace trapeze
