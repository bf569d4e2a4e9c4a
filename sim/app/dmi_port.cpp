// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/dmi_port.h"

namespace trapeze {
namespace {

constexpr unsigned kIrBits = 5, kDmi = 0x11;
constexpr unsigned kDmiBits = 41, kDataAt = 2, kAddressAt = 34;
/** Cycles of tck in Run-Test/Idle after an access, which is then done (hw/debug, dtmcs.idle). */
constexpr unsigned kIdle = 5;

}  // namespace

DmiPort::DmiPort() {
  for (int i = 0; i < 5; ++i) bits_.push_back({true, false});  // Test-Logic-Reset from everywhere
  for (const bool tms : {false, true, true, false, false}) bits_.push_back({tms, false});
  shift(kDmi, kIrBits);
}

/** From Shift-DR or Shift-IR through Update to Run-Test/Idle. */
void DmiPort::shift(std::uint64_t data, unsigned size) {
  for (unsigned i = 0; i < size; ++i) bits_.push_back({i + 1 == size, ((data >> i) & 1U) != 0, i == 0});
  bits_.push_back({true, false});
  bits_.push_back({false, false});
}

void DmiPort::scan(unsigned address, std::uint32_t value, std::uint64_t operation) {
  for (const bool tms : {true, false, false}) bits_.push_back({tms, false});
  shift(std::uint64_t{address} << kAddressAt | std::uint64_t{value} << kDataAt | operation, kDmiBits);
  for (unsigned i = 0; i < kIdle; ++i) bits_.push_back({false, false});
}

void DmiPort::read(unsigned address) {
  scan(address, 0, kRead);
  scan(0, 0, kNone);
}

void DmiPort::drive(Engine& engine) {
  const Bit bit = bits_.front();
  std::uint32_t pins = 0;
  if (high_) pins |= TZ_JTAG_TCK;
  if (bit.tms) pins |= TZ_JTAG_TMS;
  if (bit.tdi) pins |= TZ_JTAG_TDI;
  const bool tdo = engine.jtag(pins);
  high_ = !high_;
  if (high_) return;  // this was the falling edge; tdo counts before the rising one
  if (bit.first) place_ = 0;
  if (bit.first) received_ = 0;
  if (place_ < kDmiBits) received_ |= std::uint64_t{tdo} << place_++;
  bits_.pop_front();
  if (bits_.empty()) value_ = static_cast<std::uint32_t>(received_ >> kDataAt);
}

}  // namespace trapeze
