// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include "kernel/disasm.h"
#include "kernel/error.h"
#include "kernel/handlers.h"
#include "kernel/isa.h"
#include "kernel/trace.h"

namespace trapeze {
namespace {

constexpr unsigned kPipeline = 1;
constexpr unsigned kSoftware = 2;
constexpr unsigned kInterrupts = 3;
constexpr unsigned kFastirq = 4;

constexpr Track kFunctions{kSoftware, 1};
constexpr Track kTasks{kSoftware, 2};
constexpr Track kLevels{kInterrupts, 1};
constexpr Track kHandlers{kInterrupts, 2};
constexpr unsigned kFirstLine = 3;
constexpr unsigned kFirstUse = 1;  // of the frame port
constexpr unsigned kFirstBank = 11;

constexpr std::uint64_t kLow = ~std::uint64_t{0};
constexpr unsigned kMframe = 0x7c1;

Track line_track(unsigned line) {
  return {kInterrupts, kFirstLine + line};
}

}  // namespace

JsonTrace::JsonTrace(const std::string& path, const ElfFile& elf, const tz_engine_info& info, TaskSource tasks,
                     std::uint64_t from)
    : events_(path, info.config, from),
      from_(from),
      symbols_(elf.symbols),
      num_lines_(info.harts[0].num_lines),
      line_id_base_(info.harts[0].line_id_base),
      has_c_(parse_isa(info.harts[0].isa).has("c")),
      line_since_(info.harts[0].num_lines, kLow),
      levels_(events_, kLevels),
      tasks_(events_, kTasks, std::move(tasks)),
      banks_(events_, kFastirq, kFirstBank),
      port_(events_, kFastirq, kFirstUse, std::string_view(info.harts[0].isa).substr(0, 5) == "rv32e",
            info.harts[0].line_id_base + info.harts[0].num_lines) {
  events_.name_process(kPipeline, "pipeline");
  events_.name_process(kSoftware, "software");
  events_.name_process(kInterrupts, "interrupts");
  events_.name_track(kFunctions, "functions");
  events_.name_track(kHandlers, "handlers");
}

std::string JsonTrace::interrupt(unsigned id) const {
  return interrupt_name(id, line_id_base_, num_lines_);
}

unsigned JsonTrace::lane(std::uint64_t start, std::uint64_t end) {
  const auto found = std::find_if(lanes_.begin(), lanes_.end(), [start](std::uint64_t free) { return free <= start; });
  const auto index = static_cast<unsigned>(found - lanes_.begin());
  if (found == lanes_.end()) {
    lanes_.push_back(end);
    events_.name_track({kPipeline, index + 1}, "slot " + std::to_string(index));
  } else {
    *found = end;
  }
  return index + 1;
}

void JsonTrace::end_function(std::uint64_t cycle) {
  if (!function_.empty()) events_.slice(kFunctions, function_since_, cycle, function_);
  function_.clear();
}

void JsonTrace::end_handler(std::uint64_t cycle) {
  if (handlers_.empty()) return;
  const Handler& handler = handlers_.back();
  events_.slice(kHandlers, handler.start, cycle, handler.name);
  handlers_.pop_back();
}

/** An emret went on to another interrupt, whose handler is on the stack already: the one below it has ended. */
void JsonTrace::replace_handler(const tz_retire& r) {
  const std::string name = interrupt(r.irq_id);
  const auto next = std::find_if(handlers_.rbegin(), handlers_.rend(),
                                 [&](const Handler& h) { return h.name == name && h.start <= r.cycle_ex; });
  if (next == handlers_.rend() || std::next(next) == handlers_.rend()) return;
  const auto ended = std::prev(next.base(), 2);
  events_.slice(kHandlers, ended->start, next->start, ended->name);
  handlers_.erase(ended);
}

void JsonTrace::show_pipeline(const tz_retire& r) {
  const std::uint64_t end = r.cycle_retire + 1;
  const Track track{kPipeline, lane(r.cycle_fetch, end)};
  std::string text = disassemble(
      r.insn, static_cast<std::uint32_t>(r.pc), [this](std::uint64_t address) { return symbols_.describe(address); },
      has_c_);
  std::replace(text.begin(), text.end(), '\t', ' ');
  events_.slice(track, r.cycle_fetch, end, text,
                "\"pc\":" + json_string(hex(r.pc)) + ",\"at\":" + json_string(symbols_.describe(r.pc)) +
                    ",\"order\":" + std::to_string(r.order));
  events_.slice(track, r.cycle_fetch, r.cycle_ex, "fetch, decode");
  events_.slice(track, r.cycle_ex, r.cycle_ex + 1, "execute");
  events_.slice(track, r.cycle_ex + 1, end, "write back");
}

void JsonTrace::show_function(const tz_retire& r) {
  const ElfSymbol* symbol = symbols_.find(r.pc);
  const std::string function = symbol != nullptr ? symbol->name : std::string("?");
  if (function == function_) return;
  end_function(r.cycle_ex);
  function_ = function;
  function_since_ = r.cycle_ex;
}

void JsonTrace::follow_handlers(const tz_retire& r) {
  if ((r.flags & TZ_RETIRE_TRAP) != 0) {
    handlers_.push_back({r.cycle_retire, "exception: " + exception_name(r.cause)});
  } else if (r.insn == kEmret && (r.flags & TZ_RETIRE_IRQ) != 0) {
    replace_handler(r);
  } else if (r.insn == kMret || r.insn == kEmret) {
    end_handler(r.cycle_ex + 1);  // the next interrupt may be taken at once
  }
}

/** What an instruction means for banks and frames. */
void JsonTrace::follow_frames(const tz_retire& r) {
  if ((r.flags & TZ_RETIRE_CSR_WE) != 0 && r.csr_addr == kMtvt) port_.on_table(r.csr_value);
  if ((r.flags & TZ_RETIRE_CSR_WE) != 0 && r.csr_addr == kMframe) {
    port_.on_hint(r.cycle_ex, r.csr_value);
    banks_.on_hint("frame at " + hex(r.csr_value & ~std::uint64_t{3}));
  }
  if ((r.flags & TZ_RETIRE_TRAP) != 0) {
    port_.end_hint(r.cycle_retire);
    context_since_ = r.cycle_retire;
  }
  if (r.insn == kEmret) port_.end_hint(r.cycle_ex);
  // Something else runs in the same bank: behind a return that had to load, an emret that goes on to an interrupt, or
  // an entry without fastirq. What retires behind a claim may be older than it.
  const bool returned = (r.flags & TZ_RETIRE_TRAP) == 0 && (r.insn == kMret || r.insn == kEmret);
  if (returned) context_since_ = std::max(context_since_, r.cycle_ex + 1);
  if (returned || r.cycle_ex >= context_since_) banks_.on_context(context_since_, context());
}

void JsonTrace::on_retire(const tz_retire& r) {
  last_cycle_ = r.cycle_retire + 1;
  if (last_cycle_ > from_) show_pipeline(r);
  show_function(r);
  if (tasks_.on_store(r)) context_since_ = r.cycle_ex;
  follow_handlers(r);
  follow_frames(r);
}

void JsonTrace::on_claim(const tz_claim& claim) {
  const std::string name = interrupt(claim.id);
  events_.instant(kHandlers, claim.cycle, "taken: " + name, "\"mepc\":" + json_string(hex(claim.epc)));
  handlers_.push_back({claim.cycle, name});
  context_since_ = claim.cycle + 1;
  port_.end_hint(claim.cycle);
}

void JsonTrace::on_line(std::uint64_t cycle, unsigned line, bool level) {
  if (level) {
    line_since_[line] = cycle;
    events_.name_track(line_track(line), "line " + std::to_string(line));
  } else if (line_since_[line] != kLow) {
    events_.slice(line_track(line), line_since_[line], cycle, "high");
    line_since_[line] = kLow;
  }
}

void JsonTrace::on_activity(const tz_activity& activity) {
  if (activity.kind != TZ_ACTIVITY_LEVEL && !frames_) {
    events_.name_process(kFastirq, "fastirq");
    frames_ = true;
  }
  switch (activity.kind) {
    case TZ_ACTIVITY_LEVEL:
      levels_.on_level(activity.cycle, static_cast<unsigned>(activity.value));
      break;
    case TZ_ACTIVITY_BANKS:
      banks_.on_banks(activity.cycle, static_cast<std::uint32_t>(activity.value), context());
      port_.on_banks();
      break;
    default:
      port_.on_access(activity, [this](unsigned id) { return interrupt(id); });
  }
}

void JsonTrace::finish(const RunState& state) {
  const std::uint64_t end = std::max(last_cycle_, state.cycle);
  end_function(end);
  levels_.on_level(end, 0);
  tasks_.finish(end);
  while (!handlers_.empty()) end_handler(end);
  banks_.finish(end);
  port_.finish();
  for (unsigned line = 0; line < line_since_.size(); ++line) on_line(end, line, false);
  events_.finish();
}

}  // namespace trapeze
