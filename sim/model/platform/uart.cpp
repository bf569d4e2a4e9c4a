// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/uart.h"

#include <trapeze/uart.h>

#include <bit>

namespace trapeze::model {
namespace {

constexpr std::uint32_t kRegisters = TRAPEZE_UART_SCR_OFFSET + 1;
constexpr std::uint8_t kIerMask = TRAPEZE_UART_IER_ERBFI_MASK | TRAPEZE_UART_IER_ETBEI_MASK |
                                  TRAPEZE_UART_IER_ELSI_MASK | TRAPEZE_UART_IER_EDSSI_MASK;
constexpr std::uint8_t kMcrMask = TRAPEZE_UART_MCR_DTR_MASK | TRAPEZE_UART_MCR_RTS_MASK | TRAPEZE_UART_MCR_OUT1_MASK |
                                  TRAPEZE_UART_MCR_OUT2_MASK | TRAPEZE_UART_MCR_LOOPBACK_MASK;

}  // namespace

void Uart::reset() {
  ier_ = TRAPEZE_UART_IER_RESET;
  lcr_ = TRAPEZE_UART_LCR_RESET;
  mcr_ = TRAPEZE_UART_MCR_RESET;
  scr_ = TRAPEZE_UART_SCR_RESET;
  dll_ = TRAPEZE_UART_DLL_RESET;
  dlm_ = TRAPEZE_UART_DLM_RESET;
  trigger_ = 0;
  deltas_ = 0;
  fifos_ = false;
  overrun_ = false;
  empty_pending_ = false;
  last_activity_ = 0;
  received_.clear();
  input_.clear();
  output_.clear();
  modem_ = modem_inputs();
}

bool Uart::loopback() const {
  return (mcr_ & TRAPEZE_UART_MCR_LOOPBACK_MASK) != 0;
}

std::size_t Uart::trigger_bytes() const {
  static constexpr std::size_t kBytes[4] = {1, 4, 8, 14};
  return fifos_ ? kBytes[trigger_] : 1;
}

bool Uart::timed_out(std::uint64_t now) const {
  return fifos_ && !received_.empty() && now - last_activity_ >= kTimeout;
}

void Uart::fill(std::uint64_t now) {
  if (loopback()) return;
  while (!input_.empty() && received_.size() < room()) {
    const std::uint8_t byte = input_.front();
    input_.pop_front();
    push(byte, now);
  }
}

void Uart::push(std::uint8_t byte, std::uint64_t now) {
  last_activity_ = now;
  if (received_.size() < room()) {
    received_.push_back(byte);
    return;
  }
  // Overrun: without FIFOs the byte in the buffer is lost, with them the one that just came.
  overrun_ = true;
  if (!fifos_) received_.back() = byte;
}

std::uint8_t Uart::pop(std::uint64_t now) {
  last_activity_ = now;
  if (received_.empty()) return 0;
  const std::uint8_t byte = received_.front();
  received_.pop_front();
  return byte;
}

void Uart::clear_receiver(std::uint64_t /*now*/) {
  received_.clear();
}

void Uart::transmit(std::uint8_t byte, std::uint64_t now) {
  if (loopback()) {
    push(byte, now);
  } else {
    output_.push_back(byte);
  }
  empty_pending_ = true;  // it leaves at once, so the holding register is empty again
}

void Uart::control_fifos(std::uint8_t value, std::uint64_t now) {
  const bool enable = (value & TRAPEZE_UART_FCR_ENABLE_MASK) != 0;
  if (enable != fifos_) clear_receiver(now);
  fifos_ = enable;
  if (!enable) return;  // bit 0 must be 1 when other bits are written, else they are not programmed
  if ((value & TRAPEZE_UART_FCR_RX_RESET_MASK) != 0) clear_receiver(now);
  trigger_ = static_cast<std::uint8_t>((value & TRAPEZE_UART_FCR_TRIGGER_MASK) >> TRAPEZE_UART_FCR_TRIGGER_SHIFT);
}

std::uint8_t Uart::identify(std::uint64_t now) const {
  if ((ier_ & TRAPEZE_UART_IER_ELSI_MASK) != 0 && overrun_) return TRAPEZE_UART_IIR_ID_LINE_STATUS;
  if ((ier_ & TRAPEZE_UART_IER_ERBFI_MASK) != 0) {
    if (received_.size() >= trigger_bytes()) return TRAPEZE_UART_IIR_ID_RX_DATA;
    if (timed_out(now)) return TRAPEZE_UART_IIR_ID_RX_TIMEOUT;
  }
  if ((ier_ & TRAPEZE_UART_IER_ETBEI_MASK) != 0 && empty_pending_) return TRAPEZE_UART_IIR_ID_THR_EMPTY;
  if ((ier_ & TRAPEZE_UART_IER_EDSSI_MASK) != 0 && deltas_ != 0) return TRAPEZE_UART_IIR_ID_MODEM;
  return TRAPEZE_UART_IIR_ID_NONE;
}

std::uint8_t Uart::line_status() const {
  unsigned value = TRAPEZE_UART_LSR_THRE_MASK | TRAPEZE_UART_LSR_TEMT_MASK;
  if (!received_.empty()) value |= TRAPEZE_UART_LSR_DR_MASK;
  if (overrun_) value |= TRAPEZE_UART_LSR_OE_MASK;
  return static_cast<std::uint8_t>(value);
}

std::uint8_t Uart::modem_inputs() const {
  if (!loopback()) return TRAPEZE_UART_MSR_CTS_MASK | TRAPEZE_UART_MSR_DSR_MASK | TRAPEZE_UART_MSR_DCD_MASK;
  unsigned inputs = 0;
  if ((mcr_ & TRAPEZE_UART_MCR_RTS_MASK) != 0) inputs |= TRAPEZE_UART_MSR_CTS_MASK;
  if ((mcr_ & TRAPEZE_UART_MCR_DTR_MASK) != 0) inputs |= TRAPEZE_UART_MSR_DSR_MASK;
  if ((mcr_ & TRAPEZE_UART_MCR_OUT1_MASK) != 0) inputs |= TRAPEZE_UART_MSR_RI_MASK;
  if ((mcr_ & TRAPEZE_UART_MCR_OUT2_MASK) != 0) inputs |= TRAPEZE_UART_MSR_DCD_MASK;
  return static_cast<std::uint8_t>(inputs);
}

void Uart::update_modem() {
  const std::uint8_t inputs = modem_inputs();
  const unsigned changed = inputs ^ modem_;
  unsigned deltas = deltas_;
  if ((changed & TRAPEZE_UART_MSR_CTS_MASK) != 0) deltas |= TRAPEZE_UART_MSR_DCTS_MASK;
  if ((changed & TRAPEZE_UART_MSR_DSR_MASK) != 0) deltas |= TRAPEZE_UART_MSR_DDSR_MASK;
  if ((changed & modem_ & TRAPEZE_UART_MSR_RI_MASK) != 0) deltas |= TRAPEZE_UART_MSR_TERI_MASK;
  if ((changed & TRAPEZE_UART_MSR_DCD_MASK) != 0) deltas |= TRAPEZE_UART_MSR_DDCD_MASK;
  deltas_ = static_cast<std::uint8_t>(deltas);
  modem_ = inputs;
}

void Uart::write_mcr(std::uint8_t value, std::uint64_t /*now*/) {
  mcr_ = value;
  update_modem();
}

DeviceRead Uart::on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& /*from*/) {
  if (std::popcount(enables) != 1) return {0, true, false};
  const auto lane = static_cast<unsigned>(std::countr_zero(enables));
  offset += lane;
  if (offset >= kRegisters) return {0, true, false};
  fill(now);
  const bool divisor = (lcr_ & TRAPEZE_UART_LCR_DLAB_MASK) != 0;
  std::uint8_t value = 0;
  bool timed = false;
  switch (offset) {
    case TRAPEZE_UART_RBR_OFFSET:
      timed = !divisor;
      value = divisor ? dll_ : read_rbr(now);
      break;
    case TRAPEZE_UART_IER_OFFSET:
      value = divisor ? dlm_ : ier_;
      break;
    case TRAPEZE_UART_IIR_OFFSET:
      timed = true;
      value = read_iir(now);
      if (value == TRAPEZE_UART_IIR_ID_THR_EMPTY) empty_pending_ = false;
      if (fifos_) value = static_cast<std::uint8_t>(value | TRAPEZE_UART_IIR_FIFOS_MASK);
      break;
    case TRAPEZE_UART_LCR_OFFSET:
      value = lcr_;
      break;
    case TRAPEZE_UART_MCR_OFFSET:
      value = mcr_;
      break;
    case TRAPEZE_UART_LSR_OFFSET:
      timed = true;
      value = read_lsr(now);
      overrun_ = false;
      break;
    case TRAPEZE_UART_MSR_OFFSET:
      value = static_cast<std::uint8_t>(modem_ | deltas_);
      deltas_ = 0;
      break;
    default:
      value = scr_;
      break;
  }
  fill(now);  // what waited for room
  return {std::uint32_t{value} << (8 * lane), false, timed};
}

