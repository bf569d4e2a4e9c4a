// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Who makes an access, and with which rights: what every access to the bus carries beside address and data, as the
 * hardware's requests do.
 */
#ifndef TRAPEZE_SIM_MODEL_MEMORY_ACCESS_H
#define TRAPEZE_SIM_MODEL_MEMORY_ACCESS_H

#include <cstdint>

namespace trapeze::model {

/** Privilege of an access, as encoded in mstatus.MPP. */
constexpr unsigned kUser = 0;
constexpr unsigned kSupervisor = 1;
constexpr unsigned kMachine = 3;

/** What a hart makes an access for. */
enum class AccessKind : std::uint8_t {
  kFetch,       ///< of an instruction
  kLoad,        ///< or an LR
  kStore,       ///< or an SC
  kAmo,         ///< reads and writes
  kTable,       ///< a CLIC's vector table, which the hardware fetches
  kFrameStore,  ///< fastirq: a frame of machine mode
  kFrameLoad,
  kUserFrameStore,  ///< ... and of user mode
  kUserFrameLoad,
  kTarget,  ///< senduipi: an entry of its table
  kPost     ///< a word of a thread's descriptor, which is read and written
};

/** The initiator of an access. */
struct Origin {
  unsigned hart = 0;              ///< its number on the platform
  unsigned privilege = kMachine;  ///< of the access, which is not always that of the program
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_MEMORY_ACCESS_H
