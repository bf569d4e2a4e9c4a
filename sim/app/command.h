// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What trapeze-sim does.
 */
#ifndef TRAPEZE_SIM_APP_COMMAND_H
#define TRAPEZE_SIM_APP_COMMAND_H

#include "app/request.h"

namespace trapeze {

/** Exit code for bad input. */
constexpr int kExitUsage = 2;
/** Exit code when the engine fails, above all when an assertion of the design does not hold. */
constexpr int kExitEngine = 120;
/** Exit code when --coherence has found something, whatever the program's. */
constexpr int kExitIncoherent = 126;
/** Exit code when --max-cycles is reached, as timeout(1) has it. */
constexpr int kExitMaxCycles = 124;
/** Exit code when the firmware waits in wfi for an interrupt that cannot come. */
constexpr int kExitAsleep = 122;
/** Exit code when the program ended well, but before what was to end the run; the laboratory's for missing figures. */
constexpr int kExitIncomplete = 121;
/** An interrupt took longer than --budget. */
constexpr int kExitBudget = 123;

/** Exit code when a debugger ends the run, as a shell has it for SIGKILL. */
constexpr int kExitKilled = 137;

/** Run firmware as requested, and report. Returns the process's exit code. Throws Error. */
int run_command(const Request& request, const Reports& reports);

/** Exit code when a signal ends the run: this plus its number, as a shell has it. */
constexpr int kExitSignal = 128;

/** Exit code when the engines of a lockstep disagree. */
constexpr int kExitMismatch = 125;

/** Exit code of the process for one of the firmware: its low byte, but never 0 for a failure. */
constexpr int process_exit_code(unsigned code) {
  const unsigned low = code & 0xffU;
  return static_cast<int>(low == 0 && code != 0 ? 255 : low);
}

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_COMMAND_H
