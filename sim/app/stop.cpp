// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/stop.h"

#include <csignal>
#include <initializer_list>

namespace trapeze {
namespace {

/** The one thing that a signal handler can reach. */
volatile std::sig_atomic_t requested = 0;

void note(int number) {
  if (requested == 0) requested = number;
}

}  // namespace

void watch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction before {};
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
