// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Writing the "Trace Event Format" (Chromium project), which Perfetto opens: complete events (ph X), instants (ph i),
 * arrows between slices (ph s, t, f), metadata (ph M). One cycle is one microsecond. A track is a thread of a process.
 */
#ifndef TRAPEZE_SIM_KERNEL_TRACE_EVENTS_H
#define TRAPEZE_SIM_KERNEL_TRACE_EVENTS_H

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "kernel/atomic_file.h"

namespace trapeze {

/** A track: numbers of a process and of a thread in it. */
struct Track {
  unsigned process;
  unsigned thread;
  bool operator<(const Track& other) const {
    return std::pair(process, thread) < std::pair(other.process, other.thread);
  }
};

/** A JSON string. */
std::string json_string(const std::string& text);

/** A file of events. Without a call of finish() no file is left. If slices of one track start in the same cycle, the
 * outer slice must be written first. */
class TraceEvents {
 public:
  /** `from`: slices that ended before this cycle are left out. */
  TraceEvents(const std::string& path, const std::string& config, std::uint64_t from);

  void name_process(unsigned process, const std::string& name);
  /** Names a track. The first name that a track is given stays. */
  void name_track(Track track, const std::string& name);
  /** Writes a slice. `arguments`: members of a JSON object, or empty. A slice of length 0 is left out. */
  void slice(Track track, std::uint64_t start, std::uint64_t end, const std::string& name,
             const std::string& arguments = {});
  void instant(Track track, std::uint64_t cycle, const std::string& name, const std::string& arguments = {});
  /** Part of an arrow. */
  enum class Arrow : char { kBegins = 's', kPasses = 't', kEnds = 'f' };
  /** Writes a part of arrow `number`, at the slice of the track that contains the cycle. */
  void arrow(Arrow part, Track track, std::uint64_t cycle, std::uint64_t number);
  /** First cycle that the timeline shows. */
  std::uint64_t from() const { return from_; }
  void finish();

 private:
  void raw(const std::string& object);

  AtomicFile file_;
  std::uint64_t from_;
  std::set<Track> named_;
  bool first_ = true;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_TRACE_EVENTS_H
