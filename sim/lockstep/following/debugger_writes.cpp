// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "lockstep/following/debugger_writes.h"

#include <bit>
#include <trapeze/isa.hpp>

#include "kernel/debug.h"
#include "kernel/disasm.h"
#include "kernel/error.h"
#include "model/isa/triggers.h"

namespace trapeze::following {
namespace {

/** The only register that the debug module's program uses (hw/debug). It saves it first, and restores it. */
constexpr unsigned kSaved = 8;
constexpr std::uint32_t kDret = 0x7b200073;
constexpr std::uint32_t kPrivilege = 3;      ///< dcsr.prv
constexpr std::uint64_t kInhibit = 1U << 2;  ///< mcountinhibit.IR

/** dcsr.cause. */
constexpr unsigned kCauseShift = 6, kCauseMask = 7, kByEbreak = 1, kByTrigger = 2, kByStep = 4;

/** The CSR that an instruction reads into a register; nothing: it reads none. */
std::optional<unsigned> csr_read(const tz_retire& record) {
  const bool is_csr = (record.insn & 0x7fU) == 0x73U && (record.insn & 0x3000U) != 0;
  if (!is_csr || record.rd == 0 || (record.flags & TZ_RETIRE_TRAP) != 0) return std::nullopt;
  return record.insn >> 20;
}
constexpr bool is_of_triggers(unsigned csr) {
  return csr == isa::csr::kTselect || csr == isa::csr::kTdata1 || csr == isa::csr::kTdata2 || csr == isa::csr::kTinfo;
}

constexpr bool is_scratch(unsigned csr) {
  return csr == isa::csr::kDscratch0 || csr == isa::csr::kDscratch1;
}

/** Number of the block of 1 KiB at an address. The debug module's memory, from which the hart fetches, is one. */
constexpr std::uint64_t in_block(std::uint64_t address) {
  return address >> 10;
}

}  // namespace

std::string DebuggerWrites::see(const tz_retire& record, Reference& reference) {
  if (halts_.empty() || halts_.back().over) halts_.push_back({.since = record.cycle_ex, .steps = (dcsr_ & kStep) != 0});
  Halt& halt = halts_.back();
  halt.over = record.insn == kDret;
  const bool writes_csr = (record.flags & TZ_RETIRE_CSR_WE) != 0;
  if (writes_csr && record.csr_addr == isa::csr::kDscratch0 && !halt.saved) halt.saved = record.rs1_value;
  if (record.rd != 0) halt.registers[record.rd] = record.rd_value;
  if ((dcsr_ & kStopCount) == 0 && (record.flags & TZ_RETIRE_TRAP) == 0) ++halt.counted;
  if (const auto read = csr_read(record)) {
    if (*read == isa::csr::kDcsr && !halt.cause) {
      halt.cause = static_cast<unsigned>(record.rd_value >> kCauseShift) & kCauseMask;
    }
    if (is_of_triggers(*read)) halt.triggers.push_back({*read, false, record.rd_value});
  }
  if (writes_csr && record.csr_addr == isa::csr::kDcsr) dcsr_ = record.csr_value;
  if (writes_csr && is_of_triggers(record.csr_addr)) {
    halt.triggers.push_back({record.csr_addr, true, record.csr_value});
  } else if (writes_csr && !is_scratch(record.csr_addr)) {
    halt.csrs[record.csr_addr] = record.csr_value;
  }
  if (record.mem_wmask == 0 || in_block(record.mem_addr) == in_block(record.pc)) return {};
  if (!reference.word(record.mem_addr & ~std::uint64_t{3})) {
    return "a debugger stores to a device, which lockstep cannot follow";
  }
  halt.stores = true;
  reference.settle({record.mem_addr, static_cast<std::uint32_t>(record.mem_wdata), record.mem_wmask});
  return {};
}

/** Judges whether a trigger had to begin debug mode, or could. `certain`: the hit bits of mcontrol6 are known. */
std::string DebuggerWrites::begin(Reference& reference, const Halt& halt, bool& certain) {
  const unsigned asked = reference.triggers();
  const unsigned due = asked & (TZ_TRIGGERS_MATCH | TZ_TRIGGERS_EVENT);
  const std::uint64_t pc = reference.pc();
  // A debugger that does not read dcsr leaves the cause open. The other causes may hide a trigger: a request to halt is
  // more important, and a single step may end before an instruction that a trigger matches.
  reference.halt(halt.cause ? *halt.cause == kByTrigger : due != 0);
  // Where debug mode begins for an event or for the input, what matches the next instruction may have fired or not. The
  // same holds where the debugger has stored what the reference now takes for that instruction.
  certain = halt.cause == kByTrigger && (asked & (TZ_TRIGGERS_EVENT | TZ_TRIGGERS_AWAIT_INPUT)) == 0 && !halt.stores;
  if (certain && due == 0) {
    return "a trigger began debug mode (dcsr.cause 2) before " + hex(pc) + ", where none fires";
  }
  if (halt.cause == kByEbreak && due != 0) {
    return "a trigger did not fire: ebreak began debug mode at " + hex(pc) + ", before which trigger " +
           first_trigger(due) + " fires";
  }
  return {};
}

/** A debugger reads or writes a register of triggers. */
std::string DebuggerWrites::access(Reference& reference, const TriggerAccess& access, bool certain) {
  if (!reference.has_triggers()) return {};
  if (access.writes) {
    reference.set(TZ_DEBUG_CSR + access.number, access.value);
    return {};
  }
  using namespace model::tdata1;
  const std::uint64_t own = reference.csr(access.number);
  if (own == access.value) return {};
  if (access.number == isa::csr::kTdata1 && own >> kTypeShift == access.value >> kTypeShift) {
    // The external input is not followed; of mcontrol6 see begin().
    const std::uint64_t type = own >> kTypeShift;
    const std::uint64_t open = type == kTmexttrigger ? kEventHit : type == kMcontrol6 && !certain ? kHit0 : 0;
    if (((own ^ access.value) & ~open) == 0) {
      reference.set(TZ_DEBUG_CSR + access.number, access.value);
      return {};
    }
  }
  return "in debug mode " + csr_name(access.number) + " read " + hex(access.value) + " instead of " + hex(own) +
         ", with tselect " + std::to_string(reference.csr(isa::csr::kTselect));
}

std::string DebuggerWrites::apply(Reference& reference, const Halt& halt) {
  std::string complaint;
  bool certain = false;
  if (reference.has_triggers()) complaint = begin(reference, halt, certain);
  if (halt.cause == kByStep && !halt.steps) complaint = "a step began debug mode (dcsr.cause 4), and dcsr.step is 0";
  for (const TriggerAccess& one : halt.triggers) {
    std::string text = access(reference, one, certain);
    if (complaint.empty()) complaint = std::move(text);
  }
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
  return complaint;
}

std::string first_trigger(unsigned asked) {
  const unsigned one = (asked & TZ_TRIGGERS_MATCH) != 0 ? asked & TZ_TRIGGERS_MATCH : asked >> TZ_TRIGGERS_EVENT_SHIFT;
  return std::to_string(std::countr_zero(one));
}

}  // namespace trapeze::following
