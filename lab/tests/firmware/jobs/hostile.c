/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A Linux that lies to the server, at random by SEED, in CASES cases: descriptors with wrong words, jobs of random code,
 * and nonsense in each word of the ring. Behind each batch of cases an honest job runs, the server has no task too many, and
 * nothing but the output regions of what was put in has changed. How a job ends is held against another reading of
 * docs/remote-jobs.md than the server's.
 */
#include <FreeRTOS.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <task.h>

#include <trapeze/assert.h>
#include <trapeze/map.h>

#include "cases.h"
#include "hostile_code.h"
#include "linux.h"

#define LINE  TRAPEZE_RING_LINE
#define TICK  (configCPU_CLOCK_HZ / configTICK_RATE_HZ)
#define ARENA (TRAPEZE_DRAM_BASE + 0x200000U)
#define LINES 512U
#define BATCH 8U
#define KINDS 5U /* of a batch: 0 lies, the others put in */

/* Of the server's code, that are looked at. */
#define CODE_BYTES 8192U

#define READ    TRAPEZE_REGION_READ
#define WRITE   TRAPEZE_REGION_WRITE
#define EXECUTE TRAPEZE_REGION_EXECUTE

static struct trapeze_ring *const ring = (struct trapeze_ring *)TRAPEZE_RING_BASE;

static uint8_t shadow[LINES * LINE]; /* of the arena */
static bool may_change[LINES];
static uint32_t ends_of[TRAPEZE_JOB_LOST]; /* by status */
static uint64_t state = SEED * 0x9e3779b97f4a7c15ULL + 1;
static uint64_t given;
static UBaseType_t tasks; /* without jobs */

uint32_t hostile_dice(uint32_t sides)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 16) % sides);
}

static uint64_t word_at_random(void)
{
	static const uint64_t some[] = {0,           1,           63,         64,
					INT32_MAX,   1ULL << 31,  UINT32_MAX, 1ULL << 32,
					INT64_MAX,   1ULL << 63,  UINT64_MAX, UINT64_MAX - 63,
					ARENA - 64U, ARENA + 64U, ARENA,      TRAPEZE_RING_BASE};
	const uint32_t which = hostile_dice(24);

	return which < sizeof(some) / sizeof(some[0]) ? some[which] : state;
}

/* ---------------------------------------------------------------- what may be */

/* In the part of memory that is looked at. */
static bool in_arena(const struct trapeze_ring_region *region)
{
	return region->address >= ARENA && region->bytes <= LINES * LINE &&
	       region->address - ARENA <= LINES * LINE - region->bytes;
}

static bool in_memory(const struct trapeze_ring_region *region)
{
	return region->address >= TRAPEZE_DRAM_BASE + TRAPEZE_FIRMWARE_BYTES &&
	       region->bytes <= TRAPEZE_DRAM_SIZE &&
	       region->address <= TRAPEZE_DRAM_BASE + (uint64_t)TRAPEZE_DRAM_SIZE - region->bytes;
}

static bool disjoint(const struct trapeze_ring_region *a, const struct trapeze_ring_region *b)
{
	return a->address + a->bytes <= b->address || b->address + b->bytes <= a->address;
}

static bool is_well_formed(const struct trapeze_ring_job *job)
{
	if (job->id == TRAPEZE_RING_NO_JOB || job->what != TRAPEZE_RING_RUN ||
	    job->count - 1U >= 5U ||
	    (job->of | job->unused | job->reserved[0] | job->reserved[1]) != 0) {
		return false;
	}
	for (unsigned int i = 0; i < 5U; i++) {
		const struct trapeze_ring_region *one = &job->regions[i];
		const uint32_t flags = one->flags;
		bool right = one->address % LINE == 0 && one->bytes % LINE == 0;

		if (i >= job->count) {
			right = one->address == 0 && one->bytes == 0 && flags == 0;
		} else {
			right = right && one->bytes != 0 && in_memory(one);
			right = right && (i == 0 ? flags == (READ | EXECUTE) ||
						       flags == (READ | WRITE | EXECUTE)
						 : flags >= 1 && flags <= 3);
			for (unsigned int k = 0; k < i; k++) {
				right = right && disjoint(one, &job->regions[k]);
			}
		}
		if (!right) {
			return false;
		}
	}
	return true;
}

/* Its outputs may change from here on, until the next look. */
static void expect(const struct trapeze_ring_job *job)
{
	for (unsigned int i = 0; is_well_formed(job) && i < job->count; i++) {
		const struct trapeze_ring_region *one = &job->regions[i];

		if ((one->flags & WRITE) == 0 || !in_arena(one)) {
			continue;
		}
		for (uint32_t k = 0; k < one->bytes / LINE; k++) {
			may_change[(one->address - ARENA) / LINE + k] = true;
		}
	}
}

