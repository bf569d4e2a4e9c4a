// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Traces of every instruction: a listing in objdump's shape and a timeline for Perfetto.
 */
#ifndef TRAPEZE_SIM_KERNEL_TRACE_H
#define TRAPEZE_SIM_KERNEL_TRACE_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernel/atomic_file.h"
#include "kernel/elf.h"
#include "kernel/session.h"
#include "kernel/trace_events.h"
#include "kernel/tracks.h"

namespace trapeze {

/** A trace file; finish() makes it final, without it there is none. */
class TraceWriter : public Observer {
 public:
  virtual void finish(const RunState& state) = 0;
};

/**
 * Text, one line for each instruction: cycle of retirement, privilege, address, encoding, assembly as objdump prints
 * it, and what it did: register, CSR and memory writes, memory reads. A line `<symbol>:` stands before each new
 * function. Events stand between instructions and begin with `>>>`.
 */
class LogTrace final : public TraceWriter {
 public:
  /** `from`: what happened before this cycle is left out. */
  LogTrace(const std::string& path, const ElfFile& elf, const tz_engine_info& info, std::uint64_t from = 0);
  void on_retire(const tz_retire& record) override;
  void on_claim(const tz_claim& claim) override;
  void on_line(std::uint64_t cycle, unsigned line, bool level) override;
  void finish(const RunState& state) override;

 private:
  void event(std::uint64_t cycle, const std::string& text);

  AtomicFile file_;
  SymbolTable symbols_;
  std::uint32_t num_lines_;
  std::uint32_t line_id_base_;
  bool has_c_;
  std::uint64_t from_;
  const ElfSymbol* function_ = nullptr;
  std::uint64_t expected_pc_ = ~std::uint64_t{0};
};

/**
 * Chrome trace-event JSON, which Perfetto opens. One cycle is one microsecond. Tracks: instructions in the pipeline
 * with their stages (as many lanes as overlap), functions by symbol, interrupt lines, interrupt handlers; and those of
 * kernel/tracks.h, from what the engine reports beside the instructions.
 */
class JsonTrace final : public TraceWriter {
 public:
  /** `from`: what ended before this cycle is left out. */
  JsonTrace(const std::string& path, const ElfFile& elf, const tz_engine_info& info, TaskSource tasks = {},
            std::uint64_t from = 0);
  void on_retire(const tz_retire& record) override;
  void on_claim(const tz_claim& claim) override;
  void on_line(std::uint64_t cycle, unsigned line, bool level) override;
  bool watches_activity() const override { return true; }
  void on_activity(const tz_activity& activity) override;
  void finish(const RunState& state) override;

 private:
  struct Handler {
    std::uint64_t start;
    std::string name;
  };

  unsigned lane(std::uint64_t start, std::uint64_t end);
  void show_pipeline(const tz_retire& record);
  void show_function(const tz_retire& record);
  void follow_handlers(const tz_retire& record);
  void follow_frames(const tz_retire& record);
  void end_function(std::uint64_t cycle);
  void end_handler(std::uint64_t cycle);
  void replace_handler(const tz_retire& record);
  std::string interrupt(unsigned id) const;
  const std::string& context() const { return handlers_.empty() ? tasks_.name() : handlers_.back().name; }

  TraceEvents events_;
  std::uint64_t from_;
  SymbolTable symbols_;
  std::uint32_t num_lines_;
  std::uint32_t line_id_base_;
  bool has_c_;
  std::vector<std::uint64_t> lanes_;  ///< cycle in which each lane becomes free
  std::vector<std::uint64_t> line_since_;
  std::vector<Handler> handlers_;
  std::string function_;
  std::uint64_t function_since_ = 0;
  std::uint64_t last_cycle_ = 0;
  bool frames_ = false;              ///< something came from fastirq
  std::uint64_t context_since_ = 0;  ///< from when on context() runs
  LevelTrack levels_;
  TaskTrack tasks_;
  BankTracks banks_;
  PortTracks port_;
};

/** `line 3` for a platform line, `software`, `timer` or `external` for the standard ones, else `id N`. */
std::string interrupt_name(unsigned id, std::uint32_t line_id_base, std::uint32_t num_lines);

/** Name of an exception code, such as "illegal instruction" (Privileged ISA, table 3.6). */
std::string exception_name(std::uint64_t cause);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_TRACE_H
