/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Calls of jobs that are prepared once: a call is a few stores and a doorbell, without the kernel.
 *
 * docs/remote-jobs.md, "Calls", describes them. Functions that return an int set errno when they fail.
 *
 * @code
 * |struct trapeze_calls calls;
 * |struct trapeze_prepared square;
 * |struct trapeze_answer answer;
 * |
 * |trapeze_calls_open(&calls, device);
 * |trapeze_prepare(&square, &calls, &job, 0); // a struct trapeze_job, as for trapeze_job_run()
 * |in[7] = 3;
 * |trapeze_wrote(&square, 1, 0, BYTES);       // region 1 of the job: since the last call the program has written it
 * |trapeze_wants(&square, 2, 0, BYTES);       // region 2: it will read it after the call
 * |if (trapeze_call(&square, 5, 0, 0, &answer) == 0 && answer.status == TRAPEZE_JOB_DONE) { ... }
 * @endcode
 *
 * The fifth to seventh argument of the job's main() are those of the call; the first four are its regions, as always. What
 * the job keeps in its memory is there in the next call, but for its stack and for variables without an initial value, which
 * are 0 in each call.
 *
 * A struct trapeze_calls and what is prepared with it are for one thread at a time.
 */
#ifndef TRAPEZE_CALLS_H_
#define TRAPEZE_CALLS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <trapeze/channel.h>
#include <trapeze/ring.h>
#include <trapeze_job.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A channel to the server. */
struct trapeze_calls {
	int device;
	struct trapeze_channel *channel;
	volatile uint32_t *bell;
	uint32_t next;	/* number of the next call */
	uint32_t ended; /* all calls before this number have ended */
	unsigned int arguments; /* number of those that calls have had, to the last one that was not 0 */
};

/** Bytes of a region from `begin` to before `end`; none if these are equal. */
struct trapeze_part {
	size_t begin, end;
};

/** A prepared job. */
struct trapeze_prepared {
	struct trapeze_calls *calls;
	uint32_t handle;
	uint32_t ranged; /* a bit for each region with a part that is not empty */
	struct trapeze_region regions[TRAPEZE_JOB_REGIONS];
	struct trapeze_part fresh[TRAPEZE_JOB_REGIONS];	 /* what the program has written since the last call */
	struct trapeze_part wanted[TRAPEZE_JOB_REGIONS]; /* what it reads after the next one */
};

/** @brief Give the device's channel to the program. @return 0, or -1: errno EBUSY, all channels are taken. */
int trapeze_calls_open(struct trapeze_calls *calls, int device);

/** @brief Give the channel back. Prepared jobs have to be dropped before. */
void trapeze_calls_close(struct trapeze_calls *calls);

/**
 * @brief Have a job prepared: its regions are judged now, and belong to it until trapeze_prepared_drop().
 *
 * @param limit_ms Time limit of each call in milliseconds; 0: none.
 * @return 0, or -1: errno gives the reason (ENOSPC: the server has no room for another one).
 */
int trapeze_prepare(struct trapeze_prepared *prepared, struct trapeze_calls *calls, const struct trapeze_job *job,
		    uint32_t limit_ms);

/**
 * @brief End a prepared job. A call of it that runs ends with status CANCELLED; when the channel has no job left, calls that
 * have not begun end with REFUSED. On return 0 these ends are there, the job's buffers are the program's again, and there is
 * room for another job.
 *
 * @return 0, or -1: errno ENOENT, there is none; EINTR, a signal with a handler came first; ETIMEDOUT, the server did not
 * answer for a second. After EINTR and ETIMEDOUT the job is dropped soon, and not to be dropped again.
 */
int trapeze_prepared_drop(struct trapeze_prepared *prepared);

/**
 * @brief Say that the program has written bytes of a region since the last call, so that the job sees them.
 *
 * @param region Number of the region in the job, 1 for the first buffer that was passed.
 */
static inline void trapeze_wrote(struct trapeze_prepared *prepared, unsigned int region, size_t offset, size_t bytes);

/** @brief Say that the program will read bytes of a region after the next call, so that it sees what the job has
 * written. Until that call has ended it neither reads nor writes them. */
static inline void trapeze_wants(struct trapeze_prepared *prepared, unsigned int region, size_t offset, size_t bytes);

/**
 * @brief Call a job, and spin until it has ended.
 *
 * @param answer Gets its end: status, result, and where a fault was.
 * @return 0, or -1: errno EIO, the server was restarted; EBUSY, as many calls are in flight as a channel has places.
 */
int trapeze_call(struct trapeze_prepared *prepared, uint64_t a, uint64_t b, uint64_t c, struct trapeze_answer *answer);

/**
 * @brief Begin a call.
 *
 * @param number Gets the number of the call.
 * @return 0, or -1: errno EBUSY, as many calls are in flight as a channel has places.
 */
int trapeze_call_begin(struct trapeze_prepared *prepared, uint64_t a, uint64_t b, uint64_t c, uint32_t *number);

/**
 * @brief Wait for the end of a call. Ends are kept until TRAPEZE_CHANNEL_CALLS further calls have begun.
 *
 * @param spins Looks at the answer so often, and then sleeps.
 * @param timeout_ms Longest sleep in milliseconds; 0: no limit.
 * @return 0, or -1: errno EIO, ETIMEDOUT, EINTR.
 */
int trapeze_call_end(struct trapeze_prepared *prepared, uint32_t number, uint32_t spins, uint32_t timeout_ms,
		     struct trapeze_answer *answer);

/** Spins as long as it takes. */
#define TRAPEZE_SPIN UINT32_MAX

/* ---------------------------------------------------------------- inline */

static inline void trapeze_part_add_(struct trapeze_part *part, size_t offset, size_t bytes)
{
	if (bytes == 0) {
		return;
	}
	if (part->begin == part->end) {
		*part = (struct trapeze_part){offset, offset + bytes};
	} else {
		part->begin = offset < part->begin ? offset : part->begin;
		part->end = offset + bytes > part->end ? offset + bytes : part->end;
	}
}

static inline void trapeze_wrote(struct trapeze_prepared *prepared, unsigned int region, size_t offset, size_t bytes)
{
	prepared->ranged |= bytes != 0 ? 1U << region : 0U;
	trapeze_part_add_(&prepared->fresh[region], offset, bytes);
}

static inline void trapeze_wants(struct trapeze_prepared *prepared, unsigned int region, size_t offset, size_t bytes)
{
	prepared->ranged |= bytes != 0 ? 1U << region : 0U;
	trapeze_part_add_(&prepared->wanted[region], offset, bytes);
}

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_CALLS_H_ */
