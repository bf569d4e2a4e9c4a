// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/sweep.h"

#include <cstdio>
#include <optional>
#include <string>
#include <tuple>

#include "kernel/error.h"

namespace trapeze {
namespace {

/** Cycles of a sweep that begin from one snapshot. To simulate so many again costs less than another snapshot. */
constexpr std::uint64_t kStride = 32;

/** The stamps of what rose in a run of a sweep beside injection `swept`. */
std::vector<InterruptStamp> others_of(const RunState& run, std::size_t swept) {
  std::vector<InterruptStamp> others;
  const std::vector<InterruptStamp>& all = run.stamps.interrupts();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != swept && all[i].raised) others.push_back(all[i]);
  }
  return others;
}

}  // namespace

SweepRecord run_sweep(const Request& request, const Reports& reports, Engine& engine, Session& session,
                      const RunState& start, RunState& total, std::vector<SpanResult>& spans) {
  SweepRecord record{*request.sweep, {}};
  if (request.sweep_part) std::tie(record.range.from, record.range.to) = *request.sweep_part;
  const SweepRange& range = record.range;
  const std::uint64_t count = range.to - range.from + 1;
  spans.resize(start.spans.results().size());

  // One run without the injection up to the last cycle says whether all of them are within the program.
  const Engine::Snapshot at_reset = engine.save();
  RunState base = start;
  session.advance(base, range.to + 1);
  if (base.stopped) {
    total = base;
    return record;
  }
  if (base.reached) {
    throw Error("--sweep " + range.text + ": --until ends the run in cycle " + std::to_string(*base.spans.reached()) +
                "; sweep cycles before that");
  }
  if (base.exited) {
    throw Error("--sweep " + range.text + ": the program ends in cycle " + std::to_string(base.cycle - 1) +
                "; sweep cycles before that");
  }
  engine.restore(at_reset);
  base = start;
  std::optional<Engine::Snapshot> here;

  std::uint64_t cycles = 0;
  std::uint64_t retired = 0;
  std::uint64_t markers = 0;
  std::uint64_t claims = 0;
  std::optional<RunState> failed;
  record.runs.reserve(count);
  for (std::uint64_t cycle = range.from; cycle <= range.to; ++cycle) {
    if ((cycle - range.from) % kStride == 0) {
      session.advance(base, cycle);
      here = engine.save();
    }
    RunState run = base;
    const std::size_t index = run.stimulus.add({range.line, cycle, range.pulse_cycles, range.hart});
    session.complete(run, request.max_cycles);
    if (run.stopped) {  // it has no figures, those before it have
      total = run;
      break;
    }
    cycles += run.cycle;
    retired += run.retired;
    markers += run.stamps.marker_count();
    claims += run.stamps.claim_count();
    for (std::size_t i = 0; i < spans.size(); ++i) spans[i].add(run.spans.results()[i], cycle);
    const std::vector<InterruptStamp>& stamps = run.stamps.interrupts();
    InterruptStamp unraised;  // a run that ends before, for another line's budget
    unraised.hart = range.hart;
    unraised.line = range.line;
    unraised.t0 = cycle;
    record.runs.push_back({index < stamps.size() ? stamps[index] : unraised, run.exited, run.reached, run.over_budget,
                           run.asleep, run.exit_code, run.cycle, run.console_crc, run.stamps.handler_marker_count(),
                           others_of(run, index)});
    const bool went_well = request.until ? run.reached : run.exited && run.exit_code == 0;
    if (!failed && (!went_well || run.late || run.spans.late())) failed = run;
    if (cycle != range.to) engine.restore(*here);
    if (reports.progress) {
      std::fprintf(stderr, "progress %llu %llu\n", static_cast<unsigned long long>(cycle - range.from + 1),
                   static_cast<unsigned long long>(count));
    }
    total = run;
    if (run.late || run.spans.late()) break;
  }
  if (total.stopped) return record;
  // The whole: the first run that failed, else the last one; cycles and instructions of all runs.
  if (failed) total = *failed;
  total.cycle = cycles;
  total.retired = retired;
  return record;
}

}  // namespace trapeze
