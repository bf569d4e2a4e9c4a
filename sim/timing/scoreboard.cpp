// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "timing/scoreboard.h"

#include <algorithm>
#include <bit>

namespace trapeze::timing {
namespace {

/** A multiplier's result can be used so many cycles behind the free cycle in which it is written. Rocket's RTL:
 * multiplication and use are 4 cycles apart, with any number of instructions that write registers between, plus 3. */
constexpr int kBehindPort = 3;
constexpr unsigned kMost = 8;
constexpr int kLongest = 127;

/** A situation taken apart: when what is ready, in cycles since then. */
class Board {
 public:
  explicit Board(const Situation& packed) {
    for (const std::uint64_t half : {packed.first, packed.second}) {
      for (std::uint64_t rest = half; rest != 0; rest >>= 16) {
        add(rest & 0x7fU, static_cast<int>((rest >> 8) & 0xffU), (rest & 0x80U) != 0);
      }
    }
  }

  int wait_for(std::uint8_t what) const { return ready_[what] - now_; }
  /** Time passes: `free` cycles, one that is `taken` or not, `more` free ones. */
  void pass(int free, bool taken, int more) {
    const int instruction = now_ + free;
    now_ = instruction + 1 + more;
    for (unsigned n = 0; n < ports_;) {
      const int wanted = port_[n].wanted;
      const bool before = wanted < instruction || (wanted == instruction && !taken);
      const int written = before ? wanted : std::max(wanted, instruction + 1);
      const std::uint8_t what = port_[n].what;
      if (written < now_) {
        port_[n] = port_[--ports_];
        ready(what, written + kBehindPort);
      } else {
        port_[n++].wanted = written;
        ready(what, written + kBehindPort);
      }
    }
  }
  /** `wants_port`: it is ready kBehindPort cycles behind a free cycle, from `left` cycles from now on. */
  void add(std::uint64_t what, int left, bool wants_port) {
    if (what == 0 || (left <= 0 && !wants_port)) return;
    for (unsigned n = 0; n < ports_; ++n) {
      if (port_[n].what == what) port_[n] = port_[--ports_];
    }
    left = std::clamp(left, 0, kLongest);
    if (wants_port && ports_ < port_.size()) {
      port_[ports_++] = {static_cast<std::uint8_t>(what), now_ + left};
      left += kBehindPort;
    }
    ready(static_cast<std::uint8_t>(what), now_ + left);
  }
  void pack(Situation& packed) const {
    std::array<std::uint64_t, 2> halves{};
    unsigned count = 0;
    int least = 0;
    // Those that are ready first are forgotten if there are too many.
    while (pending(least) > kMost) ++least;
    for (unsigned word = 2; word-- > 0;) {
      for (std::uint64_t rest = known_[word]; rest != 0;) {
        const auto bit = static_cast<unsigned>(std::bit_width(rest)) - 1;
        rest &= ~(std::uint64_t{1} << bit);
        const std::uint64_t entry = entry_of(static_cast<std::uint8_t>(64 * word + bit), least);
        if (entry == 0) continue;
        halves[count / 4] |= entry << (16 * (count % 4));
        ++count;
      }
    }
    packed.first = halves[0];
    packed.second = halves[1];
  }

 private:
  struct Port {
    std::uint8_t what = 0;
    int wanted = 0;
  };
  void ready(std::uint8_t what, int when) {
    ready_[what] = static_cast<std::int16_t>(when);
    known_[what / 64] |= std::uint64_t{1} << (what % 64);
  }
  /** What a situation has of something; 0: it is ready, or sooner than `least` cycles from now. */
  std::uint64_t entry_of(std::uint8_t what, int least) const {
    int left = ready_[what] - now_;
    bool wants_port = false;
    for (unsigned n = 0; n < ports_; ++n) {
      if (port_[n].what != what) continue;
      wants_port = true;
      left = port_[n].wanted - now_;
    }
    if ((left <= 0 && !wants_port) || left < least) return 0;
    return what | (wants_port ? 0x80U : 0U) | static_cast<std::uint64_t>(left) << 8;
  }
  unsigned pending(int least) const {
    unsigned count = 0;
    for (unsigned word = 0; word < 2; ++word) {
      for (std::uint64_t rest = known_[word]; rest != 0; rest &= rest - 1) {
        const auto what = static_cast<std::uint8_t>(64 * word + static_cast<unsigned>(std::countr_zero(rest)));
        count += entry_of(what, least) != 0 ? 1 : 0;
      }
    }
    return count;
  }

