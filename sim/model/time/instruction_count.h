// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Policy of time that counts instructions. An instruction takes one unit of time, and so does the entry into an
 * interrupt handler. A wfi waits until something happens. Programs that need time to pass see this in the place of
 * clock cycles; it says nothing about the hardware's timing.
 */
#ifndef TRAPEZE_SIM_MODEL_TIME_INSTRUCTION_COUNT_H
#define TRAPEZE_SIM_MODEL_TIME_INSTRUCTION_COUNT_H

#include <algorithm>
#include <cstdint>

#include "model/time/instant.h"

namespace trapeze::model {

/**
 * The policy with which time is the number of instructions. Then the hart counts once, and asks nothing more.
 *
 * Another policy (kIsCount false) has these members. A block of instructions costs by itself what follows from the
 * instructions and from the situation of the pipeline when the block begins; a block keeps the costs for the last
 * situations that it was entered in. Hooks return what is known only when an instruction executes: how much it costs
 * more.
 *
 *   Slot, slot(decoded)           what it must know of an instruction, kept with it
 *   Situation, situation()        state of the pipeline that depends on nothing but instructions executed; comparable
 *   become(situation)             sets it
 *   advance(situation, slot)      what an instruction costs in a situation, 1 or more; the situation becomes the next
 * one line(address)                 the unit of code in which blocks lie: a block does not leave it fetched(line)
 * whether code of a line costs nothing: it is the same line as the last one fetch_cost(line)              what fetching
 * from another line costs; most_fetch(): at most fetch(line)                   the same, and it is fetched load,
 * store(physical)         a load or store of memory; an LR, and an SC or AMO device_load, device_store()   the same of
 * a device data_line(physical)           the unit of memory that an access touches one or two of manage(op, physical)
 * an operation of Zicbom branch(end, target, taken)    a conditional branch; `end`: the address behind it jump(rd, end,
 * target)         jal jump_register(rd, rs1, end, target) multiply, divide(op, a, b)    operands, rs1 and rs2
 *   forget_code()                 fence.i: fetched code is fetched again
 *   trapped()                     entry into the handler of an exception; the pipeline is empty then
 *   entered()                     the same of an interrupt
 *   reset()
 */
struct InstructionCount {
  static constexpr bool kIsCount = true;
  /** Time that the entry into an interrupt handler takes. */
  static constexpr std::uint64_t entered() { return 1; }
  static constexpr void reset() {}
  /** How long a turn of a hart lasts, if several harts take turns and the caller has asked for turns of `asked`
   * instructions. With turns of one instruction the harts' accesses come in as many orders as possible. */
  static constexpr std::uint64_t turn(unsigned harts, std::uint64_t asked) {
    return harts > 1 ? std::max<std::uint64_t>(asked, 1) : kNever;
  }
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_TIME_INSTRUCTION_COUNT_H
