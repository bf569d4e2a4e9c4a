// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A memory: its bytes, and where they are in the address map of those who see it.
 */
#ifndef TRAPEZE_SIM_MODEL_MEMORY_MEMORY_H
#define TRAPEZE_SIM_MODEL_MEMORY_MEMORY_H

#include <cstdint>
#include <vector>

namespace trapeze::model {

/** Bytes of a page: what a hart may keep a host pointer to. */
constexpr std::uint64_t kPageBytes = 4096;

struct Memory {
  Memory(std::uint64_t at, std::uint64_t size, bool is_shared = false) : base(at), shared(is_shared), data(size) {}

  std::uint64_t base;
  bool shared;  ///< several harts see it
  std::vector<std::uint8_t> data;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_MEMORY_MEMORY_H
