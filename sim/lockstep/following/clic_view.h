// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What is known of the leader's CLIC, cycle by cycle: its registers, its wires, and which interrupt it may offer.
 *
 * Source of the timing: hw/irq/clic/README.md. The level of each wire is known in every cycle. One thing can be
 * unknown: whether an edge is pending, if the wire changes in the cycle in which the polarity of the source changes.
 * That page leaves this open. The view then takes what the leader shows.
 *
 * The controller first searches for the most important source, and offers it in a later cycle. The search does not see
 * the bus access and the claim of its own cycle. So the view keeps the states of the sources, and of the configuration,
 * of the last cycles. The search uses the ctl and the mode of a source as they were; the offer uses them as they are
 * now.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_CLIC_VIEW_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_CLIC_VIEW_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/isa/clic_port.h"
#include "model/platform/clic_source.h"
#include "model/time/instant.h"

namespace trapeze::following {

using model::ClicOffer;
using model::ClicSource;
using model::kNever;

/** A bit that may be unknown. */
enum class Tri : std::uint8_t { kOff, kOn, kUnknown };

constexpr Tri to_tri(bool value) {
  return value ? Tri::kOn : Tri::kOff;
}

class ClicView {
 public:
  /** `ctl_bits`: implemented bits of each ctl, from the top. `staged`: the leader's search for the winner has a
   * register stage. `user`: interrupts can be user mode's. */
  explicit ClicView(unsigned sources, unsigned ctl_bits = 8, bool staged = false, bool user = false);

  unsigned sources() const { return static_cast<unsigned>(sources_.size()); }

  // Accesses of the program. `offset`: of the word in the region; bit n of `enables`: byte n of the word is accessed.
  // `region`: the privilege whose view of the controller is accessed.
  /** A store in cycle `now`. */
  void write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
             unsigned region = model::kMachine);
  /** What a load in cycle `now` reads. Nothing: the value depends on an unknown bit; see check_read(). */
  std::optional<std::uint32_t> read(std::uint32_t offset, unsigned enables, std::uint64_t now,
                                    unsigned region = model::kMachine);
  /** The leader has read `value` from the word at `offset`. Returns what in it is impossible, or nothing; from now on
   * the view knows the bits that were unknown. */
  std::string check_read(std::uint32_t offset, unsigned enables, std::uint32_t value,
                         unsigned region = model::kMachine);

  /** Sets the level of the wire of a source, at once. */
  void drive(unsigned id, bool level) { change(sources_[id], level); }
  /** The controller samples the wire as `level` in `cycle`. Of several calls for one cycle the last one counts. */
  void drive_later(unsigned id, bool level, std::uint64_t cycle);
  /** An edge without the wire comes in `cycle`. It has no effect if the source is level-triggered or does not exist. */
  void pulse_later(unsigned id, std::uint64_t cycle);
  /** Advances the registers to cycle `now`: they include everything that was sampled before it. */
  void advance(std::uint64_t now);

  /** The most important interrupt among those that are certainly pending and enabled, from the registers. */
  ClicOffer best() const;
  /** The interrupt that is certainly offered in the cycle that this view has advanced to: the source that the search
   * has found, with its present level and mode. Not valid if a write or a claim of the last cycle has ended it. */
  ClicOffer seen() const;
  /** The offer of source `id`, if that may be offered in that cycle; else an invalid offer. */
  ClicOffer possible(unsigned id) const;
  /** All offers that are possible in that cycle, that of seen() first. An invalid one means that nothing is offered. */
  std::vector<ClicOffer> candidates() const;
  /** The core claims the offer of source `id` in cycle `now`, which clears its pending edge. */
  void claim(unsigned id, std::uint64_t now);
  /** The leader has shown that it offered `winner`. So sources above it had no pending edge, if that was unknown. */
  void shown(const ClicOffer& winner);

 private:
  /** How many cycles the states of sources are kept for. */
  static constexpr std::uint64_t kKept = 16;
  struct Source : ClicSource {
    bool wire = false;                   ///< level of the last sample
    Tri latched = Tri::kOff;             ///< pending edge
    std::uint64_t retriggered = kNever;  ///< cycle in which the trigger was changed last
    bool was_edge = false;               ///< edge-triggered before that change
  };
  /** The state that a source had until `cycle`. The search sees a sample in the cycle of the sample, and a write or a
   * claim one cycle later. */
  struct Past {
    std::uint64_t cycle;
    unsigned id;
    Source before;
  };
  /** The configuration that was in force until `cycle`. */
  struct PastConfig {
    std::uint64_t cycle;
    model::ClicConfig before;
  };
  /** A write or claim after which a source is not offered in the next cycle. */
  struct Ending {
    std::uint64_t cycle = kNever;
    unsigned id = 0;
  };
  struct Sample {
    std::uint64_t cycle;
    unsigned id;
    bool level;
    bool pulse;  ///< true: not a sample, but an edge without the wire
  };

  static Tri pending(const Source& source);
  static void change(Source& source, bool level);
  void sample(const Sample& sample);
  void pulse(const Sample& sample);
  void insert(const Sample& sample);
  /** Keeps the state that a source had until `cycle`. */
  void keep(unsigned id, std::uint64_t cycle);
  /** The state of a source `back` cycles before the cycle that this view has advanced to. */
  const Source& past(unsigned id, std::uint64_t back) const;
  /** The configuration registers `back` cycles before that cycle. */
  const model::ClicConfig& past_config(std::uint64_t back) const;
  /** The source whose register word is at `offset` of a region, if that region shows it. */
  std::optional<unsigned> seen_at(std::uint32_t offset, unsigned region) const;
  /** Whether the search could find a source `back` cycles ago: whether it was pending and enabled. A source of level 0
   * counts, too: it loses to all others. */
  Tri able(unsigned id, std::uint64_t back) const;
  /** Cycles from the beginning of the search for a source to its offer. */
  std::uint64_t searched() const { return staged_ ? 2 : 1; }
  /** Whether the search prefers source `a` to source `b`. */
  bool wins(unsigned a, unsigned b) const;
  /** The most important source that was certainly pending and enabled when the search began. */
  std::optional<unsigned> found() const;
  /** Whether the source that the search has found is offered: it was still pending and enabled in the last cycle, and
   * no write or claim has ended it since. */
  Tri lasts(unsigned id) const;
  ClicOffer offer(unsigned id) const;
  /** The leader has shown whether an edge that was unknown has come. */
  void learn(unsigned id, bool is_edge);
  static bool keeps(const Source& before, const Source& after, unsigned enables, std::uint32_t value);
  void write_source(Source& source, unsigned enables, std::uint32_t value, std::uint64_t now);

  std::vector<Source> sources_;
  std::vector<Sample> later_;  ///< samples of cycles to come, in order of cycles
  std::vector<Past> past_;     ///< states of sources in the last cycles, in order of cycles
  std::vector<PastConfig> past_configs_;
  bool staged_;
  std::uint8_t absent_ctl_;  ///< bits of ctl that read as ones
  model::ClicConfig config_;
  std::uint64_t now_ = 0;
  Ending written_;  ///< the last write that does not keep its source pending and enabled
  Ending claimed_;  ///< the last claim
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_CLIC_VIEW_H
