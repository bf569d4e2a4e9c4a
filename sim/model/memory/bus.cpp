// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/memory/bus.h"

#include <bit>
#include <cstring>

namespace trapeze::model {

namespace {

/** The first byte of a word that has its enable, and their number: those of an access are side by side. */
unsigned first_lane(unsigned enables) {
  return static_cast<unsigned>(std::countr_zero(enables));
}
unsigned lanes(unsigned enables) {
  return static_cast<unsigned>(std::popcount(enables));
}

}  // namespace

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "memories are accessed in host order");

Memory* Bus::find_memory(std::uint64_t address, std::uint64_t size) {
  for (Memory* memory : memories_) {
    const std::uint64_t offset = address - memory->base;
    if (address < memory->base || offset >= memory->data.size()) continue;
    return size <= memory->data.size() - offset ? memory : nullptr;
  }
  return nullptr;
}

std::uint8_t* Bus::memory(std::uint64_t address, std::uint64_t size) {
  Memory* const memory = find_memory(address, size);
  return memory != nullptr ? memory->data.data() + (address - memory->base) : nullptr;
}

std::uint8_t* Bus::writable_memory(std::uint64_t address, std::uint64_t size) {
  Memory* const memory = find_memory(address, size);
  if (memory == nullptr) return nullptr;
  std::uint8_t* const host = memory->data.data() + (address - memory->base);
  return reservations_.within(host, size) ? nullptr : host;
}

Bus::Attached* Bus::find_device(std::uint64_t address) {
  for (Attached& attached : devices_) {
    if (address >= attached.base && address - attached.base < attached.size) return &attached;
  }
  return nullptr;
}

unsigned Bus::delay(std::uint64_t address) {
  if (find_memory(address, 1) != nullptr) return 0;
  const Attached* const attached = find_device(address);
  return attached == nullptr ? 0 : attached->device->delay();
}

bool Bus::takes(std::uint64_t address, std::uint64_t now) {
  const Attached* const attached = find_device(address);
  return attached == nullptr || attached->device->takes(static_cast<std::uint32_t>(address - attached->base), now);
}

BusRead Bus::read(std::uint64_t address, unsigned enables, std::uint64_t now, unsigned privilege) {
  if (const std::uint8_t* host = memory(address, 4)) {
    std::uint32_t value = 0;
    std::memcpy(&value, host, sizeof value);
    loaded(address + first_lane(enables), lanes(enables));
    return {value, false, false, false};
  }
  Attached* attached = find_device(address);
  if (attached == nullptr) return {0, true, false, false};
  const auto offset = static_cast<std::uint32_t>(address - attached->base);
  device_access_ = now;
  const DeviceRead result = attached->device->read(offset, enables, now, {hart_, privilege});
  return {result.value, result.error, result.open, true};
}

BusWrite Bus::write(std::uint64_t address, unsigned enables, std::uint32_t value, std::uint64_t now,
                    unsigned privilege) {
  if (std::uint8_t* host = memory(address, 4)) {
    for (unsigned lane = 0; lane < 4; ++lane) {
      if (((enables >> lane) & 1U) == 0) continue;
      host[lane] = static_cast<std::uint8_t>(value >> (8 * lane));
    }
    reservations_.written(host, 4);
    stored(address + first_lane(enables), lanes(enables));
    return {false, false};
  }
  Attached* attached = find_device(address);
  if (attached == nullptr) return {true, false};
  const auto offset = static_cast<std::uint32_t>(address - attached->base);
  device_access_ = now;
  return {!attached->device->write(offset, enables, value, now, {hart_, privilege}), true};
}

const std::uint8_t* Bus::reserve(std::uint64_t address, unsigned size) {
  const std::uint8_t* const word = memory(address, size);
  if (word == nullptr) return nullptr;
  reservations_.reserve(hart_, word, size);
  loaded(address, size);
  return word;
}

Bus::Conditional Bus::conditional(std::uint64_t address, unsigned size) {
  std::uint8_t* const word = memory(address, size);
  if (word == nullptr) return {nullptr, true};
  if (!reservations_.take(hart_, word, size)) return {};
  reservations_.written(word, size);
  stored(address, size);
  return {word, false};
}

std::uint8_t* Bus::modify(std::uint64_t address, unsigned size) {
  std::uint8_t* const word = memory(address, size);
  if (word == nullptr) return nullptr;
  reservations_.written(word, size);
  loaded(address, size);
  stored(address, size);
  return word;
}

}  // namespace trapeze::model
