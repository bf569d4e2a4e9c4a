// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The typed records of a trace, one JSON object a line: schema "trapeze.trace/1", kernel/trace.schema.json.
 *
 * The first record is the `header`, the last one the `end`; between them, in the order of cycles as far as the engine
 * has them, stand `retire`, `claim`, `line`, `activity` and `task`, each with its hart. A record says what happened, in
 * numbers; names and text (`asm`, `symbol`, `name`) stand beside them so that no reader needs a disassembler. The
 * listing (LogTrace) and the timeline (JsonTrace) show the same events.
 */
#ifndef TRAPEZE_SIM_KERNEL_TRACE_RECORDS_H
#define TRAPEZE_SIM_KERNEL_TRACE_RECORDS_H

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/atomic_file.h"
#include "kernel/disasm.h"
#include "kernel/elf.h"
#include "kernel/trace.h"

namespace trapeze {

/** Writes the typed records of a run. */
class RecordTrace final : public TraceWriter {
 public:
  /** `symbols`: symbol tables, one for each hart. `tasks`: sources of tasks, likewise. `from`: events before this cycle
   * are left out. */
  RecordTrace(const std::string& path, std::vector<SymbolTable> symbols, const tz_engine_info& info,
              std::vector<TaskSource> tasks, std::uint64_t from = 0);
  void on_retire(const tz_retire& record) override;
  void on_claim(const tz_claim& claim) override;
  void on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) override;
  bool watches_activity() const override { return true; }
  void on_activity(const tz_activity& activity) override;
  void finish(const RunState& state) override;

 private:
  struct Hart {
    SymbolTable symbols;
    std::uint32_t num_lines;
    std::uint32_t line_id_base;
    InstructionSet set;
    TaskStates tasks;
  };

  void tell_tasks(unsigned hart, const tz_retire& record);
  void task(unsigned hart, std::uint64_t cycle, const TaskChange& change);

  AtomicFile file_;
  std::vector<Hart> harts_;
  std::uint64_t from_;
  bool begun_ = false;  ///< a cycle that is not left out has come
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_TRACE_RECORDS_H
