// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The measurement: stamps of interrupts and markers (the stamps t0, tf, tx, tr and the marker HINT).
 */
#ifndef TRAPEZE_SIM_KERNEL_STAMPS_H
#define TRAPEZE_SIM_KERNEL_STAMPS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/engine.h"
#include "kernel/handlers.h"
#include "kernel/stimulus.h"

namespace trapeze {

/** A marker that retired. */
struct MarkerStamp {
  unsigned hart = 0;
  unsigned n = 0;
  std::uint64_t pc = 0;
  std::uint64_t fetch = 0;
  std::uint64_t execute = 0;
  std::uint64_t retire = 0;
};

/** Rises of one signal in a run. */
struct SignalRises {
  std::vector<std::uint64_t> cycles;  ///< cycles of the first StampTracker::kMaxRises rises
  std::uint64_t count = 0;            ///< number of all rises
};

/** Collects stamps from claims and records. A value: copy it with a snapshot. */
class StampTracker {
 public:
  static constexpr unsigned kHandlerMarker = 1;
  static constexpr std::size_t kMaxMarkers = 65536;
  static constexpr std::size_t kMaxRises = 1048576;

  /** An injection takes effect. `index` is its number, `stimulus` the number of the arrivals that it belongs to. */
  void on_injection(std::size_t index, const Injection& injection, std::size_t stimulus = 0);

  /** A hart has claimed an interrupt. `index` is the injection that the claim serves, or Stimulus::kNone; `line` is
   * the platform line with the interrupt's id, if there is one. */
  void on_claim(const tz_claim& claim, std::size_t index, std::optional<unsigned> line);

  /** A record selected by TZ_SELECT_MARKERS, TZ_SELECT_HANDLERS or TZ_SELECT_TRAPS has arrived; others are ignored. */
  void on_retire(const tz_retire& record, const HandlerStack::HandOut& hand_out = {});

  /** Handlers of a hart after its last record. */
  HandlerStack& handlers(unsigned hart);

  /** A signal has risen. */
  void on_rise(const tz_rise& rise);

  /** The interrupt that will be the first to exceed a budget: its marker has not executed within `budget` cycles. */
  struct Deadline {
    std::uint64_t cycle = ~std::uint64_t{0};  ///< first cycle in which the excess is certain; all ones: never
    std::size_t index = Stimulus::kNone;
    Injection edge;  ///< injection of that interrupt
  };
  Deadline deadline(std::uint64_t budget) const;

  /** Stamps of single injections (not of arrivals), by the number of the injection in the Stimulus. Injections that
   * have not taken effect are among them, or missing at the end. */
  const std::vector<InterruptStamp>& interrupts() const { return interrupts_.listed(); }
  /** Stamps of arrivals, and their sums. */
  const InterruptTable& table() const { return interrupts_; }
  InterruptTable& table() { return interrupts_; }
  const std::vector<MarkerStamp>& markers() const { return markers_; }
  /** Rises by the engine's number of the signal. Signals behind the last one that rose are missing. */
  const std::vector<SignalRises>& signals() const { return signals_; }
  std::uint64_t marker_count() const { return marker_count_; }
  /** Number of markers that stand for the end of a handler, whichever code executed them. */
  std::uint64_t handler_marker_count() const { return handler_marker_count_; }
  std::uint64_t claim_count() const { return claim_count_; }

  /** Claims that serve no injection, such as those of timers or by other harts' software. The first kMaxMarkers of
   * them. */
  const std::vector<tz_claim>& other_claims() const { return other_claims_; }

  /** Whether to keep markers and other claims. A sweep keeps none; markers are still counted. */
  void keep_markers(bool keep) { keep_markers_ = keep; }

 private:
  void note_marker(const tz_retire& record);

  InterruptTable interrupts_;
  std::vector<MarkerStamp> markers_;
  std::vector<tz_claim> other_claims_;
  std::vector<SignalRises> signals_;
  std::vector<HandlerStack> handlers_;  ///< by hart
  std::uint64_t marker_count_ = 0;
  std::uint64_t handler_marker_count_ = 0;
  std::uint64_t claim_count_ = 0;
  bool keep_markers_ = true;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_STAMPS_H
