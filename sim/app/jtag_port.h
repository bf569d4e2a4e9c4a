// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The JTAG port of the platform, and a debugger's accesses through it to registers of the debug module: each is a scan
 * of dmi, bit by bit (RISC-V Debug Specification 1.0, chapter 6). Time passes meanwhile.
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
  /** Resets the test access port, and chooses dmi. Before the first access. */
  void reset();
  void write(unsigned address, std::uint32_t value) { scan(address, value, kWrite); }
  std::uint32_t read(unsigned address);
  /** Resets the machine and halts every hart before its first instruction, so that a debugger finds it there however
   * short the program is. Memories keep what they have. Leaves dmi chosen. */
  void halt_at_reset();

 private:
  static constexpr std::uint64_t kNone = 0, kRead = 1, kWrite = 2;  ///< dmi.op

  bool clock(bool tms, bool tdi);
  std::uint64_t shift(std::uint64_t bits, unsigned count);
  std::uint64_t scan(unsigned address, std::uint32_t value, std::uint64_t operation);

  Engine& engine_;
  Session& session_;
  RunState& state_;
  std::uint32_t pins_ = 0;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_JTAG_PORT_H
