// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Many edges of one line, made one at a time: periodic, random, in bursts, from a file. What `--stimulus` says.
 */
#ifndef TRAPEZE_SIM_KERNEL_ARRIVALS_H
#define TRAPEZE_SIM_KERNEL_ARRIVALS_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trapeze {

/** How far one arrival is from the next. */
enum class Gaps : std::uint8_t {
  kEvery,        ///< always `least` cycles
  kUniform,      ///< `least` to `most` cycles, each with the same chance
  kExponential,  ///< exponentially distributed with mean `least`, at least 1: arrivals that know nothing of each other
  kFile,         ///< as `cycles` says
};

/** `[HART:]LINE:KEY=VALUE,...`, see parse_arrivals(). */
struct ArrivalSpec {
  std::string text;
  unsigned hart = 0;
  unsigned line = 0;
  Gaps gaps = Gaps::kEvery;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::uint64_t from = 0;          ///< first arrival of kEvery; of random ones the cycle from which gaps count
  std::uint64_t burst = 1;         ///< edges of each arrival ...
  std::uint64_t burst_gap = 0;     ///< ... and cycles from one to the next
  std::optional<std::uint64_t> n;  ///< edges in all; without: until the run ends
  std::uint64_t seed = 1;          ///< of random gaps
  std::uint64_t pulse_cycles = 0;  ///< as of Injection
  std::shared_ptr<const std::vector<std::uint64_t>> cycles;  ///< of kFile, ascending
};

/**
 * Parse the value of `--stimulus`, and read the file that it names. Keys: one of `every=N`, `uniform=A..B`, `exp=MEAN`,
 * `file=PATH`; and `from=CYCLE`, `n=COUNT`, `seed=N`, `burst=COUNTxGAP`, `pulse=N`. Throws Error.
 */
ArrivalSpec parse_arrivals(std::string_view text);

/** The edges of a specification in order. A value: a copy goes on with the same ones. */
class Arrivals {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  explicit Arrivals(std::shared_ptr<const ArrivalSpec> spec);

  const ArrivalSpec& spec() const { return *spec_; }
  /** Cycle of the next edge; kNever: there is none. */
  std::uint64_t next() const { return next_; }
  /** On to the one behind it. */
  void pop();
  /** How many edges were passed by pop(). */
  std::uint64_t passed() const { return passed_; }
  /** How many are still to come; nothing if there is no end to them. */
  std::optional<std::uint64_t> left() const;

 private:
  std::uint64_t gap();
  std::uint64_t random();
  void find();

  std::shared_ptr<const ArrivalSpec> spec_;
  std::uint64_t state_ = 0;  ///< of the random generator
  std::uint64_t next_ = kNever;
  std::uint64_t arrival_ = 0;   ///< cycle in which the burst of the next edge begins
  std::uint64_t in_burst_ = 0;  ///< its number there
  std::uint64_t passed_ = 0;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_ARRIVALS_H
