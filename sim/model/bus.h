// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Physical memory map of the model: memories and devices.
 */
#ifndef TRAPEZE_SIM_MODEL_BUS_H
#define TRAPEZE_SIM_MODEL_BUS_H

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernel/engine.h"
#include "model/device.h"

namespace trapeze::model {

/** Bytes of a page: what a hart may keep a host pointer to. */
constexpr std::uint64_t kPageBytes = 4096;

/** Outcome of a transfer on the bus. */
struct BusRead {
  std::uint32_t value = 0;
  bool error = false;
  bool timed = false;   ///< see DeviceRead
  bool device = false;  ///< not a memory
};
struct BusWrite {
  bool error = false;
  bool device = false;
};

/** Routes by address. Memories belong to the bus; devices must outlive it. */
class Bus {
 public:
  explicit Bus(std::span<const tz_region> memories);

  void attach(std::uint64_t base, std::uint64_t size, Device& device) { devices_.push_back({base, size, &device}); }

  /** Host address of `size` bytes of memory, or null if no memory holds all of them. */
  std::uint8_t* memory(std::uint64_t address, std::uint64_t size);

  /** Transfer of one bus word; `address` is a multiple of four. */
  BusRead read(std::uint64_t address, unsigned enables, std::uint64_t now);
  BusWrite write(std::uint64_t address, unsigned enables, std::uint32_t value, std::uint64_t now);

  /** Contents of all memories, for snapshots. */
  std::vector<std::vector<std::uint8_t>> save() const;
  void restore(const std::vector<std::vector<std::uint8_t>>& contents);

 private:
  struct Memory {
    std::uint64_t base;
    std::vector<std::uint8_t> data;
  };
  struct Attached {
    std::uint64_t base;
    std::uint64_t size;
    Device* device;
  };
  Attached* find(std::uint64_t address);

  std::vector<Memory> memories_;
  std::vector<Attached> devices_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_BUS_H
