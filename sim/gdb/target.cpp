// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/target.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <trapeze/isa.hpp>

#include "kernel/debug.h"
#include "kernel/disasm.h"
#include "kernel/error.h"

namespace trapeze::gdb {
namespace {

constexpr unsigned kRegisters = 32;
constexpr unsigned kCsrs = 4096;
constexpr unsigned kRa = 1, kSp = 2, kGp = 3, kTp = 4, kFp = 8;
constexpr std::uint32_t kMret = 0x30200073;
constexpr std::uint32_t kEmret = isa::encoding::kEmret.match;
constexpr unsigned kMscratch = isa::csr::kMscratch, kMcause = isa::csr::kMcause, kMfastirq = isa::csr::kMfastirq;
/** Cycles and boundaries between two looks at GDB. */
constexpr std::uint64_t kPollCycles = 50'000;
constexpr unsigned kPollBoundaries = 5'000;

/** Name of a CSR to show; empty: none. */
std::string shown_csr(unsigned number) {
  // CSRs of the CLIC that hold a value (Fast Interrupts v0.10); disassemblers have no names for them.
  switch (number) {
    case isa::csr::kMtvt:
      return "mtvt";
    case isa::csr::kMintthresh:
      return "mintthresh";
    case isa::csr::kMintstatus:
      return "mintstatus";
    default:
      break;
  }
  const std::string name = csr_name(number);
  // Not those without a name, nor event counters, of which there are 87 and none counts.
  return name.compare(0, 2, "0x") == 0 || name.find("hpm") != std::string::npos ? std::string() : name;
}

const char* register_type(unsigned number) {
  if (number == kRa) return "code_ptr";
  return number == kSp || number == kGp || number == kTp || number == kFp ? "data_ptr" : "int";
}

}  // namespace

Target::Target(Engine& engine, Session& session, RunState& state, std::uint64_t max_cycles, std::function<void()> start)
    : engine_(engine), session_(session), state_(state), max_cycles_(max_cycles), start_(std::move(start)) {
  if (engine_.debug() == nullptr) {
    throw Error(std::string("--gdb: this engine shows no registers; use the library rtl-") + engine_.info().config +
                "-wave.so or model-" + engine_.info().config + ".so");
  }
  const auto exists = [&](unsigned number) {
    std::uint64_t value = 0;
    return engine_.debug()->read_register(engine_.handle(), 0, number, &value) == TZ_OK;
  };
  for (unsigned n = 0; n < kRegisters; ++n) {
    if (exists(n)) core_.push_back({n, register_name(n), 32, register_type(n)});
  }
  core_.push_back({TZ_DEBUG_PC, "pc", 32, "code_ptr"});
  for (unsigned n = 0; n < kCsrs; ++n) {
    const std::string name = shown_csr(n);
    if (!name.empty() && exists(TZ_DEBUG_CSR + n)) csrs_.push_back({TZ_DEBUG_CSR + n, name, 32, "int"});
  }
}

const RegisterInfo* Target::find(unsigned number) const {
  static const RegisterInfo kMode{TZ_DEBUG_MODE, "priv", 8, "int"};
  if (number == TZ_DEBUG_MODE) return &kMode;
  const auto& all = number >= TZ_DEBUG_CSR ? csrs_ : core_;
  const auto found = std::find_if(all.begin(), all.end(), [&](const RegisterInfo& r) { return r.number == number; });
  return found == all.end() ? nullptr : &*found;
}

std::optional<std::string> Target::read_memory(std::uint64_t address, std::size_t size) {
  std::string bytes(size, '\0');
  try {
    engine_.read_memory(0, address, bytes.data(), size);
  } catch (const Error&) {
    return std::nullopt;
  }
  return bytes;
}

bool Target::write_memory(std::uint64_t address, std::string_view bytes) {
  try {
    engine_.write_memory(0, address, bytes.data(), bytes.size());
  } catch (const Error&) {
    return false;
  }
  return true;
}

void Target::insert(PointKind kind, std::uint64_t address, std::uint64_t size) {
  remove(kind, address, size);  // asked for twice is asked for once
  if (kind <= PointKind::kHardware) {
    breakpoints_[address].push_back(kind);
  } else {
    watchpoints_.push_back({kind, address, size});
  }
}

void Target::remove(PointKind kind, std::uint64_t address, std::uint64_t size) {
  if (kind > PointKind::kHardware) {
    std::erase(watchpoints_, Point{kind, address, size});
    return;
  }
  const auto found = breakpoints_.find(address);
  if (found == breakpoints_.end()) return;
  std::erase(found->second, kind);
  if (found->second.empty()) breakpoints_.erase(found);
}

auto Target::watched(const tz_retire& record) const -> const Point* {
  if (watchpoints_.empty() || (record.mem_rmask | record.mem_wmask) == 0) return nullptr;
  const bool writes = record.mem_wmask != 0;
  const auto size = static_cast<std::uint64_t>(std::popcount(writes ? record.mem_wmask : record.mem_rmask));
  for (const Point& point : watchpoints_) {
    const bool fits = point.kind == PointKind::kAccess || (point.kind == PointKind::kWrite) == writes;
    if (fits && record.mem_addr < point.address + point.size && point.address < record.mem_addr + size) return &point;
  }
  return nullptr;
}

auto Target::advance() -> Advance {
  Advance result;
  const std::uint64_t until = std::min(max_cycles_, state_.cycle + kPollCycles);
  do {
    const tz_step_result step = session_.step(state_, until);
    for (const tz_claim& claim : session_.claims()) claimed_epc_ = claim.epc;
    if (step.entered != 0) {
      result.entered = true;
      result.epc = claimed_epc_;
    }
    for (const tz_retire& record : session_.records()) {
      result.retired = true;
      result.insn = record.insn;
      if (result.watch == nullptr) result.watch = watched(record);
    }
    result.boundary = step.boundary != 0;
  } while (!state_.exited && state_.cycle < until && !(result.boundary && (result.retired || result.entered)));
  return result;
}

/** In front of a handler: sp of the interrupted program. With fastirq its context is in a frame already. */
std::uint64_t Target::interrupted_sp() {
  const std::uint64_t sp = read(kSp);
  const bool frames = find(TZ_DEBUG_CSR + kMfastirq) != nullptr && (read(TZ_DEBUG_CSR + kMfastirq) & 1U) != 0;
  if (!frames) return sp;
  const bool from_machine = ((read(TZ_DEBUG_CSR + kMcause) >> 28) & 3U) == 3U;
  const bool embedded = find(kRegisters - 1) == nullptr;
  return from_machine ? (sp + (embedded ? 48U : 80U)) & 0xffffffffU : read(TZ_DEBUG_CSR + kMscratch);
}

bool Target::step_done(Step& step, const Advance& now, const Resume& how, std::uint64_t pc) {
  if (step.in_handler) {
    const bool returned = now.retired && (now.insn == kMret || now.insn == kEmret);
    const bool back = returned && pc == step.epc && read(kSp) == step.sp;
    if (!back) return false;
    step.in_handler = false;
  } else {
    step.retired = step.retired || now.retired;
    if (now.entered) {
      step.in_handler = true;
      step.epc = now.epc;
      step.sp = interrupted_sp();
      return false;
    }
  }
  return step.retired && (pc < how.from || pc >= how.to);
}

/** GDB steps by a breakpoint behind the instruction and does not know where mret and emret go. */
bool Target::steps_over_return() {
  const std::uint64_t pc = read(TZ_DEBUG_PC);
  std::uint32_t insn = 0;
  const auto bytes = read_memory(pc, sizeof insn);
  if (bytes) std::memcpy(&insn, bytes->data(), sizeof insn);
  return (insn == kMret || insn == kEmret) && breakpoints_.contains(pc + sizeof insn);
}

Stop Target::resume(const Resume& how, const std::function<bool()>& asked) {
  using Reason = Stop::Reason;
  const bool stepping = how.step || steps_over_return();
  Step step;
  unsigned boundaries = 0;
  bool stopping = false;
  while (true) {
    const Advance now = advance();
    if (state_.exited) return {Reason::kExited, {}, 0};
    if (now.watch != nullptr && now.boundary) return {Reason::kWatchpoint, now.watch->kind, now.watch->address};
    if (state_.cycle >= max_cycles_) return {Reason::kLimit, {}, 0};
    const bool moved = now.boundary && (now.retired || now.entered);
    if (moved && now.entered && catching_) return {Reason::kHandler, {}, 0};
    if (moved && (stepping || !breakpoints_.empty())) {
      const std::uint64_t pc = read(TZ_DEBUG_PC);
      const auto found = breakpoints_.find(pc);
      if (found != breakpoints_.end()) return {Reason::kBreakpoint, found->second.front(), pc};
      if (stepping && step_done(step, now, how, pc)) return {Reason::kStep, {}, 0};
    }
    if (!moved || ++boundaries % kPollBoundaries == 0) stopping = stopping || asked();
    if (stopping && now.boundary) return {Reason::kInterrupted, {}, 0};
  }
}

bool Target::raise(unsigned line) {
  if (line >= info().harts[0].num_lines) return false;
  state_.stimulus.add({line, state_.cycle, 0});
  return true;
}

void Target::reset() {
  start_();
}

}  // namespace trapeze::gdb
