// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Interface through which a hart sends notifications to other harts, so that it does not depend on the platform.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_NOTIFIER_H
#define TRAPEZE_SIM_MODEL_ISA_NOTIFIER_H

#include <cstdint>

namespace trapeze::model {

/** The way between harts. */
class Notifier {
 public:
  virtual ~Notifier() = default;

  /** Sends a notification with a vector to the hart whose mhartid is `hart`. If no hart has it nothing happens. */
  virtual void notify(std::uint32_t hart, unsigned vector) = 0;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_NOTIFIER_H
