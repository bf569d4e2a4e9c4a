// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Host port: with its first write of pass or fail a hart ends its program. Source: the register description in regs/.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_HOST_H
#define TRAPEZE_SIM_MODEL_PLATFORM_HOST_H

#include <map>
#include <optional>
#include <set>

#include "model/memory/device.h"

namespace trapeze::model {

class Host final : public Device {
 public:
  void reset() override {
    exits_.clear();
    ended_.clear();
  }

  /** The exits since forget_exits(): by hart, the exit code if its program has ended. */
  std::optional<std::uint32_t> exit_code(unsigned hart) const {
    const auto found = exits_.find(hart);
    return found != exits_.end() ? std::optional(found->second) : std::nullopt;
  }
  bool any_exit() const { return !exits_.empty(); }
  void forget_exits() { exits_.clear(); }

 private:
  DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
  bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                const Origin& from) override;

  std::map<unsigned, std::uint32_t> exits_;
  std::set<unsigned> ended_;  ///< harts that have exited, whose later writes mean nothing
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_HOST_H
