// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Following a leader: what RBR, LSR and IIR read. What a byte on its way makes uncertain is the leader's; whatever
// else it reads is compared with this UART's own value.
#include <trapeze/uart.h>

#include <algorithm>

#include "model/platform/uart.h"

namespace trapeze::model {

void Uart::forget_leader() {
  led_.reset();
  known_ = overrun_known_ = input_known_ = true;
  settled_ = sent_ = overrun_sure_ = 0;
}

std::uint8_t Uart::led_rbr(std::uint64_t now) {
  // A byte on its way destroys the one that is here, or comes behind it.
  if (now < overrun_sure_) known_ = overrun_known_ = false;
  if (!known_) {
    input_known_ &= loopback();
    settled_ = std::max(settled_, now + kLag);
    pop(now);
    return *led_;
  }
  if (arriving(now) && *led_ == 0) {
    // It has not come yet; unless it is itself a zero.
    if (received_.front().byte == 0) known_ = input_known_ = false;
    last_activity_ = now;
    return 0;
  }
  return pop(now);
}

std::uint8_t Uart::led_lsr(std::uint64_t now) {
  const bool overrun_unsure = now < overrun_sure_;
  unsigned unsure = 0;
  if (now < sent_) unsure |= TRAPEZE_UART_LSR_THRE_MASK | TRAPEZE_UART_LSR_TEMT_MASK;
  if (!known_ || arriving(now)) unsure |= TRAPEZE_UART_LSR_DR_MASK;
  if (!overrun_known_ || overrun_unsure) unsure |= TRAPEZE_UART_LSR_OE_MASK;
  const unsigned value = (line_status() & ~unsure) | (*led_ & unsure);
  overrun_known_ = !overrun_unsure;  // the read clears it, or came too early
  if (!known_ && now >= settled_ && (value & TRAPEZE_UART_LSR_DR_MASK) == 0) {
    // An empty receiver is known again, and there is nothing left that could come in.
    received_.clear();
    if (!loopback()) input_.clear();
    input_known_ |= !loopback();
    known_ = true;
  }
  return static_cast<std::uint8_t>(value);
}

bool Uart::timeout_near(std::uint64_t now) const {
  constexpr std::uint64_t kSlack = kLag + kFifoBytes;
  const std::uint64_t idle = now - last_activity_;
  return fifos_ && !received_.empty() && idle + kSlack >= kTimeout && idle < kTimeout + kSlack;
}

std::uint8_t Uart::led_iir(std::uint64_t now) {
  const bool unsure = !known_ || !overrun_known_ || now < settled_ || timeout_near(now);
  return unsure ? *led_ & TRAPEZE_UART_IIR_ID_MASK : identify(now);
}

}  // namespace trapeze::model
