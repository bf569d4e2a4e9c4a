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

/** Tracks of the posts and notifications of all harts. */
class PostTracks {
 public:
  /** One hart: its mhartid and its tracks. */
  struct Hart {
    std::uint64_t id;
    Track posts;
    Track notifications;
    Track handlers;
  };

  PostTracks(TraceEvents& events, const std::vector<Hart>& harts);
  void on_post(const tz_post& post);
  /** A hart has taken an interrupt. If a notification led to it, an arrow goes to its handler. */
  void on_claim(const tz_claim& claim);
  void finish();

 private:
  /** A slice that is not finished, with the accesses that it contains. */
  struct Open {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t entry = 0;  ///< address of the entry of the table through which the senduipi posts
    std::uint64_t upid = 0;   ///< address of the UPID; 0: not known yet
    unsigned vector = 0;
    std::vector<std::pair<std::uint64_t, std::string>> words;  ///< accesses: cycle of the grant, and name of the word
  };
  /** An arrow to a notification that is on its way. */
  struct Arrow {
    std::uint64_t number;
    std::uint32_t vector;
    std::uint64_t upid;
  };
  struct Lane {
    Hart hart;
    Open post;
    Open taking;
    std::deque<Arrow> coming;                       ///< notifications on their way to this hart, the oldest first
    std::map<unsigned, std::uint64_t> to_handlers;  ///< by source of interrupt: number of the arrow that goes on to its
                                                    ///< handler
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
