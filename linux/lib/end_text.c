/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "trapeze_jobs.h"

enum {
	PART_BYTES = 64,
};

/** Name of an exception. The index is its code: RISC-V Privileged Architecture, table of mcause. */
struct kind {
	const char *name;
	bool is_access; /* whether trapeze_end.address is an address */
};

static const struct kind kinds[] = {
    [0] = {"misaligned fetch from", true}, [1] = {"fetch from", true},
    [2] = {"illegal instruction", false},  [3] = {"breakpoint", false},
    [4] = {"misaligned load from", true},  [5] = {"load from", true},
    [6] = {"misaligned store to", true},   [7] = {"store to", true},
    [8] = {"system call", false},
};

static struct kind kind_of(uint32_t cause)
{
	if (cause < sizeof(kinds) / sizeof(kinds[0])) {
		return kinds[cause];
	}
	return (struct kind){"unknown exception", false};
}

/** Says what lies at the address of a fault. */
static void say_place(const struct trapeze_end *end, char *text)
{
	switch (end->place) {
	case TRAPEZE_PLACE_STACK:
		snprintf(text, PART_BYTES, "the stack");
		break;
	case TRAPEZE_PLACE_BELOW_STACK:
		snprintf(text, PART_BYTES, "memory below the stack, which is full");
		break;
	case TRAPEZE_PLACE_NONE:
		snprintf(text, PART_BYTES, "0x%" PRIx64 ", which is not the job's", (uint64_t)end->address);
		break;
	case 0:
		snprintf(text, PART_BYTES, "the code + 0x%" PRIx64, (uint64_t)end->offset);
		break;
	default:
		snprintf(text, PART_BYTES, "buffer %" PRIu32 " + 0x%" PRIx64, end->place, (uint64_t)end->offset);
	}
}

/** Says where in its code the job was. */
static void say_pc(const struct trapeze_end *end, char *text)
{
	if (end->pc_offset != TRAPEZE_NO_OFFSET) {
		snprintf(text, PART_BYTES, "at code + 0x%" PRIx64, (uint64_t)end->pc_offset);
	} else {
		snprintf(text, PART_BYTES, "at 0x%" PRIx64 ", outside of the code", (uint64_t)end->pc);
	}
}

static int say_fault(const struct trapeze_end *end, const char *pc, char *text, size_t bytes)
{
	const struct kind kind = kind_of(end->cause);
	char place[PART_BYTES];

	if (!kind.is_access) {
		return snprintf(text, bytes, "fault: %s (cause %" PRIu32 "), %s", kind.name, end->cause, pc);
	}
	say_place(end, place);
	return snprintf(text, bytes, "fault: %s %s, %s", kind.name, place, pc);
}

static int say_refused(const struct trapeze_end *end, char *text, size_t bytes)
{
	switch (end->result) {
	case TRAPEZE_REFUSED_VERSION:
		return snprintf(text, bytes, "refused: the server speaks another version than the driver");
	case TRAPEZE_REFUSED_REST:
		return snprintf(text, bytes, "refused: the server takes the descriptor for malformed");
	default:
		return snprintf(text, bytes, "refused: the server takes region %" PRId64 " for malformed",
				(int64_t)end->result);
	}
}

int trapeze_end_text(const struct trapeze_end *end, char *text, size_t bytes)
{
	char pc[PART_BYTES];

	say_pc(end, pc);
	switch (end->status) {
	case TRAPEZE_JOB_DONE:
		return snprintf(text, bytes, "done: result %" PRId64, (int64_t)end->result);
	case TRAPEZE_JOB_FAULT:
		return say_fault(end, pc, text, bytes);
	case TRAPEZE_JOB_REFUSED:
		return say_refused(end, text, bytes);
	case TRAPEZE_JOB_NO_ROOM:
		return snprintf(text, bytes, "no room: the other hart has no memory for it now");
	case TRAPEZE_JOB_CANCELLED:
		return snprintf(text, bytes, "cancelled: %s", pc);
	case TRAPEZE_JOB_TIME_LIMIT:
		return snprintf(text, bytes, "over its time limit: %s", pc);
	case TRAPEZE_JOB_LOST:
		return snprintf(text, bytes, "lost: the server began anew, or is broken");
	default:
		return snprintf(text, bytes, "unknown status %" PRIu32, end->status);
	}
}
