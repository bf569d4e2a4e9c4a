// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The verilated SoC as an engine.
 *
 * One cycle is: inputs of cycle n, outputs of cycle n, rising edge (which ends cycle n). Outputs come from registers
 * and do not depend on inputs of the same cycle. Retirement records are plain ports of the top. Beyond them, the normal
 * library looks at the memory arrays only, for loading; the variant with waves and registers (TZ_DEBUG) also at what
 * registers.vlt names.
 */
#ifndef TRAPEZE_SIM_RTL_RTL_ENGINE_H
#define TRAPEZE_SIM_RTL_RTL_ENGINE_H

#include <Vsim.h>
#include <Vsim___024root.h>
#include <verilated.h>
#if VM_TRACE
#include <verilated_fst_c.h>
#endif

#include <cstdint>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernel/debug.h"
#include "kernel/engine.h"

namespace trapeze::rtl {

constexpr bool kWave = VM_TRACE != 0;
/** Time units of a cycle in waves: the clock is high in the first half. */
constexpr std::uint64_t kCycleTime = 10;

/** A failure in the verilated design: an assertion or $fatal. */
class DesignError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** What was reported last of what tz_activity tells. */
struct Watched {
  static constexpr std::uint32_t kNothing = ~std::uint32_t{0};
  std::uint32_t level = kNothing;
  std::uint32_t banks = kNothing;
  bool requested = false;   ///< the frame port's request was not granted yet ...
  std::uint64_t since = 0;  ///< ... and began in this cycle
};

/** A memory array of the design, by its region. */
struct Memory {
  std::uint64_t base;
  std::uint64_t size;
  std::uint8_t* data;  // words in host order, so bytes are in target order on a little-endian host
};
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "memory arrays are accessed as bytes");

/** Where a debugger's step has left the engine. */
struct Hold {
  bool held = false;           ///< in the middle of a cycle: the edge that ends it is still to come
  bool entered_ahead = false;  ///< a handler was entered while the instruction before it was still on its way
  std::uint8_t rd = 0;         ///< while held: the register that the edge writes, and its value
  std::uint64_t rd_value = 0;
  std::uint64_t pc = 0;     ///< of the next instruction
  std::uint64_t lines = 0;  ///< lines from the next cycle on
};

/** Where the program goes on after the last instruction retired, and the cycle of that. */
struct Place {
  std::uint64_t address = 0;
  std::uint64_t since = 0;
};

struct Snapshot {
  std::vector<std::uint8_t> design;
  std::deque<std::uint8_t> console_input;
  std::uint64_t cycle = 0;
  std::uint64_t retired = 0;
  Place pc;
  std::uint32_t signals = 0;
  bool returned = false;
  Watched watched;
  Hold hold;
};

/** Signals whose rises are reported, by their bits of probe_event_o. */
constexpr const char* kSignals[] = {"timer_irq", "data_ready", "read_done"};

}  // namespace trapeze::rtl

struct tz_engine {
 public:
  tz_engine();
  ~tz_engine();
  tz_engine(const tz_engine&) = delete;
  tz_engine& operator=(const tz_engine&) = delete;

  /** Makes this instance the one that Verilator's library works on in this thread. */
  void select() { Verilated::threadContextp(&context_); }

  void reset();
  std::uint8_t* locate(std::uint64_t address, std::size_t size);
  void run(const tz_run_args& args, tz_run_result& result);
  std::unique_ptr<trapeze::rtl::Snapshot> save();
  void restore(const trapeze::rtl::Snapshot& snapshot);

  tz_status set_line(std::uint32_t hart, std::uint32_t line, std::uint32_t level);
  tz_status set_wait_states(std::uint32_t instr, std::uint32_t data, std::uint32_t seed);
  tz_status fail(tz_status status, std::string text) {
    error = std::move(text);
    return status;
  }

#ifdef TZ_DEBUG
  void step(const tz_run_args& args, tz_step_result& result);
  tz_status read_register(std::uint32_t hart, std::uint32_t number, std::uint64_t& value);
#endif

  std::string error;
  std::deque<std::uint8_t> console_in;
#if VM_TRACE
  tz_status open_wave(const char* path);
  std::unique_ptr<VerilatedFstC> wave;
#endif

 private:
  void clock();
  void dump(std::uint64_t time);
  void fill_record(tz_retire& record) const;
  void claim(const tz_run_args& args, tz_run_result& result) const;
  void report(const tz_run_args& args, tz_run_result& result) const;
  bool changes_handlers();
  void begin_cycle();
  void end_cycle();
  bool signals_change(const tz_run_args& args, tz_run_result& result);
  bool watch(const tz_run_args& args, tz_run_result& result);
  bool asleep() const;
  void release();
  void drive_lines();
#ifdef TZ_DEBUG
  bool observe(const tz_run_args& args, tz_run_result& result);
  bool between_instructions() const;
  void follow_pc(const tz_retire& record);
  bool read_csr(std::uint32_t number, std::uint64_t& value);
  std::uint32_t read_integer(std::uint32_t number) const;
  std::uint64_t through_table(std::uint64_t entry);
#endif

  VerilatedContext context_;
  std::unique_ptr<Vsim> top_;
  Vsim___024root* io_ = nullptr;
  std::vector<trapeze::rtl::Memory> memories_;
  std::uint64_t cycle_ = 0;
  std::uint64_t retired_ = 0;
  trapeze::rtl::Place pc_;
  std::uint32_t exit_code_ = 0;  ///< written last
  std::uint32_t signals_ = 0;    ///< levels in the last cycle
  bool returned_ = false;        ///< the last instruction that retired was a return from a handler
  trapeze::rtl::Watched watched_;
  trapeze::rtl::Hold hold_;
};

/** Cycle n up to its edge: inputs applied, outputs valid. */
inline void tz_engine::begin_cycle() {
  if (!console_in.empty()) {
    io_->uart_rx_valid_i = 1;
    io_->uart_rx_data_i = console_in.front();
  }
  if constexpr (trapeze::rtl::kWave) {
    top_->eval();
    dump(cycle_ * trapeze::rtl::kCycleTime);
    io_->clk_i = 0;
    io_->clk_bench_i = 0;
    top_->eval();
    dump(cycle_ * trapeze::rtl::kCycleTime + trapeze::rtl::kCycleTime / 2);
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
  top_->eval();
  if (received) {
    console_in.pop_front();
    io_->uart_rx_valid_i = 0;
  }
  ++cycle_;
}

#endif  // TRAPEZE_SIM_RTL_RTL_ENGINE_H
