// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "cosim/outside.h"

#include <algorithm>
#include <cstring>

namespace trapeze::cosim {
namespace {

/** obi_pkg: values of `atop`. */
enum Operation : unsigned {
  kNone = 0x00,
  kAdd = 0x20,
  kSwap = 0x21,
  kLoadReserved = 0x22,
  kStoreConditional = 0x23,
  kXor = 0x24,
  kLoad = 0x25,
  kOr = 0x28,
  kMark = 0x29,
  kAnd = 0x2c,
  kMin = 0x30,
  kMax = 0x34,
  kMinUnsigned = 0x38,
  kMaxUnsigned = 0x3c
};

/** obi_pkg: the port of loads and stores; the others are of fetches and of frames. */
constexpr unsigned kDataPort = 0;

/** obi_pkg::amo_result. */
std::uint32_t changed(unsigned operation, std::uint32_t old, std::uint32_t operand) {
  const auto a = static_cast<std::int32_t>(old);
  const auto b = static_cast<std::int32_t>(operand);
  switch (operation) {
    case kAdd:
      return old + operand;
    case kXor:
      return old ^ operand;
    case kOr:
      return old | operand;
    case kAnd:
      return old & operand;
    case kMin:
      return static_cast<std::uint32_t>(std::min(a, b));
    case kMax:
      return static_cast<std::uint32_t>(std::max(a, b));
    case kMinUnsigned:
      return std::min(old, operand);
    case kMaxUnsigned:
      return std::max(old, operand);
    case kMark:
      return (old & 3U) == 0 ? old | 1U : old;
    default:
      return operand;
  }
}

std::uint32_t word_at(const std::uint8_t* host) {
  std::uint32_t value = 0;
  std::memcpy(&value, host, sizeof value);
  return value;
}

}  // namespace

Answer Outside::access(const Request& request, std::uint64_t now) {
  at_device_ = false;
  return request.operation == kNone && request.port == kDataPort ? plain(request, now) : of_memory(request);
}

Answer Outside::plain(const Request& request, std::uint64_t now) {
  if (request.write) {
    const model::BusWrite written = bus_.write(request.address, request.enables, request.data, now, request.privilege);
    at_device_ = written.device;
    return {0, written.error, false};
  }
  const model::BusRead read = bus_.read(request.address, request.enables, now, request.privilege);
  at_device_ = read.device;
  return {read.value, read.error, false};
}

Answer Outside::of_memory(const Request& request) {
  std::uint8_t* const word = bus_.memory(request.address, kWordBytes);
  if (word == nullptr) return {0, true, false};
  const std::uint32_t old = word_at(word);
  const auto store = [&](std::uint32_t value) {
    std::uint8_t* const host = bus_.modify(request.address, kWordBytes);
    std::memcpy(host, &value, sizeof value);
  };
  switch (request.operation) {
    case kNone:
      if (request.write) store(model::merge_lanes(old, request.data, request.enables));
      if (!request.write) bus_.loaded(request.address, kWordBytes);
      return {old, false, false};
    case kLoad:
      bus_.loaded(request.address, kWordBytes);
      return {old, false, false};
    case kLoadReserved:
      bus_.reserve(request.address, kWordBytes);
      return {old, false, true};
    case kStoreConditional: {
      // With `write` low the core knows already that it is to fail; it ends the reservation all the same.
      const model::Bus::Conditional to = bus_.conditional(request.address, kWordBytes);
      const bool made = request.write && to.word != nullptr;
      if (made) std::memcpy(to.word, &request.data, sizeof request.data);
      return {0, false, made};
    }
    default:
      store(changed(request.operation, old, request.data));
      return {old, false, false};
  }
}

}  // namespace trapeze::cosim
