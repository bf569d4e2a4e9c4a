/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Monitor, all schemes but `emulate`: the rows of memory protection for the program.
 *
 * The tight layout gives each part of memory what it needs and nothing beyond the banks and the devices. The paper's
 * (`cc --monitor-rows paper`) closes what is the monitor's and leaves everything else open.
 */
#ifndef MONITOR_ROWS_H_
#define MONITOR_ROWS_H_

#include <stdbool.h>
#include <stdint.h>

/**
 * The interrupt controller as the program may reach it, and what of it stays the monitor's in the paper's layout.
 * Both are regions whose size is a power of two that divides the address.
 */
struct rows_controller {
	uint32_t open_base;
	uint32_t open_size;
	uint32_t closed_base; /**< machine mode's view, where user mode has one of its own */
	uint32_t closed_size; /**< 0: none */
	uint8_t watchdog;     /**< clicintattr of the watchdog's source: whether it is vectored */
};

/** Of the scheme: monitor_protect() reads it. */
extern const struct rows_controller monitor_controller;

/** Writes all rows; with @p watchdog its devices and its source in the interrupt controller are closed. */
void monitor_protect(bool watchdog);

#endif /* MONITOR_ROWS_H_ */
