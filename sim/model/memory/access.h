// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Initiator and privilege of an access: every access to the bus carries them beside address and data, as requests of
 * the hardware do.
 */
#ifndef TRAPEZE_SIM_MODEL_MEMORY_ACCESS_H
#define TRAPEZE_SIM_MODEL_MEMORY_ACCESS_H

#include <cstdint>

namespace trapeze::model {

/** Privilege of an access, as encoded in mstatus.MPP. */
constexpr unsigned kUser = 0;
constexpr unsigned kSupervisor = 1;
constexpr unsigned kMachine = 3;

/** The purpose of an access of a hart. */
enum class AccessKind : std::uint8_t {
  kFetch,       ///< fetch of an instruction
  kLoad,        ///< load or LR
  kStore,       ///< store or SC
  kAmo,         ///< AMO: reads and writes
  kTable,       ///< fetch of an entry of a CLIC's vector table
  kFrameStore,  ///< fastirq: store of a word of a frame of machine mode
  kFrameLoad,
  kUserFrameStore,  ///< fastirq: store of a word of a frame of user mode
  kUserFrameLoad,
  kTarget,  ///< senduipi: load of an entry of its table
  kPost     ///< post or notification: reads and writes a word of a thread's descriptor
};

/** The initiator of an access. */
struct Origin {
  unsigned hart = 0;              ///< its number on the platform
  unsigned privilege = kMachine;  ///< privilege of the access; may differ from that of the program (MPRV)
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_MEMORY_ACCESS_H
