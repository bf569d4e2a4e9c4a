// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What is known of the leader's CLIC, cycle by cycle: its registers, its wires, and which interrupt it may offer.
 *
 * The cycles are those of hw/irq/clic/README.md. All wires are known to the cycle. A pending edge is unknown where that
 * page leaves it open: where the wire moves in the cycle in which one kind of edge becomes the other. It is then what
 * the leader shows.
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
   * register stage. */
  explicit ClicView(unsigned sources, unsigned ctl_bits = 8, bool staged = false);

  unsigned sources() const { return static_cast<unsigned>(sources_.size()); }

  // What the program does. `offset` is that of a word; bit n of `enables`: byte n takes part.
  /** A store in cycle `now`. */
  void write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now);
  /** What a load in cycle `now` reads; nothing: it shows what is not known, see check_read(). */
  std::optional<std::uint32_t> read(std::uint32_t offset, unsigned enables, std::uint64_t now);
  /** The leader read `value` from the word at `offset`: says what cannot be, and knows from now on. */
  std::string check_read(std::uint32_t offset, unsigned enables, std::uint32_t value);

  /** The wire of a source has a level, at once. */
  void drive(unsigned id, bool level) { change(sources_[id], level); }
  /** The wire is sampled as `level` in `cycle`. */
  void drive_later(unsigned id, bool level, std::uint64_t cycle);
  /** Registers as they are in cycle `now`: everything sampled before it is in them. */
  void advance(std::uint64_t now);

  /** The most important interrupt among those certainly pending and enabled. */
  ClicOffer best() const;
  /** What was offered in the last cycle that it advanced to. A write to a source in the cycle before changes whom the
   * controller prefers a cycle later than it changes the registers: sources are compared as they were before it, and
   * the one that was preferred is offered as it is now, or not if the write has ended it. */
  ClicOffer seen() const;
  /** `id` as an offer if it may be the most important one in that cycle, else an invalid offer. */
  ClicOffer possible(unsigned id) const;
  /** All offers that may be there, that of seen() first; an invalid one stands for none. */
  std::vector<ClicOffer> candidates() const;
  /** The offer may be missing in cycle `now`: what was offered has just been claimed, or a write has ended it. With the
   * stage, after every change: what a source was in the last cycles is not kept here, so what may have been is let
   * pass there. */
  bool blank(std::uint64_t now) const {
    return staged_ ? changed_ != kNever && now <= changed_ + kStage : now == blank_;
  }
  /** The core claims `id` in cycle `now`: an edge is no longer pending. */
  void claim(unsigned id, std::uint64_t now);
  /** The leader has shown that `winner` was the most important one: unknown edges above it are none. */
  void shown(const ClicOffer& winner);

 private:
  /** Cycles until a change has passed the stage. */
  static constexpr std::uint64_t kStage = 2;
  struct Source : ClicSource {
    bool wire = false;                   ///< as last sampled
    Tri latched = Tri::kOff;             ///< pending edge
    std::uint64_t retriggered = kNever;  ///< cycle in which trigger changed
    bool was_edge = false;               ///< before that
    std::uint64_t changed = kNever;      ///< cycle of the last sample, write or claim that changed something
  };
  /** A source as it was before a write. */
  struct Written {
    std::uint64_t cycle;
    unsigned id;
    Source before;
    bool kept;  ///< pending and enabled after the write if it was so without
  };
  struct Sample {
    std::uint64_t cycle;
    unsigned id;
    bool level;
  };

  static Tri pending(const Source& source);
  static void change(Source& source, bool level);
  void sample(const Sample& sample);
  ClicOffer offer(unsigned id) const;
  /** Whether a source was written in the cycle before that which it has advanced to. */
  bool disturbed() const { return written_ && written_->cycle + 1 == now_; }
  bool fresh(unsigned id) const { return disturbed() && written_->id == id; }
  /** Whether a write in that cycle ended the interrupt, if it was pending and enabled. */
  bool ended(unsigned id) const { return fresh(id) && !written_->kept; }
  const Source& as_seen(unsigned id) const { return fresh(id) ? written_->before : sources_[id]; }
  /** With the stage, whether a source may still be looked for as it was before. */
  bool unsettled(unsigned id) const {
    return staged_ && sources_[id].changed != kNever && now_ <= sources_[id].changed + kStage;
  }
  void note_change(Source& source, std::uint64_t cycle) { source.changed = changed_ = cycle; }
  /** The most important source as seen() understands it. */
  std::optional<unsigned> found() const;
  /** Whether source `a` wins over source `b`. */
  bool outranks(unsigned a, unsigned b) const;
  static bool keeps(const Source& before, const Source& after, unsigned enables, std::uint32_t value);
  void write_source(Source& source, unsigned enables, std::uint32_t value, std::uint64_t now);

  std::vector<Source> sources_;
  std::vector<Sample> later_;  ///< by cycle
  bool staged_;
  std::uint8_t absent_ctl_;  ///< bits of ctl that read as ones
  model::ClicLevels levels_;
  std::uint64_t now_ = 0;
  std::uint64_t blank_ = kNever;
  std::uint64_t changed_ = kNever;  ///< the last change of any source
  std::optional<Written> written_;
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_CLIC_VIEW_H
