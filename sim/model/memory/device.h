// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Interface of a device on the model's bus. A transfer is one bus word with byte enables, as on the hardware's bus: an
 * access that crosses a word makes two transfers.
 */
#ifndef TRAPEZE_SIM_MODEL_MEMORY_DEVICE_H
#define TRAPEZE_SIM_MODEL_MEMORY_DEVICE_H

#include <cstdint>

#include "model/memory/access.h"
#include "model/time/instant.h"

namespace trapeze::model {

/** Outcome of a read. */
struct DeviceRead {
  std::uint32_t value = 0;
  bool error = false;  ///< bus error
  bool open = false;   ///< the specifications leave the value open: Choices::load may set it
};

/** A device. `offset`: of the word in the device's region; `enables`: bit n is set if byte lane n is accessed; `now`:
 * the time; `from`: the initiator. */
class Device {
 public:
  virtual ~Device() = default;
  virtual void reset() = 0;
  // Of use where time is clock cycles: how long an access takes.
  /** Cycles from the request of an access to its grant: 0, or 2 and more. */
  virtual unsigned delay() const { return 0; }
  /** With a delay: whether the device takes an access in cycle `now`, which is the grant's less 2; until then it waits.
   */
  virtual bool takes(std::uint32_t /*offset*/, std::uint64_t /*now*/) { return true; }
  DeviceRead read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from = {}) {
    return on_read(offset, enables, now, from);
  }
  /** Returns false for a bus error. */
  bool write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now, const Origin& from = {}) {
    return on_write(offset, enables, value, now, from);
  }

 private:
  virtual DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) = 0;
  virtual bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                        const Origin& from) = 0;
};

/** Bits of the enabled byte lanes. */
constexpr std::uint32_t lane_mask(unsigned enables) {
  return ((enables & 1U) != 0 ? 0x000000ffU : 0U) | ((enables & 2U) != 0 ? 0x0000ff00U : 0U) |
         ((enables & 4U) != 0 ? 0x00ff0000U : 0U) | ((enables & 8U) != 0 ? 0xff000000U : 0U);
}

/** `old` with the enabled lanes replaced. */
constexpr std::uint32_t merge_lanes(std::uint32_t old, std::uint32_t value, unsigned enables) {
  const std::uint32_t mask = lane_mask(enables);
  return (old & ~mask) | (value & mask);
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_MEMORY_DEVICE_H
