// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model behind the engine interface. One library for each configuration, from the same sources; what differs is in
// model_config.h, which CMake writes.
#include "kernel/engine.h"

#include <model_config.h>

#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "kernel/debug.h"
#include "kernel/oracle.h"
#include "model/platform/machine.h"

namespace {

using namespace trapeze::model;

constexpr Params kParams = parse_params(TZ_ISA).with_clic(TZ_CLIC_SOURCES != 0).with_fast(TZ_FAST != 0);
static_assert(kParams.valid, "the model does not implement this ISA: " TZ_ISA);

#define TZ_REGION(name, base, size, shared) tz_region{name, base, size, shared},
constexpr tz_region kRegions[] = {TZ_MEMORIES(TZ_REGION)};
#undef TZ_REGION

constexpr const char* kIrq = TZ_FAST != 0 ? TZ_IRQ_FASTIRQ : TZ_CLIC_SOURCES != 0 ? TZ_IRQ_CLIC : TZ_IRQ_CLINT;

/** The hart of a number: all are alike. */
constexpr tz_hart_info hart_info(std::uint64_t number) {
  return {
      .isa = TZ_ISA,
      .interrupts = kIrq,
      .regions = kRegions,
      .hart_id = TZ_HART_ID + number,
      .reset_vector = TZ_RESET_VECTOR,
      .xlen = kParams.xlen,
      .num_regions = static_cast<std::uint32_t>(std::size(kRegions)),
      .num_lines = TZ_LINES,
      .line_id_base = TZ_LINE_ID_BASE,
      .line_delay = TZ_LINE_DELAY,
      .num_sources = TZ_CLIC_SOURCES,
  };
}

constexpr std::array<tz_hart_info, TZ_HARTS> kHarts = [] {
  std::array<tz_hart_info, TZ_HARTS> all{};
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = hart_info(n);
  return all;
}();

constexpr tz_engine_info kInfo = {
    .engine = "model",
    .config = TZ_CONFIG,
    .capabilities = TZ_CAP_SNAPSHOT " " TZ_CAP_REGISTERS,
    .harts = kHarts.data(),
    .num_harts = TZ_HARTS,
    .num_signals = 0,  // a signal's rise is a matter of cycles
    .signals = nullptr,
};

constexpr Platform kPlatform = {
    kRegions,        TZ_RESET_VECTOR,  TZ_HART_ID,
    TZ_HARTS,        TZ_LINES,         TZ_LINE_ID_BASE,
    TZ_CLIC_SOURCES, TZ_CLIC_CTL_BITS, {TZ_PROBE_WIDTH, TZ_PROBE_DEPTH, TZ_RANDOM_WORDS, TZ_RANDOM_CYCLES}};

}  // namespace

struct tz_engine {
 public:
  tz_status fail(tz_status status, std::string text) {
    error = std::move(text);
    return status;
  }

  Machine<kParams> machine{kPlatform};
  std::string error;
  std::vector<tz_word> lost;  ///< of the last interrupt
};

namespace {

using Snapshot = Machine<kParams>::Snapshot;

/** Runs `body` and turns exceptions into a status. */
template <typename Body>
tz_status guarded(tz_engine* engine, Body&& body) {
  try {
    return body();
  } catch (const std::exception& error) {
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
    engine->machine.reset();
    return TZ_OK;
  });
}

tz_status no_hart(tz_engine* engine, std::uint32_t hart) {
  return engine->fail(TZ_ERR_ARGUMENT, "configuration '" TZ_CONFIG "' has no hart " + std::to_string(hart));
}

tz_status no_memory(tz_engine* engine, std::uint32_t hart, std::uint64_t address, std::size_t size) {
  char text[96];
  std::snprintf(text, sizeof text, "no memory of hart %u holds all of the %zu bytes at 0x%08llx", unsigned{hart}, size,
                static_cast<unsigned long long>(address));
  return engine->fail(TZ_ERR_ADDRESS, text);
}

