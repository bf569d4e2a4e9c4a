// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart that exist for user-level interrupts: entry in user mode, uret, and frames of fastirq that user mode
 * may not store.
 *
 * Source: docs/user-level-interrupts.md.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_USER_H
#define TRAPEZE_SIM_MODEL_ISA_HART_USER_H

#include "model/isa/hart.h"
#include "model/isa/hart_door.h"

namespace trapeze::model {

template <Params P, class Time>
void Hart<P, Time>::interrupt_user(Word code) {
  if constexpr (P.user_interrupts) {
    pc_ = csr_.user().enter(code, pc_);
    bus_.forget_reservation();
    mode_ = kUser;
    entered_ = entered_by_interrupt_ = true;
  }
}

template <Params P, class Time>
void Hart<P, Time>::return_from_user() {
  pc_ = csr_.leave_user(mode_);
  bus_.forget_reservation();
  if (csr_.clic(kUser).in_vector) vector(pc_ & ~Word{3});
}

template <Params P, class Time>
bool Hart<P, Time>::euret_allowed() const {
  return mode_ == kUser && csr_.fast(kUser).enabled();
}

template <Params P, class Time>
bool Hart<P, Time>::refuses(const ClicOffer& offer) const {
  if constexpr (P.user_interrupts && P.fast) {
    if (offer.privilege != kUser || !csr_.fast(kUser).enabled()) return false;
    // The frame would reach across address 0.
    if (P.pmp != 0 && x_[kSp] < Layout::kBytes) return true;
    const Word base = (x_[kSp] - Layout::kBytes) & ~Word{3};
    for (unsigned i = 0; i < Layout::kWords; ++i) {
      if (!admits(AccessKind::kUserFrameStore, frame_word(base, i), sizeof(std::uint32_t))) return true;
    }
  }
  return false;
}

template <Params P, class Time>
void Hart<P, Time>::refuse(bool in_table) {
  if constexpr (P.user_interrupts && P.fast) {
    frames_.refused = (x_[kSp] - Layout::kBytes) & ~Word{3};
    if (!in_table || !vectored_) return;
    pc_ = *vectored_;
    no_entry_ = true;  // the table entry was not fetched: the return fetches it
  }
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_USER_H
