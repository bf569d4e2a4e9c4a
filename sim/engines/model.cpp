// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The instruction-set model as an engine (kernel/engine.h). One library serves all platforms: it reads the one that it
// is to be when it starts.
#include "kernel/engine.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "coherence/coherence.h"
#include "engines/harts.h"
#include "kernel/coherence.h"
#include "kernel/debug.h"
#include "kernel/oracle.h"
#include "model/platform/core.h"
#include "model/platform/latency.h"
#include "model/platform/plan.h"
#include "model/platform/system.h"

namespace {

using namespace trapeze::model;

/** The memories that a hart sees, as the interface has them. */
std::vector<tz_region> regions_of(const PlatformPlan& plan, unsigned hart) {
  std::vector<tz_region> regions;
  for (const RegionPlan& one : plan.regions) {
    if (!one.is_memory() || std::find(one.harts.begin(), one.harts.end(), hart) == one.harts.end()) continue;
    const bool shared = !one.own && plan.harts.size() > 1;
    regions.push_back({one.name.c_str(), one.base, one.size, shared ? 1U : 0U});
  }
  return regions;
}

/** Whether the platform's time is clock cycles, and whether a hart of it is the design, whose registers nobody sees. */
bool is_timed(const PlatformPlan& plan) {
  return std::any_of(plan.harts.begin(), plan.harts.end(),
                     [](const HartPlan& hart) { return hart.timing.has_value(); });
}
bool is_exact(const PlatformPlan& plan) {
  return std::any_of(plan.harts.begin(), plan.harts.end(), [](const HartPlan& hart) {
    return hart.timing && std::holds_alternative<ExactTiming>(*hart.timing);
  });
}

/** The signals whose rises are reported: those of the latency measurement, where the platform's time is clock cycles.
 */
std::span<const char* const> signals_of(const PlatformPlan& plan) {
  const auto measures = [](const RegionPlan& region) { return region.block == kProbeBlock; };
  const auto blocks = std::count_if(plan.regions.begin(), plan.regions.end(), measures);
  if (!is_timed(plan) || blocks == 0) return {};
  if (blocks == 1) return kLatencySignals;
  return kLatencySignalsOfTwo;
}

/** The platform as the interface describes it. Texts are those of the plan. */
class Description {
 public:
  explicit Description(const PlatformPlan& plan) {
    for (unsigned n = 0; n < plan.harts.size(); ++n) regions_.push_back(regions_of(plan, n));
    for (unsigned n = 0; n < plan.harts.size(); ++n) {
      const HartPlan& hart = plan.harts[n];
      harts_.push_back({.isa = hart.isa.c_str(),
                        .interrupts = hart.interrupts.c_str(),
                        .regions = regions_[n].data(),
                        .hart_id = hart.hart_id,
                        .reset_vector = hart.reset_vector,
                        .xlen = hart.params.xlen,
                        .num_regions = static_cast<std::uint32_t>(regions_[n].size()),
                        .num_lines = hart.lines,
                        .line_id_base = hart.line_id_base,
                        .line_delay = hart.line_delay,
                        .num_sources = hart.sources});
    }
    info_ = {
        .engine = is_timed(plan) ? "timed" : "model",
        .config = plan.name.c_str(),
        .capabilities = !is_timed(plan)  ? TZ_CAP_TURNS " " TZ_CAP_SNAPSHOT " " TZ_CAP_REGISTERS
                        : is_exact(plan) ? TZ_CAP_CYCLES " " TZ_CAP_TURNS " " TZ_CAP_SNAPSHOT
                                         : TZ_CAP_CYCLES " " TZ_CAP_TURNS " " TZ_CAP_SNAPSHOT " " TZ_CAP_REGISTERS,
        .harts = harts_.data(),
        .num_harts = static_cast<std::uint32_t>(harts_.size()),
        .num_signals = static_cast<std::uint32_t>(signals_of(plan).size()),
        .signals = signals_of(plan).data(),
    };
  }
  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;

  const tz_engine_info& info() const { return info_; }

 private:
  std::vector<std::vector<tz_region>> regions_;
  std::vector<tz_hart_info> harts_;
  tz_engine_info info_ = {};
};

}  // namespace

