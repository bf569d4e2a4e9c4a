// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "lockstep/following/uart_view.h"

#include <trapeze/uart.h>

#include <algorithm>

namespace trapeze::following {

void UartView::reset() {
  Uart::reset();
  sure_.clear();
  known_ = overrun_known_ = input_known_ = true;
  settled_ = sent_ = overrun_sure_ = 0;
}

// --- bytes on their way

void UartView::push(std::uint8_t byte, std::uint64_t now) {
  const std::size_t before = received_.size();
  const std::uint64_t sure = now + kLag + before;  // one comes in a cycle
  settled_ = std::max(settled_, sure);
  if (!known_) {
    overrun_known_ = false;
    overrun_sure_ = sure;
  }
  Uart::push(byte, now);
  if (received_.size() > before) {
    sure_.push_back(sure);
    return;
  }
  overrun_sure_ = sure;
  if (!fifos_) sure_.back() = sure;
}

std::uint8_t UartView::pop(std::uint64_t now) {
  if (!sure_.empty()) sure_.pop_front();
  return Uart::pop(now);
}

void UartView::clear_receiver(std::uint64_t now) {
  // Of what was on its way from the host some may be lost and some not.
  if (now < settled_ && !loopback() && !received_.empty()) input_known_ = false;
  Uart::clear_receiver(now);
  sure_.clear();
  known_ = loopback() || input_known_;
  if (!known_) settled_ = std::max(settled_, now + kLag);
}

void UartView::transmit(std::uint8_t byte, std::uint64_t now) {
  Uart::transmit(byte, now);
  sent_ = now + kLag;
  settled_ = std::max(settled_, sent_);
}

void UartView::write_mcr(std::uint8_t value, std::uint64_t now) {
  const bool looped = loopback();
  Uart::write_mcr(value, now);
  if (looped == loopback()) return;
  // Of what was on its way from the host some may have come and some not.
  if (!looped && now < settled_ && !received_.empty()) known_ = input_known_ = false;
  if (looped) input_known_ &= known_;
  if (looped) known_ &= input_known_;
  if (!known_) settled_ = std::max(settled_, now + kLag);
}

// --- registers

std::uint8_t UartView::read_rbr(std::uint64_t now) {
  // A byte on its way destroys the one that is here, or comes behind it.
  if (now < overrun_sure_) known_ = overrun_known_ = false;
  if (!known_) {
    input_known_ &= loopback();
    settled_ = std::max(settled_, now + kLag);
    pop(now);
    return led_;
  }
  if (arriving(now) && led_ == 0) {
    // It has not come yet; unless it is itself a zero.
    if (received_.front() == 0) known_ = input_known_ = false;
    last_activity_ = now;
    return 0;
  }
  return pop(now);
}

std::uint8_t UartView::read_lsr(std::uint64_t now) {
  const bool overrun_unsure = now < overrun_sure_;
  unsigned unsure = 0;
  if (now < sent_) unsure |= TRAPEZE_UART_LSR_THRE_MASK | TRAPEZE_UART_LSR_TEMT_MASK;
  if (!known_ || arriving(now)) unsure |= TRAPEZE_UART_LSR_DR_MASK;
  if (!overrun_known_ || overrun_unsure) unsure |= TRAPEZE_UART_LSR_OE_MASK;
  const unsigned value = (line_status() & ~unsure) | (led_ & unsure);
  overrun_known_ = !overrun_unsure;  // the read clears it, or came too early
  if (!known_ && now >= settled_ && (value & TRAPEZE_UART_LSR_DR_MASK) == 0) {
    // An empty receiver is known again, and there is nothing left that could come in.
    received_.clear();
    sure_.clear();
    if (!loopback()) input_.clear();
    input_known_ |= !loopback();
    known_ = true;
  }
  return static_cast<std::uint8_t>(value);
}

bool UartView::timeout_near(std::uint64_t now) const {
  constexpr std::uint64_t kSlack = kLag + kFifoBytes;
  const std::uint64_t idle = now - last_activity_;
  return fifos_ && !received_.empty() && idle + kSlack >= kTimeout && idle < kTimeout + kSlack;
}

std::uint8_t UartView::read_iir(std::uint64_t now) {
  const bool unsure = !known_ || !overrun_known_ || now < settled_ || timeout_near(now);
  return unsure ? static_cast<std::uint8_t>(led_ & TRAPEZE_UART_IIR_ID_MASK) : identify(now);
}

}  // namespace trapeze::following
