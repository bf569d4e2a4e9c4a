/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The measurement of ../probe: alone, with BESIDE as a service of rpmsg beside Linux, or as a cell of the hypervisor beside
 * Linux. There it waits until Linux says that its load runs, and says when it is done. Ends with code 0 if every sample is there and all
 * results and random words were right.
 *
 * SAMPLES: number of samples, which the RAM of a probe holds.
 */
#include <stdio.h>
#include <stdlib.h>

#include <trapeze/irq.h>

#ifdef BESIDE
#include <trapeze/rpmsg.h>
#endif
#ifdef TRAPEZE_SUPERVISOR
#include <trapeze/cell.h>
#include <trapeze/map.h>
#endif

#include "../irq-latency/background.h"
#include "../probe/measure.h"
#include "../probe/report.h"
#include "scenario.h"

_Static_assert(SAMPLES >= 2U && SAMPLES <= PROBE_DEPTH, "SAMPLES must be 2 to 512");

/* Data instead of a constant, so that the program is the same with any number. */
static const volatile uint32_t sample_count = SAMPLES;

/** The result of the background program where no interrupt comes, which measure.c holds its results against. */
uint32_t undisturbed;

static const char *const names[PROBES] = {"t1", "t2"};

#ifdef BESIDE

/* Any below 1024, from which on Linux gives out addresses itself: RPMSG_RESERVED_ADDRESSES of virtio_rpmsg_bus.c. */
#define OWN_ADDRESS 400U

static volatile uint32_t linux_address;

static void told(uint32_t from, const void *data, uint32_t bytes)
{
	if (bytes == 1U && *(const volatile char *)data == SCENARIO_GO) {
		linux_address = from;
	}
}

/** Becomes a service of Linux, and waits until Linux' load runs. */
static void begin(void)
{
	rpmsg_start("rpmsg-raw", OWN_ADDRESS, told);
	irq_unlock_all();
	for (;;) {
		unsigned int key = irq_lock();

		if (linux_address != 0U) {
			irq_unlock(key);
			return;
		}
		irq_wait();
		irq_unlock(key);
	}
}

static void end(bool right)
{
	const char said = right ? SCENARIO_DONE : SCENARIO_FAILED;
	unsigned int key = irq_lock();

	(void)rpmsg_send(linux_address, &said, sizeof(said));
	irq_unlock(key);
	for (;;) {
		irq_wait();
	}
}

#elif defined(TRAPEZE_SUPERVISOR)

#define PAGE ((struct scenario_page *)(uintptr_t)(TRAPEZE_RING_BASE + TRAPEZE_CELL_PAGE))

/** Waits until Linux' load runs. */
static void begin(void)
{
	while (PAGE->from_linux != SCENARIO_GO) {
	}
}

static void end(bool right)
{
	PAGE->from_cell = right ? SCENARIO_DONE : SCENARIO_FAILED;
	exit(right ? 0 : 1);
}

#else

static void begin(void)
{
}

static void end(bool right)
{
	exit(right ? 0 : 1);
}

#endif

int main(void)
{
	uint32_t wanted = sample_count;
	uint16_t *samples[PROBES];

	for (unsigned int probe = 0; probe < PROBES; probe++) {
		samples[probe] = malloc(wanted * sizeof(*samples[probe]));
		if (samples[probe] == NULL) {
			printf("no memory for %lu samples\n", (unsigned long)wanted);
			return 2;
		}
	}

	irq_unlock_all(); /* the program looks whether they are; none is enabled yet */
	undisturbed = background();
	begin();
	measure_setup(0);
	bool complete = measure(wanted, samples);
	struct measure_result result = measure_result();

	for (unsigned int probe = 0; probe < PROBES; probe++) {
		report_samples(names[probe], samples[probe], wanted);
	}
	report_heading();
	for (unsigned int probe = 0; probe < PROBES; probe++) {
		report_statistics(names[probe], samples[probe], wanted);
	}
	printf("words %lu wrong %lu missed %lu background-wrong %lu\n", (unsigned long)result.words,
	       (unsigned long)result.words_wrong, (unsigned long)result.missed,
	       (unsigned long)result.background_wrong);
	end(complete && result.words_wrong == 0U && result.missed == 0U &&
	    result.background_wrong == 0U);
	return 1;
}
