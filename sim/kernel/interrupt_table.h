// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What became of each edge of an interrupt line, and sums over many edges.
 */
#ifndef TRAPEZE_SIM_KERNEL_INTERRUPT_TABLE_H
#define TRAPEZE_SIM_KERNEL_INTERRUPT_TABLE_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace trapeze {

/** How far an interrupt has come. */
enum class Fate : std::uint8_t {
  kNotTaken,       ///< it is waiting
  kTaken,          ///< it was claimed, and its handler has not begun
  kRunning,        ///< its handler has begun, and has not reached its marker
  kMarked,         ///< its handler has reached its marker
  kReturned,       ///< its handler returned without a marker
  kNotAttributed,  ///< unknown: a return in a handler nested in its own one went to another context
};
constexpr std::size_t kFates = 6;

/** The fate in words, for an interrupt whose handler needs no marker. */
const char* to_words(Fate fate);

/** What became of one injection. */
struct InterruptStamp {
  bool raised = false;  ///< the injection has taken effect; if false, the other fields say nothing
  unsigned hart = 0;
  unsigned line = 0;
  std::uint64_t t0 = 0;
  Fate fate = Fate::kNotTaken;
  unsigned taken_count = 0;            ///< claims of this line since t0; a level should have exactly one
  std::optional<std::uint64_t> taken;  ///< cycle of the claim
  std::optional<unsigned> id;
  std::optional<unsigned> level;     ///< unknown if xnxti handed it out
  std::optional<std::uint64_t> epc;  ///< none if xnxti handed it out: it interrupted nothing
  std::optional<std::uint64_t> tf;   ///< cycle of the fetch request of the handler's first instruction; none if xnxti
                                     ///< handed it out
  std::optional<std::uint64_t> tx;   ///< the handler's marker executes
  std::optional<std::uint64_t> tr;   ///< the handler's marker retires
};

/** Histogram of distances in cycles. Each distance up to 65,536 has a place of its own. A larger one is rounded up to
 * 16 significant bits (at most 0.004 % more), which bounds the number of places. */
class Distances {
 public:
  void add(std::uint64_t cycles) { ++counts_[rounded(cycles)]; }
  const std::map<std::uint64_t, std::uint64_t>& counts() const { return counts_; }
  static std::uint64_t rounded(std::uint64_t cycles);

 private:
  std::map<std::uint64_t, std::uint64_t> counts_;
};

/** Sums over all edges of one stimulus. Their memory does not grow with the number of edges. */
struct ArrivalResult {
  std::uint64_t raised = 0;                   ///< edges that raised the line
  std::array<std::uint64_t, kFates> fates{};  ///< number of edges by fate; only edges whose fate is final
  Distances taken, tf, tx, tr;                ///< cycles from the edge to each stamp
  std::optional<InterruptStamp> worst;        ///< the edge with the largest tx - t0, the first one of several ...
  std::optional<InterruptStamp> best;         ///< ... and the edge with the smallest
  std::optional<InterruptStamp> unmarked;     ///< the earliest one that has ended without a marker

  void add(const InterruptStamp& stamp);
};

/** All interrupts of a run, by the number of their injection. Edges of a stimulus are forgotten when their fate is
 * known; their sums stay in ArrivalResult. A value: copy it with a snapshot. */
class InterruptTable {
 public:
  /** Numbers of injections from here on belong to edges of stimuli. Smaller numbers are positions in the list of
   * injections. */
  static constexpr std::size_t kFirstOfStimuli = std::size_t{1} << 40;

  /** Stamps of an injection; null if it has none, or they have been forgotten. */
  InterruptStamp* find(std::size_t index);
  /** Begins to keep stamps of an injection. `stimulus`: number of the stimulus that it is an edge of, if it is. */
  InterruptStamp& begin(std::size_t index, std::size_t stimulus);
  /** A line of a hart was claimed. */
  void count_claim(unsigned hart, unsigned line, std::uint64_t cycle);
  /** Forgets edges of stimuli whose fate is known. */
  void settle();
  /** The run is over: forgets the remaining edges of stimuli. */
  void finish();
  /** Keeps the stamps of edges that rise in this cycle after their fate is known, in `kept`. */
  void keep(std::optional<std::uint64_t> cycle) { keep_ = cycle; }

  /** Stamps of injections that belong to no stimulus. */
  const std::vector<InterruptStamp>& listed() const { return listed_; }
  const std::vector<InterruptStamp>& kept() const { return kept_; }
  const std::vector<ArrivalResult>& arrivals() const { return arrivals_; }

  /** An edge of a stimulus whose fate is not known yet. */
  struct Passing {
    std::size_t index;
    std::size_t stimulus;
    InterruptStamp stamp;
  };
  const std::vector<Passing>& passing() const { return passing_; }

 private:
  /** Most edges that are followed at once. A handler that is left by a jump never returns; when there are too many,
   * the oldest edge is given up. */
  static constexpr std::size_t kMostPassing = 256;

  void forget(std::size_t position);

  std::vector<InterruptStamp> listed_;
  std::vector<Passing> passing_;
  std::vector<InterruptStamp> kept_;
  std::vector<ArrivalResult> arrivals_;  ///< results of each stimulus
  std::optional<std::uint64_t> keep_;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_INTERRUPT_TABLE_H
