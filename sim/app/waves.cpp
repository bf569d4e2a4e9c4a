// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/waves.h"

#include <algorithm>

#include "kernel/error.h"
#include "kernel/fst_file.h"

namespace trapeze {

void WaveTrace::open() {
  engine_.wave_open(file_.working_path());
  opened_ = true;
}

void WaveTrace::run(Session& session, RunState& state, std::uint64_t max_cycles) {
  if (trace_.from > state.cycle) session.advance(state, std::min(trace_.from, max_cycles));
  if (state.cycle < trace_.from) {
    throw Error("--trace-from " + std::to_string(trace_.from) + ": the run ends in cycle " +
                std::to_string(state.cycle) + ", before its waves begin; give an earlier cycle");
  }
  open();
  if (trace_.to >= max_cycles) return;
  session.advance(state, trace_.to + 1);
  close();
}

void WaveTrace::finish() {
  if (opened_) close();
  file_.commit();
}

void WaveTrace::close() {
  std::string why = "the file is not whole";
  bool whole = false;
  opened_ = false;
  const bool fst = trace_.kind == TraceKind::kWave;
  try {
    engine_.wave_close();
    whole = !fst || (fst_is_whole(file_.working_path()) && fst_clear_date(file_.working_path()));
  } catch (const Error& error) {
    why = error.what();
  }
  if (!whole) {
    throw Error("cannot write trace '" + trace_.file + "': " + why +
                "; free space on that disk or write to another one");
  }
}

}  // namespace trapeze
