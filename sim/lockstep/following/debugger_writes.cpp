// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "lockstep/following/debugger_writes.h"

#include <trapeze/isa.hpp>

#include "kernel/debug.h"

namespace trapeze::following {
namespace {

/** The only register that the debug module's program uses (hw/debug). It saves it first, and restores it. */
constexpr unsigned kSaved = 8;
constexpr std::uint32_t kDret = 0x7b200073;
constexpr std::uint32_t kPrivilege = 3;      ///< dcsr.prv
constexpr std::uint64_t kInhibit = 1U << 2;  ///< mcountinhibit.IR

constexpr bool is_scratch(unsigned csr) {
  return csr == isa::csr::kDscratch0 || csr == isa::csr::kDscratch1;
}

/** Number of the block of 1 KiB at an address. The debug module's memory, from which the hart fetches, is one. */
constexpr std::uint64_t in_block(std::uint64_t address) {
  return address >> 10;
}

}  // namespace

std::string DebuggerWrites::see(const tz_retire& record, Reference& reference) {
  if (halts_.empty() || halts_.back().over) halts_.push_back({.since = record.cycle_ex});
  Halt& halt = halts_.back();
  halt.over = record.insn == kDret;
  const bool writes_csr = (record.flags & TZ_RETIRE_CSR_WE) != 0;
  if (writes_csr && record.csr_addr == isa::csr::kDscratch0 && !halt.saved) halt.saved = record.rs1_value;
  if (record.rd != 0) halt.registers[record.rd] = record.rd_value;
  if ((dcsr_ & kStopCount) == 0 && (record.flags & TZ_RETIRE_TRAP) == 0) ++halt.counted;
  if (writes_csr && record.csr_addr == isa::csr::kDcsr) dcsr_ = record.csr_value;
  if (writes_csr && !is_scratch(record.csr_addr)) halt.csrs[record.csr_addr] = record.csr_value;
  if (record.mem_wmask == 0 || in_block(record.mem_addr) == in_block(record.pc)) return {};
  if (!reference.word(record.mem_addr & ~std::uint64_t{3})) {
    return "a debugger stores to a device, which lockstep cannot follow";
  }
  reference.settle({record.mem_addr, static_cast<std::uint32_t>(record.mem_wdata), record.mem_wmask});
  return {};
}

void DebuggerWrites::apply(Reference& reference, const Halt& halt) {
  if ((reference.csr(isa::csr::kMcountinhibit) & kInhibit) == 0) {
    const std::uint64_t upper = reference.csr(isa::csr::kMinstreth) << 32;
    const std::uint64_t count = (upper | reference.csr(isa::csr::kMinstret)) + halt.counted;
    reference.set(TZ_DEBUG_CSR + isa::csr::kMinstret, count & 0xffffffffU);
    reference.set(TZ_DEBUG_CSR + isa::csr::kMinstreth, count >> 32);
  }
  for (const auto& [number, value] : halt.registers) {
    if (number != kSaved || halt.saved != value) reference.set_x(number, value);
  }
  for (const auto& [number, value] : halt.csrs) {
    if (number == isa::csr::kDpc) {
      reference.set(TZ_DEBUG_PC, reference.code_address(value));
    } else if (number == isa::csr::kDcsr) {
      reference.set(TZ_DEBUG_MODE, (value & kPrivilege) == kPrivilege ? kPrivilege : 0);
    } else {
      reference.set(TZ_DEBUG_CSR + number, value);
    }
  }
}

}  // namespace trapeze::following
