// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Mailbox between two harts: a queue of words each way, and doorbells. Each side has registers of its own. Source: the
 * register description in regs/mailbox.rdl.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_MAILBOX_H
#define TRAPEZE_SIM_MODEL_PLATFORM_MAILBOX_H

#include <trapeze/mailbox_side.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "model/memory/device.h"
#include "model/platform/interrupt_source.h"
#include "model/time/instant.h"

namespace trapeze::model {

/** Its interrupt outputs have the numbers of its sides. */
class Mailbox final : public InterruptSource {
 public:
  static constexpr unsigned kSides = 2;
  /** Words that a queue holds. */
  static constexpr std::size_t kDepth = (TRAPEZE_MAILBOX_SIDE_STATUS_RESET & TRAPEZE_MAILBOX_SIDE_STATUS_PLACES_MASK) >>
                                        TRAPEZE_MAILBOX_SIDE_STATUS_PLACES_SHIFT;

  Mailbox() : ports_{Port(*this, 0), Port(*this, 1)} {}
  Mailbox(const Mailbox&) = delete;  // its ports have pointers to it
  Mailbox& operator=(const Mailbox&) = delete;

  void reset() { sides_ = {}; }
  /** The registers of a side: 0 is side A, 1 side B. */
  Device& port(unsigned side) { return ports_[side]; }
  /** Cycles for which a side's interrupt is low after that side has taken a word or cleared a bell, whatever the other
   * side does: a storm costs the receiver one interrupt in this time. */
  static constexpr std::uint64_t kInterval = 2000;
  /** Level of a side's interrupt. */
  bool interrupt(unsigned side, std::uint64_t now) const { return wants(side) && now >= sides_[side].quiet_until; }
  /** The cycle after `now` in which an interrupt rises by itself; kNever: none does. */
  std::uint64_t next_event(std::uint64_t now) const override;
  bool level(unsigned output, std::uint64_t now) override { return interrupt(output, now); }

  /** State of one side. */
  struct Side {
    std::deque<std::uint32_t> queue;  ///< words that were sent to this side
    bool overflow = false;            ///< a word that this side has sent was lost
    std::uint32_t bells = 0;
    std::uint32_t bells_enable = 0;
    std::uint32_t irq_enable = 0;
    std::uint64_t quiet_until = 0;  ///< the interrupt is low before this cycle
  };
  using State = std::array<Side, kSides>;
  const State& save() const { return sides_; }
  void restore(const State& state) { sides_ = state; }

 private:
  class Port final : public Device {
   public:
    Port(Mailbox& mailbox, unsigned side) : mailbox_(mailbox), side_(side) {}
    void reset() override { mailbox_.reset(); }

   private:
    DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
    bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                  const Origin& from) override;

    Mailbox& mailbox_;
    unsigned side_;
  };

  std::uint32_t status(unsigned side) const;
  /** irq_pending of a side. */
  std::uint32_t pending(unsigned side) const;
  /** Whether an enabled condition is there. */
  bool wants(unsigned side) const;
  DeviceRead read(unsigned side, std::uint32_t offset, std::uint64_t now);
  bool write(unsigned side, std::uint32_t offset, std::uint32_t value, std::uint64_t now);
  void send(unsigned side, std::uint32_t word);

  State sides_;
  std::array<Port, kSides> ports_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_MAILBOX_H
