// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What --coherence says: missing cache maintenance, one line each.
 */
#ifndef TRAPEZE_SIM_APP_COHERENCE_H
#define TRAPEZE_SIM_APP_COHERENCE_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernel/coherence.h"
#include "kernel/dynamic_engine.h"
#include "kernel/elf.h"

namespace trapeze {

class CoherenceReports {
 public:
  /** `symbols`: by hart, in the order in which they are asked. */
  explicit CoherenceReports(std::vector<std::vector<SymbolTable>> symbols) : symbols_(std::move(symbols)) {}

  /** Prints what an engine has found since the last call, up to kMost lines of a run. */
  void show(Engine& engine);
  /** Says how many were not printed. */
  void finish() const;
  bool any() const { return count_ != 0; }

  /** One report as a sentence. */
  std::string sentence(const tz_incoherence& one) const;

 private:
  static constexpr std::size_t kMost = 20;
  static constexpr std::uint64_t kLongest = 0x10000;  ///< bytes of a function: none is longer
  std::string place(unsigned hart, std::uint64_t pc) const;

  std::vector<std::vector<SymbolTable>> symbols_;
  std::size_t count_ = 0;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_COHERENCE_H
