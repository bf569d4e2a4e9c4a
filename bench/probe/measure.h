/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The measurement of both latencies by the platform's probes, measure.c.
 */
#ifndef MEASURE_H_
#define MEASURE_H_

#include <stdbool.h>
#include <stdint.h>

/** What a probe measures, and its number. */
enum probe {
	PROBE_T1, /**< from the timer's interrupt to the generator's: data are ready */
	PROBE_T2, /**< from the generator's interrupt until its handler has read the last word */
	PROBES
};

/** Words in a block of the random data generator: the SoC's parameter. */
#define BLOCK_WORDS 16U

/** Samples that the RAM of a probe holds. */
#define PROBE_DEPTH 512U

/** Counters of errors and of events beside the samples, since measure_setup(). */
struct measure_result {
	uint32_t words;       /**< words that the handler has read */
	uint32_t words_wrong; /**< words that are not the successor of the word before */
	uint32_t missed;      /**< interrupts that a probe missed, starts that the generator lost */
	uint32_t background_wrong; /**< wrong results of the background program */
	uint32_t accesses;         /**< accesses of the stress generator while samples were taken */
};

/**
 * Connects the handler, seeds the generators and turns the stress generator on; all counters begin at 0. To be called
 * again before another measurement that is to be the same as a first one.
 *
 * @param stress chance, in 1/256, that the stress generator begins an access in a cycle; 0 for none
 */
void measure_setup(uint32_t stress);

/**
 * Takes samples while the background program runs, then reads the RAM of both probes.
 *
 * @param count number of samples, 1 to PROBE_DEPTH
 * @param samples gets the samples of each probe, in cycles
 * @return whether both probes have that many samples
 */
bool measure(uint32_t count, uint16_t *const samples[PROBES]);

/** What was counted. */
struct measure_result measure_result(void);

#endif /* MEASURE_H_ */
