// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Where the bytes come from that somebody sends to the console of a run: a keyboard, a pseudo-terminal.
 */
#ifndef TRAPEZE_SIM_APP_BYTE_SOURCE_H
#define TRAPEZE_SIM_APP_BYTE_SOURCE_H

#include <chrono>
#include <string>

namespace trapeze {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /** Bytes that have come; none after `patience` without one. */
  virtual std::string read(std::chrono::milliseconds patience) = 0;
  /** Whether nothing will come any more. */
  virtual bool at_end() const = 0;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_BYTE_SOURCE_H
