// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// An engine for tests: one memory and a machine that executes one instruction a cycle and knows few of them:
//   li a0, N   sets the exit code        li a1, N   prints byte N        jal x0   jumps
//   slti x0, x0, N  a marker             mret       ends a handler       ebreak   ends the program
//   li a2, N   drives the signals "low" and "high" to bits 0 and 1 of N
// Anything else does nothing. A line that is high is claimed in the next cycle, unless a handler runs; handlers begin
// at base + 0x100. Stamps: fetch two cycles and execute one cycle before retirement.
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "kernel/engine.h"

namespace {

constexpr std::uint64_t kBase = 0x80000000;
constexpr std::uint64_t kSize = 0x1000;
constexpr std::uint64_t kHandler = kBase + 0x100;
constexpr unsigned kLines = 4;
constexpr unsigned kLineIdBase = 16;

constexpr tz_region kRegions[] = {{"ram", kBase, kSize, 0}};
constexpr const char* kSignals[] = {"low", "high"};
constexpr tz_hart_info kHarts[] = {{
    .isa = "rv32imc_zicsr",
    .interrupts = TZ_IRQ_CLINT,
    .regions = kRegions,
    .hart_id = 0,
    .reset_vector = kBase,
    .xlen = 32,
    .num_regions = 1,
    .num_lines = kLines,
    .line_id_base = kLineIdBase,
    .line_delay = 0,
    .num_sources = 0,
}};
constexpr tz_engine_info kInfo = {
    .engine = "fake",
    .config = "fake",
    .capabilities = TZ_CAP_CYCLES " " TZ_CAP_SNAPSHOT,
    .harts = kHarts,
    .num_harts = 1,
    .num_signals = 2,
    .signals = kSignals,
};

struct Machine {
  std::uint8_t memory[kSize] = {};
  std::uint64_t cycle = 0;
  std::uint64_t retired = 0;
  std::uint32_t pc = kBase;
  std::uint32_t epc = 0;
  std::uint32_t exit_code = 0;
  std::uint32_t lines = 0;    ///< driven by the host
  std::uint32_t sampled = 0;  ///< one cycle later
  unsigned signals = 0;
  unsigned claimed_id = 0;
  bool in_handler = false;
  bool first_of_handler = false;
  bool returned = false;  ///< by the last instruction
};

}  // namespace

struct tz_engine {
  Machine m;
  std::string error;
};

