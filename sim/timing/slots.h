// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Instructions as the scoreboard sees them, with the latencies of a pipeline.
 */
#ifndef TRAPEZE_SIM_TIMING_SLOTS_H
#define TRAPEZE_SIM_TIMING_SLOTS_H

#include "model/isa/decode.h"
#include "model/platform/timing_plan.h"
#include "timing/scoreboard.h"

namespace trapeze::timing {

Slot slot_of(const model::Decoded& decoded, std::uint64_t address, const model::TimingPlan& plan);

/** What a multiplication or division takes beyond its least latency. `a`, `b`: operands, rs1 and rs2. */
std::uint64_t multiply_more(const model::TimingPlan::Multiply& plan, model::Operation op, std::uint64_t a);
std::uint64_t divide_more(const model::TimingPlan::Divide& plan, model::Operation op, std::uint64_t a, std::uint64_t b);

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_SLOTS_H
