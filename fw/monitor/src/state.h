/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Monitor, schemes `paper` and `soft`: their state, for C and assembly. mscratch holds its address while the
 * program runs.
 */
#ifndef MONITOR_STATE_H_
#define MONITOR_STATE_H_

#include <trapeze/csr.h>

/* Offsets in struct monitor_state, for assembly. */
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
 * The list of masked sources contains each source at most once, however often the program raises it, so it cannot
 * overflow. The last element holds the address of the state itself.
 */
struct monitor_state {
	uint32_t saved[4]; /**< the program's t0, t1, t2, a0 */
	uint32_t
	    enabled; /**< whether the program has interrupts enabled; `soft` reads that in the page */
	uint32_t masked; /**< first element of the list: address of its word in `next` */
	uint32_t unused[2];
	/** For each source, the next element of the list; 0 if the source is not in the list. */
	uint32_t next[IRQ_COUNT];
};

#endif /* __ASSEMBLER__ */

#endif /* MONITOR_STATE_H_ */
