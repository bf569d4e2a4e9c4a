/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief For the tests of user interrupts from hart to hart: use of hart 1, and user mode with access to all memory.
 */
#ifndef UINTR_TEST_H_
#define UINTR_TEST_H_

#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/uintr.h>

#include "pmp_test.h"

#define LEVEL 0x80U

/** A pseudo-random number (xorshift32). */
__attribute__((unused)) static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/** Makes @p thread the thread of this hart, with a handler in user mode. */
__attribute__((unused)) static void uintr_become(struct uintr_thread *thread,
						 uintr_handler_t handler)
{
	test_begin();
	(void)irq_lock();
	open_all(true);
	uintr_begin(handler, LEVEL);
	uintr_switch_in(thread);
}

#endif /* UINTR_TEST_H_ */
