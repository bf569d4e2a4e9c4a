// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/live.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace trapeze {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kFirst{2};         ///< what is over by then shows nothing
constexpr milliseconds kPause{250};  ///< between two looks at a terminal
constexpr seconds kFirstPlain{10};   ///< elsewhere, and each further pause is twice as long

/** `1.2 M`, a number of which nobody wants every digit. */
std::string rounded(double value) {
  char text[32];
  const bool millions = value >= 1e6;
  const bool thousands = !millions && value >= 1e3;
  std::snprintf(text, sizeof text, millions || thousands ? "%.1f %s" : "%.0f%s",
                value / (millions    ? 1e6
                         : thousands ? 1e3
                                     : 1),
                millions    ? "M"
                : thousands ? "k"
                            : "");
  return text;
}

/** Half of the counted values are no more, by nearest rank. */
std::uint64_t median(const std::map<std::uint64_t, std::uint64_t>& counts) {
  std::uint64_t all = 0;
  for (const auto& [value, count] : counts) all += count;
  std::uint64_t below = 0;
  for (const auto& [value, count] : counts) {
    below += count;
    if (2 * below >= all) return value;
  }
  return 0;
}

std::size_t columns() {
  struct winsize size = {};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

}  // namespace

std::string so_far(const RunState& state) {
  std::string text = "cycle " + std::to_string(state.cycle);
  const std::vector<ArrivalResult>& results = state.stamps.table().arrivals();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const ArrivalSpec& spec = state.stimulus.streams()[i].arrivals.spec();
    const ArrivalResult& result = results[i];
    text += "; line " + std::to_string(spec.line) + ": n " + std::to_string(result.raised);
    if (!result.worst) continue;
    text += ", min " + std::to_string(*result.best->tx - result.best->t0);
    text += ", p50 " + std::to_string(median(result.tx.counts()));
    text += ", worst " + std::to_string(*result.worst->tx - result.worst->t0);
    text += " in cycle " + std::to_string(result.worst->t0);
  }
  return text;
}

std::string how_fast(std::uint64_t cycle, double per_second, const std::string& unit) {
  return (unit == "cycles" ? "cycle " : "instruction ") + std::to_string(cycle) + ", " + rounded(per_second) + " " +
         unit + " a second";
}

Live::Live(std::string unit)
    : unit_(std::move(unit)),
      terminal_(::isatty(STDERR_FILENO) == 1),
      last_(Clock::now()),
      pause_(terminal_ ? Clock::duration(kPause) : Clock::duration(kFirstPlain)),
      next_(Clock::now() + (terminal_ ? kFirst : kFirstPlain)) {}

void Live::show(const RunState& state) {
  const Clock::time_point now = Clock::now();
  if (now < next_ || line_open_) return;
  const bool measures = !state.stimulus.streams().empty();
  if (!measures && !terminal_) return;
  if (!terminal_) pause_ *= 2;
  next_ = now + pause_;
  if (!terminal_) {
    std::fprintf(stderr, "trapeze-sim: %s\n", so_far(state).c_str());
    return;
  }
  const double rate = static_cast<double>(state.cycle - last_cycle_) / duration<double>(now - last_).count();
  last_cycle_ = state.cycle;
  last_ = now;
  const std::string text = measures ? so_far(state) : how_fast(state.cycle, rate, unit_);
  std::fprintf(stderr, "\r%s\x1b[K", text.substr(0, columns() - 1).c_str());
  shown_ = true;
}

void Live::make_way(std::string_view console) {
  clear();
  if (!terminal_ || console.empty()) return;
  line_open_ = console.back() != '\n';
  // What is on its way through a pipe reaches the terminal before the next look.
  next_ = std::max(next_, Clock::now() + pause_);
}

void Live::clear() {
  if (!shown_) return;
  std::fprintf(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace trapeze
