// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * CLIC: gateways, configuration registers, and the search for the most important interrupt; and user mode's view of it.
 *
 * Sources: RISC-V Fast Interrupts v0.10; hw/irq/clic/README.md for what the specification leaves open;
 * docs/user-level-interrupts.md. A change of a wire and a write of a register are in force at once.
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
  /** `ctl_bits`: implemented bits of each ctl, from the top; `user`: interrupts can be user mode's. */
  explicit Clic(unsigned sources, unsigned ctl_bits = 8, bool user = false);

  void reset() override;

  unsigned sources() const override { return static_cast<unsigned>(sources_.size()); }
  ClicOffer best() const override;
  ClicOffer offer(unsigned id) const override;
  void claim(unsigned id) override;
  void drive(unsigned id, bool level) override;
  void pulse(unsigned id) override;

  // Accesses through user mode's view; for ClicUser.
  DeviceRead read_user(std::uint32_t offset, unsigned enables) const;
  void write_user(std::uint32_t offset, unsigned enables, std::uint32_t value);

 private:
  struct Source : ClicSource {
    bool wire = false;
    bool latched = false;  ///< pending edge

    bool pending() const { return is_edge() ? latched : wire != is_negative(); }
  };

  DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
  bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                const Origin& from) override;
  DeviceRead read_source(const Source& source, unsigned enables) const;
  void write_source(Source& source, unsigned enables, std::uint32_t value);
  bool is_user(unsigned id) const { return config_.privilege(sources_[id]) == kUser; }

  std::vector<Source> sources_;
  ClicConfig config_;
  std::uint8_t absent_ctl_;
};

/** User mode's view: the region in which the sources of user mode are configured. Any mode may access it. */
class ClicUser final : public Device {
 public:
  explicit ClicUser(Clic& clic) : clic_(clic) {}

  /** The view has no state of its own. */
  void reset() override {}

 private:
  DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t /*now*/, const Origin& /*from*/) override {
    return clic_.read_user(offset, enables);
  }
  bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t /*now*/,
                const Origin& /*from*/) override {
    clic_.write_user(offset, enables, value);
    return true;
  }

  Clic& clic_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_CLIC_H
