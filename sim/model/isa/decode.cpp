// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A table made from regs/isa/instructions.yaml says which instruction a word is, which extensions it needs and which
// operands it has. This file takes the operands out of the word, and checks what depends on more of the hart than its
// extensions.
#include "model/isa/decode.h"

#include <trapeze/instructions.hpp>

#include "kernel/disasm.h"

namespace trapeze::model {
namespace {

constexpr const auto& kOperations = isa::kOperations<Operation>;

/** What a hart has. */
bool has(const Params& params, isa::Extension extension) {
  switch (extension) {
    case isa::Extension::kI:
    case isa::Extension::kMachine:
      return true;
    case isa::Extension::kM:
      return params.m;
    case isa::Extension::kA:
      return params.a;
    case isa::Extension::kF:
      return params.f;
    case isa::Extension::kD:
      return params.f && params.d;
    case isa::Extension::kZba:
      return params.zba;
    case isa::Extension::kZbb:
      return params.zbb;
    case isa::Extension::kZbs:
      return params.zbs;
    case isa::Extension::kZicbom:
      return params.zicbom;
    case isa::Extension::kS:
      return params.supervisor;
    case isa::Extension::kFastirq:
      return params.fast;
    case isa::Extension::kSuclic:
      return params.user_interrupts;
    case isa::Extension::kUfastirq:
      return params.user_interrupts && params.fast;
    case isa::Extension::kUintr:
      return params.uintr;
  }
  return false;
}

std::int32_t immediate(std::uint32_t word, isa::Immediate kind) {
  const auto sign = static_cast<std::int32_t>(word);
  switch (kind) {
    case isa::Immediate::kI:
      return sign >> 20;
    case isa::Immediate::kS:
      return (sign >> 25 << 5) | static_cast<std::int32_t>(field(word, 11, 7));
    case isa::Immediate::kB:
      return (sign >> 31 << 12) | static_cast<std::int32_t>((field(word, 7, 7) << 11) | (field(word, 30, 25) << 5) |
                                                            (field(word, 11, 8) << 1));
    case isa::Immediate::kU:
    case isa::Immediate::kURelative:
      return static_cast<std::int32_t>(word & 0xfffff000U);
    case isa::Immediate::kJ:
      return (sign >> 31 << 20) | static_cast<std::int32_t>((field(word, 19, 12) << 12) | (field(word, 20, 20) << 11) |
                                                            (field(word, 30, 21) << 1));
    case isa::Immediate::kShift:  // on RV32 the sixth bit is zero: so says the table
      return static_cast<std::int32_t>(field(word, 25, 20));
    case isa::Immediate::kCsr:
      return static_cast<std::int32_t>(field(word, 31, 20));
    case isa::Immediate::kRounding:
      return static_cast<std::int32_t>(field(word, 14, 12));
    case isa::Immediate::kNone:
      break;
  }
  return 0;
}

/** The row of the table that matches the word; null if none does. */
const isa::Instruction* find(std::uint32_t word, const Params& params) {
  const unsigned width = isa::width_bit(params.xlen);
  const unsigned index = isa::instruction_index(word);
  for (unsigned i = isa::kFirstCandidate[index]; i < isa::kFirstCandidate[index + 1]; ++i) {
    const isa::Instruction& row = isa::kInstructions[isa::kCandidates[i]];
    if ((word & row.mask) == row.match && (row.widths & width) != 0) return has(params, row.of) ? &row : nullptr;
  }
  return nullptr;
}

/** Decodes an instruction of 32 bits: a word whose lowest two bits are 11. */
Decoded decode_full(std::uint32_t word, const Params& params) {
  constexpr std::uint32_t kReservedRounding[] = {5, 6};
  const isa::Instruction* const row = find(word, params);
  if (row == nullptr) return {};
  Decoded out;
  out.op = kOperations[static_cast<std::size_t>(row - isa::kInstructions.data())];
  if ((row->registers & isa::kRd) != 0) out.rd = static_cast<std::uint8_t>(field(word, 11, 7));
  if ((row->registers & isa::kRs1) != 0) out.rs1 = static_cast<std::uint8_t>(field(word, 19, 15));
  if ((row->registers & isa::kRs2) != 0) out.rs2 = static_cast<std::uint8_t>(field(word, 24, 20));
  if ((row->registers & isa::kRs3) != 0) out.rs3 = static_cast<std::uint8_t>(field(word, 31, 27));
  // RV32E reserves the registers above 15.
  const unsigned limit = params.registers();
  if (out.rd >= limit || out.rs1 >= limit || out.rs2 >= limit) return {};
  out.imm = immediate(word, row->immediate);
  out.relative = row->immediate == isa::Immediate::kURelative;
  if (row->immediate == isa::Immediate::kRounding) {
    for (const std::uint32_t mode : kReservedRounding) {
      if (field(word, 14, 12) == mode) return {};
    }
  }
  if (out.op == Operation::csr) {
    out.rs1 = static_cast<std::uint8_t>(field(word, 19, 15));
    out.rs2 = static_cast<std::uint8_t>(field(word, 14, 12));
  }
  // `slti x0, x0, n` with n above 0 is Trapeze's marker. It has no other effect.
  if (out.op == Operation::slti && isa::encoding::kMarker.is(word) && out.imm != 0) out.op = Operation::slti_marker;
  return out;
}

}  // namespace

Decoded decode(std::uint32_t word, const Params& params) {
  if (instruction_size(word, params.c) == 4) {
    Decoded out = (word & 3U) == 3U ? decode_full(word, params) : Decoded{};
    out.insn = word;
    return out;
  }
  const auto half = static_cast<std::uint16_t>(word);
  const std::uint32_t expanded = expand_compressed(half, params.xlen);
  Decoded out = expanded == 0 ? Decoded{} : decode_full(expanded, params);
  // The marker is an instruction of 32 bits: no compressed instruction, not even a HINT, expands to it.
  out.size = 2;
  out.insn = half;
  return out;
}

}  // namespace trapeze::model
