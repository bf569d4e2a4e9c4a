// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * UART: the 16550 subset of the register description in regs/, behind byte streams to and from the host.
 *
 * The host takes every byte at once, so the transmitter is always empty; received bytes move into the receiver as soon
 * as there is room. Sources: regs/; National Semiconductor PC16550D, sections 8.1 to 8.7.
 *
 * Following a leader: on the hardware a byte takes a few cycles from register to register, so for kLag cycles after an
 * access some bits may have either value. Those are the leader's, and everything else is this UART's own.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_UART_H
#define TRAPEZE_SIM_MODEL_PLATFORM_UART_H

#include <deque>
#include <optional>
#include <vector>

#include "model/memory/device.h"

namespace trapeze::model {

class Uart final : public Device {
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

  /** For a follower: what the leader's next access reads, if it is a read. */
  void lead(std::uint8_t value) { led_ = value; }

  /** Bytes from the host. */
  void receive(const std::uint8_t* data, std::size_t size) { input_.insert(input_.end(), data, data + size); }
  /** Bytes to the host, in order; whoever runs the device empties it. */
  std::vector<std::uint8_t>& output() { return output_; }

 private:
  DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
  bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                const Origin& from) override;

  /** Cycles after which what an access has set going is over. */
  static constexpr std::uint64_t kLag = 8;
  /** A byte in the receiver. */
  struct Received {
    std::uint8_t byte;
    std::uint64_t sure;  ///< following: it is there from then on, at the latest
  };

  bool loopback() const;
  std::size_t room() const { return fifos_ ? kFifoBytes : 1; }
  std::size_t trigger_bytes() const;
  bool timed_out(std::uint64_t now) const;
  void fill(std::uint64_t now);
  void push(std::uint8_t byte, std::uint64_t now);
  std::uint8_t pop(std::uint64_t now);
  void clear_receiver(std::uint64_t now);
  void transmit(std::uint8_t byte, std::uint64_t now);
  void control_fifos(std::uint8_t value, std::uint64_t now);
  void write_mcr(std::uint8_t value, std::uint64_t now);
  std::uint8_t line_status() const;
  std::uint8_t identify(std::uint64_t now) const;
  std::uint8_t modem_inputs() const;
  void update_modem();
  // Following, see uart_led.cpp.
  void forget_leader();
  std::uint8_t led_rbr(std::uint64_t now);
  std::uint8_t led_iir(std::uint64_t now);
  std::uint8_t led_lsr(std::uint64_t now);
  bool arriving(std::uint64_t now) const { return !received_.empty() && now < received_.front().sure; }
  bool timeout_near(std::uint64_t now) const;

  std::uint8_t ier_ = 0;
  std::uint8_t lcr_ = 0;
  std::uint8_t mcr_ = 0;
  std::uint8_t scr_ = 0;
  std::uint8_t dll_ = 0;
  std::uint8_t dlm_ = 0;
  std::uint8_t trigger_ = 0;
  std::uint8_t modem_ = 0;  ///< modem inputs when they were last looked at
  std::uint8_t deltas_ = 0;
  bool fifos_ = false;
  bool overrun_ = false;
  bool empty_pending_ = false;       ///< transmitter-empty interrupt
  std::uint64_t last_activity_ = 0;  ///< time at which a byte entered or left the receiver
  std::deque<Received> received_;
  std::deque<std::uint8_t> input_;
  std::vector<std::uint8_t> output_;
  // Following.
  std::optional<std::uint8_t> led_;  ///< what the leader reads
  bool known_ = true;                ///< what the receiver holds
  bool overrun_known_ = true;        ///< whether there was an overrun
  bool input_known_ = true;          ///< how many bytes of the host have been taken
  std::uint64_t settled_ = 0;        ///< from then on nothing is on its way
  std::uint64_t sent_ = 0;           ///< from then on the transmitter is empty
  std::uint64_t overrun_sure_ = 0;   ///< from then on the last overrun has happened
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_UART_H
