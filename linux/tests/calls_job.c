/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/** @file @brief The job of calls.c: does what the first word of its input asks for. */
#include <stdint.h>

#include "calls.h"

static int64_t counter = 40; /* a job may have variables; each load of its code begins with them as they were */
static int64_t zeroed[100];

int64_t main(const uint64_t *in, uint64_t *out);

int64_t main(const uint64_t *in, uint64_t *out)
{
	switch (in[0]) {
	case ASK_SUM:
		out[0] = 0;
		for (uint64_t i = 2; i < 2 + in[1]; i++) {
			out[0] += in[i];
		}
		return (int64_t)out[0];
	case ASK_VARIABLES:
		counter += 2;
		return counter + zeroed[99];
	case ASK_STORE:
		*(volatile uint64_t *)(uintptr_t)in[1] = 1; /* faults if memory protection works */
		return 0;
	case ASK_LOAD:
		return (int64_t)*(volatile uint64_t *)(uintptr_t)in[1];
	case ASK_STORE_INPUT:
		*(volatile uint64_t *)in = 1;
		return 0;
	case ASK_JUMP:
		((void (*)(void))(uintptr_t)in[1])();
		return 0;
	case ASK_MACHINE:
		__asm__ volatile("csrw mepc, zero");
		return 0;
	case ASK_STACK: {
		volatile char deep[32 * 1024];

		deep[0] = 1;
		return deep[0];
	}
	case ASK_SPIN:
		*(volatile uint64_t *)out = in[1];
		for (;;) {
			__asm__ volatile("");
		}
	case ASK_TRIPLE: {
		uint64_t sum = 0;

		for (uint64_t i = 0; i < in[1]; i++) {
			out[i] = 3 * in[2 + i];
			sum += out[i];
		}
		return (int64_t)sum;
	}
	case ASK_LATER:
		for (uint64_t i = 0; i < in[1]; i++) {
			__asm__ volatile("");
		}
		return (int64_t)in[2];
	default:
		return -1;
	}
}
