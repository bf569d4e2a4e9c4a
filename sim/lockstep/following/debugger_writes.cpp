// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "lockstep/following/debugger_writes.h"

#include <trapeze/isa.hpp>

#include "kernel/debug.h"

namespace trapeze::following {
namespace {

/** The only register that the debug module's program uses (hw/debug). It saves it first, and restores it. */
constexpr unsigned kSaved = 8;
constexpr std::uint32_t kPrivilege = 3;  ///< dcsr.prv

constexpr bool is_scratch(unsigned csr) {
  return csr == isa::csr::kDscratch0 || csr == isa::csr::kDscratch1;
}

/** Number of the block of 1 KiB at an address. The debug module's memory, from which the hart fetches, is one. */
constexpr std::uint64_t in_block(std::uint64_t address) {
  return address >> 10;
}

}  // namespace

std::string DebuggerWrites::see(const tz_retire& record, Reference& reference) {
  const bool writes_csr = (record.flags & TZ_RETIRE_CSR_WE) != 0;
  if (writes_csr && record.csr_addr == isa::csr::kDscratch0 && !saved_) saved_ = record.rs1_value;
  if (record.rd != 0) registers_[record.rd] = record.rd_value;
  if (writes_csr && !is_scratch(record.csr_addr)) csrs_[record.csr_addr] = record.csr_value;
  if (record.mem_wmask == 0 || in_block(record.mem_addr) == in_block(record.pc)) return {};
  if (!reference.word(record.mem_addr & ~std::uint64_t{3}))
    return "a debugger stores to a device, which lockstep cannot follow";
  const tz_word word{record.mem_addr, static_cast<std::uint32_t>(record.mem_wdata), record.mem_wmask};
  reference.settle(word);
  return {};
}

void DebuggerWrites::apply(Reference& reference) const {
  for (const auto& [number, value] : registers_) {
    if (number == kSaved && saved_ == value) continue;
    reference.set_x(number, value);
  }
  for (const auto& [number, value] : csrs_) {
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
