// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What is known of the leader's devices that all harts share: each sees the stores that the harts make, in order, and
 * is asked what a load reads.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_DEVICE_VIEWS_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_DEVICE_VIEWS_H

#include <trapeze/map.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "kernel/engine.h"
#include "lockstep/following/clic_view.h"
#include "lockstep/following/uart_view.h"
#include "model/memory/bus.h"
#include "model/platform/clint.h"
#include "model/platform/latency.h"

namespace trapeze::following {

/** The part of an access in one bus word. */
struct WordAccess {
  std::uint64_t address;  ///< of the word
  unsigned enables;       ///< bytes of it
  unsigned lane;          ///< the first of them
  unsigned done;          ///< bytes of the access before it

  /** `value` of the access as this word has it, and back. */
  std::uint32_t place(std::uint64_t value) const {
    return static_cast<std::uint32_t>(value >> (8 * done)) << (8 * lane);
  }
  std::uint64_t part(std::uint32_t word) const {
    return std::uint64_t{(word & model::lane_mask(enables)) >> (8 * lane)} << (8 * done);
  }
};

/** Calls `body` for each bus word of an access to the bytes `mask`, in the order in which they are accessed. */
template <typename Body>
void for_each_word(std::uint64_t address, unsigned mask, Body&& body) {
  for (unsigned done = 0; (mask >> done) != 0;) {
    const unsigned lane = (address + done) % 4;
    const unsigned bytes = std::min(4 - lane, static_cast<unsigned>(std::bit_width(mask >> done)));
    body(WordAccess{address + done - lane, ((1U << bytes) - 1) << lane, lane, done});
    done += bytes;
  }
}

class DeviceViews {
 public:
  explicit DeviceViews(unsigned harts) : clint(harts) {
    bus_.attach(TRAPEZE_CLINT_BASE, TRAPEZE_CLINT_SIZE, clint);
    bus_.attach(TRAPEZE_UART_BASE, TRAPEZE_UART_SIZE, uart);
    bus_.attach(TRAPEZE_PROBE_BASE, TRAPEZE_PROBE_SIZE, latency);
    clint.reset();
    uart.reset();
  }
  DeviceViews(const DeviceViews&) = delete;
  DeviceViews& operator=(const DeviceViews&) = delete;

  /** A store of the reference; `clic`: what is known of its hart's, or null. */
  void store(const tz_retire& own, std::uint64_t now, ClicView* clic) {
    for_each_word(own.mem_addr, own.mem_wmask, [&](const WordAccess& word) {
      const std::uint64_t offset = word.address - TRAPEZE_CLIC_BASE;
      if (clic != nullptr && offset < TRAPEZE_CLIC_SIZE) {
        clic->write(static_cast<std::uint32_t>(offset), word.enables, word.place(own.mem_wdata), now);
      } else {
        bus_.write(word.address, word.enables, word.place(own.mem_wdata), now);
      }
    });
    uart.output().clear();
  }

  /** What the leader's load reads, if that depends on time: its own value where it was free. */
  std::uint64_t load(const tz_retire& leader, ClicView* clic) {
    const std::uint64_t now = leader.cycle_ex;
    std::uint64_t value = 0;
    bool known = true;
    for_each_word(leader.mem_addr, leader.mem_rmask, [&](const WordAccess& word) {
      const std::uint64_t offset = word.address - TRAPEZE_CLIC_BASE;
      if (word.address >= TRAPEZE_UART_BASE && word.address - TRAPEZE_UART_BASE < TRAPEZE_UART_SIZE) {
        uart.lead(static_cast<std::uint8_t>(leader.mem_rdata >> (8 * word.done)));
        value |= word.part(bus_.read(word.address, word.enables, now).value);
      } else if (clic != nullptr && offset < TRAPEZE_CLIC_SIZE) {
        const auto read = clic->read(static_cast<std::uint32_t>(offset), word.enables, now);
        known &= read.has_value();
        value |= word.part(read.value_or(0));
      } else {
        known = false;
      }
    });
    return known ? value : leader.mem_rdata;
  }

  model::Clint clint;
  UartView uart;
  model::Latency latency{{}};
  bool clock_known = false;  ///< mtime has been read since it was last written

 private:
  model::Reservations reservations_;
  model::Bus bus_{0, reservations_};
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_DEVICE_VIEWS_H
