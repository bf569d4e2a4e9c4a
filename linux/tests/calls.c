/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief calls JOB: tries every call of /dev/trapeze, used right and wrong, and compares with docs/remote-jobs.md. JOB
 * is calls_job.c. Compiled with regs/gen/c, for the map of a platform with jobs.
 *
 * Prints a line for each check that fails, and PASS if none does.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <trapeze/map.h>
#include <unistd.h>

#include "calls.h"
#include "check.h"
#include "trapeze_jobs.h"

#define PAGE 4096UL

/* Codes of exceptions. */
#define CAUSE_FETCH_ACCESS  1
#define CAUSE_ILLEGAL	    2
#define CAUSE_LOAD_ACCESS   5
#define CAUSE_STORE_ACCESS  7

static int device;
static const char *code;
static uint64_t *in, *out;

/** A complete job: its code, an input and an output of a page each. */
static struct trapeze_job whole(void)
{
	struct trapeze_job job = {0};

	CHECK_EQUAL(trapeze_job_load(&job, device, code), 0);
	CHECK_EQUAL(trapeze_job_pass(&job, in, PAGE, TRAPEZE_REGION_READ), 0);
	CHECK_EQUAL(trapeze_job_pass(&job, out, PAGE, TRAPEZE_REGION_WRITE), 0);
	return job;
}

static void forget(const struct trapeze_job *job)
{
	munmap((void *)(uintptr_t)job->regions[0].address, job->regions[0].bytes);
}

/** Runs the job. 0, or the error of the call. */
static int run(struct trapeze_job *job)
{
	return trapeze_job_run(job, device) == 0 ? 0 : errno;
}

/** Makes a request to the job that ends well, and returns the result. */
static int64_t ask(enum ask what)
{
	struct trapeze_job job = whole();

	in[0] = what;
	CHECK_EQUAL(run(&job), 0);
	CHECK_EQUAL(job.status, TRAPEZE_JOB_DONE);
	forget(&job);
	return job.result;
}

/** Makes a request to the job that ends in a fault. */
static struct trapeze_job ask_fault(enum ask what, uint64_t address, unsigned int cause)
{
	struct trapeze_job job = whole();

	in[0] = what;
	in[1] = address;
	CHECK_EQUAL(run(&job), 0);
	CHECK_EQUAL(job.status, TRAPEZE_JOB_FAULT);
	CHECK_EQUAL(job.cause, cause);
	forget(&job);
	return job;
}

static void jobs_that_end_well(void)
{
	in[1] = 500;
	for (uint64_t i = 0; i < 500; i++) {
		in[2 + i] = i;
	}
	out[0] = 0;
	out[1] = 77;
	CHECK_EQUAL(ask(ASK_SUM), 500 * 499 / 2);
	CHECK_EQUAL(out[0], 500 * 499 / 2);
	CHECK_EQUAL(ask(ASK_VARIABLES), 42);
	CHECK_EQUAL(ask(ASK_VARIABLES), 42);
	CHECK_EQUAL(ask(99), -1);
}

static void jobs_that_fault(void)
{
	const uint64_t ring = TRAPEZE_RING_BASE, rtos = TRAPEZE_DMEM_BASE, linux_memory = TRAPEZE_DRAM_BASE + 0x200000;

	for (size_t i = 0; i < 3; i++) {
		const uint64_t place = (const uint64_t[]){ring, rtos, linux_memory}[i];

		CHECK_EQUAL(ask_fault(ASK_STORE, place, CAUSE_STORE_ACCESS).address, place);
		CHECK_EQUAL(ask_fault(ASK_LOAD, place, CAUSE_LOAD_ACCESS).address, place);
		CHECK_EQUAL(ask_fault(ASK_JUMP, place, CAUSE_FETCH_ACCESS).pc, place);
	}
	(void)ask_fault(ASK_STORE_INPUT, 0, CAUSE_STORE_ACCESS);
	(void)ask_fault(ASK_STACK, 0, CAUSE_STORE_ACCESS);
	(void)ask_fault(ASK_MACHINE, 0, CAUSE_ILLEGAL);
	CHECK_EQUAL(ask(ASK_VARIABLES), 42);
}

/** Descriptors that are refused. Each differs from a right one in one word. */
static void malformed_jobs(void)
{
	static const struct {
		int error;
		size_t offset; /* of the word that differs */
		uint64_t value;
		bool wide;
	} wrong[] = {
	    {EINVAL, offsetof(struct trapeze_job, count), 0, false},
	    {EINVAL, offsetof(struct trapeze_job, count), TRAPEZE_JOB_REGIONS + 1, false},
	    {EINVAL, offsetof(struct trapeze_job, count), UINT32_MAX, false},
	    {EINVAL, offsetof(struct trapeze_job, flags), 1, false},
	    {EINVAL, offsetof(struct trapeze_job, regions[0].flags), TRAPEZE_REGION_READ, false},
	    {EINVAL, offsetof(struct trapeze_job, regions[0].flags), TRAPEZE_REGION_EXECUTE, false},
	    {EINVAL, offsetof(struct trapeze_job, regions[1].flags), 0, false},
	    {EINVAL, offsetof(struct trapeze_job, regions[1].flags), 5, false},
	    {EINVAL, offsetof(struct trapeze_job, regions[1].flags), 8, false},
	    {EINVAL, offsetof(struct trapeze_job, regions[1].reserved), 1, false},
	    {EINVAL, offsetof(struct trapeze_job, regions[1].bytes), 0, true},
	    {EINVAL, offsetof(struct trapeze_job, regions[1].bytes), 100, true},
	    {EINVAL, offsetof(struct trapeze_job, regions[1].bytes), UINT64_MAX - 63, true},
	    {EINVAL, offsetof(struct trapeze_job, regions[1].bytes), 1UL << 32, true},
	    {EFAULT, offsetof(struct trapeze_job, regions[1].bytes), 2 * PAGE, true},
	    {EFAULT, offsetof(struct trapeze_job, regions[1].address), 0, true},
	    {EFAULT, offsetof(struct trapeze_job, regions[1].address), 0x80000000, true},
	    {EFAULT, offsetof(struct trapeze_job, regions[1].address), 0xffffffc000000000, true},
	    {EFAULT, offsetof(struct trapeze_job, regions[1].address), UINT64_MAX - 63, true},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct trapeze_job job = whole();
		const struct trapeze_job right = job;

		memcpy((char *)&job + wrong[i].offset, &wrong[i].value, wrong[i].wide ? 8 : 4);
		const int error = run(&job);

		if (error != wrong[i].error) {
			printf("wrong[%zu]: error %d, not %d\n", i, error, wrong[i].error);
			failures++;
		}
		forget(&right);
	}
}

