// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Doorbells that programs ring by themselves: a page for each, and the registers of the hart that is rung. Source: the
 * register description in regs/bells.rdl.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_BELLS_H
#define TRAPEZE_SIM_MODEL_PLATFORM_BELLS_H

#include <trapeze/bell_pages.h>
#include <trapeze/bells.h>

#include <cstdint>
#include <optional>

#include "model/memory/device.h"
#include "model/platform/interrupt_source.h"
#include "model/time/instant.h"

namespace trapeze::model {

class Bells final : public InterruptSource {
 public:
  Bells() : pages_(*this), registers_(*this) {}
  Bells(const Bells&) = delete;  // its ports have pointers to it
  Bells& operator=(const Bells&) = delete;

  void reset() { state_ = {}; }
  /** The pages of those who ring. */
  Device& pages() { return pages_; }
  /** The registers of the hart that is rung. */
  Device& registers() { return registers_; }
  /** The cycle after `now` in which the interrupt rises by itself; kNever: it does not. */
  std::uint64_t next_event(std::uint64_t now) const override {
    return wants() && quiet_until() > now ? quiet_until() : kNever;
  }
  bool level(unsigned /*output*/, std::uint64_t now) override { return wants() && now >= quiet_until(); }

  struct State {
    std::uint32_t bells = TRAPEZE_BELLS_BELLS_RESET;
    std::uint32_t enable = TRAPEZE_BELLS_ENABLE_RESET;
    std::uint32_t interval = TRAPEZE_BELLS_INTERVAL_RESET;
    std::optional<std::uint64_t> cleared = std::nullopt;  ///< when a doorbell was cleared last
  };
  const State& save() const { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  class Pages final : public Device {
   public:
    explicit Pages(Bells& bells) : bells_(bells) {}
    void reset() override { bells_.reset(); }

   private:
    DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
    bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                  const Origin& from) override;
    Bells& bells_;
  };
  class Registers final : public Device {
   public:
    explicit Registers(Bells& bells) : bells_(bells) {}
    void reset() override { bells_.reset(); }

   private:
    DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
    bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                  const Origin& from) override;
    Bells& bells_;
  };

  /** The interrupt is low before this cycle. */
  std::uint64_t quiet_until() const { return state_.cleared ? *state_.cleared + state_.interval : 0; }
  bool wants() const { return (state_.bells & state_.enable) != 0; }

  State state_;
  Pages pages_;
  Registers registers_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_BELLS_H
