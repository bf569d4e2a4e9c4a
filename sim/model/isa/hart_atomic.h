// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart that exist for the A extension: LR, SC and AMO.
 *
 * Sources: Unprivileged ISA 20191213, chapter 8; docs/core.md for what that leaves open. Exceptions, in order of
 * priority: misaligned, if the address is not aligned; access fault, if no memory is at the address.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_ATOMIC_H
#define TRAPEZE_SIM_MODEL_ISA_HART_ATOMIC_H

#include <algorithm>
#include <cstring>

#include "model/isa/hart.h"

namespace trapeze::model {

/** The value that an AMO stores. `old`: the value in memory; `operand`: the value of rs2. */
template <Operation kOp, typename Unsigned>
constexpr Unsigned amo_result(Unsigned old, Unsigned operand) {
  using Op = Operation;
  using Signed = std::make_signed_t<Unsigned>;
  const auto is = [](Op word, Op double_word) { return kOp == word || kOp == double_word; };
  if constexpr (is(Op::amoswap_w, Op::amoswap_d)) return operand;
  if constexpr (is(Op::amoadd_w, Op::amoadd_d)) return old + operand;
  if constexpr (is(Op::amoxor_w, Op::amoxor_d)) return old ^ operand;
  if constexpr (is(Op::amoand_w, Op::amoand_d)) return old & operand;
  if constexpr (is(Op::amoor_w, Op::amoor_d)) return old | operand;
  if constexpr (is(Op::amominu_w, Op::amominu_d)) return std::min(old, operand);
  if constexpr (is(Op::amomaxu_w, Op::amomaxu_d)) return std::max(old, operand);
  const bool less = static_cast<Signed>(old) < static_cast<Signed>(operand);
  if constexpr (is(Op::amomin_w, Op::amomin_d)) return less ? old : operand;
  return less ? operand : old;  // amomax
}

template <Kind K, class Time>
template <Operation kOp>
auto Hart<K, Time>::atomic(Word address, Word operand, std::uint64_t now) -> Atomic {
  constexpr MemoryUse kUse = memory_use(kOp);
  using Unsigned = Register<kUse.size * 8>;
  using Signed = std::make_signed_t<Unsigned>;
  const auto extended = [](Unsigned value) { return static_cast<Word>(SignedWord{static_cast<Signed>(value)}); };
  if (address % kUse.size != 0) return {0, kUse.writes ? kStoreMisaligned : kLoadMisaligned};
  atomic_wrote_ = false;
  constexpr AccessKind kKind = !kUse.writes ? AccessKind::kLoad : kUse.reads ? AccessKind::kAmo : AccessKind::kStore;
  const Span where = door_.span(kKind, address, kUse.size);
  if (where.cause != 0) return {0, where.cause};
  if constexpr (!Time::kIsCount) spend_access(address, where, kUse.size, false, kUse.writes);
  if constexpr (!kUse.writes) {
    const std::uint8_t* const word = bus_.reserve(where.first, kUse.size);
    if (word == nullptr) return {0, kLoadFault};
    door_.forget_stores_to(word, address);
    Unsigned value = 0;
    std::memcpy(&value, word, sizeof value);
    watches_.access(TZ_WATCH_LOAD, address, where.first, mode_ == kUser, kUse.size, value, now);
    return {extended(value), 0};
  } else if constexpr (!kUse.reads) {
    const Bus::Conditional result = bus_.conditional(where.first, kUse.size);
    if (result.fault) return {0, kStoreFault};
    if (result.word == nullptr) return {1, 0};
    const auto value = static_cast<Unsigned>(operand);
    std::memcpy(result.word, &value, sizeof value);
    atomic_wrote_ = true;
    watches_.access(TZ_WATCH_STORE, address, where.first, mode_ == kUser, kUse.size, value, now);
    return {0, 0};
  } else {
    std::uint8_t* const word = bus_.modify(where.first, kUse.size);
    if (word == nullptr) return {0, kStoreFault};
    Unsigned old = 0;
    std::memcpy(&old, word, sizeof old);
    const Unsigned value = amo_result<kOp>(old, static_cast<Unsigned>(operand));
    std::memcpy(word, &value, sizeof value);
    atomic_wrote_ = true;
    amo_left_ = value;
    watches_.access(TZ_WATCH_LOAD, address, where.first, mode_ == kUser, kUse.size, old, now);
    watches_.access(TZ_WATCH_STORE, address, where.first, mode_ == kUser, kUse.size, value, now);
    return {extended(old), 0};
  }
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_ATOMIC_H
