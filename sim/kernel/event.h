// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Events of a run: where a span begins or ends.
 */
#ifndef TRAPEZE_SIM_KERNEL_EVENT_H
#define TRAPEZE_SIM_KERNEL_EVENT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trapeze {

/** Kinds of events, and the cycle in which each one happens. */
enum class EventKind : std::uint8_t {
  kEdge,    ///< an injection takes effect: the first cycle in which it drives its line
  kClaim,   ///< a hart takes an interrupt: the cycle of the claim; if xnxti hands the interrupt out, the cycle of the
            ///< xnxti
  kSignal,  ///< a signal of the platform rises
  kPc,      ///< the instruction at an address executes
  kMarker,  ///< a marker executes
  kStore,   ///< the bus grants a store
  kLoad,    ///< the bus grants a load
  kTask     ///< the first instruction of a task after a switch to it executes
};

/** One event to wait for. */
struct Event {
  EventKind kind = EventKind::kMarker;
  unsigned hart = 0;                   ///< hart of the event; a signal has none
  std::uint64_t number = 0;            ///< number of the line, the interrupt or the marker
  std::string name;                    ///< name of the signal or the task
  std::uint64_t address = 0;           ///< address of the instruction, or the first address of the accessed range
  std::uint64_t size = 1;              ///< bytes of the accessed range
  std::optional<std::uint64_t> value;  ///< value that must be stored there, as many bytes as the store has
  std::vector<std::uint64_t> places;   ///< addresses of further instructions at which the event happens

  bool operator==(const Event&) const = default;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_EVENT_H
