/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Machine timer and counters: 64-bit values through 32-bit accesses, where registers have no more. */
#include <trapeze/clint.h>
#include <trapeze/csr.h>
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>
#include <trapeze/mode.h>
#include <trapeze/timer.h>
#ifdef TRAPEZE_SUPERVISOR
#include <trapeze/sbi_call.h>
#endif

#ifndef TRAPEZE_SUPERVISOR
static inline volatile uint32_t *clint_register(uintptr_t offset)
{
	return (volatile uint32_t *)(TRAPEZE_CLINT_BASE + offset);
}
#endif

/* The high half is read on both sides of the low half, so that a carry in between is noticed. */
#define READ_64(high_expr, low_expr)                                                               \
	uint32_t high;                                                                             \
	uint32_t low;                                                                              \
	do {                                                                                       \
		high = (high_expr);                                                                \
		low = (low_expr);                                                                  \
	} while ((high_expr) != high);                                                             \
	return ((uint64_t)high << 32) | low

uint64_t timer_now(void)
{
#ifdef TRAPEZE_SUPERVISOR
	return csr_read(CSR_TIME);
#else
	READ_64(*clint_register(TRAPEZE_CLINT_MTIME_HI_OFFSET),
		*clint_register(TRAPEZE_CLINT_MTIME_LO_OFFSET));
#endif
}

#if __riscv_xlen == 64
#define READ_COUNTER(high_csr, low_csr) return csr_read(low_csr)
#else
#define READ_COUNTER(high_csr, low_csr) READ_64(csr_read(high_csr), csr_read(low_csr))
#endif

uint64_t timer_cycles(void)
{
	READ_COUNTER(CSR_XCYCLEH, CSR_XCYCLE);
}

uint64_t timer_instructions(void)
{
	READ_COUNTER(CSR_XINSTRETH, CSR_XINSTRET);
}

void timer_set_alarm(uint64_t when)
{
#ifdef TRAPEZE_SUPERVISOR
	(void)sbi_call(SBI_TIME, 0U, when, 0U);
#else
	uintptr_t own = TRAPEZE_CLINT_MTIMECMP_LO_STRIDE * hart_number();

	/* No value in between is earlier than both the old and the new one. */
	*clint_register(TRAPEZE_CLINT_MTIMECMP_LO_OFFSET + own) = UINT32_MAX;
	*clint_register(TRAPEZE_CLINT_MTIMECMP_HI_OFFSET + own) = (uint32_t)(when >> 32);
	*clint_register(TRAPEZE_CLINT_MTIMECMP_LO_OFFSET + own) = (uint32_t)when;
#endif
}

void timer_cancel_alarm(void)
{
	timer_set_alarm(UINT64_MAX);
}

void irq_software_set(bool pending)
{
#ifdef TRAPEZE_SUPERVISOR
	if (pending) {
		csr_set(CSR_SIP, 1U << IRQ_SOFTWARE);
	} else {
		csr_clear(CSR_SIP, 1U << IRQ_SOFTWARE);
	}
#else
	volatile uint32_t *own =
	    clint_register(TRAPEZE_CLINT_MSIP_OFFSET + TRAPEZE_CLINT_MSIP_STRIDE * hart_number());

	*own = pending ? TRAPEZE_CLINT_MSIP_MSIP_MASK : 0U;
	/* The read orders the write before what follows. */
	(void)*own;
#endif
}
