// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "rtl/rtl_engine.h"

#include <engine_config.h>

#include <cstring>
#include <iterator>
#include <type_traits>

#include "kernel/handlers.h"
#include "rtl/snapshot.h"

using namespace trapeze::rtl;

namespace {

/** Clock cycles in reset. */
constexpr int kResetCycles = 4;

}  // namespace

tz_engine::tz_engine() {
  select();
  context_.randReset(0);
#if VM_TRACE
  context_.traceEverOn(true);
#endif
  top_ = std::make_unique<Vsim>(&context_, "");
  io_ = top_->rootp;
#define TZ_BIND(name, base, size, member)                                                 \
  static_assert(sizeof(io_->member) == (size), "the memory map and the design disagree"); \
  memories_.push_back({base, size, reinterpret_cast<std::uint8_t*>(&io_->member)});
  TZ_MEMORIES(TZ_BIND)
#undef TZ_BIND
  io_->uart_tx_ready_i = 1;
  reset();
  for (const Memory& memory : memories_) std::memset(memory.data, 0, memory.size);
}

tz_engine::~tz_engine() {
  // Verilator's destructors work on the context of the thread, which may be that of another instance.
  select();
  top_.reset();
}

void tz_engine::clock() {
  io_->clk_i = 0;
  io_->clk_bench_i = 0;
  top_->eval();
  io_->clk_i = 1;
  io_->clk_bench_i = 1;
  top_->eval();
}

void tz_engine::reset() {
  console_in.clear();
  hold_ = {};
  hold_.pc = TZ_RESET_VECTOR;
  drive_lines();
  io_->uart_rx_valid_i = 0;
  // Released, asserted, released: asynchronous resets need the edge.
  io_->rst_ni = 1;
  clock();
  io_->rst_ni = 0;
  for (int i = 0; i < kResetCycles; ++i) clock();
  io_->rst_ni = 1;
  cycle_ = 0;
  retired_ = 0;
  pc_ = {TZ_RESET_VECTOR, 0};
  signals_ = 0;
  returned_ = false;
  watched_ = {};
}

std::uint8_t* tz_engine::locate(std::uint64_t address, std::size_t size) {
  for (const Memory& memory : memories_) {
    if (address < memory.base || address - memory.base >= memory.size) continue;
    if (size > memory.size - (address - memory.base)) return nullptr;
    return memory.data + (address - memory.base);
  }
  return nullptr;
}

void tz_engine::dump([[maybe_unused]] std::uint64_t time) {
#if VM_TRACE
  if (wave) wave->dump(time);
#endif
}

void tz_engine::fill_record(tz_retire& r) const {
  const Vsim___024root& io = *io_;
  r.order = io.rvfi_order_o;
  r.cycle_fetch = io.rvfi_cycle_fetch_o;
  r.cycle_ex = io.rvfi_cycle_ex_o;
  r.cycle_retire = io.rvfi_cycle_retire_o;
  r.cycle_mem = io.rvfi_cycle_mem_o;
  r.cycle_mem2 = io.rvfi_cycle_mem2_o;
  r.pc = io.rvfi_pc_rdata_o;
  r.pc_next = io.rvfi_pc_wdata_o;
  r.rs1_value = io.rvfi_rs1_rdata_o;
  r.rs2_value = io.rvfi_rs2_rdata_o;
  r.rd_value = io.rvfi_rd_wdata_o;
  r.mem_addr = io.rvfi_mem_addr_o;
  r.mem_rdata = io.rvfi_mem_rdata_o;
  r.mem_wdata = io.rvfi_mem_wdata_o;
  r.cause = io.rvfi_cause_o;
  r.csr_value = io.rvfi_csr_wdata_o;
  r.insn = io.rvfi_insn_o;
  r.csr_addr = io.rvfi_csr_addr_o;
  r.irq_id = io.rvfi_irq_id_o;
  r.hart = 0;
  r.irq_level = io.rvfi_irq_level_o;
  r.flags = static_cast<std::uint8_t>((io.rvfi_trap_o ? TZ_RETIRE_TRAP : 0) | (io.rvfi_intr_o ? TZ_RETIRE_INTR : 0) |
                                      (io.rvfi_irq_o ? TZ_RETIRE_IRQ : 0) | (io.rvfi_csr_we_o ? TZ_RETIRE_CSR_WE : 0));
  r.mode = io.rvfi_mode_o;
  r.rs1 = io.rvfi_rs1_addr_o;
  r.rs2 = io.rvfi_rs2_addr_o;
  r.rd = io.rvfi_rd_addr_o;
  r.mem_rmask = io.rvfi_mem_rmask_o;
  r.mem_wmask = io.rvfi_mem_wmask_o;
}

