/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* What jobs return, what they may not do, and descriptors that are malformed: a line for each. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <trapeze/assert.h>
#include <trapeze/map.h>

#include "cases.h"
#include "linux.h"

#define READ    TRAPEZE_REGION_READ
#define WRITE   TRAPEZE_REGION_WRITE
#define EXECUTE TRAPEZE_REGION_EXECUTE

static void one(const char *name, uint64_t number, uint64_t word)
{
	struct trapeze_ring_job job = linux_case(7, number, word);

	(void)linux_run(name, &job);
	linux_free();
}

static void sums(void)
{
	struct trapeze_ring_job job = linux_sum(0x123456789abcdef0ULL);

	for (int turn = 0; turn < 2; turn++) {
		struct trapeze_ring_end end = linux_run("sum", &job);
		const double *sum = linux_at(&job.regions[3]);

		TRAPEZE_ASSERT(end.id == job.id);
		for (int i = 0; i < 64; i++) {
			TRAPEZE_ASSERT(sum[i] == i * 0.75);
		}
		memset(linux_at(&job.regions[3]), 0, job.regions[3].bytes);
	}
	/* Variables without WRITE on the code. */
	job.regions[0].flags = READ | EXECUTE;
	(void)linux_run("variable-without-write", &job);
	linux_free();
}

static void arguments(void)
{
	struct trapeze_ring_job job = linux_case(7, CASE_ARGUMENTS, 0);

	(void)linux_run("two-regions", &job);
	for (unsigned int i = 2; i < TRAPEZE_RING_REGIONS; i++) {
		job.regions[i] = linux_region(64 * i, WRITE);
		linux_input(&job)[i] = job.regions[i].address;
		job.count++;
	}
	(void)linux_run("five-regions", &job);

	/* All that a job may do with each, at both ends. */
	uint64_t *in = linux_input(&job);
	struct trapeze_ring_region last = job.regions[4];

	in[0] = CASE_STORE;
	in[1] = last.address;
	(void)linux_run("store-first", &job);
	in[1] = last.address + last.bytes - 8;
	(void)linux_run("store-last", &job);
	in[0] = CASE_LOAD;
	(void)linux_run("load-of-write", &job);
	in[0] = CASE_STORE;
	in[1] = last.address + last.bytes;
	(void)linux_run("store-behind", &job);
	in[1] = last.address - 8;
	(void)linux_run("store-before", &job);
	in[0] = CASE_LOAD;
	(void)linux_run("load-before", &job);
	in[0] = CASE_STORE;
	in[1] = job.regions[1].address;
	(void)linux_run("store-to-read", &job);
	in[1] = job.regions[0].address;
	(void)linux_run("store-to-code", &job);
	in[0] = CASE_JUMP;
	in[1] = job.regions[1].address;
	(void)linux_run("jump-to-data", &job);
	printf("places: %#" PRIx64 " %#" PRIx64 " %#" PRIx64 "\n", job.regions[0].address,
	       job.regions[1].address, last.address);
	linux_free();
}

static struct trapeze_ring_job fine;

static void refused(const char *name, struct trapeze_ring_job *job)
{
	job->id = 99;
	(void)linux_run(name, job);
	*job = fine;
}

