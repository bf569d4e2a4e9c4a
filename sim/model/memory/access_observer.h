// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What sees the accesses that harts make to memory. A bus without an observer has no cost for it: a hart keeps pointers
 * to pages then, and its accesses pass the bus by.
 */
#ifndef TRAPEZE_SIM_MODEL_MEMORY_ACCESS_OBSERVER_H
#define TRAPEZE_SIM_MODEL_MEMORY_ACCESS_OBSERVER_H

#include <cstdint>

namespace trapeze::model {

/** An instruction of a hart. */
struct Actor {
  unsigned hart = 0;     ///< its number on the platform
  std::uint64_t pc = 0;  ///< virtual
};

/** What Zicbom does to the cached copy of a block. */
enum class BlockAction : std::uint8_t { kInvalidate, kClean, kFlush };

/** Addresses are physical. Accesses are aligned, at most 8 bytes; only a fetch may be of more. */
class AccessObserver {
 public:
  /** Whether accesses to the page of an address are to be shown. It never changes. */
  virtual bool watches(std::uint64_t address) const = 0;
  virtual void load(const Actor& by, std::uint64_t address, unsigned size) = 0;
  virtual void store(const Actor& by, std::uint64_t address, unsigned size) = 0;
  /** Instructions are decoded, which the hart keeps until code_changed() or its fence.i. */
  virtual void fetch(const Actor& by, std::uint64_t address, std::uint64_t size) = 0;
  virtual void manage(const Actor& by, BlockAction action, std::uint64_t address) = 0;
  /** fence.i. */
  virtual void fence_code(unsigned hart) = 0;
  /** Whether harts are to decode all instructions anew, because one has written what another one has decoded; asked
   * between two slices of time. A second call returns false. */
  virtual bool code_changed() = 0;

 protected:
  AccessObserver() = default;
  AccessObserver(const AccessObserver&) = default;
  AccessObserver& operator=(const AccessObserver&) = default;
  ~AccessObserver() = default;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_MEMORY_ACCESS_OBSERVER_H
