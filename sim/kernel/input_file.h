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

/** Most bytes that an input may have. A longer input is refused, so that an endless one cannot fill the memory. */
constexpr std::size_t kMaxInputBytes = std::size_t{256} << 20;

/** Reads all bytes of a regular file or a pipe. `what` names the input in errors, `cannot read <what> '<path>': ...`.
 * `missing` is the remedy that is printed if the file does not exist. Throws Error. */
std::vector<std::uint8_t> read_input(const std::string& path, const std::string& what,
                                     const std::string& missing = "check its name");

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_INPUT_FILE_H
