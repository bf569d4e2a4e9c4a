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

/** Run a job and wait for its end. */
#define TRAPEZE_JOB_RUN _IOWR('T', 0x50, struct trapeze_job)

#endif /* TRAPEZE_JOB_H_ */
