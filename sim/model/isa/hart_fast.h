// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart that exist for fastirq: frames, emret, and what a follower takes from its leader where the text
 * leaves a value open.
 *
 * Source: docs/fastirq.md.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_FAST_H
#define TRAPEZE_SIM_MODEL_ISA_HART_FAST_H

#include <algorithm>
#include <cstring>

#include "model/isa/hart.h"

namespace trapeze::model {

// --- entry

template <Params P>
void Hart<P>::save_frame(unsigned mode, bool vectored) {
  csr_.set_interrupts_on(vectored && csr_.fast().nests());
  csr_.set_sole_context(!vectored);
  if (mode != kMachine) {
    const Word stack = csr_.mscratch();
    csr_.set_mscratch(x_[kSp]);
    x_[kSp] = stack;
  }
  x_[kSp] -= Layout::kBytes;
  std::array<Word, Layout::kWords> words{};
  for (unsigned i = 0; i < Layout::kRegisters.size(); ++i) words[i] = x_[Layout::kRegisters[i]];
  words[Layout::kEpc] = csr_.mepc();
  words[Layout::kCause] = csr_.whole_mcause();
  std::optional<Word> failed;
  for (unsigned i = 0; i < Layout::kWords; ++i) {
    const Word address = frame_word(frame(), i);
    if (!store_frame_word(address, words[i]) && !failed) failed = address;
  }
  if (failed) frames_.faults.push_back({frame(), *failed});
  x_[1] = csr_.fast().link();
  if (!following_) return;

  // An emret that is given up for this interrupt may have loaded some registers.
  if (is_emret(csr_.mepc())) frames_.unspecified |= Layout::kFresh | std::uint32_t{2};
  for (unsigned i = 0; i < Layout::kRegisters.size(); ++i) {
    const std::uint32_t bit = std::uint32_t{1} << Layout::kRegisters[i];
    if ((frames_.unspecified & bit) != 0) frames_.unspecified_memory[frame_word(frame(), i)] = 0xf;
  }
  frames_.unspecified_below[frame()] = frames_.unspecified;
  frames_.unspecified = Layout::kFresh;
}

template <Params P>
bool Hart<P>::store_frame_word(Word address, std::uint32_t value) {
  if (following_) {
    frames_.unspecified_memory.erase(address);
    frames_.unstored.erase(address);
  }
  std::uint8_t* const host = bus_.modify(address, sizeof value);
  if (host != nullptr) {
    std::memcpy(host, &value, sizeof value);
  } else if (following_) {
    frames_.unstored[address] = value;
  }
  return host != nullptr;
}

// --- emret

template <Params P>
bool Hart<P>::is_emret(Word pc) const {
  std::uint32_t word = 0;
  const std::uint8_t* const host = bus_.memory(pc, sizeof word);
  if (host != nullptr) std::memcpy(&word, host, sizeof word);
  return word == kEmret;
}

/** An emret waits for the exceptions of frames whatever is in mepc, which it reads from its frame. */
template <Params P>
bool Hart<P>::frame_faults_held() const {
  return csr_.holds_frame_faults() && !(emret_allowed() && is_emret(pc_));
}

template <Params P>
auto Hart<P>::load_frame_word(Word address, bool kept) const -> std::optional<Word> {
  std::uint32_t value = 0;
  if (const std::uint8_t* host = bus_.memory(address, sizeof value)) {
    std::memcpy(&value, host, sizeof value);
    return value;
  }
  const auto found = frames_.unstored.find(address);
  if (kept && found != frames_.unstored.end()) return found->second;
  return std::nullopt;
}

template <Params P>
auto Hart<P>::emret_word(unsigned index) const -> std::optional<Word> {
  if (!emret_allowed()) return std::nullopt;
  return load_frame_word(frame_word(frame(), index), true);
}

template <Params P>
auto Hart<P>::emret(std::uint64_t now) -> std::optional<Word> {
  // In this order, so that the same word is the first that fails as on the hardware with spare banks. A leader may have
  // loaded others before.
  const Word base = frame();
  const auto fail = [&](unsigned index) {
    if (following_) frames_.unspecified |= Layout::kFresh | kRaBit;
    return name_word(base, frame_word(base, index));
  };
  const bool led = leader_ != nullptr && (leader_->flags & TZ_RETIRE_TRAP) == 0;
  const std::optional<Word> cause = load_frame_word(frame_word(base, Layout::kCause), led);
  if (!cause) return fail(Layout::kCause);
  const std::optional<Word> epc = load_frame_word(frame_word(base, Layout::kEpc), led);
  if (!epc) return fail(Layout::kEpc);
  bus_.forget_reservation();
  const ClicOffer next = next_chained((*cause >> ClicCsrs::kMpil) & 0xffU);
  if (next.valid) {
    csr_.load_context(*epc, *cause);
    chain(next, now);
    return std::nullopt;
  }
  std::array<Word, Layout::kRegisters.size()> values{};
  for (unsigned i = 0; i < values.size(); ++i) {
    const std::optional<Word> value = load_frame_word(frame_word(base, i), led);
    if (!value) return fail(i);
    values[i] = *value;
  }
  for (unsigned i = 0; i < values.size(); ++i) x_[Layout::kRegisters[i]] = values[i];
  x_[kSp] += Layout::kBytes;
  csr_.load_context(*epc, *cause);
  if (csr_.previous_mode() != kMachine) {
    const Word stack = x_[kSp];
    x_[kSp] = csr_.mscratch();
    csr_.set_mscratch(stack);
  }
  forget_frame(base);
  pc_ = csr_.leave(mode_);
  if (csr_.clic().in_vector) vector(pc_ & ~Word{3});
  return std::nullopt;
}

/** The interrupt that emret goes on to instead of returning to a program of level `above`. */
template <Params P>
ClicOffer Hart<P>::next_chained(unsigned above) const {
  if (leader_ != nullptr) return led_chain_;
  const ClicOffer best = clic_->best();
  return best.valid && best.level > above && best.level > csr_.clic().threshold ? best : ClicOffer{};
}

template <Params P>
void Hart<P>::chain(const ClicOffer& offer, std::uint64_t now) {
  chained_ = Chained{offer, csr_.mepc()};
  csr_.clic().level = static_cast<std::uint8_t>(offer.level);
  csr_.clic().in_vector = false;
  csr_.set_mcause(CsrFile<P>::kInterruptBit | static_cast<Word>(offer.id));
  csr_.set_interrupts_on(offer.vectored && csr_.fast().nests());
  csr_.set_sole_context(!offer.vectored);
  x_[1] = csr_.fast().link();
  if (following_) frames_.unspecified = Layout::kFresh;
  entered_ = entered_by_interrupt_ = true;
  pc_ = csr_.clic_handler();
  if (!offer.vectored) return;
  clic_->claim(offer.id, now);
  vector(csr_.clic().entry(offer.id));
}

/** The program that was interrupted goes on: its frame is nobody's. */
template <Params P>
void Hart<P>::forget_frame(Word base) {
  if (!following_) return;
  for (FrameFault& fault : frames_.faults) {
    if (fault.frame == base && fault.certain) {
      fault.certain = false;
      fault.age = 0;
    }
  }
  for (unsigned i = 0; i < Layout::kWords; ++i) {
    // Words that had not left are not written.
    frames_.unspecified_memory[frame_word(base, i)] = 0xf;
    frames_.unstored.erase(frame_word(base, i));
  }
  const auto below = frames_.unspecified_below.find(base);
  frames_.unspecified = below != frames_.unspecified_below.end() ? below->second : 0;
  if (below != frames_.unspecified_below.end()) frames_.unspecified_below.erase(below);
}

/** The exception for the oldest frame that could not be stored: its mtval. */
template <Params P>
auto Hart<P>::take_frame_fault() -> Word {
  const FrameFault fault = frames_.faults.front();
  frames_.faults.erase(frames_.faults.begin());
  frames_.others.clear();
  bool certain = fault.certain;
  for (FrameFault& next : frames_.faults) {
    if (certain) break;
    frames_.others.push_back(next);
    certain = std::exchange(next.certain, false);
  }
  return name_word(fault.frame, fault.address);
}

template <Params P>
auto Hart<P>::name_word(Word base, Word address) -> Word {
  frames_.named_frame = base;
  frames_.named = address;
  return address;
}

// --- following

/** What mtval reads as: of the words that could not be stored or loaded, the leader may name another one, and of the
 * frames that its exception may have been for, another one. */
template <Params P>
auto Hart<P>::led_mtval(Word own) -> Word {
  const auto said = static_cast<Word>(leader_->rd_value);
  if (own != frames_.named || bus_.memory(said, sizeof said) != nullptr) return own;
  const auto meant = [said](Word frame) { return said - frame < Layout::kWords * sizeof(Word); };
  const std::vector<FrameFault> others = std::exchange(frames_.others, {});
  if (meant(frames_.named_frame)) {
    std::copy(others.begin(), others.end(), frames_.faults.begin());
    return said;
  }
  const auto other = std::find_if(others.begin(), others.end(), [&](const FrameFault& f) { return meant(f.frame); });
  if (other == others.end()) return own;
  // Frames leave in order: there is none for those before.
  frames_.faults.erase(frames_.faults.begin(), frames_.faults.begin() + (other - others.begin()) + 1);
  csr_.write(kMtval, name_word(other->frame, said), {});
  return said;
}

template <Params P>
bool Hart<P>::led_to_frame_fault() const {
  return P.fast && leader_ != nullptr && (leader_->flags & TZ_RETIRE_TRAP) != 0 &&
         (leader_->cause & 0xfffU) == kFrameStoreFault && !frames_.faults.empty();
}

template <Params P>
void Hart<P>::adopt(const tz_retire& own) {
  const auto take = [&](unsigned number, unsigned led, std::uint64_t value) {
    const std::uint32_t bit = std::uint32_t{1} << (number & 31U);
    if (number != led || (frames_.unspecified & bit) == 0) return;
    x_[number] = static_cast<Word>(value);
    frames_.unspecified &= ~bit;
  };
  take(own.rs1, leader_->rs1, leader_->rs1_value);
  take(own.rs2, leader_->rs2, leader_->rs2_value);
  if (!frames_.unspecified_memory.empty() && (leader_->mem_rmask | leader_->mem_wmask) != 0) adopt_memory();
}

template <Params P>
void Hart<P>::adopt_memory() {
  for (unsigned i = 0; i < 4; ++i) {
    const bool read = ((leader_->mem_rmask >> i) & 1U) != 0;
    const bool written = ((leader_->mem_wmask >> i) & 1U) != 0;
    const auto address = static_cast<Word>(leader_->mem_addr + i);
    const auto found = frames_.unspecified_memory.find(address & ~Word{3});
    const unsigned lane = 1U << (address % 4);
    if (!(read || written) || found == frames_.unspecified_memory.end() || (found->second & lane) == 0) continue;
    std::uint8_t* const host = bus_.memory(address, 1);
    if (read && host != nullptr) *host = static_cast<std::uint8_t>(leader_->mem_rdata >> (8 * i));
    found->second &= ~lane;
    if (found->second == 0) frames_.unspecified_memory.erase(found);
  }
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_FAST_H
