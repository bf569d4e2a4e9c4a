// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "timing/slots.h"

#include <algorithm>
#include <bit>
#include <trapeze/isa.hpp>

namespace trapeze::timing {
namespace {

using model::Decoded;
using model::Operation;
using model::TimingPlan;
using Op = Operation;

constexpr bool in(Op op, Op first, Op last) {
  return op >= first && op <= last;
}
constexpr bool is_division(Op op) {
  return in(op, Op::div, Op::remu) || in(op, Op::divw, Op::remuw);
}
constexpr bool is_multiplication(Op op) {
  return in(op, Op::mul, Op::mulhu) || op == Op::mulw;
}
constexpr bool is_float_division(Op op) {
  return op == Op::fdiv_s || op == Op::fsqrt_s || op == Op::fdiv_d || op == Op::fsqrt_d;
}
constexpr bool is_float_arithmetic(Op op) {
  return in(op, Op::fadd_s, Op::fmul_s) || in(op, Op::fmadd_s, Op::fnmadd_s) || in(op, Op::fadd_d, Op::fmul_d) ||
         in(op, Op::fmadd_d, Op::fnmadd_d);
}
constexpr bool is_double(Op op) {
  return in(op, Op::fadd_d, Op::fnmadd_d);
}
/** A fence is an operation without effect: the model's accesses are in order. */
constexpr bool is_fence(const Decoded& decoded) {
  constexpr std::uint32_t kMiscMem = 0x0f;  // Unprivileged ISA 20191213, table 24.1
  return decoded.op == Op::nop && model::field(decoded.insn, 6, 0) == kMiscMem;
}

/** mscratch, mepc, mcause and mtval, and those of other modes: a write to them takes effect without a flush. Rocket's
 * RTL: csrw mscratch takes a cycle. */
constexpr bool is_plain_csr(unsigned number) {
  constexpr unsigned kMode = isa::csr::kMstatus;  // the first of machine mode
  const unsigned of_machine = number | kMode;
  return of_machine >= isa::csr::kMscratch && of_machine <= isa::csr::kMtval;
}

void describe_memory(const Decoded& d, const model::MemoryUse& use, const TimingPlan& plan, Slot& slot) {
  slot.waits[4] = kMemoryUnit;
  slot.loads = use.reads;
  slot.stores = use.writes;
  slot.replay = static_cast<std::uint8_t>(plan.load.behind_store);
  if (use.atomic) {
    // An LR is a load. SC and AMO keep the memory from others as long as their result takes.
    const bool loads = !use.writes;
    slot.latency = static_cast<std::uint8_t>(loads ? plan.load.word : plan.system.atomic);
    if (!loads) {
      slot.unit = kMemoryUnit;
      slot.unit_latency = slot.latency;
    }
  } else if (use.reads) {
    slot.latency = static_cast<std::uint8_t>(model::is_float(d.op) ? plan.load.floating
                                             : use.size >= 4       ? plan.load.word
                                                                   : plan.load.part);
  }
}

void describe_float(Op op, const TimingPlan& plan, Slot& slot) {
  const auto of = [op](const TimingPlan::Precision& latency) { return is_double(op) ? latency.full : latency.single; };
  unsigned latency = plan.floating.move;
  if (in(op, Op::fmv_x_w, Op::fclass_d)) latency = plan.floating.integer;
  if (is_float_arithmetic(op)) latency = of(plan.floating.arithmetic);
  if (is_float_division(op)) {
    latency = of(plan.floating.divide);
    slot.unit = kFloatUnit;
    slot.unit_latency = static_cast<std::uint8_t>(latency);
  }
  slot.latency = static_cast<std::uint8_t>(latency);
}

void describe_system(const Decoded& d, const TimingPlan& plan, Slot& slot) {
  const auto flush = static_cast<std::uint8_t>(plan.system.flush);
  if (d.op == Op::csr) {
    const bool writes = (d.rs2 & 3U) == 1 || d.rs1 != 0;
    slot.latency = static_cast<std::uint8_t>(plan.system.csr);
    if (writes && !is_plain_csr(static_cast<unsigned>(d.imm) & 0xfffU)) slot.more = flush;
  } else if (d.op == Op::mret || d.op == Op::sret || d.op == Op::sfence_vma) {
    slot.more = flush;
  } else if (d.op == Op::fence_i) {
    slot.more = static_cast<std::uint8_t>(plan.system.fence_i);
  } else if (is_fence(d)) {
    slot.unit = kMemoryUnit;
    slot.unit_latency = static_cast<std::uint8_t>(plan.system.fence);
  }
  slot.refetches = slot.more != 0;
}

constexpr bool is_csr_with_immediate(const Decoded& d) {
  return d.op == Op::csr && (d.rs2 & 4U) != 0;
}

constexpr bool is_jump(Op op) {
  return in(op, Op::jal, Op::bgeu);
}

/** The pipelines of a core that issues two instructions a cycle that take an instruction; 0: it issues alone. */
std::uint8_t pipes_of(const Decoded& d, const TimingPlan::Pipelines& plan) {
  const auto pipes = [&plan](bool TimingPlan::Kinds::*kind) {
    return static_cast<std::uint8_t>((plan.first.*kind ? kFirstPipe : 0U) | (plan.second.*kind ? kSecondPipe : 0U));
  };
  using Kinds = TimingPlan::Kinds;
  if (const model::MemoryUse use = model::memory_use(d.op); use.size != 0)
    return use.atomic ? 0 : pipes(&Kinds::memory);
  if (model::is_float(d.op)) return pipes(&Kinds::floating);
  if (is_multiplication(d.op) || is_division(d.op)) return pipes(&Kinds::multiply);
  if (is_jump(d.op)) return static_cast<std::uint8_t>(pipes(&Kinds::branch) | kEndsCycle);
  const bool alone = model::ends_block(d.op) || is_fence(d) || in(d.op, Op::cbo_inval, Op::cbo_flush);
  return alone ? 0 : pipes(&Kinds::integer);
}

}  // namespace

Slot slot_of(const Decoded& d, std::uint64_t address, const TimingPlan& plan) {
  Slot slot;
  const std::uint64_t packet = address / plan.fetch.packet;
  slot.crosses = static_cast<std::uint8_t>((address + d.size - 1) / plan.fetch.packet - packet);
  slot.passes = static_cast<std::uint8_t>((address + d.size) / plan.fetch.packet - packet);
  slot.is_rest = slot.crosses == 0 && slot.passes != 0 && address % plan.fetch.packet != 0;
  slot.queue = static_cast<std::uint8_t>(plan.fetch.queue);
  const model::FloatUse floats = model::float_use(d.op);
  const auto number = [](unsigned one, bool is_float) {
    return static_cast<std::uint8_t>(is_float ? one + kFloats : one);
  };
  slot.result = number(d.rd, floats.rd);
  if (!is_csr_with_immediate(d)) slot.waits[0] = number(d.rs1, floats.rs1);
  if (d.op != Op::csr) slot.waits[1] = number(d.rs2, floats.rs2);
  if (in(d.op, Op::fmadd_s, Op::fnmadd_s) || in(d.op, Op::fmadd_d, Op::fnmadd_d)) slot.waits[2] = number(d.rs3, true);
  slot.waits[3] = slot.result;
  slot.writes_port = d.rd != 0 && !floats.rd;
  // While the divider works the unit takes nothing, loads and stores of its registers neither. Rocket's RTL: fdiv.d,
  // fld.
  if (model::is_float(d.op)) slot.waits[5] = kFloatUnit;
  if (const model::MemoryUse use = model::memory_use(d.op); use.size != 0) {
    describe_memory(d, use, plan, slot);
  } else if (model::is_float(d.op)) {
    describe_float(d.op, plan, slot);
  } else if (is_multiplication(d.op) || is_division(d.op)) {
    const unsigned latency = is_division(d.op) ? plan.divide.latency : plan.multiply.latency;
    slot.latency = slot.unit_latency = static_cast<std::uint8_t>(latency);
    slot.waits[4] = slot.unit = kIntegerUnit;
    slot.waits_for_port = plan.results_wait && d.rd != 0;
  } else {
    describe_system(d, plan, slot);
  }
  if (plan.pipelines) slot.pipes = pipes_of(d, *plan.pipelines);
  return slot;
}

std::uint64_t multiply_more(const TimingPlan::Multiply& plan, Operation op, std::uint64_t a) {
  const bool word = op == Op::mulw;
  const unsigned most = (word ? plan.most_word : plan.most) - plan.latency;
  if (in(op, Op::mulh, Op::mulhu)) return most;
  if (plan.bits == 0) return 0;
  const auto bits = static_cast<unsigned>(std::bit_width(word ? a & 0xffffffffU : a));
  return std::min((std::max(bits, 1U) - 1) / plan.bits, most);
}

std::uint64_t divide_more(const TimingPlan::Divide& plan, Operation op, std::uint64_t a, std::uint64_t b) {
  const bool word = in(op, Op::divw, Op::remuw);
  const bool is_signed = op == Op::div || op == Op::rem || op == Op::divw || op == Op::remw;
  const bool remainder = op == Op::rem || op == Op::remw;
  const auto extended = [&](std::uint64_t value) -> std::uint64_t {
    if (!word) return value;
    const auto low = static_cast<std::uint32_t>(value);
    return is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(low)}) : low;
  };
  const auto negative = [&](std::uint64_t value) { return is_signed && static_cast<std::int64_t>(value) < 0; };
  const std::uint64_t dividend = extended(a);
  const std::uint64_t divisor = extended(b);
  const bool changes = remainder ? negative(dividend) : negative(dividend) != negative(divisor);
  const unsigned signs = (negative(dividend) || negative(divisor) ? plan.negative : 0) + (changes ? plan.negative : 0);
  if (divisor == 0) return plan.by_zero - plan.latency + signs;
  const auto top = [&](std::uint64_t value) {
    const std::uint64_t magnitude = negative(value) ? 0 - value : value;
    return static_cast<unsigned>(std::bit_width(magnitude | 1)) - 1;
  };
  // The distance of the highest bits. It is taken modulo the width: a quotient of 0 takes about as long as the longest.
  constexpr unsigned kWidth = 64;
  return (top(dividend) - top(divisor)) % kWidth + signs;
}

}  // namespace trapeze::timing
