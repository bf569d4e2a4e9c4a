/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief FreeRTOS port with protected tasks: the rows of memory protection of a task, one region after the other.
 *
 * What to write, with a struct port_rows that begins as zeros:
 * @code
 *         unsigned int row = 0U;
 *
 *         row = port_rows_add(&rows, row, TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, PMP_READ | PMP_EXECUTE);
 *         row = port_rows_add(&rows, row, (uintptr_t)data, sizeof(data), PMP_READ | PMP_WRITE);
 * @endcode
 *
 * Source: RISC-V Privileged Architecture, 3.7.
 */
#ifndef PORT_ROWS_H_
#define PORT_ROWS_H_

#include <stdint.h>

#include <trapeze/pmp.h>

#include "port_context.h"

/** Modes of a row, beside PMP_READ and its kind. */
#define PORT_ROW_TOR   PMPCFG_A_TOR
#define PORT_ROW_NAPOT PMPCFG_A_NAPOT

/** Lower bits of an address, which a row does not hold. */
#define PORT_ROW_SHIFT 2

/** Writes one row. @p config has a mode and the allowed accesses. */
static inline void port_row_set(struct port_rows *rows, unsigned int row, uint64_t address,
				unsigned int config)
{
	rows->address[row] = (csr_value_t)(address >> PORT_ROW_SHIFT);
	rows->config[row / TRAPEZE_REG] |= (csr_value_t)config << (row % TRAPEZE_REG * 8U);
}

/**
 * Opens a region by two rows: where it begins, which is off, and where it ends.
 *
 * @param rows of a task
 * @param row first of the two; there are PORT_PMP_ROWS, which the caller counts
 * @param address first byte, a multiple of 4
 * @param bytes a multiple of 4
 * @param may PMP_READ and its kind
 * @return the row behind
 */
static inline unsigned int port_rows_add(struct port_rows *rows, unsigned int row, uint64_t address,
					 uint64_t bytes, unsigned int may)
{
	port_row_set(rows, row, address, 0U);
	port_row_set(rows, row + 1U, address + bytes, PORT_ROW_TOR | may);
	return row + 2U;
}

#endif /* PORT_ROWS_H_ */
