// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A hart with a pipeline: small programs take exactly the time that the parameters say, in slices of any length, and
// with records as without.
#include "timing_program.h"

namespace trapeze::timing {
namespace {

TEST_F(Pipelined, WaitsForResults) {
  expect(2, {addi(kT0, 0, 1), addi(kT0, kT0, 1)}, "one behind the other");
  expect(3, {ld(kT0, kA0), add(kT1, kT0, kT0)}, "load and use");
  expect(3, {ld(kT0, kA0), kNop, add(kT1, kT0, kT0)}, "load, another, use");
  expect(4, {lbu(kT0, kA0), kNop, add(kT1, kT0, kT0)}, "byte, another, use");
  expect(3, {ld(kT0, kA0), addi(kT0, 0, 1)}, "load and another write");
  expect(8, {amoadd(kT0, kA0), add(kT1, kT0, kT0)}, "atomic operation and use");
  expect(8, {amoadd(kT0, kA0), ld(kT1, kA0, 16)}, "atomic operation and load of another word");
  expect(3 + 1 + 5, {sd(0, kA0, 8), ld(kT0, kA0, 8), add(kT1, kT0, kT0)}, "load of what was stored");
}

TEST_F(Pipelined, StoresAreComparedByLowAddressBits) {
  const Code apart = {addi(kA1, kA0, 2047), addi(kA1, kA1, 2047), addi(kA1, kA1, 2)};
  const auto behind = [&](const Code& rest) {
    Code code = apart;
    code.insert(code.end(), rest.begin(), rest.end());
    return code;
  };
  const std::uint32_t use = add(kT1, kT0, kT0);
  expect(3 + 3 + 1 + 5, behind({sd(0, kA0, 8), ld(kT0, kA1, 8), use}), "load a page behind the store");
  expect(3 + 4 + 1 + 5, behind({sd(0, kA0, 8), kNop, ld(kT0, kA1, 8), use}), "the same behind another instruction");
  expect(3 + 5 + 1, behind({sd(0, kA0, 8), kNop, kNop, ld(kT0, kA1, 8), use}), "the same behind two");
  expect(3 + 3 + 1, behind({sd(0, kA0, 8), ld(kT0, kA1, 16), use}), "load of another double word");
}

TEST_F(Pipelined, FenceKeepsAccessesBack) {
  constexpr std::uint32_t kFence = 0x0ff0000f;
  expect(1 + 1 + 3, {ld(kT0, kA0), kFence, ld(kT1, kA0)}, "load, fence, load");
  expect(3, {ld(kT0, kA0), kFence, kNop}, "load, fence, another");
}

TEST_F(Pipelined, WhatFetchesAnew) {
  expect(2, {0x34001073, kNop}, "csrw mscratch, zero");
  expect(2 + 4, {0x30401073, kNop}, "csrw mie, zero");
  expect(2 + 2 + 19 + 30, {0x0000100f, kNop}, "fence.i, and the miss behind it");
}

TEST_F(Pipelined, MultiplierAndDividerTakeTheirOperands) {
  expect(6, {addi(kT0, 0, 3), mul(kT1, kT0, kT0), add(kT2, kT1, kT1)}, "3 x 3");
  expect(7, {addi(kT0, 0, 0x7ff), mul(kT1, kT0, kT0), add(kT2, kT1, kT1)}, "11 bits");
  expect(12, {addi(kT0, 0, -3), mul(kT1, kT0, kT0), add(kT2, kT1, kT1)}, "-3 x -3");
  expect(6 + 8,
         {addi(kT0, 0, 3), mul(kT1, kT0, kT0), addi(kA1, 0, 1), addi(kA1, 0, 1), addi(kA1, 0, 1), addi(kA1, 0, 1),
          addi(kA1, 0, 1), addi(kA1, 0, 1), addi(kA1, 0, 1), addi(kA1, 0, 1), add(kT2, kT1, kT1)},
         "the result waits for a free port");
  constexpr std::uint32_t kOfWords = 8;  // in opcodes
  expect(8, {addi(kT0, 0, -3), mul(kT1, kT0, kT0) | kOfWords, add(kT2, kT1, kT1)}, "-3 x -3 of words");
  expect(3 + 9, {addi(kT0, 0, 100), addi(kT1, 0, 7), divide(kT2, kT0, kT1), add(kT1, kT2, kT2)}, "100 / 7");
  expect(3 + 11, {addi(kT0, 0, -100), addi(kT1, 0, 7), divide(kT2, kT0, kT1), add(kT1, kT2, kT2)}, "-100 / 7");
  expect(3 + 67, {addi(kT0, 0, 100), addi(kT1, 0, 0), divide(kT2, kT0, kT1), add(kT1, kT2, kT2)}, "100 / 0");
  expect(3 + 69, {addi(kT0, 0, -100), addi(kT1, 0, 0), divide(kT2, kT0, kT1), add(kT1, kT2, kT2)}, "-100 / 0");
  const auto of_negative = [](std::uint32_t what) -> Code {
    return {addi(kT0, 0, -100), addi(kT1, 0, -7), what, add(kT1, kT2, kT2)};
  };
  expect(3 + 10, of_negative(divide(kT2, kT0, kT1)), "-100 / -7, which is positive");
  expect(3 + 11, of_negative(registers(1, 6, kT2, kT0, kT1)), "the remainder, which is negative");
}

TEST_F(Pipelined, BranchesArePredicted) {
  // 16 rounds of three instructions. Predicted from its last direction, the branch is wrong at the first round and the
  // last one.
  expect(2 + 16 * 3 + 2 * 3, rounds({}, 0), "loop");
}

TEST_F(Pipelined, CacheMissesAndDirtyLines) {
  constexpr std::uint64_t kLoop = 2 + 16 * 4 + 2 * 3;
  expect(kLoop, rounds({ld(kT0, kA1)}, 32), "lines that fit");
  expect(kLoop + 16 * (13 + 30), rounds({ld(kT0, kA1)}, 64), "lines that do not fit");
  expect(kLoop, rounds({sd(kT0, kA1, 0)}, 32), "stores to lines that fit");
  expect(kLoop + 16 * (31 + 30), rounds({sd(kT0, kA1, 0)}, 64), "stores to lines that do not fit");
}

}  // namespace
}  // namespace trapeze::timing
