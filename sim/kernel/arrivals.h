// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Many edges of one interrupt line, generated one at a time: periodic, random, in bursts, or from a file. They are what
 * the option `--stimulus` asks for.
 */
#ifndef TRAPEZE_SIM_KERNEL_ARRIVALS_H
#define TRAPEZE_SIM_KERNEL_ARRIVALS_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trapeze {

/** Kind of the gap between one arrival and the next. */
enum class Gaps : std::uint8_t {
  kEvery,        ///< always `least` cycles
  kUniform,      ///< uniform: each whole number from `least` to `most` cycles with the same chance
  kExponential,  ///< exponential: mean `least` cycles, at least 1; arrivals are independent of each other
  kFile,         ///< no gap: the cycles of arrivals are in `cycles`, from a file
};

/** One stream of edges. */
struct ArrivalSpec {
  std::string text{};  ///< as the user wrote it, for messages and records
  unsigned hart = 0;
  unsigned line = 0;
  Gaps gaps = Gaps::kEvery;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::uint64_t from = 0;       ///< kEvery: cycle of the first arrival; random gaps: cycle from which the first gap
                                ///< counts
  std::uint64_t burst = 1;      ///< edges in each arrival ...
  std::uint64_t burst_gap = 0;  ///< ... and cycles from one edge of the burst to the next
  std::optional<std::uint64_t> n{};  ///< number of edges in all; nothing: edges come until the run ends
  std::uint64_t seed = 1;            ///< seed of random gaps
  std::uint64_t pulse_cycles = 0;    ///< length of a pulse in cycles, as in Injection
  std::shared_ptr<const std::vector<std::uint64_t>> cycles{};  ///< kFile: cycles of the arrivals, ascending
};

/** Reads a file of arrivals: one cycle in each line, decimal or 0x, ascending; a comment begins with #. Throws Error.
 */
std::shared_ptr<const std::vector<std::uint64_t>> read_cycles(const std::string& path);

/** The edges of one ArrivalSpec in order. It is a value: a copy gives the same edges as the original from there on. */
class Arrivals {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  explicit Arrivals(std::shared_ptr<const ArrivalSpec> spec);

  const ArrivalSpec& spec() const { return *spec_; }
  /** Cycle of the next edge; kNever if no edge is left. */
  std::uint64_t next() const { return next_; }
  /** Goes on to the edge after the next one. */
  void pop();
  /** Number of edges that pop() has passed. */
  std::uint64_t passed() const { return passed_; }
  /** Number of edges still to come; nothing if they never end. */
  std::optional<std::uint64_t> left() const;

 private:
  std::uint64_t gap();
  std::uint64_t random();
  void find();

  std::shared_ptr<const ArrivalSpec> spec_;
  std::uint64_t state_ = 0;  ///< state of the random generator
  std::uint64_t next_ = kNever;
  std::uint64_t arrival_ = 0;   ///< cycle in which the burst of the next edge begins
  std::uint64_t in_burst_ = 0;  ///< number of the next edge in its burst, from 0
  std::uint64_t passed_ = 0;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_ARRIVALS_H
