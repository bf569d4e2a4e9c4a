/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "trapeze_calls.h"

enum {
	PAGE_BYTES = 4096,
	/* How often the program looks at an answer before it looks whether the server is still there. */
	LOOKS = 64,
};

int trapeze_calls_open(struct trapeze_calls *calls, int device)
{
	void *const channel = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, device, TRAPEZE_MAP_CHANNEL);
	void *const bell = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, device, TRAPEZE_MAP_BELL);

	if (channel == MAP_FAILED || bell == MAP_FAILED) {
		const int error = errno;

		if (channel != MAP_FAILED) {
			munmap(channel, PAGE_BYTES);
		}
		if (bell != MAP_FAILED) {
			munmap(bell, PAGE_BYTES);
		}
		errno = error;
		return -1;
	}
	*calls = (struct trapeze_calls){.device = device, .channel = channel, .bell = bell, .next = 1, .ended = 1};
	return 0;
}

void trapeze_calls_close(struct trapeze_calls *calls)
{
	munmap(calls->channel, PAGE_BYTES);
	munmap((void *)calls->bell, PAGE_BYTES);
	calls->channel = NULL;
	calls->bell = NULL;
}

int trapeze_prepare(struct trapeze_prepared *prepared, struct trapeze_calls *calls, const struct trapeze_job *job,
		    uint32_t limit_ms)
{
	struct trapeze_preparation asked = {.count = job->count, .limit_ms = limit_ms};

	memcpy(asked.regions, job->regions, sizeof(asked.regions));
	/* The server reads it if it has no job for the channel yet. */
	*(volatile uint32_t *)&calls->channel->first = calls->next;
	if (ioctl(calls->device, TRAPEZE_CALL_PREPARE, &asked) != 0) {
		return -1;
	}
	*prepared = (struct trapeze_prepared){.calls = calls, .handle = asked.handle};
	memcpy(prepared->regions, job->regions, sizeof(prepared->regions));
	return 0;
}

int trapeze_prepared_drop(struct trapeze_prepared *prepared)
{
	return ioctl(prepared->calls->device, TRAPEZE_CALL_DROP, &prepared->handle);
}

/* ---------------------------------------------------------------- caches */

/* The instructions by their encoding, for compilers without Zicbom: MISC-MEM, funct3 2, rd 0. Source: RISC-V Base Cache
 * Management Operation ISA Extensions 1.0.1. Four lines a round, so that the loop costs little. */
#define CACHE_LINES(operation, begin, end)                                                                            \
	do {                                                                                                          \
		uintptr_t at_ = (begin);                                                                              \
		const uintptr_t end_ = (end);                                                                         \
		for (; end_ - at_ >= 4 * TRAPEZE_RING_LINE; at_ += 4 * TRAPEZE_RING_LINE) {                            \
			CACHE_LINE(operation, at_);                                                                   \
			CACHE_LINE(operation, at_ + TRAPEZE_RING_LINE);                                               \
			CACHE_LINE(operation, at_ + 2 * TRAPEZE_RING_LINE);                                           \
			CACHE_LINE(operation, at_ + 3 * TRAPEZE_RING_LINE);                                           \
		}                                                                                                     \
		for (; at_ < end_; at_ += TRAPEZE_RING_LINE) {                                                         \
			CACHE_LINE(operation, at_);                                                                   \
		}                                                                                                     \
	} while (0)
#define CACHE_LINE(operation, address)                                                                                \
	__asm__ volatile(".insn i 0x0f, 2, x0, %0, " operation : : "r"(address) : "memory")

/** The lines of a part of a region. */
static struct trapeze_part lines_of(const struct trapeze_prepared *prepared, unsigned int region,
				    const struct trapeze_part *part)
{
	const size_t bytes = prepared->regions[region].bytes;
	const size_t end = part->end < bytes ? part->end : bytes;

	return (struct trapeze_part){part->begin / TRAPEZE_RING_LINE, (end + TRAPEZE_RING_LINE - 1) / TRAPEZE_RING_LINE};
}

