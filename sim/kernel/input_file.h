// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Input files, read whole.
 */
#ifndef TRAPEZE_SIM_KERNEL_INPUT_FILE_H
#define TRAPEZE_SIM_KERNEL_INPUT_FILE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trapeze {

/** More bytes than any input has; what goes on behind them is refused, so that nothing without an end eats the memory.
 */
constexpr std::size_t kMaxInputBytes = std::size_t{256} << 20;

/** The bytes of a regular file, or of a pipe. `what` names it in errors: `cannot read <what> '<path>': ...`; `missing`
 * says what to do where there is no such file. Throws Error. */
std::vector<std::uint8_t> read_input(const std::string& path, const std::string& what,
                                     const std::string& missing = "check its name");

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_INPUT_FILE_H
