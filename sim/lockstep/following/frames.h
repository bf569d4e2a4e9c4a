// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The frames of a leader with fastirq: what of them, and of the registers in a handler, may be anything, and which
 * exceptions for frames have still to come.
 *
 * The sources are docs/fastirq.md and docs/user-level-interrupts.md: frames of machine mode and of user mode, each left
 * by the mode that runs. When frames leave, and which are still in a bank, depends on the leader alone and is
 * not judged; the exception for a frame that cannot be stored has to come before long.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FRAMES_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FRAMES_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <trapeze/isa.hpp>
#include <vector>

#include "lockstep/following/open_registers.h"
#include "lockstep/following/reference.h"

namespace trapeze::following {

class Frames {
 public:
  Frames(Reference& reference, OpenRegisters& open);

  /** The reference has taken an interrupt of `privilege`. Returns what cannot be judged of its frame, or nothing. */
  std::string entered(const tz_entry& entry, unsigned privilege);
  /** Whether the leader's exception may be that for a frame of user mode that is refused as a whole. */
  bool may_refuse(const tz_retire& leader) const;
  /** It is: it comes in the place of the instruction. */
  void refuse();
  /** What cannot be judged of the frame that an emret loads, or nothing. */
  std::string check_load() const { return check_place(at_sp()); }
  /** What the leader's next instruction says about exceptions for frames that it was not free to do. */
  std::string check_faults(const tz_retire& leader);
  /** Before the leader's instruction: what may be anything is from now on what the leader has. */
  void prepare(const tz_retire& leader, tz_choices& choices);
  /** Behind it. */
  void finish(const tz_effects& effects);
  /** Before an emret of the leader, which goes on, or would, at `epc`: whether it comes from a bank or from memory. */
  void find_source(std::uint64_t epc);
  /** The words that an emret of the leader finds in the frame at sp; nothing: it cannot have got that far. */
  std::optional<std::uint32_t> cause() const { return word_at_sp(cause_); }
  std::optional<std::uint32_t> epc() const { return word_at_sp(cause_ - 1); }

 private:
  /** A frame of which a word could not be stored: an exception is due. */
  struct Fault {
    std::uint64_t frame;
    std::vector<std::uint64_t> lost;  ///< addresses of the words, the first one first
    bool certain = true;              ///< false: its handler has ended, so the leader may not have come to that word
    unsigned age = 0;                 ///< instructions since
  };

  /** The frame that sp points to. */
  std::uint64_t at_sp() const { return reference_.x(2) & ~std::uint64_t{3}; }
  std::optional<std::uint32_t> word_at_sp(unsigned index) const;
  std::string check_place(std::uint64_t frame) const;
  bool leaving_allowed() const;
  void forget_user_banks(const tz_retire& own);
  void adopt_memory(const tz_retire& leader);
  /** The exception for the oldest fault: its mtval. */
  std::uint64_t take_fault();
  std::optional<std::uint64_t> mtval(const tz_retire& leader);
  void left(std::uint64_t frame);
  void name(std::uint64_t frame, std::uint64_t address);
  void keep();

  /** What is open of the registers in a frame is `bits` from now on; the others do not change. */
  void open_saved(std::uint32_t bits, std::uint32_t guarded = 0);

  Reference& reference_;
  OpenRegisters& open_;
  /** Numbers of the registers of a frame, by word. */
  const std::vector<unsigned> registers_ =
      reference_.is_embedded() ? std::vector<unsigned>(isa::frame::kRegistersE.begin(), isa::frame::kRegistersE.end())
                               : std::vector<unsigned>(isa::frame::kRegistersI.begin(), isa::frame::kRegistersI.end());
  const unsigned cause_ = reference_.is_embedded() ? isa::frame::kMcauseE : isa::frame::kMcauseI;  ///< its word
  const std::uint32_t saved_ = saved();  ///< the same, as bits
  const std::uint32_t fresh_;            ///< those that hold anything in a fresh bank: all but ra
  std::uint32_t saved() const;

  std::vector<Fault> faults_;  ///< oldest first
  /** The first of faults_, as they were: the last exception may have been for one of these. */
  std::vector<Fault> others_;
  /** A frame that was made and not left. */
  struct Made {
    std::uint32_t open;     ///< registers that were open when they were saved
    unsigned privilege;     ///< whose it is: a bank holds it for the return of that mode alone
    bool banked;            ///< a bank may hold it
    std::uint32_t guarded;  ///< of `open`, those that show nothing of machine mode's
  };
  std::map<std::uint64_t, Made> made_;  ///< by address
  /** Bytes of words in memory, as lanes, that the leader may have different: frames that were left before they had been
   * stored, and registers that held anything when they were saved. */
  std::map<std::uint64_t, unsigned> unspecified_memory_;
  /** A word that could not be stored. The leader's bank may still hold it. */
  struct Unstored {
    std::uint32_t value;
    unsigned privilege;  ///< of its frame
  };
  std::map<std::uint64_t, Unstored> unstored_;  ///< by address
  /** That of the frame's mode, if a return of the mode that runs can find it. */
  const Unstored* unstored(std::uint64_t address) const;
  std::vector<tz_word> kept_;    ///< what an emret finds in a bank
  bool reloads_ = false;         ///< it loads words from memory that are not those of the frame
  std::uint32_t uncertain_ = 0;  ///< registers that it has from a bank or from memory, which differ
  /** The word that mtval named at the last exception of a frame, and the frame. */
  std::uint64_t named_ = 0;
  std::uint64_t named_frame_ = 0;
  std::vector<std::uint64_t> named_lost_;  ///< all words of it that could not be stored; of one that was loaded: none
  std::uint64_t before_ = 0;               ///< the frame at sp before the instruction
  bool refusing_ = false;                  ///< the exception for a refused frame comes in the place of the instruction
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FRAMES_H