tz_status engine_read(tz_engine* engine, std::uint32_t hart, std::uint64_t address, void* data, std::size_t size) {
  const std::uint8_t* memory = hart < TZ_HARTS ? engine->machine.bus(hart).memory(address, size) : nullptr;
  if (memory == nullptr) return no_memory(engine, hart, address, size);
  std::memcpy(data, memory, size);
  return TZ_OK;
}

tz_status engine_write(tz_engine* engine, std::uint32_t hart, std::uint64_t address, const void* data,
                       std::size_t size) {
  std::uint8_t* memory = hart < TZ_HARTS ? engine->machine.bus(hart).memory(address, size) : nullptr;
  if (memory == nullptr) return no_memory(engine, hart, address, size);
  std::memcpy(memory, data, size);
  engine->machine.flush();
  return TZ_OK;
}

tz_status engine_set_line(tz_engine* engine, std::uint32_t hart, std::uint32_t line, std::uint32_t level) {
  if (hart >= TZ_HARTS) return no_hart(engine, hart);
  if (line >= TZ_LINES) {
    return engine->fail(TZ_ERR_ARGUMENT, "configuration '" TZ_CONFIG "' has no interrupt line " + std::to_string(line));
  }
  engine->machine.set_line(hart, line, level != 0);
  return TZ_OK;
}

tz_status engine_set_wait_states(tz_engine* engine, std::uint32_t instr, std::uint32_t data, std::uint32_t) {
  if (instr == 0 && data == 0) return TZ_OK;
  return engine->fail(TZ_ERR_SUPPORT, "the model has no wait states");
}

tz_status engine_console_input(tz_engine* engine, const std::uint8_t* data, std::size_t size) {
  return guarded(engine, [&] {
    engine->machine.uart().receive(data, size);
    return TZ_OK;
  });
}

tz_status engine_run(tz_engine* engine, const tz_run_args* args, tz_run_result* result) {
  const tz_status status = guarded(engine, [&] {
    engine->machine.run(*args, *result);
    return TZ_OK;
  });
  if (status != TZ_OK) result->stop = TZ_STOP_ERROR;
  return status;
}

void* engine_save(tz_engine* engine) {
  Snapshot* snapshot = nullptr;
  guarded(engine, [&] {
    snapshot = engine->machine.save().release();
    return TZ_OK;
  });
  return snapshot;
}

tz_status engine_restore(tz_engine* engine, const void* snapshot) {
  return guarded(engine, [&] {
    engine->machine.restore(*static_cast<const Snapshot*>(snapshot));
    return TZ_OK;
  });
}

void engine_snapshot_free(tz_engine*, void* snapshot) {
  delete static_cast<Snapshot*>(snapshot);
}

tz_status engine_wave_open(tz_engine* engine, const char*) {
  return engine->fail(TZ_ERR_SUPPORT, "the model has no waves");
}

tz_status engine_wave_close(tz_engine*) {
  return TZ_OK;
}

tz_status oracle_clic(tz_engine* engine, std::uint32_t hart, tz_oracle_clic* clic) {
  if (hart >= TZ_HARTS) return no_hart(engine, hart);
  if (!kParams.clic) return engine->fail(TZ_ERR_ARGUMENT, "configuration '" TZ_CONFIG "' has no CLIC");
  *clic = {TZ_CLIC_CTL_BITS, TZ_CLIC_STAGED};
  return TZ_OK;
}

tz_status oracle_enter(tz_engine* engine, std::uint32_t hart, std::uint32_t interrupt, std::uint32_t in_table,
                       tz_entry* entry) {
  if (hart >= TZ_HARTS) return no_hart(engine, hart);
  return guarded(engine, [&] {
    *entry = {};
    Hart<kParams>& state = engine->machine.hart(hart);
    if constexpr (!kParams.clic) {
      state.interrupt(interrupt);
    } else {
      const ClicOffer offer = engine->machine.clic(hart).offer(interrupt);
      if (!offer.valid) return engine->fail(TZ_ERR_ARGUMENT, "no interrupt " + std::to_string(interrupt));
      state.enter(offer, in_table != 0);
      if (const auto table_entry = state.table_entry()) {
        entry->table_entry = *table_entry;
        entry->vectored = 1;
      }
      FrameState& frames = state.frames();
      frames.faults.clear();  // they come when the caller says so
      if (kParams.fast && frames.saved) {
        entry->saved = 1;
        entry->frame = *frames.saved;
        engine->lost.clear();
        for (const FrameWord& word : frames.lost) engine->lost.push_back({word.address, word.value, 0xf});
        entry->lost = engine->lost.data();
        entry->num_lost = engine->lost.size();
      }
    }
    return TZ_OK;
  });
}