  std::array<std::int16_t, kFloatUnit + 1> ready_{};  ///< a block of 64 instructions takes less than 2^15 cycles
  std::array<std::uint64_t, 2> known_{};              ///< what may not be ready yet, a bit for each
  std::array<Port, 4> port_{};
  unsigned ports_ = 0;
  int now_ = 0;
};

/** What becomes of a store that waits, behind `wait` cycles without an instruction. It is written in the second cycle
 * behind it, or the first one after that in which no load is issued. */
constexpr std::uint8_t kJustStored = 1, kStoredBefore = 2;
constexpr std::uint8_t later(std::uint8_t stored, int wait) {
  if (stored == kJustStored) return wait == 0 ? kJustStored : wait == 1 ? kStoredBefore : 0;
  return wait == 0 ? stored : 0;
}

/** The same behind an instruction that has waited so long. */
constexpr std::uint8_t behind(std::uint8_t stored, const Slot& slot, int wait) {
  const std::uint8_t now = later(stored, wait);
  if (slot.more != 0 || (now == kStoredBefore && !slot.loads)) return 0;
  return now == kJustStored ? kStoredBefore : now;
}

void follow_stores(Situation& situation, const Slot& slot, int wait) {
  auto& [last, before] = situation.stored;
  if ((last | before) == 0 && !slot.stores) return;
  last = behind(last, slot, wait);
  before = behind(before, slot, wait);
  if (slot.stores) situation.stored = {kJustStored, last};
}

void fetch_behind(Situation& situation, const Slot& slot, int cycles) {
  const int ahead = slot.refetches ? 0 : std::min(situation.ahead + cycles, int{slot.queue}) - slot.passes;
  situation.ahead = static_cast<std::int8_t>(ahead);
  situation.halved = slot.is_rest && !situation.entered;
  situation.entered = slot.refetches;
}

/** Its results, `behind` cycles behind its issue. */
void make(Board& board, const Slot& slot, int behind) {
  const int port = slot.waits_for_port ? kBehindPort : 0;
  board.add(slot.result, slot.latency - port - behind, slot.waits_for_port);
  board.add(slot.unit, slot.unit_latency - port - behind, slot.waits_for_port);
}

bool takes_port(const Slot& slot) {
  return slot.writes_port && !slot.waits_for_port;
}

/** Whether an instruction issues in the cycle of the last one: that has room for it, it is fetched, and all that it
 * waits for is ready. What the last one writes is not. */
bool joins(const Situation& situation, const Slot& slot, const Board& board) {
  if ((situation.room & slot.pipes & (kFirstPipe | kSecondPipe)) == 0 || slot.crosses > situation.ahead) return false;
  const bool memory = slot.loads || slot.stores;
  if (memory && ((situation.room & kMemoryTaken) != 0 || situation.blocked != 0)) return false;
  return std::all_of(slot.waits.begin(), slot.waits.end(),
                     [&board](std::uint8_t what) { return board.wait_for(what) <= 0; });
}

/** The cycle of the last instruction is over. */
void end_cycle(Situation& situation, Board& board, bool port_taken) {
  board.pass(0, port_taken || (situation.room & kPortTaken) != 0, 0);
  situation.room = 0;
}

void join(Situation& situation, const Slot& slot, Board& board) {
  end_cycle(situation, board, takes_port(slot));
  make(board, slot, 1);
  if (slot.stores) situation.stored = {kJustStored, situation.stored[0]};
  fetch_behind(situation, slot, 1);
}

/** An instruction issues behind `wait` cycles in a pipeline, so that another may join it. */
void open_cycle(Situation& situation, const Slot& slot, Board& board, int wait) {
  if (wait != 0) board.pass(wait - 1, false, 0);
  make(board, slot, 0);
  const unsigned swapped =
      ((slot.pipes & kFirstPipe) != 0 ? kSecondPipe : 0U) | ((slot.pipes & kSecondPipe) != 0 ? kFirstPipe : 0U);
  situation.room = static_cast<std::uint8_t>(swapped | (slot.loads || slot.stores ? kMemoryTaken : 0U) |
                                             (takes_port(slot) ? kPortTaken : 0U));
  fetch_behind(situation, slot, wait);
}

/** `kPairs`: a cycle may have room for another instruction. */
template <bool kPairs>
std::uint64_t advance_by(Situation& situation, const Slot* slot, std::size_t stride, std::uint64_t count) {
  Board board(situation);
  std::uint64_t sum = 0;
  const auto next = [stride](const Slot* one) {
    return reinterpret_cast<const Slot*>(reinterpret_cast<const std::byte*>(one) + stride);
  };
  for (; count != 0; --count, slot = next(slot)) {
    if (kPairs && situation.room != 0) {
      if (joins(situation, *slot, board)) {
        join(situation, *slot, board);
        continue;
      }
      end_cycle(situation, board, false);
      situation.ahead = static_cast<std::int8_t>(std::min(situation.ahead + 1, int{slot->queue}));
    }
    // A target that crosses packets waits for the second one: the decoder takes one packet a cycle.
    const int ahead = situation.entered ? std::min<int>(situation.ahead, 0) : situation.ahead;
    int wait = std::max(slot->crosses - ahead, 0);
    for (const std::uint8_t what : slot->waits) wait = std::max(wait, board.wait_for(what));
    if (situation.blocked > wait && slot->replay != 0) {
      wait += slot->replay;
      situation.ahead = static_cast<std::int8_t>(-wait);
    }
    const int behind = 1 + slot->more;
    situation.blocked = static_cast<std::uint8_t>(std::max(situation.blocked - wait - behind, 0));
    follow_stores(situation, *slot, wait);
    if (kPairs && slot->pipes != 0 && (slot->pipes & kEndsCycle) == 0) {
      open_cycle(situation, *slot, board, wait);
    } else {
      board.pass(wait, takes_port(*slot), slot->more);
      make(board, *slot, behind);
      fetch_behind(situation, *slot, wait + behind);
    }
    sum += static_cast<std::uint64_t>(wait + behind);
  }
  board.pack(situation);
  return sum;
}

}  // namespace

std::uint64_t advance(Situation& situation, const Slot* slot, std::size_t stride, std::uint64_t count) {
  return advance_by<false>(situation, slot, stride, count);
}

std::uint64_t advance_pairs(Situation& situation, const Slot* slot, std::size_t stride, std::uint64_t count) {
  return advance_by<true>(situation, slot, stride, count);
}

bool waits(const Situation& situation, unsigned store, std::uint32_t wait) {
  return later(situation.stored[store], static_cast<int>(wait)) != 0;
}

void pass(Situation& situation, std::uint64_t cycles) {
  if (cycles == 0) return;
  situation.stored = {};
  situation.blocked = 0;
  if (situation.first == 0 && situation.second == 0) {
    situation.room = 0;
    return;
  }
  Board board(situation);
  if (situation.room != 0) end_cycle(situation, board, false);
  board.pass(static_cast<int>(std::min<std::uint64_t>(cycles, 2 * kLongest)) - 1, false, 0);
  board.pack(situation);
}

}  // namespace trapeze::timing
