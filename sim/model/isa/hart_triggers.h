// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart that exist for triggers. The model has no debug mode: it raises the breakpoint exceptions of
 * triggers, and says when debug mode would have to begin.
 *
 * Source: RISC-V Debug Specification 1.0, chapter Sdtrig.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_TRIGGERS_H
#define TRAPEZE_SIM_MODEL_ISA_HART_TRIGGERS_H

#include "kernel/oracle.h"
#include "model/isa/hart.h"

namespace trapeze::model {

template <Kind K, class Time>
TriggerPoint Hart<K, Time>::trigger_point() {
  const Decoded& d = blocks_.find(pc_, blocks_.single(door_.view_of(mode_)))->first;
  const bool fails = d.op == Operation::fetch_fault || d.op == Operation::fetch_page_fault;
  TriggerPoint point;
  point.pc = static_cast<std::uint32_t>(pc_);
  point.bytes = fails ? 0 : d.size;
  point.mode = mode_;
  point.handles = csr_.interrupts_on(mode_);
  const MemoryUse use = memory_use(d.op);
  if (use.size == 0) return point;
  point.loads = use.reads;
  point.stores = use.writes;
  point.access = use.size;
  point.at = static_cast<std::uint32_t>(x_[d.rs1]) + static_cast<std::uint32_t>(d.imm);
  return point;
}

template <Kind K, class Time>
auto Hart<K, Time>::execute_watched(std::uint64_t now, BlockCache& cache) -> Executed {
  if constexpr (K.xlen == 32) {
    const unsigned mode = mode_;
    Executed executed;
    Firing firing;
    const bool displaced = exception_due();
    if (!displaced) firing = csr_.triggers().before(trigger_point());
    if (displaced) {
      executed = no_instruction();
    } else if (firing.breakpoint != 0 && firing.debug == 0) {
      csr_.triggers().hit(firing.breakpoint);
      trap(kBreakpoint, 0, pc_);
      ++steps_;
      executed = {1, Leave::kTrap, 1};
    } else {
      executed = run(1, now, &cache);
    }
    csr_.triggers().counts(mode);
    return executed;
  } else {
    return run(1, now, &cache);
  }
}

template <Kind K, class Time>
void Hart<K, Time>::show_interrupt(unsigned id, unsigned mode) {
  if constexpr (K.xlen == 32) {
    if (!csr_.triggers().armed()) [[likely]]
      return;
    csr_.triggers().counts(mode);
    csr_.triggers().interrupted(id, mode);
  }
}

template <Kind K, class Time>
std::uint32_t Hart<K, Time>::triggers_due() {
  if constexpr (K.xlen == 32) {
    const std::uint32_t input = csr_.triggers().awaits_input() ? TZ_TRIGGERS_AWAIT_INPUT : 0;
    if (!csr_.triggers().armed()) return input;
    follow_rows();
    // An exception in the place of the instruction comes before triggers that match the instruction.
    const std::uint32_t met = exception_due() ? 0 : csr_.triggers().before(trigger_point()).debug;
    return input | met | csr_.triggers().due(mode_) << TZ_TRIGGERS_EVENT_SHIFT;
  }
  return 0;
}

template <Kind K, class Time>
void Hart<K, Time>::halted(bool by_trigger) {
  if constexpr (K.xlen == 32) {
    if (!csr_.triggers().armed()) return;
    follow_rows();
    if (by_trigger && !exception_due()) {
      const Firing firing = csr_.triggers().before(trigger_point());
      if (firing.debug != 0) csr_.triggers().hit(firing.debug | firing.breakpoint);
    }
    csr_.triggers().halted(mode_);
  }
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_TRIGGERS_H
