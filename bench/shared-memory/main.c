/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Hart 1: a service of rpmsg beside Linux that accesses the memory that both share. Linux says what it is to do:
 *
 * - SCENARIO_GO: COUNT accesses of each kind, one after the other; then it prints how many took how many cycles, in lines
 *   "KIND CYCLES NUMBER", and says that it is done. Cycles are those between two reads of mcycle, one before the access
 *   and one behind it, less those between two such reads with nothing in between.
 * - SAYS_HAMMER: loads from Linux' memory without end, as fast as the core can.
 */
#include <stdint.h>
#include <stdio.h>

#include <trapeze/irq.h>
#include <trapeze/map.h>
#include <trapeze/rpmsg.h>

#include "../probe-scenarios/scenario.h"
#include "says.h"

/* Any below 1024, from which on Linux gives out addresses itself: RPMSG_RESERVED_ADDRESSES of virtio_rpmsg_bus.c. */
#define OWN_ADDRESS 400U

enum {
	MOST = 1024, /* cycles of an access; longer ones count as this one */
	LINE = 64,
	WALKED =
	    16 * 1024 *
	    1024, /* bytes of Linux' memory that are loaded from, a word of each line in turn */
};

/** A word of the ring that is no part of what rpmsg has there: the first one of the jobs' channels, of which there are none. */
#define RING_WORD ((volatile uint32_t *)(uintptr_t)TRAPEZE_RING_BASE)

/* Data instead of a constant, so that the program is the same with any number. */
static const volatile uint32_t count = COUNT;

static volatile uint32_t linux_address;
static volatile char told;
static uint32_t taken[MOST + 1];

/* The two reads and what is between them are in one line of 16 bytes, so that no fetch comes in between. */
#define CYCLES_OF(access, at)                                                                      \
	({                                                                                         \
		uint32_t begin_, end_;                                                             \
		__asm__ volatile(".option push\n.option norvc\n.balign 16\n"                       \
				 "csrr %0, mcycle\n" access "\ncsrr %1, mcycle\n"                  \
				 ".option pop"                                                     \
				 : "=&r"(begin_), "=&r"(end_)                                      \
				 : "r"(at)                                                         \
				 : "t0", "memory");                                                \
		end_ - begin_;                                                                     \
	})

static void hears(uint32_t from, const void *data, uint32_t bytes)
{
	if (bytes == 1U) {
		linux_address = from;
		told = *(const volatile char *)data;
	}
}

static void note(uint32_t cycles)
{
	taken[cycles < MOST ? cycles : MOST]++;
}

static void print_and_forget(const char *kind)
{
	for (unsigned int cycles = 0; cycles <= MOST; cycles++) {
		if (taken[cycles] != 0U) {
			printf("%s %u %lu\n", kind, cycles, (unsigned long)taken[cycles]);
		}
		taken[cycles] = 0U;
	}
}

static void measure(void)
{
	const uint32_t wanted = count;
	/* Twice: the first time its instructions are not there yet. */
	uint32_t nothing = CYCLES_OF("", RING_WORD);

	for (int i = 0; i < 2; i++) {
		nothing = CYCLES_OF("", RING_WORD);
	}
	for (uint32_t i = 0; i < wanted; i++) {
		note(CYCLES_OF("lw t0, (%2)", TRAPEZE_DRAM_BASE + i * LINE % WALKED) - nothing);
	}
	print_and_forget("load-dram");
	for (uint32_t i = 0; i < wanted; i++) {
		note(CYCLES_OF("lw t0, (%2)", RING_WORD) - nothing);
	}
	print_and_forget("load-ring");
	for (uint32_t i = 0; i < wanted; i++) {
		note(CYCLES_OF("sw zero, (%2)", RING_WORD) - nothing);
	}
	print_and_forget("store-ring");
}

static void hammer(void)
{
	const uintptr_t at = TRAPEZE_DRAM_BASE;

	for (;;) {
		__asm__ volatile(".rept 64\nlw t0, (%0)\n.endr" : : "r"(at) : "t0", "memory");
	}
}

int main(void)
{
	const char done = SCENARIO_DONE;

	rpmsg_start("rpmsg-raw", OWN_ADDRESS, hears);
	irq_unlock_all();
	for (;;) {
		const unsigned int key = irq_lock();

		if (told == SCENARIO_GO) {
			measure();
			(void)rpmsg_send(linux_address, &done, sizeof(done));
		} else if (told == SAYS_HAMMER) {
			hammer();
		} else {
			irq_wait();
		}
		told = 0;
		irq_unlock(key);
	}
}
