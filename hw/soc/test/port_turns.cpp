// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The simulator's turns at a shared memory, for a bench of tz_memory_port.
 */
#include "model/memory/port_turns.h"

namespace {
trapeze::model::PortTurns turns(0);
}

extern "C" void turns_reset(unsigned turn) {
  turns = trapeze::model::PortTurns(turn);
}

extern "C" int turns_cycle(int line, int last, int word) {
  return static_cast<int>(turns.cycle(line != 0, last != 0, word != 0));
}
