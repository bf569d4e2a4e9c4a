// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The other end of the JTAG port: what drives its pins while a run goes on.
 */
#ifndef TRAPEZE_SIM_KERNEL_JTAG_HOST_H
#define TRAPEZE_SIM_KERNEL_JTAG_HOST_H

#include <cstdint>

#include "kernel/dynamic_engine.h"

namespace trapeze {

class JtagHost {
 public:
  virtual ~JtagHost() = default;
  /** Sets the pins for the cycles from `cycle` on, which is the next one. Returns the cycle before which it is to be
   * called again, a later one. */
  virtual std::uint64_t drive(Engine& engine, std::uint64_t cycle) = 0;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_JTAG_HOST_H
