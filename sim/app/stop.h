// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * SIGINT (Ctrl-C) and SIGTERM as a wish to stop that a run notices and ends properly.
 */
#ifndef TRAPEZE_SIM_APP_STOP_H
#define TRAPEZE_SIM_APP_STOP_H

namespace trapeze {

/**
 * From here on the first SIGINT and the first SIGTERM only note that they came; a second one of the same kind ends the
 * process, as by default. A system call that waits returns with EINTR.
 */
void watch_stop_signals();

/** The signal that asked to stop, 0 if none has. */
int stop_signal();

/** `SIGINT` or `SIGTERM`. */
const char* stop_signal_name();

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_STOP_H
