// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * SIGINT (Ctrl-C) and SIGTERM as a wish to stop that a run notices and ends properly.
 */
#ifndef TRAPEZE_SIM_APP_STOP_H
#define TRAPEZE_SIM_APP_STOP_H

namespace trapeze {

/**
 * From here on the first SIGINT or SIGTERM only notes that it came; a second one ends the process, as by default,
 * unless it comes at once: a terminal sends Ctrl-C to this process and to the command that started it, which passes it
 * on. A system call that waits returns with EINTR.
 */
void watch_stop_signals();

/** The signal that asked to stop, 0 if none has. */
int stop_signal();

/** `SIGINT` or `SIGTERM`. */
const char* stop_signal_name();

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_STOP_H
