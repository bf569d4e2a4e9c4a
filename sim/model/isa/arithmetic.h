// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Arithmetic for which C++ has no operator, or only one that is undefined for some operands.
 *
 * Sources: RISC-V Unprivileged ISA 20191213, chapter 7 (M) and 8 (A); Bit-manipulation 1.0.0.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_ARITHMETIC_H
#define TRAPEZE_SIM_MODEL_ISA_ARITHMETIC_H

#include <cstdint>
#include <limits>
#include <type_traits>

namespace trapeze::model {

/** Upper half of a product. Each operand is extended to twice the width, with or without sign as its type is. The first
 * one must be signed: the product of two unsigned operands need not fit into the signed intermediate type. */
template <typename Word, typename A, typename B>
constexpr Word multiply_high(A a, B b) {
  static_assert(std::is_signed_v<A>);
  if constexpr (sizeof(Word) == 4) {
    return static_cast<Word>(static_cast<std::uint64_t>(static_cast<std::int64_t>(a) * static_cast<std::int64_t>(b)) >>
                             32);
  } else {
    __extension__ using Wide = __int128;
    return static_cast<Word>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> 64);
  }
}

/** Upper half of the product of two unsigned numbers. */
template <typename Word>
constexpr Word multiply_high_unsigned(Word a, Word b) {
  __extension__ using Widest = unsigned __int128;
  using Wide = std::conditional_t<sizeof(Word) == 4, std::uint64_t, Widest>;
  return static_cast<Word>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> (8 * sizeof(Word)));
}

template <typename Word>
constexpr Word divide_signed(Word a, Word b) {
  using Signed = std::make_signed_t<Word>;
  if (b == 0) return ~Word{0};
  const auto sa = static_cast<Signed>(a);
  const auto sb = static_cast<Signed>(b);
  if (sa == std::numeric_limits<Signed>::min() && sb == -1) return a;
  return static_cast<Word>(sa / sb);
}

template <typename Word>
constexpr Word remainder_signed(Word a, Word b) {
  using Signed = std::make_signed_t<Word>;
  if (b == 0) return a;
  const auto sa = static_cast<Signed>(a);
  const auto sb = static_cast<Signed>(b);
  if (sa == std::numeric_limits<Signed>::min() && sb == -1) return 0;
  return static_cast<Word>(sa % sb);
}

/** Register value after a load of a narrower value: extended with sign if the type `Signed` is signed. */
template <typename Word, typename Signed>
constexpr Word extended(std::make_unsigned_t<Signed> value) {
  return static_cast<Word>(static_cast<std::make_signed_t<Word>>(static_cast<Signed>(value)));
}

/** orc.b: all ones in every byte that is not zero. */
template <typename Word>
constexpr Word or_combine(Word value) {
  Word result = 0;
  for (unsigned shift = 0; shift < 8 * sizeof(Word); shift += 8) {
    if (((value >> shift) & 0xffU) != 0) result |= Word{0xff} << shift;
  }
  return result;
}

template <typename Word>
constexpr Word reverse_bytes(Word value) {
  Word result = 0;
  for (unsigned shift = 0; shift < 8 * sizeof(Word); shift += 8) result = (result << 8) | ((value >> shift) & 0xffU);
  return result;
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_ARITHMETIC_H
