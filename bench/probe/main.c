/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The latencies T1 and T2 of the latency probe's paper, measured by the probes, read from them and printed. Ends with
 * code 0 if every sample is there and all results and random words were right.
 *
 * SAMPLES: number of samples, taken in rounds as large as the probes' RAMs. STRESS: chance, in 1/256, that the stress
 * generator begins an access in a cycle; 0 for none.
 */
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "report.h"

#ifndef SAMPLES
#define SAMPLES 400U
#endif
#ifndef STRESS
#define STRESS 0U
#endif

/** The paper's number of samples. */
#define ROUND 400U

_Static_assert(SAMPLES >= 2U && SAMPLES <= 40000U, "SAMPLES must be 2 to 40000");
_Static_assert(STRESS <= 255U, "STRESS must be 0 to 255");
_Static_assert(ROUND <= PROBE_DEPTH, "a round must fit into the probes' RAMs");

/* These are data instead of constants in the code, and the samples are on the heap. So the program is the same with any
 * setting, and so is the latency of its instructions.
 */
static const volatile uint32_t sample_count = SAMPLES;
static const volatile uint32_t stress_rate = STRESS;

static const char *const names[PROBES] = {"t1", "t2"};

int main(void)
{
	uint32_t wanted = sample_count;
	uint32_t stress = stress_rate;
	uint16_t *samples[PROBES];
	bool complete = true;

	for (unsigned int probe = 0; probe < PROBES; probe++) {
		samples[probe] = malloc(wanted * sizeof(*samples[probe]));
		if (samples[probe] == NULL) {
			printf("no memory for %lu samples\n", (unsigned long)wanted);
			return 2;
		}
	}

	measure_setup(stress);
	for (uint32_t first = 0; first < wanted; first += ROUND) {
		uint32_t count = wanted - first < ROUND ? wanted - first : ROUND;
		uint16_t *const places[PROBES] = {samples[PROBE_T1] + first,
						  samples[PROBE_T2] + first};

		complete = measure(count, places) && complete;
	}

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
	return complete && result.words_wrong == 0U && result.missed == 0U &&
		       result.background_wrong == 0U
		   ? 0
		   : 1;
}
