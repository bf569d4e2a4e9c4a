// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "lockstep/following/frames.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "kernel/error.h"
#include "kernel/handlers.h"
#include "model/memory/access.h"

namespace trapeze::following {
namespace {

using isa::exception::kFrameLoadFault;
using isa::exception::kFrameStoreFault;

/** Instructions within which the exception for a frame that cannot be stored has to come. Instructions before which it
 * may not come do not count. The number is large because the words wait for a bus that others use, with wait states. */
constexpr unsigned kPatience = 400;
/** Instructions within which that exception may come for a frame that was left: no more words are stored then. */
constexpr unsigned kGonePatience = 24;
/** Bit of ra in a set of registers. */
constexpr std::uint32_t kRaBit = 1U << 1U;
constexpr std::uint64_t kWordBytes = 4;
/** Of xcause, the fields that come from a frame: inhv, mpp, pie, pil. */
constexpr std::uint64_t kPreviousContext = 0x78ff0000;
/** Of ucause, the fields that euret takes from a frame, without those that a return sets: interrupt, inhv, pil, code.
 */
constexpr std::uint64_t kReturned = 0xc0ff0fff;
/** Number of registers pmpaddr0, pmpaddr1 and so on. */
constexpr unsigned kMostRows = 64;

/** Address of word `index` of a frame; modulo 2^32, because fastirq exists on RV32 only. */
constexpr std::uint64_t word_of(std::uint64_t frame, unsigned index) {
  return static_cast<std::uint32_t>(frame + kWordBytes * index);
}

constexpr unsigned cause_csr(unsigned privilege) {
  return privilege == model::kUser ? isa::csr::kUcause : isa::csr::kMcause;
}

/** Whether the leader raises this exception. Only the number in its cause is compared, not the other fields. */
bool raises(const tz_retire& leader, unsigned exception) {
  return (leader.flags & TZ_RETIRE_TRAP) != 0 && (leader.cause & 0xfffU) == exception;
}

}  // namespace

Frames::Frames(Reference& reference, OpenRegisters& open)
    : reference_(reference), open_(open), saved_(saved()), fresh_(saved_ & ~kRaBit) {}

std::uint32_t Frames::saved() const {
  std::uint32_t bits = 0;
  for (const unsigned n : registers_) bits |= std::uint32_t{1} << n;
  return bits;
}

void Frames::open_saved(std::uint32_t bits, std::uint32_t guarded) {
  open_.set((open_.bits() & ~saved_) | bits);
  open_.guard(guarded);
}

bool Frames::leaving_allowed() const {
  const bool user = reference_.mode() == model::kUser;
  if (user && !reference_.has_user_interrupts()) return false;
  static_assert(isa::mfastirq::kEnable == isa::ufastirq::kEnable);
  const unsigned control = user ? isa::csr::kUfastirq : isa::csr::kMfastirq;
  return ((reference_.csr(control) >> isa::mfastirq::kEnable) & 1U) != 0;
}

auto Frames::unstored(std::uint64_t address) const -> const Unstored* {
  const auto found = unstored_.find(address);
  return found != unstored_.end() && found->second.privilege == reference_.mode() ? &found->second : nullptr;
}

std::optional<std::uint32_t> Frames::word_at_sp(unsigned index) const {
  if (!leaving_allowed()) return std::nullopt;
  const std::uint64_t address = word_of(at_sp(), index);
  const Unstored* found = unstored(address);
  return found != nullptr && !reloads_ ? std::optional(found->value) : reference_.word(address);
}

/** If a word of the frame could not be stored, memory has another value there, which can perhaps be loaded. A bank
 * still has the word of the frame, until the bank is used for another frame. The epc that the leader returns to tells
 * which of the two the leader has used. */
void Frames::find_source(std::uint64_t epc) {
  reloads_ = false;
  const std::uint64_t address = word_of(at_sp(), cause_ - 1);
  const Unstored* found = unstored(address);
  const auto loaded = reference_.word(address);
  if (found == nullptr && loaded) adopt_epc(address, *loaded, epc);
  if (found == nullptr || !loaded) return;
  reloads_ = epc == reference_.code_address(*loaded) && epc != reference_.code_address(found->value);
}

/** If the leader may have another word in memory, the epc that it returns to shows which. Bits that no address has stay
 * as they were. */
void Frames::adopt_epc(std::uint64_t address, std::uint32_t loaded, std::uint64_t epc) {
  const auto open = unspecified_memory_.find(address);
  if (open == unspecified_memory_.end() || !leaving_allowed()) return;
  for (unsigned i = 0; i < kWordBytes; ++i) {
    if (((open->second >> i) & 1U) == 0) continue;
    const std::uint64_t told = epc | (loaded & ~reference_.code_address(UINT32_MAX));
    reference_.settle({address + i, static_cast<std::uint32_t>(told >> (8 * i)), 1});
  }
}

/** Sets kept_: the words that an emret may find in a bank. The bank's frame must be of the emret's mode, and not left.
 */
void Frames::keep() {
  kept_.clear();
  uncertain_ = 0;
  if (reloads_) return;
  const std::uint64_t frame = at_sp();
  const auto made = made_.find(frame);
  const bool here = made != made_.end() && made->second.banked && made->second.privilege == reference_.mode();
  const bool sure = unstored(word_of(frame, cause_ - 1)) != nullptr;
  for (unsigned i = 0; i <= cause_; ++i) {
    const std::uint64_t address = word_of(frame, i);
    const auto word = reference_.word(address);
    if (unspecified_memory_.contains(address) && i < registers_.size()) {
      uncertain_ |= std::uint32_t{1} << registers_[i];
    }
    if (const Unstored* found = unstored(address)) {
      kept_.push_back({address, found->value, 0xf});
      if (word && !sure && i < registers_.size()) uncertain_ |= std::uint32_t{1} << registers_[i];
    } else if (here && word) {
      kept_.push_back({address, *word, 0xf});
    }
  }
}

/** After a write to the rows of memory protection no bank holds a frame of user mode: such a frame is loaded again, so
 * that the new rows judge it. */
void Frames::forget_user_banks(const tz_retire& own) {
  const unsigned number = own.csr_addr;
  const bool rows = (number >= isa::csr::kPmpcfg0 && number < isa::csr::kPmpaddr0 + kMostRows) ||
                    number == isa::csr::kMseccfg || number == isa::csr::kMseccfgh;
  if (!rows || (own.flags & TZ_RETIRE_CSR_WE) == 0) return;
  for (auto& [frame, made] : made_) made.banked &= made.privilege != model::kUser;
  std::erase_if(unstored_, [](const auto& one) { return one.second.privilege == model::kUser; });
}

void Frames::name(std::uint64_t frame, std::uint64_t address) {
  named_frame_ = frame;
  named_ = address;
  named_lost_.clear();
}

// --- interrupts and returns

/** Refuses a frame in shared memory. The words of a frame are stored and loaded in cycles that no record names.
 * Lockstep knows the order of accesses of several harts only from the cycles in records. */
std::string Frames::check_place(std::uint64_t frame) const {
  for (unsigned i = 0; i <= cause_; ++i) {
    if (!reference_.shares(word_of(frame, i))) continue;
    return "a frame at " + hex(frame) + " is in memory that several harts see; lockstep cannot judge in which order " +
           "its words and the accesses of other harts come: move the stack to memory of this hart alone";
  }
  return {};
}

std::string Frames::entered(const tz_entry& entry, unsigned privilege) {
  if (entry.refused != 0) return {};
  if (open_cause_ == cause_csr(privilege)) open_cause_.reset();
  const bool open_level = privilege == model::kUser && std::exchange(open_context_, false);
  // If the interrupt displaces an emret or euret, that may have loaded some registers: they are open.
  const unsigned epc = privilege == model::kUser ? isa::csr::kUepc : isa::csr::kMepc;
  if (const auto interrupted = reference_.word(reference_.csr(epc)); interrupted && leaves_frame(*interrupted)) {
    open_saved(saved_);
  }
  if (entry.saved == 0) return {};
  std::vector<std::uint64_t> lost;
  for (unsigned i = 0; i <= cause_; ++i) unstored_.erase(word_of(entry.frame, i));
  for (std::size_t i = 0; i < entry.num_lost; ++i) {
    unstored_[entry.lost[i].address] = {entry.lost[i].value, privilege};
    lost.push_back(entry.lost[i].address);
  }
  for (unsigned i = 0; i <= cause_; ++i) {
    const std::uint64_t address = word_of(entry.frame, i);
    if (!unstored_.contains(address)) unspecified_memory_.erase(address);  // a word not stored leaves memory as it was
  }
  if (open_level) unspecified_memory_[word_of(entry.frame, cause_)] = 0xf;
  if (!lost.empty()) faults_.push_back({entry.frame, lost});
  for (unsigned i = 0; i < registers_.size(); ++i) {
    const std::uint32_t bit = std::uint32_t{1} << registers_[i];
    const std::uint64_t address = word_of(entry.frame, i);
    if ((open_.bits() & bit) != 0 && !unstored_.contains(address)) unspecified_memory_[address] = 0xf;
  }
  made_[entry.frame] = {open_.bits() & saved_, privilege, true, open_.guarded()};
  open_saved(fresh_, privilege == model::kUser ? fresh_ : 0);
  return check_place(entry.frame);
}

/** An emret has left the frame: the interrupted program goes on, and the frame is free memory again. */
void Frames::left(std::uint64_t frame) {
  for (Fault& fault : faults_) {
    if (fault.frame == frame && fault.certain) {
      fault.certain = false;
      fault.age = 0;
    }
  }
  for (unsigned i = 0; i <= cause_; ++i) {
    // A word that had not been stored when the hardware switched back to the bank is never stored. So memory may hold
    // the old or the new value.
    unspecified_memory_[word_of(frame, i)] = 0xf;
    unstored_.erase(word_of(frame, i));
  }
  const auto made = made_.find(frame);
  if (made == made_.end()) {
    open_saved(0);
    return;
  }
  open_saved(made->second.open, made->second.guarded);
  made_.erase(made);
}

void Frames::finish(const tz_effects& effects) {
  const tz_retire& own = effects.record;
  const bool traps = (own.flags & TZ_RETIRE_TRAP) != 0;
  if (std::exchange(refusing_, false)) {
    const std::uint64_t frame = reference_.csr(isa::csr::kMtval);
    name(frame, frame);
    named_lost_ = {frame};
  }
  forget_user_banks(own);
  if (open_cause_ && own.csr_addr == *open_cause_ && (own.flags & TZ_RETIRE_CSR_WE) != 0) open_cause_.reset();
  if (!leaves_frame(own.insn)) return;
  if (traps && raises(own, kFrameLoadFault)) {
    // The leader may have loaded other words of the frame into registers before the load that failed.
    open_saved(saved_);
    name(before_, reference_.csr(isa::csr::kMtval));
  } else if (traps && raises(own, kFrameStoreFault)) {
    open_saved(saved_);  // the exception displaced the emret, which may have loaded some registers
  } else if (effects.chained != TZ_NO_INTERRUPT) {
    open_saved(fresh_);
    open_cause_.reset();
    open_context_ &= reference_.mode() != model::kUser;
    if (unspecified_memory_.contains(word_of(before_, cause_))) {
      open_cause_ = cause_csr(reference_.mode());
      open_fields_ = kPreviousContext;
    }
  } else if (!traps) {
    open_cause_.reset();
    if (own.insn == kEuret) {
      open_context_ = unspecified_memory_.contains(word_of(before_, cause_));
      if (open_context_) open_cause_ = isa::csr::kUcause;
      open_fields_ = kReturned;
    }
    left(before_);
    open_.set(open_.bits() | uncertain_);
  }
}

// --- what may be anything

void Frames::prepare(const tz_retire& leader, tz_choices& choices) {
  before_ = leaves_frame(leader.insn) ? at_sp() : 0;
  if (refusing_) {
    // The leader traps in the place of this instruction. It has read nothing, and perhaps was not even fetched.
  } else if (raises(leader, kFrameStoreFault) && !faults_.empty()) {
    choices.given |= TZ_CHOICE_FRAME_FAULT;
    choices.frame_fault = take_fault();
  } else {
    open_.adopt(leader);
    adopt_memory(leader);
    if (leader.mem_wmask != 0) {
      unstored_.erase(leader.mem_addr & ~std::uint64_t{3});
      unstored_.erase((leader.mem_addr + std::bit_width(unsigned{leader.mem_wmask}) - 1) & ~std::uint64_t{3});
    }
  }
  if (leaves_frame(leader.insn) && (leader.flags & TZ_RETIRE_TRAP) == 0) {
    keep();
    choices.kept = kept_.data();
    choices.num_kept = kept_.size();
  }
  const unsigned csr = accessed_csr(leader.insn);
  if (const std::uint64_t open = open_bits(csr); open != 0) {
    // An instruction that sets or clears bits shows those that it leaves, also where it has no result.
    const std::uint64_t told = leader.rd != 0 ? leader.rd_value : leader.csr_value;
    const bool is_told = leader.rd != 0 || (leader.flags & TZ_RETIRE_CSR_WE) != 0;
    if (is_told) choices.given |= TZ_CHOICE_CSR;
    choices.csr = (told & open) | (reference_.csr(csr) & ~open);
    if (open_cause_ == csr && is_told) open_cause_.reset();
  }
  if (accessed_csr(leader.insn) == isa::csr::kMtval && leader.rd != 0) {
    if (const auto value = mtval(leader)) {
      choices.given |= TZ_CHOICE_CSR;
      choices.csr = *value;
    }
  }
}

/** Bits of a CSR that the leader may read otherwise. */
std::uint64_t Frames::open_bits(unsigned csr) const {
  if (open_cause_ == csr) return open_fields_;
  if (csr == isa::csr::kUstatus || csr == isa::csr::kMstatus) {
    // xstatus and xcause show the same previous context.
    const bool previous = open_cause_.has_value() && open_fields_ == kPreviousContext;
    const std::uint64_t user = std::uint64_t{open_context_} << isa::mstatus::kUie;
    if (!previous) return user;
    if (open_cause_ == isa::csr::kUcause) return user | (1U << isa::mstatus::kUpie);
    return user | (csr == isa::csr::kMstatus ? (1U << isa::mstatus::kMpie) | (3U << isa::mstatus::kMpp) : 0U);
  }
  if (!open_context_) return 0;
  if (csr == isa::csr::kUintstatus || csr == isa::csr::kMintstatus) return std::uint64_t{0xff} << isa::mintstatus::kUil;
  return 0;
}

bool Frames::cause_is_open() const {
  return unspecified_memory_.contains(word_of(at_sp(), cause_));
}

void Frames::lower_cause(unsigned level) {
  const std::uint32_t word = cause().value_or(0);
  const std::uint32_t field = 0xffU << isa::mcause::kMpil;
  if ((word & field) >> isa::mcause::kMpil < level) return;
  reference_.settle({word_of(at_sp(), cause_), word & ~field, 0xf});
}

void Frames::adopt_memory(const tz_retire& leader) {
  if (unspecified_memory_.empty()) return;
  for (unsigned i = 0; i < kWordBytes; ++i) {
    const bool read = ((leader.mem_rmask >> i) & 1U) != 0;
    const bool written = ((leader.mem_wmask >> i) & 1U) != 0;
    const std::uint64_t address = leader.mem_addr + i;
    const auto found = unspecified_memory_.find(address & ~std::uint64_t{3});
    const unsigned lane = 1U << (address % kWordBytes);
    if (!(read || written) || found == unspecified_memory_.end() || (found->second & lane) == 0) continue;
    if (read && reference_.word(found->first)) {
      reference_.settle({address, static_cast<std::uint32_t>(leader.mem_rdata >> (8 * i)), 1});
    }
    found->second &= ~lane;
    if (found->second == 0) unspecified_memory_.erase(found);
  }
}

// --- exceptions

std::uint64_t Frames::take_fault() {
  const Fault fault = faults_.front();
  faults_.erase(faults_.begin());
  others_.clear();
  bool certain = fault.certain;
  for (Fault& next : faults_) {
    if (certain) break;
    others_.push_back(next);
    certain = std::exchange(next.certain, false);
  }
  name(fault.frame, fault.lost.front());
  named_lost_ = fault.lost;
  return named_;
}

/** The value that the leader reads from mtval, if it is one that the leader was free to have there after an exception
 * for a frame: the leader may name any of the words that could not be stored or loaded, and the exception may have been
 * for another frame. Nothing: the reference's value stays. */
std::optional<std::uint64_t> Frames::mtval(const tz_retire& leader) {
  const std::uint64_t said = leader.rd_value;
  if (reference_.csr(isa::csr::kMtval) != named_) return std::nullopt;
  const auto names = [said](const std::vector<std::uint64_t>& lost) {
    return std::find(lost.begin(), lost.end(), said) != lost.end();
  };
  const std::vector<Fault> others = std::exchange(others_, {});
  const bool of_load = named_lost_.empty();
  const bool in_frame = static_cast<std::uint32_t>(said - named_frame_) < (cause_ + 1) * kWordBytes;
  if (of_load ? in_frame && !reference_.word(said) : names(named_lost_)) {
    std::copy_n(others.begin(), std::min(others.size(), faults_.size()), faults_.begin());
    for (std::size_t i = 0; i < std::min(others.size(), faults_.size()); ++i) {
      if (names(faults_[i].lost)) faults_[i].certain = false;  // the exception may be for this frame, at the same place
    }
    named_ = said;
    return said;
  }
  const auto other = std::find_if(others.begin(), others.end(), [&](const Fault& fault) { return names(fault.lost); });
  if (other == others.end()) return std::nullopt;
  // Frames are stored in order. So no exception comes any more for the frames before this one.
  faults_.erase(faults_.begin(), faults_.begin() + (other - others.begin()) + 1);
  name(other->frame, said);
  named_lost_ = other->lost;
  return said;
}

bool Frames::may_refuse(const tz_retire& leader) const {
  return raises(leader, kFrameStoreFault) && reference_.frame_refused();
}

void Frames::refuse() {
  refusing_ = true;
  // The exception may instead have been for a frame whose words the bus has refused. mtval will show that.
  others_ = faults_;
  for (Fault& fault : faults_) fault.certain = false;
}

std::string Frames::check_faults(const tz_retire& leader) {
  const bool wait = reference_.frame_faults_wait();
  if (!refusing_ && (leader.flags & TZ_RETIRE_TRAP) != 0 && leader.cause == kFrameStoreFault) {
    if (faults_.empty()) return "exception 24 was raised though every frame can be stored";
    if (wait) return "exception 24 was raised where it has to wait for the end of a handler";
  }
  if (wait) return {};
  for (Fault& fault : faults_) {
    if (++fault.age > kPatience && fault.certain) {
      return "the word at " + hex(fault.lost.front()) +
             " of a frame cannot be stored, and exception 24 was not raised for " + std::to_string(kPatience) +
             " instructions";
    }
  }
  std::erase_if(faults_, [](const Fault& fault) { return fault.age > (fault.certain ? kPatience : kGonePatience); });
  return {};
}

}  // namespace trapeze::following
