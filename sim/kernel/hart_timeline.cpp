// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/hart_timeline.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "kernel/error.h"
#include "kernel/handlers.h"
#include "kernel/isa.h"
#include "kernel/names.h"

namespace trapeze {
namespace {

// Numbers of the processes of a hart, and of the threads in each.
constexpr unsigned kPipeline = 1;
constexpr unsigned kSoftware = 2;
constexpr unsigned kInterrupts = 3;
constexpr unsigned kFastirq = 4;
constexpr unsigned kFunctions = 1;
constexpr unsigned kTasks = 2;
constexpr unsigned kPrivilege = 3;
constexpr unsigned kFirstWaits = 4;
constexpr unsigned kLevels = 1;
constexpr unsigned kHandlers = 2;
constexpr unsigned kFirstLine = 3;
constexpr unsigned kFirstUse = 1;  // first thread of the frame port; one thread for each use
constexpr unsigned kFirstBank = 11;

constexpr std::uint64_t kLow = ~std::uint64_t{0};
using isa::csr::kMframe;
using isa::csr::kUframe;

}  // namespace

HartTimeline::HartTimeline(TraceEvents& events, const Group& group, SymbolTable symbols, const tz_hart_info& hart,
                           TaskSource tasks)
    : events_(events),
      group_(group),
      functions_{process(kSoftware), kFunctions},
      handlers_track_{process(kInterrupts), kHandlers},
      symbols_(std::move(symbols)),
      num_lines_(hart.num_lines),
      line_id_base_(hart.line_id_base),
      set_(instruction_set(hart)),
      line_since_(hart.num_lines, kLow),
      privilege_(events_, {process(kSoftware), kPrivilege}),
      levels_(events_, {process(kInterrupts), kLevels}),
      tasks_(events_, {process(kSoftware), kTasks}, {process(kSoftware), kFirstWaits}, std::move(tasks)),
      banks_(events_, process(kFastirq), kFirstBank),
      port_(events_, process(kFastirq), kFirstUse, frame_layout_of(hart.isa), hart.line_id_base + hart.num_lines) {
  name_process(kPipeline, "pipeline");
  name_process(kSoftware, "software");
  name_process(kInterrupts, "interrupts");
  events_.name_track(functions_, "functions");
  events_.name_track(handlers_track_, "handlers");
}

unsigned HartTimeline::process(unsigned number) const {
  return group_.first_process + number;
}

void HartTimeline::name_process(unsigned number, const std::string& name) {
  events_.name_process(process(number), group_.name + name);
}

Track HartTimeline::line_track(unsigned line) const {
  return {process(kInterrupts), kFirstLine + line};
}

Track HartTimeline::posts_track() const {
  return line_track(num_lines_);
}

Track HartTimeline::notifications_track() const {
  return line_track(num_lines_ + 1);
}

std::string HartTimeline::interrupt(unsigned id) const {
  return interrupt_name(id, line_id_base_, num_lines_);
}

unsigned HartTimeline::lane(std::uint64_t start, std::uint64_t end) {
  const auto found = std::find_if(lanes_.begin(), lanes_.end(), [start](std::uint64_t free) { return free <= start; });
  const auto index = static_cast<unsigned>(found - lanes_.begin());
  if (found == lanes_.end()) {
    lanes_.push_back(end);
    events_.name_track({process(kPipeline), index + 1}, "slot " + std::to_string(index));
  } else {
    *found = end;
  }
  return index + 1;
}

void HartTimeline::end_function(std::uint64_t cycle) {
  if (!function_.empty()) events_.slice(functions_, function_since_, cycle, function_);
  function_.clear();
}

void HartTimeline::end_handler(std::uint64_t cycle) {
  if (handlers_.empty()) return;
  const Handler& handler = handlers_.back();
  events_.slice(handlers_track_, handler.start, cycle, handler.name);
  handlers_.pop_back();
}

/** An emret or euret went on to another interrupt. Its handler is on top of the stack already, so the handler below
 * it has ended. */
void HartTimeline::replace_handler(const tz_retire& r) {
  const std::string name = interrupt(r.irq_id);
  const auto next = std::find_if(handlers_.rbegin(), handlers_.rend(),
                                 [&](const Handler& h) { return h.name == name && h.start <= r.cycle_ex; });
  if (next == handlers_.rend() || std::next(next) == handlers_.rend()) return;
  const auto ended = std::prev(next.base(), 2);
  events_.slice(handlers_track_, ended->start, next->start, ended->name);
  handlers_.erase(ended);
}

void HartTimeline::show_pipeline(const tz_retire& r) {
  const std::uint64_t end = r.cycle_retire + 1;
  const Track track{process(kPipeline), lane(r.cycle_fetch, end)};
  std::string text =
      disassemble(r.insn, r.pc, set_, [this](std::uint64_t address) { return symbols_.describe(address); });
  std::replace(text.begin(), text.end(), '\t', ' ');
  events_.slice(track, r.cycle_fetch, end, text,
                "\"pc\":" + json_string(hex(r.pc)) + ",\"at\":" + json_string(symbols_.describe(r.pc)) +
                    ",\"order\":" + std::to_string(r.order));
  events_.slice(track, r.cycle_fetch, r.cycle_ex, "fetch, decode");
  events_.slice(track, r.cycle_ex, r.cycle_ex + 1, "execute");
  events_.slice(track, r.cycle_ex + 1, end, "write back");
}

void HartTimeline::show_function(const tz_retire& r) {
  const ElfSymbol* symbol = symbols_.find(r.pc);
  const std::string function = symbol != nullptr ? symbol->name : std::string("?");
  if (function == function_) return;
  end_function(r.cycle_ex);
  function_ = function;
  function_since_ = r.cycle_ex;
}

void HartTimeline::follow_handlers(const tz_retire& r) {
  if (r.mode == TZ_MODE_DEBUG) return;  // its exceptions go to the debug module's program, not to handlers
  if ((r.flags & TZ_RETIRE_TRAP) != 0) {
    handlers_.push_back({r.cycle_retire, "exception: " + exception_name(r.cause)});
  } else if (leaves_frame(r.insn) && (r.flags & TZ_RETIRE_IRQ) != 0) {
    replace_handler(r);
  } else if (is_trap_return(r.insn)) {
    end_handler(r.cycle_ex + 1);  // the next interrupt may be taken at once
  }
}

/** Updates banks and frames for an instruction that retired. */
void HartTimeline::follow_frames(const tz_retire& r) {
  if ((r.flags & TZ_RETIRE_CSR_WE) != 0 && r.csr_addr == isa::csr::kMtvt) port_.on_table(r.csr_value);
  if ((r.flags & TZ_RETIRE_CSR_WE) != 0 && (r.csr_addr == kMframe || r.csr_addr == kUframe)) {
    port_.on_hint(r.cycle_ex, r.csr_value);
    banks_.on_hint("frame at " + hex(r.csr_value & ~std::uint64_t{3}));
  }
  if ((r.flags & TZ_RETIRE_TRAP) != 0 && r.mode != TZ_MODE_DEBUG) {
    port_.end_hint(r.cycle_retire);
    context_since_ = r.cycle_retire;
  }
  if (leaves_frame(r.insn)) port_.end_hint(r.cycle_ex);
  // The current bank runs another context after a return that had to load, after an emret that goes on to an interrupt,
  // and after an entry without fastirq. An instruction that retires after a claim may be older than the claim.
  const bool returned = (r.flags & TZ_RETIRE_TRAP) == 0 && is_trap_return(r.insn);
  if (returned) context_since_ = std::max(context_since_, r.cycle_ex + 1);
  if (returned || r.cycle_ex >= context_since_) banks_.on_context(context_since_, context());
}

void HartTimeline::on_retire(const tz_retire& r) {
  last_cycle_ = r.cycle_retire + 1;
  if (last_cycle_ > events_.from()) show_pipeline(r);
  show_function(r);
  privilege_.on_mode(r.cycle_ex, r.mode);
  if (tasks_.on_store(r)) context_since_ = r.cycle_ex;
  follow_handlers(r);
  follow_frames(r);
}

void HartTimeline::on_claim(const tz_claim& claim) {
  const std::string name = interrupt(claim.id);
  events_.instant(handlers_track_, claim.cycle, "taken: " + name, "\"mepc\":" + json_string(hex(claim.epc)));
  handlers_.push_back({claim.cycle, name});
  context_since_ = claim.cycle + 1;
  port_.end_hint(claim.cycle);
}

void HartTimeline::on_line(std::uint64_t cycle, unsigned line, bool level) {
  if (level) {
    line_since_[line] = cycle;
    events_.name_track(line_track(line), "line " + std::to_string(line));
  } else if (line_since_[line] != kLow) {
    events_.slice(line_track(line), line_since_[line], cycle, "high");
    line_since_[line] = kLow;
  }
}

void HartTimeline::on_activity(const tz_activity& activity) {
  if (activity.kind == TZ_ACTIVITY_JUDGE) return;  // has no track
  if (activity.kind != TZ_ACTIVITY_LEVEL && !frames_) {
    name_process(kFastirq, "fastirq");
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

void HartTimeline::finish(std::uint64_t cycle) {
  const std::uint64_t end = std::max(last_cycle_, cycle);
  end_function(end);
  privilege_.finish(end);
  levels_.on_level(end, 0);
  tasks_.finish(end);
  while (!handlers_.empty()) end_handler(end);
  banks_.finish(end);
  port_.finish();
  for (unsigned line = 0; line < line_since_.size(); ++line) on_line(end, line, false);
}

}  // namespace trapeze
