// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/uart.h"

#include <algorithm>
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
  const bool held = held_;
  *this = Uart();
  held_ = held;
  ier_ = TRAPEZE_UART_IER_RESET;
  lcr_ = TRAPEZE_UART_LCR_RESET;
  mcr_ = TRAPEZE_UART_MCR_RESET;
  scr_ = TRAPEZE_UART_SCR_RESET;
  dll_ = TRAPEZE_UART_DLL_RESET;
  dlm_ = TRAPEZE_UART_DLM_RESET;
  modem_ = modem_inputs();
}

// --- time

std::uint64_t Uart::quiet() const {
  const bool settled = transmitted_.empty() && was_empty_ && modem_ == modem_inputs();
  if (!settled || (!input_.empty() && host_may_send())) return 0;
  return received_.empty() || alone_ == kTimeout ? kNever : kTimeout - alone_;
}

void Uart::advance(std::uint64_t now) {
  while (time_ < now) {
    const std::uint64_t skipped = std::min(quiet(), now - time_);
    if (skipped == 0) {
      step(nullptr);
      continue;
    }
    time_ += skipped;
    if (!received_.empty()) alone_ = std::min(kTimeout, alone_ + skipped);
    interrupt_.note(time_, identify() != TRAPEZE_UART_IIR_ID_NONE);
  }
}

std::uint64_t Uart::next_event(std::uint64_t now) const {
  if (ier_ == 0) return kNever;
  const std::uint64_t wait = quiet();
  return wait == kNever ? kNever : std::max(time_ + wait, now + 1);
}

// --- one cycle

bool Uart::loopback() const {
  return (mcr_ & TRAPEZE_UART_MCR_LOOPBACK_MASK) != 0;
}

bool Uart::divisor() const {
  return (lcr_ & TRAPEZE_UART_LCR_DLAB_MASK) != 0;
}

bool Uart::meets(const Access* access, bool write, std::uint32_t offset) const {
  return access != nullptr && access->write == write && access->offset == offset && !divisor();
}

void Uart::step(const Access* access) {
  const bool transmitter_was_empty = transmitted_.empty();
  step_interrupts(access, transmitter_was_empty);
  step_modem(access);
  step_bytes(access);
  if (access != nullptr && access->write) store(*access);
  was_empty_ = transmitter_was_empty;
  ++time_;
  interrupt_.note(time_, identify() != TRAPEZE_UART_IIR_ID_NONE);
}

void Uart::step_interrupts(const Access* access, bool transmitter_was_empty) {
  // The transmitter interrupt comes when the last byte has left, or when it is enabled while there is none.
  constexpr std::uint8_t kEnable = TRAPEZE_UART_IER_ETBEI_MASK;
  if (meets(access, true, TRAPEZE_UART_THR_OFFSET)) {
    empty_pending_ = false;
  } else if (transmitter_was_empty && !was_empty_) {
    empty_pending_ = true;
  } else if (meets(access, true, TRAPEZE_UART_IER_OFFSET) && (access->value & ~ier_ & kEnable) != 0) {
    empty_pending_ = transmitter_was_empty;
  } else if (access != nullptr && !access->write && access->offset == TRAPEZE_UART_IIR_OFFSET &&
             identify() == TRAPEZE_UART_IIR_ID_THR_EMPTY) {
    empty_pending_ = false;
  }
}

void Uart::step_modem(const Access* access) {
  const bool read = access != nullptr && !access->write && access->offset == TRAPEZE_UART_MSR_OFFSET;
  deltas_ = read ? 0 : modem_changes();
  modem_ = modem_inputs();
}

void Uart::step_bytes(const Access* access) {
  const bool pop = meets(access, false, TRAPEZE_UART_RBR_OFFSET);
  const bool control = access != nullptr && access->write && access->offset == TRAPEZE_UART_FCR_OFFSET;
  const bool enable = control && (access->value & TRAPEZE_UART_FCR_ENABLE_MASK) != 0;
  const bool toggle = control && enable != fifos_;
  // Bit 0 of FCR must be 1 when other bits are written, else they are not programmed.
  const bool clear_receiver = toggle || (enable && (access->value & TRAPEZE_UART_FCR_RX_RESET_MASK) != 0);
  const bool clear_transmitter = toggle || (enable && (access->value & TRAPEZE_UART_FCR_TX_RESET_MASK) != 0);
  if (access != nullptr && !access->write && access->offset == TRAPEZE_UART_LSR_OFFSET) overrun_ = false;

  // The byte that comes to the receiver: in loop-back the one that leaves the transmitter, else one of the host, if
  // there is room.
  std::optional<std::uint8_t> comes;
  const bool has_room = received_.size() < kFifoBytes;
  bool lost = false;
  const bool leaves = !transmitted_.empty();
  const bool transmit = meets(access, true, TRAPEZE_UART_THR_OFFSET) && transmitted_.size() < room();
  if (leaves) {
    const std::uint8_t byte = transmitted_.front();
    transmitted_.pop_front();
    if (!loopback()) {
      output_.push_back(byte);
    } else if (has_room) {
      comes = byte;
    }
    lost = loopback() && !has_room;
  }
  if (host_may_send() && !clear_receiver && !input_.empty()) {
    comes = input_.front();
    input_.pop_front();
  }
  // Without FIFOs the new byte replaces the one in RBR, unless that one is read in this cycle.
  const bool destroys = loopback() && leaves && !fifos_ && !received_.empty() && !pop;
  overrun_ |= lost || destroys;

  const bool had = !received_.empty();
  if ((pop || destroys) && had) received_.pop_front();
  if (comes) received_.push_back(*comes);
  if (clear_receiver) received_.clear();
  alone_ = !had || comes || pop || clear_receiver ? 0 : std::min(kTimeout, alone_ + 1);
  if (transmit) transmitted_.push_back(access->value);
  if (clear_transmitter) transmitted_.clear();
}

