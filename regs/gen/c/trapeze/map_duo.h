/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Memory map `duo`: two harts.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_MAP_DUO_H_
#define TRAPEZE_MAP_DUO_H_

#include <trapeze/map_mcu.h>

/** Shared bank: first address. One memory that all harts share. */
#define TRAPEZE_SHMEM_BASE 0x80300000
/** Shared bank: size in bytes. */
#define TRAPEZE_SHMEM_SIZE 0x10000

#endif /* TRAPEZE_MAP_DUO_H_ */
