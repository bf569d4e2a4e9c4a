// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Helpers for tests of a CLIC: the model's, and lockstep's view of the leader's.
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

/** A controller in which all bits of ctl are the level. */
template <typename Controller>
class ClicTest : public ::testing::Test {
 protected:
  ClicTest() { level_bits(8); }

  void level_bits(std::uint32_t bits) { clic.write(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, bits, 0); }
  /** Word of a source that is enabled and not vectored. */
  void source(unsigned id, unsigned trigger, unsigned ctl, bool pending = false) {
    const std::uint32_t value = (pending ? 1U : 0U) | (1U << 8) | (trigger << 17) | (ctl << 24);
    clic.write(at(id), kWord, value, 0);
  }

  Controller clic{kSources};
};

}  // namespace trapeze::test

#endif  // TRAPEZE_SIM_TEST_CLIC_SOURCES_H