static void look(void)
{
	uint8_t *arena = (uint8_t *)(uintptr_t)ARENA;

	for (uint32_t i = 0; i < LINES; i++) {
		TRAPEZE_ASSERT(may_change[i] ||
			       memcmp(arena + i * LINE, shadow + i * LINE, LINE) == 0);
		memcpy(shadow + i * LINE, arena + i * LINE, LINE);
		may_change[i] = false;
	}
}

/* ---------------------------------------------------------------- jobs */

static void fill(const struct trapeze_ring_region *region, const void *with, uint32_t bytes)
{
	memset(linux_at(region), 0, region->bytes);
	memcpy(linux_at(region), with, bytes);
	memcpy(shadow + (region->address - ARENA), linux_at(region), region->bytes);
}

/* Well-formed: each region somewhere in a fifth of the arena. */
static struct trapeze_ring_job honest(void)
{
	struct trapeze_ring_job job = {.id = ++given, .count = 1U + hostile_dice(5)};
	uint32_t code[HOSTILE_CODE];

	for (unsigned int i = 0; i < job.count; i++) {
		const uint32_t first = hostile_dice(64);

		job.regions[i] = (struct trapeze_ring_region){
		    .address = ARENA + (i * (LINES / 5) + first) * LINE,
		    .bytes = (i == 0 ? sizeof(code) : LINE * (1U + hostile_dice(30))),
		    .flags =
			i == 0 ? READ | EXECUTE | hostile_dice(2) * WRITE : 1U + hostile_dice(3)};
	}
	hostile_code(code, &job);
	fill(&job.regions[0], code, sizeof(code));
	return job;
}

/* One word of a descriptor, or two. */
static void spoil(struct trapeze_ring_job *job)
{
	for (uint32_t turns = 1U + hostile_dice(2); turns != 0; turns--) {
		struct trapeze_ring_region *region = &job->regions[hostile_dice(5)];

		switch (hostile_dice(8)) {
		case 0:
			job->count = (uint32_t)word_at_random();
			break;
		case 1:
			job->what = (uint32_t)word_at_random();
			job->what += job->what == TRAPEZE_RING_PREPARE ? 1U : 0U; /* channels.c */
			break;
		case 2:
			*(hostile_dice(2) != 0 ? &job->of : &job->unused) = (uint32_t)word_at_random();
			job->reserved[hostile_dice(2)] = word_at_random();
			break;
		case 3:
			region->address = word_at_random();
			break;
		case 4:
			region->bytes = (uint32_t)word_at_random();
			break;
		case 5:
			region->flags =
			    hostile_dice(4) != 0 ? hostile_dice(8) : (uint32_t)word_at_random();
			break;
		case 6:
			region->address =
			    job->regions[hostile_dice(5)].address + hostile_dice(3) * LINE;
			break;
		default:
			job->id = hostile_dice(4) == 0 ? TRAPEZE_RING_NO_JOB : job->id;
			region->address += hostile_dice(128);
		}
	}
}

/* Whatever it is, it ends by itself. What is outside of the arena belongs to others, and is not for a job of random code. */
static struct trapeze_ring_job job_at_random(bool spoiled)
{
	struct trapeze_ring_job job = honest();

	if (spoiled) {
		spoil(&job);
	}
	job.limit = 1U + hostile_dice(2 * TICK);
	for (unsigned int i = 0; is_well_formed(&job) && i < job.count; i++) {
		if (!in_arena(&job.regions[i])) {
			job.unused = 1;
		}
	}
	expect(&job);
	return job;
}

/* Beside each other, or each when the one before has ended: all jobs are above this task. */
static void put_some(uint32_t count, uint32_t kind)
{
	struct trapeze_ring_job jobs[BATCH];
	bool ended[BATCH] = {false};
	const bool together = hostile_dice(2) != 0;

	if (together) {
		vTaskSuspendAll();
	}
	for (uint32_t i = 0; i < count; i++) {
		jobs[i] = job_at_random(kind % 2 == 0);
		linux_put(&jobs[i]);
	}
	for (uint32_t i = 0; kind >= 3 && i < count; i++) {
		linux_cancel(hostile_dice(2) != 0 ? jobs[i].id : word_at_random());
	}
	if (together) {
		(void)xTaskResumeAll();
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct trapeze_ring_end end = linux_wait();
		uint32_t which = 0;

		while (which < count && (ended[which] || jobs[which].id != end.id)) {
			which++;
		}
		TRAPEZE_ASSERT(which < count && end.status < TRAPEZE_JOB_LOST);
		ended[which] = true;
		ends_of[end.status]++;
		TRAPEZE_ASSERT(is_well_formed(&jobs[which]) == (end.status != TRAPEZE_JOB_REFUSED));
		TRAPEZE_ASSERT(end.status != TRAPEZE_JOB_CANCELLED || kind >= 3);
	}
}

/* ---------------------------------------------------------------- the ring */

/* A word that the server writes, and what it wrote last where a lie stands there. */
struct owned {
	uint32_t *word;
	uint32_t lie;
	uint32_t truth;
};

