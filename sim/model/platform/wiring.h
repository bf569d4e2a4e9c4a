// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Where a platform has devices that others have not, and where their interrupts go: what the memory map says.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_WIRING_H
#define TRAPEZE_SIM_MODEL_PLATFORM_WIRING_H

#include <array>
#include <cstdint>

namespace trapeze::model {

/** Where a device answers; without bytes: there is none. */
struct Window {
  std::uint64_t base = 0;
  std::uint64_t size = 0;
};

struct Wiring {
  /** The mailbox's sides, of hart 0 and of hart 1. */
  std::array<Window, 2> mailbox = {};
  /** Platform line of hart 1 that the interrupt of its side is. */
  unsigned mailbox_line = 0;
  /** The PLIC, which harts with supervisor mode have, two contexts each. */
  Window plic = {};
  // Its sources; 0: not wired.
  std::array<unsigned, 2> uart_sources = {};  ///< by hart
  unsigned mailbox_source = 0;                ///< side of hart 0

  bool has_mailbox() const { return mailbox[0].size != 0; }
  bool has_plic() const { return plic.size != 0; }
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_WIRING_H