void Uart::store(const Access& access) {
  const std::uint8_t value = access.value;
  switch (access.offset) {
    case TRAPEZE_UART_THR_OFFSET:
      if (divisor()) dll_ = value;
      break;
    case TRAPEZE_UART_IER_OFFSET:
      if (divisor()) {
        dlm_ = value;
      } else {
        ier_ = value & kIerMask;
      }
      break;
    case TRAPEZE_UART_FCR_OFFSET:
      fifos_ = (value & TRAPEZE_UART_FCR_ENABLE_MASK) != 0;
      if (fifos_) {
        trigger_ = static_cast<std::uint8_t>((value & TRAPEZE_UART_FCR_TRIGGER_MASK) >> TRAPEZE_UART_FCR_TRIGGER_SHIFT);
      }
      break;
    case TRAPEZE_UART_LCR_OFFSET:
      lcr_ = value;
      break;
    case TRAPEZE_UART_MCR_OFFSET:
      mcr_ = value & kMcrMask;
      break;
    case TRAPEZE_UART_SCR_OFFSET:
      scr_ = value;
      break;
    default:
      break;  // LSR and MSR are read-only
  }
}

// --- what registers say

std::size_t Uart::trigger_bytes() const {
  static constexpr std::size_t kBytes[4] = {1, 4, 8, 14};
  return fifos_ ? kBytes[trigger_] : 1;
}

std::uint8_t Uart::identify() const {
  if ((ier_ & TRAPEZE_UART_IER_ELSI_MASK) != 0 && overrun_) return TRAPEZE_UART_IIR_ID_LINE_STATUS;
  if ((ier_ & TRAPEZE_UART_IER_ERBFI_MASK) != 0) {
    if (received_.size() >= trigger_bytes()) return TRAPEZE_UART_IIR_ID_RX_DATA;
    if (fifos_ && alone_ == kTimeout) return TRAPEZE_UART_IIR_ID_RX_TIMEOUT;
  }
  if ((ier_ & TRAPEZE_UART_IER_ETBEI_MASK) != 0 && empty_pending_) return TRAPEZE_UART_IIR_ID_THR_EMPTY;
  if ((ier_ & TRAPEZE_UART_IER_EDSSI_MASK) != 0 && modem_changes() != 0) return TRAPEZE_UART_IIR_ID_MODEM;
  return TRAPEZE_UART_IIR_ID_NONE;
}

std::uint8_t Uart::line_status() const {
  unsigned value = 0;
  if (transmitted_.empty()) value |= TRAPEZE_UART_LSR_THRE_MASK | TRAPEZE_UART_LSR_TEMT_MASK;
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

std::uint8_t Uart::modem_changes() const {
  const unsigned changed = modem_inputs() ^ modem_;
  unsigned deltas = deltas_;
  if ((changed & TRAPEZE_UART_MSR_CTS_MASK) != 0) deltas |= TRAPEZE_UART_MSR_DCTS_MASK;
  if ((changed & TRAPEZE_UART_MSR_DSR_MASK) != 0) deltas |= TRAPEZE_UART_MSR_DDSR_MASK;
  if ((changed & modem_ & TRAPEZE_UART_MSR_RI_MASK) != 0) deltas |= TRAPEZE_UART_MSR_TERI_MASK;
  if ((changed & TRAPEZE_UART_MSR_DCD_MASK) != 0) deltas |= TRAPEZE_UART_MSR_DDCD_MASK;
  return static_cast<std::uint8_t>(deltas);
}

std::uint8_t Uart::value_of(std::uint32_t offset) const {
  switch (offset) {
    case TRAPEZE_UART_RBR_OFFSET:
      return divisor() ? dll_ : received_.empty() ? TRAPEZE_UART_RBR_RESET : received_.front();
    case TRAPEZE_UART_IER_OFFSET:
      return divisor() ? dlm_ : ier_;
    case TRAPEZE_UART_IIR_OFFSET:
      return static_cast<std::uint8_t>(identify() | (fifos_ ? TRAPEZE_UART_IIR_FIFOS_MASK : 0U));
    case TRAPEZE_UART_LCR_OFFSET:
      return lcr_;
    case TRAPEZE_UART_MCR_OFFSET:
      return mcr_;
    case TRAPEZE_UART_LSR_OFFSET:
      return line_status();
    case TRAPEZE_UART_MSR_OFFSET:
      return static_cast<std::uint8_t>(modem_inputs() | modem_changes());
    default:
      return scr_;
  }
}

DeviceRead Uart::on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& /*from*/) {
  if (std::popcount(enables) != 1) return {0, true, false};
  const auto lane = static_cast<unsigned>(std::countr_zero(enables));
  offset += lane;
  if (offset >= kRegisters) return {0, true, false};
  advance(now);
  const std::uint8_t value = value_of(offset);
  const Access access{offset, false, 0};
  step(&access);
  return {std::uint32_t{value} << (8 * lane), false, false};
}

bool Uart::on_write(std::uint32_t offset, unsigned enables, std::uint32_t word, std::uint64_t now,
                    const Origin& /*from*/) {
  if (std::popcount(enables) != 1) return false;
  const auto lane = static_cast<unsigned>(std::countr_zero(enables));
  offset += lane;
  if (offset >= kRegisters) return false;
  advance(now);
  const Access access{offset, true, static_cast<std::uint8_t>(word >> (8 * lane))};
  step(&access);
  return true;
}

}  // namespace trapeze::model