tz_status oracle_step(tz_engine* engine, std::uint32_t hart, const tz_choices* choices, tz_effects* effects) {
  if (hart >= TZ_HARTS) return no_hart(engine, hart);
  return guarded(engine, [&] {
    Machine<kParams>& machine = engine->machine;
    Hart<kParams>& state = machine.hart(hart);
    Choices chosen;
    if ((choices->given & TZ_CHOICE_LOAD) != 0) chosen.load = choices->load;
    if ((choices->given & TZ_CHOICE_CSR) != 0) chosen.csr = choices->csr;
    if ((choices->given & TZ_CHOICE_FRAME_FAULT) != 0) chosen.frame_fault = choices->frame_fault;
    if (choices->interrupt != TZ_NO_INTERRUPT) chosen.interrupt = choices->interrupt;
    for (std::size_t i = 0; i < choices->num_kept; ++i) {
      chosen.kept.emplace(choices->kept[i].address, choices->kept[i].value);
    }
    machine.set_time(hart, choices->now);
    machine.host().forget_exits();
    if constexpr (!kParams.clic) state.csr().set_mip(static_cast<Register<kParams.xlen>>(choices->mip));
    *effects = {};
    state.step(choices->now, &effects->record, &chosen);
    if (const auto entry = state.table_entry()) {
      effects->table_entry = *entry;
      effects->vectored = 1;
    }
    const auto chained = state.take_chained();
    effects->chained = chained ? chained->offer.id : TZ_NO_INTERRUPT;
    effects->level = chained ? chained->offer.level : 0;
    machine.uart().output().clear();
    const auto exit_code = machine.host().exit_code(hart);
    effects->exited = exit_code ? 1 : 0;
    effects->exit_code = exit_code.value_or(0);
    return TZ_OK;
  });
}

tz_status oracle_settle(tz_engine* engine, std::uint32_t hart, const tz_word* word) {
  for (unsigned lane = 0; lane < 4; ++lane) {
    if (((word->lanes >> lane) & 1U) == 0) continue;
    std::uint8_t* const byte = hart < TZ_HARTS ? engine->machine.bus(hart).memory(word->address + lane, 1) : nullptr;
    if (byte == nullptr) return no_memory(engine, hart, word->address + lane, 1);
    *byte = static_cast<std::uint8_t>(word->value >> (8 * lane));
  }
  return TZ_OK;
}

bool is_register(std::uint32_t hart, std::uint32_t number) {
  return hart < TZ_HARTS && number <= TZ_REGISTER_MODE && (number >= 32 || number < kParams.registers());
}

tz_status engine_read_register(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t* value) {
  if (!is_register(hart, number)) {
    return engine->fail(TZ_ERR_ARGUMENT, "no register " + std::to_string(number) + " in hart " + std::to_string(hart));
  }
  const Hart<kParams>& state = engine->machine.hart(hart);
  *value = number < 32 ? state.x(number) : number == TZ_REGISTER_PC ? state.pc() : state.mode();
  return TZ_OK;
}

tz_status oracle_read_register(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t* value) {
  if (!kParams.fast || hart >= TZ_HARTS || number != TZ_REGISTER_FRAME_FAULTS_WAIT) {
    return engine_read_register(engine, hart, number, value);
  }
  *value = engine->machine.hart(hart).frame_faults_held() ? 1 : 0;
  return TZ_OK;
}

