// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The verilated SoC behind the engine interface. One library for each configuration; what differs between them is in
// engine_config.h, which CMake writes.
//
// One cycle is: inputs of cycle n, outputs of cycle n, rising edge (which ends cycle n). Outputs come from registers
// and do not depend on inputs of the same cycle. Retirement records are plain ports of the top; nothing here looks into
// the design except at the memory arrays, for loading.
#include <Vsim.h>
#include <Vsim___024root.h>
#include <engine_config.h>
#include <verilated.h>
#if VM_TRACE
#include <verilated_fst_c.h>
#endif

#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernel/engine.h"
#include "rtl/snapshot.h"

namespace {

using trapeze::rtl::RestoreFromMemory;
using trapeze::rtl::SaveToMemory;

constexpr bool kWave = VM_TRACE != 0;
/** Time units of a cycle in waves: the clock is high in the first half. */
constexpr std::uint64_t kCycleTime = 10;
/** Clock cycles in reset. */
constexpr int kResetCycles = 4;

/** A failure in the verilated design: an assertion or $fatal. */
class DesignError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** A memory array of the design, by its region. */
struct Memory {
  std::uint64_t base;
  std::uint64_t size;
  std::uint8_t* data;  // words in host order, so bytes are in target order on a little-endian host
};
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "memory arrays are accessed as bytes");

#define TZ_REGION(name, base, size, member) tz_region{name, base, size},
constexpr tz_region kRegions[] = {TZ_MEMORIES(TZ_REGION)};
#undef TZ_REGION

constexpr tz_engine_info kInfo = {
    "rtl",
    TZ_CONFIG,
    TZ_ISA,
    kWave ? TZ_CAP_CYCLES " " TZ_CAP_WAIT " " TZ_CAP_SNAPSHOT " " TZ_CAP_WAVE
          : TZ_CAP_CYCLES " " TZ_CAP_WAIT " " TZ_CAP_SNAPSHOT,
    kRegions,
    static_cast<std::uint32_t>(std::size(kRegions)),
    TZ_LINES,
    TZ_LINE_ID_BASE,
    1,
    TZ_RESET_VECTOR,
};

struct Snapshot {
  std::vector<std::uint8_t> design;
  std::deque<std::uint8_t> console_input;
  std::uint64_t cycle = 0;
  std::uint64_t retired = 0;
};

}  // namespace

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
  std::unique_ptr<Snapshot> save();
  void restore(const Snapshot& snapshot);

  tz_status set_line(std::uint32_t line, std::uint32_t level);
  tz_status set_wait_states(std::uint32_t instr, std::uint32_t data, std::uint32_t seed);
  tz_status fail(tz_status status, std::string text) {
    error = std::move(text);
    return status;
  }

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

  VerilatedContext context_;
  std::unique_ptr<Vsim> top_;
  Vsim___024root* io_ = nullptr;
  std::vector<Memory> memories_;
  std::uint64_t cycle_ = 0;
  std::uint64_t retired_ = 0;
};

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
  top_->eval();
  io_->clk_i = 1;
  top_->eval();
}

