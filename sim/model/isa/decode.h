// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Decoder: instruction words to operations with their operands taken apart.
 *
 * Sources: RISC-V Unprivileged ISA 20191213, chapters 2 to 9, 11, 12, 16 and 24; Bit-manipulation ISA extensions 1.0.0;
 * Base Cache Management Operation ISA extensions 1.0.0; Privileged ISA 20211203, chapter 3.3; docs/fastirq.md for
 * emret; docs/user-level-interrupts.md for uret and euret; docs/user-interrupts.md for senduipi.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_DECODE_H
#define TRAPEZE_SIM_MODEL_ISA_DECODE_H

#include <cstdint>
#include <trapeze/isa.hpp>

#include "model/isa/float_operations.h"
#include "model/isa/params.h"

namespace trapeze::model {

// Every operation, X(name). Those up to `slti_marker` fall through to the next instruction; the others end a block.
// clang-format off
#define TZ_MODEL_OPERATIONS(X)                                                                            \
  /* constants and immediates; li also stands for lui and auipc */                                        \
  X(nop) X(li) X(addi) X(slti) X(sltiu) X(xori) X(ori) X(andi) X(slli) X(srli) X(srai)                    \
  X(add) X(sub) X(sll) X(slt) X(sltu) X(xor_) X(srl) X(sra) X(or_) X(and_)                                \
  X(lb) X(lh) X(lw) X(lbu) X(lhu) X(sb) X(sh) X(sw)                                                       \
  X(mul) X(mulh) X(mulhsu) X(mulhu) X(div) X(divu) X(rem) X(remu)                                         \
  X(sh1add) X(sh2add) X(sh3add)                                                                           \
  X(andn) X(orn) X(xnor) X(clz) X(ctz) X(cpop) X(max) X(maxu) X(min) X(minu) X(sextb) X(sexth) X(zexth)   \
  X(rol) X(ror) X(rori) X(orcb) X(rev8)                                                                   \
  X(bclr) X(bclri) X(bext) X(bexti) X(binv) X(binvi) X(bset) X(bseti)                                     \
  /* A on words */                                                                                        \
  X(lr_w) X(sc_w) X(amoswap_w) X(amoadd_w) X(amoxor_w) X(amoand_w) X(amoor_w)                             \
  X(amomin_w) X(amomax_w) X(amominu_w) X(amomaxu_w)                                                       \
  /* RV64 alone: double words, and operations on the lower words */                                       \
  X(ld) X(lwu) X(sd)                                                                                      \
  X(addiw) X(slliw) X(srliw) X(sraiw) X(addw) X(subw) X(sllw) X(srlw) X(sraw)                             \
  X(mulw) X(divw) X(divuw) X(remw) X(remuw)                                                               \
  X(adduw) X(sh1adduw) X(sh2adduw) X(sh3adduw) X(slliuw)                                                  \
  X(clzw) X(ctzw) X(cpopw) X(rolw) X(rorw) X(roriw)                                                       \
  X(lr_d) X(sc_d) X(amoswap_d) X(amoadd_d) X(amoxor_d) X(amoand_d) X(amoor_d)                             \
  X(amomin_d) X(amomax_d) X(amominu_d) X(amomaxu_d)                                                       \
  /* F and D */                                                                                           \
  TZ_MODEL_FLOAT_OPERATIONS(X)                                                                            \
  /* Zicbom */                                                                                            \
  X(cbo_inval) X(cbo_clean) X(cbo_flush)                                                                  \
  X(slti_marker)                                                                                          \
  /* these end a block */                                                                                 \
  X(jal) X(jalr) X(beq) X(bne) X(blt) X(bge) X(bltu) X(bgeu)                                              \
  X(csr) X(ecall) X(ebreak) X(mret) X(sret) X(emret) X(uret) X(euret) X(senduipi) X(wfi) X(sfence_vma) X(fence_i) X(illegal) \
  /* not instructions: the fetch failed; the block ends without a jump */                                 \
  X(fetch_fault) X(fetch_page_fault) X(fall_through)
// clang-format on

/** emret, whose encoding is one of those left to custom use. */
constexpr std::uint32_t kEmret = isa::encoding::kEmret.match;
constexpr std::uint32_t kUret = isa::encoding::kUret.match;
constexpr std::uint32_t kEuret = isa::encoding::kEuret.match;

/** What an instruction does. */
enum class Operation : std::uint8_t {
#define TZ_MODEL_ENUMERATOR(name) name,
  TZ_MODEL_OPERATIONS(TZ_MODEL_ENUMERATOR)
#undef TZ_MODEL_ENUMERATOR
};

/** Whether the operation ends a block. */
constexpr bool ends_block(Operation op) {
  return op > Operation::slti_marker;
}

/** Which operands of an operation are floating-point registers. Its other operands are integer registers. */
struct FloatUse {
  bool rd = false;
  bool rs1 = false;
  bool rs2 = false;
};

constexpr FloatUse float_use(Operation op) {
  using Op = Operation;
  const auto in = [op](Op first, Op last) { return op >= first && op <= last; };
  if (in(Op::flw, Op::fld)) return {true, false, false};
  if (in(Op::fsw, Op::fsd)) return {false, false, true};
  if (in(Op::fmv_w_x, Op::fcvt_d_lu)) return {true, false, false};
  if (in(Op::fmv_x_w, Op::fclass_d)) return {false, true, true};
  if (in(Op::fadd_s, Op::fcvt_d_s)) return {true, true, true};
  return {};
}

/** Whether the operation belongs to F or D. */
constexpr bool is_float(Operation op) {
  return op >= Operation::flw && op <= Operation::fcvt_d_s;
}

/** The memory access of an operation. */
struct MemoryUse {
  unsigned size = 0;  ///< bytes, naturally aligned if `atomic`; 0: no access
  bool reads = false;
  bool writes = false;  ///< an SC, if it succeeds
  bool atomic = false;  ///< instruction of extension A
};

constexpr MemoryUse memory_use(Operation op) {
  using Op = Operation;
  const auto atomic = [op](Op lr, Op sc, unsigned size) -> MemoryUse { return {size, op != sc, op != lr, true}; };
  if (op >= Op::lr_w && op <= Op::amomaxu_w) return atomic(Op::lr_w, Op::sc_w, 4);
  if (op >= Op::lr_d && op <= Op::amomaxu_d) return atomic(Op::lr_d, Op::sc_d, 8);
  switch (op) {
    case Op::lb:
    case Op::lbu:
      return {1, true, false, false};
    case Op::lh:
    case Op::lhu:
      return {2, true, false, false};
    case Op::lw:
    case Op::lwu:
    case Op::flw:
      return {4, true, false, false};
    case Op::ld:
    case Op::fld:
      return {8, true, false, false};
    case Op::sb:
      return {1, false, true, false};
    case Op::sh:
      return {2, false, true, false};
    case Op::sw:
    case Op::fsw:
      return {4, false, true, false};
    case Op::sd:
    case Op::fsd:
      return {8, false, true, false};
    default:
      return {};
  }
}

/** Bits of an instruction word. */
constexpr std::uint32_t field(std::uint32_t word, unsigned high, unsigned low) {
  return (word >> low) & ((1U << (high - low + 1)) - 1);
}

/** A decoded instruction. Fields that the operation does not use are zero. */
struct Decoded {
  Operation op = Operation::illegal;
  std::uint8_t rd = 0;
  std::uint8_t rs1 = 0;   ///< csr: register or immediate
  std::uint8_t rs2 = 0;   ///< csr: funct3
  std::uint8_t rs3 = 0;   ///< third operand of a fused multiplication and addition
  std::uint8_t size = 4;  ///< bytes
  std::int32_t imm =
      0;  ///< immediate, offset, shift amount, CSR number or rounding mode; li: the value, relative to pc if `relative`
  bool relative = false;  ///< auipc: imm counts from pc
  std::uint32_t insn = 0;
};

/** Decodes the instruction in `word`. If it is compressed only the lower half counts. An instruction that the hart does
 * not have becomes Operation::illegal. */
Decoded decode(std::uint32_t word, const Params& params);

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_DECODE_H
