// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Signals inside the design that the engine looks at, hart by hart, as pointers into the verilated root. Which of them
 * Verilator keeps is said in timeline.vlt and registers.vlt. A pointer is null where a hart has no such signal.
 */
#ifndef TRAPEZE_SIM_RTL_SIGNALS_H
#define TRAPEZE_SIM_RTL_SIGNALS_H

#include <Vsim___024root.h>

#include <array>
#include <cstdint>

namespace trapeze::rtl {

/** What timelines show. */
struct TimelineSignals {
  const CData* level = nullptr;  ///< interrupt level (CLIC)
  std::uint32_t spare_banks = 0;
  const CData* bank = nullptr;               ///< fastirq with spare banks: the current one,
  const CData* next_slot = nullptr;          ///< the slot of the next bank left behind,
  const CData* valid = nullptr;              ///< slots whose bank holds a context,
  const CData* pend = nullptr;               ///< slots whose bank has words that must leave
  const VlWide<3>* frame_request = nullptr;  ///< frame port: obi_pkg::obi_req_t
  const QData* frame_response = nullptr;     ///< ... and obi_rsp_t
};

#ifdef TZ_DEBUG
/** What a debugger reads. */
struct DebugSignals {
  static constexpr std::size_t kBanks = 5;
  const CData* wb_valid = nullptr;
  const CData* wb_mem = nullptr;
  const CData* second = nullptr;  ///< of an access in two words
  const CData* wb_trap = nullptr;
  const IData* next_pc = nullptr;
  const CData* next_table = nullptr;  ///< next_pc is the address of a table entry
  const CData* privilege = nullptr;
  IData* insn = nullptr;  ///< written between two edges it asks the CSR file's read port; put back before the next edge
  const CData* csr_exists = nullptr;
  const IData* csr_value = nullptr;
  const CData* fill_valid = nullptr;  ///< fastirq: a register is written from its frame in this cycle ...
  const CData* fill_bank = nullptr;   ///< ... of this bank; null: in place
  const CData* fill_word = nullptr;
  const IData* fill_value = nullptr;
  const IData* sp = nullptr;
  const CData* bank = nullptr;
  std::array<const IData*, kBanks> banks{};  ///< registers of frames, bank by bank
  const IData* others = nullptr;             ///< ... and those of none
  const IData* plain = nullptr;              ///< registers, where there are no banks
};
#endif

}  // namespace trapeze::rtl

#endif  // TRAPEZE_SIM_RTL_SIGNALS_H
