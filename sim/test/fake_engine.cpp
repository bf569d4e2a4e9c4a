// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// An engine for tests: FAKE_HARTS harts, each with a memory of its own and, if there are several, one that all see. A
// hart executes one instruction a cycle and knows few of them:
//   li rd, N          writes a register      csrr rd, mhartid   likewise       jal x0       jumps
//   slti x0, x0, N    a marker               mret       ends a handler         ebreak       exits with a0
//   li a1, N          prints byte N          li a2, N   drives the signals "low" and "high" to bits 0 and 1 of N
//   wfi               waits for a line
// The one of several harts has the interface for debuggers.
// Anything else does nothing. A line that is high is claimed in the next cycle, unless a handler runs; handlers begin
// at base + 0x100. Stamps: fetch two cycles and execute one cycle before retirement.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "kernel/debug.h"
#include "kernel/engine.h"

namespace {

constexpr std::uint64_t kBase = 0x80000000;
constexpr std::uint64_t kShared = 0x80300000;
constexpr std::uint64_t kSize = 0x1000;
constexpr std::uint64_t kHandler = kBase + 0x100;
constexpr unsigned kLines = 4;
constexpr unsigned kLineIdBase = 16;
constexpr unsigned kHarts = FAKE_HARTS;
/** mhartid of hart 0. It differs from the hart's number, so that a test notices if the two are mixed up. */
constexpr std::uint64_t kFirstId = kHarts > 1 ? 4 : 0;

constexpr std::uint32_t kMret = 0x30200073;
constexpr std::uint32_t kEbreak = 0x00100073;
constexpr std::uint32_t kWfi = 0x10500073;
constexpr std::uint32_t kReadHartId = 0xf1402073;
constexpr unsigned kA0 = 10, kA1 = 11, kA2 = 12;

constexpr tz_region kRegions[] = {{"ram", kBase, kSize, 0}, {"shared", kShared, kSize, 1}};
constexpr const char* kSignals[] = {"low", "high"};

constexpr std::array<tz_hart_info, kHarts> kInfos = [] {
  std::array<tz_hart_info, kHarts> all{};
  for (std::size_t n = 0; n < kHarts; ++n) {
    all[n] = {
        .isa = "rv32imc_zicsr",
        .interrupts = TZ_IRQ_CLINT,
        .regions = kRegions,
        .hart_id = kFirstId + n,
        .reset_vector = kBase,
        .xlen = 32,
        .num_regions = kHarts > 1 ? 2 : 1,
        .num_lines = kLines,
        .line_id_base = kLineIdBase,
        .line_delay = 0,
        .num_sources = 0,
    };
  }
  return all;
}();

constexpr tz_engine_info kInfo = {
    .engine = "fake",
    .config = kHarts > 1 ? "fake-trio" : "fake",
    .capabilities =
        kHarts > 1 ? TZ_CAP_CYCLES " " TZ_CAP_SNAPSHOT " " TZ_CAP_REGISTERS : TZ_CAP_CYCLES " " TZ_CAP_SNAPSHOT,
    .harts = kInfos.data(),
    .num_harts = kHarts,
    .num_signals = 2,
    .signals = kSignals,
};

struct Hart {
  std::array<std::uint8_t, kSize> memory = {};
  std::array<std::uint32_t, 32> x = {};
  std::uint64_t retired = 0;
  std::uint64_t since = 0;
  std::uint32_t pc = kBase;
  std::uint32_t epc = 0;
  std::uint32_t lines = 0;    ///< lines as the host drives them
  std::uint32_t sampled = 0;  ///< the same lines one cycle later
  unsigned claimed_id = 0;
  bool in_handler = false;
  bool first_of_handler = false;
  bool returned = false;  ///< the last instruction was a return
  bool asleep = false;
  bool exited = false;  ///< the hart exited in the last cycle
};

struct Machine {
  std::array<Hart, kHarts> harts;
  std::array<std::uint8_t, kSize> shared = {};
  std::uint64_t cycle = 0;
  unsigned signals = 0;

  std::uint64_t retired() const {
    std::uint64_t count = 0;
    for (const Hart& hart : harts) count += hart.retired;
    return count;
  }
  std::uint8_t* locate(std::uint32_t hart, std::uint64_t address, std::size_t size) {
    if (hart >= kHarts) return nullptr;
    for (std::uint32_t i = 0; i < kInfos[hart].num_regions; ++i) {
      const tz_region& region = kRegions[i];
      if (address < region.base || address - region.base >= kSize) continue;
      const std::uint64_t offset = address - region.base;
      if (size > kSize - offset) return nullptr;
      return (region.shared != 0 ? shared.data() : harts[hart].memory.data()) + offset;
    }
    return nullptr;
  }
};

}  // namespace

