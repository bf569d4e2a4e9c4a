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
#include <span>
#include <string>
#include <trapeze/isa.hpp>
#include <vector>

#include "lockstep/following/open_registers.h"
#include "lockstep/following/reference.h"

namespace trapeze::following {

class Frames {
 public:
  Frames(Reference& reference, OpenRegisters& open);

  /** The reference has taken an interrupt of `privilege`. Returns why its frame cannot be judged; empty if it can. */
  std::string entered(const tz_entry& entry, unsigned privilege);
  /** Whether the leader's exception may be for a frame of user mode that memory protection refuses as a whole. */
  bool may_refuse(const tz_retire& leader) const;
  /** The leader's exception is for such a frame: it comes in the place of the instruction. */
  void refuse();
  /** Why the frame that an emret loads cannot be judged; empty if it can. */
  std::string check_load() const { return check_place(at_sp()); }
  /** Judges from the leader's next instruction whether it has raised the exceptions for frames that it must raise, and
   * no others. Returns the complaint; empty if there is none. */
  std::string check_faults(const tz_retire& leader);
  /** Before the leader's instruction: values that were open, and that the instruction reads, become the leader's. */
  void prepare(const tz_retire& leader, tz_choices& choices);
  /** After the leader's instruction. */
  void finish(const tz_effects& effects);
  /** Before an emret of the leader, which returns to `epc` (or chains with it): finds out whether the leader has the
   * frame from a bank or from memory. */
  void find_source(std::uint64_t epc);
  /** mcause and mepc that an emret of the leader finds in the frame at sp. Nothing: it may not leave a frame, or the
   * word is in no memory. */
  std::optional<std::uint32_t> cause() const { return word_at_sp(cause_); }
  std::optional<std::uint32_t> epc() const { return word_at_sp(cause_ - 1); }
  /** Whether the leader may have another cause in the frame at sp: the frame has been left before. */
  bool cause_is_open() const;
  /** The leader goes on to an interrupt of `level`: its cause, which is open, names a lower one. */
  void lower_cause(unsigned level);
  /** Whether the leader may have another ustatus.UIE and another level of user mode: its euret has read an open cause.
   */
  bool user_context_is_open() const { return open_context_; }

 private:
  /** A frame of which at least one word could not be stored: an exception is due. */
  struct Fault {
    std::uint64_t frame;
    std::vector<std::uint64_t> lost;  ///< addresses of the words that could not be stored, in the order of storing
    bool certain = true;              ///< false: the handler has ended, perhaps before the leader tried to store them
    unsigned age = 0;                 ///< instructions since the entry (or, if not certain, since the handler's end)
  };

  /** Address of the frame that sp points to. */
  std::uint64_t at_sp() const { return reference_.x(2) & ~std::uint64_t{3}; }
  std::optional<std::uint32_t> word_at_sp(unsigned index) const;
  std::string check_place(std::uint64_t frame) const;
  bool leaving_allowed() const;
  void forget_user_banks(const tz_retire& own);
  void adopt_memory(const tz_retire& leader);
  std::uint64_t open_bits(unsigned csr) const;
  void adopt_epc(std::uint64_t address, std::uint32_t loaded, std::uint64_t epc);
  /** Takes the oldest fault out of faults_, for its exception; returns the mtval of that. */
  std::uint64_t take_fault();
  std::optional<std::uint64_t> mtval(const tz_retire& leader);
  void left(std::uint64_t frame);
  void name(std::uint64_t frame, std::uint64_t address);
  void keep();

  /** From now on the registers `bits`, of those that a frame has, are open; the frame's other registers are not.
   * Registers that are in no frame stay as they are. */
  void open_saved(std::uint32_t bits, std::uint32_t guarded = 0);

  Reference& reference_;
  OpenRegisters& open_;
  /** For each word of a frame that is a register: number of the register. */
  const std::span<const unsigned> registers_ = reference_.frame().registers;
  const unsigned cause_ = reference_.frame().cause;  ///< word of mcause
  const std::uint32_t saved_ = saved();              ///< registers of a frame, as bits
  const std::uint32_t fresh_;  ///< registers that may have any value in a fresh bank: saved_ without ra
  std::uint32_t saved() const;

  std::vector<Fault> faults_;  ///< oldest first
  /** Copy of the first of faults_, from before the last exception: that may have been for one of these instead. */
  std::vector<Fault> others_;
  /** A frame that was saved and has not been left yet. */
  struct Made {
    std::uint32_t open;     ///< registers that were open when they were saved
    unsigned privilege;     ///< mode whose frame it is: only a return of that mode may use a bank that holds it
    bool banked;            ///< a bank may hold the frame
    std::uint32_t guarded;  ///< registers of `open` that may not show a value of machine mode
  };
  std::map<std::uint64_t, Made> made_;  ///< by address of the frame
  /** Bytes in memory, as lanes by address of the word, for which the leader may have other values: of frames that were
   * left before they had been stored, and of registers that were open when they were saved. */
  std::map<std::uint64_t, unsigned> unspecified_memory_;
  /** The xcause that an emret which went on, or an euret, has read from such a word: its next read shows what the
   * leader has, in the bits of open_fields_. */
  std::optional<unsigned> open_cause_;
  std::uint64_t open_fields_ = 0;
  bool open_context_ = false;
  /** A word that could not be stored. The leader's bank may still hold it. */
  struct Unstored {
    std::uint32_t value;
    unsigned privilege;  ///< mode whose frame it is
  };
  std::map<std::uint64_t, Unstored> unstored_;  ///< by address of the word
  /** The word of unstored_ at an address, if a return of the mode that runs may find it in a bank; else null. */
  const Unstored* unstored(std::uint64_t address) const;
  std::vector<tz_word> kept_;    ///< words that the emret finds in a bank
  bool reloads_ = false;         ///< the emret loads words from memory that are not those that were to be stored
  std::uint32_t uncertain_ = 0;  ///< registers that the emret has from a bank or from memory, where the two differ
  /** For the last exception of a frame: address of the word that mtval names, and of the frame. */
  std::uint64_t named_ = 0;
  std::uint64_t named_frame_ = 0;
  std::vector<std::uint64_t> named_lost_;  ///< its words that could not be stored; empty if one could not be loaded
  std::uint64_t before_ = 0;               ///< address of the frame at sp before the emret
  bool refusing_ = false;                  ///< the exception for a refused frame comes in the place of the instruction
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FRAMES_H
