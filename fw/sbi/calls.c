/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The calls of supervisor mode: extensions base, TIME, IPI, RFENCE, HSM, SRST, and those of version 0.1 that
 * Linux's console uses.
 *
 * Source: RISC-V Supervisor Binary Interface Specification 1.0, chapters 4 to 10.
 */
#include <trapeze/cell.h>

#include "sbi.h"

#define SPEC_VERSION 0x01000000 /* 1.0 */

/** Implementation number: none is assigned to Trapeze; this one is far from those that are. */
#define IMPLEMENTATION 0x54525a /* "TRZ" */

enum extension {
	LEGACY_SET_TIMER = 0x0,
	LEGACY_PUTCHAR = 0x1,
	LEGACY_GETCHAR = 0x2,
	LEGACY_SHUTDOWN = 0x8,
	BASE = 0x10,
	TIME = 0x54494d45,
	IPI = 0x735049,
	RFENCE = 0x52464e43,
	HSM = 0x48534d,
	SRST = 0x53525354,
};

enum base_function {
	BASE_SPEC_VERSION,
	BASE_IMPLEMENTATION_ID,
	BASE_IMPLEMENTATION_VERSION,
	BASE_PROBE,
	BASE_VENDOR,
	BASE_ARCHITECTURE,
	BASE_MACHINE,
};

enum rfence_function {
	RFENCE_FENCE_I,
	RFENCE_SFENCE_VMA,
	RFENCE_SFENCE_VMA_ASID,
};

enum hsm_function {
	HSM_START,
	HSM_STOP,
	HSM_STATUS,
};

enum reset_type {
	RESET_SHUTDOWN,
	RESET_COLD_REBOOT,
	RESET_WARM_REBOOT,
};

enum reset_reason {
	RESET_NO_REASON,
	RESET_SYSTEM_FAILURE,
};

/** Exit code of a run that ends by a shutdown that Linux gives a failure as reason for. */
#define EXIT_FAILURE_REPORTED 1

static int is_implemented(uint64_t extension)
{
	switch (extension) {
	case LEGACY_SET_TIMER:
	case LEGACY_PUTCHAR:
	case LEGACY_GETCHAR:
	case LEGACY_SHUTDOWN:
	case BASE:
	case TIME:
	case IPI:
	case RFENCE:
	case HSM:
	case SRST:
#ifdef SBI_CELLS
	case TRAPEZE_CELL_EXTENSION:
#endif
		return 1;
	default:
		return 0;
	}
}

/** A result without a value; SBI_SUCCESS is one of the errors, too. */
static struct sbi_result failed(enum sbi_error error)
{
	return (struct sbi_result){.error = error};
}

static struct sbi_result done(int64_t value)
{
	return (struct sbi_result){.value = value};
}

static struct sbi_result base(uint64_t function, uint64_t argument)
{
	switch (function) {
	case BASE_SPEC_VERSION:
		return done(SPEC_VERSION);
	case BASE_IMPLEMENTATION_ID:
		return done(IMPLEMENTATION);
	case BASE_IMPLEMENTATION_VERSION:
		return done(1);
	case BASE_PROBE:
		return done(is_implemented(argument));
	case BASE_VENDOR:
		return done((int64_t)csr_read(CSR_MVENDORID));
	case BASE_ARCHITECTURE:
		return done((int64_t)csr_read(CSR_MARCHID));
	case BASE_MACHINE:
		return done((int64_t)csr_read(CSR_MIMPID));
	default:
		return failed(SBI_ERR_NOT_SUPPORTED);
	}
}

/**
 * A set of harts: a mask, and the hart of its bit 0 (section 3.1). If the latter is all ones, the set is all harts of
 * supervisor mode.
 */
struct hart_set {
	uint64_t mask;
	uint64_t first;
};

static struct hart_set harts_of(const struct sbi_guest *guest, uint64_t mask, uint64_t first)
{
	if (first == UINT64_MAX) {
		return (struct hart_set){guest->harts, 0};
	}
	return (struct hart_set){mask, first};
}

/** Whether all harts of a set are among others, and its first number one that a guest can know. */
static int is_within(const struct sbi_guest *guest, struct hart_set set, uint64_t harts)
{
	return set.first < 64 && ((guest->harts | guest->doorbells) >> set.first) != 0 &&
	       (set.mask << set.first) >> set.first == set.mask &&
	       ((set.mask << set.first) & ~harts) == 0;
}

/**
 * Send an interrupt to each hart of a mask. A hart in supervisor mode gets that mode's software interrupt. Any other
 * hart of the platform runs in machine mode, where its software interrupt is a doorbell.
 */
