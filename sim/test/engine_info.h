// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Descriptions of imaginary engines, for tests of code that reads such descriptions.
 */
#ifndef TRAPEZE_SIM_TEST_ENGINE_INFO_H
#define TRAPEZE_SIM_TEST_ENGINE_INFO_H

#include <cstdint>
#include <span>

#include "kernel/engine.h"

namespace trapeze::test {

/** A hart with 16 lines that are interrupts 16 to 31, and no memory. */
constexpr tz_hart_info hart_info(const char* isa = "rv32imc") {
  return {
      .isa = isa,
      .interrupts = TZ_IRQ_CLINT,
      .regions = nullptr,
      .hart_id = 0,
      .reset_vector = 0x80000000,
      .xlen = isa[2] == '6' ? 64U : 32U,
      .num_regions = 0,
      .num_lines = 16,
      .line_id_base = 16,
      .line_delay = 0,
      .num_sources = 0,
  };
}

/** Description of an engine `rtl` of configuration `mcu` with these harts. The harts must outlive it. */
constexpr tz_engine_info engine_info(std::span<const tz_hart_info> harts) {
  return {
      .engine = "rtl",
      .config = "mcu",
      .capabilities = "",
      .harts = harts.data(),
      .num_harts = static_cast<std::uint32_t>(harts.size()),
      .num_signals = 0,
      .signals = nullptr,
  };
}

}  // namespace trapeze::test

#endif  // TRAPEZE_SIM_TEST_ENGINE_INFO_H
