/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief dgemm JOB N: multiplies two N by N matrices on the other hart, by the job in file JOB, and on this hart by the
 * same source, and compares the products.
 *
 * Exit code 0: they are equal in every bit. Prints one line that says so.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trapeze_jobs.h"

/** bench/rpc/dgemm_job.c, for this hart. */
int64_t dgemm_here(const double *a, const double *b, double *c, const uint64_t *size);

enum {
	MOST = 512, /* rows and columns */
};

static int fail(const char *what)
{
	fprintf(stderr, "dgemm: %s: %s\n", what, strerror(errno));
	return 1;
}

static void fill(double *matrix, uint64_t n, uint64_t seed)
{
	for (uint64_t i = 0; i < n * n; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		matrix[i] = (double)(int64_t)(seed >> 40) / 1024 - 8192;
	}
}

static int compare(struct trapeze_job *job, int device, uint64_t n)
{
	const size_t bytes = n * n * sizeof(double);
	double *const a = trapeze_buffer(device, bytes), *const b = trapeze_buffer(device, bytes),
		      *const c = trapeze_buffer(device, bytes), *const expected = malloc(bytes);
	uint64_t *const size = trapeze_buffer(device, sizeof(*size));

	if (a == NULL || b == NULL || c == NULL || size == NULL || expected == NULL) {
		return fail("buffers");
	}
	fill(a, n, 1);
	fill(b, n, 2);
	*size = n;
	if (trapeze_job_pass(job, a, bytes, TRAPEZE_REGION_READ) != 0 ||
	    trapeze_job_pass(job, b, bytes, TRAPEZE_REGION_READ) != 0 ||
	    trapeze_job_pass(job, c, bytes, TRAPEZE_REGION_WRITE) != 0 ||
	    trapeze_job_pass(job, size, sizeof(*size), TRAPEZE_REGION_READ) != 0 ||
	    trapeze_job_run(job, device) != 0) {
		return fail("job");
	}
	if (job->status != TRAPEZE_JOB_DONE) {
		fprintf(stderr,
			"dgemm: job ended with status %u, cause %u at 0x%" PRIx64
			", address 0x%" PRIx64 "\n",
			(unsigned int)job->status, (unsigned int)job->cause, (uint64_t)job->pc,
			(uint64_t)job->address);
		return 1;
	}
	dgemm_here(a, b, expected, size);
	if (memcmp(c, expected, bytes) != 0) {
		fprintf(stderr, "dgemm: the product of the other hart is another one\n");
		return 1;
	}
	printf("dgemm: %" PRIu64 " x %" PRIu64 ": right\n", n, n);
	return 0;
}

int main(int argc, char *argv[])
{
	struct trapeze_job job = {0};
	const unsigned long n = argc == 3 ? strtoul(argv[2], NULL, 0) : 0;

	if (n == 0 || n > MOST) {
		fprintf(stderr, "usage: dgemm JOB N, with N from 1 to %d\n", MOST);
		return 2;
	}
	const int device = trapeze_open();

	if (device < 0) {
		return fail("/dev/trapeze");
	}
	if (trapeze_job_load(&job, device, argv[1]) != 0) {
		return fail(argv[1]);
	}
	return compare(&job, device, n);
}