/** Whether the record of this cycle is one of TZ_SELECT_TRAPS; called once for each. */
bool tz_engine::changes_handlers() {
  const bool trapped = io_->rvfi_trap_o != 0;
  const bool behind = returned_;
  returned_ = !trapped && trapeze::is_trap_return(io_->rvfi_insn_o);
  return behind || trapped || trapeze::changes_handlers(io_->rvfi_insn_o);
}

/** The signals are not what they were in the last cycle; false if the buffer has no room for another such cycle. */
bool tz_engine::signals_change(const tz_run_args& args, tz_run_result& result) {
  const std::uint32_t now = io_->probe_event_o;
  const std::uint32_t risen = now & ~signals_;
  signals_ = now;
  if (args.rises == nullptr) return true;
  for (std::uint32_t i = 0; i < std::size(kSignals); ++i) {
    if (((risen >> i) & 1U) != 0) args.rises[result.num_rises++] = {cycle_, i};
  }
  return result.num_rises + std::size(kSignals) <= args.rises_capacity;
}

void tz_engine::drive_lines() {
  io_->irq_i = static_cast<std::remove_reference_t<decltype(io_->irq_i)>>(hold_.lines);
}

void tz_engine::release() {
  end_cycle();
  hold_.held = false;
  drive_lines();
}

/** The claim of this cycle. */
void tz_engine::claim(const tz_run_args& args, tz_run_result& result) const {
  if (args.claims == nullptr) return;
  args.claims[result.num_claims++] = {cycle_, io_->irq_event_epc_o, io_->irq_event_id_o, 0, io_->irq_event_level_o};
}

/** What a result says of the end of a run; `result.stop` must be known. */
void tz_engine::report(const tz_run_args& args, tz_run_result& result) const {
  result.cycle = cycle_ + (hold_.held ? 1 : 0);
  result.retired = retired_;
  result.asleep = asleep() ? 1 : 0;
  if (args.harts == nullptr) return;
  const bool exited = result.stop == TZ_STOP_EXIT;
  args.harts[0] = {pc_.address, pc_.since, retired_, io_->sleep_o, exited, exited ? exit_code_ : 0};
}

void tz_engine::run(const tz_run_args& args, tz_run_result& result) {
  Vsim___024root& io = *io_;
  if (hold_.held) release();
  const std::uint64_t retired_limit = args.max_retired == 0 ? ~std::uint64_t{0} : retired_ + args.max_retired;
  result = {};
  result.stop = TZ_STOP_CYCLES;
  bool running = cycle_ < args.until_cycle;
  const auto stop = [&](tz_stop reason) {
    running = false;
    if (reason > result.stop) result.stop = reason;
  };

  while (running) {
    begin_cycle();

    if (io.rvfi_valid_o != 0) {
      const std::uint32_t insn = io.rvfi_insn_o;
      retired_ += io.rvfi_trap_o == 0;
      pc_ = {io.rvfi_pc_wdata_o, cycle_};
      if ((args.select & trapeze::record_kinds(insn, io.rvfi_intr_o != 0, changes_handlers())) != 0) {
        fill_record(args.records[result.num_records++]);
        if (result.num_records == args.records_capacity || trapeze::is_next_interrupt(insn)) stop(TZ_STOP_RECORDS);
      }
      if (retired_ >= retired_limit) stop(TZ_STOP_RETIRED);
    }
    if (io.irq_event_valid_o != 0) {
      claim(args, result);
      stop(TZ_STOP_CLAIM);
    }
    if (io.probe_event_o != signals_ && !signals_change(args, result)) stop(TZ_STOP_RECORDS);
    if (args.activities != nullptr && !watch(args, result)) stop(TZ_STOP_RECORDS);
    if (io.uart_tx_valid_o != 0 && args.console != nullptr) {
      args.console[result.console_bytes++] = io.uart_tx_data_o;
      if (result.console_bytes == args.console_capacity) stop(TZ_STOP_CONSOLE);
    }
    if (io.exit_valid_o != 0) {
      exit_code_ = io.exit_code_o;
      stop(TZ_STOP_EXIT);
    }
    end_cycle();
    if (cycle_ >= args.until_cycle) running = false;
  }
  report(args, result);
}

