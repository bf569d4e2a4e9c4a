// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A program for an engine, given as instructions.
 */
#ifndef TRAPEZE_SIM_TEST_PROGRAM_H
#define TRAPEZE_SIM_TEST_PROGRAM_H

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/dynamic_engine.h"
#include "kernel/elf.h"

namespace trapeze::test {

/** A program of these words at the engine's reset vector. */
inline ElfFile file_of(const Engine& engine, const std::vector<std::uint32_t>& words) {
  ElfFile file;
  file.xlen = engine.hart(0).xlen;
  file.entry = engine.hart(0).reset_vector;
  if (std::string(engine.hart(0).isa).compare(0, 5, "rv32e") == 0) file.flags = 8;
  ElfSegment segment;
  segment.address = file.entry;
  segment.memory_size = 4 * words.size();
  for (const std::uint32_t word : words) {
    for (int i = 0; i < 4; ++i) segment.data.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
  }
  file.segments.push_back(segment);
  return file;
}

}  // namespace trapeze::test

#endif
