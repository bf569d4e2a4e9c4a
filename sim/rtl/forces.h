// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What Verilator's library lacks to save a design that has signals which can be forced (device_port.vlt): nothing is to
 * be saved of `force` statements, as the design has none. Included in front of what saves.
 */
#ifndef TRAPEZE_SIM_RTL_FORCES_H
#define TRAPEZE_SIM_RTL_FORCES_H

#include <verilated.h>
#include <verilated_force.h>
#include <verilated_save.h>

inline VerilatedSerialize& operator<<(VerilatedSerialize& stream, const VlForceVec&) {
  return stream;
}
inline VerilatedDeserialize& operator>>(VerilatedDeserialize& stream, VlForceVec&) {
  return stream;
}

#endif  // TRAPEZE_SIM_RTL_FORCES_H
