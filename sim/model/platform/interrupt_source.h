// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A device with interrupt outputs, which wires of the platform connect with harts and with the PLIC.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_INTERRUPT_SOURCE_H
#define TRAPEZE_SIM_MODEL_PLATFORM_INTERRUPT_SOURCE_H

#include <cstdint>

namespace trapeze::model {

/** Outputs are numbered from 0: one, unless the device says otherwise. */
class InterruptSource {
 public:
  /** Level of an output at `now`, a time. */
  virtual bool level(unsigned output, std::uint64_t now) = 0;
  /** First time after `now` at which an output may rise by itself; kNever: none does. */
  virtual std::uint64_t next_event(std::uint64_t now) const = 0;

 protected:
  InterruptSource() = default;
  InterruptSource(const InterruptSource&) = default;
  InterruptSource& operator=(const InterruptSource&) = default;
  ~InterruptSource() = default;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_INTERRUPT_SOURCE_H