bool Uart::on_write(std::uint32_t offset, unsigned enables, std::uint32_t word, std::uint64_t now,
                    const Origin& /*from*/) {
  if (std::popcount(enables) != 1) return false;
  const auto lane = static_cast<unsigned>(std::countr_zero(enables));
  offset += lane;
  if (offset >= kRegisters) return false;
  fill(now);
  const auto value = static_cast<std::uint8_t>(word >> (8 * lane));
  const bool divisor = (lcr_ & TRAPEZE_UART_LCR_DLAB_MASK) != 0;
  switch (offset) {
    case TRAPEZE_UART_THR_OFFSET:
      if (divisor) {
        dll_ = value;
      } else {
        transmit(value, now);
      }
      break;
    case TRAPEZE_UART_IER_OFFSET:
      if (divisor) {
        dlm_ = value;
      } else {
        // Enabling the interrupt of an empty transmitter raises it.
        if ((value & ~ier_ & TRAPEZE_UART_IER_ETBEI_MASK) != 0) empty_pending_ = true;
        ier_ = value & kIerMask;
      }
      break;
    case TRAPEZE_UART_FCR_OFFSET:
      control_fifos(value, now);
      break;
    case TRAPEZE_UART_LCR_OFFSET:
      lcr_ = value;
      break;
    case TRAPEZE_UART_MCR_OFFSET:
      write_mcr(value & kMcrMask, now);
      break;
    case TRAPEZE_UART_SCR_OFFSET:
      scr_ = value;
      break;
    default:
      break;  // LSR and MSR are read-only
  }
  fill(now);
  return true;
}

bool Uart::interrupt(std::uint64_t now) {
  if (ier_ == 0) return false;
  fill(now);
  return identify(now) != TRAPEZE_UART_IIR_ID_NONE;
}

std::uint64_t Uart::next_event(std::uint64_t now) const {
  if ((ier_ & TRAPEZE_UART_IER_ERBFI_MASK) == 0 || !fifos_ || received_.empty() || timed_out(now)) return kNever;
  return last_activity_ + kTimeout;
}

}  // namespace trapeze::model
