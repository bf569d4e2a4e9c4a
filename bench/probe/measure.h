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
	PROBE_T1, /**< from the timer's interrupt to that of the generator: data are ready */
	PROBE_T2, /**< from there until its handler has read the last word */
	PROBES
};

/** Words in a block of the random data generator: the SoC's parameter. */
#define BLOCK_WORDS 16U

/** Samples that the RAM of a probe holds. */
#define PROBE_DEPTH 512U

/** What went wrong or was counted beside the samples, since measure_setup(). */
struct measure_result {
	uint32_t words;       /**< read by the handler */
	uint32_t words_wrong; /**< of these, not the successor of the one before */
	uint32_t missed;      /**< interrupts that a probe missed, starts that the generator lost */
	uint32_t background_wrong; /**< results of the background program that were not right */
	uint32_t accesses;         /**< of the stress generator while samples were taken */
};

/**
 * Connects the handler, seeds the generators and turns the stress generator on.
 *
 * @param stress chance, in 1/256, that it begins an access in a cycle; 0 for none
 */
void measure_setup(uint32_t stress);

/**
 * Takes samples while the background program runs, then reads the RAM of both probes.
 *
 * @param count how many, 1 to PROBE_DEPTH
 * @param samples where those of each probe go, in cycles
 * @return whether both probes have as many
 */
bool measure(uint32_t count, uint16_t *const samples[PROBES]);

/** What was counted. */
struct measure_result measure_result(void);

#endif /* MEASURE_H_ */
