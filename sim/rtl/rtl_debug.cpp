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

bool is_rv32e(std::uint32_t hart) {
#define TZ_ISA(number, isa, ...) isa,
  static constexpr const char* kIsas[] = {TZ_HARTS(TZ_ISA)};
#undef TZ_ISA
  return kIsas[hart][4] == 'e';
}

}  // namespace

void tz_engine::bind_registers() {
#define TZ_FILLS(s, core)                               \
  s.fill_valid = &io_->core##u_regfile__DOT__fill_we;   \
  s.fill_word = &io_->core##u_regfile__DOT__fill_word;  \
  s.fill_value = &io_->core##u_regfile__DOT__fill_data; \
  s.sp = &io_->core##u_regfile__DOT__sp_q;
#define TZ_PLAIN(s, core) s.plain = &io_->core##u_regfile__DOT__gen_memory__DOT__gen_plain__DOT__mem[0];
#define TZ_NONE(s, count, core) TZ_PLAIN(s, core)
#define TZ_IN_PLACE(s, count, core) TZ_PLAIN(s, core) TZ_FILLS(s, core)
#define TZ_BANK(s, core, bank) \
  s.banks[bank] =              \
      &io_->core##u_regfile__DOT__gen_memory__DOT__gen_banks__DOT__gen_bank__BRA__##bank##__KET____DOT__regs[0];
#define TZ_BANKS_1(s, core) TZ_BANK(s, core, 0) TZ_BANK(s, core, 1)
#define TZ_BANKS_2(s, core) TZ_BANKS_1(s, core) TZ_BANK(s, core, 2)
#define TZ_BANKS_3(s, core) TZ_BANKS_2(s, core) TZ_BANK(s, core, 3)
#define TZ_BANKS_4(s, core) TZ_BANKS_3(s, core) TZ_BANK(s, core, 4)
#define TZ_BANKS(s, count, core)                                                 \
  TZ_FILLS(s, core)                                                              \
  TZ_BANKS_##count(s, core) s.fill_bank = &io_->core##u_regfile__DOT__fill_bank; \
  s.bank = &io_->core##u_regfile__DOT__bank;                                     \
  s.others = &io_->core##u_regfile__DOT__gen_memory__DOT__gen_banks__DOT__others[0];
#define TZ_BIND_CORE(s, saver, count, core)                      \
  s.wb_valid = &io_->core##wb_valid_q;                           \
  s.wb_mem = &io_->core##wb_mem_q;                               \
  s.second = &io_->core##u_lsu__DOT__second_q;                   \
  s.wb_trap = &io_->core##gen_rvfi__DOT__u_rvfi__DOT__wb_trap_q; \
  s.next_pc = &io_->core##next_pc;                               \
  s.next_table = &io_->core##next_table;                         \
  s.privilege = &io_->core##priv;                                \
  s.insn = &io_->core##ex_insn_q;                                \
  s.csr_exists = &io_->core##u_csr__DOT__exists;                 \
  s.csr_value = &io_->core##csr_rdata;                           \
  TZ_##saver(s, count, core)
#define TZ_BIND(hart, controller, saver, count, tile)  \
  {                                                    \
    DebugSignals& s = registers_[hart];                \
    TZ_BIND_CORE(s, saver, count, tile##u_core__DOT__) \
  }
  TZ_TILES(TZ_BIND)
#undef TZ_BIND
}

/** Outputs of the cycle into `result`; the largest reason to stop after it. */
tz_stop tz_engine::observe(const tz_run_args& args, tz_run_result& run) {
  const Vsim___024root& io = *io_;
  tz_stop reason = TZ_STOP_CYCLES;
  for (std::uint32_t hart = 0; hart < kHarts; ++hart) {
    if ((io.rvfi_valid_o >> hart & 1U) == 0) continue;
    HartState& state = state_.harts[hart];
    tz_retire& record = args.records[run.num_records++];
    fill_record(record, hart);
    (void)changes_handlers(hart);
    const bool whole = io.rvfi_trap_o[hart] == 0;
    state_.retired += whole;
    state.retired += whole;
    state.pc = {io.rvfi_pc_wdata_o[hart], state_.cycle};
    if (!state.held.entered_ahead) follow_pc(record);
    state.held.entered_ahead = false;
    state.held.retired = whole;
    state.held.rd = record.rd;
    state.held.rd_value = record.rd_value;
    reason = TZ_STOP_RETIRED;
  }
  return std::max(reason, around_instructions(args, run));
}

void tz_engine::step(const tz_run_args& args, tz_step_result& result) {
  result = {};
  // The rest of a held cycle. Its claims have been reported; what comes of them has not.
  if (state_.held) {
    result.entered = io_->irq_event_valid_o;
    release();
  }
  const auto retired = [this](const HartState& state) { return state.held.retired; };
  while (result.entered == 0 && result.run.stop == TZ_STOP_CYCLES && state_.cycle < args.until_cycle) {
    begin_cycle();
    result.run.stop = observe(args, result.run);
    if (result.run.stop != TZ_STOP_EXIT && std::any_of(state_.harts.begin(), state_.harts.end(), retired)) {
      state_.held = true;
      break;
    }
    for (HartState& state : state_.harts) state.held.retired = false;
    result.entered = io_->irq_event_valid_o;
    end_cycle();
  }
  for (std::uint32_t hart = 0; hart < kHarts; ++hart) {
    Held& held = state_.harts[hart].held;
    const bool boundary = held.retired || between_instructions(hart);
    result.boundary |= std::uint64_t{boundary} << hart;
    if ((result.entered >> hart & 1U) == 0) continue;
    held.pc = *registers_[hart].next_pc;
    if (*registers_[hart].next_table != 0) held.pc = through_table(hart, held.pc);
    held.entered_ahead = !boundary;
  }
  report(args, result.run);
}

/** Nothing of an instruction that has not retired has happened. */
bool tz_engine::between_instructions(std::uint32_t hart) const {
  const DebugSignals& core = registers_[hart];
  return *core.wb_valid == 0 && *core.wb_mem == 0 && *core.second == 0 && *core.wb_trap == 0;
}

/** Where a table entry leads. */
std::uint64_t tz_engine::through_table(std::uint32_t hart, std::uint64_t entry) {
  std::uint32_t target = 0;
  const std::uint8_t* memory = locate(hart, entry, sizeof target);
  if (memory == nullptr) return entry;
  std::memcpy(&target, memory, sizeof target);
  return target & ~1U;
}

void tz_engine::follow_pc(const tz_retire& record) {
  std::uint64_t& pc = state_.harts[record.hart].held.pc;
  pc = record.pc_next;
  if ((record.flags & TZ_RETIRE_TRAP) != 0) return;
  // The record names the table entry of a jump through one.
  std::uint64_t cause = 0;
  const bool jalxnxti = trapeze::isa::encoding::kJalxnxti.is(record.insn);
  const bool returned = record.insn == kMret || record.insn == kEmret;
  const bool again = returned && read_csr(record.hart, trapeze::isa::csr::kMcause, cause) && (cause & kMinhv) != 0;
  if ((jalxnxti && record.pc_next != record.pc + 4) || again) pc = through_table(record.hart, pc);
}

/** The design's own read port, asked in the place of the instruction in EX, between two clock edges. */
bool tz_engine::read_csr(std::uint32_t hart, std::uint32_t number, std::uint64_t& value) {
  const DebugSignals& core = registers_[hart];
  const auto insn = *core.insn;
  *core.insn = number << 20;
  top_->eval();
  const bool exists = *core.csr_exists != 0;
  value = *core.csr_value;
  *core.insn = insn;
  top_->eval();
  return exists;
}

/** What the pipeline sees. With fastirq sp is by itself, and with spare banks registers of frames are in the current
 * one, in the order of the frame. ra of a fresh bank is written in the cycle behind the entry. */
std::uint32_t tz_engine::read_integer(std::uint32_t hart, std::uint32_t number) const {
  constexpr std::uint32_t kSp = 2;
  constexpr std::uint8_t kFrame[] = {1, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31};
  const DebugSignals& core = registers_[hart];
  if (core.fill_valid == nullptr) return core.plain[number];
  if (number == kSp) return *core.sp;
  const bool comes = *core.fill_valid != 0 && (core.fill_bank == nullptr || *core.fill_bank == *core.bank);
  if (comes && kFrame[*core.fill_word] == number) return *core.fill_value;
  if (core.bank == nullptr) return core.plain[number];
  constexpr std::uint32_t kRows = 16;
  const std::uint32_t low = is_rv32e(hart) ? 2 : 12;  // row of x4 and x3 among those in no frame
  const std::uint8_t* const found = std::find(std::begin(kFrame), std::end(kFrame), number);
  if (found != std::end(kFrame)) return core.banks[*core.bank][found - std::begin(kFrame)];
  const std::uint32_t row = number >= kRows ? number - kRows : ((~number >> 3 & 1U) * low) | (number & 1U);
  return core.others[row];
}

tz_status tz_engine::read_register(std::uint32_t hart, std::uint32_t number, std::uint64_t& value) {
  constexpr std::uint32_t kCsrs = 4096;
  if (hart < kHarts) {
    const Held& held = state_.harts[hart].held;
    if (number < (is_rv32e(hart) ? 16U : 32U)) {
      const bool comes = state_.held && held.retired && held.rd == number;
      value = number == 0 ? 0 : comes ? held.rd_value : read_integer(hart, number);
      return TZ_OK;
    }
    if (number == TZ_DEBUG_PC) {
      value = held.pc;
      return TZ_OK;
    }
    if (number == TZ_DEBUG_MODE) {
      value = *registers_[hart].privilege;
      return TZ_OK;
    }
    if (number >= TZ_DEBUG_CSR && number < TZ_DEBUG_CSR + kCsrs && read_csr(hart, number - TZ_DEBUG_CSR, value)) {
      return TZ_OK;
    }
  }
  return fail(TZ_ERR_ARGUMENT, "no register " + std::to_string(number) + " in hart " + std::to_string(hart));
}
