// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Stopping between two instructions, for debuggers. Only in the variant with waves and registers.
//
// Instructions retire in order in WB, and the one behind (in EX) has its effects at the earliest at the edge that ends
// the cycle in which its predecessor retires: CSR flip-flops, a store's request, the trap. So just before that edge
// CSRs and memory are those between the two instructions; of the predecessor only the register write is missing, and
// that is in its record. There the clock is held. A trapped instruction and an interrupt empty the pipeline: behind the
// edge that enters the handler nothing is on its way, except a wfi that an interrupt has completed and which retires
// next.
#include <engine_config.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <trapeze/isa.hpp>

#include "rtl/rtl_engine.h"

using namespace trapeze::rtl;

namespace {

constexpr std::uint32_t kMret = 0x30200073;
constexpr std::uint32_t kEmret = trapeze::isa::encoding::kEmret.match;
/** mcause.minhv: mepc is the address of a table entry. */
constexpr std::uint64_t kMinhv = 1U << trapeze::isa::mcause::kMinhv;

}  // namespace

/** Outputs of the cycle into `result`; false if a claim, an exit or a full console ends the run after it. */
bool tz_engine::observe(const tz_run_args& args, tz_run_result& run) {
  const Vsim___024root& io = *io_;
  bool more = true;
  const auto stop = [&](tz_stop reason) {
    more = false;
    if (reason > run.stop) run.stop = reason;
  };
  if (io.rvfi_valid_o != 0) {
    tz_retire& record = args.records[run.num_records++];
    fill_record(record);
    (void)changes_handlers();
    retired_ += io.rvfi_trap_o == 0;
    pc_ = {io.rvfi_pc_wdata_o, cycle_};
    if (!hold_.entered_ahead) follow_pc(record);
    hold_.entered_ahead = false;
    stop(TZ_STOP_RETIRED);
  }
  if (io.irq_event_valid_o != 0) {
    claim(args, run);
    stop(TZ_STOP_CLAIM);
  }
  if (io.probe_event_o != signals_ && !signals_change(args, run)) stop(TZ_STOP_RECORDS);
  if (args.activities != nullptr && !watch(args, run)) stop(TZ_STOP_RECORDS);
  if (io.uart_tx_valid_o != 0 && args.console != nullptr) {
    args.console[run.console_bytes++] = io.uart_tx_data_o;
    if (run.console_bytes == args.console_capacity) stop(TZ_STOP_CONSOLE);
  }
  if (io.exit_valid_o != 0) {
    exit_code_ = io.exit_code_o;
    stop(TZ_STOP_EXIT);
  }
  return more;
}

void tz_engine::step(const tz_run_args& args, tz_step_result& result) {
  result = {};
  result.run.stop = TZ_STOP_CYCLES;
  // The rest of a held cycle. Its claim has been reported; what comes of it has not.
  bool running = true;
  if (hold_.held) {
    result.entered = io_->irq_event_valid_o != 0;
    release();
    running = result.entered == 0;
  }
  while (running && cycle_ < args.until_cycle) {
    begin_cycle();
    running = observe(args, result.run);
    const tz_retire* const record = result.run.num_records != 0 ? args.records : nullptr;
    if (record != nullptr && (record->flags & TZ_RETIRE_TRAP) == 0 && result.run.stop != TZ_STOP_EXIT) {
      hold_.held = true;
      hold_.rd = record->rd;
      hold_.rd_value = record->rd_value;
      break;
    }
    result.entered = io_->irq_event_valid_o;
    end_cycle();
  }
  result.boundary = hold_.held || between_instructions() ? 1 : 0;
  if (result.entered != 0) {
    hold_.pc = io_->TZ_CORE(u_trap__DOT__if_pc_i);
    if (io_->TZ_CORE(u_trap__DOT__if_table_i) != 0) hold_.pc = through_table(hold_.pc);
    hold_.entered_ahead = result.boundary == 0;
  }
  report(args, result.run);
}

/** Nothing of an instruction that has not retired has happened. */
bool tz_engine::between_instructions() const {
  return io_->TZ_CORE(wb_valid_q) == 0 && io_->TZ_CORE(wb_mem_q) == 0 && io_->TZ_CORE(u_lsu__DOT__second_q) == 0 &&
         io_->TZ_CORE(gen_rvfi__DOT__u_rvfi__DOT__wb_trap_q) == 0;
}

/** Where a table entry leads. */
std::uint64_t tz_engine::through_table(std::uint64_t entry) {
  std::uint32_t target = 0;
  const std::uint8_t* memory = locate(entry, sizeof target);
  if (memory == nullptr) return entry;
  std::memcpy(&target, memory, sizeof target);
  return target & ~1U;
}

