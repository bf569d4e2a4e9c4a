// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/dynamic_engine.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstring>

#include "kernel/error.h"

namespace trapeze {
namespace {

/** Address of a function that the library exports, or null. */
template <typename Function>
Function find_function(void* library, const char* name) {
  void* symbol = ::dlsym(library, name);
  Function function = nullptr;
  static_assert(sizeof function == sizeof symbol);
  std::memcpy(&function, &symbol, sizeof function);
  return function;
}

}  // namespace

void Engine::CloseLibrary::operator()(void* library) const {
  ::dlclose(library);
}

Engine::Engine(const std::string& path, std::uint32_t reset_seed, const std::string& platform) {
  if (::access(path.c_str(), R_OK) != 0) {
    throw Error("cannot read engine '" + path + "': " + errno_text(errno) + "; build it or check --engine");
  }
  // dlopen() would look for a name without a slash in the system's library folders.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  library_.reset(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library_) {
    const char* why = ::dlerror();
    throw Error("cannot load engine '" + path + "': " + (why != nullptr ? why : "unknown reason") + "; build it again");
  }
  const auto get = find_function<tz_engine_get_fn>(library_.get(), TZ_ENGINE_ENTRY);
  if (get == nullptr) throw Error("'" + path + "' is not an engine (no " TZ_ENGINE_ENTRY "); check --engine");
  api_ = get(TZ_ENGINE_ABI);
  if (api_ == nullptr || api_->abi != TZ_ENGINE_ABI || api_->size < sizeof(tz_engine_api)) {
    throw Error("engine '" + path + "' has another interface version than trapeze-sim; build it again");
  }
  char why[512] = "";
  engine_ = api_->create(reset_seed, platform.c_str(), why, sizeof why);
  if (engine_ == nullptr) throw Error("engine '" + path + "' could not start: " + why);
  info_ = api_->info(engine_);
  const auto get_oracle = find_function<tz_oracle_get_fn>(library_.get(), TZ_ORACLE_ENTRY);
  if (get_oracle != nullptr) oracle_ = get_oracle(TZ_ORACLE_ABI);
  const auto get_debug = find_function<tz_debug_get_fn>(library_.get(), TZ_DEBUG_ENTRY);
  if (get_debug != nullptr) debug_ = get_debug(TZ_DEBUG_ABI);
  const auto get_coherence = find_function<tz_coherence_get_fn>(library_.get(), TZ_COHERENCE_ENTRY);
  if (get_coherence != nullptr) coherence_ = get_coherence(TZ_COHERENCE_ABI);
}

Engine::~Engine() {
  if (engine_ != nullptr) api_->destroy(engine_);
}

void Engine::check(tz_status status) {
  if (status == TZ_ERR_INTERNAL) throw EngineFailure(api_->last_error(engine_));
  if (status != TZ_OK) throw Error(api_->last_error(engine_));
}

bool Engine::can(std::string_view capability) const {
  const std::string words = std::string(" ") + info_->capabilities + " ";
  return words.find(" " + std::string(capability) + " ") != std::string::npos;
}

void Engine::reset() {
  check(api_->reset(engine_));
}
void Engine::read_memory(unsigned hart, std::uint64_t address, void* data, std::size_t size) {
  check(api_->read_memory(engine_, hart, address, data, size));
}
bool Engine::find_memory(unsigned hart, std::uint64_t address, void* data, std::size_t size) const {
  return api_->read_memory(engine_, hart, address, data, size) == TZ_OK;
}

void Engine::write_memory(unsigned hart, std::uint64_t address, const void* data, std::size_t size) {
  check(api_->write_memory(engine_, hart, address, data, size));
}
void Engine::set_line(unsigned hart, unsigned line, bool level) {
  check(api_->set_line(engine_, hart, line, level ? 1 : 0));
}
void Engine::set_wait_states(unsigned instr, unsigned data, std::uint32_t seed) {
  check(api_->set_wait_states(engine_, instr, data, seed));
}
bool Engine::jtag(std::uint32_t pins) {
  std::uint32_t tdo = 0;
  check(api_->jtag(engine_, pins, &tdo));
  return tdo != 0;
}
void Engine::console_input(std::string_view bytes) {
  check(api_->console_input(engine_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

tz_run_result Engine::run(const tz_run_args& args) {
  if (args.select != 0 && args.records_capacity < harts()) {
    throw Error("engine: room for " + std::to_string(args.records_capacity) + " records, but each of " +
                std::to_string(harts()) + " harts may make one in a cycle");
  }
  tz_run_result result{};
  check(api_->run(engine_, &args, &result));
  return result;
}

tz_step_result Engine::step(const tz_run_args& args) {
  tz_step_result result{};
  check(debug_->step(engine_, &args, &result));
  return result;
}
std::uint64_t Engine::read_register(unsigned hart, unsigned number) {
  std::uint64_t value = 0;
  check(debug_->read_register(engine_, hart, number, &value));
  return value;
}
void Engine::write_register(unsigned hart, unsigned number, std::uint64_t value) {
  check(debug_->write_register(engine_, hart, number, value));
}
void Engine::reset_hart(unsigned hart) {
  check(debug_->reset_hart(engine_, hart));
}
std::optional<std::uint32_t> Engine::read_bus(unsigned hart, std::uint64_t address, unsigned lanes) {
  std::uint32_t value = 0;
  const tz_status status = debug_->read_bus(engine_, hart, address, lanes, &value);
  if (status == TZ_ERR_ADDRESS) return std::nullopt;
  check(status);
  return value;
}
Engine::Snapshot Engine::save() {
  void* data = api_->snapshot_save(engine_);
  if (data == nullptr) throw Error(api_->last_error(engine_));
  return {api_, engine_, data};
}

void Engine::restore(const Snapshot& snapshot) {
  check(api_->snapshot_restore(engine_, snapshot.get()));
}
void Engine::watch_coherence() {
  if (coherence_ == nullptr) {
    throw Error("--coherence: engine '" + std::string(info_->engine) + "' cannot look at caches; use the model");
  }
  check(coherence_->watch(engine_));
}

std::vector<tz_incoherence> Engine::take_incoherences() {
  constexpr std::size_t kSome = 64;
  std::vector<tz_incoherence> all;
  std::size_t count = kSome;
  while (coherence_ != nullptr && count == kSome) {
    const std::size_t before = all.size();
    all.resize(before + kSome);
    count = coherence_->take(engine_, &all[before], kSome);
    all.resize(before + count);
  }
  return all;
}

std::vector<tz_cause> Engine::causes(unsigned hart) const {
  std::vector<tz_cause> all(api_->causes(engine_, hart, nullptr, 0));
  api_->causes(engine_, hart, all.data(), all.size());
  return all;
}

void Engine::wave_open(const std::string& path) {
  check(api_->wave_open(engine_, path.c_str()));
}
void Engine::wave_close() {
  check(api_->wave_close(engine_));
}

}  // namespace trapeze
