/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief loads JOB MODULE: unloads the driver and loads it again, a hundred times. Each time one job ends and one is
 * cancelled by the close. JOB is calls_job.c.
 *
 * Prints a line for each check that fails, and PASS if none does: no memory is lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.h"
#include "check.h"
#include "shown.h"
#include "trapeze_jobs.h"

enum {
	FIRST = 20, /* first loads, after which the kernel's own memory does not grow any more */
	LOADS = 120,
	SLACK = 64, /* KiB by which the kernel's caches vary: less than one for each load */
};

static long free_kib(void)
{
	char text[1024] = "";
	const int file = open("/proc/meminfo", O_RDONLY);
	const char *found;

	CHECK(file >= 0 && read(file, text, sizeof(text) - 1) > 0);
	close(file);
	found = strstr(text, "MemFree:");
	CHECK(found != NULL);
	return found == NULL ? 0 : atol(found + strlen("MemFree:"));
}

/** Runs two jobs: one ends, the other is cancelled by the close of the device. */
static void use(const char *file)
{
	const int device = trapeze_open();
	struct trapeze_job code = {0}, job;
	struct trapeze_end end;
	uint64_t number;
	uint64_t *const lines = trapeze_buffer(device, 4096);

	CHECK_EQUAL(trapeze_job_load(&code, device, file), 0);
	for (int for_ever = 0; for_ever < 2; for_ever++) {
		job = code;
		lines[0] = for_ever ? ASK_SPIN : ASK_VARIABLES;
		trapeze_job_pass(&job, lines, 64, TRAPEZE_REGION_READ);
		trapeze_job_pass(&job, lines + 8, 64, TRAPEZE_REGION_WRITE);
		if (for_ever) {
			CHECK_EQUAL(trapeze_job_submit(&job, device, 0, -1, &number), 0);
		} else {
			CHECK_EQUAL(trapeze_job_call(&job, device, 0, &end), 0);
			CHECK_EQUAL(end.result, 42);
		}
	}
	munmap((void *)(uintptr_t)code.regions[0].address, trapeze_buffer_bytes(code.regions[0].bytes));
	munmap(lines, 4096);
	close(device);
}

int main(int argc, char *argv[])
{
	const int module = argc == 3 ? open(argv[2], O_RDONLY | O_CLOEXEC) : -1;
	long before = 0;

	if (module < 0) {
		fputs("loads: usage: loads JOB MODULE\n", stderr);
		return 1;
	}
	for (int i = 0; i < LOADS && failures == 0; i++) {
		if (i == FIRST) {
			before = free_kib();
		}
		use(argv[1]);
		CHECK_EQUAL(syscall(SYS_delete_module, "trapeze", 0), 0);
		CHECK_EQUAL(syscall(SYS_finit_module, module, "", 0), 0);
	}
	all_are_gone(0);
	CHECK(before - free_kib() <= SLACK);
	puts(failures == 0 ? "PASS" : "FAIL");
	return failures != 0;
}
