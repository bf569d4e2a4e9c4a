/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief prepared JOB N...: products of two N by N matrices by the job in file JOB, prepared once for each N, each call
 * between two markers and TRIALS times in each of two ways:
 *
 * - fresh: the program has written both factors since the call before, and reads the whole product after it;
 * - kept: the factors are those of the call before.
 *
 * Then TRIALS of the same product on this hart, between markers of their own.
 *
 * Exit code 0: all calls succeeded, and the last product of each size is right.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "markers.h"
#include "trapeze_calls.h"
#include "trapeze_jobs.h"

/** dgemm_job.c, for this hart. */
int64_t dgemm_here(const double *a, const double *b, double *c, const uint64_t *size);

enum {
	TRIALS = 3,
	MOST = 512, /* rows and columns */
	A = 1,      /* numbers of regions */
	B = 2,
	C = 3,
	SIZE = 4,
};

static int fail(const char *what)
{
	perror(what);
	return 1;
}

/** Random numbers of few bits. */
static void fill(double *matrix, uint64_t n, uint64_t seed)
{
	for (uint64_t i = 0; i < n * n; i++) {
		matrix[i] = (double)((i + seed) * 7 % 11) - 5;
	}
}

static int products(struct trapeze_calls *calls, const char *code, uint64_t n)
{
	const int device = calls->device;
	const size_t bytes = n * n * sizeof(double);
	struct trapeze_prepared product;
	struct trapeze_answer answer;
	struct trapeze_job job = {0};
	double *const a = trapeze_buffer(device, bytes), *const b = trapeze_buffer(device, bytes),
		      *const c = trapeze_buffer(device, bytes), *const expected = malloc(bytes);
	uint64_t *const size = trapeze_buffer(device, sizeof(*size));

	if (a == NULL || b == NULL || c == NULL || size == NULL || expected == NULL) {
		return fail("buffers");
	}
	if (trapeze_job_load(&job, device, code) != 0 ||
	    trapeze_job_pass(&job, a, bytes, TRAPEZE_REGION_READ) != 0 ||
	    trapeze_job_pass(&job, b, bytes, TRAPEZE_REGION_READ) != 0 ||
	    trapeze_job_pass(&job, c, bytes, TRAPEZE_REGION_WRITE) != 0 ||
	    trapeze_job_pass(&job, size, sizeof(*size), TRAPEZE_REGION_READ) != 0 ||
	    trapeze_prepare(&product, calls, &job, 0) != 0) {
		return fail(code);
	}
	*size = n;
	trapeze_wrote(&product, SIZE, 0, sizeof(*size));
	for (int trial = 0; trial < 2 * TRIALS; trial++) {
		int failed;

		if (trial < TRIALS) {
			fill(a, n, (uint64_t)trial);
			fill(b, n, (uint64_t)trial);
			trapeze_wrote(&product, A, 0, bytes);
			trapeze_wrote(&product, B, 0, bytes);
		}
		trapeze_wants(&product, C, 0, bytes);
		TRAPEZE_MARKER(MARKER_RUN);
		failed = trapeze_call(&product, 0, 0, 0, &answer) != 0;
		TRAPEZE_MARKER(MARKER_RUN_END);
		if (failed) {
			return fail("call");
		}
		if (answer.status != TRAPEZE_JOB_DONE) {
			fprintf(stderr, "prepared: %" PRIu64 " x %" PRIu64 ": status %" PRIu32 "\n",
				n, n, answer.status);
			return 1;
		}
	}
	for (int trial = 0; trial < TRIALS; trial++) {
		TRAPEZE_MARKER(MARKER_HERE);
		dgemm_here(a, b, expected, size);
		TRAPEZE_MARKER(MARKER_HERE_END);
	}
	if (memcmp(c, expected, bytes) != 0) {
		fprintf(stderr, "prepared: %" PRIu64 " x %" PRIu64 ": the product is wrong\n", n,
			n);
		return 1;
	}
	free(expected);
	return trapeze_prepared_drop(&product) == 0 ? 0 : fail("drop");
}

int main(int argc, char *argv[])
{
	struct trapeze_calls calls;
	int device;

	if (argc < 3) {
		fprintf(stderr, "usage: prepared JOB N...\n");
		return 2;
	}
	device = trapeze_open();
	if (device < 0 || trapeze_calls_open(&calls, device) != 0) {
		return fail("/dev/trapeze");
	}
	for (int i = 2; i < argc; i++) {
		const unsigned long n = strtoul(argv[i], NULL, 0);

		if (n == 0 || n > MOST) {
			fprintf(stderr, "prepared: N is from 1 to %d\n", MOST);
			return 2;
		}
		if (products(&calls, argv[1], n) != 0) {
			return 1;
		}
	}
	return 0;
}
