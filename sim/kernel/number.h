// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Numbers as people write them.
 */
#ifndef TRAPEZE_SIM_KERNEL_NUMBER_H
#define TRAPEZE_SIM_KERNEL_NUMBER_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace trapeze {

/** Parses a non-negative number, decimal or 0x, that must fill all of `text`. */
std::optional<std::uint64_t> parse_number(std::string_view text);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_NUMBER_H
