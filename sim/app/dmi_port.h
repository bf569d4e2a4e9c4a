// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A debugger's side of the debug module interface over JTAG: accesses to registers of the debug module, each as a scan
 * of dmi, bit by bit at the pins. Source: RISC-V Debug Specification 1.0, chapter 6; IEEE 1149.1.
 */
#ifndef TRAPEZE_SIM_APP_DMI_PORT_H
#define TRAPEZE_SIM_APP_DMI_PORT_H

#include <cstdint>
#include <deque>

#include "kernel/dynamic_engine.h"

namespace trapeze {

class DmiPort {
 public:
  /** Cycles of the clock for which tck is low, and for which it is high. */
  static constexpr std::uint64_t kHalf = 2;
  /** Begins with a reset of the test access port, and the choice of dmi. */
  DmiPort();

  void write(unsigned address, std::uint32_t value) { scan(address, value, kWrite); }
  /** The value is in value() when idle() is true. */
  void read(unsigned address);
  std::uint32_t value() const { return value_; }
  /** Whether all that was asked for is done. */
  bool idle() const { return bits_.empty(); }

  /** Sets the pins for the next kHalf cycles. There must be something to do. */
  void drive(Engine& engine);

 private:
  enum : std::uint64_t { kNone = 0, kRead = 1, kWrite = 2 };

  struct Bit {
    bool tms;
    bool tdi;
    bool first = false;  ///< of the bits that tdo gives, the lowest one comes with it
  };

  void scan(unsigned address, std::uint32_t value, std::uint64_t operation);
  void shift(std::uint64_t data, unsigned size);

  std::deque<Bit> bits_;
  bool high_ = false;
  unsigned place_ = 0;          ///< of the bit that tdo gives next
  std::uint64_t received_ = 0;  ///< the bits that tdo gave in the last scan
  std::uint32_t value_ = 0;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_DMI_PORT_H
