// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The verilated SoC as an engine.
 *
 * One cycle is: inputs of cycle n, outputs of cycle n, rising edge (which ends cycle n). Outputs come from registers
 * and do not depend on inputs of the same cycle. Retirement records and what else is shown of harts (rvfi_pkg,
 * observe_pkg in hw/common) are plain ports of the top, arrays by hart. Beyond ports, the engine looks at the memory
 * arrays alone.
 */
#ifndef TRAPEZE_SIM_RTL_RTL_ENGINE_H
#define TRAPEZE_SIM_RTL_RTL_ENGINE_H

#include <Vsim.h>
#include <Vsim___024root.h>
#include <engine_config.h>
#include <verilated.h>
#if VM_TRACE_FST
#include <verilated_fst_c.h>
#elif VM_TRACE_VCD
#include <verilated_vcd_c.h>
#endif

#include <array>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/debug.h"
#include "kernel/engine.h"
#include "rtl/rtl_hart.h"

namespace trapeze::rtl {

constexpr bool kWave = VM_TRACE != 0;
#if VM_TRACE_FST
using Waves = VerilatedFstC;
#elif VM_TRACE_VCD
using Waves = VerilatedVcdC;
#endif
/** Time units of a cycle in waves: the clock is high in the first half. */
constexpr std::uint64_t kCycleTime = 10;

constexpr std::uint32_t kHarts = TZ_NUM_HARTS;

/** A memory array of the design, by its region. */
struct Memory {
  std::uint64_t base;
  std::uint64_t size;
  std::uint8_t* data;  // words in host order, so bytes are in target order on a little-endian host
};
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "memory arrays are accessed as bytes");

/** A word that an AMO has changed, and that its bank has not taken yet (tz_amo). Until then nobody else reaches the
 * bank. */
struct PendingWord {
  std::uint8_t* data;    ///< in the memory
  std::uint32_t result;  ///< what the bank will take
  std::uint32_t shown;   ///< what a debugger sees: the same, or what it has written since
};

/** Words of frames that the frame port has still to store, each with what it will store, at one boundary. */
struct FrameWords {
  std::uint64_t cycle = 0;
  bool held = false;
  std::vector<std::pair<std::uint8_t*, std::uint32_t>> words;
};

/** State of a hart after a step of a debugger. */
struct Held {
  bool retired = false;        ///< with State::held: an instruction of it retires in that cycle
  bool entered_ahead = false;  ///< a handler was entered while the instruction before it was still on its way
  std::uint8_t rd = 0;         ///< with `retired`: the register that the edge writes, and its value
  std::uint64_t rd_value = 0;
  std::uint64_t pc = 0;  ///< address of the next instruction
};

/** State of a hart that the engine keeps and the design does not have. */
struct HartState {
  std::uint64_t lines = 0;  ///< levels of the hart's lines from the next cycle on
  Held held;
};

/** State that the engine keeps and the design does not have. A snapshot is this, the past of the harts, and the state
 * of the design. */
struct State {
  std::uint64_t cycle = 0;
  std::uint64_t retired = 0;  ///< number of instructions that all harts have retired
  std::uint64_t signals = 0;  ///< levels of the signals in the last cycle
  std::uint32_t exits = 0;    ///< harts whose exit was reported
  std::uint32_t exiting = 0;  ///< harts whose exit was reported for the first time in the last cycle
  bool held = false;          ///< in the middle of a cycle: the edge that ends it is still to come
  std::array<HartState, kHarts> harts;
  std::deque<std::uint8_t> console_in;
  std::vector<PendingWord> pending;  ///< in debugged runs
};

struct Snapshot {
  std::vector<std::uint8_t> design;
  State state;
  std::vector<RtlHart::Past> harts;
};

/** Signals whose rises are reported, by their bits of signal_o; those of a hart follow the platform's, hart by hart. */
constexpr const char* kSignals[] = {"timer_irq", "data_ready", "read_done", "uart_irq", TZ_HART_SIGNALS};
static_assert(std::size(kSignals) <= 64);

}  // namespace trapeze::rtl

struct tz_engine {
 public:
  /** `reset_seed`: of the registers without reset; 0: they are zero. */
  explicit tz_engine(std::uint32_t reset_seed);
  ~tz_engine();
  tz_engine(const tz_engine&) = delete;
  tz_engine& operator=(const tz_engine&) = delete;

  /** Makes this instance the one that Verilator's library works on in this thread. */
  void select() { Verilated::threadContextp(&context_); }

  void reset();
  std::uint64_t cycle() const { return state_.cycle; }
  /** The memory of a hart at an address; null if no region of it holds all of the range. */
  std::uint8_t* locate(std::uint32_t hart, std::uint64_t address, std::size_t size);
  void run(const tz_run_args& args, tz_run_result& result);
  std::unique_ptr<trapeze::rtl::Snapshot> save();
  void restore(const trapeze::rtl::Snapshot& snapshot);

