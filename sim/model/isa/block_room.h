// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The host's memory for decoded blocks that are forgotten together: they stand side by side, and are freed as one.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_BLOCK_ROOM_H
#define TRAPEZE_SIM_MODEL_ISA_BLOCK_ROOM_H

#include <cstddef>
#include <cstring>
#include <memory_resource>
#include <type_traits>

namespace trapeze::model {

class BlockRoom {
 public:
  /** `count` things like those at `from`, until forget(). */
  template <typename T>
  T* copy(const T* from, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    void* const place = memory_.allocate(count * sizeof(T), alignof(T));
    return static_cast<T*>(std::memcpy(place, from, count * sizeof(T)));
  }
  /** All that was kept is gone. */
  void forget() { memory_.release(); }

 private:
  std::pmr::monotonic_buffer_resource memory_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_BLOCK_ROOM_H