namespace {

bool selected(std::uint32_t select, std::uint32_t insn, bool intr, bool returned) {
  return (select & TZ_SELECT_ALL) != 0 || ((select & TZ_SELECT_MARKERS) != 0 && (insn & 0xfffff) == 0x2013) ||
         ((select & TZ_SELECT_HANDLERS) != 0 && intr) ||
         ((select & TZ_SELECT_TRAPS) != 0 && (returned || insn == 0x30200073));
}

void record(const Machine& m, std::uint32_t insn, std::uint32_t next, tz_retire& r) {
  r = {};
  r.order = m.retired;
  r.cycle_fetch = m.cycle - (m.cycle < 2 ? m.cycle : 2);
  r.cycle_ex = m.cycle - (m.cycle < 1 ? m.cycle : 1);
  r.cycle_retire = m.cycle;
  r.pc = m.pc;
  r.pc_next = next;
  r.insn = insn;
  r.mode = 3;
  if ((insn & 0xfffff) == 0x513) {
    r.rd = 10;
    r.rd_value = insn >> 20;
  }
  if (m.first_of_handler) {
    r.flags = TZ_RETIRE_INTR | TZ_RETIRE_IRQ;
    r.irq_id = static_cast<std::uint16_t>(m.claimed_id);
  }
}

/** One cycle. Returns the reason to stop, or TZ_STOP_CYCLES. */
tz_stop step(Machine& m, const tz_run_args& args, tz_run_result& result) {
  tz_stop stop = TZ_STOP_CYCLES;
  const std::uint32_t pending = m.sampled;
  m.sampled = m.lines;
  if (pending != 0 && !m.in_handler) {
    unsigned line = 0;
    while (((pending >> line) & 1) == 0) ++line;
    m.claimed_id = kLineIdBase + line;
    if (args.claims != nullptr) {
      args.claims[result.num_claims++] = {m.cycle, m.pc, static_cast<std::uint16_t>(m.claimed_id), 0, 0};
    }
    m.in_handler = m.first_of_handler = true;
    m.epc = m.pc;
    m.pc = kHandler;
    stop = TZ_STOP_CLAIM;
  } else {
    std::uint32_t insn = 0;
    std::memcpy(&insn, m.memory + (m.pc - kBase) % kSize, 4);
    std::uint32_t next = m.pc + 4;
    if ((insn & 0xfff) == 0x6f) {
      const auto offset = static_cast<std::int32_t>((insn & 0x80000000U) | ((insn & 0xff000) << 11) |
                                                    ((insn & 0x100000) << 2) | ((insn & 0x7fe00000) >> 9)) >>
                          11;
      next = m.pc + static_cast<std::uint32_t>(offset);
    }
    if (insn == 0x30200073) next = m.epc;
    if (selected(args.select, insn, m.first_of_handler, m.returned)) {
      record(m, insn, next, args.records[result.num_records++]);
      if (result.num_records == args.records_capacity) stop = TZ_STOP_RECORDS;
    }
    m.first_of_handler = false;
    m.returned = insn == 0x30200073;
    if (m.returned) m.in_handler = false;
    if ((insn & 0xfffff) == 0x513) m.exit_code = insn >> 20;
    if ((insn & 0xfffff) == 0x593 && args.console != nullptr) {
      args.console[result.console_bytes++] = static_cast<std::uint8_t>(insn >> 20);
      if (result.console_bytes == args.console_capacity) stop = TZ_STOP_CONSOLE;
    }
    if ((insn & 0xfffff) == 0x613) {
      for (unsigned i = 0; i < 2 && args.rises != nullptr; ++i) {
        if ((((insn >> 20) & ~m.signals) >> i & 1U) != 0) args.rises[result.num_rises++] = {m.cycle, i};
      }
      m.signals = insn >> 20;
      if (args.rises != nullptr && result.num_rises + 2 > args.rises_capacity) stop = TZ_STOP_RECORDS;
    }
    if (insn == 0x00100073) stop = TZ_STOP_EXIT;
    m.pc = next;
    ++m.retired;
  }
  ++m.cycle;
  return stop;
}

tz_engine* create() {
  return new tz_engine;
}
void destroy(tz_engine* engine) {
  delete engine;
}
const tz_engine_info* info(const tz_engine*) {
  return &kInfo;
}
const char* last_error(const tz_engine* engine) {
  return engine->error.c_str();
}

tz_status reset(tz_engine* engine) {
  Machine fresh;
  std::memcpy(fresh.memory, engine->m.memory, kSize);
  engine->m = fresh;
  return TZ_OK;
}

bool inside(std::uint64_t address, std::size_t size) {
  return address >= kBase && size <= kSize && address - kBase <= kSize - size;
}

tz_status read_memory(tz_engine* engine, std::uint32_t, std::uint64_t address, void* data, std::size_t size) {
  if (!inside(address, size)) return TZ_ERR_ADDRESS;
  std::memcpy(data, engine->m.memory + (address - kBase), size);
  return TZ_OK;
}

tz_status write_memory(tz_engine* engine, std::uint32_t, std::uint64_t address, const void* data, std::size_t size) {
  if (!inside(address, size)) return TZ_ERR_ADDRESS;
  std::memcpy(engine->m.memory + (address - kBase), data, size);
  return TZ_OK;
}

tz_status set_line(tz_engine* engine, std::uint32_t, std::uint32_t line, std::uint32_t level) {
  if (line >= kLines) return TZ_ERR_ARGUMENT;
  engine->m.lines = (engine->m.lines & ~(1U << line)) | (level << line);
  return TZ_OK;
}

tz_status set_wait_states(tz_engine* engine, std::uint32_t, std::uint32_t, std::uint32_t) {
  engine->error = "no wait states";
  return TZ_ERR_SUPPORT;
}

tz_status console_input(tz_engine*, const std::uint8_t*, std::size_t) {
  return TZ_OK;
}

tz_status run(tz_engine* engine, const tz_run_args* args, tz_run_result* result) {
  *result = {};
  Machine& m = engine->m;
  const std::uint64_t limit = args->max_retired == 0 ? ~std::uint64_t{0} : m.retired + args->max_retired;
  while (m.cycle < args->until_cycle && result->stop == TZ_STOP_CYCLES) {
    result->stop = step(m, *args, *result);
    if (result->stop == TZ_STOP_CYCLES && m.retired >= limit) result->stop = TZ_STOP_RETIRED;
  }
  result->cycle = m.cycle;
  result->retired = m.retired;
  const bool exited = result->stop == TZ_STOP_EXIT;
  if (args->harts != nullptr) args->harts[0] = {m.pc, m.cycle, m.retired, 0, exited, exited ? m.exit_code : 0};
  return TZ_OK;
}

void* snapshot_save(tz_engine* engine) {
  return new Machine(engine->m);
}
tz_status snapshot_restore(tz_engine* engine, const void* snapshot) {
  engine->m = *static_cast<const Machine*>(snapshot);
  return TZ_OK;
}
void snapshot_free(tz_engine*, void* snapshot) {
  delete static_cast<Machine*>(snapshot);
}

tz_status wave_open(tz_engine* engine, const char*) {
  engine->error = "no waves";
  return TZ_ERR_SUPPORT;
}
tz_status wave_close(tz_engine*) {
  return TZ_OK;
}

constexpr tz_engine_api kApi = {
    TZ_ENGINE_ABI,    sizeof(tz_engine_api), create,    destroy,         info,          last_error, reset,
    read_memory,      write_memory,          set_line,  set_wait_states, console_input, run,        snapshot_save,
    snapshot_restore, snapshot_free,         wave_open, wave_close};

}  // namespace

extern "C" __attribute__((visibility("default"))) const tz_engine_api* tz_engine_get(std::uint32_t abi) {
  return abi == TZ_ENGINE_ABI ? &kApi : nullptr;
}
