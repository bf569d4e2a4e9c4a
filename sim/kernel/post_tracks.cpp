// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/post_tracks.h"

#include <algorithm>
#include <trapeze/isa.hpp>

#include "kernel/error.h"

namespace trapeze {
namespace {

// Offsets of words of a UPID, and masks of alignments.
constexpr std::uint64_t kHart = isa::upid::kNdstOffset;
constexpr std::uint64_t kPosted = isa::upid::kPuirOffset;
constexpr std::uint64_t kPostedHigh = kPosted + 4;
constexpr std::uint64_t kUpidMask = isa::upid::kAlignment - 1;
constexpr std::uint64_t kEntryMask = isa::uitt::kAlignment - 1;
constexpr unsigned kVectorsInWord = 32;

/** Number of the lowest bit that is set. */
unsigned lowest(std::uint32_t bits) {
  unsigned number = 0;
  while (number < kVectorsInWord - 1 && (bits >> number & 1U) == 0) ++number;
  return number;
}

}  // namespace

PostTracks::PostTracks(TraceEvents& events, const std::vector<Hart>& harts) : events_(events) {
  for (const Hart& hart : harts) lanes_.push_back({hart, {}, {}, {}, {}});
}

void PostTracks::add(Open& open, std::uint64_t cycle, const std::string& word) {
  if (open.words.empty()) open.start = cycle;
  open.words.emplace_back(cycle, word);
  open.end = cycle + 1;
}

void PostTracks::show(Track track, Open& open, const std::string& name, const std::string& arguments) {
  events_.slice(track, open.start, open.end, name, arguments);
  for (const auto& [cycle, word] : open.words) events_.slice(track, cycle, cycle + 1, word);
}

/** Adds an access of a senduipi. A senduipi loads four words of an entry, sets its bit in PUIR, sets ON, and loads
 * NDST if it notifies. If it was given up while it loaded the entry, it has posted nothing and is not shown. */
void PostTracks::access(Lane& lane, const tz_post& post) {
  Open& open = lane.post;
  const bool finds = open.upid != 0 && post.op == TZ_WORD_LOAD && post.address == open.upid + kHart &&
                     open.words.back().second == "ON";
  if (post.op == TZ_WORD_LOAD && !finds) {
    const std::string name = "entry " + hex(post.address);
    const bool again =
        std::any_of(open.words.begin(), open.words.end(), [&](const auto& word) { return word.second == name; });
    const bool other = !open.words.empty() && open.entry != (post.address & ~kEntryMask);
    if (open.upid != 0 || again || other) end_post(lane);
    open.entry = post.address & ~kEntryMask;
    add(open, post.cycle, name);
  } else if (post.op == TZ_WORD_OR) {
    open.upid = post.address & ~kUpidMask;
    open.vector = lowest(post.value) + ((post.address & kUpidMask) == kPostedHigh ? kVectorsInWord : 0);
    add(open, post.cycle, "PUIR");
  } else {
    add(open, post.cycle, post.op == TZ_WORD_MARK ? "ON" : "NDST");
  }
}

void PostTracks::end_post(Lane& lane) {
  if (lane.post.upid != 0) {
    events_.name_track(lane.hart.posts, "posts");
    show(lane.hart.posts, lane.post, "post vector " + std::to_string(lane.post.vector),
         "\"UPID\":" + json_string(hex(lane.post.upid)));
  }
  lane.post = {};
}

void PostTracks::send(Lane& lane, const tz_post& post) {
  const std::uint64_t upid = lane.post.upid;
  lane.post.end = post.cycle + 1;
  end_post(lane);
  const auto to =
      std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& one) { return one.hart.id == post.address; });
  if (to == lanes_.end()) return;  // a notification to no hart is lost
  to->coming.push_back({++arrows_, post.value, upid});
  events_.arrow(TraceEvents::Arrow::kBegins, lane.hart.posts, post.cycle, arrows_);
}

/** Finds the notification that a hart deals with. If the notification has accessed a UPID, it is the oldest one on
 * its way for that UPID; otherwise the oldest one with its vector. */
std::deque<PostTracks::Arrow>::iterator PostTracks::coming(Lane& lane, const tz_post& post) {
  const std::uint64_t upid = lane.taking.upid;
  return std::find_if(lane.coming.begin(), lane.coming.end(),
                      [&](const Arrow& one) { return upid != 0 ? one.upid == upid : one.vector == post.value; });
}

/** Vectors join UIRR. They may be delivered from now on, even before the notification has looked at all of PUIR. */
void PostTracks::join(Lane& lane, const tz_post& post) {
  const auto found = coming(lane, post);
  if (post.value != 0 && found != lane.coming.end()) lane.to_handlers[isa::interrupt::kUserPost] = found->number;
}

void PostTracks::end_taking(Lane& lane, const tz_post& post) {
  Open& open = lane.taking;
  const bool edge = post.kind == TZ_POST_EDGE;
  if (open.words.empty()) open.start = post.cycle;
  open.end = post.cycle + 1;
  events_.name_track(lane.hart.notifications, "notifications");
  show(lane.hart.notifications, open,
       edge ? "edge of source " + std::to_string(post.value) : "notification " + std::to_string(post.value),
       open.upid != 0 ? "\"UPID\":" + json_string(hex(open.upid)) : std::string());
  const auto found = coming(lane, post);
  if (found != lane.coming.end()) {
    events_.arrow(TraceEvents::Arrow::kPasses, lane.hart.notifications, open.start, found->number);
    if (edge) lane.to_handlers[post.value] = found->number;
    lane.coming.erase(found);
  }
  open = {};
}

void PostTracks::on_post(const tz_post& post) {
  Lane& lane = lanes_[post.hart];
  switch (post.kind) {
    case TZ_POST_ACCESS:
      access(lane, post);
      break;
    case TZ_POST_TAKE:
      lane.taking.upid = post.address & ~kUpidMask;
      add(lane.taking, post.cycle, (post.address & kUpidMask) >= kPosted ? "PUIR" : "ON");
      break;
    case TZ_POST_SEND:
      send(lane, post);
      break;
    case TZ_POST_END:
    case TZ_POST_EDGE:
      end_taking(lane, post);
      break;
    default:  // TZ_POST_JOIN
      join(lane, post);
  }
}

void PostTracks::on_claim(const tz_claim& claim) {
  Lane& lane = lanes_[claim.hart];
  const auto found = lane.to_handlers.find(claim.id);
  if (found == lane.to_handlers.end()) return;
  // The handler's slice begins in the cycle of the claim.
  events_.arrow(TraceEvents::Arrow::kEnds, lane.hart.handlers, claim.cycle + 1, found->second);
  lane.to_handlers.erase(found);
}

void PostTracks::finish() {
  for (Lane& lane : lanes_) end_post(lane);
}

}  // namespace trapeze