static void malformed(void)
{
	struct trapeze_ring_job job = linux_case(99, CASE_RESULT, 1);

	job.regions[2] = linux_region(128, WRITE);
	job.count = 3;
	fine = job;
	job.count = 0, refused("refused -1 count-0", &job);
	job.count = 6, refused("refused -1 count-6", &job);
	job.count = UINT32_MAX, refused("refused -1 count-all", &job);
	job.count = 2, refused("refused 2 count-less", &job);
	job.what = 3, refused("refused -1 what", &job);
	job.of = 1, refused("refused -1 of", &job);
	job.reserved[1] = 1ULL << 63, refused("refused -1 reserved-1", &job);
	job.regions[4].bytes = 64, refused("refused 4 unused-region", &job);
	job.regions[3].flags = READ, refused("refused 3 unused-flags", &job);
	job.regions[0].flags = EXECUTE, refused("refused 0 execute-alone", &job);
	job.regions[0].flags = READ, refused("refused 0 no-code", &job);
	job.regions[0].flags = WRITE | EXECUTE, refused("refused 0 code-without-read", &job);
	job.regions[0].flags |= 8, refused("refused 0 code-flag", &job);
	job.regions[1].flags = READ | EXECUTE, refused("refused 1 more-code", &job);
	job.regions[1].flags = 0, refused("refused 1 no-flag", &job);
	job.regions[2].flags = 1U << 31 | WRITE, refused("refused 2 flag", &job);
	job.regions[1].address += 8, refused("refused 1 address-aligned", &job);
	job.regions[1].bytes += 4, refused("refused 1 bytes-aligned", &job);
	job.regions[2].bytes = 0, refused("refused 2 empty", &job);
	job.regions[0].address = 0, refused("refused 0 address-0", &job);
	job.regions[1].address = TRAPEZE_DRAM_BASE - 64, refused("refused 1 before-dram", &job);
	/* The firmware below Linux. */
	job.regions[0].address = TRAPEZE_DRAM_BASE, refused("refused 0 firmware", &job);
	job.regions[2].address = TRAPEZE_DRAM_BASE + TRAPEZE_FIRMWARE_BYTES - 64,
	refused("refused 2 firmware-end", &job);
	job.regions[1].address = TRAPEZE_DMEM_BASE, refused("refused 1 dmem", &job);
	job.regions[1].address = TRAPEZE_IMEM_BASE, refused("refused 1 imem", &job);
	job.regions[1].address = TRAPEZE_RING_BASE, refused("refused 1 ring", &job);
	job.regions[1].address = 0x0000000100000000ULL + job.regions[1].address,
	refused("refused 1 above-4g", &job);
	job.regions[2].address = TRAPEZE_DRAM_BASE + TRAPEZE_DRAM_SIZE - 64,
	refused("refused 2 past-dram", &job);
	job.regions[2].bytes = 0xffffffc0U, refused("refused 2 bytes-all", &job);
	job.regions[2].address = UINT64_MAX - 63, refused("refused 2 address-all", &job);
	job.regions[2].address = job.regions[1].address, refused("refused 2 overlap-same", &job);
	job.regions[2].address = job.regions[1].address - 64,
	refused("refused 2 overlap-end", &job);
	job.regions[2].address = job.regions[0].address, refused("refused 2 overlap-code", &job);
	job.regions[1].bytes += 128, refused("refused 2 overlap-begin", &job);
	job.regions[2].address = TRAPEZE_DRAM_BASE + TRAPEZE_DRAM_SIZE - 128,
	(void)linux_run("dram-end", &job);
	job = fine;
	/* Neighbours do not overlap. */
	job.regions[2].address = job.regions[1].address + 64, (void)linux_run("neighbours", &job);
	linux_free();
}

void linux_test(void)
{
	one("result", CASE_RESULT, (uint64_t)-5);
	one("wide", CASE_RESULT, 0x7edcba9876543210ULL);
	sums();
	arguments();
	one("store-dmem", CASE_STORE, TRAPEZE_DMEM_BASE);
	one("store-ring", CASE_STORE, TRAPEZE_RING_BASE);
	one("store-clint", CASE_STORE, TRAPEZE_CLINT_BASE);
	one("store-null", CASE_STORE, 0);
	one("load-dmem", CASE_LOAD, TRAPEZE_DMEM_BASE);
	one("load-imem", CASE_LOAD, TRAPEZE_IMEM_BASE);
	one("load-smem", CASE_LOAD, TRAPEZE_SMEM_BASE);
	one("load-uart", CASE_LOAD, TRAPEZE_UART_BASE);
	one("jump-imem", CASE_JUMP, TRAPEZE_IMEM_BASE);
	one("jump-null", CASE_JUMP, 0);
	one("recursion", CASE_RECURSION, 0);
	one("ecall-0", CASE_ECALL, 0);
	one("ecall-93", CASE_ECALL, 93);
	one("csr-read", CASE_CSR_READ, 0);
	one("csr-write", CASE_CSR_WRITE, 0);
	one("mret", CASE_MRET, 0);
	one("break", CASE_BREAK, 0);
	one("ruin", CASE_RUIN, TRAPEZE_DMEM_BASE + 64);
	one("fresh", CASE_FRESH, 0);
	malformed();
	one("still", CASE_RESULT, 11);
	sums();
}