/** Regions that do not lie in a buffer of this file, or overlap. */
static void misplaced_regions(void)
{
	struct trapeze_job job = whole();
	uint64_t *const ordinary =
	    mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const int other = trapeze_open();
	uint64_t *const of_other = trapeze_buffer(other, PAGE);
	uint64_t *const read_only = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, device, 0);

	in[0] = 99;
	job.regions[2].address = (uintptr_t)ordinary;
	CHECK_EQUAL(run(&job), EFAULT);
	job.regions[2].address = (uintptr_t)of_other;
	CHECK_EQUAL(run(&job), EFAULT);
	job.regions[2].address = (uintptr_t)read_only;
	CHECK_EQUAL(run(&job), EFAULT);
	job.regions[2].address = (uintptr_t)in; /* overlaps */
	CHECK_EQUAL(run(&job), EINVAL);
	job.regions[2].address = (uintptr_t)out + 4; /* no multiple of 64 */
	CHECK_EQUAL(run(&job), EINVAL);
	job.regions[2].address = (uintptr_t)out + 64;
	job.regions[2].bytes = PAGE - 64;
	CHECK_EQUAL(run(&job), 0);
	munmap(read_only, PAGE);
	munmap(of_other, PAGE);
	munmap(ordinary, PAGE);
	close(other);
	job.regions[2].address = (uintptr_t)of_other; /* unmapped */
	CHECK_EQUAL(run(&job), EFAULT);
	forget(&job);
	errno = 0;
	CHECK_EQUAL(ioctl(device, TRAPEZE_JOB_RUN, NULL), -1);
	CHECK_EQUAL(errno, EFAULT);
	CHECK_EQUAL(ioctl(device, TRAPEZE_JOB_RUN + 1, &job), -1);
	CHECK_EQUAL(errno, ENOTTY);
}

static int map_error(size_t bytes, int flags, off_t offset)
{
	void *const made = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, device, offset);
	const int error = made == MAP_FAILED ? errno : 0;

	if (made != MAP_FAILED) {
		munmap(made, bytes);
	}
	return error;
}

static void buffers(void)
{
	CHECK_EQUAL(map_error(PAGE, MAP_SHARED, 0), 0);
	CHECK_EQUAL(map_error(3 * PAGE, MAP_SHARED, 0), EINVAL);
	CHECK_EQUAL(map_error(PAGE, MAP_PRIVATE, 0), EINVAL);
	CHECK_EQUAL(map_error(PAGE, MAP_SHARED, PAGE), EINVAL);
	CHECK_EQUAL(map_error(1UL << 30, MAP_SHARED, 0), ENOMEM);

	/* A new buffer is zero, whatever the memory held before. No buffer is lost: memory has room for some of these
	 * at once, not for all.
	 */
	for (int round = 0; round < 100; round++) {
		const size_t bytes = 64 * PAGE;
		uint64_t *const buffer = trapeze_buffer(device, bytes);
		uint64_t all = 0;

		CHECK(buffer != NULL);
		if (buffer == NULL) {
			return;
		}
		for (size_t i = 0; i < bytes / sizeof(*buffer); i += 8) {
			all |= buffer[i];
		}
		CHECK_EQUAL(all, 0);
		memset(buffer, 0xff, bytes);
		munmap(buffer, bytes);
	}
}

/** A child's mapping is the same memory as the parent's, and survives the end of the other. */
static void forked(void)
{
	struct trapeze_job job = whole();
	int status = 0;
	const pid_t child = fork();

	in[0] = ASK_SUM;
	in[1] = 1;
	in[2] = 5;
	if (child == 0) {
		_exit(run(&job) == 0 && job.status == TRAPEZE_JOB_DONE && job.result == 5 ? 0 : 1);
	}
	waitpid(child, &status, 0);
	CHECK_EQUAL(status, 0);
	CHECK_EQUAL(out[0], 5);
	CHECK_EQUAL(run(&job), 0);
	CHECK_EQUAL(job.result, 5);
	forget(&job);
}

int main(int argc, char *argv[])
{
	code = argc == 2 ? argv[1] : "";
	device = trapeze_open();
	if (device < 0) {
		perror("calls: /dev/trapeze");
		return 1;
	}
	in = trapeze_buffer(device, PAGE);
	out = trapeze_buffer(device, PAGE);
	jobs_that_end_well();
	jobs_that_fault();
	malformed_jobs();
	misplaced_regions();
	buffers();
	forked();
	puts(failures == 0 ? "PASS" : "FAIL");
	return failures != 0;
}
