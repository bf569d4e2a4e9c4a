// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/isa/float_arithmetic.h"

extern "C" {
#include <softfloat.h>
}

namespace trapeze::model {
namespace {

// SoftFloat numbers rounding modes and flags as RISC-V does.
static_assert(softfloat_round_near_even == 0 && softfloat_round_minMag == 1 && softfloat_round_min == 2 &&
              softfloat_round_max == 3 && softfloat_round_near_maxMag == 4);
static_assert(softfloat_flag_inexact == 1 && softfloat_flag_underflow == 2 && softfloat_flag_overflow == 4 &&
              softfloat_flag_infinite == 8 && softfloat_flag_invalid == 16);

/** Layout of a format: bits of a number, of its significand without the hidden bit. */
template <typename Bits, unsigned kFraction>
struct Layout {
  static constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  static constexpr Bits kExponent = kSign - (Bits{1} << kFraction);
  static constexpr Bits kQuiet = Bits{1} << (kFraction - 1);
  static constexpr Bits kNan = kExponent | kQuiet;  ///< the canonical one

  static constexpr bool is_nan(Bits value) { return (value & ~kSign) > kExponent; }
  /** fclass. */
  static constexpr unsigned classify(Bits value) {
    const bool negative = (value & kSign) != 0;
    const Bits magnitude = value & ~kSign;
    if (magnitude > kExponent) return (value & kQuiet) != 0 ? 1U << 9 : 1U << 8;
    const unsigned steps = magnitude == kExponent ? 3 : (magnitude & kExponent) != 0 ? 2 : magnitude != 0 ? 1 : 0;
    return negative ? 1U << (3 - steps) : 1U << (4 + steps);
  }
};

/** What SoftFloat calls the operations on a format, and how a register holds a number of it. */
struct Single : Layout<std::uint32_t, 23> {
  using Bits = std::uint32_t;
  using Number = float32_t;
  static constexpr auto add = f32_add, sub = f32_sub, mul = f32_mul, div = f32_div;
  static constexpr auto mul_add = f32_mulAdd;
  static constexpr auto sqrt = f32_sqrt;
  static constexpr auto equal = f32_eq, less = f32_lt, less_or_equal = f32_le, less_quiet = f32_lt_quiet;
  static constexpr auto from_w = i32_to_f32;
  static constexpr auto from_wu = ui32_to_f32;
  static constexpr auto from_l = i64_to_f32;
  static constexpr auto from_lu = ui64_to_f32;
  static constexpr auto to_w = f32_to_i32;
  static constexpr auto to_wu = f32_to_ui32;
  static constexpr auto to_l = f32_to_i64;
  static constexpr auto to_lu = f32_to_ui64;

  /** What is not boxed is a NaN. */
  static constexpr Bits of(std::uint64_t held) { return (held & kBox) == kBox ? static_cast<Bits>(held) : kNan; }
  static constexpr std::uint64_t held(Bits value) { return boxed(value); }
};

struct Double : Layout<std::uint64_t, 52> {
  using Bits = std::uint64_t;
  using Number = float64_t;
  static constexpr auto add = f64_add, sub = f64_sub, mul = f64_mul, div = f64_div;
  static constexpr auto mul_add = f64_mulAdd;
  static constexpr auto sqrt = f64_sqrt;
  static constexpr auto equal = f64_eq, less = f64_lt, less_or_equal = f64_le, less_quiet = f64_lt_quiet;
  static constexpr auto from_w = i32_to_f64;
  static constexpr auto from_wu = ui32_to_f64;
  static constexpr auto from_l = i64_to_f64;
  static constexpr auto from_lu = ui64_to_f64;
  static constexpr auto to_w = f64_to_i32;
  static constexpr auto to_wu = f64_to_ui32;
  static constexpr auto to_l = f64_to_i64;
  static constexpr auto to_lu = f64_to_ui64;

