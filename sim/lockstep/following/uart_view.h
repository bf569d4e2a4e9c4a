// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What is known of the leader's UART.
 *
 * On the hardware a byte takes a few cycles from register to register, so for kLag cycles after an access some bits of
 * RBR, IIR and LSR may have either value. Those are the leader's; everything else is the reference UART's own.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_UART_VIEW_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_UART_VIEW_H

#include <cstdint>
#include <deque>

#include "model/platform/uart.h"

namespace trapeze::following {

class UartView final : public model::Uart {
 public:
  /** What the leader's next access reads, if it is a read. */
  void lead(std::uint8_t value) { led_ = value; }

  void reset() override;

 private:
  std::uint8_t read_rbr(std::uint64_t now) override;
  std::uint8_t read_iir(std::uint64_t now) override;
  std::uint8_t read_lsr(std::uint64_t now) override;
  void push(std::uint8_t byte, std::uint64_t now) override;
  std::uint8_t pop(std::uint64_t now) override;
  void clear_receiver(std::uint64_t now) override;
  void transmit(std::uint8_t byte, std::uint64_t now) override;
  void write_mcr(std::uint8_t value, std::uint64_t now) override;

  /** Cycles after which what an access has set going is over. */
  static constexpr std::uint64_t kLag = 8;

  bool arriving(std::uint64_t now) const { return !sure_.empty() && now < sure_.front(); }
  bool timeout_near(std::uint64_t now) const;

  std::uint8_t led_ = 0;            ///< what the leader reads
  std::deque<std::uint64_t> sure_;  ///< for each byte in the receiver: from then on, at the latest, it is there
  bool known_ = true;               ///< what the receiver holds
  bool overrun_known_ = true;       ///< whether there was an overrun
  bool input_known_ = true;         ///< how many bytes of the host have been taken
  std::uint64_t settled_ = 0;       ///< from then on nothing is on its way
  std::uint64_t sent_ = 0;          ///< from then on the transmitter is empty
  std::uint64_t overrun_sure_ = 0;  ///< from then on the last overrun has happened
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_UART_VIEW_H
