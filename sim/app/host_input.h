// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Bytes of a source as the console input of a run.
 */
#ifndef TRAPEZE_SIM_APP_HOST_INPUT_H
#define TRAPEZE_SIM_APP_HOST_INPUT_H

#include <cstdint>
#include <string>

#include "app/byte_source.h"
#include "kernel/session.h"

namespace trapeze {

/** How fast simulated time passes while the program does little. */
enum class Pace {
  kFree,   ///< as fast as it can
  kHuman,  ///< at about the speed of a clock on the wall, so that time-outs leave time to type
};

class HostInput final : public ConsoleInput {
 public:
  HostInput(ByteSource& source, Pace pace) : source_(source), pace_(pace) {}

  std::string poll(const RunState& state) override;
  /** Says on standard error what it waits for, if that takes long. */
  std::string await() override;

 private:
  ByteSource& source_;
  Pace pace_;
  std::uint64_t cycle_ = 0;    ///< cycle of the last look at the pace
  std::uint64_t retired_ = 0;  ///< instructions, then
  bool said_ = false;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_HOST_INPUT_H
