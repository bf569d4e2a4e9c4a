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

/** A file of events; finish() makes it final, without it there is none. Of slices with the same start in one track the
 * one around the others has to come first. */
class TraceEvents {
 public:
  /** What ended before cycle `from` is left out. */
  TraceEvents(const std::string& path, const std::string& config, std::uint64_t from);

  void name_process(unsigned process, const std::string& name);
  /** The first name that a track is given stays. */
  void name_track(Track track, const std::string& name);
  /** `arguments`: members of a JSON object, or nothing. A slice without a length is left out. */
  void slice(Track track, std::uint64_t start, std::uint64_t end, const std::string& name,
             const std::string& arguments = {});
  void instant(Track track, std::uint64_t cycle, const std::string& name, const std::string& arguments = {});
  /** Where an arrow is. */
  enum class Arrow : char { kBegins = 's', kPasses = 't', kEnds = 'f' };
  /** A part of arrow `number`, at the slice of the track that holds the cycle. */
  void arrow(Arrow part, Track track, std::uint64_t cycle, std::uint64_t number);
  /** The cycle from which on there is something to show. */
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
