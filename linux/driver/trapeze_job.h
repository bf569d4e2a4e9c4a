/* Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/**
 * @file
 * @brief /dev/trapeze: the header that a program includes to run jobs on the other hart. docs/remote-jobs.md describes
 * the calls.
 *
 * The values of TRAPEZE_REGION_* and TRAPEZE_JOB_* are in trapeze/ring.h.
 */
#ifndef TRAPEZE_JOB_H_
#define TRAPEZE_JOB_H_

#include <linux/ioctl.h>
#include <linux/types.h>

#define TRAPEZE_JOB_REGIONS 5

/** A region of a job: a part of a buffer. */
struct trapeze_region {
	__u64 address; /* virtual address in the caller's memory, a multiple of 64 */
	__u64 bytes;   /* a multiple of 64, not 0 */
	__u32 flags;   /* TRAPEZE_REGION_*, in <trapeze/ring.h> */
	__u32 reserved; /* must be 0 */
};

/** A job and its end. The fields behind `regions` are written when the job has ended. */
struct trapeze_job {
	__u32 count; /* number of regions, 1 to TRAPEZE_JOB_REGIONS; region 0 is the code */
	__u32 flags; /* must be 0 */
	struct trapeze_region regions[TRAPEZE_JOB_REGIONS];
	__s64 result;  /* DONE: result of its main() */
	__u32 status;  /* TRAPEZE_JOB_*, in <trapeze/ring.h> */
	__u32 cause;   /* FAULT: cause of the exception, as in mcause */
	__u64 address; /* FAULT: physical address of the access */
	__u64 pc;      /* FAULT: physical address of the instruction */
};

/** Flags of a submission. */
#define TRAPEZE_SUBMIT_EVENTFD 1 /* add 1 to `eventfd` when the job ends */
#define TRAPEZE_SUBMIT_WAIT    2 /* wait for an entry of the ring if all are taken */

/** A job that its caller does not wait for. */
struct trapeze_submission {
	__u32 count; /* number of regions, as in struct trapeze_job */
	__u32 flags; /* TRAPEZE_SUBMIT_* */
	struct trapeze_region regions[TRAPEZE_JOB_REGIONS];
	__u32 limit_ms; /* time limit in milliseconds of Linux' clock, from the job's beginning on; 0: none */
	__s32 eventfd;	/* must be 0 without TRAPEZE_SUBMIT_EVENTFD */
	__u64 job;	/* written: number of the job, not 0 */
};

/** Flag of a fetch. */
#define TRAPEZE_FETCH_WAIT 1 /* wait, even if the file is O_NONBLOCK */

/** An offset that says: not within the region. */
#define TRAPEZE_NO_OFFSET 0xffffffffffffffffULL

/** The end of a job. */
struct trapeze_end {
	__u64 job;	 /* read: number of the job, 0: the first one that has ended; written: its number */
	__s64 result;	 /* DONE: result of its main() */
	__u32 status;	 /* TRAPEZE_JOB_*, in <trapeze/ring.h> */
	__u32 cause;	 /* FAULT: cause of the exception, as in mcause */
	__u32 place;	 /* FAULT: region that contains `address`, or TRAPEZE_PLACE_* */
	__u32 flags;	 /* read: TRAPEZE_FETCH_*; written: 0 */
	__u64 address;	 /* FAULT: physical address of the access */
	__u64 offset;	 /* offset of `address` in its region, or TRAPEZE_NO_OFFSET */
	__u64 pc;	 /* FAULT, CANCELLED, TIME_LIMIT: physical address of the current instruction */
	__u64 pc_offset; /* offset of `pc` in the job's code, or TRAPEZE_NO_OFFSET */
};

/** A job that is prepared for calls (trapeze/channel.h). */
struct trapeze_preparation {
	__u32 count; /* number of regions, as in struct trapeze_job */
	__u32 flags; /* must be 0 */
	struct trapeze_region regions[TRAPEZE_JOB_REGIONS];
	__u32 limit_ms; /* time limit of each call, as in struct trapeze_submission; 0: none */
	__u32 handle;	/* written: what calls name the job by */
};

/** A wait for the end of a call. */
struct trapeze_call_wait {
	__u32 number;	  /* of the call */
	__u32 timeout_ms; /* longest wait; 0: no limit */
};

/** Offsets for mmap(), a page each, shared. The first call of a file makes its channel. */
#define TRAPEZE_MAP_CHANNEL 0x100000 /* the channel; struct trapeze_channel */
#define TRAPEZE_MAP_BELL    0x101000 /* its doorbell: 1 as a word at the beginning rings */

/** Run a job and wait for its end. */
#define TRAPEZE_JOB_RUN _IOWR('T', 0x50, struct trapeze_job)
/** Submit a job, and return at once. */
#define TRAPEZE_JOB_SUBMIT _IOWR('T', 0x51, struct trapeze_submission)
/** Fetch the end of a submitted job. */
#define TRAPEZE_JOB_FETCH _IOWR('T', 0x52, struct trapeze_end)
/** Cancel a submitted job, by its number. */
#define TRAPEZE_JOB_CANCEL _IOW('T', 0x53, __u64)
/** Prepare a job for calls by the channel of the file. */
#define TRAPEZE_CALL_PREPARE _IOWR('T', 0x54, struct trapeze_preparation)
/** End a prepared job, by its handle. */
#define TRAPEZE_CALL_DROP _IOW('T', 0x55, __u32)
/** Sleep until a call has ended. */
#define TRAPEZE_CALL_WAIT _IOW('T', 0x56, struct trapeze_call_wait)

#endif /* TRAPEZE_JOB_H_ */
