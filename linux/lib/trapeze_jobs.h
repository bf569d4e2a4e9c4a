/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Jobs on the hart beside, for Linux programs: buffers that both reach, and a call that runs a job on them.
 *
 * docs/remote-jobs.md says what a job is. All functions set errno where they fail.
 *
 * @code
 * const int device = trapeze_open();
 * struct trapeze_job job = {0};
 * double *const in = trapeze_buffer(device, BYTES), *const out = trapeze_buffer(device, BYTES);
 *
 * trapeze_job_load(&job, device, "square.bin");
 * trapeze_job_pass(&job, in, BYTES, TRAPEZE_REGION_READ);
 * trapeze_job_pass(&job, out, BYTES, TRAPEZE_REGION_WRITE);
 * if (trapeze_job_run(&job, device) == 0 && job.status == TRAPEZE_JOB_DONE) { ... }
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

/** @return A descriptor of the device; -1: errno says why (ENODEV: the other hart has no server). */
int trapeze_open(void);

/**
 * @brief A buffer of at least @p bytes that jobs can be given parts of, zeroed; munmap() with the rounded size ends it.
 *
 * @return NULL: errno says why.
 */
void *trapeze_buffer(int device, size_t bytes);

/** @return What trapeze_buffer() makes of @p bytes: the power of two, a page at least. */
size_t trapeze_buffer_bytes(size_t bytes);

/**
 * @brief Load the code of a job, as `trapeze cc --job` makes it, into a buffer of its own, and make it region 0.
 *
 * @param job All zero.
 * @return 0, or -1: errno says why.
 */
int trapeze_job_load(struct trapeze_job *job, int device, const char *file);

/**
 * @brief Give the job the next region, the next argument of its main().
 *
 * @param start In a buffer, a multiple of 64.
 * @param bytes Rounded up to a multiple of 64.
 * @param flags TRAPEZE_REGION_READ, _WRITE or both.
 * @return 0, or -1: errno E2BIG, it has all that it can have.
 */
int trapeze_job_pass(struct trapeze_job *job, void *start, size_t bytes, unsigned int flags);

/**
 * @brief Run a job and wait for its end, without a time limit.
 *
 * @return 0: it has ended, job->status says how. -1: errno says why not.
 */
int trapeze_job_run(struct trapeze_job *job, int device);

/**
 * @brief Run a job and wait for its end.
 *
 * @param limit_ms Milliseconds that it may take from its beginning on; 0: any.
 * @return 0: it has ended, @p end says how. -1: errno says why not.
 */
int trapeze_job_call(const struct trapeze_job *job, int device, uint32_t limit_ms, struct trapeze_end *end);

/**
 * @brief Put a job in, and return at once.
 *
 * @param limit_ms As for trapeze_job_call().
 * @param eventfd To which 1 is added when it ends; -1: none.
 * @param number Of the job, for the calls below; not 0.
 * @return 0, or -1: errno says why (EAGAIN: as many of this device, or of all, are in flight as there can be).
 */
int trapeze_job_submit(const struct trapeze_job *job, int device, uint32_t limit_ms, int eventfd, uint64_t *number);

/**
 * @brief Take the end of a submitted job. Only from then on its outputs are there to be read.
 *
 * Where the device is O_NONBLOCK it does not wait; poll() says with POLLIN that there is an end.
 *
 * @param number The job that is meant; 0: any, in the order in which they end.
 * @return 0, or -1: errno says why (EAGAIN: it has not ended; ENOENT: there is no such job, or none at all; EINTR).
 */
int trapeze_job_fetch(int device, uint64_t number, struct trapeze_end *end);

/**
 * @brief End a submitted job, wherever it is. Its end is fetched as any other: CANCELLED, or what it was before.
 *
 * @return 0, or -1: errno ENOENT: it has ended, or there was none of that number.
 */
int trapeze_job_cancel(int device, uint64_t number);

/**
 * @brief What an end means, in words, without a line's end: which access to which of its buffers a fault was, and where in its code.
 *
 * @param text Gets as much as there is room for, and a 0.
 * @return Characters of the whole text, as snprintf().
 */
int trapeze_end_text(const struct trapeze_end *end, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_JOBS_H_ */
