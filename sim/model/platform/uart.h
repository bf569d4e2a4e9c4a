// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * UART: the 16550 subset of the register description in regs/, behind byte streams to and from the host.
 *
 * The host takes every byte at once, so the transmitter is always empty; received bytes move into the receiver as soon
 * as there is room. Sources: regs/; National Semiconductor PC16550D, sections 8.1 to 8.7.
 *
 * What is virtual depends on how long a byte takes from register to register; here that is no time.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_UART_H
#define TRAPEZE_SIM_MODEL_PLATFORM_UART_H

#include <deque>
#include <vector>

#include "model/memory/device.h"

namespace trapeze::model {

class Uart : public Device {
 public:
  /** Bytes in each FIFO. */
  static constexpr std::size_t kFifoBytes = 16;
  /** Time without a byte in or out after which bytes below the trigger level raise an interrupt. */
  static constexpr std::uint64_t kTimeout = 64;

  void reset() override;

  /** Level of the interrupt output. */
  bool interrupt(std::uint64_t now);
  /** First time after `now` at which interrupt() may rise by itself. */
  std::uint64_t next_event(std::uint64_t now) const;
  /** True if any of its interrupts is enabled. */
  bool interrupts_enabled() const { return ier_ != 0; }

  /** Bytes from the host. */
  void receive(const std::uint8_t* data, std::size_t size) { input_.insert(input_.end(), data, data + size); }
  /** Bytes to the host, in order; whoever runs the device empties it. */
  std::vector<std::uint8_t>& output() { return output_; }

 protected:
  DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
  bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                const Origin& from) override;

  // Registers whose value depends on when bytes come and go.
  virtual std::uint8_t read_rbr(std::uint64_t now) { return pop(now); }
  /** Which interrupt IIR names, see identify(). */
  virtual std::uint8_t read_iir(std::uint64_t now) { return identify(now); }
  virtual std::uint8_t read_lsr(std::uint64_t /*now*/) { return line_status(); }
  // What moves bytes.
  virtual void push(std::uint8_t byte, std::uint64_t now);
  virtual std::uint8_t pop(std::uint64_t now);
  virtual void clear_receiver(std::uint64_t now);
  virtual void transmit(std::uint8_t byte, std::uint64_t now);
  virtual void write_mcr(std::uint8_t value, std::uint64_t now);

  bool loopback() const;
  std::size_t room() const { return fifos_ ? kFifoBytes : 1; }
  std::uint8_t line_status() const;
  std::uint8_t identify(std::uint64_t now) const;

  bool fifos_ = false;
  bool overrun_ = false;
  std::uint64_t last_activity_ = 0;    ///< time at which a byte entered or left the receiver
  std::deque<std::uint8_t> received_;  ///< what the receiver holds
  std::deque<std::uint8_t> input_;     ///< of the host, still to come

 private:
  std::size_t trigger_bytes() const;
  bool timed_out(std::uint64_t now) const;
  void fill(std::uint64_t now);
  void control_fifos(std::uint8_t value, std::uint64_t now);
  std::uint8_t modem_inputs() const;
  void update_modem();

  std::uint8_t ier_ = 0;
  std::uint8_t lcr_ = 0;
  std::uint8_t mcr_ = 0;
  std::uint8_t scr_ = 0;
  std::uint8_t dll_ = 0;
  std::uint8_t dlm_ = 0;
  std::uint8_t trigger_ = 0;
  std::uint8_t modem_ = 0;  ///< modem inputs when they were last looked at
  std::uint8_t deltas_ = 0;
  bool empty_pending_ = false;  ///< transmitter-empty interrupt
  std::vector<std::uint8_t> output_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_UART_H
