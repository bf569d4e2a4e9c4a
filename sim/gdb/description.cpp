// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/description.h"

#include "kernel/debug.h"

namespace trapeze::gdb {
namespace {

std::string element(const RegisterInfo& info, const std::string& more) {
  return "    <reg name=\"" + info.name + "\" bitsize=\"" + std::to_string(info.bits) + "\" type=\"" + info.type +
         "\" regnum=\"" + std::to_string(info.number) + "\"" + more + "/>\n";
}

}  // namespace

std::string target_description(const Target& target) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
      "<target version=\"1.0\">\n"
      "  <architecture>riscv:rv" +
      std::to_string(target.info().harts[0].xlen) +
      "</architecture>\n"
      // Not Linux, GDB's own choice: there it steps by breakpoints, over all of an LR/SC sequence at once.
      "  <osabi>none</osabi>\n"
      "  <feature name=\"org.gnu.gdb.riscv.cpu\">\n";
  for (const RegisterInfo& info : target.core_registers()) text += element(info, "");
  text += "  </feature>\n  <feature name=\"org.gnu.gdb.riscv.virtual\">\n";
  text += element(*target.find(TZ_DEBUG_MODE), " save-restore=\"no\"");
  text += "  </feature>\n  <feature name=\"org.gnu.gdb.riscv.csr\">\n";
  // A function that GDB calls must not have the counters put back.
  for (const RegisterInfo& info : target.csrs()) text += element(info, " save-restore=\"no\" group=\"csr\"");
  return text + "  </feature>\n</target>\n";
}

}  // namespace trapeze::gdb
