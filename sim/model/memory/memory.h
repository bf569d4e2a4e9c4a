// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A memory: its bytes, and its place in the address map of the harts that see it.
 */
#ifndef TRAPEZE_SIM_MODEL_MEMORY_MEMORY_H
#define TRAPEZE_SIM_MODEL_MEMORY_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace trapeze::model {

/** Bytes of a page. A hart may keep a host pointer to a page. */
constexpr std::uint64_t kPageBytes = 4096;

/** Frees bytes, unless they are part of something else. */
struct FreeOwn {
  bool own = true;
  void operator()(std::uint8_t* bytes) const {
    if (own) std::free(bytes);
  }
};

/** The bytes of a memory. Those of its own are zero at first, and are fresh pages of the host, so pages that are never
 * touched take neither time nor memory. */
class ZeroBytes {
 public:
  /** Throws std::bad_alloc if the host has no room for them. */
  explicit ZeroBytes(std::size_t size) : bytes_(static_cast<std::uint8_t*>(std::calloc(size, 1))), size_(size) {
    if (bytes_ == nullptr && size != 0) throw std::bad_alloc();
  }
  /** Bytes that are part of something else, which outlives this. */
  ZeroBytes(std::uint8_t* bytes, std::size_t size) : bytes_(bytes, FreeOwn{false}), size_(size) {}

  std::size_t size() const { return size_; }
  std::uint8_t* data() { return bytes_.get(); }
  const std::uint8_t* begin() const { return bytes_.get(); }
  const std::uint8_t* end() const { return bytes_.get() + size_; }

 private:
  std::unique_ptr<std::uint8_t[], FreeOwn> bytes_;
  std::size_t size_;
};

struct Memory {
  Memory(std::uint64_t at, std::uint64_t size, bool is_shared = false) : base(at), shared(is_shared), data(size) {}
  /** A memory whose bytes are part of something else, which outlives this. */
  Memory(std::uint64_t at, std::uint8_t* bytes, std::uint64_t size) : base(at), shared(false), data(bytes, size) {}

  std::uint64_t base;
  bool shared;  ///< several harts see it
  ZeroBytes data;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_MEMORY_MEMORY_H
