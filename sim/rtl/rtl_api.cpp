// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The engine interface of the verilated SoC. One library for each configuration; what differs between them is in
// engine_config.h, which CMake writes.
#include <cstdio>
#include <cstring>
#include <iterator>
#include <new>
#include <string>

#include "rtl/rtl_engine.h"

#if TZ_JTAG
#define TZ_JTAG_CAPS " " TZ_CAP_JTAG
#else
#define TZ_JTAG_CAPS ""
#endif

#ifdef TZ_DEBUG
#define TZ_MORE_CAPS " " TZ_CAP_WAVE " " TZ_CAP_REGISTERS
#elif VM_TRACE_VCD
#define TZ_MORE_CAPS " " TZ_CAP_WAVE_VCD
#else
#define TZ_MORE_CAPS ""
#endif

namespace {

using trapeze::rtl::kSignals;
using trapeze::rtl::Snapshot;

#define TZ_REGION(hart, name, base, size, shared, member) tz_region{name, base, size, shared},
constexpr tz_region kRegions[] = {TZ_MEMORIES(TZ_REGION)};
#undef TZ_REGION

#define TZ_HART(hart, isa_, irq, id, vector, lines, base, delay, sources, banks) \
  tz_hart_info{                                                                  \
      .isa = isa_,                                                               \
      .interrupts = irq,                                                         \
      .regions = &kRegions[TZ_MEMORIES_OF_A_HART * (hart)],                      \
      .hart_id = id,                                                             \
      .reset_vector = vector,                                                    \
      .xlen = 32,                                                                \
      .num_regions = TZ_MEMORIES_OF_A_HART,                                      \
      .num_lines = lines,                                                        \
      .line_id_base = base,                                                      \
      .line_delay = delay,                                                       \
      .num_sources = sources,                                                    \
  },
constexpr tz_hart_info kHartInfos[] = {TZ_HARTS(TZ_HART)};
#undef TZ_HART

constexpr tz_engine_info kInfo = {
    .engine = "rtl",
    .config = TZ_CONFIG,
    .capabilities = TZ_CAP_CYCLES " " TZ_CAP_WAIT " " TZ_CAP_SNAPSHOT " " TZ_CAP_RANDOM TZ_JTAG_CAPS TZ_MORE_CAPS,
    .harts = kHartInfos,
    .num_harts = static_cast<std::uint32_t>(std::size(kHartInfos)),
    .num_signals = static_cast<std::uint32_t>(std::size(kSignals)),
    .signals = kSignals,
};

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

tz_engine* engine_create(std::uint32_t reset_seed, const char* /*platform*/, char* error, std::size_t error_size) {
  try {
    return new tz_engine(reset_seed);
  } catch (const std::exception& failure) {
    std::snprintf(error, error_size, "%s", failure.what());
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

tz_status no_memory(tz_engine* engine, std::uint32_t hart, std::uint64_t address, std::size_t size) {
  char text[96];
  std::snprintf(text, sizeof text, "no memory of hart %u holds all of the %zu bytes at 0x%08llx", unsigned{hart}, size,
                static_cast<unsigned long long>(address));
  return engine->fail(TZ_ERR_ADDRESS, text);
}

tz_status engine_read(tz_engine* engine, std::uint32_t hart, std::uint64_t address, void* data, std::size_t size) {
  const std::uint8_t* memory = engine->locate(hart, address, size);
  if (memory == nullptr) return no_memory(engine, hart, address, size);
#ifdef TZ_DEBUG
  engine->read_memory(memory, data, size);
#else
  std::memcpy(data, memory, size);
#endif
  return TZ_OK;
}

tz_status engine_write(tz_engine* engine, std::uint32_t hart, std::uint64_t address, const void* data,
                       std::size_t size) {
  std::uint8_t* memory = engine->locate(hart, address, size);
  if (memory == nullptr) return no_memory(engine, hart, address, size);
#ifdef TZ_DEBUG
  engine->write_memory(memory, data, size);
#else
  std::memcpy(memory, data, size);
#endif
  return TZ_OK;
}

tz_status engine_set_line(tz_engine* engine, std::uint32_t hart, std::uint32_t line, std::uint32_t level) {
  return engine->set_line(hart, line, level);
}

tz_status engine_set_wait_states(tz_engine* engine, std::uint32_t instr, std::uint32_t data, std::uint32_t seed) {
  return engine->set_wait_states(instr, data, seed);
}

tz_status engine_console_input(tz_engine* engine, const std::uint8_t* data, std::size_t size) {
  engine->console_input(data, size);
  return TZ_OK;
}

tz_status engine_run(tz_engine* engine, const tz_run_args* args, tz_run_result* result) {
  const tz_status status = guarded(engine, [&] {
    engine->run(*args, *result);
    return TZ_OK;
  });
  if (status != TZ_OK) {
    engine->error += " in cycle " + std::to_string(engine->cycle());
    result->stop = TZ_STOP_ERROR;
  }
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

tz_status engine_jtag(tz_engine* engine, std::uint32_t pins, std::uint32_t* tdo) {
  return engine->jtag(pins, *tdo);
}

std::size_t engine_causes(const tz_engine*, std::uint32_t, tz_cause*, std::size_t) {
  return 0;
}

constexpr tz_engine_api kApi = {
    TZ_ENGINE_ABI,          sizeof(tz_engine_api), engine_create,     engine_destroy, engine_info,
    engine_last_error,      engine_reset,          engine_read,       engine_write,   engine_set_line,
    engine_set_wait_states, engine_console_input,  engine_run,        engine_save,    engine_restore,
    engine_snapshot_free,   engine_wave_open,      engine_wave_close, engine_causes,  engine_jtag,
};

#ifdef TZ_DEBUG
tz_status engine_step(tz_engine* engine, const tz_run_args* args, tz_step_result* result) {
  const tz_status status = guarded(engine, [&] {
    engine->step(*args, *result);
    return TZ_OK;
  });
  if (status != TZ_OK) result->run.stop = TZ_STOP_ERROR;
  return status;
}

tz_status engine_read_register(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t* value) {
  return guarded(engine, [&] { return engine->read_register(hart, number, *value); });
}

tz_status engine_write_register(tz_engine* engine, std::uint32_t, std::uint32_t, std::uint64_t) {
  return engine->fail(
      TZ_ERR_SUPPORT,
      "the rtl engine cannot write registers: the instructions behind have read theirs already; use the "
      "model engine");
}

tz_status engine_reset_hart(tz_engine* engine, std::uint32_t) {
  return engine->fail(TZ_ERR_SUPPORT, "the rtl engine has one reset for all harts; use the model engine");
}

tz_status engine_read_bus(tz_engine* engine, std::uint32_t hart, std::uint64_t address, std::uint32_t lanes,
                          std::uint32_t* value) {
  return guarded(engine, [&] { return engine->read_bus(hart, address, lanes, *value); });
}

constexpr tz_debug_api kDebug = {TZ_DEBUG_ABI,          sizeof(tz_debug_api), engine_step,    engine_read_register,
                                 engine_write_register, engine_reset_hart,    engine_read_bus};
#endif

}  // namespace

extern "C" __attribute__((visibility("default"))) const tz_engine_api* tz_engine_get(std::uint32_t abi) {
  return abi == TZ_ENGINE_ABI ? &kApi : nullptr;
}

#ifdef TZ_DEBUG
extern "C" __attribute__((visibility("default"))) const tz_debug_api* tz_debug_get(std::uint32_t abi) {
  return abi == TZ_DEBUG_ABI ? &kDebug : nullptr;
}
#endif
