/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief calls JOB N...: the calls of the Saturn paper's Tables 1 to 3, each between two markers and each TRIALS times:
 * open of the device, mmap of twenty pages, and products of two N by N matrices by the job in file JOB, and on this hart.
 *
 * Exit code 0: all calls succeeded, and the last product of each size is right.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "trapeze_jobs.h"
#include "markers.h"

/** dgemm_job.c, for this hart. */
int64_t dgemm_here(const double *a, const double *b, double *c, const uint64_t *size);

enum {
	TRIALS = 3,
	PAGE = 4096,
	PAGES = 20,
	LARGE = 16, /* pages of a buffer, which is a power of two: twenty pages are two buffers */
	MOST = 512, /* rows and columns */
};

/** A call of Linux, between two markers. Returns its result, or a negative error. */
#define CALL(begin, end, number, a, b, c, d, e, f)                                                 \
	({                                                                                         \
		register long a0_ __asm__("a0") = (long)(a);                                       \
		register long a1_ __asm__("a1") = (long)(b);                                       \
		register long a2_ __asm__("a2") = (long)(c);                                       \
		register long a3_ __asm__("a3") = (long)(d);                                       \
		register long a4_ __asm__("a4") = (long)(e);                                       \
		register long a5_ __asm__("a5") = (long)(f);                                       \
		register long a7_ __asm__("a7") = (number);                                        \
		__asm__ volatile("slti x0, x0, %[from]\n\tecall\n\tslti x0, x0, %[to]"             \
				 : "+r"(a0_)                                                       \
				 : "r"(a1_), "r"(a2_), "r"(a3_), "r"(a4_), "r"(a5_),               \
				   "r"(a7_), [from] "i"(begin), [to] "i"(end)                      \
				 : "memory");                                                      \
		a0_;                                                                               \
	})

#define MAP(begin, end, device, bytes)                                                             \
	CALL(begin, end, SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, device, 0)

static int fail(const char *what, long error)
{
	fprintf(stderr, "calls: %s: %s\n", what, strerror((int)-error));
	return 1;
}

static int opens(void)
{
	for (int trial = 0; trial < TRIALS; trial++) {
		const long device = CALL(MARKER_OPEN, MARKER_OPEN_END, SYS_openat, AT_FDCWD,
					 "/dev/trapeze", O_RDWR | O_CLOEXEC, 0, 0, 0);

		if (device < 0) {
			return fail("open", device);
		}
		close((int)device);
	}
	return 0;
}

static int maps(int device)
{
	for (int trial = 0; trial < TRIALS; trial++) {
		const size_t rest = (PAGES - LARGE) * PAGE;
		const long large = MAP(MARKER_MMAP, MARKER_MMAP_END, device, LARGE * PAGE);
		const long small = MAP(MARKER_MMAP, MARKER_MMAP_END, device, rest);
		long pages[PAGES];

		if (large < 0 || small < 0) {
			return fail("mmap", large < 0 ? large : small);
		}
		munmap((void *)large, LARGE * PAGE);
		munmap((void *)small, rest);
		for (int i = 0; i < PAGES; i++) {
			pages[i] = MAP(MARKER_PAGE, MARKER_PAGE_END, device, PAGE);
			if (pages[i] < 0) {
				return fail("mmap of a page", pages[i]);
			}
		}
		for (int i = 0; i < PAGES; i++) {
			munmap((void *)pages[i], PAGE);
		}
	}
	return 0;
}

/** Random numbers of few bits. */
static void fill(double *matrix, uint64_t n)
{
	for (uint64_t i = 0; i < n * n; i++) {
		matrix[i] = (double)(i * 7 % 11) - 5;
	}
}

static int products(int device, const char *code, uint64_t n)
{
	const size_t bytes = n * n * sizeof(double);
	struct trapeze_job job = {0};
	double *const a = trapeze_buffer(device, bytes), *const b = trapeze_buffer(device, bytes),
		      *const c = trapeze_buffer(device, bytes), *const expected = malloc(bytes);
	uint64_t *const size = trapeze_buffer(device, sizeof(*size));

	if (a == NULL || b == NULL || c == NULL || size == NULL || expected == NULL) {
		return fail("buffers", -errno);
	}
	fill(a, n);
	fill(b, n);
	*size = n;
	if (trapeze_job_load(&job, device, code) != 0 ||
	    trapeze_job_pass(&job, a, bytes, TRAPEZE_REGION_READ) != 0 ||
	    trapeze_job_pass(&job, b, bytes, TRAPEZE_REGION_READ) != 0 ||
	    trapeze_job_pass(&job, c, bytes, TRAPEZE_REGION_WRITE) != 0 ||
	    trapeze_job_pass(&job, size, sizeof(*size), TRAPEZE_REGION_READ) != 0) {
		return fail(code, -errno);
	}
	for (int trial = 0; trial < TRIALS; trial++) {
		const long error = CALL(MARKER_RUN, MARKER_RUN_END, SYS_ioctl, device,
					TRAPEZE_JOB_RUN, &job, 0, 0, 0);

		if (error < 0) {
			return fail("job", error);
		}
		if (job.status != TRAPEZE_JOB_DONE) {
			fprintf(stderr, "calls: %" PRIu64 " x %" PRIu64 ": status %u\n", n, n,
				(unsigned int)job.status);
			return 1;
		}
	}
	for (int trial = 0; trial < TRIALS; trial++) {
		TRAPEZE_MARKER(MARKER_HERE);
		dgemm_here(a, b, expected, size);
		TRAPEZE_MARKER(MARKER_HERE_END);
	}
	if (memcmp(c, expected, bytes) != 0) {
		fprintf(stderr, "calls: %" PRIu64 " x %" PRIu64 ": the product is wrong\n", n, n);
		return 1;
	}
	free(expected);
	return 0;
}

int main(int argc, char *argv[])
{
	if (argc < 3) {
		fprintf(stderr, "usage: calls JOB N...\n");
		return 2;
	}
	if (opens() != 0) {
		return 1;
	}
	const int device = trapeze_open();

	if (device < 0 || maps(device) != 0) {
		return 1;
	}
	for (int i = 2; i < argc; i++) {
		const unsigned long n = strtoul(argv[i], NULL, 0);

		if (n == 0 || n > MOST) {
			fprintf(stderr, "calls: N is from 1 to %d\n", MOST);
			return 2;
		}
		if (products(device, argv[1], n) != 0) {
			return 1;
		}
	}
	return 0;
}
