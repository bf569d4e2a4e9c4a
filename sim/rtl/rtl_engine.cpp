// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "rtl/rtl_engine.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <type_traits>

#include "kernel/handlers.h"
#include "rtl/snapshot.h"

using namespace trapeze::rtl;

namespace {

/** Clock cycles in reset. */
constexpr int kResetCycles = 4;
/** What Verilator's library makes of registers at the start: VerilatedContext::randReset(). */
constexpr int kZeros = 0;
constexpr int kRandom = 2;

}  // namespace

tz_engine::tz_engine(std::uint32_t reset_seed) {
  select();
  context_.randReset(reset_seed == 0 ? kZeros : kRandom);
  context_.randSeed(static_cast<int>(reset_seed));
#if VM_TRACE
  context_.traceEverOn(true);
#endif
  top_ = std::make_unique<Vsim>(&context_, "");
  io_ = top_->rootp;
#define TZ_BIND(hart, name, base, size, shared, member)                                   \
  static_assert(sizeof(io_->member) == (size), "the memory map and the design disagree"); \
  memories_[hart].push_back({base, size, reinterpret_cast<std::uint8_t*>(&io_->member)});
  TZ_MEMORIES(TZ_BIND)
#undef TZ_BIND
  for (std::uint32_t hart = 0; hart < kHarts; ++hart) harts_.emplace_back(*io_, hart, hart);
  idle();
  reset();
  for (const auto& memories : memories_) {
    for (const Memory& memory : memories) std::memset(memory.data, 0, memory.size);
  }
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

/** Sets the input pins to their values at the start. Without this Verilator would give them random values. */
void tz_engine::idle() {
  io_->clk_i = 0;
  io_->clk_bench_i = 0;
  io_->uart_tx_ready_i = 1;
  io_->uart_rx_data_i = 0;
  io_->wait_instr_i = 0;
  io_->wait_data_i = 0;
  io_->wait_seed_i = 0;
  io_->inspect_valid_i = 0;
  io_->inspect_csr_i = 0;
  io_->inspect_number_i = 0;
  io_->jtag_tck_i = 0;
  io_->jtag_tms_i = 0;
  io_->jtag_tdi_i = 0;
  io_->jtag_trst_ni = 0;
}

void tz_engine::reset() {
  state_ = {};
#define TZ_START(hart, isa, interrupts, hart_id, reset_vector, ...) \
  harts_[hart].reset(reset_vector);                                 \
  state_.harts[hart].held.pc = reset_vector;
  TZ_HARTS(TZ_START)
#undef TZ_START
  for (std::uint32_t hart = 0; hart < kHarts; ++hart) drive_lines(hart);
  io_->uart_rx_valid_i = 0;
  // Asynchronous resets need the edge; until then nothing holds and no clock comes.
  io_->rst_ni = 1;
  top_->eval();
  io_->rst_ni = 0;
  for (int i = 0; i < kResetCycles; ++i) clock();
  io_->rst_ni = 1;
}

std::uint8_t* tz_engine::locate(std::uint32_t hart, std::uint64_t address, std::size_t size) {
  if (hart >= kHarts) return nullptr;
  for (const Memory& memory : memories_[hart]) {
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

/** Reports the signals that have changed since the last cycle. False if the buffer has no room for another such cycle.
 */
bool tz_engine::signals_change(const tz_run_args& args, tz_run_result& result) {
  const std::uint64_t now = io_->signal_o;
  const std::uint64_t risen = now & ~state_.signals;
  state_.signals = now;
  if (args.rises == nullptr) return true;
  for (std::uint32_t i = 0; i < std::size(kSignals); ++i) {
    if (((risen >> i) & 1U) != 0) args.rises[result.num_rises++] = {state_.cycle, i};
  }
  return result.num_rises + std::size(kSignals) <= args.rises_capacity;
}

void tz_engine::drive_lines(std::uint32_t hart) {
  io_->irq_i[hart] = static_cast<std::remove_reference_t<decltype(io_->irq_i[hart])>>(state_.harts[hart].lines);
}

void tz_engine::release() {
  end_cycle();
  state_.held = false;
  for (std::uint32_t hart = 0; hart < kHarts; ++hart) {
    state_.harts[hart].held.retired = false;
    drive_lines(hart);
  }
}

/** Whether a hart wrote the host port and this has not been reported. */
bool tz_engine::exits() {
  state_.exiting = io_->exit_valid_o & ~state_.exits;
  state_.exits = io_->exit_valid_o;
  return state_.exiting != 0;
}

/** Fills in the fields of a result about the end of a run; `result.stop` must be set. */
void tz_engine::report(const tz_run_args& args, tz_run_result& result) const {
  result.cycle = state_.cycle + (state_.held ? 1 : 0);
  result.retired = state_.retired;
  result.asleep = asleep() ? 1 : 0;
  if (args.harts == nullptr) return;
  for (std::uint32_t hart = 0; hart < kHarts; ++hart) {
    const RtlHart::Past& past = harts_[hart].past();
    const bool exited = result.stop == TZ_STOP_EXIT && (state_.exiting >> hart & 1U) != 0;
    args.harts[hart] = {past.pc.address,
                        past.pc.since,
                        past.retired,
                        io_->sleep_o >> hart & 1U,
                        exited,
                        exited ? io_->exit_code_o[hart] : 0,
                        {}};
  }
}

/** Reports what happens in a cycle beside retirements. Returns the most important reason to stop. */
tz_stop tz_engine::around_instructions(const tz_run_args& args, tz_run_result& result) {
  const Vsim___024root& io = *io_;
  tz_stop reason = TZ_STOP_CYCLES;
  const auto stop = [&](tz_stop one) { reason = std::max(reason, one); };
  if (io.irq_event_valid_o != 0) {
    if (args.claims != nullptr) {
      for (const RtlHart& hart : harts_) hart.claim(state_.cycle, args, result);
    }
    stop(TZ_STOP_CLAIM);
  }
  if (io.signal_o != state_.signals && !signals_change(args, result)) stop(TZ_STOP_RECORDS);
  if (args.activities != nullptr && !watch(args, result)) stop(TZ_STOP_RECORDS);
  if (args.posts != nullptr && !show_posts(args, result)) stop(TZ_STOP_RECORDS);
  if (io.uart_tx_valid_o != 0 && args.console != nullptr) {
    args.console[result.console_bytes++] = io.uart_tx_data_o;
    if (result.console_bytes == args.console_capacity) stop(TZ_STOP_CONSOLE);
  }
  if (io.exit_valid_o != state_.exits && exits()) stop(TZ_STOP_EXIT);
  return reason;
}

/** Activities of the cycle; false if the buffer has no room for those of another one. */
bool tz_engine::watch(const tz_run_args& args, tz_run_result& result) {
  for (RtlHart& hart : harts_) hart.watch(state_.cycle, args, result);
  return result.num_activities + std::size_t{TZ_ACTIVITIES_A_CYCLE} * kHarts <= args.activities_capacity;
}

/** Posts of the cycle; false if the buffer has no room for those of another one. */
bool tz_engine::show_posts(const tz_run_args& args, tz_run_result& result) const {
  for (const RtlHart& hart : harts_) hart.show_posts(state_.cycle, args, result);
  return result.num_posts + std::size_t{TZ_POSTS_A_CYCLE} * kHarts <= args.posts_capacity;
}

void tz_engine::run(const tz_run_args& args, tz_run_result& result) {
  Vsim___024root& io = *io_;
  if (state_.held) release();
  const std::uint64_t limit = args.max_retired == 0 ? ~std::uint64_t{0} : state_.retired + args.max_retired;
  result = {};
  result.stop = TZ_STOP_CYCLES;
  bool running = state_.cycle < args.until_cycle;
  const auto stop = [&](tz_stop reason) {
    running = false;
    if (reason > result.stop) result.stop = reason;
  };

  while (running) {
    begin_cycle();

    if (io.rvfi_valid_o != 0) {
      for (RtlHart& hart : harts_) {
        if (!hart.retires()) continue;
        const std::uint32_t insn = hart.insn();
        const bool whole = hart.retire(state_.cycle);
        state_.retired += whole;
        if (args.num_watches != 0 && whole && !hart.look(state_.cycle, args, result)) stop(TZ_STOP_RECORDS);
        if ((args.select & trapeze::record_kinds(insn, hart.enters(), hart.changes_handlers())) != 0) {
          hart.fill(args.records[result.num_records++]);
          if (trapeze::is_next_interrupt(insn)) stop(TZ_STOP_RECORDS);
        }
      }
      if (result.num_records != 0 && result.num_records + kHarts > args.records_capacity) stop(TZ_STOP_RECORDS);
      if (state_.retired >= limit) stop(TZ_STOP_RETIRED);
    }
    if (const tz_stop reason = around_instructions(args, result); reason != TZ_STOP_CYCLES) stop(reason);
    end_cycle();
    if (state_.cycle >= args.until_cycle) running = false;
  }
  report(args, result);
}

/** See tz_run_result.asleep. */
bool tz_engine::asleep() const {
  constexpr std::uint32_t kAll = static_cast<std::uint32_t>((std::uint64_t{1} << kHarts) - 1);
  const bool input = !state_.console_in.empty() && io_->uart_rx_ready_o != 0;
  return io_->sleep_o == kAll && io_->timer_ahead_o == 0 && !input && io_->bench_active_o == 0;
}

#if VM_TRACE
tz_status tz_engine::open_wave(const char* path) {
  if (wave) return fail(TZ_ERR_ARGUMENT, "a wave trace is open already");
  wave = std::make_unique<trapeze::rtl::Waves>();
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
  snapshot->state = state_;
  for (const RtlHart& hart : harts_) snapshot->harts.push_back(hart.past());
  return snapshot;
}

void tz_engine::restore(const Snapshot& snapshot) {
  RestoreFromMemory stream(snapshot.design);
  stream >> *top_;
  state_ = snapshot.state;
  for (std::uint32_t hart = 0; hart < kHarts; ++hart) harts_[hart].restore(snapshot.harts[hart]);
}

tz_status tz_engine::set_line(std::uint32_t hart, std::uint32_t line, std::uint32_t level) {
#define TZ_LINES(hart, isa, interrupts, hart_id, reset_vector, lines, ...) lines,
  static constexpr std::uint32_t kLines[] = {TZ_HARTS(TZ_LINES)};
#undef TZ_LINES
  if (hart >= kHarts) {
    return fail(TZ_ERR_ARGUMENT, "configuration '" TZ_CONFIG "' has no hart " + std::to_string(hart));
  }
  if (line >= kLines[hart]) {
    return fail(TZ_ERR_ARGUMENT, "configuration '" TZ_CONFIG "' has no interrupt line " + std::to_string(line));
  }
  std::uint64_t& lines = state_.harts[hart].lines;
  const std::uint64_t bit = std::uint64_t{1} << line;
  lines = level != 0 ? lines | bit : lines & ~bit;
  if (!state_.held) drive_lines(hart);
  return TZ_OK;
}

tz_status tz_engine::jtag(std::uint32_t pins, std::uint32_t& tdo) {
  if (TZ_JTAG == 0) {
    return fail(TZ_ERR_SUPPORT, "configuration '" TZ_CONFIG "' has no JTAG port; set core.debug: true");
  }
  const auto pin = [&](tz_jtag_pin one) { return (pins & one) != 0; };
  tdo = io_->jtag_tdo_o;
  io_->jtag_tck_i = pin(TZ_JTAG_TCK);
  io_->jtag_tms_i = pin(TZ_JTAG_TMS);
  io_->jtag_tdi_i = pin(TZ_JTAG_TDI);
  io_->jtag_trst_ni = !pin(TZ_JTAG_RESET);
  return TZ_OK;
}

void tz_engine::console_input(const std::uint8_t* data, std::size_t size) {
  state_.console_in.insert(state_.console_in.end(), data, data + size);
}

tz_status tz_engine::set_wait_states(std::uint32_t instr, std::uint32_t data, std::uint32_t seed) {
  if (instr > 255 || data > 255) return fail(TZ_ERR_ARGUMENT, "wait-state chances are 0 to 255");
  io_->wait_instr_i = static_cast<std::uint8_t>(instr);
  io_->wait_data_i = static_cast<std::uint8_t>(data);
  io_->wait_seed_i = seed;
  return TZ_OK;
}
