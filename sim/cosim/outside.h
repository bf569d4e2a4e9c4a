// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The subordinate at the default port of a tile: what is outside of the tile, as the hart's bus on the model's platform
 * has it. Source: hw/common/rtl/obi_pkg.sv; hw/soc/README.md, "tz_tile".
 */
#ifndef TRAPEZE_SIM_COSIM_OUTSIDE_H
#define TRAPEZE_SIM_COSIM_OUTSIDE_H

#include <cstdint>

#include "model/memory/bus.h"
#include "model/platform/shared_memory.h"

namespace trapeze::cosim {

/** A request of the tile (obi_pkg::obi_req_t). */
struct Request {
  std::uint32_t address = 0;
  std::uint32_t data = 0;
  unsigned enables = 0;
  unsigned operation = 0;  ///< `atop`
  unsigned privilege = 0;
  unsigned port = 0;  ///< `mid.port`
  bool write = false;
};

/** Its answer (obi_pkg::obi_rsp_t). */
struct Answer {
  std::uint32_t data = 0;
  bool error = false;
  bool done = false;  ///< `exokay`
};

class Outside {
 public:
  explicit Outside(model::Bus& bus) : bus_(bus) {}

  /** Memories are behind this port. */
  void share(model::SharedMemory& memory) { memory_ = &memory; }
  /** Whether another has the memory in this cycle. */
  bool refuses(const Request& request, std::uint64_t now) {
    return memory_ != nullptr && bus_.memory(request.address, kWordBytes) != nullptr && !memory_->word(now);
  }
  /** As model::Device::delay() and takes(). */
  unsigned delay(const Request& request) { return bus_.delay(request.address); }
  bool takes(const Request& request, std::uint64_t now) { return bus_.takes(request.address, now); }
  /** The tile's accesses are shown as those of this instruction, or of one a few behind it. */
  void at(std::uint64_t pc) { bus_.at(pc); }
  /** Makes the access that is granted in cycle `now`. */
  Answer access(const Request& request, std::uint64_t now);
  /** Whether the last access went to a device, whose interrupts may have changed. */
  bool at_device() const { return at_device_; }
  /** An LR or SC of the hart was granted in a bank of its own. */
  void reserved_elsewhere() { bus_.forget_reservation(); }

 private:
  static constexpr unsigned kWordBytes = 4;
  Answer plain(const Request& request, std::uint64_t now);
  /** Fetches, frames and atomic operations: of memories alone. */
  Answer of_memory(const Request& request);

  model::Bus& bus_;
  model::SharedMemory* memory_ = nullptr;
  bool at_device_ = false;
};

}  // namespace trapeze::cosim

#endif  // TRAPEZE_SIM_COSIM_OUTSIDE_H
