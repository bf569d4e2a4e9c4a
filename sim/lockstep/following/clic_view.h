// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What is known of the leader's CLIC, cycle by cycle: its registers, its wires, and which interrupt it may offer.
 *
 * The cycles are those of hw/irq/clic/README.md. All wires are known to the cycle. A pending edge is unknown where that
 * page leaves it open: where the wire moves in the cycle in which one kind of edge becomes the other. It is then what
 * the leader shows.
 *
 * The controller looks for the most important source before it offers that one, and does not see what the bus and a
 * claim do in the cycle in which it looks. So the view keeps what the sources, and the configuration, were in the last
 * cycles. Whose interrupt a source is counts as its ctl does: for the search as it was, for the offer as it is.
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

  // What the program does. `offset` is that of a word; bit n of `enables`: byte n takes part. `region`: the privilege
  // whose view of the controller it is in.
  /** A store in cycle `now`. */
  void write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
             unsigned region = model::kMachine);
  /** What a load in cycle `now` reads; nothing: it shows what is not known, see check_read(). */
  std::optional<std::uint32_t> read(std::uint32_t offset, unsigned enables, std::uint64_t now,
                                    unsigned region = model::kMachine);
  /** The leader read `value` from the word at `offset`: says what cannot be, and knows from now on. */
  std::string check_read(std::uint32_t offset, unsigned enables, std::uint32_t value,
                         unsigned region = model::kMachine);

  /** The wire of a source has a level, at once. */
  void drive(unsigned id, bool level) { change(sources_[id], level); }
  /** The wire is sampled as `level` in `cycle`; what is said last of a cycle holds. */
  void drive_later(unsigned id, bool level, std::uint64_t cycle);
  /** An edge without the wire comes in `cycle`; nothing for a source that is level-triggered, or does not exist. */
  void pulse_later(unsigned id, std::uint64_t cycle);
  /** Registers as they are in cycle `now`: everything sampled before it is in them. */
  void advance(std::uint64_t now);

  /** The most important interrupt among those certainly pending and enabled, by the registers. */
  ClicOffer best() const;
  /** What is certainly offered in the cycle that it has advanced to: the source that was found, as it is now; nothing
   * if a write or a claim of the cycle before has ended it. */
  ClicOffer seen() const;
  /** `id` as an offer if it may be the one in that cycle, else an invalid offer. */
  ClicOffer possible(unsigned id) const;
  /** All offers that may be there, that of seen() first; an invalid one stands for none. */
  std::vector<ClicOffer> candidates() const;
  /** The core takes the offer `id` in cycle `now`, and with it the pending edge. */
  void claim(unsigned id, std::uint64_t now);
  /** The leader has shown that `winner` was offered: unknown edges above it are none. */
  void shown(const ClicOffer& winner);

 private:
  /** How many cycles the states of sources are kept for. */
  static constexpr std::uint64_t kKept = 16;
  struct Source : ClicSource {
    bool wire = false;                   ///< as last sampled
    Tri latched = Tri::kOff;             ///< pending edge
    std::uint64_t retriggered = kNever;  ///< cycle in which trigger changed
    bool was_edge = false;               ///< before that
  };
  /** The state of a source until `cycle`. The controller sees a sample in the cycle of the sample, a write or a claim
   * one cycle later. */
  struct Past {
    std::uint64_t cycle;
    unsigned id;
    Source before;
  };
  /** The configuration registers until `cycle`. */
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
    bool pulse;  ///< no sample, but an edge without the wire
  };

  static Tri pending(const Source& source);
  static void change(Source& source, bool level);
  void sample(const Sample& sample);
  void pulse(const Sample& sample);
  void insert(const Sample& sample);
  /** Remembers a source as it was until `cycle`. */
  void keep(unsigned id, std::uint64_t cycle);
  /** The state of a source `back` cycles before the cycle that this view has advanced to. */
  const Source& past(unsigned id, std::uint64_t back) const;
  /** The configuration registers `back` cycles before that cycle. */
  const model::ClicConfig& past_config(std::uint64_t back) const;
  /** The source whose register word is at `offset` of a region, if that region shows it. */
  std::optional<unsigned> seen_at(std::uint32_t offset, unsigned region) const;
  /** Whether a source was pending and enabled `back` cycles ago. A source of level 0 is, too: it loses to all others.
   */
  Tri able(unsigned id, std::uint64_t back) const;
  /** Cycles from the beginning of the search for a source to its offer. */
  std::uint64_t searched() const { return staged_ ? 2 : 1; }
  /** Whether source `a` is found rather than source `b`. */
  bool wins(unsigned a, unsigned b) const;
  /** The most important source that was certainly pending and enabled when the search began. */
  std::optional<unsigned> found() const;
  /** Whether a source that was found is offered: it was still there a cycle ago, and nothing has ended it since. */
  Tri lasts(unsigned id) const;
  ClicOffer offer(unsigned id) const;
  /** It has turned out whether an edge of which the view was not sure has come. */
  void learn(unsigned id, bool is_edge);
  static bool keeps(const Source& before, const Source& after, unsigned enables, std::uint32_t value);
  void write_source(Source& source, unsigned enables, std::uint32_t value, std::uint64_t now);

  std::vector<Source> sources_;
  std::vector<Sample> later_;  ///< by cycle
  std::vector<Past> past_;     ///< by cycle
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