struct tz_engine {
 public:
  explicit tz_engine(const std::string& platform) : plan(read_platform(platform)) {}

  tz_status fail(tz_status status, std::string text) {
    error = std::move(text);
    return status;
  }
  std::size_t harts() const { return plan.harts.size(); }

  const PlatformPlan plan;
  const Description description{plan};
  System system{plan, &trapeze::make_platform_hart};
  std::unique_ptr<trapeze::coherence::Coherence> coherence;  ///< null: nobody asked for it
  std::string error;
};

namespace {

using Snapshot = System::Snapshot;

/** Runs `body` and turns exceptions into a status. */
template <typename Body>
tz_status guarded(tz_engine* engine, Body&& body) {
  try {
    return body();
  } catch (const std::exception& error) {
    return engine->fail(TZ_ERR_INTERNAL, error.what());
  }
}

/** The seed is ignored: registers without reset are a matter of the hardware, the specifications have none. */
tz_engine* engine_create(std::uint32_t /*reset_seed*/, const char* platform, char* error, std::size_t error_size) {
  try {
    if (*platform == '\0') throw std::invalid_argument("the model needs a platform; give --platform FILE");
    return new tz_engine(platform);
  } catch (const std::exception& failure) {
    std::snprintf(error, error_size, "%s", failure.what());
    return nullptr;
  }
}

void engine_destroy(tz_engine* engine) {
  delete engine;
}
const tz_engine_info* engine_info(const tz_engine* engine) {
  return &engine->description.info();
}
const char* engine_last_error(const tz_engine* engine) {
  return engine->error.c_str();
}

tz_status engine_reset(tz_engine* engine) {
  return guarded(engine, [&] {
    engine->system.reset();
    return TZ_OK;
  });
}

tz_status no_hart(tz_engine* engine, std::uint32_t hart) {
  return engine->fail(TZ_ERR_ARGUMENT, "configuration '" + engine->plan.name + "' has no hart " + std::to_string(hart));
}

tz_status no_memory(tz_engine* engine, std::uint32_t hart, std::uint64_t address, std::size_t size) {
  char text[96];
  std::snprintf(text, sizeof text, "no memory of hart %u holds all of the %zu bytes at 0x%08llx", unsigned{hart}, size,
                static_cast<unsigned long long>(address));
  return engine->fail(TZ_ERR_ADDRESS, text);
}

tz_status engine_read(tz_engine* engine, std::uint32_t hart, std::uint64_t address, void* data, std::size_t size) {
  const std::uint8_t* memory = hart < engine->harts() ? engine->system.bus(hart).memory(address, size) : nullptr;
  if (memory == nullptr) return no_memory(engine, hart, address, size);
  std::memcpy(data, memory, size);
  return TZ_OK;
}

tz_status engine_write(tz_engine* engine, std::uint32_t hart, std::uint64_t address, const void* data,
                       std::size_t size) {
  std::uint8_t* memory = hart < engine->harts() ? engine->system.bus(hart).memory(address, size) : nullptr;
  if (memory == nullptr) return no_memory(engine, hart, address, size);
  std::memcpy(memory, data, size);
  if (engine->coherence) engine->coherence->written(address, size);
  engine->system.flush();
  return TZ_OK;
}

tz_status engine_set_line(tz_engine* engine, std::uint32_t hart, std::uint32_t line, std::uint32_t level) {
  if (hart >= engine->harts()) return no_hart(engine, hart);
  if (line >= engine->plan.harts[hart].lines) {
    return engine->fail(TZ_ERR_ARGUMENT, "hart " + std::to_string(hart) + " of configuration '" + engine->plan.name +
                                             "' has no interrupt line " + std::to_string(line));
  }
  engine->system.set_line(hart, line, level != 0);
  return TZ_OK;
}

tz_status engine_set_wait_states(tz_engine* engine, std::uint32_t instr, std::uint32_t data, std::uint32_t) {
  if (instr == 0 && data == 0) return TZ_OK;
  return engine->fail(TZ_ERR_SUPPORT, "the model has no wait states");
}

tz_status engine_console_input(tz_engine* engine, const std::uint8_t* data, std::size_t size) {
  return guarded(engine, [&] {
    engine->system.uart().receive(data, size);
    return TZ_OK;
  });
}

tz_status engine_run(tz_engine* engine, const tz_run_args* args, tz_run_result* result) {
  const tz_status status = guarded(engine, [&] {
    engine->system.run(*args, *result);
    return TZ_OK;
  });
  if (status != TZ_OK) result->stop = TZ_STOP_ERROR;
  return status;
}

void* engine_save(tz_engine* engine) {
  Snapshot* snapshot = nullptr;
  guarded(engine, [&] {
    snapshot = engine->system.save().release();
    return TZ_OK;
  });
  return snapshot;
}

tz_status engine_restore(tz_engine* engine, const void* snapshot) {
  return guarded(engine, [&] {
    engine->system.restore(*static_cast<const Snapshot*>(snapshot));
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

std::size_t engine_causes(const tz_engine* engine, std::uint32_t hart, tz_cause* causes, std::size_t capacity) {
  if (hart >= engine->harts()) return 0;
  const std::vector<tz_cause> all = engine->system.hart(hart).causes();
  std::copy_n(all.begin(), std::min(all.size(), capacity), causes);
  return all.size();
}

tz_status oracle_clic(tz_engine* engine, std::uint32_t hart, tz_oracle_clic* clic) {
  if (hart >= engine->harts()) return no_hart(engine, hart);
  if (!engine->system.core(hart).has_clic()) {
    return engine->fail(TZ_ERR_ARGUMENT,
                        "hart " + std::to_string(hart) + " of configuration '" + engine->plan.name + "' has no CLIC");
  }
  *clic = {engine->plan.harts[hart].ctl_bits, engine->plan.harts[hart].staged ? 1U : 0U};
  return TZ_OK;
}

tz_status oracle_enter(tz_engine* engine, std::uint32_t hart, std::uint32_t interrupt, std::uint32_t in_table,
                       tz_entry* entry) {
  if (hart >= engine->harts()) return no_hart(engine, hart);
  return guarded(engine, [&] {
    if (engine->system.core(hart).enter(interrupt, in_table != 0, *entry)) return TZ_OK;
    return engine->fail(TZ_ERR_ARGUMENT, "no interrupt " + std::to_string(interrupt));
  });
}

tz_status oracle_step(tz_engine* engine, std::uint32_t hart, const tz_choices* choices, tz_effects* effects) {
  if (hart >= engine->harts()) return no_hart(engine, hart);
  return guarded(engine, [&] {
    System& system = engine->system;
    system.host().forget_exits();
    system.core(hart).step(*choices, *effects);
    system.drop_output();
    const auto exit_code = system.host().exit_code(hart);
    effects->exited = exit_code ? 1 : 0;
    effects->exit_code = exit_code.value_or(0);
    return TZ_OK;
  });
}

tz_status oracle_settle(tz_engine* engine, std::uint32_t hart, const tz_word* word) {
  for (unsigned lane = 0; lane < 4; ++lane) {
    if (((word->lanes >> lane) & 1U) == 0) continue;
    std::uint8_t* const byte =
        hart < engine->harts() ? engine->system.bus(hart).memory(word->address + lane, 1) : nullptr;
    if (byte == nullptr) return no_memory(engine, hart, word->address + lane, 1);
    *byte = static_cast<std::uint8_t>(word->value >> (8 * lane));
  }
  return TZ_OK;
}

tz_status oracle_wires(tz_engine* engine, std::uint64_t until, tz_wire_change* changes, std::size_t capacity,
                       std::size_t* count) {
  return guarded(engine, [&] {
    *count = engine->system.wires(until, {changes, capacity});
    return TZ_OK;
  });
}

/** Runs `body` on a hart that can post user interrupts. */
template <typename Body>
tz_status of_posts(tz_engine* engine, std::uint32_t hart, Body&& body) {
  if (hart >= engine->harts()) return no_hart(engine, hart);
  Core& core = engine->system.core(hart);
  if (!core.has_posts()) {
    return engine->fail(TZ_ERR_ARGUMENT, "hart " + std::to_string(hart) + " of configuration '" + engine->plan.name +
                                             "' posts no user interrupts");
  }
  return guarded(engine, [&] {
    body(core);
    return TZ_OK;
  });
}

tz_status oracle_access(tz_engine* engine, std::uint32_t hart, tz_word_access* access) {
  return of_posts(engine, hart, [access](Core& core) { core.access(*access); });
}

tz_status oracle_receiver(tz_engine* engine, std::uint32_t hart, std::uint32_t vector, std::uint64_t* upid,
                          std::uint32_t* there) {
  return of_posts(engine, hart, [&](const Core& core) {
    const auto found = core.receiver(vector);
    *there = found ? 1 : 0;
    *upid = found.value_or(0);
  });
}

tz_status oracle_join(tz_engine* engine, std::uint32_t hart, std::uint32_t first, std::uint32_t vectors) {
  return of_posts(engine, hart, [&](Core& core) { core.join(first, vectors); });
}

tz_status oracle_halt(tz_engine* engine, std::uint32_t hart, std::uint32_t by_trigger) {
  if (hart >= engine->harts()) return no_hart(engine, hart);
  return guarded(engine, [&] {
    engine->system.core(hart).halted(by_trigger != 0);
    return TZ_OK;
  });
}

tz_status no_register(tz_engine* engine, std::uint32_t hart, std::uint32_t number) {
  return engine->fail(TZ_ERR_ARGUMENT, "no register " + std::to_string(number) + " in hart " + std::to_string(hart));
}

tz_status engine_read_register(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t* value) {
  const auto found = hart < engine->harts() ? engine->system.core(hart).read_register(number) : std::nullopt;
  if (!found) return no_register(engine, hart, number);
  *value = *found;
  return TZ_OK;
}

tz_status oracle_read_register(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t* value) {
  static_assert(TZ_DEBUG_PC == unsigned{TZ_REGISTER_PC} && TZ_DEBUG_MODE == unsigned{TZ_REGISTER_MODE});
  if (number == TZ_REGISTER_TRIGGERS && hart < engine->harts()) {
    *value = engine->system.core(hart).triggers();
    return TZ_OK;
  }
  const bool refused = number == TZ_REGISTER_FRAME_REFUSED;
  if (number != TZ_REGISTER_FRAME_FAULTS_WAIT && !refused) return engine_read_register(engine, hart, number, value);
  if (hart >= engine->harts() || !engine->plan.harts[hart].params.fast) {
    return no_register(engine, hart, number);
  }
  const Core& core = engine->system.core(hart);
  *value = (refused ? core.frame_refused() : core.frame_faults_held()) ? 1 : 0;
  return TZ_OK;
}

tz_status oracle_write_register(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t value) {
  std::uint64_t old = 0;
  if (number >= 32) return no_register(engine, hart, number);
  const tz_status status = engine_read_register(engine, hart, number, &old);
  if (status == TZ_OK) engine->system.core(hart).write_register(number, value);
  return status;
}

tz_status engine_read_csr(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t* value) {
  if (hart >= engine->harts()) return no_hart(engine, hart);
  const auto found = engine->system.core(hart).read_csr(number, engine->system.now());
  if (!found) return engine->fail(TZ_ERR_ARGUMENT, "no CSR " + std::to_string(number));
  *value = *found;
  return TZ_OK;
}

tz_status engine_step(tz_engine* engine, const tz_run_args* args, tz_step_result* result) {
  const tz_status status = guarded(engine, [&] {
    engine->system.step(*args, *result);
    return TZ_OK;
  });
  if (status != TZ_OK) result->run.stop = TZ_STOP_ERROR;
  return status;
}

tz_status engine_debug_read(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t* value) {
  if (number >= TZ_DEBUG_CSR) return engine_read_csr(engine, hart, number - TZ_DEBUG_CSR, value);
  return engine_read_register(engine, hart, number, value);
}

tz_status engine_debug_write(tz_engine* engine, std::uint32_t hart, std::uint32_t number, std::uint64_t value) {
  std::uint64_t old = 0;
  const tz_status status = engine_debug_read(engine, hart, number, &old);
  if (status != TZ_OK) return status;
  Core& core = engine->system.core(hart);
  if (number < TZ_DEBUG_CSR) {
    core.write_register(number, value);
  } else if (!core.write_csr(number - TZ_DEBUG_CSR, value, engine->system.now())) {
    return engine->fail(TZ_ERR_ARGUMENT, "CSR " + std::to_string(number - TZ_DEBUG_CSR) + " is read-only");
  }
  return TZ_OK;
}

tz_status engine_reset_hart(tz_engine* engine, std::uint32_t hart) {
  if (hart >= engine->harts()) return no_hart(engine, hart);
  return guarded(engine, [&] {
    engine->system.reset_hart(hart);
    if (engine->coherence) engine->coherence->reset(hart);
    return TZ_OK;
  });
}

tz_status engine_read_bus(tz_engine* engine, std::uint32_t hart, std::uint64_t address, std::uint32_t lanes,
                          std::uint32_t* value) {
  if (hart >= engine->harts()) return no_hart(engine, hart);
  return guarded(engine, [&] {
    const BusRead read = engine->system.look(hart, address, lanes);
    if (read.error) return engine->fail(TZ_ERR_ADDRESS, "the bus refuses the read");
    *value = read.value;
    return TZ_OK;
  });
}

tz_status coherence_watch(tz_engine* engine) {
  try {
    engine->coherence = std::make_unique<trapeze::coherence::Coherence>(engine->plan);
  } catch (const std::invalid_argument& error) {
    return engine->fail(TZ_ERR_SUPPORT, error.what());
  }
  engine->system.observe(*engine->coherence);
  return TZ_OK;
}

tz_status engine_jtag(tz_engine* engine, std::uint32_t, std::uint32_t*) {
  return engine->fail(TZ_ERR_SUPPORT, "the model has no JTAG port");
}

std::size_t coherence_take(tz_engine* engine, tz_incoherence* found, std::size_t capacity) {
  if (!engine->coherence) return 0;
  const std::vector<tz_incoherence> taken = engine->coherence->take(capacity);
  std::copy(taken.begin(), taken.end(), found);
  return taken.size();
}

constexpr tz_engine_api kApi = {
    TZ_ENGINE_ABI,          sizeof(tz_engine_api), engine_create,     engine_destroy, engine_info,
    engine_last_error,      engine_reset,          engine_read,       engine_write,   engine_set_line,
    engine_set_wait_states, engine_console_input,  engine_run,        engine_save,    engine_restore,
    engine_snapshot_free,   engine_wave_open,      engine_wave_close, engine_causes,  engine_jtag,
};

constexpr tz_oracle_api kOracle = {
    TZ_ORACLE_ABI,        sizeof(tz_oracle_api), oracle_clic,     oracle_enter,  oracle_step,
    oracle_read_register, oracle_write_register, engine_read_csr, oracle_settle, oracle_wires,
    oracle_access,        oracle_receiver,       oracle_join,     oracle_halt,
};

constexpr tz_debug_api kDebug = {TZ_DEBUG_ABI,       sizeof(tz_debug_api), engine_step,    engine_debug_read,
                                 engine_debug_write, engine_reset_hart,    engine_read_bus};

constexpr tz_coherence_api kCoherence = {TZ_COHERENCE_ABI, sizeof(tz_coherence_api), coherence_watch, coherence_take};

}  // namespace

extern "C" __attribute__((visibility("default"))) const tz_engine_api* tz_engine_get(std::uint32_t abi) {
  return abi == TZ_ENGINE_ABI ? &kApi : nullptr;
}

extern "C" __attribute__((visibility("default"))) const tz_oracle_api* tz_oracle_get(std::uint32_t abi) {
  return abi == TZ_ORACLE_ABI ? &kOracle : nullptr;
}

extern "C" __attribute__((visibility("default"))) const tz_coherence_api* tz_coherence_get(std::uint32_t abi) {
  return abi == TZ_COHERENCE_ABI ? &kCoherence : nullptr;
}

extern "C" __attribute__((visibility("default"))) const tz_debug_api* tz_debug_get(std::uint32_t abi) {
  return abi == TZ_DEBUG_ABI ? &kDebug : nullptr;
}
