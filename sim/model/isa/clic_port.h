// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a hart sees of its CLIC, whatever platform that is a part of.
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
  unsigned privilege = kMachine;  ///< whose interrupt it is
};

/** The wires between a hart and its CLIC. */
class ClicPort {
 public:
  virtual ~ClicPort() = default;

  virtual unsigned sources() const = 0;
  /** The most important interrupt among those pending and enabled. */
  virtual ClicOffer best() const = 0;
  /** `id` as its registers say it would be offered, pending or not. */
  virtual ClicOffer offer(unsigned id) const = 0;
  /** The core claims `id`: an edge is no longer pending. */
  virtual void claim(unsigned id) = 0;
  /** The wire of a source has a level. */
  virtual void drive(unsigned id, bool level) = 0;
  /** An edge of a source, of whichever direction it waits for, beside its wire; none if the source is not there or is
   * level-triggered. */
  virtual void pulse(unsigned id) = 0;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CLIC_PORT_H
