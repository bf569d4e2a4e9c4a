// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of CsrFile: what each register reads, and what a write makes of it.
 *
 * Sources: those of csr.h.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_CSR_FILE_H
#define TRAPEZE_SIM_MODEL_ISA_CSR_FILE_H

#include "model/isa/csr.h"

namespace trapeze::model {

template <Kind K>
auto CsrFile<K>::read(unsigned number, const Counts& counts) const -> std::optional<Word> {
  const auto low = [](std::uint64_t value) { return static_cast<Word>(value); };
  const auto high = [](std::uint64_t value) { return static_cast<Word>(value >> 32); };
  if constexpr (K.clic) {
    if (const auto value = read_clic(number)) return value;
  }
  if (const auto value = blocks_.read(number)) return static_cast<Word>(*value);
  if constexpr (K.supervisor) {
    if (const auto value = read_supervisor(number, counts)) return value;
  }
  if (const auto value = pmp_.read(number)) return *value;
  if (const auto value = user_.read(number)) return *value;
  if (const auto value = post_.read(number)) return *value;
  if (const auto value = floats_.read(number)) return static_cast<Word>(*value);
  if (const auto value = triggers_.read(number)) return *value;
  switch (number) {
    case kMstatus:
      return mstatus();
    case kMisa:
      return misa();
    case kMie:
      return mie_;
    case kMtvec:
      return mtvec_;
    case kMcounteren:
      return mcounteren_;
    case kMcountinhibit:
      return mcountinhibit_;
    case kMscratch:
      return mscratch_;
    case kMepc:
      return mepc_;
    case kMcause:
      return mcause_;
    case kMtval:
      return mtval_;
    case kMip:
      return mip();
    case kMcycle:
    case kCycle:
      return low(cycle_.read(counts.cycles));
    case kMinstret:
    case kInstret:
      return low(instret_.read(counts.retired));
    case kMhartid:
      return hart_id_;
    case kMenvcfg:
    case kMconfigptr:
      return 0;
    default:
      break;
  }
  if constexpr (K.xlen == 32) {
    switch (number) {
      case kMcycleh:
      case kCycleh:
        return high(cycle_.read(counts.cycles));
      case kMinstreth:
      case kInstreth:
        return high(instret_.read(counts.retired));
      case kMstatush:
      case kMenvcfgh:
        return 0;
      default:
        break;
    }
    if (number >= kMcycleh + 3 && number <= kMcycleh + 31) return 0;  // mhpmcounter3h to 31h
  }
  if (number >= kMcycle + 3 && number <= kMcycle + 31) return 0;                // mhpmcounter3 to 31
  if (number >= kMcountinhibit + 3 && number <= kMcountinhibit + 31) return 0;  // mhpmevent3 to 31
  if (number >= kMvendorid && number < kMhartid) return 0;
  return std::nullopt;
}

template <Kind K>
void CsrFile<K>::write(unsigned number, Word value, const Counts& counts) {
  const auto half = [](std::uint64_t old, Word part, bool upper) -> std::uint64_t {
    if constexpr (K.xlen == 64) return part;
    const std::uint64_t bits = part;
    return upper ? (old & 0xffffffffU) | (bits << 32) : (old & ~std::uint64_t{0xffffffffU}) | bits;
  };
  const auto bit = [value](unsigned n) { return ((value >> n) & 1U) != 0; };
  if constexpr (K.clic) {
    if (write_clic(number, value)) return;
  }
  if constexpr (K.supervisor) {
    if (write_supervisor(number, value)) return;
  }
  if (pmp_.write(number, value)) return;
  if (user_.write(number, static_cast<std::uint32_t>(value))) return;
  if (post_.write(number, static_cast<std::uint32_t>(value))) return;
  if (floats_.write(number, value)) return;
  if (blocks_.write(number, value)) return;
  if (triggers_.write(number, static_cast<std::uint32_t>(value), false)) return;
  switch (number) {
    case kMstatus:
      set_interrupts_on(bit(mstatus_bit::kInterruptEnable));
      mpie_ = bit(mstatus_bit::kPrevious);
      mpp_ = legal_mode((value >> mstatus_bit::kMpp) & 3U);
      mprv_ = bit(mstatus_bit::kMprv);
      tw_ = bit(mstatus_bit::kTw);
      floats_.write_status(value);
      if constexpr (K.supervisor) supervisor_.write_machine_status(value);
      user_.write_status(static_cast<std::uint32_t>(value));
      break;
    case kMie:
      mie_ = value & mask_;
      break;
    case kMtvec:
      // Mode bit 1 stays zero; a vectored base is aligned to 128 bytes.
      mtvec_ = (value & 1U) != 0 ? (value & ~Word{0x7f}) | 1U : value & ~Word{3};
      break;
    case kMcounteren:
      mcounteren_ = value & kCounters;
      break;
    case kMcountinhibit:
      mcountinhibit_ = value & (kCountCycle | kCountInstret);
      cycle_.stop((value & kCountCycle) != 0, counts.cycles + 1);  // the cycle of the write still counts as before
      // The instruction that stops or starts the counter is not, or is, counted itself.
      instret_.stop((value & kCountInstret) != 0, counts.retired);
      break;
    case kMscratch:
      mscratch_ = value;
      break;
    case kMepc:
      set_mepc(value);
      sole_context_ = !mie_on_;
      break;
    case kMcause:
      mcause_ = value & (kInterruptBit | kCodes);
      break;
    case kMtval:
      mtval_ = value;
      break;
    case kMcycle:
      cycle_.write(half(cycle_.read(counts.cycles + 1), value, false), counts.cycles);
      break;
    case kMcycleh:
      cycle_.write(half(cycle_.read(counts.cycles + 1), value, true), counts.cycles);
      break;
    case kMinstret:
      instret_.write(half(instret_.read(counts.retired), value, false), counts.retired);
      break;
    case kMinstreth:
      instret_.write(half(instret_.read(counts.retired), value, true), counts.retired);
      break;
    default:
      break;  // read-only zero
  }
}

// --- registers that a CLIC changes or adds

template <Kind K>
auto CsrFile<K>::read_clic(unsigned number) const -> std::optional<Word> {
  switch (number) {
    case kMie:
    case kMip:
      return 0;
    case kMtvec:
      return mtvec_ | ClicCsrs::kMode;
    case kMcause:
      return whole_mcause();
    case kMtvt:
      return clic_.table;
    case kMintthresh:
      return clic_.threshold;
    case kMintstatus:
      return clic_.status() | user_.level();
    case kMfastirq:
      if constexpr (K.fast) return fast_.value;
      return std::nullopt;
    case kMframe:
      if constexpr (K.fast) return params().whole_frames ? frame_layout(params()).bytes : 0;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

template <Kind K>
bool CsrFile<K>::write_clic(unsigned number, Word value) {
  switch (number) {
    case kMie:
    case kMip:
      return true;
    case kMtvec:
      mtvec_ = value & ~Word{ClicCsrs::kVectorAlignment - 1};
      return true;
    case kMcause:
      write_mcause(value);
      sole_context_ = !mie_on_;
      return true;
    case kMtvt:
      clic_.set_table(static_cast<std::uint32_t>(value));
      return true;
    case kMintthresh:
      clic_.threshold = static_cast<std::uint8_t>(value);
      return true;
    case kMfastirq:
      if constexpr (K.fast) fast_.value = static_cast<std::uint32_t>(value);
      return true;
    case kMframe:  // a hint: what emret does is the same
      return true;
    default:
      return false;
  }
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CSR_FILE_H
