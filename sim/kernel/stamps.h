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

/** Rises of one signal. */
struct SignalRises {
  std::vector<std::uint64_t> cycles;  ///< the first StampTracker::kMaxRises of them
  std::uint64_t count = 0;            ///< of all
};

/** Collects stamps from claims and records. A value: copy it with a snapshot. */
class StampTracker {
 public:
  static constexpr unsigned kHandlerMarker = 1;
  static constexpr std::size_t kMaxMarkers = 65536;
  static constexpr std::size_t kMaxRises = 1048576;

  /** An injection is in force; `index` is its number, `stimulus` that of the arrivals it belongs to. */
  void on_injection(std::size_t index, const Injection& injection, std::size_t stimulus = 0);

  /** A claim that serves injection `index`, or Stimulus::kNone; `line` if the id is that of a platform line. */
  void on_claim(const tz_claim& claim, std::size_t index, std::optional<unsigned> line);

  /** A record of TZ_SELECT_MARKERS, TZ_SELECT_HANDLERS or TZ_SELECT_TRAPS; others are ignored. */
  void on_retire(const tz_retire& record, const HandlerStack::HandOut& hand_out = {});

  /** The handlers of a hart, as its last record left them. */
  HandlerStack& handlers(unsigned hart);

  /** A signal has risen. */
  void on_rise(const tz_rise& rise);

  /** The interrupt that will first have gone without its marker's execution for more than `budget` cycles. */
  struct Deadline {
    std::uint64_t cycle = ~std::uint64_t{0};  ///< from which on it is known that it did; all ones: never
    std::size_t index = Stimulus::kNone;
    Injection edge;  ///< of that interrupt
  };
  Deadline deadline(std::uint64_t budget) const;

  /** Without those of arrivals; by the stimulus's number of the injection; some may not have come into force yet. */
  const std::vector<InterruptStamp>& interrupts() const { return interrupts_.listed(); }
  /** Those of arrivals, together. */
  const InterruptTable& table() const { return interrupts_; }
  InterruptTable& table() { return interrupts_; }
  const std::vector<MarkerStamp>& markers() const { return markers_; }
  /** By the engine's number of the signal; those at the end that never rose are missing. */
  const std::vector<SignalRises>& signals() const { return signals_; }
  std::uint64_t marker_count() const { return marker_count_; }
  /** Of those that stand for a handler, whoever executed them. */
  std::uint64_t handler_marker_count() const { return handler_marker_count_; }
  std::uint64_t claim_count() const { return claim_count_; }

  /** Claims that serve no injection: of timers, of other harts. The first kMaxMarkers of them. */
  const std::vector<tz_claim>& other_claims() const { return other_claims_; }

  /** Forget markers collected so far (not their number), and other claims: a sweep keeps none. */
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