tz_status oracle_write_register(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t value) {
  if (number >= 32 || !is_register(hart, number)) {
    return engine->fail(TZ_ERR_ARGUMENT, "no register " + std::to_string(number) + " in hart " + std::to_string(hart));
  }
  engine->machine.hart(hart).set_x(number, static_cast<Register<kParams.xlen>>(value));
  return TZ_OK;
}

tz_status engine_read_csr(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t* value) {
  if (hart >= TZ_HARTS) return no_hart(engine, hart);
  const Hart<kParams>& state = engine->machine.hart(hart);
  const auto found = state.csr().read(number, state.counts(engine->machine.now()));
  if (!found) return engine->fail(TZ_ERR_ARGUMENT, "no CSR " + std::to_string(number));
  *value = *found;
  return TZ_OK;
}

tz_status engine_step(tz_engine* engine, const tz_run_args* args, tz_step_result* result) {
  const tz_status status = guarded(engine, [&] {
    engine->machine.step(*args, *result);
    return TZ_OK;
  });
  if (status != TZ_OK) result->run.stop = TZ_STOP_ERROR;
  return status;
}

tz_status engine_debug_read(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t* value) {
  static_assert(TZ_DEBUG_PC == unsigned{TZ_REGISTER_PC} && TZ_DEBUG_MODE == unsigned{TZ_REGISTER_MODE});
  if (number >= TZ_DEBUG_CSR) return engine_read_csr(engine, hart, number - TZ_DEBUG_CSR, value);
  return engine_read_register(engine, hart, number, value);
}

tz_status engine_debug_write(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t value) {
  std::uint64_t old = 0;
  const tz_status status = engine_debug_read(engine, hart, number, &old);
  if (status != TZ_OK) return status;
  Hart<kParams>& state = engine->machine.hart(hart);
  const auto word = static_cast<Register<kParams.xlen>>(value);
  if (number >= TZ_DEBUG_CSR) {
    if (!state.csr().allowed(number - TZ_DEBUG_CSR, kMachine, true)) {
      return engine->fail(TZ_ERR_ARGUMENT, "CSR " + std::to_string(number - TZ_DEBUG_CSR) + " is read-only");
    }
    state.csr().write(number - TZ_DEBUG_CSR, word, state.counts(engine->machine.now()));
  } else if (number == TZ_DEBUG_PC) {
    state.set_pc(word);
  } else if (number == TZ_DEBUG_MODE) {
    state.set_mode(static_cast<unsigned>(value));
  } else {
    state.set_x(number, word);
  }
  return TZ_OK;
}

constexpr tz_engine_api kApi = {
    TZ_ENGINE_ABI,          sizeof(tz_engine_api), engine_create,     engine_destroy, engine_info,
    engine_last_error,      engine_reset,          engine_read,       engine_write,   engine_set_line,
    engine_set_wait_states, engine_console_input,  engine_run,        engine_save,    engine_restore,
    engine_snapshot_free,   engine_wave_open,      engine_wave_close,
};

constexpr tz_oracle_api kOracle = {
    TZ_ORACLE_ABI,        sizeof(tz_oracle_api), oracle_clic,     oracle_enter,  oracle_step,
    oracle_read_register, oracle_write_register, engine_read_csr, oracle_settle,
};

constexpr tz_debug_api kDebug = {TZ_DEBUG_ABI, sizeof(tz_debug_api), engine_step, engine_debug_read,
                                 engine_debug_write};

}  // namespace

extern "C" __attribute__((visibility("default"))) const tz_engine_api* tz_engine_get(std::uint32_t abi) {
  return abi == TZ_ENGINE_ABI ? &kApi : nullptr;
}

extern "C" __attribute__((visibility("default"))) const tz_oracle_api* tz_oracle_get(std::uint32_t abi) {
  return abi == TZ_ORACLE_ABI ? &kOracle : nullptr;
}

extern "C" __attribute__((visibility("default"))) const tz_debug_api* tz_debug_get(std::uint32_t abi) {
  return abi == TZ_DEBUG_ABI ? &kDebug : nullptr;
}
