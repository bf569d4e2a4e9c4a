// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Decoder of extensions F and D of RV64 (Unprivileged ISA 20191213, chapters 11, 12 and 24).
#include "model/isa/decode.h"

namespace trapeze::model {
namespace {

using Op = Operation;

constexpr unsigned kAny = 32;             ///< rs2 is a register
constexpr unsigned kRounded = 8;          ///< funct3 is a rounding mode
constexpr unsigned kReserved[] = {5, 6};  ///< rounding modes

/** A row of OP-FP, whose funct7 ends with the format: what the others have in which fields. */
struct Row {
  unsigned funct5;
  unsigned rs2;
  unsigned funct3;
  Op single, double_precision;
};

constexpr Row kRows[] = {
    {0x00, kAny, kRounded, Op::fadd_s, Op::fadd_d},
    {0x01, kAny, kRounded, Op::fsub_s, Op::fsub_d},
    {0x02, kAny, kRounded, Op::fmul_s, Op::fmul_d},
    {0x03, kAny, kRounded, Op::fdiv_s, Op::fdiv_d},
    {0x0b, 0, kRounded, Op::fsqrt_s, Op::fsqrt_d},
    {0x04, kAny, 0, Op::fsgnj_s, Op::fsgnj_d},
    {0x04, kAny, 1, Op::fsgnjn_s, Op::fsgnjn_d},
    {0x04, kAny, 2, Op::fsgnjx_s, Op::fsgnjx_d},
    {0x05, kAny, 0, Op::fmin_s, Op::fmin_d},
    {0x05, kAny, 1, Op::fmax_s, Op::fmax_d},
    {0x08, 1, kRounded, Op::fcvt_s_d, Op::illegal},
    {0x08, 0, kRounded, Op::illegal, Op::fcvt_d_s},
    {0x14, kAny, 0, Op::fle_s, Op::fle_d},
    {0x14, kAny, 1, Op::flt_s, Op::flt_d},
    {0x14, kAny, 2, Op::feq_s, Op::feq_d},
    {0x18, 0, kRounded, Op::fcvt_w_s, Op::fcvt_w_d},
    {0x18, 1, kRounded, Op::fcvt_wu_s, Op::fcvt_wu_d},
    {0x18, 2, kRounded, Op::fcvt_l_s, Op::fcvt_l_d},
    {0x18, 3, kRounded, Op::fcvt_lu_s, Op::fcvt_lu_d},
    {0x1a, 0, kRounded, Op::fcvt_s_w, Op::fcvt_d_w},
    {0x1a, 1, kRounded, Op::fcvt_s_wu, Op::fcvt_d_wu},
    {0x1a, 2, kRounded, Op::fcvt_s_l, Op::fcvt_d_l},
    {0x1a, 3, kRounded, Op::fcvt_s_lu, Op::fcvt_d_lu},
    {0x1c, 0, 0, Op::fmv_x_w, Op::fmv_x_d},
    {0x1c, 0, 1, Op::fclass_s, Op::fclass_d},
    {0x1e, 0, 0, Op::fmv_w_x, Op::fmv_d_x},
};

/** True if the instruction could have this rounding mode. */
constexpr bool exists(unsigned rounding) {
  return rounding != kReserved[0] && rounding != kReserved[1];
}

/** A load or store of the width in funct3. */
Op by_width(std::uint32_t word, Op single, Op double_precision, const Params& params) {
  if (field(word, 14, 12) == 2) return single;
  return field(word, 14, 12) == 3 && params.d ? double_precision : Op::illegal;
}

/** `word` of OP-FP or fused, in one of two formats. */
Op by_format(std::uint32_t word, Op single, Op double_precision, const Params& params) {
  if (field(word, 26, 25) == 0) return single;
  return field(word, 26, 25) == 1 && params.d ? double_precision : Op::illegal;
}

}  // namespace

Decoded decode_float(std::uint32_t word, const Params& params) {
  Decoded out;
  if (!params.f) return out;
  const auto rs2 = static_cast<std::uint8_t>(field(word, 24, 20));
  const std::uint32_t funct3 = field(word, 14, 12);
  out.rd = static_cast<std::uint8_t>(field(word, 11, 7));
  out.rs1 = static_cast<std::uint8_t>(field(word, 19, 15));
  const auto fused = [&](Op single, Op double_precision) {
    out.op = exists(funct3) ? by_format(word, single, double_precision, params) : Op::illegal;
    out.rs2 = rs2;
    out.rs3 = static_cast<std::uint8_t>(field(word, 31, 27));
    out.imm = static_cast<std::int32_t>(funct3);
  };
  switch (field(word, 6, 0)) {
    case 0x07:
      out.op = by_width(word, Op::flw, Op::fld, params);
      out.imm = static_cast<std::int32_t>(word) >> 20;
      break;
    case 0x27:
      out.op = by_width(word, Op::fsw, Op::fsd, params);
      out.imm = (static_cast<std::int32_t>(word & 0xfe000000U) >> 20) | static_cast<std::int32_t>(field(word, 11, 7));
      out.rd = 0;
      out.rs2 = rs2;
      break;
    case 0x43:
      fused(Op::fmadd_s, Op::fmadd_d);
      break;
    case 0x47:
      fused(Op::fmsub_s, Op::fmsub_d);
      break;
    case 0x4b:
      fused(Op::fnmsub_s, Op::fnmsub_d);
      break;
    case 0x4f:
      fused(Op::fnmadd_s, Op::fnmadd_d);
      break;
    default:
      for (const Row& row : kRows) {
        const Op op = by_format(word, row.single, row.double_precision, params);
        if (row.funct5 != field(word, 31, 27) || op == Op::illegal || (row.rs2 != kAny && row.rs2 != rs2)) continue;
        if (row.funct3 != funct3 && (row.funct3 != kRounded || !exists(funct3))) continue;
        if ((op == Op::fcvt_s_d || op == Op::fcvt_d_s) && !params.d) continue;
        out.op = op;
        if (row.rs2 == kAny) out.rs2 = rs2;
        if (row.funct3 == kRounded) out.imm = static_cast<std::int32_t>(funct3);
      }
  }
  return out.op == Op::illegal ? Decoded{} : out;
}

}  // namespace trapeze::model
