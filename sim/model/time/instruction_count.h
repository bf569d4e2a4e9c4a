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
 * - kPerCycle: the most instructions that can take a unit of time together.
 * - Slot, slot(decoded, address): what it must know of an instruction, kept with it.
 * - Situation, situation(): state of the pipeline that depends on nothing but instructions executed; comparable.
 *   become(situation) sets it.
 * - advance(situation, slots, stride, count): what instructions cost in a situation, which becomes the next one.
 * - stalled(situation, slot, met): the same of one that has met something, as the hooks below say it, 0 for nothing.
 *   both(met, met): two of them.
 * - line(address): the unit of code in which blocks lie. fetched(line): it is the last one that was fetched from.
 *   fetch_cost(line, situation): what fetching from another line costs, before fetch(line) does.
 * - load, store(physical, size): of memory; also LR, SC and AMO. data_line(physical): the unit that an access touches
 * one or two of. uncached(base, size): a memory that no cache holds. device_load, device_store(): costs. manage(op,
 * physical): an operation of Zicbom.
 * - recent_data, recent_code(address): the page is the last one that was used. use_data, use_code: it is kept, and
 * used. walked_data, walked_code(address, entries, levels): it was looked up in tables. forget_pages(),
 * forget_page(address).
 * - branch(end, target, taken), jump(rd, end, target), jump_register(rd, rs1, end, target); `end`: the address behind
 * it.
 * - multiply, divide(op, a, b): operands, rs1 and rs2; cycles more. longer(cycles): the same as something met.
 * - forget_code(): fence.i: fetched code is fetched again.
 * - trapped(), entered(): entry into the handler of an exception, of an interrupt; the pipeline is empty then.
 * - statistics(): what it has counted, see timing/statistics.h: in_mode(), passed(), slept(), causes().
 * - reset().
 */
struct InstructionCount {
  static constexpr bool kIsCount = true;
  static constexpr unsigned kPerCycle = 1;
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
