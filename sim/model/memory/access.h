// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Who makes an access, and with which rights: what every access to the bus carries beside address and data, as the
 * hardware's requests do.
 */
#ifndef TRAPEZE_SIM_MODEL_MEMORY_ACCESS_H
#define TRAPEZE_SIM_MODEL_MEMORY_ACCESS_H

namespace trapeze::model {

/** Privilege of an access, as encoded in mstatus.MPP. */
constexpr unsigned kUser = 0;
constexpr unsigned kMachine = 3;

/** The initiator of an access. */
struct Origin {
  unsigned hart = 0;              ///< its number on the platform
  unsigned privilege = kMachine;  ///< of the access, which is not always that of the program
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_MEMORY_ACCESS_H
