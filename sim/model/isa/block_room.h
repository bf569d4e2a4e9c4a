// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Memory of the host for decoded blocks. All blocks in one room are forgotten together. They lie side by side and are
 * freed at once.
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
  /** Copies `count` objects from `from` into the room; they stay until forget(). */
  template <typename T>
  T* copy(const T* from, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    void* const place = memory_.allocate(count * sizeof(T), alignof(T));
    return static_cast<T*>(std::memcpy(place, from, count * sizeof(T)));
  }
  /** Frees everything in the room: pointers into it are invalid from now on. */
  void forget() { memory_.release(); }

 private:
  std::pmr::monotonic_buffer_resource memory_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_BLOCK_ROOM_H