/** See tz_run_result.asleep. */
bool tz_engine::asleep() const {
  // Software that has only words to write turns the timer off with the upper one.
  constexpr std::uint64_t kTimerOff = std::uint64_t{0xffffffff} << 32;
  const std::uint64_t due = io_->TZ_SOC(u_clint__DOT__gen_hart__BRA__0__KET____DOT__mtimecmp_q);
  const bool timer = io_->TZ_SOC(u_clint__DOT__mtime_q) < due && due < kTimerOff;
  const bool input = !console_in.empty() && io_->uart_rx_ready_o != 0;
  return io_->sleep_o != 0 && !timer && !input && io_->bench_active_o == 0;
}

#if VM_TRACE
tz_status tz_engine::open_wave(const char* path) {
  if (wave) return fail(TZ_ERR_ARGUMENT, "a wave trace is open already");
  wave = std::make_unique<VerilatedFstC>();
  top_->trace(wave.get(), 99);
  wave->open(path);
  if (wave->isOpen()) return TZ_OK;
  wave.reset();
  return fail(TZ_ERR_IO, std::string("cannot write waves to '") + path + "'");
}
#endif

std::unique_ptr<Snapshot> tz_engine::save() {
  auto snapshot = std::make_unique<Snapshot>();
  SaveToMemory stream(snapshot->design);
  stream << *top_;
  stream.flush();
  snapshot->console_input = console_in;
  snapshot->cycle = cycle_;
  snapshot->retired = retired_;
  snapshot->pc = pc_;
  snapshot->signals = signals_;
  snapshot->returned = returned_;
  snapshot->watched = watched_;
  snapshot->hold = hold_;
  return snapshot;
}

void tz_engine::restore(const Snapshot& snapshot) {
  RestoreFromMemory stream(snapshot.design);
  stream >> *top_;
  console_in = snapshot.console_input;
  cycle_ = snapshot.cycle;
  retired_ = snapshot.retired;
  pc_ = snapshot.pc;
  signals_ = snapshot.signals;
  returned_ = snapshot.returned;
  watched_ = snapshot.watched;
  hold_ = snapshot.hold;
}

tz_status tz_engine::set_line(std::uint32_t hart, std::uint32_t line, std::uint32_t level) {
  if (hart != 0) return fail(TZ_ERR_ARGUMENT, "configuration '" TZ_CONFIG "' has no hart " + std::to_string(hart));
  if (line >= TZ_LINES) {
    return fail(TZ_ERR_ARGUMENT, "configuration '" TZ_CONFIG "' has no interrupt line " + std::to_string(line));
  }
  const std::uint64_t bit = std::uint64_t{1} << line;
  hold_.lines = level != 0 ? hold_.lines | bit : hold_.lines & ~bit;
  if (!hold_.held) drive_lines();
  return TZ_OK;
}

tz_status tz_engine::set_wait_states(std::uint32_t instr, std::uint32_t data, std::uint32_t seed) {
  if (instr > 255 || data > 255) return fail(TZ_ERR_ARGUMENT, "wait-state chances are 0 to 255");
  io_->wait_instr_i = static_cast<std::uint8_t>(instr);
  io_->wait_data_i = static_cast<std::uint8_t>(data);
  io_->wait_seed_i = seed;
  return TZ_OK;
}

// What the verilated code calls for $finish, $stop and fatal errors. $finish is no business of a design.
void vl_finish(const char* filename, int line, const char*) {
  throw DesignError(std::string("the design called $finish at ") + filename + ":" + std::to_string(line));
}
void vl_stop(const char* filename, int line, const char*) {
  throw DesignError(std::string("an assertion of the design failed at ") + filename + ":" + std::to_string(line));
}
void vl_fatal(const char* filename, int line, const char*, const char* message) {
  throw DesignError(std::string(message) + " at " + filename + ":" + std::to_string(line));
}
