// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The JTAG port of the platform, and what trapeze-sim itself does at it: it halts all harts at their first instruction,
 * so that a debugger finds them there however short the program is.
 */
#ifndef TRAPEZE_SIM_APP_JTAG_PORT_H
#define TRAPEZE_SIM_APP_JTAG_PORT_H

#include <cstdint>

#include "kernel/session.h"

namespace trapeze {

class JtagPort {
 public:
  /** From the next cycle on the port's reset is over. */
  JtagPort(Engine& engine, Session& session, RunState& state);

  /** Sets the pins (tz_jtag_pin) and lets the machine run for half a period of tck. */
  void drive(std::uint32_t pins);
  /** The pins as they are. */
  std::uint32_t pins() const { return pins_; }
  /** Level of tdo. */
  bool tdo();
  /** Resets the machine and halts every hart before its first instruction. Memories keep what they have. */
  void halt_at_reset();

 private:
  void clock(bool tms, bool tdi);
  void shift(std::uint64_t bits, unsigned count);
  void write_dmcontrol(std::uint32_t value);

  Engine& engine_;
  Session& session_;
  RunState& state_;
  std::uint32_t pins_ = 0;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_JTAG_PORT_H