struct tz_engine {
  Machine m;
  std::string error;
};

namespace {

/** Result of a run so far. */
struct Run {
  const tz_run_args& args;
  tz_run_result& result;
  void stop(tz_stop reason) const { result.stop = std::max(result.stop, reason); }
};

bool selected(std::uint32_t select, std::uint32_t insn, bool intr, bool returned) {
  return (select & TZ_SELECT_ALL) != 0 || ((select & TZ_SELECT_MARKERS) != 0 && (insn & 0xfffff) == 0x2013) ||
         ((select & TZ_SELECT_HANDLERS) != 0 && intr) ||
         ((select & TZ_SELECT_TRAPS) != 0 && (returned || insn == kMret));
}

void record(const Machine& m, std::uint16_t number, std::uint32_t insn, std::uint32_t next, tz_retire& r) {
  const Hart& hart = m.harts[number];
  r = {};
  r.order = hart.retired;
  r.cycle_fetch = m.cycle - (m.cycle < 2 ? m.cycle : 2);
  r.cycle_ex = m.cycle - (m.cycle < 1 ? m.cycle : 1);
  r.cycle_retire = m.cycle;
  r.pc = hart.pc;
  r.pc_next = next;
  r.insn = insn;
  r.hart = number;
  r.mode = 3;
  if ((insn & 0xff07f) == 0x13 || (insn & 0xfffff07fU) == (kReadHartId & 0xfffff07fU)) {
    r.rd = static_cast<std::uint8_t>((insn >> 7) & 31);
    r.rd_value = r.rd == 0 ? 0 : hart.x[r.rd];
  }
  if (hart.first_of_handler) {
    r.flags = TZ_RETIRE_INTR | TZ_RETIRE_IRQ;
    r.irq_id = static_cast<std::uint16_t>(hart.claimed_id);
  }
}

void enter(Machine& m, std::uint16_t number, std::uint32_t pending, const Run& run) {
  Hart& hart = m.harts[number];
  unsigned line = 0;
  while (((pending >> line) & 1) == 0) ++line;
  hart.claimed_id = kLineIdBase + line;
  if (run.args.claims != nullptr) {
    run.args.claims[run.result.num_claims++] = {m.cycle, hart.pc, static_cast<std::uint16_t>(hart.claimed_id), number,
                                                0};
  }
  hart.in_handler = hart.first_of_handler = true;
  hart.asleep = false;
  hart.epc = hart.pc;
  hart.pc = kHandler;
  run.stop(TZ_STOP_CLAIM);
}

/** Side effects of a write to a register. */
void written(Machine& m, unsigned rd, std::uint32_t value, const Run& run) {
  const tz_run_args& args = run.args;
  if (rd == kA1 && args.console != nullptr) {
    args.console[run.result.console_bytes++] = static_cast<std::uint8_t>(value);
    if (run.result.console_bytes + kHarts > args.console_capacity) run.stop(TZ_STOP_CONSOLE);
  }
  if (rd == kA2) {
    for (unsigned i = 0; i < 2 && args.rises != nullptr; ++i) {
      if (((value & ~m.signals) >> i & 1U) != 0) args.rises[run.result.num_rises++] = {m.cycle, i};
    }
    m.signals = value;
    if (args.rises != nullptr && run.result.num_rises + 2 > args.rises_capacity) run.stop(TZ_STOP_RECORDS);
  }
}

void execute(Machine& m, std::uint16_t number, const Run& run) {
  Hart& hart = m.harts[number];
  std::uint32_t insn = 0;
  std::memcpy(&insn, hart.memory.data() + (hart.pc - kBase) % (kSize - 3), 4);
  std::uint32_t next = hart.pc + 4;
  if ((insn & 0xfff) == 0x6f) {
    const auto offset = static_cast<std::int32_t>((insn & 0x80000000U) | ((insn & 0xff000) << 11) |
                                                  ((insn & 0x100000) << 2) | ((insn & 0x7fe00000) >> 9)) >>
                        11;
    next = hart.pc + static_cast<std::uint32_t>(offset);
  }
  if (insn == kMret) next = hart.epc;
  const unsigned rd = (insn >> 7) & 31;
  const bool loads = (insn & 0xff07f) == 0x13;
  const bool reads_id = (insn & 0xfffff07fU) == (kReadHartId & 0xfffff07fU);
  if ((loads || reads_id) && rd != 0) {
    hart.x[rd] = loads ? insn >> 20 : static_cast<std::uint32_t>(kInfos[number].hart_id);
    if (loads) written(m, rd, insn >> 20, run);
  }
  if (selected(run.args.select, insn, hart.first_of_handler, hart.returned)) {
    record(m, number, insn, next, run.args.records[run.result.num_records++]);
    if (run.result.num_records + kHarts > run.args.records_capacity) run.stop(TZ_STOP_RECORDS);
  }
  hart.first_of_handler = false;
  hart.returned = insn == kMret;
  if (hart.returned) hart.in_handler = false;
  if (insn == kEbreak) {
    hart.exited = true;
    run.stop(TZ_STOP_EXIT);
  }
  hart.asleep = insn == kWfi;
  hart.pc = next;
  hart.since = m.cycle;
  ++hart.retired;
}

/** One cycle of all harts. */
void cycle(Machine& m, const Run& run) {
  for (std::uint16_t number = 0; number < kHarts; ++number) {
    Hart& hart = m.harts[number];
    hart.exited = false;
    const std::uint32_t pending = hart.sampled;
    hart.sampled = hart.lines;
    if (pending != 0 && !hart.in_handler) {
      enter(m, number, pending, run);
    } else if (!hart.asleep) {
      execute(m, number, run);
    }
  }
  ++m.cycle;
}

void report(const Machine& m, const tz_run_args& args, tz_run_result& result) {
  result.cycle = m.cycle;
  result.retired = m.retired();
  result.asleep = std::all_of(m.harts.begin(), m.harts.end(), [](const Hart& hart) { return hart.asleep; });
  for (unsigned i = 0; args.harts != nullptr && i < kHarts; ++i) {
    const Hart& hart = m.harts[i];
    const std::uint64_t pc = hart.asleep ? hart.pc - 4 : hart.pc;
    args.harts[i] = {pc, hart.since, hart.retired, hart.asleep, hart.exited, hart.exited ? hart.x[kA0] : 0, {}};
  }
}

tz_engine* create(std::uint32_t, const char*, char*, std::size_t) {
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
  for (unsigned i = 0; i < kHarts; ++i) fresh.harts[i].memory = engine->m.harts[i].memory;
  fresh.shared = engine->m.shared;
  engine->m = fresh;
  return TZ_OK;
}

tz_status fail(tz_engine* engine, tz_status status, std::string text) {
  engine->error = std::move(text);
  return status;
}

tz_status read_memory(tz_engine* engine, std::uint32_t hart, std::uint64_t address, void* data, std::size_t size) {
  const std::uint8_t* memory = engine->m.locate(hart, address, size);
  if (memory == nullptr) return fail(engine, TZ_ERR_ADDRESS, "no memory");
  std::memcpy(data, memory, size);
  return TZ_OK;
}

tz_status write_memory(tz_engine* engine, std::uint32_t hart, std::uint64_t address, const void* data,
                       std::size_t size) {
  std::uint8_t* memory = engine->m.locate(hart, address, size);
  if (memory == nullptr) return fail(engine, TZ_ERR_ADDRESS, "no memory");
  std::memcpy(memory, data, size);
  return TZ_OK;
}

tz_status set_line(tz_engine* engine, std::uint32_t hart, std::uint32_t line, std::uint32_t level) {
  if (hart >= kHarts || line >= kLines) return fail(engine, TZ_ERR_ARGUMENT, "no such line");
  std::uint32_t& lines = engine->m.harts[hart].lines;
  lines = (lines & ~(1U << line)) | (level << line);
  return TZ_OK;
}

tz_status set_wait_states(tz_engine* engine, std::uint32_t, std::uint32_t, std::uint32_t) {
  return fail(engine, TZ_ERR_SUPPORT, "no wait states");
}

tz_status console_input(tz_engine*, const std::uint8_t*, std::size_t) {
  return TZ_OK;
}

tz_status run(tz_engine* engine, const tz_run_args* args, tz_run_result* result) {
  *result = {};
  Machine& m = engine->m;
  const Run now{*args, *result};
  const std::uint64_t limit = args->max_retired == 0 ? ~std::uint64_t{0} : m.retired() + args->max_retired;
  while (m.cycle < args->until_cycle && result->stop == TZ_STOP_CYCLES) {
    cycle(m, now);
    if (m.retired() >= limit) now.stop(TZ_STOP_RETIRED);
  }
  report(m, *args, *result);
  return TZ_OK;
}

tz_status step(tz_engine* engine, const tz_run_args* args, tz_step_result* result) {
  *result = {};
  Machine& m = engine->m;
  tz_run_args all = *args;
  all.select = TZ_SELECT_ALL;
  const Run now{all, result->run};
  while (m.cycle < args->until_cycle && result->run.stop == TZ_STOP_CYCLES) {
    cycle(m, now);
    if (result->run.num_records != 0) now.stop(TZ_STOP_RETIRED);
  }
  for (std::size_t i = 0; i < result->run.num_claims; ++i) result->entered |= std::uint64_t{1} << args->claims[i].hart;
  result->boundary = (std::uint64_t{1} << kHarts) - 1;
  report(m, *args, result->run);
  return TZ_OK;
}

tz_status read_register(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t* value) {
  constexpr std::uint32_t kMhartid = 0xf14, kMtvec = 0x305;
  if (hart >= kHarts) return fail(engine, TZ_ERR_ARGUMENT, "no such hart");
  const Hart& state = engine->m.harts[hart];
  if (number < state.x.size()) {
    *value = state.x[number];
  } else if (number == TZ_DEBUG_PC) {
    *value = state.pc;
  } else if (number == TZ_DEBUG_MODE) {
    *value = 3;
  } else if (number == TZ_DEBUG_CSR + kMhartid) {
    *value = kInfos[hart].hart_id;
  } else if (number == TZ_DEBUG_CSR + kMtvec) {
    *value = 1;  // vectored, without a CLIC
  } else {
    return fail(engine, TZ_ERR_ARGUMENT, "no such register");
  }
  return TZ_OK;
}

tz_status write_register(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t value) {
  if (hart >= kHarts || number > TZ_DEBUG_PC) return fail(engine, TZ_ERR_ARGUMENT, "no such register");
  Hart& state = engine->m.harts[hart];
  (number == TZ_DEBUG_PC ? state.pc : state.x[number]) = static_cast<std::uint32_t>(value);
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
  return fail(engine, TZ_ERR_SUPPORT, "no waves");
}
tz_status wave_close(tz_engine*) {
  return TZ_OK;
}

std::size_t causes(const tz_engine*, std::uint32_t, tz_cause*, std::size_t) {
  return 0;
}

tz_status jtag(tz_engine* engine, std::uint32_t, std::uint32_t*) {
  return fail(engine, TZ_ERR_SUPPORT, "no JTAG port");
}

constexpr tz_engine_api kApi = {
    TZ_ENGINE_ABI,    sizeof(tz_engine_api), create,    destroy,         info,          last_error, reset,
    read_memory,      write_memory,          set_line,  set_wait_states, console_input, run,        snapshot_save,
    snapshot_restore, snapshot_free,         wave_open, wave_close,      causes,        jtag};

tz_status reset_hart(tz_engine* engine, std::uint32_t) {
  return fail(engine, TZ_ERR_SUPPORT, "no reset of one hart");
}

/** The last of several harts is one that shows no devices, not even whether there are any. */
tz_status read_bus(tz_engine* engine, std::uint32_t hart, std::uint64_t, std::uint32_t, std::uint32_t*) {
  if (hart == 2) return fail(engine, TZ_ERR_SUPPORT, "this hart shows no devices");
  return fail(engine, TZ_ERR_ADDRESS, "no devices");
}

constexpr tz_debug_api kDebug = {TZ_DEBUG_ABI,   sizeof(tz_debug_api), step,    read_register,
                                 write_register, reset_hart,           read_bus};

}  // namespace

extern "C" __attribute__((visibility("default"))) const tz_engine_api* tz_engine_get(std::uint32_t abi) {
  return abi == TZ_ENGINE_ABI ? &kApi : nullptr;
}

extern "C" __attribute__((visibility("default"))) const tz_debug_api* tz_debug_get(std::uint32_t abi) {
  return kHarts > 1 && abi == TZ_DEBUG_ABI ? &kDebug : nullptr;
}
