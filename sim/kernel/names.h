// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Names of interrupts and exceptions in traces.
 */
#ifndef TRAPEZE_SIM_KERNEL_NAMES_H
#define TRAPEZE_SIM_KERNEL_NAMES_H

#include <cstdint>
#include <string>

namespace trapeze {

/** Text for an interrupt: `line 3` for a platform line; `software`, `timer` or `external` for the standard ones; else
 * `id N`. */
std::string interrupt_name(unsigned id, std::uint32_t line_id_base, std::uint32_t num_lines);

/** Name of an exception code, such as "illegal instruction" (Privileged ISA, table 3.6). */
std::string exception_name(std::uint64_t cause);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_NAMES_H
