/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/**
 * @file
 * @brief The ring: two queues in coherent memory between Linux and the hart that runs jobs. docs/remote-jobs.md says what
 * they mean; both sides, and their tests, take the layout from here.
 *
 * Little-endian. Each index that one side writes has a cache line of its own. Indices count entries since the ring was made and
 * wrap at 2^32; entry of index i is i modulo TRAPEZE_RING_ENTRIES. Includer: defines the types of stdint.h, or is the kernel.
 */
#ifndef TRAPEZE_RING_H_
#define TRAPEZE_RING_H_

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

#define TRAPEZE_RING_MAGIC   0x4a5a5254u /* "TRZJ" */
#define TRAPEZE_RING_VERSION 3u
#define TRAPEZE_RING_ENTRIES 64u
#define TRAPEZE_RING_LINE    64u /* bytes of a cache line */
#define TRAPEZE_RING_REGIONS 5u  /* that a job can have, its code among them */
#define TRAPEZE_RING_BELL    1u  /* bells of a mailbox that are the ring's, both ways */
#define TRAPEZE_FIRMWARE_BYTES 0x80000u /* of main memory, from its beginning on: of the firmware below Linux, no job's */
#define TRAPEZE_RING_NO_JOB  0xffffffffffffffffULL /* no job has this number */

/** What a job may do with a region, and what is in it when the job begins and ends. */
#define TRAPEZE_REGION_READ    1u /* the job loads from it: an input */
#define TRAPEZE_REGION_WRITE   2u /* the job stores to it: an output */
#define TRAPEZE_REGION_EXECUTE 4u /* code: region 0, and no other */

/** What the server does with an entry. */
#define TRAPEZE_RING_RUN     0u /* it runs the job */
#define TRAPEZE_RING_PREPARE 1u /* it prepares the job for calls by channel `of` (trapeze/channel.h); result: its handle */
#define TRAPEZE_RING_DROP    2u /* it ends the prepared job with handle `of`, or all, and forgets it; no regions */
#define TRAPEZE_RING_ALL     0xffffffffu /* no handle: all prepared jobs */

/** How a job ended. */
#define TRAPEZE_JOB_DONE       0u /* its main() returned */
#define TRAPEZE_JOB_FAULT      1u /* an exception that it raised ended it */
#define TRAPEZE_JOB_REFUSED    2u /* its descriptor is malformed: nothing of it ran */
#define TRAPEZE_JOB_NO_ROOM    3u /* no memory for its task: nothing of it ran */
#define TRAPEZE_JOB_CANCELLED  4u /* Linux did not want it any more */
#define TRAPEZE_JOB_TIME_LIMIT 5u /* it took longer than it may */
#define TRAPEZE_JOB_LOST       6u /* never in the ring: the server began anew or is broken, nobody knows how it ended */

/** REFUSED: what is wrong, where it is not a region, whose number stands there else. */
#define TRAPEZE_REFUSED_REST    (-1) /* none of the regions: another field */
#define TRAPEZE_REFUSED_VERSION (-2) /* Linux speaks another version of this contract */

/** Where the address of a fault is: the number of one of the job's regions, or one of these. */
#define TRAPEZE_PLACE_STACK	  5u /* the job's stack */
#define TRAPEZE_PLACE_BELOW_STACK 6u /* below its stack, not below its sp: it has run over */
#define TRAPEZE_PLACE_NONE	  7u /* nothing of the job's */

struct trapeze_ring_region {
	uint64_t address; /* physical, a multiple of 64 */
	uint32_t bytes;   /* a multiple of 64, not 0 */
	uint32_t flags;   /* TRAPEZE_REGION_* */
};

/** A job, from Linux. 128 bytes. */
struct trapeze_ring_job {
	uint64_t id;	/* comes back in the end of the job; not TRAPEZE_RING_NO_JOB */
	uint32_t count; /* of regions, 1 to TRAPEZE_RING_REGIONS; DROP: 0 */
	uint32_t what;	/* TRAPEZE_RING_RUN, _PREPARE or _DROP */
	struct trapeze_ring_region regions[TRAPEZE_RING_REGIONS];
	uint64_t limit; /* of its time, or of each call's, in ticks of mtime from its beginning on; 0: none */
	uint32_t of;	/* PREPARE: number of a channel; DROP: a handle; RUN: 0 */
	uint32_t unused;
	uint64_t reserved[2];
};

/** The end of a job, to Linux. 64 bytes. */
struct trapeze_ring_end {
	uint64_t id;
	uint32_t status;  /* TRAPEZE_JOB_* */
	uint32_t cause;	  /* FAULT: as mcause */
	uint64_t address; /* FAULT: as mtval */
	uint64_t pc;	  /* FAULT, CANCELLED, TIME_LIMIT: of the instruction that it was at, as mepc */
	int64_t result;	  /* DONE: what main() returned; REFUSED: number of the region that is wrong, or TRAPEZE_REFUSED_* */
	uint32_t place;	  /* FAULT: of `address`: number of a region, or TRAPEZE_PLACE_* */
	uint32_t unused;
	uint64_t reserved[2];
};

struct trapeze_ring {
	uint32_t magic; /* written last when the server is ready; 0 before */
	uint32_t version;
	uint32_t entries;
	uint32_t generation; /* of the server: counts its starts */
	uint64_t line0[6];
	uint32_t jobs_in; /* Linux: jobs put in */
	uint32_t client;  /* Linux: version of this contract that it speaks, before its first job */
	uint32_t cancels; /* Linux: how often it has written to `cancel` */
	uint32_t line1[13];
	uint32_t jobs_out; /* server: jobs taken out */
	uint32_t line2[15];
	uint32_t ends_in; /* server: ends put in */
	uint32_t line3[15];
	uint32_t ends_out; /* Linux: ends taken out */
	uint32_t line4[15];
	struct trapeze_ring_job jobs[TRAPEZE_RING_ENTRIES];
	struct trapeze_ring_end ends[TRAPEZE_RING_ENTRIES];
	/* Linux: jobs to be cancelled, each at the index that is its number modulo TRAPEZE_RING_ENTRIES; else TRAPEZE_RING_NO_JOB */
	uint64_t cancel[TRAPEZE_RING_ENTRIES];
};

_Static_assert(sizeof(struct trapeze_ring_job) == 128, "two cache lines");
_Static_assert(sizeof(struct trapeze_ring_end) == 64, "one cache line");

#endif /* TRAPEZE_RING_H_ */
