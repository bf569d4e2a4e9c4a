// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Saving and restoring a verilated design in memory, through Verilator's --savable.
 */
#ifndef TRAPEZE_SIM_RTL_SNAPSHOT_H
#define TRAPEZE_SIM_RTL_SNAPSHOT_H

#include <verilated_save.h>

#include <cstdint>
#include <vector>

namespace trapeze::rtl {

/** Serializes into a byte vector. */
class SaveToMemory final : public VerilatedSerialize {
 public:
  explicit SaveToMemory(std::vector<std::uint8_t>& bytes);
  ~SaveToMemory() override;
  void close() override;
  void flush() override;

 private:
  std::vector<std::uint8_t>& bytes_;
};

/** Deserializes from a byte vector. */
class RestoreFromMemory final : public VerilatedDeserialize {
 public:
  explicit RestoreFromMemory(const std::vector<std::uint8_t>& bytes);
  ~RestoreFromMemory() override;
  void close() override;
  void flush() override;
  void fill() override;

 private:
  const std::vector<std::uint8_t>& bytes_;
  std::size_t done_ = 0;
};

}  // namespace trapeze::rtl

#endif  // TRAPEZE_SIM_RTL_SNAPSHOT_H
