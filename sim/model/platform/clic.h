// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * CLIC: gateways, configuration registers, and the choice of the most important interrupt.
 *
 * Sources: RISC-V Fast Interrupts v0.10; hw/irq/clic/README.md for what the specification leaves open. A change of a
 * wire and a write of a register are in force at once.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_CLIC_H
#define TRAPEZE_SIM_MODEL_PLATFORM_CLIC_H

#include <vector>

#include "model/isa/clic_port.h"
#include "model/memory/device.h"
#include "model/platform/clic_source.h"

namespace trapeze::model {

class Clic final : public Device, public ClicPort {
 public:
  /** `ctl_bits`: implemented bits of each ctl, from the top. */
  explicit Clic(unsigned sources, unsigned ctl_bits = 8);

  void reset() override;

  /** The wire of a source has a level. */
  void drive(unsigned id, bool level);

  unsigned sources() const override { return static_cast<unsigned>(sources_.size()); }
  ClicOffer best() const override;
  ClicOffer offer(unsigned id) const override;
  void claim(unsigned id) override;

 private:
  struct Source : ClicSource {
    bool wire = false;
    bool latched = false;  ///< pending edge

    bool pending() const { return is_edge() ? latched : wire != is_negative(); }
  };

  DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
  bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                const Origin& from) override;
  /** Whether source `a` wins over source `b`. */
  bool outranks(unsigned a, unsigned b) const;

  std::vector<Source> sources_;
  ClicLevels levels_;
  std::uint8_t absent_ctl_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_CLIC_H
