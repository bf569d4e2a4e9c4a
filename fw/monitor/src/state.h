/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Monitor, schemes `paper` and `soft`: their state, for C and assembly: at mscratch while the program runs.
 */
#ifndef MONITOR_STATE_H_
#define MONITOR_STATE_H_

#include <trapeze/csr.h>

/* struct monitor_state, for assembly. */
#define STATE_T0      0
#define STATE_T1      4
#define STATE_T2      8
#define STATE_A0      12
#define STATE_ENABLED 16
#define STATE_MASKED  20
#define STATE_NEXT    32

#ifndef __ASSEMBLER__

#include <stdint.h>

/**
 * The list of masked sources holds each at most once, however often the program has it fire, so it
 * cannot overflow. It ends with the address of the state itself.
 */
struct monitor_state {
	uint32_t saved[4]; /**< the program's t0, t1, t2, a0 */
	uint32_t
	    enabled; /**< whether the program has interrupts enabled; `soft` reads that in the page */
	uint32_t masked; /**< the list's first member: the address of its place in `next` */
	uint32_t unused[2];
	/** By source: the member behind it; 0 where it is not in the list. */
	uint32_t next[IRQ_COUNT];
};

#endif /* __ASSEMBLER__ */

#endif /* MONITOR_STATE_H_ */
