/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Jobs on the other hart, for Linux programs: buffers that both harts access, and a call that runs a job on
 * them.
 *
 * docs/remote-jobs.md describes jobs. All functions set errno when they fail.
 *
 * @code
 * |const int device = trapeze_open();
 * |struct trapeze_job job = {0};
 * |double *const in = trapeze_buffer(device, BYTES), *const out = trapeze_buffer(device, BYTES);
 * |
 * |trapeze_job_load(&job, device, "square.bin");
 * |trapeze_job_pass(&job, in, BYTES, TRAPEZE_REGION_READ);
 * |trapeze_job_pass(&job, out, BYTES, TRAPEZE_REGION_WRITE);
 * |if (trapeze_job_run(&job, device) == 0 && job.status == TRAPEZE_JOB_DONE) { ... }
 * @endcode
 */
#ifndef TRAPEZE_JOBS_H_
#define TRAPEZE_JOBS_H_

#include <stddef.h>
#include <stdint.h>
#include <trapeze/ring.h>
#include <trapeze_job.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @return A descriptor of the device; -1: errno gives the reason (ENODEV: the other hart has no server). */
int trapeze_open(void);

/**
 * @brief Make a buffer of at least @p bytes, zeroed, whose parts can be regions of jobs. munmap() with the size of
 * trapeze_buffer_bytes() ends it.
 *
 * @return NULL: errno gives the reason.
 */
void *trapeze_buffer(int device, size_t bytes);

/** @return Size of the buffer that trapeze_buffer() makes for @p bytes: the next power of two, at least a page;
 * 0: there is none, and trapeze_buffer() fails with ENOMEM. */
size_t trapeze_buffer_bytes(size_t bytes);

/**
 * @brief Load the code of a job, made by `trapeze cc --job`, into a buffer of its own, and make it region 0.
 *
 * @param job All zero.
 * @return 0, or -1: errno gives the reason.
 */
int trapeze_job_load(struct trapeze_job *job, int device, const char *file);

/**
 * @brief Give the job the next region, which is the next argument of its main().
 *
 * @param start In a buffer, a multiple of 64.
 * @param bytes Rounded up to a multiple of 64.
 * @param flags TRAPEZE_REGION_READ, _WRITE or both.
 * @return 0, or -1: errno E2BIG, the job already has the most regions.
 */
int trapeze_job_pass(struct trapeze_job *job, void *start, size_t bytes, unsigned int flags);

/**
 * @brief Run a job and wait for its end, without a time limit. A signal with a handler cancels it (EINTR).
 *
 * @return 0: it has ended, job->status says how. -1: errno gives the reason.
 */
int trapeze_job_run(struct trapeze_job *job, int device);

/**
 * @brief Run a job and wait for its end.
 *
 * @param limit_ms Time limit in milliseconds, from the job's beginning on; 0: none.
 * @return 0: it has ended, @p end says how. -1: errno gives the reason.
 */
int trapeze_job_call(const struct trapeze_job *job, int device, uint32_t limit_ms, struct trapeze_end *end);

/**
 * @brief Submit a job, and return at once.
 *
 * @param limit_ms As for trapeze_job_call().
 * @param eventfd Its counter grows by 1 when the job ends; -1: none.
 * @param number Gets the number of the job, for the calls below; not 0.
 * @return 0, or -1: errno gives the reason (EAGAIN: this user, or all together, have the most jobs).
 */
int trapeze_job_submit(const struct trapeze_job *job, int device, uint32_t limit_ms, int eventfd, uint64_t *number);

/**
 * @brief Fetch the end of a submitted job. The program may read the outputs only after that.
 *
 * If the device is O_NONBLOCK it does not wait; poll() reports POLLIN when a job has ended.
 *
 * @param number The job; 0: any job, in the order in which they end.
 * @return 0, or -1: errno gives the reason (EAGAIN: it has not ended; ENOENT: there is no such job, or no job at all;
 * EINTR).
 */
int trapeze_job_fetch(int device, uint64_t number, struct trapeze_end *end);

/**
 * @brief End a submitted job, whether it runs or waits. Its end has to be fetched as usual: it is CANCELLED, or the end
 * that came before.
 *
 * @return 0, or -1: errno ENOENT: the job has ended, or none has this number.
 */
int trapeze_job_cancel(int device, uint64_t number);

/**
 * @brief Describe an end in words, without a newline. For a fault: the access, the buffer that it went to, and the
 * place in the code.
 *
 * @param text Gets the text as far as it fits, and a 0.
 * @return Characters of the whole text, as for snprintf().
 */
int trapeze_end_text(const struct trapeze_end *end, char *text, size_t bytes);

/** @brief The first half of trapeze_job_call(): submit a job, and wait for room. @return As trapeze_job_submit(). */
int trapeze_job_put(const struct trapeze_job *job, int device, uint32_t limit_ms, uint64_t *number);

/** @brief The other half: wait for the end of a job, whatever signals come and even if the device is O_NONBLOCK. */
int trapeze_job_await(int device, uint64_t number, struct trapeze_end *end);

/** Stages of a call. */
enum trapeze_stage {
	TRAPEZE_STAGE_SUBMIT, /* until the job is in the ring, the wait for room included */
	TRAPEZE_STAGE_WAIT,   /* from there until its end is fetched */
	TRAPEZE_STAGE_CALL,   /* both */
	TRAPEZE_STAGES,
};

/** Times of calls in nanoseconds of CLOCK_MONOTONIC. All zero: none yet. Not for several threads at once. */
struct trapeze_times {
	uint64_t (*calls)[TRAPEZE_STAGES]; /* in the order of calls */
	size_t count, room;
};

/** Statistics of a stage. Percentiles are by nearest rank, so each one was measured. */
struct trapeze_statistics {
	uint64_t count, min, p50, p99, max;
};

/** @brief trapeze_job_call(), whose times are recorded if it returns 0. */
int trapeze_times_call(struct trapeze_times *times, const struct trapeze_job *job, int device, uint32_t limit_ms,
		       struct trapeze_end *end);

/** @brief Record a call that the program has timed itself. @return 0, or -1: errno ENOMEM. */
int trapeze_times_add(struct trapeze_times *times, uint64_t submit_ns, uint64_t wait_ns);

/** @return 0, or -1: errno ENODATA, no call is recorded; ENOMEM. */
int trapeze_times_statistics(const struct trapeze_times *times, enum trapeze_stage stage,
			     struct trapeze_statistics *statistics);

/** @brief Free the record, which is empty then. */
void trapeze_times_free(struct trapeze_times *times);

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_JOBS_H_ */