static struct sbi_result ipi(const struct sbi_guest *guest, struct hart_set set)
{
	if (!is_within(guest, set, guest->harts | guest->doorbells)) {
		return failed(SBI_ERR_INVALID_PARAM);
	}
	for (uint64_t hart = set.first, mask = set.mask; mask != 0; hart++, mask >>= 1) {
		if ((mask & 1) == 0) {
			continue;
		}
		if (sbi_guest_has(guest, hart)) {
			sbi_guest_interrupt(hart);
		} else {
			sbi_doorbell_ring(hart);
		}
	}
	return done(0);
}

static struct sbi_result rfence(const struct sbi_guest *guest, uint64_t function,
				struct hart_set set)
{
	if (function > RFENCE_SFENCE_VMA_ASID) {
		return failed(SBI_ERR_NOT_SUPPORTED);
	}
	if (!is_within(guest, set, guest->harts)) {
		return failed(SBI_ERR_INVALID_PARAM);
	}
	for (uint64_t hart = set.first, mask = set.mask; mask != 0; hart++, mask >>= 1) {
		if ((mask & 1) != 0) {
			sbi_guest_fence(hart, function == RFENCE_FENCE_I);
		}
	}
	return done(0);
}

static struct sbi_result hart_state(const struct sbi_guest *guest, uint64_t function,
				    const uint64_t *a)
{
	switch (function) {
	case HSM_START:
		if (!sbi_guest_has(guest, a[0])) {
			return failed(SBI_ERR_INVALID_PARAM);
		}
		return failed(sbi_guest_start(a[0], a[1], a[2]));
	case HSM_STOP:
		sbi_guest_stop(); /* a virtual hart comes back here, and does not go on */
		return failed(SBI_ERR_FAILED);
	case HSM_STATUS:
		return sbi_guest_has(guest, a[0]) ? done(sbi_guest_state(a[0]))
						  : failed(SBI_ERR_INVALID_PARAM);
	default:
		return failed(SBI_ERR_NOT_SUPPORTED);
	}
}

static struct sbi_result reset(uint64_t function, uint64_t type, uint64_t reason)
{
	if (function != 0) {
		return failed(SBI_ERR_NOT_SUPPORTED);
	}
	const int has_code = reason >= TRAPEZE_CELL_REASON_CODE && reason <= UINT32_MAX;

	if (reason > RESET_SYSTEM_FAILURE && !has_code) {
		return failed(SBI_ERR_INVALID_PARAM);
	}
	switch (type) {
	case RESET_SHUTDOWN:
		sbi_guest_end(has_code                    ? (unsigned int)(reason & UINT16_MAX)
			      : reason == RESET_NO_REASON ? 0
							  : EXIT_FAILURE_REPORTED);
	case RESET_COLD_REBOOT:
	case RESET_WARM_REBOOT:
#ifdef SBI_CELLS
		sbi_guest_reboot();
#else
		sbi_exit(SBI_EXIT_REBOOT);
#endif
	default:
		return failed(SBI_ERR_INVALID_PARAM);
	}
}

/** Calls of version 0.1: the extension is the call, and a1 does not change. */
static int64_t legacy(uint64_t extension, uint64_t argument)
{
	switch (extension) {
	case LEGACY_SET_TIMER:
		sbi_timer_set(argument);
		return 0;
	case LEGACY_PUTCHAR:
		sbi_guest_put((char)argument);
		return 0;
	case LEGACY_GETCHAR:
		return sbi_guest_get();
	case LEGACY_SHUTDOWN:
		sbi_guest_end(0);
	default:
		return SBI_ERR_NOT_SUPPORTED;
	}
}

void sbi_call(struct sbi_frame *frame)
{
	const uint64_t *const a = frame->a;
	const uint64_t extension = a[7], function = a[6];
	const struct sbi_guest *const guest = sbi_guest_of(sbi_hart());
	struct sbi_result result;

	switch (extension) {
	case BASE:
		result = base(function, a[0]);
		break;
	case TIME:
		result = function == 0 ? done(0) : failed(SBI_ERR_NOT_SUPPORTED);
		if (function == 0) {
			sbi_timer_set(a[0]);
		}
		break;
	case IPI:
		result = function == 0 ? ipi(guest, harts_of(guest, a[0], a[1]))
				       : failed(SBI_ERR_NOT_SUPPORTED);
		break;
	case RFENCE:
		result = rfence(guest, function, harts_of(guest, a[0], a[1]));
		break;
	case HSM:
		result = hart_state(guest, function, a);
		break;
	case SRST:
		result = reset(function, a[0], a[1]);
		break;
#ifdef SBI_CELLS
	case TRAPEZE_CELL_EXTENSION:
		result = hypervisor_call(function, a[0]);
		break;
#endif
	default:
		if (extension < BASE) {
			frame->a[0] = (uint64_t)legacy(extension, a[0]);
			return;
		}
		result = failed(SBI_ERR_NOT_SUPPORTED);
		break;
	}
	frame->a[0] = (uint64_t)result.error;
	frame->a[1] = (uint64_t)result.value;
}