  static constexpr Bits of(std::uint64_t held) { return held; }
  static constexpr std::uint64_t held(Bits value) { return value; }
};

/** fmin and fmax of 2.2: of a number and a NaN the number, -0 below 0. */
template <typename Format>
typename Format::Bits extreme(typename Format::Bits a, typename Format::Bits b, bool maximum) {
  if (Format::is_nan(a) && Format::is_nan(b)) {
    Format::equal({a}, {b});  // for the flag of a signalling one
    return Format::kNan;
  }
  const auto lower = maximum ? b : a;
  const auto upper = maximum ? a : b;
  const bool first = Format::less_quiet({lower}, {upper}) || (Format::equal({a}, {b}) && (lower & Format::kSign) != 0);
  return first || Format::is_nan(b) ? a : b;
}

constexpr std::uint64_t extend(std::int64_t word) {
  return static_cast<std::uint64_t>(word);
}

/** The operations that both formats have; the names without their suffixes. */
enum class Kind {
  kMoveIn,
  kFromW,
  kFromWu,
  kFromL,
  kFromLu,
  kMoveOut,
  kToW,
  kToWu,
  kToL,
  kToLu,
  kEqual,
  kLess,
  kLessOrEqual,
  kClass,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kSqrt,
  kSign,
  kSignNot,
  kSignXor,
  kMin,
  kMax,
  kMulAdd,
  kMulSub,
  kNegMulSub,
  kNegMulAdd
};

template <typename Format>
std::uint64_t apply(Kind kind, std::uint64_t held_a, std::uint64_t held_b, std::uint64_t held_c,
                    std::uint8_t rounding) {
  using Bits = typename Format::Bits;
  constexpr Bits kSign = Format::kSign;
  const Bits a = Format::of(held_a);
  const Bits b = Format::of(held_b);
  const Bits c = Format::of(held_c);
  const auto held = [](typename Format::Number number) { return Format::held(number.v); };
  const auto low = static_cast<std::uint32_t>(held_a);
  switch (kind) {
    case Kind::kMoveIn:
      return Format::held(static_cast<Bits>(held_a));
    case Kind::kFromW:
      return held(Format::from_w(static_cast<std::int32_t>(low)));
    case Kind::kFromWu:
      return held(Format::from_wu(low));
    case Kind::kFromL:
      return held(Format::from_l(static_cast<std::int64_t>(held_a)));
    case Kind::kFromLu:
      return held(Format::from_lu(held_a));
    case Kind::kMoveOut:  // the bits, boxed or not
      return extend(static_cast<std::make_signed_t<Bits>>(held_a));
    case Kind::kToW:
      return extend(Format::to_w({a}, rounding, true));
    case Kind::kToWu:
      return extend(static_cast<std::int32_t>(Format::to_wu({a}, rounding, true)));
    case Kind::kToL:
      return extend(Format::to_l({a}, rounding, true));
    case Kind::kToLu:
      return Format::to_lu({a}, rounding, true);
    case Kind::kEqual:
      return Format::equal({a}, {b});
    case Kind::kLess:
      return Format::less({a}, {b});
    case Kind::kLessOrEqual:
      return Format::less_or_equal({a}, {b});
    case Kind::kClass:
      return Format::classify(a);
    case Kind::kAdd:
      return held(Format::add({a}, {b}));
    case Kind::kSub:
      return held(Format::sub({a}, {b}));
    case Kind::kMul:
      return held(Format::mul({a}, {b}));
    case Kind::kDiv:
      return held(Format::div({a}, {b}));
    case Kind::kSqrt:
      return held(Format::sqrt({a}));
    case Kind::kSign:
      return Format::held((a & ~kSign) | (b & kSign));
    case Kind::kSignNot:
      return Format::held((a & ~kSign) | (~b & kSign));
    case Kind::kSignXor:
      return Format::held(a ^ (b & kSign));
    case Kind::kMin:
      return Format::held(extreme<Format>(a, b, false));
    case Kind::kMax:
      return Format::held(extreme<Format>(a, b, true));
    case Kind::kMulAdd:
      return held(Format::mul_add({a}, {b}, {c}));
    case Kind::kMulSub:
      return held(Format::mul_add({a}, {b}, {c ^ kSign}));
    case Kind::kNegMulSub:
      return held(Format::mul_add({a ^ kSign}, {b}, {c}));
    case Kind::kNegMulAdd:
      return held(Format::mul_add({a ^ kSign}, {b}, {c ^ kSign}));
  }
  __builtin_unreachable();
}

std::uint64_t evaluate(Operation op, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint8_t rounding) {
#define TZ_BOTH(infix_s, infix_d, kind)                  \
  case Operation::infix_s:                               \
    return apply<Single>(Kind::kind, a, b, c, rounding); \
  case Operation::infix_d:                               \
    return apply<Double>(Kind::kind, a, b, c, rounding);
  switch (op) {
    TZ_BOTH(fmv_w_x, fmv_d_x, kMoveIn)
    TZ_BOTH(fcvt_s_w, fcvt_d_w, kFromW)
    TZ_BOTH(fcvt_s_wu, fcvt_d_wu, kFromWu)
    TZ_BOTH(fcvt_s_l, fcvt_d_l, kFromL)
    TZ_BOTH(fcvt_s_lu, fcvt_d_lu, kFromLu)
    TZ_BOTH(fmv_x_w, fmv_x_d, kMoveOut)
    TZ_BOTH(fcvt_w_s, fcvt_w_d, kToW)
    TZ_BOTH(fcvt_wu_s, fcvt_wu_d, kToWu)
    TZ_BOTH(fcvt_l_s, fcvt_l_d, kToL)
    TZ_BOTH(fcvt_lu_s, fcvt_lu_d, kToLu)
    TZ_BOTH(feq_s, feq_d, kEqual)
    TZ_BOTH(flt_s, flt_d, kLess)
    TZ_BOTH(fle_s, fle_d, kLessOrEqual)
    TZ_BOTH(fclass_s, fclass_d, kClass)
    TZ_BOTH(fadd_s, fadd_d, kAdd)
    TZ_BOTH(fsub_s, fsub_d, kSub)
    TZ_BOTH(fmul_s, fmul_d, kMul)
    TZ_BOTH(fdiv_s, fdiv_d, kDiv)
    TZ_BOTH(fsqrt_s, fsqrt_d, kSqrt)
    TZ_BOTH(fsgnj_s, fsgnj_d, kSign)
    TZ_BOTH(fsgnjn_s, fsgnjn_d, kSignNot)
    TZ_BOTH(fsgnjx_s, fsgnjx_d, kSignXor)
    TZ_BOTH(fmin_s, fmin_d, kMin)
    TZ_BOTH(fmax_s, fmax_d, kMax)
    TZ_BOTH(fmadd_s, fmadd_d, kMulAdd)
    TZ_BOTH(fmsub_s, fmsub_d, kMulSub)
    TZ_BOTH(fnmsub_s, fnmsub_d, kNegMulSub)
    TZ_BOTH(fnmadd_s, fnmadd_d, kNegMulAdd)
    case Operation::fcvt_s_d:
      return boxed(f64_to_f32({a}).v);
    case Operation::fcvt_d_s:
      return f32_to_f64({Single::of(a)}).v;
    default:
      return 0;
  }
#undef TZ_BOTH
}

}  // namespace

Computed compute(Operation op, std::uint64_t a, std::uint64_t b, std::uint64_t c, unsigned rounding) {
  softfloat_roundingMode = static_cast<std::uint8_t>(rounding);
  softfloat_exceptionFlags = 0;
  const std::uint64_t value = evaluate(op, a, b, c, static_cast<std::uint8_t>(rounding));
  return {value, softfloat_exceptionFlags};
}

}  // namespace trapeze::model
