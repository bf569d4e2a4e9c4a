/* Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/**
 * @file
 * @brief /dev/trapeze: what a program includes to run jobs on the hart beside. docs/remote-jobs.md describes the calls.
 *
 * Values of TRAPEZE_REGION_* and TRAPEZE_JOB_* are those of trapeze/ring.h, which an includer of both gets the same from.
 */
#ifndef TRAPEZE_JOB_H_
#define TRAPEZE_JOB_H_

#include <linux/ioctl.h>
#include <linux/types.h>

#define TRAPEZE_JOB_REGIONS 5

/** A part of a buffer. */
struct trapeze_region {
	__u64 address; /* in the caller's memory, a multiple of 64 */
	__u64 bytes;   /* a multiple of 64, not 0 */
	__u32 flags;   /* TRAPEZE_REGION_*, in <trapeze/ring.h> */
	__u32 reserved; /* 0 */
};

/** A job; what is behind `regions` is written when it has ended. */
struct trapeze_job {
	__u32 count; /* of regions, 1 to TRAPEZE_JOB_REGIONS; region 0 is the code */
	__u32 flags; /* 0 */
	struct trapeze_region regions[TRAPEZE_JOB_REGIONS];
	__s64 result;  /* what its main() returned, if it is done */
	__u32 status;  /* TRAPEZE_JOB_*, in <trapeze/ring.h> */
	__u32 cause;   /* of the exception, as mcause, if it is a fault */
	__u64 address; /* of the access that faulted, physical */
	__u64 pc;      /* of the instruction that faulted, physical */
};

/** Flags of a submission. */
#define TRAPEZE_SUBMIT_EVENTFD 1 /* 1 is added to `eventfd` when the job ends */
#define TRAPEZE_SUBMIT_WAIT    2 /* waits for an entry of the ring where all are taken */

/** A job that its caller does not wait for. */
struct trapeze_submission {
	__u32 count; /* of regions, as in struct trapeze_job */
	__u32 flags; /* TRAPEZE_SUBMIT_* */
	struct trapeze_region regions[TRAPEZE_JOB_REGIONS];
	__u32 limit_ms; /* milliseconds of Linux' clock that it may take from its beginning on; 0: any */
	__s32 eventfd;	/* 0 without TRAPEZE_SUBMIT_EVENTFD */
	__u64 job;	/* written: its number, which is not 0 */
};

/** Flag of a fetch. */
#define TRAPEZE_FETCH_WAIT 1 /* wait, even where the file is O_NONBLOCK */

/** Not within the region. */
#define TRAPEZE_NO_OFFSET 0xffffffffffffffffULL

/** The end of a job. */
struct trapeze_end {
	__u64 job;	 /* read: the job that is meant, 0: the first one that has ended; written: its number */
	__s64 result;	 /* DONE: what its main() returned */
	__u32 status;	 /* TRAPEZE_JOB_*, in <trapeze/ring.h> */
	__u32 cause;	 /* FAULT: of the exception, as mcause */
	__u32 place;	 /* FAULT: what `address` lies in: number of a region, or TRAPEZE_PLACE_* */
	__u32 flags;	 /* read: TRAPEZE_FETCH_*; written: 0 */
	__u64 address;	 /* FAULT: of the access, physical */
	__u64 offset;	 /* of `address` in its region, or TRAPEZE_NO_OFFSET */
	__u64 pc;	 /* FAULT, CANCELLED, TIME_LIMIT: of the instruction that it was at, physical */
	__u64 pc_offset; /* of `pc` in the job's code, or TRAPEZE_NO_OFFSET */
};

/** Run a job and wait for its end. */
#define TRAPEZE_JOB_RUN _IOWR('T', 0x50, struct trapeze_job)
/** Put a job in and return. */
#define TRAPEZE_JOB_SUBMIT _IOWR('T', 0x51, struct trapeze_submission)
/** Take the end of a job that was submitted. */
#define TRAPEZE_JOB_FETCH _IOWR('T', 0x52, struct trapeze_end)
/** End a job that was submitted, by its number. */
#define TRAPEZE_JOB_CANCEL _IOW('T', 0x53, __u64)

#endif /* TRAPEZE_JOB_H_ */
