// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Interrupt lines driven by the host: which line of which hart is high in which cycle.
 */
#ifndef TRAPEZE_SIM_KERNEL_STIMULUS_H
#define TRAPEZE_SIM_KERNEL_STIMULUS_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel/arrivals.h"

namespace trapeze {

/** As the length of a pulse: the line stays high until lower(). */
constexpr std::uint64_t kHeld = ~std::uint64_t{0};

/** One event on one interrupt line. */
struct Injection {
  unsigned line = 0;
  std::uint64_t cycle = 0;         ///< t0: first cycle in which the line is high
  std::uint64_t pulse_cycles = 0;  ///< cycles high; 0: a level, high until its interrupt is claimed
  unsigned hart = 0;
};

/** Cycles `from` to `to`, both included, of one line. */
struct SweepRange {
  unsigned line = 0;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t pulse_cycles = 0;
  unsigned hart = 0;
  std::string text;  ///< as it was given, for messages
};

/** Text of a hart in front of a line, `HART:` as in options; empty for hart 0. */
std::string hart_prefix(unsigned hart);

/** A change of a line, in force from the next cycle executed on. */
struct LineChange {
  unsigned hart = 0;
  unsigned line = 0;
  bool level = false;
};

/**
 * Plays injections, and arrivals: streams of edges on a line of their own. A line is high while any of its injections
 * is active. A value: copy it with a snapshot.
 *
 * Use: before executing cycle n call begin(n) and apply the changes; execute up to next_change() or until a claim; on a
 * claim call claim(), then begin() again.
 */
class Stimulus {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  Stimulus() = default;
  explicit Stimulus(std::vector<Injection> injections);

  /** Adds an injection. Its cycle must not have begun. Returns the injection's index. */
  std::size_t add(const Injection& injection);

  const std::vector<Injection>& injections() const { return injections_; }

  /** Adds a stream of edges. No other stream or injection may use its line. */
  void add(std::shared_ptr<const ArrivalSpec> arrivals);

  /** State of the edges of one stream. An edge that comes while the line is still high, or while an earlier edge has
   * not been claimed, raises nothing. It is counted as merged into the earlier one. */
  struct Stream {
    struct Edge {
      std::size_t index;
      Injection injection;
      bool claimed;
    };
    Arrivals arrivals;
    std::uint64_t merged = 0;
    std::optional<Edge> held;  ///< the last edge, while its line is high or its interrupt has not been claimed
  };
  const std::vector<Stream>& streams() const { return streams_; }

  /** An edge of a stream that has risen. */
  struct Risen {
    std::size_t index;
    std::size_t stream;
    Injection injection;
  };
  /** Edges that rose in the last begin(). */
  const std::vector<Risen>& risen() const { return risen_; }

  /** Line changes at the start of cycle `cycle`. */
  std::vector<LineChange> begin(std::uint64_t cycle);

  /** First cycle after the last begin() in which a line may change without a claim; all ones: never. */
  std::uint64_t next_change() const { return next_change_; }

  /** A hart claimed its line `line` in `cycle`. Returns the index of the injection it serves, or kNone. Ends a level.
   */
  std::size_t claim(unsigned hart, unsigned line, std::uint64_t cycle);

  /** Ends what holds a line now, or would from now on until this call; but for streams. False: nothing does. */
  bool lower(unsigned hart, unsigned line);

 private:
  bool is_high(unsigned hart, unsigned line) const;
  void play(std::size_t stream, std::uint64_t cycle, std::vector<std::uint64_t>& high);

  enum class Phase : std::uint8_t { kWaiting, kHigh, kDone };
  struct State {
    Phase phase = Phase::kWaiting;
    bool claimed = false;
  };

  std::vector<Injection> injections_;
  std::vector<State> states_;
  std::vector<Stream> streams_;
  std::vector<Risen> risen_;
  std::size_t next_index_ = 0;  ///< index of the next edge of a stream
  std::uint64_t next_change_ = 0;
  std::vector<std::uint64_t> high_;  ///< for each hart: lines that are driven high now, one bit for each line
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_STIMULUS_H