void tz_engine::follow_pc(const tz_retire& record) {
  hold_.pc = record.pc_next;
  if ((record.flags & TZ_RETIRE_TRAP) != 0) return;
  // The record names the table entry of a jump through one.
  std::uint64_t cause = 0;
  const bool jalxnxti = trapeze::isa::encoding::kJalxnxti.is(record.insn);
  const bool returned = record.insn == kMret || record.insn == kEmret;
  const bool again = returned && read_csr(trapeze::isa::csr::kMcause, cause) && (cause & kMinhv) != 0;
  if ((jalxnxti && record.pc_next != record.pc + 4) || again) hold_.pc = through_table(hold_.pc);
}

/** The design's own read port, asked in the place of the instruction in EX, between two clock edges. */
bool tz_engine::read_csr(std::uint32_t number, std::uint64_t& value) {
  const auto insn = io_->TZ_CORE(ex_insn_q);
  io_->TZ_CORE(ex_insn_q) = number << 20;
  top_->eval();
  const bool exists = io_->TZ_CORE(u_csr__DOT__exists) != 0;
  value = io_->TZ_CORE(csr_rdata);
  io_->TZ_CORE(ex_insn_q) = insn;
  top_->eval();
  return exists;
}

#if TZ_FAST_BANKS > 0 || TZ_FAST_IN_PLACE
/** What the pipeline sees: sp is by itself, and with spare banks registers of frames are in the current one, in the
 * order of the frame. ra of a fresh bank is written in the cycle behind the entry. */
std::uint32_t tz_engine::read_integer(std::uint32_t number) const {
  constexpr std::uint32_t kSp = 2;
  constexpr std::uint8_t kFrame[] = {1, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31};
  if (number == kSp) return io_->TZ_CORE(u_regfile__DOT__sp_q);
#if TZ_FAST_BANKS > 0
  const std::uint32_t bank = io_->TZ_CORE(u_regfile__DOT__bank_i);
  const bool comes = io_->TZ_CORE(fill_we) != 0 && io_->TZ_CORE(fill_bank) == bank;
#else
  const bool comes = io_->TZ_CORE(fill_we) != 0;
#endif
  if (comes && kFrame[io_->TZ_CORE(fill_word)] == number) return io_->TZ_CORE(fill_data);
#if TZ_FAST_BANKS > 0
  constexpr std::uint32_t kRows = 16;
  constexpr std::uint32_t kLow = TZ_ISA[4] == 'e' ? 2 : 12;  // row of x4 and x3 among those in no frame
#define TZ_BANK(bank) \
  &io_->TZ_CORE(u_regfile__DOT__gen_memory__DOT__gen_banks__DOT__gen_bank__BRA__##bank##__KET____DOT__regs)[0]
  const std::uint32_t* const banks[] = {
    TZ_BANK(0),
    TZ_BANK(1),
#if TZ_FAST_BANKS > 1
    TZ_BANK(2),
#endif
#if TZ_FAST_BANKS > 2
    TZ_BANK(3),
#endif
#if TZ_FAST_BANKS > 3
    TZ_BANK(4),
#endif
  };
#undef TZ_BANK
  const std::uint8_t* const found = std::find(std::begin(kFrame), std::end(kFrame), number);
  if (found != std::end(kFrame)) return banks[bank][found - std::begin(kFrame)];
  const std::uint32_t row = number >= kRows ? number - kRows : ((~number >> 3 & 1U) * kLow) | (number & 1U);
  return io_->TZ_CORE(u_regfile__DOT__gen_memory__DOT__gen_banks__DOT__others)[row];
#else
  return io_->TZ_CORE(u_regfile__DOT__gen_memory__DOT__gen_plain__DOT__mem)[number];
#endif
}
#else
std::uint32_t tz_engine::read_integer(std::uint32_t number) const {
  return io_->TZ_CORE(u_regfile__DOT__gen_memory__DOT__gen_plain__DOT__mem)[number];
}
#endif

tz_status tz_engine::read_register(std::uint32_t hart, std::uint32_t number, std::uint64_t& value) {
  constexpr std::uint32_t kCsrs = 4096;
  constexpr std::uint32_t kRegisters = TZ_ISA[4] == 'e' ? 16 : 32;
  if (hart == 0) {
    if (number < kRegisters) {
      value = number == 0 ? 0 : hold_.held && hold_.rd == number ? hold_.rd_value : read_integer(number);
      return TZ_OK;
    }
    if (number == TZ_DEBUG_PC) {
      value = hold_.pc;
      return TZ_OK;
    }
    if (number == TZ_DEBUG_MODE) {
      value = io_->TZ_CORE(priv);
      return TZ_OK;
    }
    if (number >= TZ_DEBUG_CSR && number < TZ_DEBUG_CSR + kCsrs && read_csr(number - TZ_DEBUG_CSR, value)) return TZ_OK;
  }
  return fail(TZ_ERR_ARGUMENT, "no register " + std::to_string(number) + " in hart " + std::to_string(hart));
}
