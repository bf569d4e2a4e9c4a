// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Follows which handler runs on each hart. Input: claims and retirement records. Output: the stamps of each interrupt.
 */
#ifndef TRAPEZE_SIM_KERNEL_HANDLERS_H
#define TRAPEZE_SIM_KERNEL_HANDLERS_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <trapeze/isa.hpp>
#include <vector>

#include "kernel/elf.h"
#include "kernel/engine.h"
#include "kernel/interrupt_table.h"
#include "kernel/stimulus.h"

namespace trapeze {

constexpr std::uint32_t kUret = isa::encoding::kUret.match;
constexpr std::uint32_t kMret = 0x30200073;
constexpr std::uint32_t kEmret = isa::encoding::kEmret.match;
constexpr std::uint32_t kEuret = isa::encoding::kEuret.match;

/** Number N of the marker `slti x0, x0, N`, 1 to 2047; 0 for any other instruction. */
constexpr unsigned marker_number(std::uint32_t insn) {
  return isa::encoding::kMarker.is(insn) ? insn >> isa::marker_operand::kBit : 0;
}

/** Whether an instruction leaves a frame, and so may go on to another interrupt instead of returning. */
constexpr bool leaves_frame(std::uint32_t insn) {
  return insn == kEmret || insn == kEuret;
}

/** Whether an instruction returns from a trap handler. */
constexpr bool is_trap_return(std::uint32_t insn) {
  return insn == kMret || insn == kUret || leaves_frame(insn);
}

/** Number of the CSR that an instruction accesses. 0 if it accesses none; ustatus, whose number is 0, is not needed
 * here. */
constexpr unsigned accessed_csr(std::uint32_t insn) {
  return (insn & 0x7fU) == 0x73U && (insn & 0x3000U) != 0 ? insn >> 20 : 0;
}

/** Whether an instruction is xnxti or jalxnxti, which hand out interrupts that enter no handler. */
constexpr bool is_next_interrupt(std::uint32_t insn) {
  const unsigned csr = accessed_csr(insn);
  return csr == isa::csr::kMnxti || csr == isa::csr::kUnxti || csr == isa::csr::kJalmnxti;
}

/** Whether an instruction may change which handler runs, or writes mtvt or utvt, the address of the handler table, by
 * which handed-out interrupts are identified. */
constexpr bool changes_handlers(std::uint32_t insn) {
  return (insn & 0x7fU) == 0x73U && (is_trap_return(insn) || is_next_interrupt(insn) ||
                                     accessed_csr(insn) == isa::csr::kMtvt || accessed_csr(insn) == isa::csr::kUtvt);
}

/** Bits of TZ_SELECT_* under which a record is selected. */
constexpr std::uint32_t record_kinds(std::uint32_t insn, bool handler, bool traps) {
  std::uint32_t kinds = TZ_SELECT_ALL;
  if (marker_number(insn) != 0) kinds |= TZ_SELECT_MARKERS;
  if (handler) kinds |= TZ_SELECT_HANDLERS;
  if (traps) kinds |= TZ_SELECT_TRAPS | TZ_SELECT_USER;
  return kinds;
}

/** Filters the records that a run asked for, for an engine that produces all of them. A value: it is part of the
 * engine's snapshot. */
class RecordFilter {
 public:
  /** Whether to keep the next record; `select`: TZ_SELECT_*. */
  bool keeps(const tz_retire& record, std::uint32_t select);

