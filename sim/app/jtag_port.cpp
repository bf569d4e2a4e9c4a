// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/jtag_port.h"

#include <array>
#include <vector>

namespace trapeze {
namespace {

/** Clock cycles of the machine in half a period of tck. */
constexpr std::uint64_t kHalf = 2;
/** Periods of tck in Run-Test/Idle after an access to the debug module; dtmcs.idle says 5. */
constexpr unsigned kIdle = 8;
/** Cycles after which every hart is halted that was asked to at its reset. */
constexpr std::uint64_t kToHalt = 200;

// The transport (hw/debug/README.md): IR, and a write in the register dmi.
constexpr unsigned kIrBits = 5;
constexpr std::uint64_t kIrDmi = 0x11;
constexpr unsigned kDmiBits = 41;
constexpr std::uint64_t kWrite = 2;
constexpr std::uint64_t kDmcontrol = 0x10;

// dmcontrol.
constexpr std::uint32_t kActive = 1U << 0;
constexpr std::uint32_t kNdmReset = 1U << 1;
constexpr std::uint32_t kClearHaltAtReset = 1U << 2;
constexpr std::uint32_t kHaltAtReset = 1U << 3;
constexpr std::uint32_t kAckReset = 1U << 28;
constexpr unsigned kHartShift = 16;

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

void JtagPort::clock(bool tms, bool tdi) {
  const std::uint32_t pins = (tms ? std::uint32_t{TZ_JTAG_TMS} : 0) | (tdi ? std::uint32_t{TZ_JTAG_TDI} : 0);
  drive(pins);
  drive(pins | TZ_JTAG_TCK);
}

/** From Shift-IR or Shift-DR to Run-Test/Idle. */
void JtagPort::shift(std::uint64_t bits, unsigned count) {
  for (unsigned i = 0; i < count; ++i) clock(i + 1 == count, (bits >> i & 1) != 0);
  clock(true, false);
  clock(false, false);
}

void JtagPort::write_dmcontrol(std::uint32_t value) {
  for (const bool tms : {true, false, false}) clock(tms, false);
  shift(kDmcontrol << 34 | std::uint64_t{value} << 2 | kWrite, kDmiBits);
  for (unsigned i = 0; i < kIdle; ++i) clock(false, false);
}

void JtagPort::halt_at_reset() {
  const unsigned harts = engine_.harts();
  std::vector<std::array<std::uint8_t, kLoop.size()>> kept(harts);
  const auto vector = [this](unsigned hart) { return engine_.hart(hart).reset_vector; };
  // Up to the reset the harts loop. So nothing of the program is executed twice.
  for (unsigned hart = 0; hart < harts; ++hart)
    engine_.read_memory(hart, vector(hart), kept[hart].data(), kLoop.size());
  for (unsigned hart = 0; hart < harts; ++hart) engine_.write_memory(hart, vector(hart), kLoop.data(), kLoop.size());
  for (const bool tms : {true, true, true, true, true, false, true, true, false, false}) clock(tms, false);
  shift(kIrDmi, kIrBits);
  write_dmcontrol(kActive);
  for (unsigned hart = 0; hart < harts; ++hart) write_dmcontrol(kActive | kHaltAtReset | hart << kHartShift);
  write_dmcontrol(kActive | kNdmReset);
  for (unsigned hart = 0; hart < harts; ++hart)
    engine_.write_memory(hart, vector(hart), kept[hart].data(), kLoop.size());
  write_dmcontrol(kActive);
  session_.advance(state_, state_.cycle + kToHalt);
  for (unsigned hart = 0; hart < harts; ++hart) {
    write_dmcontrol(kActive | kClearHaltAtReset | kAckReset | hart << kHartShift);
  }
}

}  // namespace trapeze
