// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A hart of the model's platform that is the design itself: a verilated tile (trapeze_sim_top, `Alone`). Its cycles are
 * those of the hardware. Everything outside of it is the platform's, and is asked in the cycle of the access.
 *
 * A tile that sleeps is not clocked: once nothing is on its way in it, its clock jumps to the cycle in which one of its
 * inputs changes (observe_pkg::inspect_t, `passed`).
 */
#ifndef TRAPEZE_SIM_COSIM_TILE_HART_H
#define TRAPEZE_SIM_COSIM_TILE_HART_H

#include <Vsim.h>
#include <verilated.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/outside.h"
#include "model/platform/hart_port.h"
#include "rtl/rtl_hart.h"

namespace trapeze::cosim {

class TileHart final : public model::HartPort {
 public:
  /** Hart `number` of the platform, whose accesses to what is outside of the tile go to `bus`. Throws
   * std::invalid_argument if the tile of this library is another one than the plan's. */
  TileHart(unsigned number, const model::HartPlan& plan, model::Bus& bus);
  ~TileHart() override;

  void show_time(const model::TimeSource& /*source*/) override {}  // the core has no time CSR
  void connect(model::Notifier& /*notifier*/) override {}
  void attach(const model::RegionPlan& /*region*/) override {}  // its CLIC is in the tile
  void show_shared_memory(model::SharedMemory& memory) override { outside_.share(memory); }
  void show_stress(model::StressSource& source) override { stress_ = &source; }
  std::uint8_t* own_memory(const model::RegionPlan& region) override;

  void reset() override;
  bool run(const model::Slice& slice) override;
  void drive_line(unsigned /*line*/, bool /*level*/) override {}  // the slice has the levels
  void notified(unsigned /*vector*/) override {}
  void flush() override {}
  void watch(std::span<const tz_watch> /*watches*/) override {}  // they come with each run
  std::uint64_t retired() const override { return hart_.past().retired; }
  std::uint64_t pc() const override { return hart_.past().pc.address; }
  std::unique_ptr<State> save() const override;
  void restore(const State& state) override;

 private:
  /** Levels at the pins of the tile. */
  struct Pins {
    std::uint64_t lines = 0;
    std::uint64_t device_lines = 0;
    std::uint64_t wires = 0;
    bool operator==(const Pins&) const = default;
  };
  /** What of earlier cycles is not in the design. */
  struct Past {
    std::uint64_t cycle = 0;   ///< the design's; behind `time` while the clock stands
    std::uint64_t waited = 0;  ///< cycles that the request at the port has waited
    std::uint64_t quiet = 0;   ///< cycles for which the tile has slept with nothing on its way
    bool asked = false;        ///< the request that waits has been made, and `answer` is its answer
    bool at_device = false;    ///< in this cycle a device was accessed
    Answer answer;
    Pins pins;
  };
  struct Saved final : State {
    std::vector<std::uint8_t> design;
    Past past;
    rtl::RtlHart::Past hart;
    std::uint64_t time = 0, since = 0;
    bool waiting = false;
  };

  void select() const { Verilated::threadContextp(context_.get()); }
  void clock();
  void drive(const Pins& pins);
  /** Lets the design make up for the cycles in which its clock stood. */
  void catch_up();
  /** Answers the tile's request, and sets the inputs that belong to what is outside. */
  void meet_outside();
  /** The tile's request is granted in this cycle, or not yet. */
  void hold(bool held);
  /** Looks at the tile's request: whether it is granted in this cycle. */
  bool ask();
  /** Reports what happens in the cycle; false: it ends the slice. */
  bool report(const model::Slice& slice);
  /** The edge that ends the cycle. */
  void end_cycle();

  unsigned number_;
  std::uint64_t reset_vector_;
  Outside outside_;
  model::StressSource* stress_ = nullptr;
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vsim> top_;
  Vsim___024root& io_;
  rtl::RtlHart hart_;
  Past past_;
};

}  // namespace trapeze::cosim

#endif  // TRAPEZE_SIM_COSIM_TILE_HART_H
