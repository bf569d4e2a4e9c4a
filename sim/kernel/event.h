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
#include <string_view>

namespace trapeze {

/** What can be waited for, and which cycle it counts in. */
enum class EventKind : std::uint8_t {
  kEdge,    ///< an injection is in force: the first cycle in which it drives its line
  kClaim,   ///< a hart takes an interrupt: the cycle of the claim; of one that xnxti hands out, of the xnxti
  kSignal,  ///< a signal of the platform rises
  kPc,      ///< the instruction at an address executes
  kMarker,  ///< a marker executes
  kStore,   ///< the bus grants a store
  kLoad,    ///< the bus grants a load
  kTask     ///< the first instruction of a task after a switch to it executes
};

/** One of them. */
struct Event {
  EventKind kind = EventKind::kMarker;
  unsigned hart = 0;                   ///< whose it is; a signal has none
  std::uint64_t number = 0;            ///< of the line, the interrupt, or the marker
  std::string name;                    ///< of the signal or the task
  std::uint64_t address = 0;           ///< of the instruction, or of what is accessed
  std::uint64_t size = 1;              ///< of what is accessed, in bytes
  std::optional<std::uint64_t> value;  ///< what has to be stored there, as many bytes as the store has

  bool operator==(const Event&) const = default;
};

/** `edge:[H:]LINE`, `claim:[H:]ID`, `signal:NAME`, `pc:[H:]ADDRESS`, `marker:[H:]N`,
 * `store:[H:]ADDRESS[+SIZE][=VALUE]`, `load:[H:]ADDRESS[+SIZE]`, `task:[H:]NAME`; without H hart 0's. Throws Error. */
Event parse_event(std::string_view text);

/** A non-negative decimal or 0x number that fills all of `text`. */
std::optional<std::uint64_t> parse_number(std::string_view text);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_EVENT_H
