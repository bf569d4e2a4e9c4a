/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The calls of supervisor mode: extensions base, TIME, IPI, RFENCE, HSM, SRST, and those of version 0.1 that
 * Linux's console uses.
 *
 * Source: RISC-V Supervisor Binary Interface Specification 1.0, chapters 4 to 10.
 */
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

/** Exit codes of a run that ends without a plain shutdown. */
enum exit_code {
	EXIT_FAILURE_REPORTED = 1, /**< a shutdown whose reason is a failure */
	EXIT_REBOOT = 2, /**< a reboot, which nothing would carry out: after a panic, for example */
};

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
		return 1;
	default:
		return 0;
	}
}

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
 * Which harts of supervisor mode a mask names (section 3.1): there is one, number 0.
 *
 * @return 1: this hart; 0: none; negative: an error.
 */
static int names_this_hart(uint64_t mask, uint64_t first)
{
	if (first == UINT64_MAX) {
		return 1;
	}
	if (first != 0 || (mask & ~UINT64_C(1)) != 0) {
		return mask == 0 ? 0 : SBI_ERR_INVALID_PARAM;
	}
	return mask != 0;
}

/**
 * An interrupt for the harts of a mask: hart 0 runs supervisor mode, so it gets that mode's software interrupt; another
 * hart of the platform runs machine mode, to which its software interrupt is a doorbell. All of them are hart 0, which
 * alone is supervisor mode's.
 */
static struct sbi_result ipi(uint64_t mask, uint64_t first)
{
	if (first == UINT64_MAX) {
		mask = 1;
		first = 0;
	}
	if (mask != 0 && (first >= SBI_HARTS || mask >> (SBI_HARTS - first) != 0)) {
		return failed(SBI_ERR_INVALID_PARAM);
	}
	for (uint64_t hart = first; mask != 0; hart++, mask >>= 1) {
		if ((mask & 1) == 0) {
			continue;
		}
		if (hart == 0) {
			sbi_ipi_self();
		} else {
			sbi_doorbell_ring(hart);
		}
	}
	return done(0);
}

static struct sbi_result rfence(uint64_t function, uint64_t mask, uint64_t first)
{
	const int named = names_this_hart(mask, first);

	if (function > RFENCE_SFENCE_VMA_ASID) {
		return failed(SBI_ERR_NOT_SUPPORTED);
	}
	if (named < 0) {
		return failed(named);
	}
	if (named != 0 && function == RFENCE_FENCE_I) {
		__asm__ volatile("fence.i" : : : "memory");
	} else if (named != 0) {
		__asm__ volatile("sfence.vma" : : : "memory"); /* more than the range is allowed */
	}
	return done(0);
}

static struct sbi_result hart_state(uint64_t function, uint64_t hart)
{
	switch (function) {
	case HSM_START:
		return failed(hart == 0 ? SBI_ERR_ALREADY_AVAILABLE : SBI_ERR_INVALID_PARAM);
	case HSM_STOP:
		return failed(SBI_ERR_FAILED); /* it is the only one */
	case HSM_STATUS:
		return hart == 0 ? done(0) : failed(SBI_ERR_INVALID_PARAM);
	default:
		return failed(SBI_ERR_NOT_SUPPORTED);
	}
}

static struct sbi_result reset(uint64_t function, uint64_t type, uint64_t reason)
{
	if (function != 0) {
		return failed(SBI_ERR_NOT_SUPPORTED);
	}
	switch (type) {
	case RESET_SHUTDOWN:
		sbi_exit(reason == 0 ? 0 : EXIT_FAILURE_REPORTED);
	case RESET_COLD_REBOOT:
	case RESET_WARM_REBOOT:
		sbi_exit(EXIT_REBOOT);
	default:
		return failed(SBI_ERR_INVALID_PARAM);
	}
}

/** Version 0.1: the extension is the call, and a1 stays. */
static int64_t legacy(uint64_t extension, uint64_t argument)
{
	switch (extension) {
	case LEGACY_SET_TIMER:
		sbi_timer_set(argument);
		return 0;
	case LEGACY_PUTCHAR:
		sbi_console_put((char)argument);
		return 0;
	case LEGACY_GETCHAR:
		return sbi_console_get();
	case LEGACY_SHUTDOWN:
		sbi_exit(0);
	default:
		return SBI_ERR_NOT_SUPPORTED;
	}
}

void sbi_call(struct sbi_frame *frame)
{
	const uint64_t *const a = frame->a;
	const uint64_t extension = a[7], function = a[6];
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
		result = function == 0 ? ipi(a[0], a[1]) : failed(SBI_ERR_NOT_SUPPORTED);
		break;
	case RFENCE:
		result = rfence(function, a[0], a[1]);
		break;
	case HSM:
		result = hart_state(function, a[0]);
		break;
	case SRST:
		result = reset(function, a[0], a[1]);
		break;
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
