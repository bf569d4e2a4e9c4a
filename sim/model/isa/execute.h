// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The effect of every operation: the threaded loop.
 *
 * Each operation ends by jumping to the code of the next one, whose address is in the decoded block, so that the
 * processor predicts each jump on its own. Semantics: RISC-V Unprivileged ISA 20191213, chapters 2, 5 (RV64), 7 (M), 8
 * (A), 9 (CSR), 11 (F) and 12 (D); Bit-manipulation 1.0.0; Privileged ISA 20211203, chapter 3.3.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_EXECUTE_H
#define TRAPEZE_SIM_MODEL_ISA_EXECUTE_H

#include <bit>
#include <cstring>
#include <utility>

#include "model/isa/arithmetic.h"
#include "model/isa/hart.h"
#include "model/isa/hart_atomic.h"
#include "model/isa/hart_float.h"
#include "model/isa/hart_time.h"
#include "model/isa/threaded.h"  // macros, which this file forgets at its end

namespace trapeze::model {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"  // labels as values

template <Kind K, class Time>
Executed Hart<K, Time>::run(std::uint64_t budget, std::uint64_t now, BlockCache* from, const void* const** labels) {
  static const void* const kLabels[] = {
#define TZ_LABEL(name) &&L_##name,
      TZ_MODEL_OPERATIONS(TZ_LABEL)
#undef TZ_LABEL
  };
  if (labels != nullptr) [[unlikely]] {
    *labels = kLabels;
    return {};
  }
  BlockCache& cache = *from;
  constexpr unsigned kShift = K.xlen - 1;
  Word* const x = x_.data();
  // An operation that may change the privilege of accesses ends this function. So the privilege is constant in it.
  const unsigned view = door_.view_of_data();
  const auto& loads = door_.loads(view);
  const auto& stores = door_.stores(view);
  // Time that is left after the current block.
  auto left = static_cast<std::int64_t>(budget);
  Block* block = nullptr;
  const Op* op = nullptr;
  // The same holds of translation, for a policy of time.
  [[maybe_unused]] bool paged = false, paged_code = false;
  if constexpr (K.supervisor && !Time::kIsCount) {
    paged = door_.translates(AccessKind::kLoad);
    paged_code = door_.translates(AccessKind::kFetch);
  }
  // If time is not the number of instructions: those before the current block, and what it was to cost.
  [[maybe_unused]] std::uint64_t before = 0;
  [[maybe_unused]] Course course{};
  // Time before instruction number `count`, which is one of the current block.
  const auto time_before = [&](std::uint64_t count) -> std::uint64_t {
    if constexpr (Time::kIsCount) {
      return count;
    } else {
      Situation situation = course.from;
      const std::uint64_t used = cost_of(*block, course.first, count - before, situation);
      return budget - static_cast<std::uint64_t>(left) - (course.cost - used);
    }
  };
  TZ_ENTER(blocks_.find(pc_, cache));

L_nop:
  TZ_NEXT;
  TZ_ALU(li, op->imm);
  TZ_ALU(addi, TZ_X(rs1) + op->imm);
  TZ_ALU(slti, TZ_S(rs1) < static_cast<SignedWord>(op->imm));
  TZ_ALU(sltiu, TZ_X(rs1) < op->imm);
  TZ_ALU(xori, TZ_X(rs1) ^ op->imm);
  TZ_ALU(ori, TZ_X(rs1) | op->imm);
  TZ_ALU(andi, TZ_X(rs1) & op->imm);
  TZ_ALU(slli, TZ_X(rs1) << op->imm);
  TZ_ALU(srli, TZ_X(rs1) >> op->imm);
  TZ_ALU(srai, TZ_S(rs1) >> op->imm);
  TZ_ALU(add, TZ_X(rs1) + TZ_X(rs2));
  TZ_ALU(sub, TZ_X(rs1) - TZ_X(rs2));
  TZ_ALU(sll, TZ_X(rs1) << (TZ_X(rs2) & kShift));
  TZ_ALU(slt, TZ_S(rs1) < TZ_S(rs2));
  TZ_ALU(sltu, TZ_X(rs1) < TZ_X(rs2));
  TZ_ALU(xor_, TZ_X(rs1) ^ TZ_X(rs2));
  TZ_ALU(srl, TZ_X(rs1) >> (TZ_X(rs2) & kShift));
  TZ_ALU(sra, TZ_S(rs1) >> (TZ_X(rs2) & kShift));
  TZ_ALU(or_, TZ_X(rs1) | TZ_X(rs2));
  TZ_ALU(and_, TZ_X(rs1) & TZ_X(rs2));

  TZ_LOAD(lb, std::uint8_t, std::int8_t)
  TZ_LOAD(lh, std::uint16_t, std::int16_t)
  TZ_LOAD(lw, std::uint32_t, std::int32_t)
  TZ_LOAD(lbu, std::uint8_t, std::uint8_t)
  TZ_LOAD(lhu, std::uint16_t, std::uint16_t)
  TZ_STORE(sb, std::uint8_t)
  TZ_STORE(sh, std::uint16_t)
  TZ_STORE(sw, std::uint32_t)

  TZ_TIMED(mul, multiply, TZ_X(rs1) * TZ_X(rs2));
  TZ_TIMED(mulh, multiply, (multiply_high<Word>(TZ_S(rs1), TZ_S(rs2))));
  TZ_TIMED(mulhsu, multiply, (multiply_high<Word>(TZ_S(rs1), TZ_X(rs2))));
  TZ_TIMED(mulhu, multiply, multiply_high_unsigned(TZ_X(rs1), TZ_X(rs2)));
  TZ_TIMED(div, divide, divide_signed(TZ_X(rs1), TZ_X(rs2)));
  TZ_TIMED(divu, divide, TZ_X(rs2) == 0 ? ~Word{0} : TZ_X(rs1) / TZ_X(rs2));
  TZ_TIMED(rem, divide, remainder_signed(TZ_X(rs1), TZ_X(rs2)));
  TZ_TIMED(remu, divide, TZ_X(rs2) == 0 ? TZ_X(rs1) : TZ_X(rs1) % TZ_X(rs2));

  TZ_ALU(sh1add, (TZ_X(rs1) << 1) + TZ_X(rs2));
  TZ_ALU(sh2add, (TZ_X(rs1) << 2) + TZ_X(rs2));
  TZ_ALU(sh3add, (TZ_X(rs1) << 3) + TZ_X(rs2));
  TZ_ALU(andn, TZ_X(rs1) & ~TZ_X(rs2));
  TZ_ALU(orn, TZ_X(rs1) | ~TZ_X(rs2));
  TZ_ALU(xnor, ~(TZ_X(rs1) ^ TZ_X(rs2)));
  TZ_ALU(clz, std::countl_zero(TZ_X(rs1)));
  TZ_ALU(ctz, std::countr_zero(TZ_X(rs1)));
  TZ_ALU(cpop, std::popcount(TZ_X(rs1)));
  TZ_ALU(max, TZ_S(rs1) < TZ_S(rs2) ? TZ_X(rs2) : TZ_X(rs1));
  TZ_ALU(maxu, TZ_X(rs1) < TZ_X(rs2) ? TZ_X(rs2) : TZ_X(rs1));
  TZ_ALU(min, TZ_S(rs1) < TZ_S(rs2) ? TZ_X(rs1) : TZ_X(rs2));
  TZ_ALU(minu, TZ_X(rs1) < TZ_X(rs2) ? TZ_X(rs1) : TZ_X(rs2));
  TZ_ALU(sextb, static_cast<SignedWord>(static_cast<std::int8_t>(TZ_X(rs1))));
  TZ_ALU(sexth, static_cast<SignedWord>(static_cast<std::int16_t>(TZ_X(rs1))));
  TZ_ALU(zexth, static_cast<std::uint16_t>(TZ_X(rs1)));
  TZ_ALU(rol, std::rotl(TZ_X(rs1), static_cast<int>(TZ_X(rs2) & kShift)));
  TZ_ALU(ror, std::rotr(TZ_X(rs1), static_cast<int>(TZ_X(rs2) & kShift)));
  TZ_ALU(rori, std::rotr(TZ_X(rs1), static_cast<int>(op->imm)));
  TZ_ALU(orcb, or_combine(TZ_X(rs1)));
  TZ_ALU(rev8, reverse_bytes(TZ_X(rs1)));
  TZ_ALU(bclr, TZ_X(rs1) & ~(Word{1} << (TZ_X(rs2) & kShift)));
  TZ_ALU(bclri, TZ_X(rs1) & ~(Word{1} << op->imm));
  TZ_ALU(bext, (TZ_X(rs1) >> (TZ_X(rs2) & kShift)) & 1U);
  TZ_ALU(bexti, (TZ_X(rs1) >> op->imm) & 1U);
  TZ_ALU(binv, TZ_X(rs1) ^ (Word{1} << (TZ_X(rs2) & kShift)));
  TZ_ALU(binvi, TZ_X(rs1) ^ (Word{1} << op->imm));
  TZ_ALU(bset, TZ_X(rs1) | (Word{1} << (TZ_X(rs2) & kShift)));
  TZ_ALU(bseti, TZ_X(rs1) | (Word{1} << op->imm));

#define TZ_ATOMICS(suffix)    \
  TZ_ATOMIC(lr_##suffix)      \
  TZ_ATOMIC(sc_##suffix)      \
  TZ_ATOMIC(amoswap_##suffix) \
  TZ_ATOMIC(amoadd_##suffix)  \
  TZ_ATOMIC(amoxor_##suffix)  \
  TZ_ATOMIC(amoand_##suffix)  \
  TZ_ATOMIC(amoor_##suffix)   \
  TZ_ATOMIC(amomin_##suffix)  \
  TZ_ATOMIC(amomax_##suffix)  \
  TZ_ATOMIC(amominu_##suffix) \
  TZ_ATOMIC(amomaxu_##suffix)
  TZ_ATOMICS(w)
  TZ_ATOMICS(d)
#undef TZ_ATOMICS

  TZ_LOAD64(ld, std::uint64_t, std::int64_t)
  TZ_LOAD64(lwu, std::uint32_t, std::uint32_t)
L_sd:
  if constexpr (K.xlen == 64) TZ_STORE_BODY(std::uint64_t, TZ_X(rs2)) else {
      __builtin_unreachable();
    }
  TZ_ALUW(addiw, TZ_X(rs1) + op->imm)
  TZ_ALUW(slliw, TZ_W(rs1) << op->imm)
  TZ_ALUW(srliw, TZ_W(rs1) >> op->imm)
  TZ_ALUW(sraiw, TZ_SW(rs1) >> op->imm)
  TZ_ALUW(addw, TZ_X(rs1) + TZ_X(rs2))
  TZ_ALUW(subw, TZ_X(rs1) - TZ_X(rs2))
  TZ_ALUW(sllw, TZ_W(rs1) << (TZ_X(rs2) & 31U))
  TZ_ALUW(srlw, TZ_W(rs1) >> (TZ_X(rs2) & 31U))
  TZ_ALUW(sraw, TZ_SW(rs1) >> (TZ_X(rs2) & 31U))
  TZ_TIMEDW(mulw, multiply, TZ_W(rs1) * TZ_W(rs2))
  TZ_TIMEDW(divw, divide, divide_signed(TZ_W(rs1), TZ_W(rs2)))
  TZ_TIMEDW(divuw, divide, TZ_W(rs2) == 0 ? ~std::uint32_t{0} : TZ_W(rs1) / TZ_W(rs2))
  TZ_TIMEDW(remw, divide, remainder_signed(TZ_W(rs1), TZ_W(rs2)))
  TZ_TIMEDW(remuw, divide, TZ_W(rs2) == 0 ? TZ_W(rs1) : TZ_W(rs1) % TZ_W(rs2))
  TZ_ALU64(adduw, Word{TZ_W(rs1)} + TZ_X(rs2))
  TZ_ALU64(sh1adduw, (Word{TZ_W(rs1)} << 1) + TZ_X(rs2))
  TZ_ALU64(sh2adduw, (Word{TZ_W(rs1)} << 2) + TZ_X(rs2))
  TZ_ALU64(sh3adduw, (Word{TZ_W(rs1)} << 3) + TZ_X(rs2))
  TZ_ALU64(slliuw, Word{TZ_W(rs1)} << op->imm)
  TZ_ALU64(clzw, std::countl_zero(TZ_W(rs1)))
  TZ_ALU64(ctzw, std::countr_zero(TZ_W(rs1)))
  TZ_ALU64(cpopw, std::popcount(TZ_W(rs1)))
  TZ_ALUW(rolw, std::rotl(TZ_W(rs1), static_cast<int>(TZ_X(rs2) & 31U)))
  TZ_ALUW(rorw, std::rotr(TZ_W(rs1), static_cast<int>(TZ_X(rs2) & 31U)))
  TZ_ALUW(roriw, std::rotr(TZ_W(rs1), static_cast<int>(op->imm)))

  TZ_FLOAT_LOAD(flw, std::uint32_t, boxed)
  TZ_FLOAT_LOAD(fld, std::uint64_t, )
  TZ_FLOAT_STORE(fsw, std::uint32_t)
  TZ_FLOAT_STORE(fsd, std::uint64_t)
  TZ_MODEL_FLOAT_COMPUTATIONS(TZ_FLOAT)

  TZ_BLOCK(cbo_inval, may_invalidate)
  TZ_BLOCK(cbo_clean, may_clean)
  TZ_BLOCK(cbo_flush, may_clean)

L_slti_marker:
  pc_ = block->address(TZ_INDEX);
  TZ_LEAVE(Leave::kMarker, TZ_BEFORE);

L_jal:
  TZ_CHECK(block->taken == nullptr, op->imm);
  TZ_X(rd) = block->end;
  TZ_CHARGE(jump(op->rd, block->end, op->imm));
  TZ_CHAIN(block->taken, op->imm);

L_jalr:;
  {
    const Word target = (TZ_X(rs1) + op->imm) & ~Word{1};
    Block* const known = cache.recent_at(target);
    const bool is_known = known != nullptr && known->pc == target;
    TZ_CHECK(!is_known, target);
    TZ_X(rd) = block->end;
    TZ_CHARGE(jump_register(op->rd, op->rs1, block->end, target));
    if (is_known) [[likely]]
      TZ_ENTER(known);
    if (left <= 0) {
      pc_ = target;
      TZ_LEAVE(Leave::kBudget, TZ_BEFORE_BLOCK + block->count);
    }
    TZ_ENTER(blocks_.find(target, cache));
  }

  TZ_BRANCH(beq, TZ_X(rs1) == TZ_X(rs2));
  TZ_BRANCH(bne, TZ_X(rs1) != TZ_X(rs2));
  TZ_BRANCH(blt, TZ_S(rs1) < TZ_S(rs2));
  TZ_BRANCH(bge, TZ_S(rs1) >= TZ_S(rs2));
  TZ_BRANCH(bltu, TZ_X(rs1) < TZ_X(rs2));
  TZ_BRANCH(bgeu, TZ_X(rs1) >= TZ_X(rs2));

L_csr:;
  {
    switch (access_csr(*op, counts(TZ_NOW, steps_ + TZ_BEFORE - trapped_), block->address(TZ_INDEX))) {
      case CsrEffect::kIllegal:
        TZ_TRAP(kIllegal, block->sources[TZ_INDEX].insn);
      case CsrEffect::kSync:
        TZ_LEAVE_BEHIND(Leave::kSync);
      case CsrEffect::kJump:
        TZ_LEAVE(Leave::kSync, TZ_BEFORE + 1);
      case CsrEffect::kNone:
        break;
    }
    TZ_CHAIN(block->next, block->end);
  }

L_ecall:
  TZ_TRAP(call_from(mode_), 0);
L_ebreak:
  TZ_TRAP(kBreakpoint, 0);
L_illegal:
  TZ_TRAP(kIllegal, op->imm);
L_fetch_fault:
  TZ_TRAP(kFetchFault, op->imm);
L_fetch_page_fault:
  TZ_TRAP(kFetchPageFault, op->imm);

L_mret:
  if (mode_ != kMachine) TZ_TRAP(kIllegal, block->sources[TZ_INDEX].insn);
  pc_ = csr_.leave(mode_);
  bus_.forget_reservation();
  if constexpr (K.clic) {
    if (csr_.clic().in_vector) vector(pc_ & ~Word{3});
  }
  TZ_LEAVE(Leave::kSync, TZ_BEFORE + 1);

L_emret:
  if constexpr (K.fast) {
    if (emret_allowed()) {
      if (frames_.faulty()) TZ_TRAP(kFrameStoreFault, take_frame_fault());
      if (const std::optional<Word> fault = leave_frame(kMachine)) TZ_TRAP(kFrameLoadFault, *fault);
      TZ_LEAVE(Leave::kSync, TZ_BEFORE + 1);
    }
  }
  TZ_TRAP(kIllegal, block->sources[TZ_INDEX].insn);

L_uret:
  if constexpr (K.user_interrupts) {
    return_from_user();
    TZ_LEAVE(Leave::kSync, TZ_BEFORE + 1);
  }
  TZ_TRAP(kIllegal, block->sources[TZ_INDEX].insn);

L_euret:
  if constexpr (K.user_interrupts && K.fast) {
    if (euret_allowed()) {
      if (const std::optional<Word> fault = leave_frame(kUser)) TZ_TRAP(kFrameLoadFault, *fault);
      TZ_LEAVE(Leave::kSync, TZ_BEFORE + 1);
    }
  }
  TZ_TRAP(kIllegal, block->sources[TZ_INDEX].insn);

L_senduipi:
  if constexpr (K.user_interrupts) {
    if (csr_.post().sends()) {
      if (!posts_.send(TZ_X(rs1), choices_ != nullptr ? choices_->trail : nullptr)) TZ_TRAP(kSendFault, TZ_X(rs1));
      TZ_LEAVE_BEHIND(Leave::kSync);
    }
  }
  TZ_TRAP(kIllegal, block->sources[TZ_INDEX].insn);

L_sret:
  if constexpr (K.supervisor) {
    if (sret_allowed()) {
      pc_ = csr_.leave_supervisor(mode_);
      bus_.forget_reservation();
      TZ_LEAVE(Leave::kSync, TZ_BEFORE + 1);
    }
  }
  TZ_TRAP(kIllegal, block->sources[TZ_INDEX].insn);

L_sfence_vma:
  if constexpr (K.supervisor) {
    if (sfence_allowed()) {
      pc_ = block->behind(TZ_INDEX);
      const std::uint64_t done = TZ_BEFORE + 1;
      if constexpr (!Time::kIsCount) {
        if (op->rs1 == 0)
          time_.forget_pages();
        else
          time_.forget_page(TZ_X(rs1));
      }
      forget_translations(op->rs1 != 0 ? std::optional<Word>(TZ_X(rs1)) : std::nullopt);
      TZ_LEAVE_AT_END(Leave::kSync, done);
    }
  }
  TZ_TRAP(kIllegal, block->sources[TZ_INDEX].insn);

L_wfi:
  if (!wfi_allowed()) TZ_TRAP(kIllegal, block->sources[TZ_INDEX].insn);
  TZ_LEAVE_BEHIND(Leave::kWait);

L_fence_i:;
  {
    pc_ = block->behind(TZ_INDEX);
    const std::uint64_t done = TZ_BEFORE + 1;
    blocks_.fence();
    if constexpr (!Time::kIsCount) time_.forget_code();
    TZ_LEAVE_AT_END(Leave::kSync, done);
  }

L_fall_through:
  TZ_CHAIN(block->next, block->end);
}

#undef TZ_X
#undef TZ_S
#undef TZ_NEXT
#undef TZ_ALU
#undef TZ_CHARGE
#undef TZ_TIMED
#undef TZ_TIMEDW
#undef TZ_INDEX
#undef TZ_BEFORE_BLOCK
#undef TZ_AT_BUS
#undef TZ_BEFORE
#undef TZ_UNDO
#undef TZ_LEAVE_AT_END
#undef TZ_ACCESS
#undef TZ_TOUCH
#undef TZ_PAY_UNPAID
#undef TZ_LEAVE_IF_OVER
#undef TZ_TIMED_BODY
#undef TZ_NOW
#undef TZ_LEAVE
#undef TZ_TRAP
#undef TZ_LEAVE_BEHIND
#undef TZ_CHECK
#undef TZ_CHAIN
#undef TZ_ENTER
#undef TZ_LOAD
#undef TZ_STORE
#undef TZ_BRANCH
#undef TZ_LOAD_BODY
#undef TZ_STORE_BODY
#undef TZ_ALU64
#undef TZ_ALUW
#undef TZ_W
#undef TZ_SW
#undef TZ_LOAD64
#undef TZ_EXTENDED
#undef TZ_ILLEGAL
#undef TZ_FLOAT_LOAD
#undef TZ_FLOAT_STORE
#undef TZ_FLOAT
#undef TZ_ATOMIC
#undef TZ_BLOCK
#pragma GCC diagnostic pop

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_EXECUTE_H
