/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The published measurement: the timer's interrupt starts the random data generator, and the generator's interrupt says
 * that a block is ready. The handler reads the block. One probe measures the time until the block is ready (T1),
 * another one the time from there until its last word has been read (T2).
 */
#include <stddef.h>

#include <trapeze/marker.h>
#include <trapeze/probe.h>
#include <trapeze/random.h>
#include <trapeze/stress.h>
#include <trapeze/timers.h>

#include "../irq-latency/background.h"
#include "block.h"
#include "measure.h"

/* The result that the background program has to have. It reads mhartid, so on harts with another number than 0 the result
 * is not the one of background.h; BACKGROUND_RESULT is a variable that holds it there.
 */
#ifdef BACKGROUND_RESULT
extern uint32_t BACKGROUND_RESULT;
#else
#define BACKGROUND_RESULT BACKGROUND_CHECKSUM
#endif

/** Marker behind the load of a block's last word. */
#define MARKER_LAST_WORD 7

/*
 * Cycles from one start of the generator to the next. The handler draws them anew each time, so that interrupts come at
 * any point of the background program, which takes about 600 cycles a round. The smallest number leaves time for the
 * handler: a slower one, of a compiler that does not optimise, is given more.
 */
#ifndef PERIOD_LEAST
#define PERIOD_LEAST 640U
#endif
#define PERIOD_MASK 511U

#define RANDOM_SEED 0x2545f491U
#define STRESS_SEED 0x9e3779b9U

#define REG(address) (*(volatile uint32_t *)(address))

#define RANDOM_REG(name)   REG(PART(RANDOM) + TRAPEZE_RANDOM_##name##_OFFSET)
#define STRESS_REG(name)   REG(PART(STRESS) + TRAPEZE_STRESS_##name##_OFFSET)
#define TIMER_REG(name)    REG(PART(TIMER) + TRAPEZE_TIMERS_CHANNEL_##name##_OFFSET)
#define CONTROL_REG(probe) REG(registers_of[probe] + TRAPEZE_PROBE_CONTROL_OFFSET)

#define TIMER_STOPPED TRAPEZE_TIMERS_CHANNEL_CONTROL_PULSE_MASK
#define TIMER_RUNS    (TIMER_STOPPED | TRAPEZE_TIMERS_CHANNEL_CONTROL_ENABLE_MASK)

static const uintptr_t registers_of[PROBES] = {PART(REGS0), PART(REGS1)};
static const uintptr_t samples_of[PROBES] = {PART(SAMPLES0), PART(SAMPLES1)};

static struct measure_result result;
static volatile uint32_t left;
static uint32_t expected = RANDOM_SEED;

/** The word that follows @p word: xorshift32. */
static uint32_t successor(uint32_t word)
{
	word ^= word << 13;
	word ^= word >> 17;
	return word ^ (word << 5);
}

/** Reads the last word of a block. The marker retires right behind the load, in every build. */
static inline uint32_t read_last(void)
{
	uint32_t word;

	__asm__ volatile("lw %0, 0(%1)\n\tslti x0, x0, %2"
			 : "=r"(word)
			 : "r"(&RANDOM_REG(DATA)), "i"(MARKER_LAST_WORD)
			 : "memory");
	return word;
}

/** The handler: reads the block, which ends T2; then checks it and sets when the next one starts. */
__attribute__((aligned(4))) static void data_ready(void)
{
	static volatile uint32_t block[BLOCK_WORDS]; /* one load, one store, in this order */

#pragma GCC unroll 16
	for (unsigned int i = 0; i < BLOCK_WORDS - 1U; i++) {
		block[i] = RANDOM_REG(DATA);
	}
	block[BLOCK_WORDS - 1U] = read_last();

	for (unsigned int i = 0; i < BLOCK_WORDS; i++) {
		expected = successor(expected);
		result.words_wrong += block[i] == expected ? 0U : 1U;
	}
	result.words += BLOCK_WORDS;
	TIMER_REG(PERIOD) = PERIOD_LEAST + (block[BLOCK_WORDS - 1U] & PERIOD_MASK);
	if (left == 1U) {
		TIMER_REG(CONTROL) = TIMER_STOPPED;
	}
	left--;
}

#ifndef TRAPEZE_IRQ_FAST

static void data_ready_connected(void *arg)
{
	(void)arg;
#ifdef APPLICATION_HART
	uint32_t source = irq_plic_claim(PLIC_OWN_CONTEXT);

	if (source == TRAPEZE_APP_PROBE_PLIC_SOURCE) {
		data_ready();
	}
	irq_plic_complete(PLIC_OWN_CONTEXT, source);
#else
	data_ready();
#endif
}

#endif

void measure_setup(uint32_t stress)
{
#ifdef TRAPEZE_IRQ_FAST
	(void)irq_fast_connect(READY_IRQ, data_ready, true);
#else
	(void)irq_connect(READY_IRQ, data_ready_connected, NULL);
#endif
#ifdef APPLICATION_HART
	irq_plic_enable(PLIC_OWN_CONTEXT, TRAPEZE_APP_PROBE_PLIC_SOURCE);
#endif
	irq_enable(READY_IRQ);

	result = (struct measure_result){0};
	expected = RANDOM_SEED;
	RANDOM_REG(SEED) = RANDOM_SEED;
	RANDOM_REG(CONTROL) = TRAPEZE_RANDOM_CONTROL_ENABLE_MASK | TRAPEZE_RANDOM_CONTROL_ACK_MASK;
	STRESS_REG(RATE) = 0U; /* of the measurement before, if there was one */
	STRESS_REG(SEED) = STRESS_SEED;
	STRESS_REG(RATE) = stress;
	irq_unlock_all();
}

bool measure(uint32_t count, uint16_t *const samples[PROBES])
{
	uint32_t accesses = STRESS_REG(ACCESSES);
	bool complete = true;

	left = count;
	for (unsigned int probe = 0; probe < PROBES; probe++) {
		CONTROL_REG(probe) =
		    TRAPEZE_PROBE_CONTROL_WE_MASK | TRAPEZE_PROBE_CONTROL_CLEAR_MASK;
	}
	TIMER_REG(PERIOD) = PERIOD_LEAST;
	TIMER_REG(CONTROL) = TIMER_RUNS;
	while (left != 0U) {
		result.background_wrong += background() == BACKGROUND_RESULT ? 0U : 1U;
	}
	result.accesses += STRESS_REG(ACCESSES) - accesses;

	for (unsigned int probe = 0; probe < PROBES; probe++) {
		uint32_t control = CONTROL_REG(probe);

		complete = complete && (control & TRAPEZE_PROBE_CONTROL_OVERFLOW_MASK) == 0U &&
			   control >> TRAPEZE_PROBE_CONTROL_NUM_SHIFT == count;
		result.missed += (control & TRAPEZE_PROBE_CONTROL_MISSED_MASK) >>
				 TRAPEZE_PROBE_CONTROL_MISSED_SHIFT;
		for (uint32_t i = 0; i < count; i++) {
			samples[probe][i] = (uint16_t)REG(samples_of[probe] + 4U * i);
		}
	}
	/* Not 0 if the generator has lost a start, or if the block was too long and words are left. */
	result.missed += RANDOM_REG(STATUS) == 0U ? 0U : 1U;
	return complete;
}

struct measure_result measure_result(void)
{
	return result;
}
