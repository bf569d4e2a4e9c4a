// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/debug.h"

#include <cstdio>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/stop.h"
#include "gdb/devices.h"
#include "gdb/server.h"
#include "kernel/error.h"

namespace trapeze {
namespace {

/** The kernels whose tasks GDB shows: those whose lists are known. */
std::vector<gdb::KernelPlaces> kernels(const Options& options) {
  std::vector<gdb::KernelPlaces> found;
  for (const TaskAddresses& at : options.tasks) {
    gdb::KernelPlaces kernel{at.hart, at.current, at.name, at.started, {}};
    for (const TaskList& list : options.task_lists) {
      if (list.hart == at.hart) kernel.lists.push_back({list.state, list.address});
    }
    if (!kernel.lists.empty()) found.push_back(std::move(kernel));
  }
  return found;
}

/** How to connect GDB. Of several programs it gets the symbols from the files that are named to it, and has them run at
 * one time. */
void say_how(const Options& options, std::uint16_t port) {
  const std::string connect = "target remote localhost:" + std::to_string(port);
  const bool several = options.elfs.size() > 1;
  std::fprintf(
      stderr, "trapeze-sim: waiting for gdb: %s\n",
      several ? ("gdb-multiarch -ex 'set schedule-multiple on' -ex '" + connect + "'").c_str() : connect.c_str());
}

}  // namespace

bool debug(const Options& options, Engine& engine, Session& session, RunState& state,
           const std::function<void()>& load) {
  const RunState start = state;
  const auto restart = [&] {
    if (options.trace_kind != TraceKind::kNone) {
      throw Error("monitor reset: the trace cannot go back in time; run without --trace");
    }
    engine.reset();
    load();
    state = start;
  };
  gdb::Target target(engine, session, state, options.max_cycles, restart);
  std::vector<gdb::Device> devices;
  if (!options.platform.empty()) devices = gdb::read_devices(options.platform);
  gdb::Listener listener(options.gdb.value_or(0), [] { return stop_signal() != 0; });
  say_how(options, listener.port());
  gdb::Connection connection = listener.accept();
  switch (gdb::Server(connection, target, process_exit_code, kernels(options), devices, options.elfs).serve()) {
    case gdb::Ending::kExited:
    case gdb::Ending::kLimit:
    case gdb::Ending::kDetached:
      return true;
    case gdb::Ending::kKilled:
      std::fprintf(stderr, "trapeze-sim: ended by gdb\n");
      return false;
    case gdb::Ending::kLost:
      break;
  }
  state.stopped = stop_signal() != 0;
  if (state.stopped) return true;
  std::fprintf(stderr, "trapeze-sim: error: gdb closed the connection; end with `detach` or `kill`\n");
  return false;
}

}  // namespace trapeze
