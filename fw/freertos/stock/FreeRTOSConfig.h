/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Settings that the kernel's own RISC-V port wants besides those of all ports.
 */
#ifndef TRAPEZE_FREERTOS_STOCK_CONFIG_H_
#define TRAPEZE_FREERTOS_STOCK_CONFIG_H_

#include <trapeze/clint.h>
#include <trapeze/map.h>

#define configMTIME_BASE_ADDRESS    (TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIME_LO_OFFSET)
#define configMTIMECMP_BASE_ADDRESS (TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIMECMP_LO_OFFSET)
#define configISR_STACK_SIZE_WORDS  256

#include_next <FreeRTOSConfig.h>

#endif /* TRAPEZE_FREERTOS_STOCK_CONFIG_H_ */
