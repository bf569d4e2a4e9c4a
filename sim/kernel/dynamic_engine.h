// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * An engine from a shared library, as a C++ object.
 */
#ifndef TRAPEZE_SIM_KERNEL_DYNAMIC_ENGINE_H
#define TRAPEZE_SIM_KERNEL_DYNAMIC_ENGINE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/coherence.h"
#include "kernel/debug.h"
#include "kernel/engine.h"
#include "kernel/oracle.h"

namespace trapeze {

/** Owns a loaded engine library and one instance of it. A call that fails throws Error with the engine's message. */
class Engine {
 public:
  /** A saved state of the engine. It must not outlive its engine. */
  class Snapshot {
   public:
    Snapshot(const tz_engine_api* api, tz_engine* engine, void* data) : data_(data, Free{api, engine}) {}
    const void* get() const { return data_.get(); }

   private:
    struct Free {
      const tz_engine_api* api = nullptr;
      tz_engine* engine = nullptr;
      void operator()(void* data) const { api->snapshot_free(engine, data); }
    };
    std::unique_ptr<void, Free> data_;
  };

  /** Load the library at `path` and create an instance, reset; the others: see tz_engine_api::create(). */
  explicit Engine(const std::string& path, std::uint32_t reset_seed = 0, const std::string& platform = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const tz_engine_info& info() const { return *info_; }
  unsigned harts() const { return info_->num_harts; }
  /** Description of hart `number`, which must exist. */
  const tz_hart_info& hart(unsigned number) const { return info_->harts[number]; }
  /** True if `capability` (TZ_CAP_*) is one of the engine's. */
  bool can(std::string_view capability) const;

  void reset();
  void read_memory(unsigned hart, std::uint64_t address, void* data, std::size_t size);
  /** Reads like read(), but returns false if no memory of the hart holds the whole range. */
  bool find_memory(unsigned hart, std::uint64_t address, void* data, std::size_t size) const;
  void write_memory(unsigned hart, std::uint64_t address, const void* data, std::size_t size);
  void set_line(unsigned hart, unsigned line, bool level);
  void set_wait_states(unsigned instr, unsigned data, std::uint32_t seed);
  /** Pins of the JTAG port (tz_jtag_pin) from the next cycle on; returns tdo. Needs TZ_CAP_JTAG. */
  bool jtag(std::uint32_t pins);
  void console_input(std::string_view bytes);
  tz_run_result run(const tz_run_args& args);
  /** The next four calls are those of debug(), which must not be null. */
  tz_step_result step(const tz_run_args& args);
  std::uint64_t read_register(unsigned hart, unsigned number);
  void write_register(unsigned hart, unsigned number, std::uint64_t value);
  void reset_hart(unsigned hart);
  /** See tz_debug_api::read_bus(). Nothing: the bus refuses it. */
  std::optional<std::uint32_t> read_bus(unsigned hart, std::uint64_t address, unsigned lanes);
  Snapshot save();
  void restore(const Snapshot& snapshot);
  /** Looks for missing cache maintenance from now on, see tz_coherence_api. Throws Error if the engine cannot. */
  void watch_coherence();
  /** What was found since the last call. */
  std::vector<tz_incoherence> take_incoherences();
  /** Where the cycles of a hart went; empty: that is not known. Names live as long as the engine. */
  std::vector<tz_cause> causes(unsigned hart) const;
  void wave_open(const std::string& path);
  void wave_close();

  /** The interface of a reference, or null if the engine has none; its calls take handle(). */
  const tz_oracle_api* oracle() const { return oracle_; }
  /** The interface for debuggers, or null if the engine has none. */
  const tz_debug_api* debug() const { return debug_; }
  tz_engine* handle() const { return engine_; }
  std::string last_error() const { return api_->last_error(engine_); }

 private:
  void check(tz_status status);

  struct CloseLibrary {
    void operator()(void* library) const;
  };
  std::unique_ptr<void, CloseLibrary> library_;
  const tz_engine_api* api_ = nullptr;
  const tz_oracle_api* oracle_ = nullptr;
  const tz_debug_api* debug_ = nullptr;
  const tz_coherence_api* coherence_ = nullptr;
  tz_engine* engine_ = nullptr;
  const tz_engine_info* info_ = nullptr;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_DYNAMIC_ENGINE_H
