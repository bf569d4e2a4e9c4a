// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "lockstep/following/followed_posts.h"

#include <algorithm>
#include <trapeze/isa.hpp>

#include "kernel/error.h"
#include "model/isa/csr_post.h"

namespace trapeze::following {
namespace {

using model::Descriptor;

std::string name_of(const tz_word_access& access) {
  constexpr const char* kNames[] = {"load", "or", "and", "swap", "mark"};
  const std::string name = access.op < std::size(kNames) ? kNames[access.op] : "?";
  const bool operand = access.op != TZ_WORD_LOAD && access.op != TZ_WORD_MARK;
  return name + " of [" + hex(access.address) + "]" + (operand ? " with " + hex(access.operand) : "");
}

std::string name_of(unsigned hart, unsigned vector) {
  return "a notification with vector " + std::to_string(vector) + " to the hart with mhartid " + std::to_string(hart);
}

bool is_senduipi(std::uint32_t insn) {
  return (insn & isa::encoding::kSenduipi.mask) == isa::encoding::kSenduipi.match;
}

}  // namespace

void FollowedPosts::see(const tz_post& post) {
  Event event{post, {post.address, post.value, post.op, 0, 0}};
  if (post.kind == TZ_POST_ACCESS || post.kind == TZ_POST_TAKE) reference_.access(event.access);
  const bool ends = post.kind == TZ_POST_END || post.kind == TZ_POST_EDGE;
  if (ends && !on_their_way_.empty()) on_their_way_.pop_front();
  (post.kind == TZ_POST_ACCESS || post.kind == TZ_POST_SEND ? own_ : coming_).push_back(event);
  follow_open();
}

void FollowedPosts::arrives(const tz_post& send) {
  vectors_.push_back(send.value);
  on_their_way_.push_back(send.cycle);
}

std::string FollowedPosts::check_patience(std::uint64_t now) const {
  if (!complaint_.empty()) return complaint_;
  if (open_ && open_->since + kPatience < now) {
    return "senduipi has set its bit in cycle " + std::to_string(open_->since) + ", and is not done for " +
           std::to_string(kPatience) + " cycles";
  }
  if (on_their_way_.empty() || on_their_way_.front() + kPatience >= now) return {};
  return "a notification to hart " + std::to_string(reference_.number()) + " left in cycle " +
         std::to_string(on_their_way_.front()) + ", and has not come for " + std::to_string(kPatience) + " cycles";
}

// --- notifications

std::string FollowedPosts::advance(std::uint64_t until) {
  std::string complaint;
  while (!coming_.empty() && coming_.front().post.cycle < until) {
    if (complaint.empty()) complaint = judge(coming_.front());
    coming_.pop_front();
  }
  return complaint;
}

std::string FollowedPosts::judge(const Event& event) {
  switch (event.post.kind) {
    case TZ_POST_TAKE:
      return event.access.found != 0 ? take(event.access)
                                     : std::string{};  // access without memory: nothing has happened
    case TZ_POST_JOIN:
      return join(event.post);
    case TZ_POST_END:
      return end();
    default:
      return edge(event.post);
  }
}

std::string FollowedPosts::take(const tz_word_access& access) {
  if (!taking_) {
    const std::optional<std::uint64_t> upid = reference_.receiver(reference_.munv());
    if (!upid) return "a notification makes the access " + name_of(access) + " though no UPID is its receiver's";
    const tz_word_access first{*upid + Descriptor::kControl, ~Descriptor::kOutstanding, TZ_WORD_AND, 0, 0};
    taking_ = Taking{*upid, {}, {}};
    if (access.op == first.op && access.address == first.address && access.operand == first.operand) return {};
    return "a notification makes the access " + name_of(access) + " instead of " + name_of(first);
  }
  const std::uint64_t word = (access.address - taking_->upid - Descriptor::kPosted) / 4;
  const bool swaps = access.op == TZ_WORD_SWAP && access.operand == 0 && access.address % 4 == 0;
  if (!swaps || word >= taking_->posted.size() || taking_->posted[word]) {
    return "a notification makes the access " + name_of(access) + ", which is none of the UPID at " +
           hex(taking_->upid) + " that are left";
  }
  taking_->posted[word] = access.value;
  return {};
}

std::string FollowedPosts::join(const tz_post& post) {
  const auto word = static_cast<std::size_t>(post.address / 32);
  const std::string which = "vectors from " + std::to_string(post.address) + " on join UIRR as " + hex(post.value);
  reference_.join(static_cast<std::uint32_t>(post.address), post.value);
  show_requests(post.cycle);
  if (!taking_ || word >= taking_->posted.size() || !taking_->posted[word] || taking_->joined[word]) {
    return which + ", which no notification has found";
  }
  taking_->joined[word] = true;
  if (*taking_->posted[word] == post.value) return {};
  return which + " instead of " + hex(*taking_->posted[word]);
}

std::string FollowedPosts::end() {
  const std::optional<Taking> taken = std::exchange(taking_, std::nullopt);
  if (!taken || !taken->joined[0] || !taken->joined[1]) return "a notification ends without having taken PUIR";
  return arrived(reference_.munv());
}

std::string FollowedPosts::edge(const tz_post& post) {
  const std::string name = "a notification with vector " + std::to_string(post.value);
  clic_.pulse_later(post.value, post.cycle);
  if (taking_) return name + " is an edge after it has changed a UPID";
  if (reference_.receiver(post.value)) return name + " is an edge though it is for the thread that runs";
  return arrived(post.value);
}

std::string FollowedPosts::arrived(unsigned vector) {
  const auto found = std::find(vectors_.begin(), vectors_.end(), vector);
  if (found == vectors_.end()) {
    return "a notification with vector " + std::to_string(vector) + " has come that nobody has sent";
  }
  vectors_.erase(found);
  return {};
}

void FollowedPosts::show_requests(std::uint64_t cycle) {
  const bool pending = reference_.requests() != 0;
  if (pending != pending_) clic_.drive_later(model::kPostSource, pending, cycle);
  pending_ = pending;
}

// --- posts

void FollowedPosts::prepare(const tz_retire& leader, tz_choices& choices) {
  trail_.clear();
  bool sets = false;
  for (; !sets && !own_.empty() && own_.front().post.cycle <= leader.cycle_ex; own_.pop_front()) {
    const Event& event = own_.front();
    if (event.post.kind == TZ_POST_SEND) {
      complaint_ = send(event.post) + " though it must not notify";
      continue;
    }
    trail_.push_back(event.access);
    sets = event.access.op != TZ_WORD_LOAD;
  }
  choices.given |= TZ_CHOICE_POST;
  choices.accesses = trail_.data();
  choices.num_accesses = trail_.size();
}

std::string FollowedPosts::finish(const tz_retire& leader, const tz_posted& posted) {
  if (posted.extra != 0) {
    const std::string what = is_senduipi(leader.insn) ? "senduipi" : "a senduipi that did not retire";
    std::string made;
    for (const tz_word_access& access : trail_) made += (made.empty() ? "" : ", ") + name_of(access);
    return what + " makes accesses behind those that it has to make; it made " + made;
  }
  if (posted.misses != 0) return "senduipi does not make the access " + name_of(posted.missing);
  if (posted.sets != 0) {
    open_ = Open{posted.upid, leader.cycle_ex, {}, {}};
    follow_open();
  }
  return complaint_;
}

void FollowedPosts::follow_open() {
  for (; open_ && !own_.empty(); own_.pop_front()) {
    const std::string said = go_on(own_.front());
    if (said.empty()) continue;
    if (complaint_.empty()) complaint_ = said;
    open_.reset();
  }
}

std::string FollowedPosts::send(const tz_post& post) const {
  return "senduipi sends " + name_of(static_cast<unsigned>(post.address), post.value);
}

/** Judges an access of the senduipi whose bit is set: it sets ON, reads NDST and notifies; it ends if ON or SN was set.
 */
std::string FollowedPosts::go_on(const Event& event) {
  if (event.post.kind == TZ_POST_SEND) {
    if (!open_->hart) return send(event.post) + " before it has read NDST";
    if (event.post.address == *open_->hart && event.post.value == *open_->vector) {
      open_.reset();
      return {};
    }
    return send(event.post) + " instead of " + name_of(*open_->hart, *open_->vector);
  }
  if (open_->hart) {
    return "senduipi makes the access " + name_of(event.access) + " and does not send " +
           name_of(*open_->hart, *open_->vector);
  }
  const tz_word_access next = open_->vector
                                  ? tz_word_access{open_->upid + Descriptor::kDestination, 0, TZ_WORD_LOAD, 0, 0}
                                  : tz_word_access{open_->upid + Descriptor::kControl, 0, TZ_WORD_MARK, 0, 0};
  if (event.access.op != next.op || event.access.address != next.address || event.access.found == 0) {
    return "senduipi makes the access " + name_of(event.access) + " instead of " + name_of(next);
  }
  if (open_->vector) {
    open_->hart = event.access.value;
  } else if ((event.access.value & (Descriptor::kOutstanding | Descriptor::kSuppressed)) != 0) {
    open_.reset();
  } else {
    open_->vector = Descriptor::notification(event.access.value);
  }
  return {};
}

}  // namespace trapeze::following
