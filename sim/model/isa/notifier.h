// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * How a hart's notification reaches another one, whatever platform they are a part of.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_NOTIFIER_H
#define TRAPEZE_SIM_MODEL_ISA_NOTIFIER_H

#include <cstdint>

namespace trapeze::model {

/** The way between harts. */
class Notifier {
 public:
  virtual ~Notifier() = default;

  /** A notification with a vector for the hart whose mhartid is `hart`; where there is none nothing happens. */
  virtual void notify(std::uint32_t hart, unsigned vector) = 0;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_NOTIFIER_H