  tz_status set_line(std::uint32_t hart, std::uint32_t line, std::uint32_t level);
  tz_status set_wait_states(std::uint32_t instr, std::uint32_t data, std::uint32_t seed);
  void console_input(const std::uint8_t* data, std::size_t size);
  tz_status jtag(std::uint32_t pins, std::uint32_t& tdo);
  tz_status fail(tz_status status, std::string text) {
    error = std::move(text);
    return status;
  }

#ifdef TZ_DEBUG
  void step(const tz_run_args& args, tz_step_result& result);
  tz_status read_register(std::uint32_t hart, std::uint32_t number, std::uint64_t& value);
  tz_status read_bus(std::uint32_t hart, std::uint64_t address, std::uint32_t lanes, std::uint32_t& value);
  /** Memory, whose range locate() has found, as the instructions that have retired left it. */
  void read_memory(const std::uint8_t* memory, void* data, std::size_t size);
  void write_memory(std::uint8_t* memory, const void* data, std::size_t size);
#endif

  std::string error;
#if VM_TRACE
  tz_status open_wave(const char* path);
  std::unique_ptr<trapeze::rtl::Waves> wave;
#endif

 private:
  using Stop = tz_stop;
  void clock();
  void idle();
  void dump(std::uint64_t time);
  bool exits();
  void report(const tz_run_args& args, tz_run_result& result) const;
  void begin_cycle();
  void end_cycle();
  bool signals_change(const tz_run_args& args, tz_run_result& result);
  bool watch(const tz_run_args& args, tz_run_result& result);
  bool show_posts(const tz_run_args& args, tz_run_result& result) const;
  Stop around_instructions(const tz_run_args& args, tz_run_result& result);
  bool asleep() const;
  void release();
  void drive_lines(std::uint32_t hart);
#ifdef TZ_DEBUG
  Stop observe(const tz_run_args& args, tz_run_result& result);
  void follow_pc(const tz_retire& record);
  void await_word(const tz_retire& record);
  void settle_words();
  bool frames_leave() const;
  const trapeze::rtl::FrameWords& leaving_words();
  bool inspect(std::uint32_t hart, bool csr, std::uint32_t number, std::uint64_t& value);
  std::uint64_t through_table(std::uint32_t hart, std::uint64_t entry);
#endif

  VerilatedContext context_;
  std::unique_ptr<Vsim> top_;
  Vsim___024root* io_ = nullptr;
  std::array<std::vector<trapeze::rtl::Memory>, trapeze::rtl::kHarts> memories_;
  trapeze::rtl::State state_;
  std::vector<trapeze::rtl::RtlHart> harts_;
#ifdef TZ_DEBUG
  std::optional<trapeze::rtl::FrameWords> leaving_;  ///< words of the boundary at which memory was read last
#endif
};

/**
 * What `Vsim::eval` does of the design. Around it `eval` serves queues of messages and of objects to be deleted, which
 * only assertions and classes fill: but for its variant with waves this engine has neither, and saves a thirtieth of
 * the time. Verilator's name.
 */
void Vsim___024root___eval(Vsim___024root* root);

/** Cycle n up to its edge: inputs applied, outputs valid. */
inline void tz_engine::begin_cycle() {
  if (!state_.console_in.empty()) {
    io_->uart_rx_valid_i = 1;
    io_->uart_rx_data_i = state_.console_in.front();
  }
  if constexpr (trapeze::rtl::kWave) {
    top_->eval();
    dump(state_.cycle * trapeze::rtl::kCycleTime);
    io_->clk_i = 0;
    io_->clk_bench_i = 0;
    top_->eval();
    dump(state_.cycle * trapeze::rtl::kCycleTime + trapeze::rtl::kCycleTime / 2);
  } else {
    // Nothing happens at falling edges: forgetting the high clock instead of evaluating the low one saves a tenth of
    // the time. The names are Verilator's (its version is pinned); others would not compile.
    io_->__Vtrigprevexpr___TOP__clk_i__0 = 0;
    io_->__Vtrigprevexpr___TOP__clk_bench_i__0 = 0;
  }
}

/** The edge that ends the cycle. */
inline void tz_engine::end_cycle() {
  const bool received = io_->uart_rx_valid_i != 0 && io_->uart_rx_ready_o != 0;
  io_->clk_i = 1;
  io_->clk_bench_i = io_->bench_active_o;  // a block that rests costs nothing
  if constexpr (trapeze::rtl::kWave) {
    top_->eval();
  } else {
    Vsim___024root___eval(io_);
  }
  if (received) {
    state_.console_in.pop_front();
    io_->uart_rx_valid_i = 0;
  }
  ++state_.cycle;
}

#endif  // TRAPEZE_SIM_RTL_RTL_ENGINE_H
