// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * ISA strings such as "rv32imc_zba_zbb_zicsr".
 */
#ifndef TRAPEZE_SIM_KERNEL_ISA_H
#define TRAPEZE_SIM_KERNEL_ISA_H

#include <set>
#include <string>
#include <string_view>

#include "kernel/frame_layout.h"

namespace trapeze {

/** A parsed ISA string. */
struct Isa {
  unsigned xlen = 32;
  bool embedded = false;             ///< base E: 16 registers
  std::set<std::string> extensions;  ///< lower case, without the base letter

  bool has(const std::string& extension) const { return extensions.count(extension) != 0; }
};

/** Parse `rv32<i|e>[letters][_word]...`, lower case. Throws Error for anything else. */
Isa parse_isa(std::string_view text);

/** The layout of fastirq's frames on a hart with this ISA string. */
FrameLayout frame_layout_of(std::string_view text);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_ISA_H
