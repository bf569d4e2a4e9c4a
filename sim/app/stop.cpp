// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/stop.h"

#include <csignal>
#include <ctime>
#include <initializer_list>

namespace trapeze {
namespace {

/** What a signal handler can reach: the first signal, and when it came. */
volatile std::sig_atomic_t requested = 0;
struct timespec first = {};

/** Seconds in which a second signal is the same key, which a terminal and the command that started this both passed on.
 */
constexpr double kSameKey = 0.5;

void note(int number) {
  struct timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  if (requested == 0) {
    first = now;
    requested = number;
    return;
  }
  const double since =
      static_cast<double>(now.tv_sec - first.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec - first.tv_nsec);
  if (since < kSameKey) return;
  ::signal(number, SIG_DFL);
  ::raise(number);
}

}  // namespace

void watch_stop_signals() {
  struct sigaction action = {};
  action.sa_handler = note;
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction before = {};
    // Who starts this in the background may have it ignore Ctrl-C.
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    ::sigaction(number, &action, nullptr);
  }
}

int stop_signal() {
  return requested;
}

const char* stop_signal_name() {
  return requested == SIGTERM ? "SIGTERM" : "SIGINT";
}

}  // namespace trapeze
