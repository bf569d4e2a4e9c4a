// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Host port: the first write of pass or fail ends the run. Source: the register description in regs/.
 */
#ifndef TRAPEZE_SIM_MODEL_HOST_H
#define TRAPEZE_SIM_MODEL_HOST_H

#include <optional>

#include "model/device.h"

namespace trapeze::model {

class Host final : public Device {
 public:
  void reset() override { exit_code_.reset(); }
  DeviceRead read(std::uint32_t offset, unsigned enables, std::uint64_t now) override;
  bool write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now) override;

  /** Exit code, once the program has ended. */
  const std::optional<std::uint32_t>& exit_code() const { return exit_code_; }

 private:
  std::optional<std::uint32_t> exit_code_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_HOST_H
