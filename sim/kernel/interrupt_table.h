// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What became of each edge, and of many edges together.
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

/** How far an interrupt came. */
enum class Fate : std::uint8_t {
  kNotTaken,       ///< it is waiting
  kTaken,          ///< it was claimed, and its handler has not begun
  kRunning,        ///< its handler has begun, and has not reached its marker
  kMarked,         ///< its handler has reached its marker
  kReturned,       ///< its handler returned without a marker
  kNotAttributed,  ///< a return in a handler inside of its own went to another context: what runs since is not known
};
constexpr std::size_t kFates = 6;

/** In words, as of an interrupt without a marker. */
const char* to_words(Fate fate);

/** What became of one injection. */
struct InterruptStamp {
  bool raised = false;  ///< the injection has come into force; else nothing here is known
  unsigned hart = 0;
  unsigned line = 0;
  std::uint64_t t0 = 0;
  Fate fate = Fate::kNotTaken;
  unsigned taken_count = 0;            ///< claims of this line since t0: one is right for a level
  std::optional<std::uint64_t> taken;  ///< cycle of the claim
  std::optional<unsigned> id;
  std::optional<unsigned> level;     ///< not known of one that xnxti handed out
  std::optional<std::uint64_t> epc;  ///< none of one that xnxti handed out: it interrupted nothing
  std::optional<std::uint64_t> tf;   ///< fetch request of the first handler instruction; none behind xnxti
  std::optional<std::uint64_t> tx;   ///< the handler's marker executes
  std::optional<std::uint64_t> tr;   ///< the handler's marker retires
};

/** How often each distance came. Up to 65,536 cycles each has its own place; above, distances are rounded up to 16
 * significant bits (at most 0.004 % more), so that the number of places has a bound, whatever is counted. */
class Distances {
 public:
  void add(std::uint64_t cycles) { ++counts_[rounded(cycles)]; }
  const std::map<std::uint64_t, std::uint64_t>& counts() const { return counts_; }
  static std::uint64_t rounded(std::uint64_t cycles);

 private:
  std::map<std::uint64_t, std::uint64_t> counts_;
};

/** The edges of one stimulus, together: its memory does not grow with their number. */
struct ArrivalResult {
  std::uint64_t raised = 0;                   ///< edges that raised the line
  std::array<std::uint64_t, kFates> fates{};  ///< of those of which nothing more will be known
  Distances taken, tf, tx, tr;                ///< from the edge
  std::optional<InterruptStamp> worst;        ///< the first of those with the largest tx - t0 ...
  std::optional<InterruptStamp> best;         ///< ... and the smallest
  std::optional<InterruptStamp> unmarked;     ///< the earliest one that has ended without a marker

  void add(const InterruptStamp& stamp);
};

/** All interrupts of a run by the number of their injection. Those of a stimulus are forgotten when their fate is
 * known; what they took stays, see ArrivalResult. A value: copy it with a snapshot. */
class InterruptTable {
 public:
  /** Numbers from here on are those of stimuli; the others are positions in a list. */
  static constexpr std::size_t kFirstOfStimuli = std::size_t{1} << 40;

  /** The stamps of a number, null if there are none (any more). */
  InterruptStamp* find(std::size_t index);
  /** They begin to be known; `stimulus`: whose edge it is. */
  InterruptStamp& begin(std::size_t index, std::size_t stimulus);
  /** A line of a hart was claimed. */
  void count_claim(unsigned hart, unsigned line, std::uint64_t cycle);
  /** Forget edges of stimuli whose fate is known. */
  void settle();
  /** The run is over: forget the others. */
  void finish();
  /** Keep the stamps of edges of stimuli that rise in this cycle: they are in `kept`. */
  void keep(std::optional<std::uint64_t> cycle) { keep_ = cycle; }

  /** Without those of stimuli. */
  const std::vector<InterruptStamp>& listed() const { return listed_; }
  const std::vector<InterruptStamp>& kept() const { return kept_; }
  const std::vector<ArrivalResult>& arrivals() const { return arrivals_; }

  /** One of a stimulus whose fate is not known. */
  struct Passing {
    std::size_t index;
    std::size_t stimulus;
    InterruptStamp stamp;
  };
  const std::vector<Passing>& passing() const { return passing_; }

 private:
  /** Handlers that are left by a jump never return: of so many the first one is given up. */
  static constexpr std::size_t kMostPassing = 256;

  void forget(std::size_t position);

  std::vector<InterruptStamp> listed_;
  std::vector<Passing> passing_;
  std::vector<InterruptStamp> kept_;
  std::vector<ArrivalResult> arrivals_;  ///< of each stimulus
  std::optional<std::uint64_t> keep_;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_INTERRUPT_TABLE_H
