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
std::vector<gdb::KernelPlaces> kernels(const Request& request) {
  std::vector<gdb::KernelPlaces> found;
  for (const Kernel& one : request.kernels) {
    if (one.lists.empty()) continue;
    found.push_back({one.hart, one.current, one.name, one.started, one.whole, {}});
    for (const TaskList& list : one.lists) found.back().lists.push_back({list.state, list.address});
  }
  return found;
}

/** How to connect GDB. Of several programs it gets the symbols from the files that are named to it, and has them run at
 * one time. */
void say_how(const Request& request, std::uint16_t port) {
  const std::string connect = "target remote localhost:" + std::to_string(port);
  const bool several = request.programs.size() > 1;
  std::fprintf(
      stderr, "trapeze-sim: waiting for gdb: %s\n",
      several ? ("gdb-multiarch -ex 'set schedule-multiple on' -ex '" + connect + "'").c_str() : connect.c_str());
}

}  // namespace

bool debug(const Request& request, Engine& engine, Session& session, RunState& state,
           const std::function<void()>& load) {
  const RunState start = state;
  const auto restart = [&] {
    if (request.trace.kind != TraceKind::kNone) {
      throw Error("monitor reset: the trace cannot go back in time; run without --trace");
    }
    engine.reset();
    load();
    state = start;
  };
  gdb::Target target(engine, session, state, request.max_cycles, restart);
  std::vector<gdb::Device> devices;
  if (!request.platform.empty()) devices = gdb::read_devices(request.platform);
  gdb::Listener listener(request.gdb.value_or(0), [] { return stop_signal() != 0; });
  say_how(request, listener.port());
  gdb::Connection connection = listener.accept();
  switch (gdb::Server(connection, target, process_exit_code, kernels(request), devices, request.programs).serve()) {
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