void tz_engine::reset() {
  console_in.clear();
  io_->irq_i = 0;
  io_->uart_rx_valid_i = 0;
  // Released, asserted, released: asynchronous resets need the edge.
  io_->rst_ni = 1;
  clock();
  io_->rst_ni = 0;
  for (int i = 0; i < kResetCycles; ++i) clock();
  io_->rst_ni = 1;
  cycle_ = 0;
  retired_ = 0;
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

void tz_engine::run(const tz_run_args& args, tz_run_result& result) {
  Vsim___024root& io = *io_;
  Vsim& top = *top_;
  const std::uint64_t retired_limit = args.max_retired == 0 ? ~std::uint64_t{0} : retired_ + args.max_retired;
  result = {};
  result.stop = TZ_STOP_CYCLES;
  bool running = cycle_ < args.until_cycle;
  const auto stop = [&](tz_stop reason) {
    running = false;
    if (reason > result.stop) result.stop = reason;
  };

  while (running) {
    if (!console_in.empty()) {
      io.uart_rx_valid_i = 1;
      io.uart_rx_data_i = console_in.front();
    }
    if constexpr (kWave) {
      top.eval();
      dump(cycle_ * kCycleTime);
      io.clk_i = 0;
      top.eval();
      dump(cycle_ * kCycleTime + kCycleTime / 2);
    } else {
      // Nothing happens at falling edges: forgetting the high clock instead of evaluating the low one saves a tenth of
      // the time. The name is Verilator's (its version is pinned); another one would not compile.
      io.__Vtrigprevexpr___TOP__clk_i__0 = 0;
    }

    if (io.rvfi_valid_o != 0) {
      const std::uint32_t insn = io.rvfi_insn_o;
      retired_ += io.rvfi_trap_o == 0;
      const bool marker = (insn & 0x800fffffU) == 0x00002013U && (insn >> 20) != 0;
      if (args.select != 0 &&
          ((args.select & TZ_SELECT_ALL) != 0 || ((args.select & TZ_SELECT_MARKERS) != 0 && marker) ||
           ((args.select & TZ_SELECT_HANDLERS) != 0 && io.rvfi_intr_o != 0))) {
        fill_record(args.records[result.num_records++]);
        if (result.num_records == args.records_capacity) stop(TZ_STOP_RECORDS);
      }
      if (retired_ >= retired_limit) stop(TZ_STOP_RETIRED);
    }
    if (io.irq_event_valid_o != 0) {
      result.claimed = 1;
      result.claim = {cycle_, io.irq_event_epc_o, io.irq_event_id_o, 0, io.irq_event_level_o};
      stop(TZ_STOP_CLAIM);
    }
    if (io.uart_tx_valid_o != 0 && args.console != nullptr) {
      args.console[result.console_bytes++] = io.uart_tx_data_o;
      if (result.console_bytes == args.console_capacity) stop(TZ_STOP_CONSOLE);
    }
    if (io.exit_valid_o != 0) {
      result.exit_code = io.exit_code_o;
      stop(TZ_STOP_EXIT);
    }
    const bool received = io.uart_rx_valid_i != 0 && io.uart_rx_ready_o != 0;

    io.clk_i = 1;
    top.eval();
    if (received) {
      console_in.pop_front();
      io.uart_rx_valid_i = 0;
    }
    if (++cycle_ >= args.until_cycle) running = false;
  }
  result.cycle = cycle_;
  result.retired = retired_;
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
  return snapshot;
}

void tz_engine::restore(const Snapshot& snapshot) {
  RestoreFromMemory stream(snapshot.design);
  stream >> *top_;
  console_in = snapshot.console_input;
  cycle_ = snapshot.cycle;
  retired_ = snapshot.retired;
}

tz_status tz_engine::set_line(std::uint32_t line, std::uint32_t level) {
  if (line >= TZ_LINES) {
    return fail(TZ_ERR_ARGUMENT, "configuration '" TZ_CONFIG "' has no interrupt line " + std::to_string(line));
  }
  const auto bit = static_cast<std::uint16_t>(1U << line);
  io_->irq_i = static_cast<std::uint16_t>(level != 0 ? io_->irq_i | bit : io_->irq_i & ~bit);
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

namespace {

/** Runs `body` and turns exceptions into a status. */
template <typename Body>
tz_status guarded(tz_engine* engine, Body&& body) {
  try {
    engine->select();
    return body();
  } catch (const std::exception& error) {
#if VM_TRACE
    // A writer that failed would fail again in its destructor, where it cannot be reported: give it up.
    static_cast<void>(engine->wave.release());
#endif
    return engine->fail(TZ_ERR_INTERNAL, error.what());
  }
}

tz_engine* engine_create() {
  try {
    return new tz_engine;
  } catch (const std::exception&) {
    return nullptr;
  }
}

void engine_destroy(tz_engine* engine) {
  delete engine;
}
const tz_engine_info* engine_info(const tz_engine*) {
  return &kInfo;
}
const char* engine_last_error(const tz_engine* engine) {
  return engine->error.c_str();
}

tz_status engine_reset(tz_engine* engine) {
  return guarded(engine, [&] {
    engine->reset();
    return TZ_OK;
  });
}

tz_status no_memory(tz_engine* engine, std::uint64_t address, std::size_t size) {
  char text[96];
  std::snprintf(text, sizeof text, "no memory holds all of the %zu bytes at 0x%08llx", size,
                static_cast<unsigned long long>(address));
  return engine->fail(TZ_ERR_ADDRESS, text);
}

tz_status engine_read(tz_engine* engine, std::uint64_t address, void* data, std::size_t size) {
  const std::uint8_t* memory = engine->locate(address, size);
  if (memory == nullptr) return no_memory(engine, address, size);
  std::memcpy(data, memory, size);
  return TZ_OK;
}

tz_status engine_write(tz_engine* engine, std::uint64_t address, const void* data, std::size_t size) {
  std::uint8_t* memory = engine->locate(address, size);
  if (memory == nullptr) return no_memory(engine, address, size);
  std::memcpy(memory, data, size);
  return TZ_OK;
}

tz_status engine_set_line(tz_engine* engine, std::uint32_t line, std::uint32_t level) {
  return engine->set_line(line, level);
}

tz_status engine_set_wait_states(tz_engine* engine, std::uint32_t instr, std::uint32_t data, std::uint32_t seed) {
  return engine->set_wait_states(instr, data, seed);
}

tz_status engine_console_input(tz_engine* engine, const std::uint8_t* data, std::size_t size) {
  engine->console_in.insert(engine->console_in.end(), data, data + size);
  return TZ_OK;
}

tz_status engine_run(tz_engine* engine, const tz_run_args* args, tz_run_result* result) {
  const tz_status status = guarded(engine, [&] {
    engine->run(*args, *result);
    return TZ_OK;
  });
  if (status != TZ_OK) result->stop = TZ_STOP_ERROR;
  return status;
}

void* engine_save(tz_engine* engine) {
  Snapshot* snapshot = nullptr;
  guarded(engine, [&] {
    snapshot = engine->save().release();
    return TZ_OK;
  });
  return snapshot;
}

tz_status engine_restore(tz_engine* engine, const void* snapshot) {
  return guarded(engine, [&] {
    engine->restore(*static_cast<const Snapshot*>(snapshot));
    return TZ_OK;
  });
}

void engine_snapshot_free(tz_engine*, void* snapshot) {
  delete static_cast<Snapshot*>(snapshot);
}

tz_status engine_wave_open(tz_engine* engine, [[maybe_unused]] const char* path) {
#if VM_TRACE
  return guarded(engine, [&] { return engine->open_wave(path); });
#else
  return engine->fail(TZ_ERR_SUPPORT, "this engine is built without waves; use the library rtl-" TZ_CONFIG "-wave.so");
#endif
}

tz_status engine_wave_close(tz_engine* engine) {
  return guarded(engine, [&] {
#if VM_TRACE
    if (engine->wave) engine->wave->close();
    engine->wave.reset();
#endif
    return TZ_OK;
  });
}

constexpr tz_engine_api kApi = {
    TZ_ENGINE_ABI,          sizeof(tz_engine_api), engine_create,     engine_destroy, engine_info,
    engine_last_error,      engine_reset,          engine_read,       engine_write,   engine_set_line,
    engine_set_wait_states, engine_console_input,  engine_run,        engine_save,    engine_restore,
    engine_snapshot_free,   engine_wave_open,      engine_wave_close,
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const tz_engine_api* tz_engine_get(std::uint32_t abi) {
  return abi == TZ_ENGINE_ABI ? &kApi : nullptr;
}
