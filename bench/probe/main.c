/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The latencies T1 and T2 of the latency probe's paper, measured by the probes, read from them and printed. Ends with
 * code 0 if every sample is there and all results and random words were right.
 *
 * SAMPLES: number of samples, taken in rounds as large as the probes' RAMs. STRESS: chance, in 1/256, that the stress
 * generator begins an access in a cycle; 0 for none.
 *
 * With ON_REQUEST, for a board: measures what `trapeze probe PORT` asks for, as often as it asks, and never ends. CLOCK_HZ
 * is the board's clock, which goes with the samples; 0 if it is not known.
 */
#include <stdio.h>
#include <stdlib.h>

#include <trapeze/probe_report.h>

#include "measure.h"
#include "report.h"

#ifndef SAMPLES
#define SAMPLES 400U
#endif
#ifndef STRESS
#define STRESS 0U
#endif
#ifndef ON_REQUEST
#define ON_REQUEST 0
#endif
#ifndef CLOCK_HZ
#define CLOCK_HZ 0U
#endif

#define MOST_SAMPLES 40000U

/** The paper's number of samples. */
#define ROUND 400U

_Static_assert(SAMPLES >= 2U && SAMPLES <= MOST_SAMPLES, "SAMPLES must be 2 to 40000");
_Static_assert(STRESS <= 255U, "STRESS must be 0 to 255");
_Static_assert(ROUND <= PROBE_DEPTH, "a round must fit into the probes' RAMs");

/* These are data instead of constants in the code, and the samples are on the heap. So the program is the same with any
 * setting, and so is the latency of its instructions.
 */
static const volatile uint32_t sample_count = SAMPLES;
static const volatile uint32_t stress_rate = STRESS;
static const volatile bool on_request = ON_REQUEST;
static const volatile uint32_t clock_hz = CLOCK_HZ;

static const char *const names[PROBES] = {"t1", "t2"};

static uint16_t *samples[PROBES];

/** Gets memory for so many samples of each probe, in the place of what there was; false if there is none. */
static bool make_room(uint32_t wanted)
{
	bool found = true;

	for (unsigned int probe = 0; probe < PROBES; probe++) {
		free(samples[probe]);
	}
	for (unsigned int probe = 0; probe < PROBES; probe++) {
		samples[probe] = malloc(wanted * sizeof(*samples[probe]));
		found = found && samples[probe] != NULL;
	}
	return found;
}

/** Takes all samples; returns whether every one is there and all results and random words were right. */
__attribute__((noinline)) static bool take(uint32_t wanted, uint32_t stress)
{
	bool complete = true;

	measure_setup(stress);
	for (uint32_t first = 0; first < wanted; first += ROUND) {
		uint32_t count = wanted - first < ROUND ? wanted - first : ROUND;
		uint16_t *const places[PROBES] = {samples[PROBE_T1] + first,
						  samples[PROBE_T2] + first};

		complete = measure(count, places) && complete;
	}

	struct measure_result result = measure_result();

	return complete && result.words_wrong == 0U && result.missed == 0U &&
	       result.background_wrong == 0U;
}

/** Serves `trapeze probe PORT`. */
static void serve(void)
{
	struct probe_report_request wanted = {0};
	bool right = false;

	probe_report_ready();
	for (;;) {
		bool fresh = probe_report_wait(&wanted);

		if (wanted.samples < 2U || wanted.samples > MOST_SAMPLES || wanted.stress > 255U) {
			probe_report_refuse("range");
			continue;
		}
		if (fresh && !make_room(wanted.samples)) {
			probe_report_refuse("memory");
			wanted.number = 0;
			continue;
		}
		probe_report_begin(&wanted, clock_hz);
		if (fresh) {
			right = take(wanted.samples, wanted.stress);
		}

		struct measure_result result = measure_result();

		for (unsigned int probe = 0; probe < PROBES; probe++) {
			probe_report_samples(names[probe], samples[probe], wanted.samples);
		}
		probe_report_count("words", result.words);
		probe_report_count("wrong", result.words_wrong);
		probe_report_count("missed", result.missed);
		probe_report_count("background-wrong", result.background_wrong);
		probe_report_count("accesses", result.accesses);
		probe_report_end(right);
	}
}

int main(void)
{
	uint32_t wanted = sample_count;
	uint32_t stress = stress_rate;

	if (on_request) {
		serve();
	}
	if (!make_room(wanted)) {
		printf("no memory for %lu samples\n", (unsigned long)wanted);
		return 2;
	}

	bool right = take(wanted, stress);
	struct measure_result result = measure_result();

	for (unsigned int probe = 0; probe < PROBES; probe++) {
		report_samples(names[probe], samples[probe], wanted);
	}
	report_heading();
	for (unsigned int probe = 0; probe < PROBES; probe++) {
		report_statistics(names[probe], samples[probe], wanted);
	}
	printf("words %lu wrong %lu missed %lu background-wrong %lu stress %lu accesses %lu\n",
	       (unsigned long)result.words, (unsigned long)result.words_wrong,
	       (unsigned long)result.missed, (unsigned long)result.background_wrong,
	       (unsigned long)stress, (unsigned long)result.accesses);
	return right ? 0 : 1;
}
