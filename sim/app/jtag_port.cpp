// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/jtag_port.h"

#include <array>
#include <vector>

#include "app/debug_module.h"

namespace trapeze {

using namespace debug_module;

namespace {

/** Clock cycles of the machine in half a period of tck. */
constexpr std::uint64_t kHalf = 2;
/** Periods of tck in Run-Test/Idle after an access to the debug module, which is then done; dtmcs.idle says 5. */
constexpr unsigned kIdle = 8;
/** Cycles after which every hart is halted that was asked to at its reset. */
constexpr std::uint64_t kToHalt = 200;

// The transport (hw/debug/README.md): IR, and a write in the register dmi.
constexpr unsigned kIrBits = 5;
constexpr std::uint64_t kIrDmi = 0x11;
constexpr unsigned kDmiBits = 41, kDataAt = 2, kAddressAt = 34;

/** `j .`: a hart stays where it is. */
constexpr std::array<std::uint8_t, 4> kLoop{0x6f, 0, 0, 0};

}  // namespace

JtagPort::JtagPort(Engine& engine, Session& session, RunState& state)
    : engine_(engine), session_(session), state_(state) {
  drive(TZ_JTAG_RESET);
  drive(0);
}

void JtagPort::drive(std::uint32_t pins) {
  engine_.jtag(pins);
  pins_ = pins;
  session_.advance(state_, state_.cycle + kHalf);
}

bool JtagPort::tdo() {
  return engine_.jtag(pins_);
}

/** Returns tdo. */
bool JtagPort::clock(bool tms, bool tdi) {
  const std::uint32_t pins = (tms ? std::uint32_t{TZ_JTAG_TMS} : 0) | (tdi ? std::uint32_t{TZ_JTAG_TDI} : 0);
  drive(pins);
  const bool out = tdo();
  drive(pins | TZ_JTAG_TCK);
  return out;
}

/** From Shift-IR or Shift-DR to Run-Test/Idle. Returns what was there. */
std::uint64_t JtagPort::shift(std::uint64_t bits, unsigned count) {
  std::uint64_t out = 0;
  for (unsigned i = 0; i < count; ++i) {
    out |= std::uint64_t{clock(i + 1 == count, (bits >> i & 1) != 0)} << i;
  }
  clock(true, false);
  clock(false, false);
  return out;
}

std::uint64_t JtagPort::scan(unsigned address, std::uint32_t value, std::uint64_t operation) {
  for (const bool tms : {true, false, false}) clock(tms, false);
  const std::uint64_t out =
      shift(std::uint64_t{address} << kAddressAt | std::uint64_t{value} << kDataAt | operation, kDmiBits);
  for (unsigned i = 0; i < kIdle; ++i) clock(false, false);
  return out;
}

std::uint32_t JtagPort::read(unsigned address) {
  scan(address, 0, kRead);
  return static_cast<std::uint32_t>(scan(0, 0, kNone) >> kDataAt);
}

void JtagPort::reset() {
  for (const bool tms : {true, true, true, true, true, false, true, true, false, false}) clock(tms, false);
  shift(kIrDmi, kIrBits);
}

void JtagPort::halt_at_reset() {
  const unsigned harts = engine_.harts();
  std::vector<std::array<std::uint8_t, kLoop.size()>> kept(harts);
  const auto vector = [this](unsigned hart) { return engine_.hart(hart).reset_vector; };
  // Up to the reset the harts loop. So nothing of the program is executed twice.
  for (unsigned hart = 0; hart < harts; ++hart)
    engine_.read_memory(hart, vector(hart), kept[hart].data(), kLoop.size());
  for (unsigned hart = 0; hart < harts; ++hart) engine_.write_memory(hart, vector(hart), kLoop.data(), kLoop.size());
  reset();
  write(kControl, kActive);
  for (unsigned hart = 0; hart < harts; ++hart) write(kControl, kActive | kHaltAtReset | hart << kHartAt);
  write(kControl, kActive | kNdmReset);
  for (unsigned hart = 0; hart < harts; ++hart)
    engine_.write_memory(hart, vector(hart), kept[hart].data(), kLoop.size());
  write(kControl, kActive);
  session_.advance(state_, state_.cycle + kToHalt);
  for (unsigned hart = 0; hart < harts; ++hart) {
    write(kControl, kActive | kClearHaltAtReset | kAckReset | hart << kHartAt);
  }
}

}  // namespace trapeze
