/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Interrupts that a test counts, and mepc of the last one.
 */
#ifndef TRAPEZE_TAKEN_H_
#define TRAPEZE_TAKEN_H_

#include <trapeze/irq.h>
#include <trapeze/timer.h>

#include "test.h"

static volatile uint32_t taken;
static volatile uint32_t taken_mepc;

static inline void taken_note(void)
{
	taken++;
	taken_mepc = csr_read(CSR_MEPC);
}

/** Handler of the timer's interrupt. It ends the alarm. */
__attribute__((unused)) static void taken_timer(void *arg)
{
	(void)arg;
	taken_note();
	timer_cancel_alarm();
}

/**
 * Defines a function that executes @p enable, in assembly, with the further arguments as operands %1 and so on. It
 * returns the address behind @p enable, where a pending interrupt has to be taken.
 */
#define TAKEN_BEHIND(name, enable, ...)                                                            \
	__attribute__((noinline)) static uint32_t name(void)                                       \
	{                                                                                          \
		uint32_t next;                                                                     \
		__asm__ volatile("la %0, 1f\n\t"                                                   \
				 "csrw mepc, %0\n\t" enable "\n"                                   \
				 "1:\n\t"                                                          \
				 "li %0, 0\n\t"                                                    \
				 "nop\n\t"                                                         \
				 "la %0, 1b\n\t"                                                   \
				 : "=&r"(next)                                                     \
				 : __VA_ARGS__                                                     \
				 : "memory");                                                      \
		return next;                                                                       \
	}

/**
 * Defines a function that executes @p enable in the same way, then a wfi. It returns the address of the wfi. A pending
 * interrupt has to be taken before the wfi, which is executed after the handler.
 */
#define TAKEN_BEFORE_WFI(name, enable, ...)                                                        \
	__attribute__((noinline)) static uint32_t name(void)                                       \
	{                                                                                          \
		uint32_t wfi;                                                                      \
		__asm__ volatile("la %0, 1f\n\t"                                                   \
				 "csrw mepc, %0\n\t" enable "\n"                                   \
				 "1:\n\t"                                                          \
				 "wfi\n\t"                                                         \
				 "nop\n\t"                                                         \
				 "la %0, 1b\n\t"                                                   \
				 : "=&r"(wfi)                                                      \
				 : __VA_ARGS__                                                     \
				 : "memory", "ra");                                                \
		return wfi;                                                                        \
	}

#endif /* TRAPEZE_TAKEN_H_ */
