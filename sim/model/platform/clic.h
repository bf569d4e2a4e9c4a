// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * CLIC: gateways, configuration registers, and the choice of the most important interrupt.
 *
 * Sources: RISC-V Fast Interrupts v0.10 (behaviour) and its commit 5f5f98d (memory map), with smclicshv and
 * smclicconfig; the register description in regs/ (offsets and masks by its generated header); hw/irq/clic/README.md
 * for what the specification leaves open and for the cycles, which only a follower needs.
 *
 * Run by itself, the model drives wires as they are. A follower knows some wires only roughly (timer, UART): a wire or
 * a pending bit may then be unknown until the leader shows what it was.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_CLIC_H
#define TRAPEZE_SIM_MODEL_PLATFORM_CLIC_H

#include <optional>
#include <string>
#include <vector>

#include "model/isa/clic_port.h"
#include "model/memory/device.h"

namespace trapeze::model {

/** A bit that may be unknown. */
enum class Tri : std::uint8_t { kOff, kOn, kUnknown };

constexpr Tri to_tri(bool value) {
  return value ? Tri::kOn : Tri::kOff;
}

class Clic final : public Device, public ClicPort {
 public:
  /** `ctl_bits`: implemented bits of each ctl, from the top. `staged`: the hardware's search for the winner has a
   * register stage, which matters to a follower only. */
  explicit Clic(unsigned sources, unsigned ctl_bits = 8, bool staged = false);

  void reset() override;

  unsigned sources() const override { return static_cast<unsigned>(sources_.size()); }

  /** The wire of a source has a level, at once. */
  void drive(unsigned id, bool level) { change(sources_[id], to_tri(level)); }
  /** For a follower: the wire is sampled as `level` in `cycle`. */
  void drive_later(unsigned id, Tri level, std::uint64_t cycle);
  /** The same, unknown from `cycle` on until it is `level` in cycle `settled`, or for good if that is unknown too. */
  void doubt(unsigned id, std::uint64_t cycle, Tri level, std::uint64_t settled);
  /** Registers as they are in cycle `now`: everything sampled before it is in them. */
  void advance(std::uint64_t now) override;

  /** The most important interrupt among those certainly pending and enabled. */
  ClicOffer best() const override;
  /** For a follower: what was offered in the last cycle that it advanced to. A write to a source in the cycle before
   * changes whom the controller prefers a cycle later than it changes the registers: sources are compared as they were
   * before it, and the one that was preferred is offered as it is now, or not if the write has ended it. */
  ClicOffer seen() const override;
  /** `id` as an offer if it may be the most important one in that cycle, else an invalid offer. */
  ClicOffer possible(unsigned id) const override;
  /** All offers that may be there, that of seen() first; an invalid one stands for none. */
  std::vector<ClicOffer> candidates() const override;
  /** The offer may be missing in cycle `now`: what was offered has just been claimed, or a write has ended it. With the
   * stage, after every change: what a source was in the last cycles is not kept here, so a follower lets pass there
   * what may have been. */
  bool blank(std::uint64_t now) const override {
    return staged_ ? changed_ != kNever && now <= changed_ + kStage : now == blank_;
  }
  /** The core claims `id` in cycle `now`: an edge is no longer pending. */
  void claim(unsigned id, std::uint64_t now) override;
  /** The leader has shown that `winner` was the most important one: unknown edges above it are none. */
  void shown(const ClicOffer& winner) override;
  /** The leader read `value` from the word at `offset`: says what cannot be, and knows from now on. */
  std::string check_read(std::uint32_t offset, unsigned enables, std::uint32_t value);

 private:
  DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
  bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                const Origin& from) override;

  /** Cycles until a change has passed the stage. */
  static constexpr std::uint64_t kStage = 2;
  struct Source {
    Tri wire = Tri::kOff;     ///< as last sampled
    Tri latched = Tri::kOff;  ///< pending edge
    bool enabled = false;
    bool vectored = false;
    unsigned trigger = 0;  ///< bit 0 edge, bit 1 negative
    std::uint8_t ctl = 0;
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
    Tri level;
  };

  static bool is_edge(const Source& source) { return (source.trigger & 1U) != 0; }
  static Tri pending(const Source& source);
  /** A pending edge after it was cleared: on a wire that is not known there may be another one. */
  static Tri cleared(const Source& source) { return source.wire == Tri::kUnknown ? Tri::kUnknown : Tri::kOff; }
  static void change(Source& source, Tri level);
  void sample(const Sample& sample);
  unsigned level(const Source& source) const;
  ClicOffer offer(unsigned id) const;
  bool competes(const Source& source) const { return source.enabled && level(source) != 0; }
  /** Whether a source was written in the cycle before that which the follower is at. */
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
  const Source* source_at(std::uint32_t offset) const;

  std::vector<Source> sources_;
  std::vector<Sample> later_;  ///< by cycle
  bool staged_;
  std::uint8_t absent_ctl_;  ///< bits of ctl that read as ones
  unsigned level_bits_ = 0;
  std::uint64_t now_ = 0;
  std::uint64_t blank_ = kNever;
  std::uint64_t changed_ = kNever;  ///< the last change of any source
  std::optional<Written> written_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_CLIC_H
