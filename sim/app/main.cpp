// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// trapeze-sim: runs firmware on an engine. See sim/README.md.
#include <fcntl.h>

#include <csignal>
#include <cstdio>
#include <exception>

#include "app/command.h"
#include "app/options.h"
#include "app/stop.h"
#include "kernel/error.h"
#include "lockstep/lockstep.h"

namespace {

/** Puts something in the place of standard streams that are not there: the next file opened would be in theirs, and get
 * what the firmware prints. Input is at its end, output fails, errors are lost. */
void stand_in_for_streams() {
  for (const int stream : {0, 1, 2}) {
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == 2 ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace

int main(int argc, char** argv) {
  stand_in_for_streams();
  // A file-size limit shows as an error of write(), like a full disk, instead of killing the process.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  trapeze::watch_stop_signals();
  try {
    const auto options = trapeze::parse_options(argc, argv);
    return options ? trapeze::run_command(*options) : 0;
  } catch (const trapeze::ReaderGone&) {
    return trapeze::kExitSignal + SIGPIPE;
  } catch (const trapeze::Mismatch& mismatch) {
    std::fprintf(stderr, "trapeze-sim: error: %s\n", mismatch.what());
    return trapeze::kExitMismatch;
  } catch (const trapeze::EngineFailure& failure) {
    std::fprintf(stderr, "trapeze-sim: error: %s\n", failure.what());
    return trapeze::kExitEngine;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "trapeze-sim: error: %s\n", error.what());
    return trapeze::kExitUsage;
  }
}
