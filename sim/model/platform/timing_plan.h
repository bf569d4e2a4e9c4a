// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * How the time of a hart passes, as the file of a platform says it: sim/timing makes it so. sim/timing/README.md says
 * what each number means, and the configuration's file (configs/timing) where it comes from.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_TIMING_PLAN_H
#define TRAPEZE_SIM_MODEL_PLATFORM_TIMING_PLAN_H

#include <cstdint>
#include <optional>

namespace trapeze::model {

/** Times are cycles; a latency is the distance from an instruction to the first that can use its result. */
struct TimingPlan {
  /** A cache of the first level. */
  struct Cache {
    unsigned size = 0, ways = 0, line = 0;  ///< bytes, number, bytes
    bool lru = false;                       ///< replaces the least recently used; else at random
    unsigned miss = 0;                      ///< what a miss adds, without the memory's latency
    unsigned dirty_miss = 0;                ///< the same with a line that is written back; data alone
  };
  /** A second level, of one hart. It holds each line that a cache of the first level does. */
  struct SecondLevel {
    Cache lines;              ///< without what misses add
    unsigned latency = 0;     ///< what memory_latency is to a miss of the first level that hits here
    unsigned write_back = 0;  ///< what a line adds that is written to the memory
  };
  /** What kinds of instructions a pipeline takes. All others issue alone. */
  struct Kinds {
    bool integer = false;
    bool multiply = false;  ///< and divide
    bool memory = false;    ///< loads and stores, of floating-point registers, too
    bool floating = false;  ///< computation
    bool branch = false;    ///< and jumps
  };
  struct Pipelines {
    Kinds first, second;
  };
  struct Load {
    unsigned word = 0, part = 0, floating = 0;  ///< latencies: 4 and 8 bytes; 1 and 2; of floating-point registers
    unsigned behind_store = 0;                  ///< what a load adds if a store at its address has yet to be written
  };
  struct Multiply {
    unsigned latency = 0;              ///< the least
    unsigned bits = 0;                 ///< bits of rs1 a cycle; 0: the latency does not depend on them
    unsigned most = 0, most_word = 0;  ///< the most, and of mulw; mulh, mulhu and mulhsu always take the most
  };
  struct Divide {
    unsigned latency = 0;   ///< of a quotient of one bit; each bit more is a cycle
    unsigned negative = 0;  ///< for each of: an operand is negative, the result is
    unsigned by_zero = 0;   ///< latency
  };
  struct Precision {
    unsigned single = 0, full = 0;
  };
  struct Floating {
    Precision arithmetic, divide;  ///< additions, multiplications, both fused; divisions and square roots
    unsigned move = 0;             ///< sign injection, minimum, conversions to floating-point registers
    unsigned integer = 0;          ///< results in integer registers
  };
  struct Branches {
    unsigned misprediction = 0;
    unsigned taken = 0;         ///< gap in what is fetched behind something taken whose target is not in the buffer
    unsigned counters = 0;      ///< for directions, a power of two
    unsigned bits = 0;          ///< of each: 1 or 2
    unsigned history = 0;       ///< directions of branches that choose a counter, besides the address
    unsigned history_bits = 0;  ///< bits that are made of them
    unsigned targets = 0;       ///< entries of the buffer of targets
    unsigned returns = 0;       ///< entries of the stack of return addresses
  };
  /** Code is fetched by packets, one a cycle; those that are not needed yet wait. */
  struct Fetch {
    unsigned packet = 0;  ///< bytes, a power of two
    unsigned queue = 0;   ///< packets that can wait
  };
  /** What keeps translations, the same for data and for code, and walks through page tables. */
  struct Translation {
    unsigned entries = 0, pages = 0;        ///< number, and pages next to each other that each can have
    unsigned large = 0;                     ///< entries for large pages
    unsigned tables = 0;                    ///< pointers to tables that a walk need not read
    unsigned walk_data = 0, walk_code = 0;  ///< what a walk adds, without its steps
    unsigned step = 0, known_step = 0;      ///< a step whose pointer is read from the data cache; one that is kept
    unsigned asid_bits = 16;                ///< of satp
  };
  struct System {
    unsigned csr = 0;                            ///< latency of what a CSR instruction reads
    unsigned flush = 0;                          ///< what an instruction adds that empties the pipeline
    unsigned trap = 0;                           ///< what entry into a handler adds
    unsigned fence = 0;                          ///< from a fence to the next access to memory at least
    unsigned fence_i = 0;                        ///< what it adds without the misses behind it
    unsigned atomic = 0;                         ///< latency of an AMO or SC
    unsigned device_load = 0, device_store = 0;  ///< an access to a device, the instruction included
    unsigned block = 0;                          ///< what an operation of Zicbom adds
  };
  unsigned memory_latency = 0;  ///< from the address to the first data
  bool results_wait = false;    ///< results of multiplier and divider wait for a cycle in which no other is written
  std::optional<Pipelines> pipelines;  ///< of a core that issues two instructions a cycle
  Cache instructions, data;
  std::optional<SecondLevel> level2;
  Load load;
  Multiply multiply;
  Divide divide;
  Floating floating;
  Fetch fetch;
  Branches branches;
  Translation translation;
  System system;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_TIMING_PLAN_H