 private:
  bool returned_ = false;  ///< the last record was a return
};

/**
 * The handlers of one hart that have been entered and have not returned, the innermost last. A marker belongs to the
 * innermost one.
 *
 * Rules, and limits of what is known:
 *  - A handler ends with the return (mret, emret, uret, euret) that is executed in it, or with the emret or euret that
 *    goes on to another one; exceptions nest as interrupts do.
 *  - A handler in which xnxti or jalxnxti hands out interrupts serves one after the other: a marker belongs to the one
 *    handed out last, or to no interrupt after xnxti found none left.
 *  - A handler that was preempted before its first instruction begins with the return that leads to that instruction.
 *  - Under a monitor the return from its handler of an interrupt (mret) to another place hands the interrupt on to a
 *    handler of the program in user mode. That handler ends with the exception by which the program asks the monitor
 *    to go on at the interrupted place. A return to the interrupted place holds the interrupt back: the program has
 *    interrupts disabled. The next claim of the same number is the same interrupt, unless another edge has come: then
 *    the handler serves that one, and whether it serves the first, too, is not known.
 *  - A handler of the program that ends without the monitor (scheme `soft`) ends with the next interrupt.
 *  - Any other return to another place than the interrupted one switches to another context. The handler ends with it.
 * The handlers that it had preempted may go on later, which is not followed: their markers are attributed to no
 *    interrupt.
 *
 * A value: copy it with a snapshot.
 */
class HandlerStack {
 public:
  /** Source of an interrupt. */
  struct Source {
    std::size_t index = Stimulus::kNone;  ///< number of the injection
    std::optional<unsigned> line;         ///< platform line
  };
  /** Called when xnxti hands out an interrupt that entered no handler: with its hart, its id and the cycle. Returns
   * its source. */
  using HandOut = std::function<Source(unsigned hart, unsigned id, std::uint64_t cycle)>;

  /** An interrupt was claimed for injection `index`. The claim takes effect after the instructions that executed
   * before it. */
  void on_claim(const tz_claim& claim, std::size_t index);

  /** A record selected by TZ_SELECT_HANDLERS, TZ_SELECT_TRAPS or TZ_SELECT_MARKERS has arrived. Other records change
   * nothing. */
  void on_retire(const tz_retire& record, InterruptTable& stamps, const HandOut& hand_out);

  /** The interrupt whose handler runs, or Stimulus::kNone. */
  std::size_t served() const;
  /** Cycle in which the interrupt being served was claimed, also if no injection raised it. Nothing if none is
   * served. */
  std::optional<std::uint64_t> served_since() const;
  /** Whether the interrupt that was claimed in this cycle is still being served, perhaps below other handlers. */
  bool serves(std::uint64_t claimed) const;
  /** True if no handler runs. One that a monitor has handed an interrupt on to is not known to run. */
  bool empty() const;

  /** The monitor that the hart's program runs under. */
  void set_monitor(Monitor monitor) { monitor_ = monitor; }
  /** Takes the interrupt that a monitor holds back for a later claim of the number `id`; Stimulus::kNone if none is. */
  std::size_t take_held(unsigned id);

 private:
  struct Claim {
    tz_claim claim;
    std::size_t index;
  };
  struct Handler {
    unsigned id = 0;
    bool exception = false;
    bool handed_on = false;  ///< it is the program's, in user mode, and a monitor has entered it
    bool begun = false;
    bool hands_out = false;   ///< xnxti has handed out an interrupt in this handler
    bool own_served = false;  ///< ... and among them the interrupt that the handler was entered for
    std::size_t own = Stimulus::kNone;
    std::size_t served = Stimulus::kNone;
    std::optional<std::uint64_t> claimed;  ///< cycle of the claim of the interrupt being served
    std::optional<std::uint64_t> epc;
  };
  /** Most handlers that are kept. A handler that is left by a jump never returns; when there are too many, the
   * outermost is forgotten. */
  static constexpr std::size_t kMost = 64;

  void push(const Handler& handler);
  void take_claims(const tz_retire& record);
  void begin(const tz_retire& record, InterruptTable& stamps);
  void leave(std::uint64_t target, bool machine, InterruptTable& stamps);
  void leave_monitor(Handler handler, bool back, InterruptTable& stamps);
  bool end_handed_on(std::uint64_t target, InterruptTable& stamps);
  void serve_next(const tz_retire& record, InterruptTable& stamps, const HandOut& hand_out);

  std::vector<Handler> handlers_;
  std::vector<Claim> claims_;
  std::map<unsigned, std::size_t> held_;  ///< by number of the interrupt: what a monitor holds back
  Monitor monitor_ = Monitor::kNone;
  std::uint64_t table_ = 0;       ///< value of mtvt
  std::uint64_t user_table_ = 0;  ///< value of utvt
  bool returned_ = false;         ///< the last record was a return
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_HANDLERS_H
