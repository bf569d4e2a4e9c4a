// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A file of chosen events of a run, one JSON object a line: accesses to ranges of addresses, when a hart enters and
 * leaves user mode, and interrupts. It is for runs that are too long for a trace of every instruction.
 *
 *     {"store":0,"cycle":812,"hart":0,"offset":128,"value":7}   access 0 of the list, offset into its range
 *     {"load":2,...}              only the first one that sees a value, since the last store there that is logged
 *     {"user":true,"cycle":900,"hart":1,"pc":2148007936}        the first instruction in user mode
 *     {"user":false,"cycle":950,"hart":1}                       the first instruction of the handler that ends it
 *     {"interrupt":"timer","cycle":970,"hart":0}
 *
 * Events of one hart are in order; those of another may be some hundred cycles ahead or behind.
 */
#ifndef TRAPEZE_SIM_KERNEL_EVENT_LOG_H
#define TRAPEZE_SIM_KERNEL_EVENT_LOG_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernel/atomic_file.h"
#include "kernel/engine.h"

namespace trapeze {

/** Accesses to write down: those that begin at a multiple of `step` bytes from the begin of a range. */
struct LoggedAccess {
  tz_watch watch;
  std::uint64_t step = 1;
};

/** What is written down of a run. */
struct EventLogPlan {
  std::string path;  ///< empty: nothing
  std::vector<LoggedAccess> accesses;
  std::optional<unsigned> user;  ///< the hart whose user mode is followed
};

class EventLog {
 public:
  /** Throws Error if the plan names a hart that the engine lacks, or the file cannot be written. */
  EventLog(EventLogPlan plan, const tz_engine_info& info);

  const std::vector<tz_watch>& watches() const { return watches_; }
  void on_hit(const tz_hit& hit);
  void on_retire(const tz_retire& record);
  void on_claim(const tz_claim& claim);
  /** The run is over. */
  void finish() { file_.commit(); }

 private:
  EventLogPlan plan_;
  const tz_engine_info& info_;
  std::vector<tz_watch> watches_;
  AtomicFile file_;
  std::map<std::uint64_t, std::uint64_t> seen_;  ///< by address: the value that was loaded last, if no store came since
  bool in_user_ = false;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_EVENT_LOG_H
