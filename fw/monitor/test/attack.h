/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief What hostile programs share: the way back after a refused attempt, and sources of interrupts under each
 * scheme.
 *
 * The program is linked with `monitor_resume` = attack_resume: the monitor resumes it there after a refused attempt and
 * after the watchdog. A program defines attack_resumed(), which never returns.
 */
#ifndef MONITOR_TEST_ATTACK_H_
#define MONITOR_TEST_ATTACK_H_

#include <stdint.h>

#include <trapeze/clic.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>
#include <trapeze/mode.h>
#include <trapeze/monitor.h>

/** Interrupt bit of mcause: set if the watchdog has ended the attempt. */
#define ATTACK_EXPIRED 0x80000000U

/** The program goes on here with mcause, mepc and mtval of the trap. The stack is new. */
__attribute__((noreturn, used)) void attack_resumed(uint32_t mcause, uint32_t mepc, uint32_t mtval);

/** The program goes on here after an interrupt of its own. */
__attribute__((noreturn, used)) void attack_interrupted(void);

__asm__(".section .text.attack, \"ax\", @progbits\n"
	".balign 64\n"
	".globl attack_entry\n"
	"attack_entry:\n" /* interrupts begin here */
	"	.option push\n"
	"	.option norelax\n"
	"	la gp, __global_pointer$\n"
	"	.option pop\n"
	"	la sp, __stack_top\n"
	"	la tp, __tls_base\n"
	"	j attack_interrupted\n"
	".globl attack_resume\n"
	"attack_resume:\n"
	"	.option push\n"
	"	.option norelax\n"
	"	la gp, __global_pointer$\n"
	"	.option pop\n"
	"	la sp, __stack_top\n"
	"	la tp, __tls_base\n"
	"	j attack_resumed\n"
	".previous");
extern const char attack_entry[];

static inline volatile uint8_t *attack_source(uint32_t source)
{
	return (volatile uint8_t *)(TRAPEZE_XCLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET +
				    source * TRAPEZE_CLIC_IRQ_IP_STRIDE);
}

/** Makes attack_entry the entry of the program's interrupts. */
static inline void attack_connect(void)
{
#ifdef TRAPEZE_MONITOR_CALLS
	monitor_page.handler = (uint32_t)attack_entry;
#else
	csr_write(CSR_UTVEC, (uint32_t)attack_entry);
#endif
}

/** Makes a source pending and enabled at the highest level, by an edge. */
static inline void attack_raise(uint32_t source)
{
	volatile uint8_t *bytes = attack_source(source);

#ifdef TRAPEZE_MONITOR_CALLS
	monitor_page.mie[source] = 1U;
#endif
	bytes[2] = TRAPEZE_CLIC_IRQ_ATTR_TRIG_RISING << TRAPEZE_CLIC_IRQ_ATTR_TRIG_SHIFT |
		   TRAPEZE_CLIC_IRQ_ATTR_MODE_MASK;
	bytes[3] = UINT8_MAX;
	bytes[0] = 1U;
	bytes[1] = 1U;
}

/** Enables or disables the interrupts of the program. */
static inline void attack_enable(void)
{
#if defined(TRAPEZE_MONITOR_SOFT)
	monitor_page.enabled = 1U;
	__asm__ volatile("" : : : "memory");
	if (monitor_page.kept != 0U) {
		__asm__ volatile("ecall" : : : "memory");
	}
#elif defined(TRAPEZE_MONITOR_CALLS)
	monitor_irq_restore(1U);
#else
	csr_set(CSR_USTATUS, USTATUS_UIE);
#endif
}

static inline void attack_disable(void)
{
#ifdef TRAPEZE_MONITOR_CALLS
	(void)monitor_irq_disable();
#else
	csr_clear(CSR_USTATUS, USTATUS_UIE);
#endif
}

/** Disables all sources except the watchdog's. */
static inline void attack_quiet(void)
{
	for (uint32_t source = 1U; source < IRQ_COUNT; source++) {
#ifdef TRAPEZE_MONITOR_CALLS
		monitor_page.mie[source] = 0U;
		if (source == TRAPEZE_IRQ_LINE_BASE + 15U) {
			continue;
		}
#endif
		attack_source(source)[1] = 0U;
	}
}

/** The monitor's checksum. */
static inline uint32_t attack_checksum(void)
{
	register uint32_t a0_ __asm__("a0") = 0U;

	__asm__ volatile(".4byte 0x5c251573" : "+r"(a0_) : : MONITOR_CHANGED_);
	return a0_;
}

#endif /* MONITOR_TEST_ATTACK_H_ */
