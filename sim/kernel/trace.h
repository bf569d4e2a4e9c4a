// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Traces of every instruction: a listing in objdump's shape and a timeline for Perfetto.
 */
#ifndef TRAPEZE_SIM_KERNEL_TRACE_H
#define TRAPEZE_SIM_KERNEL_TRACE_H

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "kernel/atomic_file.h"
#include "kernel/disasm.h"
#include "kernel/elf.h"
#include "kernel/hart_timeline.h"
#include "kernel/post_tracks.h"
#include "kernel/session.h"
#include "kernel/trace_events.h"
#include "kernel/tracks.h"

namespace trapeze {

/** A trace file. Without a call of finish() no file is left. */
class TraceWriter : public Observer {
 public:
  virtual void finish(const RunState& state) = 0;
};

/**
 * Text, one line for each instruction: cycle of retirement, privilege, address, encoding, assembly as objdump prints
 * it, and what it did: register, CSR and memory writes, memory reads. A line `<symbol>:` stands before each new
 * function. Events stand between instructions and begin with `>>>`. If there are several harts, each line names its
 * hart: `0:M`, `>>> hart 0: `.
 */
class LogTrace final : public TraceWriter {
 public:
  /** `symbols`: symbol tables, one for each hart. `from`: events before this cycle are left out. */
  LogTrace(const std::string& path, std::vector<SymbolTable> symbols, const tz_engine_info& info,
           std::uint64_t from = 0);
  void on_retire(const tz_retire& record) override;
  void on_claim(const tz_claim& claim) override;
  void on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) override;
  void finish(const RunState& state) override;

 private:
  struct Hart {
    SymbolTable symbols;
    std::uint32_t num_lines;
    std::uint32_t line_id_base;
    InstructionSet set;
    const ElfSymbol* function = nullptr;
  };

  void event(std::uint64_t cycle, unsigned hart, const std::string& text);
  std::string prefix(unsigned hart) const;

  AtomicFile file_;
  std::vector<Hart> harts_;
  std::uint64_t from_;
};

/** Timeline as Chrome trace-event JSON, which Perfetto opens. One cycle is one microsecond. Each hart has a group of
 * tracks, see HartTimeline and PostTracks, and each span has a track. */
class JsonTrace final : public TraceWriter {
 public:
  /** `symbols`: symbol tables, one for each hart. `tasks`: sources of tasks, one for each hart, or for the first
   * harts only. `from`: slices that ended before this cycle are left out. */
  JsonTrace(const std::string& path, std::vector<SymbolTable> symbols, const tz_engine_info& info,
            std::vector<TaskSource> tasks = {}, std::uint64_t from = 0);
  void on_retire(const tz_retire& record) override;
  void on_claim(const tz_claim& claim) override;
  void on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) override;
  bool watches_activity() const override { return true; }
  void on_activity(const tz_activity& activity) override;
  bool watches_posts() const override { return true; }
  void on_post(const tz_post& post) override { posts_.on_post(post); }
  void on_span(const std::string& name, std::uint64_t from, std::uint64_t to) override;
  void finish(const RunState& state) override;

 private:
  TraceEvents events_;
  std::deque<HartTimeline> harts_;
  PostTracks posts_;
  std::map<std::string, Track> spans_;  ///< the track of each span, by name
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_TRACE_H
