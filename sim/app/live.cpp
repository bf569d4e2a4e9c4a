// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/live.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace trapeze {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kFirst{2};         ///< what is over by then shows nothing
constexpr milliseconds kPause{250};  ///< between two looks at a terminal
constexpr seconds kFirstPlain{10};   ///< elsewhere, and each further pause is twice as long

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
  struct winsize size {};
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

Live::Live()
    : terminal_(::isatty(STDERR_FILENO) == 1),
      pause_(terminal_ ? Clock::duration(kPause) : Clock::duration(kFirstPlain)),
      next_(Clock::now() + (terminal_ ? kFirst : kFirstPlain)) {}

void Live::show(const RunState& state) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  if (!terminal_) pause_ *= 2;
  next_ = now + pause_;
  if (!terminal_) {
    std::fprintf(stderr, "trapeze-sim: %s\n", so_far(state).c_str());
    return;
  }
  std::fprintf(stderr, "\r%s\x1b[K", so_far(state).substr(0, columns() - 1).c_str());
  shown_ = true;
}

void Live::clear() {
  if (!shown_) return;
  std::fprintf(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace trapeze
