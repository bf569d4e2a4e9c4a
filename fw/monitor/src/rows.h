/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Monitor, all schemes but `emulate`: the rows of memory protection for the program.
 *
 * The tight layout gives each part of memory only the accesses that it needs, and closes everything outside of the
 * banks and the devices. The paper's layout (`cc --monitor-rows paper`) closes only what belongs to the monitor.
 */
#ifndef MONITOR_ROWS_H_
#define MONITOR_ROWS_H_

#include <stdbool.h>
#include <stdint.h>

/**
 * The windows of the interrupt controller that the program may access, and that the paper's layout closes. The size of
 * each is a power of two that divides the address.
 */
struct rows_controller {
	uint32_t open_base;
	uint32_t open_size;
	uint32_t closed_base; /**< machine mode's view, if user mode has a view of its own */
	uint32_t closed_size; /**< 0: nothing is closed */
	uint8_t watchdog;     /**< clicintattr of the watchdog's source: SHV if it is vectored */
};

/** Defined by the scheme; monitor_protect() reads it. */
extern const struct rows_controller monitor_controller;

/** Writes all rows. With @p watchdog also those that close the watchdog's devices and the registers of its source. */
void monitor_protect(bool watchdog);

#endif /* MONITOR_ROWS_H_ */
