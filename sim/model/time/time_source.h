// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The platform's timer as a hart sees it: what its time CSR reads.
 */
#ifndef TRAPEZE_SIM_MODEL_TIME_TIME_SOURCE_H
#define TRAPEZE_SIM_MODEL_TIME_TIME_SOURCE_H

#include <cstdint>

namespace trapeze::model {

class TimeSource {
 public:
  /** mtime at `now`. */
  virtual std::uint64_t mtime(std::uint64_t now) const = 0;

 protected:
  TimeSource() = default;
  TimeSource(const TimeSource&) = default;
  TimeSource& operator=(const TimeSource&) = default;
  ~TimeSource() = default;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_TIME_TIME_SOURCE_H
