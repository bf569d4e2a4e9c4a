// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * UART: the 16550 subset of the register description in regs/, behind byte streams to and from the host.
 *
 * The unit of time is the caller's: clock cycles, or instructions. With clock cycles every value and every level of the
 * interrupt is exact to the cycle (hw/soc/README.md, table of cycles). The host takes a byte in each cycle, and offers
 * its next byte as long as it has one. Sources: regs/; National Semiconductor PC16550D, sections 8.1 to 8.7.
 *
 * An access or a question names its time, and advances the UART to it. A time before the one that has been reached is
 * treated as the one that has been reached: time never goes back.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_UART_H
#define TRAPEZE_SIM_MODEL_PLATFORM_UART_H

#include <trapeze/uart.h>

#include <deque>
#include <optional>
#include <vector>

#include "model/memory/device.h"
#include "model/platform/interrupt_source.h"
#include "model/platform/level_changes.h"

namespace trapeze::model {

class Uart final : public Device, public InterruptSource {
 public:
  /** Bytes in each FIFO. */
  static constexpr std::size_t kFifoBytes = 16;
  /** Time without a byte in or out after which bytes below the trigger level raise an interrupt. */
  static constexpr std::uint64_t kTimeout = 64;

  void reset() override;

  /** Everything that happens before `now`. */
  void advance(std::uint64_t now);
  /** Level of the interrupt output. */
  bool interrupt(std::uint64_t now) {
    if (ier_ != 0) advance(now);
    return interrupt_.level();
  }
  /** First time after `now` at which interrupt() may rise by itself. */
  std::uint64_t next_event(std::uint64_t now) const override;
  bool level(unsigned /*output*/, std::uint64_t now) override { return interrupt(now); }
  LevelChanges& interrupt_output() { return interrupt_; }

  /** Makes the host hold its bytes back while the program has not enabled the FIFOs and the interrupt of the receiver.
   * A driver that starts empties the receiver before it has done both, and what a file has sent by then would be lost.
   */
  void hold_until_enabled() { held_ = true; }
  /** Bytes from the host. */
  void receive(const std::uint8_t* data, std::size_t size) { input_.insert(input_.end(), data, data + size); }
  /** Whether a byte is on its way to the host. */
  bool sending() const { return !transmitted_.empty(); }
  /** Bytes for the host, in order. The caller must empty this after taking them. */
  std::vector<std::uint8_t>& output() { return output_; }

 private:
  /** The access of the program in a cycle. */
  struct Access {
    std::uint32_t offset;
    bool write;
    std::uint8_t value;
  };

  DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
  bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                const Origin& from) override;

  // One cycle, part by part.
  void step(const Access* access);
  void step_bytes(const Access* access);
  void step_interrupts(const Access* access, bool transmitter_was_empty);
  void step_modem(const Access* access);
  void store(const Access& access);
  /** For how many cycles from now on nothing happens but that the receive timeout comes nearer. */
  std::uint64_t quiet() const;

  bool loopback() const;
  bool divisor() const;
  /** An access to the registers that the divisor latches hide. */
  bool meets(const Access* access, bool write, std::uint32_t offset) const;
  std::size_t room() const { return fifos_ ? kFifoBytes : 1; }
  std::size_t trigger_bytes() const;
  bool host_may_send() const { return !loopback() && !holds_back() && received_.size() < room(); }
  bool holds_back() const { return held_ && (!fifos_ || (ier_ & TRAPEZE_UART_IER_ERBFI_MASK) == 0); }
  std::uint8_t identify() const;
  std::uint8_t line_status() const;
  std::uint8_t modem_inputs() const;
  /** The delta bits of the modem inputs, with the changes of this cycle. */
  std::uint8_t modem_changes() const;
  std::uint8_t value_of(std::uint32_t offset) const;

  bool held_ = false;       ///< see hold_until_enabled()
  std::uint64_t time_ = 0;  ///< time that has been reached
  std::uint8_t ier_ = 0;
  std::uint8_t lcr_ = 0;
  std::uint8_t mcr_ = 0;
  std::uint8_t scr_ = 0;
  std::uint8_t dll_ = 0;
  std::uint8_t dlm_ = 0;
  std::uint8_t trigger_ = 0;
  bool fifos_ = false;
  std::deque<std::uint8_t> transmitted_;  ///< bytes in the transmit FIFO
  std::deque<std::uint8_t> received_;     ///< bytes in the receive FIFO
  bool overrun_ = false;
  std::uint64_t alone_ = 0;     ///< time for which the receiver has had bytes and none came or left; at most kTimeout
  std::uint8_t modem_ = 0;      ///< modem inputs in the last cycle
  std::uint8_t deltas_ = 0;     ///< their delta bits after the last cycle
  bool was_empty_ = true;       ///< the transmitter was empty in the last cycle
  bool empty_pending_ = false;  ///< the transmitter-empty interrupt is pending
  LevelChanges interrupt_;      ///< changes of the interrupt output
  std::deque<std::uint8_t> input_;  ///< bytes from the host that have not come to the receiver yet
  std::vector<std::uint8_t> output_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_UART_H
