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

/** Instructions until the exception for a frame that cannot be stored has to come, not counting those before which it
 * may not: words wait for a bus that others use, with wait states. */
constexpr unsigned kPatience = 400;
/** The same for a frame that was left, whose words do not leave any more. */
constexpr unsigned kGonePatience = 24;
/** ra, in a set of registers. */
constexpr std::uint32_t kRaBit = 1U << 1U;
constexpr std::uint64_t kWordBytes = 4;

/** The word `index` of a frame; fastirq has addresses of 32 bits. */
constexpr std::uint64_t word_of(std::uint64_t frame, unsigned index) {
  return static_cast<std::uint32_t>(frame + kWordBytes * index);
}

/** An exception of the leader with a number, whatever is beside the number in its cause. */
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

void Frames::open_saved(std::uint32_t bits) {
  open_.set((open_.bits() & ~saved_) | bits);
}

bool Frames::emret_allowed() const {
  return reference_.mode() == model::kMachine &&
         ((reference_.csr(isa::csr::kMfastirq) >> isa::mfastirq::kEnable) & 1U) != 0;
}

std::optional<std::uint32_t> Frames::word_at_sp(unsigned index) const {
  if (!emret_allowed()) return std::nullopt;
  const std::uint64_t address = word_of(at_sp(), index);
  const auto found = unstored_.find(address);
  return found != unstored_.end() && !reloads_ ? std::optional(found->second) : reference_.word(address);
}

/** Memory that a frame could not be stored in has other words, and can perhaps be loaded: a bank has the frame's as
 * long as it is not needed for another one. */
void Frames::find_source(std::uint64_t epc) {
  reloads_ = false;
  const std::uint64_t address = word_of(at_sp(), cause_ - 1);
  const auto found = unstored_.find(address);
  const auto loaded = reference_.word(address);
  if (found == unstored_.end() || !loaded) return;
  reloads_ = epc == reference_.code_address(*loaded) && epc != reference_.code_address(found->second);
}

/** The words that an emret may find in a bank: those of a frame that was made here and not left. */
void Frames::keep() {
  kept_.clear();
  uncertain_ = 0;
  if (reloads_) return;
  const std::uint64_t frame = at_sp();
  const bool here = unspecified_below_.contains(frame);
  const bool sure = unstored_.contains(word_of(frame, cause_ - 1));
  for (unsigned i = 0; i <= cause_; ++i) {
    const std::uint64_t address = word_of(frame, i);
    const auto word = reference_.word(address);
    const auto found = unstored_.find(address);
    if (found != unstored_.end()) {
      kept_.push_back({address, found->second, 0xf});
      if (word && !sure && i < registers_.size()) uncertain_ |= std::uint32_t{1} << registers_[i];
    } else if (here && word) {
      kept_.push_back({address, *word, 0xf});
    }
  }
}

void Frames::name(std::uint64_t frame, std::uint64_t address) {
  named_frame_ = frame;
  named_ = address;
  named_lost_.clear();
}

// --- interrupts and returns

/** Words move between a bank and memory behind the instructions, in cycles that no record names; lockstep orders the
 * accesses of several harts by the cycles of records. */
std::string Frames::check_place(std::uint64_t frame) const {
  for (unsigned i = 0; i <= cause_; ++i) {
    if (!reference_.shares(word_of(frame, i))) continue;
    return "a frame at " + hex(frame) + " is in memory that several harts see; lockstep cannot judge in which order " +
           "its words and the accesses of other harts come: move the stack to memory of this hart alone";
  }
  return {};
}

