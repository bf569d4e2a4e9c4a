// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Interface between a hart and its CLIC, so that the hart does not depend on the platform.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_CLIC_PORT_H
#define TRAPEZE_SIM_MODEL_ISA_CLIC_PORT_H

#include <cstdint>

#include "model/memory/access.h"

namespace trapeze::model {

/** An interrupt as the controller shows it to the core. */
struct ClicOffer {
  bool valid = false;
  unsigned id = 0;
  unsigned level = 0;
  bool vectored = false;          ///< selective hardware vectoring
  unsigned privilege = kMachine;  ///< mode that handles the interrupt
};

/** The wires between a hart and its CLIC. */
class ClicPort {
 public:
  virtual ~ClicPort() = default;

  virtual unsigned sources() const = 0;
  /** The most important interrupt among those pending and enabled. */
  virtual ClicOffer best() const = 0;
  /** Source `id` as it would be offered by its registers, whether it is pending or not. */
  virtual ClicOffer offer(unsigned id) const = 0;
  /** The core claims `id`: an edge is no longer pending. */
  virtual void claim(unsigned id) = 0;
  /** Sets the level of the wire of a source. */
  virtual void drive(unsigned id, bool level) = 0;
  /** An edge of a source without its wire, whichever edge the source waits for. It has no effect if the source does not
   * exist or is level-triggered. */
  virtual void pulse(unsigned id) = 0;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CLIC_PORT_H
