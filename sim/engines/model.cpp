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

#include "kernel/debug.h"
#include "kernel/follower.h"
#include "lockstep/following/follower.h"
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

constexpr Platform kPlatform = {kRegions,
                                TZ_RESET_VECTOR,
                                TZ_HART_ID,
                                TZ_HARTS,
                                TZ_LINES,
                                TZ_LINE_ID_BASE,
                                TZ_CLIC_SOURCES,
                                TZ_CLIC_CTL_BITS,
                                TZ_CLIC_STAGED != 0,
                                {TZ_PROBE_WIDTH, TZ_PROBE_DEPTH, TZ_RANDOM_WORDS, TZ_RANDOM_CYCLES}};

}  // namespace

struct tz_engine {
 public:
  tz_status fail(tz_status status, std::string text) {
    error = std::move(text);
    return status;
  }

  Machine<kParams> machine{kPlatform};
  Follower<kParams> follower{machine};
  std::string error;
  std::string complaint;
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
    engine->follower.reset();
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

tz_status engine_follow(tz_engine* engine, const tz_follow_args* args, tz_follow_result* result) {
  return guarded(engine, [&] {
    *result = {};
    engine->complaint = engine->follower.follow(*args, *result);
    if (!engine->complaint.empty()) result->complaint = engine->complaint.c_str();
    return TZ_OK;
  });
}

tz_status engine_read_register(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t* value) {
  if (hart >= TZ_HARTS || number > TZ_REGISTER_MODE || (number < 32 && number >= kParams.registers())) {
    return engine->fail(TZ_ERR_ARGUMENT, "no register " + std::to_string(number) + " in hart " + std::to_string(hart));
  }
  const Hart<kParams>& state = engine->machine.hart(hart);
  *value = number < 32 ? state.x(number) : number == TZ_REGISTER_PC ? state.pc() : state.mode();
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

constexpr tz_follower_api kFollower = {TZ_FOLLOWER_ABI, sizeof(tz_follower_api), engine_follow, engine_read_register,
                                       engine_read_csr};

constexpr tz_debug_api kDebug = {TZ_DEBUG_ABI, sizeof(tz_debug_api), engine_step, engine_debug_read,
                                 engine_debug_write};

}  // namespace

extern "C" __attribute__((visibility("default"))) const tz_engine_api* tz_engine_get(std::uint32_t abi) {
  return abi == TZ_ENGINE_ABI ? &kApi : nullptr;
}

extern "C" __attribute__((visibility("default"))) const tz_follower_api* tz_follower_get(std::uint32_t abi) {
  return abi == TZ_FOLLOWER_ABI ? &kFollower : nullptr;
}

extern "C" __attribute__((visibility("default"))) const tz_debug_api* tz_debug_get(std::uint32_t abi) {
  return abi == TZ_DEBUG_ABI ? &kDebug : nullptr;
}
