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

namespace trapeze::model {

template <Kind K, class Time>
void Hart<K, Time>::interrupt_user(Word code) {
  if constexpr (K.user_interrupts) {
    pc_ = csr_.user().enter(code, pc_);
    bus_.forget_reservation();
    mode_ = kUser;
    entered_ = entered_by_interrupt_ = true;
  }
}

template <Kind K, class Time>
void Hart<K, Time>::return_from_user() {
  pc_ = csr_.leave_user(mode_);
  bus_.forget_reservation();
  if (csr_.clic(kUser).in_vector) vector(pc_ & ~Word{3});
}

template <Kind K, class Time>
bool Hart<K, Time>::euret_allowed() const {
  return mode_ == kUser && csr_.fast(kUser).enabled();
}

template <Kind K, class Time>
bool Hart<K, Time>::refuses(const ClicOffer& offer) const {
  if constexpr (K.user_interrupts && K.fast) {
    return offer.privilege == kUser && csr_.fast(kUser).enabled() && !frames_.storable(x_[kSp]);
  }
  return false;
}

template <Kind K, class Time>
void Hart<K, Time>::refuse(bool in_table) {
  if constexpr (K.user_interrupts && K.fast) {
    frames_.refuse(x_[kSp]);
    if (!in_table || !vectored_) return;
    pc_ = *vectored_;
    no_entry_ = true;  // the table entry was not fetched: the return fetches it
  }
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_USER_H