/** Adds a range to a call. Return: whether there was room. */
static bool add_range(struct trapeze_call *call, uint16_t *count, unsigned int region, uint8_t what,
		      struct trapeze_part lines)
{
	if (*count == TRAPEZE_CALL_RANGES || lines.begin > UINT16_MAX || lines.end - 1 > UINT16_MAX) {
		return false;
	}
	const struct trapeze_call_range range = {.region = (uint8_t)region,
						 .what = what,
						 .first = (uint16_t)lines.begin,
						 .last = (uint16_t)(lines.end - 1)};

	*(volatile uint64_t *)&call->ranges[(*count)++].all = range.all;
	return true;
}

/** Hands the program's parts to the job. @return Number of ranges; -1: too many. Not inline, as others below: calls without parts are not to save registers for
 * it. */
static __attribute__((noinline)) int hand_over(struct trapeze_prepared *prepared, struct trapeze_call *call)
{
	uint16_t count = 0;

	uint32_t left = prepared->ranged >> 1;

	for (unsigned int i = 1; left != 0; i++, left >>= 1) {
		const uintptr_t base = prepared->regions[i].address;
		const struct trapeze_part fresh = lines_of(prepared, i, &prepared->fresh[i]);
		const struct trapeze_part wanted = lines_of(prepared, i, &prepared->wanted[i]);

		if (fresh.begin < fresh.end) {
			if (!add_range(call, &count, i, TRAPEZE_RANGE_FRESH, fresh)) {
				errno = E2BIG;
				return -1;
			}
			CACHE_LINES("1", base + fresh.begin * TRAPEZE_RING_LINE,
				    base + fresh.end * TRAPEZE_RING_LINE); /* cbo.clean */
		}
		if (wanted.begin < wanted.end && !add_range(call, &count, i, TRAPEZE_RANGE_WANTED, wanted)) {
			errno = E2BIG;
			return -1;
		}
	}
	return count;
}

/** Drops what this hart's cache holds of what the job writes, while it runs: the program does not touch it until the call has
 * ended, and this hart's cache takes in nothing that no instruction asks for. These lines are clean, since what the program
 * has written has been handed over. */
static __attribute__((noinline)) void drop_wanted(struct trapeze_prepared *prepared)
{
	uint32_t left = prepared->ranged >> 1;

	for (unsigned int i = 1; left != 0; i++, left >>= 1) {
		const uintptr_t base = prepared->regions[i].address;
		const struct trapeze_part wanted = lines_of(prepared, i, &prepared->wanted[i]);

		CACHE_LINES("0", base + wanted.begin * TRAPEZE_RING_LINE,
			    base + wanted.end * TRAPEZE_RING_LINE); /* cbo.inval */
		prepared->fresh[i] = prepared->wanted[i] = (struct trapeze_part){0, 0};
	}
	prepared->ranged = 0;
}

/* ---------------------------------------------------------------- calls */

static bool has_ended(const struct trapeze_calls *calls, uint32_t number)
{
	const struct trapeze_answer *const answer = &calls->channel->answers[number % TRAPEZE_CHANNEL_CALLS];

	return (int32_t)(__atomic_load_n(&answer->number, __ATOMIC_RELAXED) - number) >= 0;
}

/** Looks for places whose calls have ended. @return Whether the next call has one. */
static __attribute__((noinline)) bool find_place(struct trapeze_calls *calls)
{
	while (calls->ended != calls->next && has_ended(calls, calls->ended)) {
		calls->ended++;
	}
	if (calls->next - calls->ended < TRAPEZE_CHANNEL_CALLS) {
		return true;
	}
	errno = EBUSY;
	return false;
}

/** Writes a call and rings. */
static inline uint32_t put(struct trapeze_prepared *prepared, uint64_t a, uint64_t b, uint64_t c, uint64_t count)
{
	struct trapeze_calls *const calls = prepared->calls;
	const uint32_t number = calls->next;
	struct trapeze_call *const call = &calls->channel->calls[number % TRAPEZE_CHANNEL_CALLS];

	/* What no call has had yet is 0 everywhere; a store to the channel takes time. */
	if ((a | b | c) != 0 || calls->arguments != 0) {
		if ((b | c) != 0 || calls->arguments > 1) {
			calls->arguments = TRAPEZE_CALL_ARGUMENTS;
			call->arguments[1] = b;
			call->arguments[2] = c;
		} else {
			calls->arguments = 1;
		}
		call->arguments[0] = a;
	}
	__asm__ volatile("fence rw, w" : : : "memory");
	*(volatile uint64_t *)&call->head = number | (uint64_t)prepared->handle << 32 | count << 48;
	__asm__ volatile("fence w, o" : : : "memory");
	*calls->bell = 1;
	calls->next = number + 1;
	return number;
}

