// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a hart sees of its CLIC, whatever platform that is a part of.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_CLIC_PORT_H
#define TRAPEZE_SIM_MODEL_ISA_CLIC_PORT_H

#include <cstdint>
#include <vector>

namespace trapeze::model {

/** An interrupt as the controller shows it to the core. */
struct ClicOffer {
  bool valid = false;
  unsigned id = 0;
  unsigned level = 0;
  bool vectored = false;  ///< selective hardware vectoring
};

/** The wires between a hart and its CLIC. */
class ClicPort {
 public:
  virtual ~ClicPort() = default;

  virtual unsigned sources() const = 0;
  /** The most important interrupt among those certainly pending and enabled. */
  virtual ClicOffer best() const = 0;
  /** The core claims `id` in cycle `now`: an edge is no longer pending. */
  virtual void claim(unsigned id, std::uint64_t now) = 0;

  // For a hart that follows a leader.
  /** Registers as they are in cycle `now`: everything sampled before it is in them. */
  virtual void advance(std::uint64_t now) = 0;
  /** What was offered in the cycle that it advanced to, as far as it is certain. */
  virtual ClicOffer seen() const = 0;
  /** `id` as an offer if it may be the most important one in that cycle, else an invalid offer. */
  virtual ClicOffer possible(unsigned id) const = 0;
  /** All offers that may be there, that of seen() first; an invalid one stands for none. */
  virtual std::vector<ClicOffer> candidates() const = 0;
  /** The offer may be missing in cycle `now`. */
  virtual bool blank(std::uint64_t now) const = 0;
  /** The leader has shown that `winner` was the most important one. */
  virtual void shown(const ClicOffer& winner) = 0;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CLIC_PORT_H
