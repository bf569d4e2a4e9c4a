// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What tests of a CLIC share, of the model's and of the one that lockstep knows of its leader.
 */
#ifndef TRAPEZE_SIM_TEST_CLIC_SOURCES_H
#define TRAPEZE_SIM_TEST_CLIC_SOURCES_H

#include <gtest/gtest.h>
#include <trapeze/clic.h>

#include <cstdint>

namespace trapeze::test {

constexpr unsigned kWord = 0xf;
constexpr unsigned kSources = 64;
constexpr unsigned kHigh = 0, kRising = 1, kLow = 2, kFalling = 3;

/** Offset of the word of a source. */
constexpr std::uint32_t at(unsigned id) {
  return TRAPEZE_CLIC_IRQ_IP_OFFSET + TRAPEZE_CLIC_IRQ_IP_STRIDE * id;
}

/** A controller whose ctl is all level. */
template <typename Controller>
class ClicTest : public ::testing::Test {
 protected:
  ClicTest() { level_bits(8); }

  void level_bits(std::uint32_t bits) { clic.write(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, bits, 0); }
  /** Enabled source, not vectored. */
  void source(unsigned id, unsigned trigger, unsigned ctl, bool pending = false) {
    const std::uint32_t value = (pending ? 1U : 0U) | (1U << 8) | (trigger << 17) | (ctl << 24);
    clic.write(at(id), kWord, value, 0);
  }

  Controller clic{kSources};
};

}  // namespace trapeze::test

#endif  // TRAPEZE_SIM_TEST_CLIC_SOURCES_H
