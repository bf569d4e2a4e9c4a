// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The bus of one hart: its physical address map of memories and devices. What is attached to the buses of several harts
 * is shared by them. What is attached to one bus belongs to that hart.
 */
#ifndef TRAPEZE_SIM_MODEL_MEMORY_BUS_H
#define TRAPEZE_SIM_MODEL_MEMORY_BUS_H

#include <cstdint>
#include <vector>

#include "model/memory/access_observer.h"
#include "model/memory/device.h"
#include "model/memory/memory.h"
#include "model/memory/reservations.h"

namespace trapeze::model {

/** Outcome of a transfer on the bus. */
struct BusRead {
  std::uint32_t value = 0;
  bool error = false;
  bool open = false;    ///< see DeviceRead
  bool device = false;  ///< not a memory
};
struct BusWrite {
  bool error = false;
  bool device = false;
};

/** Routes the accesses of hart `hart` by address. Memories and devices that are attached must outlive the bus. */
class Bus {
 public:
  Bus(unsigned hart, Reservations& reservations) : hart_(hart), reservations_(reservations) {}

  void attach(Memory& memory) { memories_.push_back(&memory); }
  void attach(std::uint64_t base, std::uint64_t size, Device& device) { devices_.push_back({base, size, &device}); }

  /** Host address of `size` bytes of memory, or null if no memory holds all of them. */
  std::uint8_t* memory(std::uint64_t address, std::uint64_t size);
  /** Whether a memory with `size` bytes, or a device, is at an address. */
  bool holds(std::uint64_t address, std::uint64_t size) {
    return find_memory(address, size) != nullptr || find_device(address) != nullptr;
  }
  /** Host address for stores that do not go through write(), which looks at reservations: null, too, if there is a
   * reservation within these bytes. */
  std::uint8_t* writable_memory(std::uint64_t address, std::uint64_t size);

  /** Transfer of one bus word; `address` is a multiple of four. `privilege`: of the access. */
  BusRead read(std::uint64_t address, unsigned enables, std::uint64_t now, unsigned privilege = kMachine);
  BusWrite write(std::uint64_t address, unsigned enables, std::uint32_t value, std::uint64_t now,
                 unsigned privilege = kMachine);

  // Atomic accesses, of `size` bytes at a naturally aligned address. They are for memories: null, or false, stands for
  // an access fault.
  /** LR: reserves the word and returns its host address. */
  const std::uint8_t* reserve(std::uint64_t address, unsigned size);
  /** SC: the host address of the word if the SC may write it. Null: it may not; then also whether that is a fault. */
  struct Conditional {
    std::uint8_t* word = nullptr;
    bool fault = false;
  };
  Conditional conditional(std::uint64_t address, unsigned size);
  /** AMO, or a word of a frame: the host address of the word, which the caller must write at once. */
  std::uint8_t* modify(std::uint64_t address, unsigned size);
  /** As Device::delay() and Device::takes(). Memories grant at once, and so does what is nowhere. */
  unsigned delay(std::uint64_t address);
  bool takes(std::uint64_t address, std::uint64_t now);
  /** Time of the last access to a device since forget_device_access(); kNever: there was none. */
  std::uint64_t device_access() const { return device_access_; }
  void forget_device_access() { device_access_ = kNever; }
  /** A trap of the hart, or its return from one. */
  void forget_reservation() { reservations_.forget(hart_); }
  const Reservations& reservations() const { return reservations_; }

  // With an observer. Accesses are those of the instruction that at() names.
  void observe(AccessObserver* observer) { observer_ = observer; }
  void at(std::uint64_t pc) { pc_ = pc; }
  /** Whether each access to the page of an address goes through the bus. */
  bool observed(std::uint64_t address) const { return observer_ != nullptr && observer_->watches(address); }
  void fetched(std::uint64_t pc, std::uint64_t address, std::uint64_t size) {
    if (observer_ != nullptr) observer_->fetch({hart_, pc}, address, size);
  }
  void loaded(std::uint64_t address, unsigned size) {
    if (observer_ != nullptr) observer_->load({hart_, pc_}, address, size);
  }
  void stored(std::uint64_t address, unsigned size) {
    if (observer_ != nullptr) observer_->store({hart_, pc_}, address, size);
  }
  void managed(BlockAction action, std::uint64_t address) {
    if (observer_ != nullptr) observer_->manage({hart_, pc_}, action, address);
  }
  /** fence.i. Returns whether the hart must decode all instructions anew. */
  bool fenced_code() {
    if (observer_ == nullptr) return false;
    observer_->fence_code(hart_);
    return true;
  }

 private:
  struct Attached {
    std::uint64_t base;
    std::uint64_t size;
    Device* device;
  };
  Memory* find_memory(std::uint64_t address, std::uint64_t size);
  Attached* find_device(std::uint64_t address);

  unsigned hart_;
  Reservations& reservations_;
  std::uint64_t device_access_ = kNever;
  AccessObserver* observer_ = nullptr;
  std::uint64_t pc_ = 0;  ///< of the instruction that makes the accesses
  std::vector<Memory*> memories_;
  std::vector<Attached> devices_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_MEMORY_BUS_H
