// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Places and interrupts of the devices that only some platforms have, from the memory map.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_WIRING_H
#define TRAPEZE_SIM_MODEL_PLATFORM_WIRING_H

#include <array>
#include <cstdint>

namespace trapeze::model {

/** The region of a device. With a size of 0 the platform does not have the device. */
struct Window {
  std::uint64_t base = 0;
  std::uint64_t size = 0;
};

struct Wiring {
  /** The two sides of the mailbox: hart 0's and hart 1's. */
  std::array<Window, 2> mailbox = {};
  /** Platform line of hart 1 that its side of the mailbox drives. */
  unsigned mailbox_line = 0;
  /** The PLIC. Each hart with supervisor mode has two contexts of it. */
  Window plic = {};
  // Sources of the PLIC; 0: not wired.
  std::array<unsigned, 2> uart_sources = {};  ///< by hart
  unsigned mailbox_source = 0;                ///< for hart 0's side of the mailbox

  bool has_mailbox() const { return mailbox[0].size != 0; }
  bool has_plic() const { return plic.size != 0; }
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_WIRING_H
