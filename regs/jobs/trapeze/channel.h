/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/**
 * @file
 * @brief A channel: a page of coherent memory by which one program calls the jobs that it has prepared, without its
 * operating system. docs/remote-jobs.md says what the fields mean; both sides take the layout from here.
 *
 * Channels stand behind the ring in region `ring`. The driver maps each one, with the doorbell of the same number, into one
 * program at most. Includer: defines the types of stdint.h, or is the kernel.
 */
#ifndef TRAPEZE_CHANNEL_H_
#define TRAPEZE_CHANNEL_H_

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

#define TRAPEZE_CHANNELS	8u
#define TRAPEZE_CHANNEL_OFFSET	0x4000u /* of channel 0 from the ring's beginning; others follow */
#define TRAPEZE_CHANNEL_BYTES	4096u
#define TRAPEZE_CHANNEL_CALLS	16u /* that can be in flight */
#define TRAPEZE_PREPARED	32u /* jobs that can be prepared at a time, of all channels */
#define TRAPEZE_CALL_ARGUMENTS	3u
#define TRAPEZE_CALL_RANGES	4u

/** What a range is. */
#define TRAPEZE_RANGE_FRESH  1u /* the program has written it since the last call: the job's hart drops what its cache has */
#define TRAPEZE_RANGE_WANTED 2u /* the program reads it after the call: the job's hart writes it back */

/** Cache lines of a region of the job. */
struct trapeze_call_range {
	union {
		struct {
			uint8_t region; /* number of the region */
			uint8_t what;	/* TRAPEZE_RANGE_* */
			uint16_t reserved;
			uint16_t first; /* of 2^16 lines; larger regions are handed over as a whole, by TRAPEZE_RING_RUN */
			uint16_t last;
		};
		uint64_t all; /* all of them, since an access to a channel takes time */
	};
};

/** A call, from the program. */
struct trapeze_call {
	/* These are written by one store, after all other fields. Calls of a channel are numbered from `first` on, and call n is
	 * element n modulo TRAPEZE_CHANNEL_CALLS. */
	union {
		struct {
			uint32_t number;
			uint16_t handle;
			uint16_t count; /* of ranges */
		};
		uint64_t head; /* all three */
	};
	uint64_t arguments[TRAPEZE_CALL_ARGUMENTS]; /* fifth and further arguments of main() */
	struct trapeze_call_range ranges[TRAPEZE_CALL_RANGES];
};

/** Its end, from the server. */
struct trapeze_answer {
	/* Both are written after all other fields, `number` last. */
	union {
		struct {
			uint32_t number; /* of the call */
			uint32_t status; /* TRAPEZE_JOB_* of trapeze/ring.h */
		};
		uint64_t head; /* both */
	};
	int64_t result;	  /* DONE: result of main() */
	uint64_t address; /* FAULT: as mtval */
	uint64_t pc;	  /* FAULT, TIME_LIMIT: of the current instruction */
	uint32_t cause;	  /* FAULT: as mcause */
	uint32_t place;	  /* FAULT: of `address`: number of a region, or TRAPEZE_PLACE_* */
	uint64_t reserved[3];
};

struct trapeze_channel {
	uint32_t sleeps; /* program: not 0: it waits for a ring of the doorbell when a call has ended */
	uint32_t lost;	 /* driver: not 0: the server has lost the prepared jobs */
	uint32_t first;	 /* program: number of the first call, before its first job is prepared, and when all were dropped */
	uint32_t reserved0;
	uint64_t reserved[6];
	struct trapeze_call calls[TRAPEZE_CHANNEL_CALLS];
	struct trapeze_answer answers[TRAPEZE_CHANNEL_CALLS];
};

_Static_assert(sizeof(struct trapeze_call) == 64, "one cache line");
_Static_assert(sizeof(struct trapeze_answer) == 64, "one cache line");
_Static_assert(sizeof(struct trapeze_channel) <= TRAPEZE_CHANNEL_BYTES, "one page");

#endif /* TRAPEZE_CHANNEL_H_ */
