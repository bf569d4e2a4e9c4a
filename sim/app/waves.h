// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Waves of a run.
 */
#ifndef TRAPEZE_SIM_APP_WAVES_H
#define TRAPEZE_SIM_APP_WAVES_H

#include <string>

#include "app/request.h"
#include "kernel/atomic_file.h"
#include "kernel/dynamic_engine.h"
#include "kernel/session.h"

namespace trapeze {

/** Waves: the engine writes them into the temporary file, which is checked before it gets its name. */
class WaveTrace {
 public:
  WaveTrace(Engine& engine, const TraceRequest& trace) : engine_(engine), trace_(trace), file_(trace.file, "trace") {}

  /** Waves from the next cycle on. */
  void open();
  /** Simulates from the first cycle of the waves to the last one, as far as the run goes. Throws Error. */
  void run(Session& session, RunState& state, std::uint64_t max_cycles);
  void finish();

 private:
  void close();

  Engine& engine_;
  const TraceRequest& trace_;
  AtomicFile file_;
  bool opened_ = false;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_WAVES_H