static struct owned owned[] = {{&ring->jobs_out, 0, 0}, {&ring->ends_in, 0, 0},
			       {&ring->magic, 0, 0},    {&ring->version, 0, 0},
			       {&ring->entries, 0, 0},  {&ring->generation, 0, 0}};

#define OWNED (sizeof(owned) / sizeof(owned[0]))

static void write_over(struct owned *one)
{
	taskENTER_CRITICAL();
	if (*(volatile uint32_t *)one->word != one->lie) {
		one->truth = *one->word;
	}
	/* As high as the server does not count here. */
	one->lie = (uint32_t)state | 1U << 30;
	*(volatile uint32_t *)one->word = one->lie;
	taskEXIT_CRITICAL();
}

static void write_own(uint32_t *word)
{
	*(volatile uint32_t *)word =
	    hostile_dice(2) != 0 ? *word + hostile_dice(200) - 100U : (uint32_t)word_at_random();
}

/* All entries that the server may now take for jobs end by themselves. */
static void lie(uint32_t count)
{
	uint32_t *const own[] = {&ring->jobs_in, &ring->client, &ring->cancels, &ring->ends_out};

	for (uint32_t i = 0; i < TRAPEZE_RING_ENTRIES; i++) {
		expect(&ring->jobs[i]);
	}
	for (uint32_t i = 0; i < count; i++) {
		struct trapeze_ring_job job;

		switch (hostile_dice(4)) {
		case 0:
			ring->cancel[hostile_dice(TRAPEZE_RING_ENTRIES)] =
			    hostile_dice(2) != 0 ? given - hostile_dice(8) : word_at_random();
			break;
		case 1:
			job = job_at_random(hostile_dice(2) != 0);
			ring->jobs[hostile_dice(TRAPEZE_RING_ENTRIES)] = job;
			break;
		case 2:
			write_over(&owned[hostile_dice(OWNED)]);
			break;
		default:
			write_own(own[hostile_dice(4)]);
		}
		if (hostile_dice(2) != 0) {
			linux_ring();
		}
	}
}

/* ---------------------------------------------------------------- behind a batch */

/* As a driver that has just been loaded. It knows where the server is, which a liar has written over. */
static void greet(void)
{
	taskENTER_CRITICAL();
	for (unsigned int i = 0; i < OWNED; i++) {
		if (owned[i].lie != 0 && *(volatile uint32_t *)owned[i].word == owned[i].lie) {
			*(volatile uint32_t *)owned[i].word = owned[i].truth;
		}
		owned[i].lie = 0;
	}
	*(volatile uint32_t *)&ring->jobs_in = ring->jobs_out;
	*(volatile uint32_t *)&ring->ends_out = ring->ends_in;
	*(volatile uint32_t *)&ring->client = TRAPEZE_RING_VERSION;
	taskEXIT_CRITICAL();
}

static void serves_still(void)
{
	const uint64_t id = ++given;
	struct trapeze_ring_job job = linux_case(id, CASE_RESULT, id * 3);
	struct trapeze_ring_end end;

	linux_put(&job);
	end = linux_wait();
	TRAPEZE_ASSERT(end.id == id && end.status == TRAPEZE_JOB_DONE &&
		       end.result == (int64_t)(id * 3));
	linux_free();
	/* All others are freed, and this one when the next comes. */
	TRAPEZE_ASSERT(uxTaskGetNumberOfTasks() <= tasks + 1U);
	TRAPEZE_ASSERT(ring->magic == TRAPEZE_RING_MAGIC && ring->version == TRAPEZE_RING_VERSION &&
		       ring->entries == TRAPEZE_RING_ENTRIES && ring->generation == 1);
}

static uint32_t sum_of_code(void)
{
	const uint32_t *word = (const uint32_t *)TRAPEZE_IMEM_BASE;
	uint32_t sum = 0;

	for (uint32_t i = 0; i < CODE_BYTES / sizeof(*word); i++) {
		sum = sum * 31U + word[i];
	}
	return sum;
}

void linux_test(void)
{
	const uint32_t code = sum_of_code();
	uint32_t lies = 0;

	tasks = uxTaskGetNumberOfTasks();
	memset((void *)(uintptr_t)ARENA, 0x5a, LINES * LINE);
	memset(shadow, 0x5a, sizeof(shadow));
	greet();
	for (uint32_t i = 0; i < CASES; i += BATCH) {
		const uint32_t kind = hostile_dice(KINDS);

		if (kind == 0) {
			lie(BATCH);
			lies += BATCH;
			greet();
		} else {
			put_some(BATCH, kind);
		}
		serves_still();
		look();
	}
	TRAPEZE_ASSERT(sum_of_code() == code);
	printf("hostile: %" PRIu32 " lies", lies);
	for (uint32_t i = 0; i < TRAPEZE_JOB_LOST; i++) {
		printf(" %" PRIu32, ends_of[i]);
	}
	printf("\n");
}
