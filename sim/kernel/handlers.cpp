// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/handlers.h"

#include <algorithm>
#include <utility>

namespace trapeze {
namespace {

/** Most bytes from an instruction that raised an exception to the address that its handler returns to. The handler
 * returns at most to the next instruction. */
constexpr std::uint64_t kLongestInstruction = 4;

constexpr std::uint64_t kTableEntry = 4;

/** Ends the wait for an interrupt: its fate is known. */
void end(std::size_t index, Fate fate, InterruptTable& stamps) {
  InterruptStamp* const stamp = stamps.find(index);
  if (stamp != nullptr && stamp->fate != Fate::kMarked) stamp->fate = fate;
}

/** Alignment of mtvt in bytes. */
constexpr std::uint64_t kTableAlignment = 64;

/** Whether an access of xnxti or jalxnxti may claim an interrupt. An access that writes no bit does not claim. */
bool may_claim(const tz_retire& record) {
  if (accessed_csr(record.insn) == isa::csr::kJalmnxti) return true;
  const std::uint32_t source = record.insn >> 15 & 0x1fU;  // number of a register, or an immediate value
  const bool immediate = (record.insn & 0x4000U) != 0;
  return source != 0 && (immediate || (record.rs1_value & 0x1fU) != 0);
}

/** Address of the table entry that xnxti or jalxnxti handed out; 0 if it handed out none. */
std::uint64_t handed_entry(const tz_retire& record) {
  if (accessed_csr(record.insn) != isa::csr::kJalmnxti) return record.rd_value;
  return record.pc_next == record.pc + 4 ? 0 : record.pc_next;
}

}  // namespace

bool RecordFilter::keeps(const tz_retire& record, std::uint32_t select) {
  const bool trapped = (record.flags & TZ_RETIRE_TRAP) != 0;
  const bool behind = std::exchange(returned_, !trapped && is_trap_return(record.insn));
  const bool traps = behind || trapped || changes_handlers(record.insn);
  return (select & record_kinds(record.insn, (record.flags & TZ_RETIRE_INTR) != 0, traps)) != 0;
}

void HandlerStack::push(const Handler& handler) {
  if (handlers_.size() == kMost) handlers_.erase(handlers_.begin());
  handlers_.push_back(handler);
}

std::size_t HandlerStack::served() const {
  return handlers_.empty() || !handlers_.back().begun ? Stimulus::kNone : handlers_.back().served;
}

std::optional<std::uint64_t> HandlerStack::served_since() const {
  return handlers_.empty() || !handlers_.back().begun ? std::nullopt : handlers_.back().claimed;
}

void HandlerStack::on_claim(const tz_claim& claim, std::size_t index) {
  claims_.push_back({claim, index});
}

/** Takes the claims that come before an instruction. A claim displaces the instruction in EX, so whatever leaves EX
 * after it comes behind the claim. A claim in the cycle of an emret is the interrupt to which that emret goes on. */
void HandlerStack::take_claims(const tz_retire& record) {
  std::size_t taken = 0;
  for (; taken < claims_.size(); ++taken) {
    const auto& [claim, index] = claims_[taken];
    if (claim.cycle > record.cycle_ex || (claim.cycle == record.cycle_ex && leaves_frame(record.insn))) break;
    Handler handler;
    handler.id = claim.id;
    handler.own = handler.served = index;
    handler.claimed = claim.cycle;
    handler.epc = claim.epc;
    push(handler);
    returned_ = false;
  }
  claims_.erase(claims_.begin(), claims_.begin() + static_cast<std::ptrdiff_t>(taken));
}

/** The first instruction of a handler has retired. */
void HandlerStack::begin(const tz_retire& record, InterruptTable& stamps) {
  Handler& handler = handlers_.back();
  handler.begun = true;
  InterruptStamp* const stamp = stamps.find(handler.own);
  if (stamp == nullptr) return;
  stamp->tf = record.cycle_fetch;
  stamp->fate = Fate::kRunning;
}

bool HandlerStack::empty() const {
  return std::all_of(handlers_.begin(), handlers_.end(), [](const Handler& one) { return one.handed_on; });
}

bool HandlerStack::serves(std::uint64_t claimed) const {
  return std::any_of(handlers_.begin(), handlers_.end(), [&](const Handler& one) { return one.claimed == claimed; });
}

std::size_t HandlerStack::take_held(unsigned id) {
  const auto found = held_.find(id);
  if (found == held_.end()) return Stimulus::kNone;
  const std::size_t index = found->second;
  held_.erase(found);
  return index;
}

/** A monitor's handler of an interrupt returns; `back`: to the interrupted place. */
void HandlerStack::leave_monitor(Handler handler, bool back, InterruptTable& stamps) {
  if (back) {
    if (handler.own == Stimulus::kNone) return;
    held_[handler.id] = handler.own;
    if (InterruptStamp* const stamp = stamps.find(handler.own); stamp != nullptr) stamp->fate = Fate::kTaken;
    return;
  }
  if (monitor_ == Monitor::kSerial) {
    for (const Handler& other : handlers_) end(other.served, Fate::kNotAttributed, stamps);
    handlers_.clear();
  }
  handler.handed_on = true;
  push(handler);
}

/** A monitor goes on at `target`. Whether a handler that it has handed an interrupt on to ends with this. */
bool HandlerStack::end_handed_on(std::uint64_t target, InterruptTable& stamps) {
  const auto found = std::find_if(handlers_.rbegin(), handlers_.rend(),
                                  [&](const Handler& one) { return one.handed_on && one.epc == target; });
  if (found == handlers_.rend()) return false;
  const auto first = std::prev(found.base());
  for (auto one = first; one != handlers_.end(); ++one) end(one->served, Fate::kReturned, stamps);
  handlers_.erase(first, handlers_.end());
  return true;
}

/** The innermost handler returns to `target`; `machine`: by mret. */
void HandlerStack::leave(std::uint64_t target, bool machine, InterruptTable& stamps) {
  if (handlers_.empty()) return;
  const Handler left = handlers_.back();
  handlers_.pop_back();
  const std::uint64_t behind = left.exception ? kLongestInstruction : 0;
  const bool back = !left.epc || (target >= *left.epc && target - *left.epc <= behind);
  const bool monitor = machine && monitor_ != Monitor::kNone;
  if (monitor && !left.exception && left.epc) {
    leave_monitor(left, back, stamps);
    return;
  }
  for (const std::size_t index : {left.served, left.own}) end(index, Fate::kReturned, stamps);
  if (back || (monitor && end_handed_on(target, stamps))) return;
  for (const Handler& other : handlers_) {
    for (const std::size_t index : {other.served, other.own}) end(index, Fate::kNotAttributed, stamps);
  }
  handlers_.clear();
}

/** xnxti or jalxnxti has executed: the interrupt that was handed out before has been served. */
void HandlerStack::serve_next(const tz_retire& record, InterruptTable& stamps, const HandOut& hand_out) {
  if (!may_claim(record)) return;
  const bool user = accessed_csr(record.insn) == isa::csr::kUnxti;
  const bool discarded = (user || accessed_csr(record.insn) == isa::csr::kMnxti) && record.rd == 0;
  const std::uint64_t table = user ? user_table_ : table_;
  const std::uint64_t entry = handed_entry(record);
  Handler* handler = handlers_.empty() || handlers_.back().exception ? nullptr : &handlers_.back();
  const std::optional<std::uint64_t> own_claim = handler != nullptr ? handler->claimed : std::nullopt;
  if (handler != nullptr && handler->hands_out) {
    end(handler->served, Fate::kReturned, stamps);
    handler->served = Stimulus::kNone;
    handler->claimed.reset();
  }
  if (handler != nullptr && discarded) {
    // xnxti with rd = x0 leaves no trace in the record: it is not known whether it handed an interrupt out, nor which.
    handler->hands_out = true;
    handler->served = Stimulus::kNone;
    handler->claimed.reset();
  }
  if (entry < table || entry == 0) return;
  const auto id = static_cast<unsigned>((entry - table) / kTableEntry);
  if (handler != nullptr && id == handler->id && !handler->own_served) {
    handler->hands_out = handler->own_served = true;
    handler->served = handler->own;
    handler->claimed = own_claim;
    return;
  }
  const Source source = hand_out ? hand_out(record.hart, id, record.cycle_ex) : Source{};
  if (source.line) stamps.count_claim(record.hart, *source.line, record.cycle_ex);
  if (InterruptStamp* const stamp = stamps.find(source.index); stamp != nullptr) {
    stamp->taken = record.cycle_ex;
    stamp->id = id;
    stamp->fate = handler != nullptr ? Fate::kRunning : Fate::kNotAttributed;
  }
  if (handler != nullptr) {
    handler->hands_out = true;
    handler->served = source.index;
    handler->claimed = record.cycle_ex;
  }
}

void HandlerStack::on_retire(const tz_retire& record, InterruptTable& stamps, const HandOut& hand_out) {
  if (record.mode == TZ_MODE_DEBUG) return;  // its exceptions go to the debug module's program, not to handlers
  const bool trapped = (record.flags & TZ_RETIRE_TRAP) != 0;
  take_claims(record);
  const bool resumed = std::exchange(returned_, false);
  const bool waits = !handlers_.empty() && !handlers_.back().begun;
  if ((record.flags & TZ_RETIRE_INTR) != 0) {
    // An exception without a causing instruction (a frame that cannot be stored) shows first in this record.
    if (!waits && (record.flags & TZ_RETIRE_IRQ) == 0) {
      Handler handler;
      handler.exception = true;
      push(handler);
    }
    if (waits || (record.flags & TZ_RETIRE_IRQ) == 0) begin(record, stamps);
  } else if (resumed && waits) {
    begin(record, stamps);
  }
  if (trapped) {
    Handler handler;
    handler.exception = true;
    handler.epc = record.pc;
    push(handler);
    return;
  }
  if (is_trap_return(record.insn)) {
    const bool chains = leaves_frame(record.insn) && !claims_.empty() && claims_.front().claim.cycle == record.cycle_ex;
    leave(chains ? claims_.front().claim.epc : record.pc_next, record.insn == kMret, stamps);
    returned_ = !chains;
  } else if (is_next_interrupt(record.insn)) {
    serve_next(record, stamps, hand_out);
  } else if ((record.flags & TZ_RETIRE_CSR_WE) != 0) {
    const std::uint64_t table = record.csr_value & ~(kTableAlignment - 1);
    if (accessed_csr(record.insn) == isa::csr::kMtvt) table_ = table;
    if (accessed_csr(record.insn) == isa::csr::kUtvt) user_table_ = table;
  }
}

}  // namespace trapeze
