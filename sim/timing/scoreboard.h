// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Which registers and units still wait for a result, relative to now, what is fetched already, and how long the next
 * instruction waits for them.
 *
 * It counts time without cache misses, mispredictions and operands. So it depends on nothing but the instructions
 * executed, and what a block costs in a situation can be kept.
 */
#ifndef TRAPEZE_SIM_TIMING_SCOREBOARD_H
#define TRAPEZE_SIM_TIMING_SCOREBOARD_H

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace trapeze::timing {

/** What an instruction may wait for: integer registers 1 to 31, floating-point registers from kFloats on, units. 0 is
 * nothing. */
constexpr std::uint8_t kFloats = 32, kMemoryUnit = 64, kIntegerUnit = 65, kFloatUnit = 66;

/** Pipelines of a core that issues two instructions a cycle: bits of a slot and of the room in a cycle. */
constexpr std::uint8_t kFirstPipe = 1, kSecondPipe = 2;
constexpr std::uint8_t kEndsCycle = 4;                    ///< of a slot: none joins it, but it may join another
constexpr std::uint8_t kMemoryTaken = 4, kPortTaken = 8;  ///< of the room: by the first instruction

/** An instruction, as the scoreboard sees it. */
struct Slot {
  std::array<std::uint8_t, 6> waits{};  ///< for these to be ready: registers that it reads or writes, a unit
  std::uint8_t result = 0;              ///< what it makes wait
  std::uint8_t unit = 0;                ///< the same
  std::uint8_t latency = 1;             ///< from the issue to the use of the result
  std::uint8_t unit_latency = 0;        ///< from the issue to the next use of the unit
  std::uint8_t more = 0;                ///< cycles behind it in which nothing issues
  bool writes_port = false;             ///< it takes the port by which integer registers are written
  bool waits_for_port = false;          ///< its result needs a cycle in which no other instruction does
  bool loads = false, stores = false;
  std::uint8_t replay = 0;   ///< of an access: what it takes more if it is turned away
  bool refetches = false;    ///< what is fetched behind it is thrown away
  bool is_rest = false;      ///< it is the last part of a packet in which another one begins
  std::uint8_t crosses = 0;  ///< packets that must have come besides the one in which it begins
  std::uint8_t passes = 0;   ///< packets from that one to the one in which the instruction behind it begins
  std::uint8_t queue = 0;    ///< packets that can wait at most
  std::uint8_t pipes = 0;    ///< pipelines that take it (kFirstPipe, kSecondPipe), kEndsCycle; 0: it issues alone
};

/** What is pending, sorted: eight entries of 16 bits at most, and what was fetched and stored. */
struct Situation {
  std::uint64_t first = 0, second = 0;
  /** Packets that have come besides the one in which the next instruction begins; less than 0: how many must come. */
  std::int8_t ahead = 0;
  std::array<std::uint8_t, 2> stored{};  ///< of the last stores, the last one in front: whether it waits to be written
  std::uint8_t blocked = 0;              ///< for so many cycles an access to memory is turned away, and executed again
  bool entered = false;                  ///< the next instruction is the target of something taken
  bool halved = false;  ///< the last one was the rest of a packet, so that the decoder had room for another packet
  /** The last instruction's cycle is not over: pipelines that can take another one in it, kMemoryTaken, kPortTaken.
   * Times are from that cycle on. 0: no other can join it. */
  std::uint8_t room = 0;
  std::uint8_t unused = 0;  ///< so that all of it can be compared at once

  bool operator==(const Situation& other) const {
    using Words = std::array<std::uint64_t, 3>;
    const auto mine = std::bit_cast<Words>(*this);
    const auto others = std::bit_cast<Words>(other);
    return ((mine[0] ^ others[0]) | (mine[1] ^ others[1]) | (mine[2] ^ others[2])) == 0;
  }
};

/** What `count` instructions cost that come in a situation, which becomes the next one. Their slots stand `stride`
 * bytes from each other. */
std::uint64_t advance(Situation& situation, const Slot* slot, std::size_t stride, std::uint64_t count);
/** The same of a core that issues two instructions a cycle. */
std::uint64_t advance_pairs(Situation& situation, const Slot* slot, std::size_t stride, std::uint64_t count);
/** Whether a store, the last one (0) or the one before it, still waits to be written so many cycles later. */
bool waits(const Situation& situation, unsigned store, std::uint32_t wait);
/** Nothing issues for so many cycles. */
void pass(Situation& situation, std::uint64_t cycles);

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_SCOREBOARD_H
