// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The record of a run as JSON, schema "trapeze.run/1". It is the simulator's output that the laboratory reads.
 */
#ifndef TRAPEZE_SIM_KERNEL_RECORD_H
#define TRAPEZE_SIM_KERNEL_RECORD_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernel/session.h"

namespace trapeze {

/** One run of a sweep. */
struct SweepRun {
  InterruptStamp stamp;
  bool exited = false;
  bool reached = false;  ///< see RunState
  bool over_budget = false;
  bool asleep = false;
  std::uint32_t exit_code = 0;
  std::uint64_t cycles = 0;
  std::uint32_t console_crc = 0;
  std::uint64_t handler_markers = 0;   ///< markers that stand for the end of a handler, whichever code executed them
  std::vector<InterruptStamp> others;  ///< stamps of the injections of --irq, in the order of the options
};

/** All runs of a sweep. */
struct SweepRecord {
  SweepRange range;
  std::vector<SweepRun> runs;
};

/** What the record says of a hart of the engine. */
struct HartRecord {
  std::uint64_t hart_id = 0;          ///< mhartid
  std::string elf;                    ///< file name without folders; empty: the hart has no program
  std::vector<tz_cause> causes = {};  ///< where its cycles went; empty: not known
};

/** What the record says of one call of trapeze-sim. */
struct RunRecord {
  std::string config;
  std::string engine;
  std::string elf;  ///< file name without folders, of hart 0's program
  std::vector<HartRecord> harts;
  std::vector<SpanResult> spans;     ///< results of the spans of `state`; in a sweep, sums over all runs
  std::vector<std::string> signals;  ///< names of the engine's signals; empty: it has none
  RunState state;
  std::optional<SweepRecord> sweep;
};

/** The record as one line of JSON. The same record gives the same bytes. */
std::string to_json(const RunRecord& record);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_RECORD_H
