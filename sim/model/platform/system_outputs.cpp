// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// What a run hands out beside records: changes of wires, bytes for the console, rises of signals.
#include <algorithm>
#include <cstring>

#include "model/platform/system.h"

namespace trapeze::model {

std::size_t System::wires(std::uint64_t until, std::span<tz_wire_change> changes) {
  const auto collect = [&](LevelChanges& output, std::uint64_t before, tz_wire wire, unsigned hart) {
    output.take(before, [&](const LevelChanges::Change& change) {
      wires_.push_back(
          {change.time, static_cast<std::uint16_t>(wire), static_cast<std::uint16_t>(hart), change.level ? 1U : 0U});
    });
  };
  const std::size_t left = wires_.size();
  clint_.advance(until);
  uart().interrupt(until);
  for (unsigned n = 0; n < harts(); ++n) {
    collect(clint_.software_output(n), until + 1, TZ_WIRE_SOFTWARE, n);
    collect(clint_.timer_output(n), until + 1, TZ_WIRE_TIMER, n);
  }
  collect(uart().interrupt_output(), until + 1, TZ_WIRE_UART, 0);
  // An access that is granted in `until` has been in the block in the cycle before.
  latency_.interrupt(until - std::min<std::uint64_t>(until, 1));
  collect(latency_.interrupt_output(), until, TZ_WIRE_LATENCY, 0);
  if (wires_.empty()) return 0;
  const auto earlier = [](const tz_wire_change& a, const tz_wire_change& b) { return a.cycle < b.cycle; };
  std::stable_sort(wires_.begin() + static_cast<std::ptrdiff_t>(left), wires_.end(), earlier);
  const std::size_t count = std::min(wires_.size(), changes.size());
  std::copy_n(wires_.begin(), count, changes.begin());
  wires_.erase(wires_.begin(), wires_.begin() + static_cast<std::ptrdiff_t>(count));
  return count;
}

void System::gather_output(std::uint64_t time) {
  for (std::size_t n = 0; n < uarts_.size(); ++n) {
    Uart& uart = uarts_[n];
    if (uart.sending()) uart.advance(time);
    if (uart.output().empty()) continue;
    if (n < consoles_.size() && consoles_[n]) {
      console_.write_line(*consoles_[n], uart.output());
    } else {
      console_.write(uart.output());
    }
    uart.output().clear();
  }
}

bool System::drain_console(const tz_run_args& args, tz_run_result& result) {
  std::vector<std::uint8_t>& output = console_.output();
  if (args.console == nullptr) output.clear();
  const std::size_t count =
      std::min(output.size(), args.console == nullptr ? 0 : args.console_capacity - result.console_bytes);
  if (count != 0) std::memcpy(args.console + result.console_bytes, output.data(), count);
  result.console_bytes += count;
  output.erase(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(count));
  if (args.console == nullptr || result.console_bytes < args.console_capacity) return true;
  result.stop = std::max(result.stop, TZ_STOP_CONSOLE);
  return false;
}

void System::gather_rises(std::uint64_t time) {
  const auto gather = [this, time](Latency& block, unsigned first) {
    // An access that is granted in `time` has been in the block in the cycle before.
    block.advance(time - std::min<std::uint64_t>(time, 1));
    for (const Latency::Rise& rise : block.take_rises()) rises_.push_back({rise.time, first + rise.signal});
  };
  gather(latency_, 0);
  if (plic_latencies_.empty()) return;
  gather(plic_latencies_.front(), kLatencySignals.size());
  std::stable_sort(rises_.begin(), rises_.end(),
                   [](const tz_rise& one, const tz_rise& other) { return one.cycle < other.cycle; });
}

bool System::drain_rises(const tz_run_args& args, tz_run_result& result) {
  const std::size_t count = std::min(rises_.size(), args.rises_capacity);
  std::copy_n(rises_.begin(), count, args.rises);
  rises_.erase(rises_.begin(), rises_.begin() + static_cast<std::ptrdiff_t>(count));
  result.num_rises = count;
  return rises_.empty();
}

}  // namespace trapeze::model
