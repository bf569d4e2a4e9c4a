// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/trace_records.h"

#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <utility>

#include "kernel/disasm.h"
#include "kernel/names.h"

namespace trapeze {
namespace {

using Json = nlohmann::ordered_json;

std::string line(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

Json access(const tz_retire& r, unsigned mask, std::uint64_t value) {
  return {{"address", r.mem_addr}, {"bytes", std::popcount(mask)}, {"value", value}};
}

/** Numbers of the banks whose bits are set. */
Json banks(std::uint64_t bits) {
  Json numbers = Json::array();
  for (unsigned bank = 0; bits >> bank != 0; ++bank) {
    if ((bits >> bank & 1U) != 0) numbers.push_back(bank);
  }
  return numbers;
}

}  // namespace

RecordTrace::RecordTrace(const std::string& path, std::vector<SymbolTable> symbols, const tz_engine_info& info,
                         std::vector<TaskSource> tasks, std::uint64_t from)
    : file_(path, "trace"), from_(from) {
  Json harts = Json::array();
  tasks.resize(info.num_harts);
  for (std::uint32_t i = 0; i < info.num_harts; ++i) {
    const tz_hart_info& hart = info.harts[i];
    harts_.push_back({std::move(symbols[i]), hart.num_lines, hart.line_id_base, instruction_set(hart),
                      TaskStates(std::move(tasks[i]))});
    harts.push_back({{"hart", i}, {"hart_id", hart.hart_id}, {"isa", hart.isa}, {"interrupts", hart.interrupts}});
  }
  file_.write(line({{"type", "header"},
                    {"schema", "trapeze.trace/1"},
                    {"config", info.config},
                    {"engine", info.engine},
                    {"from", from},
                    {"harts", std::move(harts)}}));
}

void RecordTrace::task(unsigned hart, std::uint64_t cycle, const TaskChange& change) {
  static constexpr std::array<const char*, 3> kStates = {"runs", "waits", "ready"};
  Json json = {{"type", "task"},
               {"hart", hart},
               {"cycle", cycle},
               {"task", change.wait.name},
               {"state", kStates[static_cast<unsigned>(change.state)]}};
  if (change.state == TaskChange::State::kWaits) json["for"] = change.wait.what;
  if (!change.wait.holder.empty() && change.state == TaskChange::State::kWaits) json["holder"] = change.wait.holder;
  file_.write(line(json));
}

/** Follows the tasks of a hart. What was left out of the trace is told in its first cycle, as far as it still holds. */
void RecordTrace::tell_tasks(unsigned hart, const tz_retire& r) {
  const bool told = r.cycle_retire >= from_;
  if (told && !begun_) {
    for (unsigned i = 0; i < harts_.size(); ++i) {
      const TaskStates& tasks = harts_[i].tasks;
      if (tasks.running() != 0) {
        task(i, from_, {TaskChange::State::kRuns, {tasks.running(), tasks.name_of(tasks.running()), {}, {}, 0}});
      }
      for (const TaskWait& wait : tasks.waits()) task(i, from_, {TaskChange::State::kWaits, wait});
    }
  }
  begun_ |= told;
  const std::optional<TaskChange> change = harts_[hart].tasks.on_store(r);
  if (change && told) task(hart, r.cycle_retire, *change);
}

void RecordTrace::on_retire(const tz_retire& r) {
  tell_tasks(r.hart, r);
  if (r.cycle_retire < from_) return;
  const Hart& hart = harts_[r.hart];
  const SymbolTable& symbols = hart.symbols;
  const std::string symbol = symbols.describe(r.pc);
  Json json = {
      {"type", "retire"},
      {"hart", r.hart},
      {"cycle", r.cycle_retire},
      {"fetch", r.cycle_fetch},
      {"execute", r.cycle_ex},
      {"order", r.order},
      {"mode", r.mode},
      {"pc", r.pc},
      {"next", r.pc_next},
      {"insn", r.insn},
      {"bytes", instruction_size(r.insn, hart.set.has_c)},
      {"asm",
       disassemble(r.insn, r.pc, hart.set, [&symbols](std::uint64_t address) { return symbols.describe(address); })},
  };
  if (!symbol.empty()) json["symbol"] = symbol;
  if (r.rd != 0) json["rd"] = {{"register", r.rd}, {"name", register_name(r.rd)}, {"value", r.rd_value}};
  if ((r.flags & TZ_RETIRE_CSR_WE) != 0) {
    json["csr"] = {{"number", r.csr_addr}, {"name", csr_name(r.csr_addr)}, {"value", r.csr_value}};
  }
  if (r.mem_rmask != 0) json["load"] = access(r, r.mem_rmask, r.mem_rdata);
  if (r.mem_wmask != 0) json["store"] = access(r, r.mem_wmask, r.mem_wdata);
  if (r.cycle_mem != 0) json["granted"] = Json::array({r.cycle_mem});
  if (r.cycle_mem2 != 0) json["granted"].push_back(r.cycle_mem2);
  if ((r.flags & TZ_RETIRE_TRAP) != 0) json["exception"] = {{"cause", r.cause}, {"name", exception_name(r.cause)}};
  if ((r.flags & TZ_RETIRE_INTR) != 0) json["first"] = true;
  if ((r.flags & TZ_RETIRE_IRQ) != 0) {
    const bool begins = (r.flags & TZ_RETIRE_INTR) != 0;
    json[begins ? "interrupt" : "goes_on_to"] = {{"id", r.irq_id},
                                                 {"name", interrupt_name(r.irq_id, hart.line_id_base, hart.num_lines)},
                                                 {"level", r.irq_level}};
  }
  file_.write(line(json));
}

void RecordTrace::on_claim(const tz_claim& claim) {
  if (claim.cycle < from_) return;
  const Hart& hart = harts_[claim.hart];
  file_.write(line({{"type", "claim"},
                    {"hart", claim.hart},
                    {"cycle", claim.cycle},
                    {"id", claim.id},
                    {"name", interrupt_name(claim.id, hart.line_id_base, hart.num_lines)},
                    {"level", claim.level},
                    {"epc", claim.epc}}));
}

void RecordTrace::on_line(std::uint64_t cycle, unsigned hart, unsigned number, bool level) {
  if (cycle < from_) return;
  file_.write(line({{"type", "line"}, {"hart", hart}, {"cycle", cycle}, {"line", number}, {"high", level}}));
}

void RecordTrace::on_activity(const tz_activity& activity) {
  if (activity.cycle < from_) return;
  Json json = {{"type", "activity"}, {"hart", activity.hart}, {"cycle", activity.cycle}};
  switch (activity.kind) {
    case TZ_ACTIVITY_LEVEL:
      json.update({{"kind", "level"}, {"level", activity.value}});
      break;
    case TZ_ACTIVITY_BANKS:
      json.update({{"kind", "banks"},
                   {"current", TZ_BANKS_CURRENT(activity.value)},
                   {"held", banks(TZ_BANKS_HELD(activity.value))},
                   {"leaving", banks(TZ_BANKS_LEAVE(activity.value))}});
      break;
    case TZ_ACTIVITY_JUDGE:
      json.update({{"kind", "frame-judge"}, {"searches", activity.value != 0}});
      break;
    default:
      json.update({{"kind", activity.kind == TZ_ACTIVITY_STORE ? "frame-store" : "frame-load"},
                   {"since", activity.since},
                   {"address", activity.value}});
  }
  file_.write(line(json));
}

void RecordTrace::finish(const RunState& state) {
  const char* const reason = state.exited        ? "exit"
                             : state.over_budget ? "budget"
                             : state.asleep      ? "asleep"
                             : state.stopped     ? "signal"
                             : state.reached     ? "until"
                                                 : "max-cycles";
  Json json = {{"type", "end"}, {"cycle", state.cycle}, {"reason", reason}};
  if (state.exited) json.update({{"hart", state.exit_hart}, {"code", state.exit_code}});
  file_.write(line(json));
  file_.commit();
}

}  // namespace trapeze
