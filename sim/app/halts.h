// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A debugger that halts all harts again and again, at moments without any order, and lets them go on: `--halts`. A
 * program must not notice. Of four halts one is followed by single steps.
 */
#ifndef TRAPEZE_SIM_APP_HALTS_H
#define TRAPEZE_SIM_APP_HALTS_H

#include <cstdint>

#include "app/dmi_port.h"
#include "kernel/jtag_host.h"

namespace trapeze {

class Halts : public JtagHost {
 public:
  /** From one halt's end to the next one's beginning: `pause` cycles on the average, at least half of that. */
  Halts(std::uint64_t pause, unsigned harts, std::uint32_t seed);

  std::uint64_t drive(Engine& engine, std::uint64_t cycle) override;
  /** Halts so far, and single steps. */
  std::uint64_t halts() const { return halts_; }
  std::uint64_t steps() const { return steps_; }

 private:
  enum class State { kGoes, kHalting, kDcsr, kReady, kResuming, kStepping };

  void proceed(std::uint64_t cycle);
  void ask(std::uint32_t request);
  void set_step(bool step);
  void read_dcsr();
  void write_dcsr();
  std::uint64_t random();

  DmiPort port_;
  std::uint64_t pause_;
  unsigned harts_;
  std::uint64_t random_;
  State state_ = State::kGoes;
  std::uint64_t next_ = 0;  ///< cycle in which the next halt is asked for
  std::uint64_t halts_ = 0;
  std::uint64_t steps_ = 0;
  unsigned to_step_ = 0;  ///< single steps that this halt still has
  bool set_ = false;      ///< dcsr is as `step_` says
  bool step_ = false;
  unsigned hart_ = 0;  ///< whose dcsr is read
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_HALTS_H