std::string Frames::entered(const tz_entry& entry) {
  if (entry.saved == 0) return {};
  std::vector<std::uint64_t> lost;
  for (unsigned i = 0; i <= cause_; ++i) unstored_.erase(word_of(entry.frame, i));
  for (std::size_t i = 0; i < entry.num_lost; ++i) {
    unstored_[entry.lost[i].address] = entry.lost[i].value;
    lost.push_back(entry.lost[i].address);
  }
  for (unsigned i = 0; i <= cause_; ++i) {
    const std::uint64_t address = word_of(entry.frame, i);
    if (!unstored_.contains(address)) unspecified_memory_.erase(address);  // else it is what it was
  }
  if (!lost.empty()) faults_.push_back({entry.frame, lost});
  // An emret that is given up for this interrupt may have loaded some registers.
  if (reference_.word(reference_.csr(isa::csr::kMepc)) == kEmret) open_saved(saved_);
  for (unsigned i = 0; i < registers_.size(); ++i) {
    const std::uint32_t bit = std::uint32_t{1} << registers_[i];
    const std::uint64_t address = word_of(entry.frame, i);
    if ((open_.bits() & bit) != 0 && !unstored_.contains(address)) unspecified_memory_[address] = 0xf;
  }
  unspecified_below_[entry.frame] = open_.bits() & saved_;
  open_saved(fresh_);
  return check_place(entry.frame);
}

/** The program that was interrupted goes on: its frame is nobody's. */
void Frames::left(std::uint64_t frame) {
  for (Fault& fault : faults_) {
    if (fault.frame == frame && fault.certain) {
      fault.certain = false;
      fault.age = 0;
    }
  }
  for (unsigned i = 0; i <= cause_; ++i) {
    // Words that had not left are not written.
    unspecified_memory_[word_of(frame, i)] = 0xf;
    unstored_.erase(word_of(frame, i));
  }
  const auto below = unspecified_below_.find(frame);
  open_saved(below != unspecified_below_.end() ? below->second : 0);
  if (below != unspecified_below_.end()) unspecified_below_.erase(below);
}

void Frames::finish(const tz_effects& effects) {
  const tz_retire& own = effects.record;
  const bool traps = (own.flags & TZ_RETIRE_TRAP) != 0;
  if (own.insn != kEmret) return;
  if (traps && raises(own, kFrameLoadFault)) {
    // The leader may have loaded other words before.
    open_saved(saved_);
    name(before_, reference_.csr(isa::csr::kMtval));
  } else if (traps && raises(own, kFrameStoreFault)) {
    open_saved(saved_);  // it was given up, and may have loaded some registers
  } else if (effects.chained != TZ_NO_INTERRUPT) {
    open_saved(fresh_);
  } else if (!traps) {
    left(before_);
    open_.set(open_.bits() | uncertain_);
  }
}

// --- what may be anything

void Frames::prepare(const tz_retire& leader, tz_choices& choices) {
  before_ = leader.insn == kEmret ? at_sp() : 0;
  if (raises(leader, kFrameStoreFault) && !faults_.empty()) {
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
  if (leader.insn == kEmret && (leader.flags & TZ_RETIRE_TRAP) == 0) {
    keep();
    choices.kept = kept_.data();
    choices.num_kept = kept_.size();
  }
  if (accessed_csr(leader.insn) == isa::csr::kMtval && leader.rd != 0) {
    if (const auto value = mtval(leader)) {
      choices.given |= TZ_CHOICE_CSR;
      choices.csr = *value;
    }
  }
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

/** What mtval reads as: of the words that could not be stored or loaded, the leader may name another one, and of the
 * frames that its exception may have been for, another one. Nothing: what it is. */
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
      if (names(faults_[i].lost)) faults_[i].certain = false;  // another frame at the same place: it may be that one's
    }
    named_ = said;
    return said;
  }
  const auto other = std::find_if(others.begin(), others.end(), [&](const Fault& fault) { return names(fault.lost); });
  if (other == others.end()) return std::nullopt;
  // Frames leave in order: there is none for those before.
  faults_.erase(faults_.begin(), faults_.begin() + (other - others.begin()) + 1);
  name(other->frame, said);
  named_lost_ = other->lost;
  return said;
}

std::string Frames::check_faults(const tz_retire& leader) {
  const bool wait = reference_.frame_faults_wait();
  if ((leader.flags & TZ_RETIRE_TRAP) != 0 && leader.cause == kFrameStoreFault) {
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
