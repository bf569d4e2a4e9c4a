// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/bus.h"

#include <cstring>

namespace trapeze::model {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "memories are accessed in host order");

Bus::Bus(std::span<const tz_region> memories) {
  for (const tz_region& region : memories) memories_.push_back({region.base, std::vector<std::uint8_t>(region.size)});
}

std::uint8_t* Bus::memory(std::uint64_t address, std::uint64_t size) {
  for (Memory& memory : memories_) {
    const std::uint64_t offset = address - memory.base;
    if (address < memory.base || offset >= memory.data.size()) continue;
    return size <= memory.data.size() - offset ? memory.data.data() + offset : nullptr;
  }
  return nullptr;
}

Bus::Attached* Bus::find(std::uint64_t address) {
  for (Attached& attached : devices_) {
    if (address >= attached.base && address - attached.base < attached.size) return &attached;
  }
  return nullptr;
}

BusRead Bus::read(std::uint64_t address, unsigned enables, std::uint64_t now) {
  if (const std::uint8_t* host = memory(address, 4)) {
    std::uint32_t value = 0;
    std::memcpy(&value, host, sizeof value);
    return {value, false, false, false};
  }
  Attached* attached = find(address);
  if (attached == nullptr) return {0, true, false, false};
  const DeviceRead result = attached->device->read(static_cast<std::uint32_t>(address - attached->base), enables, now);
  return {result.value, result.error, result.timed, true};
}

BusWrite Bus::write(std::uint64_t address, unsigned enables, std::uint32_t value, std::uint64_t now) {
  if (std::uint8_t* host = memory(address, 4)) {
    for (unsigned lane = 0; lane < 4; ++lane) {
      if (((enables >> lane) & 1U) != 0) host[lane] = static_cast<std::uint8_t>(value >> (8 * lane));
    }
    return {false, false};
  }
  Attached* attached = find(address);
  if (attached == nullptr) return {true, false};
  const bool done = attached->device->write(static_cast<std::uint32_t>(address - attached->base), enables, value, now);
  return {!done, true};
}

std::vector<std::vector<std::uint8_t>> Bus::save() const {
  std::vector<std::vector<std::uint8_t>> contents;
  for (const Memory& memory : memories_) contents.push_back(memory.data);
  return contents;
}

void Bus::restore(const std::vector<std::vector<std::uint8_t>>& contents) {
  // In place: harts keep pointers into the memories.
  for (std::size_t i = 0; i < contents.size(); ++i) {
    std::memcpy(memories_[i].data.data(), contents[i].data(), contents[i].size());
  }
}

}  // namespace trapeze::model
