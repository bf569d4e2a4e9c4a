// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// trapeze-sim: runs firmware on an engine. See sim/README.md.
#include <fcntl.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include "app/command.h"
#include "app/request.h"
#include "app/stop.h"
#include "kernel/engine.h"
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

/** CLI11's message as one line with the remedy. */
std::string one_line(const CLI::ParseError& error) {
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text + "; see trapeze-sim --help";
}

int command(int argc, char** argv) {
  std::string file;
  trapeze::Reports reports;
  CLI::App app("Runs what a request of the laboratory says, and reports; `trapeze run` writes requests.",
               "trapeze-sim");
  app.set_version_flag("--version", "trapeze-sim, engine interface " + std::to_string(TZ_ENGINE_ABI));
  app.add_option("REQUEST", file, "What to run: a file of the schema trapeze.request/1")->required()->type_name("FILE");
  app.add_option("--json", reports.json, "Record of the run, schema trapeze.run/1")->type_name("FILE");
  app.add_option("--console-tail", reports.console_tail,
                 "Where a program ends with code 64 or more, write the last bytes of its console there, too")
      ->type_name("FILE");
  app.add_option("--exit-pc", reports.exit_pc, "In the same case write the address of its last instruction there")
      ->type_name("FILE");
  app.add_flag("--quiet", reports.quiet, "No summary");
  app.add_flag("--progress", reports.progress, "Lines 'progress DONE TOTAL' on stderr during a sweep");
  app.add_flag("--speed", reports.speed, "A line 'speed CYCLES SECONDS' on stderr: simulated cycles, host time");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return 0;
  } catch (const CLI::CallForVersion& version) {
    std::cout << version.what() << "\n";
    return 0;
  } catch (const CLI::ParseError& error) {
    throw trapeze::Error(one_line(error));
  }
  return trapeze::run_command(trapeze::read_request(file), reports);
}

}  // namespace

int main(int argc, char** argv) {
  stand_in_for_streams();
  // A file-size limit shows as an error of write(), like a full disk, instead of killing the process.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  trapeze::watch_stop_signals();
  try {
    return command(argc, argv);
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
