// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/tracks.h"

#include <algorithm>

#include "kernel/disasm.h"
#include "kernel/error.h"

namespace trapeze {
namespace {

constexpr std::array<const char*, 4> kUseNames = {"drain", "emret loads", "mframe loads", "table entries"};

}  // namespace

// ---------------------------------------------------------------- levels
void LevelTrack::on_level(std::uint64_t cycle, unsigned level) {
  events_.name_track(track_, "levels");
  while (!open_.empty() && open_.back().second > level) {
    const auto [start, ended] = open_.back();
    events_.slice(track_, start, cycle, "level " + std::to_string(ended));
    open_.pop_back();
  }
  if (level != 0 && (open_.empty() || open_.back().second < level)) open_.emplace_back(cycle, level);
}

// ---------------------------------------------------------------- privilege
void PrivilegeTrack::show(std::uint64_t end) {
  events_.name_track(track_, "privilege");
  const char* name = mode_ == isa::privilege::kM ? "machine" : mode_ == isa::privilege::kS ? "supervisor" : "user";
  events_.slice(track_, since_, end, name);
}

void PrivilegeTrack::on_mode(std::uint64_t cycle, unsigned mode) {
  if (mode == mode_) return;
  show(cycle);
  mode_ = mode;
  since_ = cycle;
  left_ = true;
}

void PrivilegeTrack::finish(std::uint64_t cycle) {
  if (left_) show(cycle);
}

// ---------------------------------------------------------------- tasks
bool TaskTrack::on_store(const tz_retire& r) {
  const std::optional<TaskChange> change = states_.on_store(r);
  if (!change) return false;
  if (change->state == TaskChange::State::kReady) show(change->wait, r.cycle_ex);
  if (change->state != TaskChange::State::kRuns) return false;
  begin(r.cycle_ex, change->wait.task);
  return true;
}

void TaskTrack::begin(std::uint64_t cycle, std::uint32_t task) {
  if (shown_ != 0) events_.slice(track_, since_, cycle, name_, "\"control block\":" + json_string(hex(shown_)));
  shown_ = task;
  since_ = cycle;
  if (task == 0) return;
  name_ = states_.name_of(task);
  events_.name_track(track_, "tasks");
}

void TaskTrack::show(const TaskWait& wait, std::uint64_t end) {
  const auto found = std::find(waiters_.begin(), waiters_.end(), wait.task);
  const Track track{waits_.process, waits_.thread + static_cast<unsigned>(found - waiters_.begin())};
  if (found == waiters_.end()) waiters_.push_back(wait.task);
  events_.name_track(track, "waits of " + wait.name);
  events_.slice(track, wait.since, end, wait.text());
}

void TaskTrack::finish(std::uint64_t cycle) {
  begin(cycle, 0);
  for (const TaskWait& wait : states_.waits()) show(wait, cycle);
}

// ---------------------------------------------------------------- banks
void BankTracks::change(unsigned bank, std::uint64_t cycle, State state, const std::string& context) {
  Bank& one = banks_[bank];
  if (one.state == state && one.context == context) return;
  cycle = std::max(cycle, one.since);
  static constexpr std::array<const char*, 4> kWords = {"", "runs ", "holds ", "leaves: "};
  const Track track{process_, first_ + bank};
  if (one.state != State::kFree) {
    events_.slice(track, one.since, cycle, kWords[static_cast<unsigned>(one.state)] + one.context);
  }
  if (state != State::kFree) events_.name_track(track, "bank " + std::to_string(bank));
  one = {state, context, cycle};
}

void BankTracks::on_banks(std::uint64_t cycle, std::uint32_t value, const std::string& context) {
  const unsigned before = current_;
  current_ = TZ_BANKS_CURRENT(value);
  for (unsigned bank = 0; bank < kBanks; ++bank) {
    const Bank& one = banks_[bank];
    if (bank == current_) {
      // A bank that emret has loaded is shown under the name of the context that it loaded.
      change(bank, cycle, State::kRuns, known_ && before == current_ ? one.context : context);
    } else if ((TZ_BANKS_HELD(value) >> bank & 1U) != 0) {
      const bool kept = one.state == State::kHolds || (one.state == State::kRuns && bank == before);
      change(bank, cycle, State::kHolds, kept ? one.context : ahead_);
    } else if ((TZ_BANKS_LEAVE(value) >> bank & 1U) != 0) {
      change(bank, cycle, State::kLeaves, one.context);
    } else {
      change(bank, cycle, State::kFree, {});
    }
  }
  known_ = true;
}

void BankTracks::on_context(std::uint64_t cycle, const std::string& context) {
  if (known_) change(current_, cycle, State::kRuns, context);
}

void BankTracks::finish(std::uint64_t cycle) {
  for (unsigned bank = 0; bank < kBanks; ++bank) change(bank, cycle, State::kFree, {});
}

// ---------------------------------------------------------------- frame port
void PortTracks::on_hint(std::uint64_t cycle, std::uint64_t frame) {
  // A hint in the cycle in which a store is granted either comes when all words have been stored, or does nothing.
  hint_ = {banks_ && last_store_ <= cycle, false, frame & ~std::uint64_t{3}, cycle};
  close(kAhead);
}

void PortTracks::end_hint(std::uint64_t cycle) {
  hint_.until = std::min(hint_.until, cycle);
  if (!banks_) close(kEmret);
}

PortTracks::Use PortTracks::use_of(const tz_activity& access) {
  if (access.kind == TZ_ACTIVITY_STORE) return kDrain;
  if (table_ != 0 && access.value >= table_ && access.value < table_ + 4 * ids_) return kTable;
  if (!hint_.valid || !within(hint_.frame, access.value) || access.since <= hint_.from || access.since > hint_.until)
    return kEmret;
  // A load ahead begins with mcause. A second load of mcause is not the hint's: the load ahead was given up, and an
  // emret loads.
  const bool begins = access.value == cause_of(hint_.frame);
  if (begins && hint_.begun) hint_.valid = false;
  hint_.begun = hint_.begun || begins;
  return hint_.valid && hint_.begun ? kAhead : kEmret;
}

/** Whether an access continues the slice that its track shows. With banks a load reads mcause, mepc and the registers
 * in ascending order; a drain stores all words in ascending order. Without banks the order is free, and ra is
 * drained first. */
bool PortTracks::goes_on(Use use, std::uint64_t address) const {
  const Frame& frame = frames_[use];
  const std::size_t done = frame.words.size();
  if (done == 0 || done >= words()) return false;
  if (!banks_) {
    return within(frame.base, address) && std::none_of(frame.words.begin(), frame.words.end(),
                                                       [address](const Word& one) { return one.address == address; });
  }
  if (use == kDrain) return address == frame.base + 4 * done;
  return address == (done == 1 ? cause_of(frame.base) - 4 : frame.base + 4 * (done - 2));
}

std::string PortTracks::word_name(std::uint64_t index) const {
  if (index == words() - 1) return "mcause";
  if (index == words() - 2) return "mepc";
  return index < words() ? register_name(layout_.registers[index]) : "?";
}

void PortTracks::on_access(const tz_activity& access, const std::function<std::string(unsigned)>& entry) {
  const Use use = use_of(access);
  const Track track{process_, first_ + use};
  events_.name_track(track, kUseNames[use]);
  const Word word{access.since, access.cycle + 1, access.value};
  if (use == kTable) {
    events_.slice(track, word.start, word.end, "entry of " + entry(static_cast<unsigned>((access.value - table_) / 4)));
    return;
  }
  if (use == kDrain) {
    last_store_ = access.cycle + 1;
    if (access.cycle >= hint_.from) hint_.valid = false;
  }
  if (!goes_on(use, access.value)) {
    close(use);
    const bool known = use == kDrain || (!banks_ && within(last_frame_, access.value));
    const std::uint64_t base = use == kDrain ? access.value : last_frame_;
    last_frame_ = frames_[use].base = known ? base : access.value - 4 * (words() - 1);
  }
  frames_[use].words.push_back(word);
}

void PortTracks::close(Use use) {
  Frame& frame = frames_[use];
  if (frame.words.empty()) return;
  const Track track{process_, first_ + use};
  events_.slice(track, frame.words.front().start, frame.words.back().end, "frame at " + hex(frame.base),
                "\"words\":" + std::to_string(frame.words.size()));
  for (const Word& word : frame.words) {
    events_.slice(track, word.start, word.end, word_name((word.address - frame.base) / 4));
  }
  frame.words.clear();
}

void PortTracks::finish() {
  for (const Use use : {kDrain, kEmret, kAhead}) close(use);
}

}  // namespace trapeze
