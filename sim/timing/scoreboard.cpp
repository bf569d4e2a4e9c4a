// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "timing/scoreboard.h"

#include <algorithm>

namespace trapeze::timing {
namespace {

/** A multiplier's result can be used so many cycles behind the free cycle in which it is written. Rocket's RTL:
 * multiplication and use are 4 cycles apart, with any number of instructions that write registers between, plus 3. */
constexpr int kBehindPort = 3;
constexpr unsigned kMost = 8;
constexpr int kLongest = 127;

/** Something that is not ready. */
struct Pending {
  std::uint8_t what = 0;
  bool wants_port = false;  ///< it is ready kBehindPort cycles behind a free cycle, from `left` cycles from now on
  int left = 0;             ///< cycles until it is ready
};

/** A situation taken apart. */
class Board {
 public:
  explicit Board(const Situation& packed) {
    for (const std::uint64_t half : {packed.first, packed.second}) {
      for (std::uint64_t rest = half; rest != 0; rest >>= 16) {
        pending_[count_++] = {static_cast<std::uint8_t>(rest & 0x7fU), (rest & 0x80U) != 0,
                              static_cast<int>((rest >> 8) & 0xffU)};
      }
    }
  }

  int wait_for(std::uint8_t what) const {
    int longest = 0;
    for (unsigned n = 0; what != 0 && n < count_; ++n) {
      if (pending_[n].what == what) {
        longest = std::max(longest, pending_[n].left + (pending_[n].wants_port ? kBehindPort : 0));
      }
    }
    return longest;
  }
  /** Time passes: `free` cycles, one that is `taken` or not, `more` free ones. */
  void pass(int free, bool taken, int more) {
    const int whole = free + 1 + more;
    for (unsigned n = 0; n < count_; ++n) {
      Pending& one = pending_[n];
      if (one.wants_port) {
        const int wanted = one.left;
        const bool before = wanted < free || (wanted == free && !taken);
        const int written = before ? wanted : std::max(wanted, free + 1);
        if (written < whole) {
          one.wants_port = false;
          one.left = written + kBehindPort;
        }
      }
      one.left = std::max(one.left - whole, 0);
    }
  }
  void add(std::uint8_t what, int left, bool wants_port) {
    if (what == 0 || (left <= 0 && !wants_port)) return;
    const auto end = pending_.begin() + count_;
    auto place = std::find_if(pending_.begin(), end, [&](const Pending& one) { return one.what == what; });
    if (place == end && count_ < pending_.size()) ++count_;
    if (place == pending_.end()) --place;
    *place = {what, wants_port, std::clamp(left, 0, kLongest)};
  }
  void pack(Situation& packed) {
    const auto begin = pending_.begin();
    auto end =
        std::remove_if(begin, begin + count_, [](const Pending& one) { return one.left == 0 && !one.wants_port; });
    // Those that are ready first are forgotten if there are too many.
    if (end - begin > kMost) {
      std::sort(begin, end, [](const Pending& a, const Pending& b) { return a.left > b.left; });
      end = begin + kMost;
    }
    std::sort(begin, end, [](const Pending& a, const Pending& b) { return a.what > b.what; });
    std::array<std::uint64_t, 2> halves{};
    for (auto one = begin; one != end; ++one) {
      const auto place = static_cast<unsigned>(one - begin);
      const auto bits = static_cast<std::uint64_t>(one->what | (one->wants_port ? 0x80 : 0) | one->left << 8);
      halves[place / 4] |= bits << (16 * (place % 4));
    }
    packed.first = halves[0];
    packed.second = halves[1];
  }

 private:
  std::array<Pending, kMost + 2> pending_{};
  unsigned count_ = 0;
};

/** What becomes of a store that waits, behind `wait` cycles without an instruction. It is written in the second cycle
 * behind it, or the first one after that in which no load is issued. */
constexpr std::uint8_t kJustStored = 1, kStoredBefore = 2;
constexpr std::uint8_t later(std::uint8_t stored, int wait) {
  if (stored == kJustStored) return wait == 0 ? kJustStored : wait == 1 ? kStoredBefore : 0;
  return wait == 0 ? stored : 0;
}

void follow_stores(Situation& situation, const Slot& slot, int wait) {
  if (situation.stored == std::array<std::uint8_t, 2>{} && !slot.stores) return;
  for (std::uint8_t& one : situation.stored) {
    one = later(one, wait);
    if (one == kStoredBefore && !slot.loads) one = 0;
    if (one == kJustStored) one = kStoredBefore;
    if (slot.more != 0) one = 0;
  }
  if (slot.stores) situation.stored = {kJustStored, situation.stored[0]};
}

void fetch_behind(Situation& situation, const Slot& slot, int cycles) {
  const int ahead = slot.refetches ? 0 : std::min(situation.ahead + cycles, int{slot.queue}) - slot.passes;
  situation.ahead = static_cast<std::int8_t>(ahead);
  situation.halved = slot.is_rest && !situation.entered;
  situation.entered = slot.refetches;
}

}  // namespace

std::uint32_t advance(Situation& situation, const Slot& slot) {
  const bool quiet = situation.first == 0 && situation.second == 0;
  // A target that crosses packets waits for the second one: the decoder takes one packet a cycle.
  const int ahead = situation.entered ? std::min<int>(situation.ahead, 0) : situation.ahead;
  int wait = std::max(slot.crosses - ahead, 0);
  if (quiet && slot.latency == 1 && slot.unit == 0 && slot.more == 0 && situation.blocked == 0) {
    follow_stores(situation, slot, wait);
    fetch_behind(situation, slot, wait + 1);
    return static_cast<std::uint32_t>(wait + 1);
  }
  Board board(situation);
  for (const std::uint8_t what : slot.waits) wait = std::max(wait, board.wait_for(what));
  if (situation.blocked > wait && slot.replay != 0) {
    wait += slot.replay;
    situation.ahead = static_cast<std::int8_t>(-wait);
  }
  board.pass(wait, slot.writes_port && !slot.waits_for_port, slot.more);
  const int behind = 1 + slot.more;
  if (slot.waits_for_port) {
    board.add(slot.result, slot.latency - kBehindPort - behind, true);
    board.add(slot.unit, slot.unit_latency - kBehindPort - behind, true);
  } else {
    board.add(slot.result, slot.latency - behind, false);
    board.add(slot.unit, slot.unit_latency - behind, false);
  }
  board.pack(situation);
  situation.blocked = static_cast<std::uint8_t>(std::max(situation.blocked - wait - behind, 0));
  follow_stores(situation, slot, wait);
  fetch_behind(situation, slot, wait + behind);
  return static_cast<std::uint32_t>(wait + behind);
}

bool waits(const Situation& situation, unsigned store, std::uint32_t wait) {
  return later(situation.stored[store], static_cast<int>(wait)) != 0;
}

void pass(Situation& situation, std::uint64_t cycles) {
  if (cycles == 0) return;
  situation.stored = {};
  situation.blocked = 0;
  if (situation.first == 0 && situation.second == 0) return;
  Board board(situation);
  board.pass(static_cast<int>(std::min<std::uint64_t>(cycles, 2 * kLongest)) - 1, false, 0);
  board.pack(situation);
}

}  // namespace trapeze::timing
