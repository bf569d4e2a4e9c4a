// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * User interrupts from hart to hart in a timeline (docs/user-interrupts.md): what each senduipi posts, what each
 * notification takes, with the words of memory that they access, and arrows from the post to the notification and on to
 * the handler.
 */
#ifndef TRAPEZE_SIM_KERNEL_POST_TRACKS_H
#define TRAPEZE_SIM_KERNEL_POST_TRACKS_H

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kernel/engine.h"
#include "kernel/trace_events.h"

namespace trapeze {

/** Posts and notifications of all harts. */
class PostTracks {
 public:
  /** A hart: its mhartid and its tracks. */
  struct Hart {
    std::uint64_t id;
    Track posts;
    Track notifications;
    Track handlers;
  };

  PostTracks(TraceEvents& events, const std::vector<Hart>& harts);
  void on_post(const tz_post& post);
  /** An interrupt is taken: an arrow to its handler, if a notification led to it. */
  void on_claim(const tz_claim& claim);
  void finish();

 private:
  /** A slice, with the words that it accesses inside of it. */
  struct Open {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t entry = 0;  ///< address of the target's entry
    std::uint64_t upid = 0;   ///< address; 0: not known yet
    unsigned vector = 0;
    std::vector<std::pair<std::uint64_t, std::string>> words;  ///< cycle of the grant, name
  };
  /** A notification on its way. */
  struct Arrow {
    std::uint64_t number;
    std::uint32_t vector;
    std::uint64_t upid;
  };
  struct Lane {
    Hart hart;
    Open post;
    Open taking;
    std::deque<Arrow> coming;                       ///< to this hart, the oldest first
    std::map<unsigned, std::uint64_t> to_handlers;  ///< arrow that goes on to the handler of a source
  };

  static void add(Open& open, std::uint64_t cycle, const std::string& word);
  void access(Lane& lane, const tz_post& post);
  void send(Lane& lane, const tz_post& post);
  void end_post(Lane& lane);
  std::deque<Arrow>::iterator coming(Lane& lane, const tz_post& post);
  void join(Lane& lane, const tz_post& post);
  void end_taking(Lane& lane, const tz_post& post);
  void show(Track track, Open& open, const std::string& name, const std::string& arguments);

  TraceEvents& events_;
  std::vector<Lane> lanes_;
  std::uint64_t arrows_ = 0;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_POST_TRACKS_H
