// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Format: "Trace Event Format" (Chromium project): complete events (ph X), instants (ph i), metadata (ph M).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernel/disasm.h"
#include "kernel/error.h"
#include "kernel/trace.h"

namespace trapeze {
namespace {

constexpr unsigned kPipeline = 1;
constexpr unsigned kSoftware = 2;
constexpr unsigned kInterrupts = 3;

constexpr unsigned kFunctions = 1;
constexpr unsigned kHandlers = 1;
constexpr unsigned kFirstLine = 2;

constexpr std::uint64_t kLow = ~std::uint64_t{0};
constexpr std::uint32_t kMret = 0x30200073;
constexpr std::uint32_t kEmret = 0xbc200073;

std::string quote(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string head(const char* phase, unsigned process, unsigned thread) {
  return std::string("{\"ph\":\"") + phase + "\",\"pid\":" + std::to_string(process) +
         ",\"tid\":" + std::to_string(thread);
}

}  // namespace

JsonTrace::JsonTrace(const std::string& path, const ElfFile& elf, const tz_engine_info& info)
    : file_(path, "trace"),
      symbols_(elf.symbols),
      num_lines_(info.num_lines),
      line_id_base_(info.line_id_base),
      line_since_(info.num_lines, kLow) {
  file_.write("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"unit\":\"1 us is 1 clock cycle\",\"config\":" +
              quote(info.config) + "},\"traceEvents\":[\n");
  static constexpr std::array<const char*, 3> kProcesses = {"pipeline", "software", "interrupts"};
  for (unsigned i = 0; i < kProcesses.size(); ++i) {
    raw(head("M", i + 1, 0) + ",\"name\":\"process_name\",\"args\":{\"name\":" + quote(kProcesses[i]) + "}}");
  }
  name_thread(kSoftware, kFunctions, "functions");
  name_thread(kInterrupts, kHandlers, "handlers");
}

void JsonTrace::raw(const std::string& object) {
  file_.write((first_ ? "" : ",\n") + object);
  first_ = false;
}

void JsonTrace::name_thread(unsigned process, unsigned thread, const std::string& name) {
  raw(head("M", process, thread) + ",\"name\":\"thread_name\",\"args\":{\"name\":" + quote(name) + "}}");
}

void JsonTrace::slice(unsigned process, unsigned thread, std::uint64_t start, std::uint64_t end,
                      const std::string& name, const std::string& arguments) {
  raw(head("X", process, thread) + ",\"ts\":" + std::to_string(start) + ",\"dur\":" + std::to_string(end - start) +
      ",\"name\":" + quote(name) + (arguments.empty() ? "" : ",\"args\":{" + arguments + "}") + "}");
}

void JsonTrace::instant(unsigned process, unsigned thread, std::uint64_t cycle, const std::string& name,
                        const std::string& arguments) {
  raw(head("i", process, thread) + ",\"s\":\"t\",\"ts\":" + std::to_string(cycle) + ",\"name\":" + quote(name) +
      (arguments.empty() ? "" : ",\"args\":{" + arguments + "}") + "}");
}

unsigned JsonTrace::lane(std::uint64_t start, std::uint64_t end) {
  const auto found = std::find_if(lanes_.begin(), lanes_.end(), [start](std::uint64_t free) { return free <= start; });
  const auto index = static_cast<unsigned>(found - lanes_.begin());
  if (found == lanes_.end()) {
    lanes_.push_back(end);
    name_thread(kPipeline, index + 1, "slot " + std::to_string(index));
  } else {
    *found = end;
  }
  return index + 1;
}

void JsonTrace::end_function(std::uint64_t cycle) {
  if (!function_.empty() && cycle > function_since_) slice(kSoftware, kFunctions, function_since_, cycle, function_);
  function_.clear();
}

void JsonTrace::end_handler(std::uint64_t cycle) {
  if (handlers_.empty()) return;
  const Handler& handler = handlers_.back();
  slice(kInterrupts, kHandlers, handler.start, std::max(cycle, handler.start), handler.name);
  handlers_.pop_back();
}

/** An emret went on to another interrupt, whose handler is on the stack already: the one below it has ended. */
void JsonTrace::replace_handler(const tz_retire& r) {
  const std::string name = interrupt_name(r.irq_id, line_id_base_, num_lines_);
  const auto next = std::find_if(handlers_.rbegin(), handlers_.rend(),
                                 [&](const Handler& h) { return h.name == name && h.start <= r.cycle_ex; });
  if (next == handlers_.rend() || std::next(next) == handlers_.rend()) return;
  const auto ended = std::prev(next.base(), 2);
  slice(kInterrupts, kHandlers, ended->start, std::max(next->start, ended->start), ended->name);
  handlers_.erase(ended);
}

void JsonTrace::on_retire(const tz_retire& r) {
  const std::uint64_t end = r.cycle_retire + 1;
  last_cycle_ = end;
  const unsigned thread = lane(r.cycle_fetch, end);
  const std::string text = disassemble(r.insn, static_cast<std::uint32_t>(r.pc),
                                       [this](std::uint64_t address) { return symbols_.describe(address); });
  std::string shown = text;
  std::replace(shown.begin(), shown.end(), '\t', ' ');
  const std::string place = symbols_.describe(r.pc);
  slice(kPipeline, thread, r.cycle_fetch, end, shown,
        "\"pc\":" + quote(hex(r.pc)) + ",\"at\":" + quote(place) + ",\"order\":" + std::to_string(r.order));
  slice(kPipeline, thread, r.cycle_fetch, r.cycle_ex, "fetch, decode");
  slice(kPipeline, thread, r.cycle_ex, r.cycle_ex + 1, "execute");
  if (r.cycle_ex + 1 < end) slice(kPipeline, thread, r.cycle_ex + 1, end, "write back");

  const ElfSymbol* symbol = symbols_.find(r.pc);
  const std::string function = symbol != nullptr ? symbol->name : std::string("?");
  if (function != function_) {
    end_function(r.cycle_ex);
    function_ = function;
    function_since_ = r.cycle_ex;
  }
  if ((r.flags & TZ_RETIRE_TRAP) != 0) {
    handlers_.push_back({r.cycle_retire, "exception: " + exception_name(r.cause)});
  }
  if ((r.flags & TZ_RETIRE_TRAP) != 0) return;
  if (r.insn == kMret) end_handler(end);
  if (r.insn == kEmret && (r.flags & TZ_RETIRE_IRQ) == 0) end_handler(r.cycle_ex + 1);
  if (r.insn == kEmret && (r.flags & TZ_RETIRE_IRQ) != 0) replace_handler(r);
}

void JsonTrace::on_claim(const tz_claim& claim) {
  const std::string name = interrupt_name(claim.id, line_id_base_, num_lines_);
  instant(kInterrupts, kHandlers, claim.cycle, "taken: " + name, "\"mepc\":" + quote(hex(claim.epc)));
  handlers_.push_back({claim.cycle, name});
}

void JsonTrace::on_line(std::uint64_t cycle, unsigned line, bool level) {
  if (level) {
    line_since_[line] = cycle;
    name_thread(kInterrupts, kFirstLine + line, "line " + std::to_string(line));
  } else if (line_since_[line] != kLow) {
    slice(kInterrupts, kFirstLine + line, line_since_[line], cycle, "high");
    line_since_[line] = kLow;
  }
}

void JsonTrace::finish(const RunState& state) {
  const std::uint64_t end = std::max(last_cycle_, state.cycle);
  end_function(end);
  while (!handlers_.empty()) end_handler(end);
  for (unsigned line = 0; line < line_since_.size(); ++line) on_line(end, line, false);
  file_.write("\n]}\n");
  file_.commit();
}

}  // namespace trapeze
