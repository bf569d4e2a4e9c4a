// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of CsrFile that exist for S mode: its registers, views of machine mode's, delegation, trap entry and return.
 * The last ones ask which mode a trap belongs to; without S mode the answer is machine mode.
 *
 * Source: Privileged ISA 20211203, sections 3.1.8, 3.1.9 and 4.1; docs/core.md for fields that are open.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_CSR_FILE_SUPERVISOR_H
#define TRAPEZE_SIM_MODEL_ISA_CSR_FILE_SUPERVISOR_H

#include "model/isa/csr.h"

namespace trapeze::model {

template <Kind K>
auto CsrFile<K>::read_supervisor(unsigned number, const Counts& counts) const -> std::optional<Word> {
  switch (number) {
    case kSstatus:
      return supervisor_.status() | floats_.status();
    case kSie:
      return mie_ & supervisor_.mideleg;
    case kSip:
      return mip() & supervisor_.mideleg;
    case kStvec:
      return supervisor_.stvec;
    case kScounteren:
      return supervisor_.scounteren;
    case kSenvcfg:
      return 0;
    case kSscratch:
      return supervisor_.sscratch;
    case kSepc:
      return supervisor_.sepc;
    case kScause:
      return supervisor_.scause;
    case kStval:
      return supervisor_.stval;
    case kSatp:
      return supervisor_.satp;
    case kMedeleg:
      return supervisor_.medeleg;
    case kMideleg:
      return supervisor_.mideleg;
    case kTime:
      return counts.time;
    default:
      return std::nullopt;
  }
}

template <Kind K>
bool CsrFile<K>::write_supervisor(unsigned number, Word value) {
  SupervisorCsrs& s = supervisor_;
  switch (number) {
    case kSstatus:
      s.write_status(value);
      floats_.write_status(value);
      return true;
    case kSie:
      mie_ = (mie_ & ~s.mideleg) | (value & s.mideleg);
      return true;
    case kSip: {
      const Word mask = SupervisorCsrs::kSoftware & s.mideleg;
      s.pending = (s.pending & ~mask) | (value & mask);
      return true;
    }
    case kMip:
      s.pending = value & SupervisorCsrs::kInterrupts;
      return true;
    case kStvec:
      s.stvec = value & ~Word{2};
      return true;
    case kScounteren:
      s.scounteren = value & kCounters;
      return true;
    case kSscratch:
      s.sscratch = value;
      return true;
    case kSepc:
      s.sepc = value & ~Word{params_.zero_bits()};
      return true;
    case kScause:
      s.scause = value & (kInterruptBit | kCodes);
      return true;
    case kStval:
      s.stval = value;
      return true;
    case kSatp:
      s.write_satp(value);
      return true;
    case kMedeleg:
      s.medeleg = value & SupervisorCsrs::kExceptions;
      return true;
    case kMideleg:
      s.mideleg = value & mask_ & ~SupervisorCsrs::kMachineInterrupts;
      return true;
    default:
      return false;
  }
}

template <Kind K>
bool CsrFile<K>::allowed_to_supervisor(unsigned number, unsigned mode) const {
  if (number == kSatp) return mode != kSupervisor || !supervisor_.tvm;
  if (number < kCycle || number > kInstret) return true;
  const Word bit = Word{1} << (number - kCycle);
  return (mcounteren_ & bit) != 0 && (mode != kUser || (supervisor_.scounteren & bit) != 0);
}

template <Kind K>
bool CsrFile<K>::is_delegated(Word cause, bool interrupt, unsigned mode) const {
  const Word bits = interrupt ? supervisor_.mideleg : supervisor_.medeleg;
  return mode != kMachine && ((bits >> cause) & 1U) != 0;
}

template <Kind K>
auto CsrFile<K>::enter_supervisor(Word cause, bool interrupt, Word pc, Word value, unsigned& mode) -> Word {
  SupervisorCsrs& s = supervisor_;
  s.sepc = pc;
  s.scause = interrupt ? cause | kInterruptBit : cause;
  s.stval = value;
  s.spie = s.sie;
  s.sie = false;
  s.spp = mode;
  mode = kSupervisor;
  const Word base = s.stvec & ~Word{3};
  return interrupt && (s.stvec & 1U) != 0 ? base + 4 * cause : base;
}

template <Kind K>
auto CsrFile<K>::leave_supervisor(unsigned& mode) -> Word {
  SupervisorCsrs& s = supervisor_;
  mode = s.spp;
  s.sie = s.spie;
  s.spie = true;
  s.spp = kUser;
  mprv_ = false;
  return s.sepc;
}

template <Kind K>
auto CsrFile<K>::base_of_change(unsigned number, Word old) const -> Word {
  if constexpr (K.supervisor) {
    constexpr Word kExternal = SupervisorCsrs::kExternal;
    if (number == kMip) return (old & ~kExternal) | (supervisor_.pending & kExternal);
  }
  return old;
}

template <Kind K>
auto CsrFile<K>::cause_in(unsigned mode) const -> Word {
  if constexpr (K.supervisor) {
    if (mode == kSupervisor) return supervisor_.scause;
  }
  if constexpr (K.user_interrupts) {
    if (mode == kUser) return user_.cause;  // of a handler; exceptions go to machine mode
  }
  return mcause_;
}

template <Kind K>
auto CsrFile<K>::due(unsigned mode) const -> Word {
  const Word all = mip() & mie_;
  if constexpr (!K.supervisor) {
    return interrupts_on(mode) ? all : 0;
  } else {
    const Word machine = all & ~supervisor_.mideleg;
    if (machine != 0 && interrupts_on(mode)) return machine;
    const bool on = mode == kUser || (mode == kSupervisor && supervisor_.sie);
    return on ? all & supervisor_.mideleg : 0;
  }
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CSR_FILE_SUPERVISOR_H
