/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trapeze_jobs.h"

enum {
	PAGE_BYTES = 4096,
};

/** The size in whole cache lines. One that overflows stays larger than any buffer, so that the driver refuses it. */
static size_t whole_lines(size_t bytes)
{
	const size_t rest = TRAPEZE_RING_LINE - 1;

	return (bytes > SIZE_MAX - rest ? bytes : bytes + rest) & ~rest;
}

int trapeze_open(void)
{
	return open("/dev/trapeze", O_RDWR | O_CLOEXEC);
}

size_t trapeze_buffer_bytes(size_t bytes)
{
	size_t rounded = PAGE_BYTES;

	while (rounded != 0 && rounded < bytes) {
		rounded *= 2; /* becomes 0 behind the largest power of two */
	}
	return rounded;
}

void *trapeze_buffer(int device, size_t bytes)
{
	const size_t rounded = trapeze_buffer_bytes(bytes);
	void *made;

	if (rounded == 0) {
		errno = ENOMEM;
		return NULL;
	}
	made = mmap(NULL, rounded, PROT_READ | PROT_WRITE, MAP_SHARED, device, 0);
	return made == MAP_FAILED ? NULL : made;
}

/** Read a whole file into a new buffer. */
static void *load(int device, int file, size_t bytes)
{
	uint8_t *const buffer = trapeze_buffer(device, bytes);
	size_t done = 0;

	while (buffer != NULL && done < bytes) {
		const ssize_t count = read(file, buffer + done, bytes - done);

		if (count <= 0) {
			const int error = count == 0 ? EIO : errno; /* 0: the file has become shorter */

			munmap(buffer, trapeze_buffer_bytes(bytes));
			errno = error;
			return NULL;
		}
		done += (size_t)count;
	}
	return buffer;
}

int trapeze_job_load(struct trapeze_job *job, int device, const char *file)
{
	const int code = open(file, O_RDONLY | O_CLOEXEC);
	struct stat about;
	void *buffer = NULL;
	int error;

	if (code < 0) {
		return -1;
	}
	if (fstat(code, &about) == 0) {
		if (about.st_size > 0) {
			buffer = load(device, code, (size_t)about.st_size);
		} else {
			errno = ENOEXEC;
		}
	}
	error = errno;
	close(code);
	errno = error;
	if (buffer == NULL) {
		return -1;
	}
	/* The file contains all variables, also those without an initial value. */
	job->regions[0] = (struct trapeze_region){
	    .address = (uintptr_t)buffer,
	    .bytes = whole_lines((size_t)about.st_size),
	    .flags = TRAPEZE_REGION_READ | TRAPEZE_REGION_WRITE | TRAPEZE_REGION_EXECUTE,
	};
	job->count = 1;
	return 0;
}

int trapeze_job_pass(struct trapeze_job *job, void *start, size_t bytes, unsigned int flags)
{
	if (job->count >= TRAPEZE_JOB_REGIONS) {
		errno = E2BIG;
		return -1;
	}
	job->regions[job->count++] = (struct trapeze_region){
	    .address = (uintptr_t)start,
	    .bytes = whole_lines(bytes),
	    .flags = flags,
	};
	return 0;
}

int trapeze_job_run(struct trapeze_job *job, int device)
{
	return ioctl(device, TRAPEZE_JOB_RUN, job);
}

static int submit(const struct trapeze_job *job, int device, struct trapeze_submission *how)
{
	how->count = job->count;
	memcpy(how->regions, job->regions, sizeof(how->regions));
	return ioctl(device, TRAPEZE_JOB_SUBMIT, how);
}

int trapeze_job_submit(const struct trapeze_job *job, int device, uint32_t limit_ms, int eventfd, uint64_t *number)
{
	struct trapeze_submission how = {.limit_ms = limit_ms};

	if (eventfd != -1) {
		how.flags = TRAPEZE_SUBMIT_EVENTFD;
		how.eventfd = eventfd;
	}
	if (submit(job, device, &how) != 0) {
		return -1;
	}
	*number = how.job;
	return 0;
}

int trapeze_job_fetch(int device, uint64_t number, struct trapeze_end *end)
{
	*end = (struct trapeze_end){.job = number};
	return ioctl(device, TRAPEZE_JOB_FETCH, end);
}

int trapeze_job_put(const struct trapeze_job *job, int device, uint32_t limit_ms, uint64_t *number)
{
	struct trapeze_submission how = {.flags = TRAPEZE_SUBMIT_WAIT, .limit_ms = limit_ms};

	if (submit(job, device, &how) != 0) {
		return -1;
	}
	*number = how.job;
	return 0;
}

int trapeze_job_await(int device, uint64_t number, struct trapeze_end *end)
{
	int failed;

	do {
		*end = (struct trapeze_end){.job = number, .flags = TRAPEZE_FETCH_WAIT};
		failed = ioctl(device, TRAPEZE_JOB_FETCH, end);
	} while (failed != 0 && errno == EINTR);
	return failed;
}

int trapeze_job_call(const struct trapeze_job *job, int device, uint32_t limit_ms, struct trapeze_end *end)
{
	uint64_t number;

	return trapeze_job_put(job, device, limit_ms, &number) != 0 ? -1 : trapeze_job_await(device, number, end);
}

int trapeze_job_cancel(int device, uint64_t number)
{
	return ioctl(device, TRAPEZE_JOB_CANCEL, &number);
}