static bool is_full(const struct trapeze_calls *calls)
{
	return calls->next - calls->ended >= TRAPEZE_CHANNEL_CALLS;
}

/** A call with parts to hand over, or perhaps without a place. */
static __attribute__((noinline)) int begin_slowly(struct trapeze_prepared *prepared, uint64_t a, uint64_t b, uint64_t c,
						  uint32_t *number)
{
	struct trapeze_calls *const calls = prepared->calls;
	int count;

	if (is_full(calls) && !find_place(calls)) {
		return -1;
	}
	count = hand_over(prepared, &calls->channel->calls[calls->next % TRAPEZE_CHANNEL_CALLS]);
	if (count < 0) {
		return -1;
	}
	*number = put(prepared, a, b, c, (uint64_t)count);
	drop_wanted(prepared);
	return 0;
}

int trapeze_call_begin(struct trapeze_prepared *prepared, uint64_t a, uint64_t b, uint64_t c, uint32_t *number)
{
	if (prepared->ranged != 0 || is_full(prepared->calls)) {
		return begin_slowly(prepared, a, b, c, number);
	}
	*number = put(prepared, a, b, c, 0);
	return 0;
}

/** What a look at an answer sees: its number, and its status above. */
static uint64_t look(const struct trapeze_calls *calls, uint32_t number)
{
	return *(const volatile uint64_t *)&calls->channel->answers[number % TRAPEZE_CHANNEL_CALLS].head;
}

static bool is_over(uint64_t seen, uint32_t number)
{
	return (int32_t)((uint32_t)seen - number) >= 0;
}

static int fail(int error)
{
	errno = error;
	return -1;
}

/** Waits for the end of a call that has not come in the first `LOOKS` looks. @return 0, or -1. */
static __attribute__((noinline)) int wait_longer(const struct trapeze_calls *calls, uint32_t number, uint32_t spins,
						 uint32_t timeout_ms)
{
	const struct trapeze_call_wait wait = {.number = number, .timeout_ms = timeout_ms};

	for (uint32_t looks = LOOKS; !is_over(look(calls, number), number); looks++) {
		if (looks % LOOKS == 0 && *(volatile uint32_t *)&calls->channel->lost != 0) {
			return fail(EIO);
		}
		if (spins != TRAPEZE_SPIN && looks >= spins &&
		    ioctl(calls->device, TRAPEZE_CALL_WAIT, &wait) != 0) {
			return -1;
		}
	}
	return 0;
}

int trapeze_call_end(struct trapeze_prepared *prepared, uint32_t number, uint32_t spins, uint32_t timeout_ms,
		     struct trapeze_answer *answer)
{
	struct trapeze_calls *const calls = prepared->calls;
	const volatile struct trapeze_answer *const from = &calls->channel->answers[number % TRAPEZE_CHANNEL_CALLS];
	uint64_t seen = look(calls, number);

	for (uint32_t looks = spins < LOOKS ? spins : LOOKS; looks != 0 && !is_over(seen, number); looks--) {
		seen = look(calls, number);
	}
	if (!is_over(seen, number)) {
		if (wait_longer(calls, number, spins, timeout_ms) != 0) {
			return -1;
		}
		seen = look(calls, number);
	}
	__asm__ volatile("fence r, rw" : : : "memory");
	if (number == calls->ended) {
		calls->ended++; /* or the places of many calls would be looked at later */
	}
	answer->number = number;
	answer->status = (uint32_t)(seen >> 32);
	answer->result = from->result;
	if (answer->status != TRAPEZE_JOB_DONE) {
		answer->address = from->address;
		answer->pc = from->pc;
		answer->cause = from->cause;
		answer->place = from->place;
	}
	return 0;
}

int trapeze_call(struct trapeze_prepared *prepared, uint64_t a, uint64_t b, uint64_t c, struct trapeze_answer *answer)
{
	uint32_t number;

	return trapeze_call_begin(prepared, a, b, c, &number) != 0
		   ? -1
		   : trapeze_call_end(prepared, number, TRAPEZE_SPIN, 0, answer);
}
