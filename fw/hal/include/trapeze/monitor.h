/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief What a program in user mode asks of the monitor, and what the monitor tells it. For C and
 * assembly.
 *
 * **Calls** are `ecall` with a number in t0 and an argument in a0. The result, if there is one, is in
 * a0; t0, t1 and t2 are used up, and a0 is where nothing is returned. All other registers stay. t0 is
 * there with both base ISAs, which a7 is not.
 *
 * **Interrupts** come as the monitor's page says: with interrupts enabled the monitor writes mcause
 * and mepc there, disables interrupts, and goes on at the handler whose address is in the page, with
 * every register as it was. The handler ends with TRAPEZE_MONITOR_RETURN, which goes on at the page's mepc with
 * interrupts enabled. In between the handler may change mepc. The source of the interrupt is masked
 * until then.
 *
 * While interrupts are disabled, the monitor masks what comes (clicintie is 0), and takes that back
 * when they are enabled. Therefore a program says in the page's mie, not in clicintie alone, which
 * sources it wants: irq_enable() and irq_disable() of trapeze/irq.h write both. Sources are not
 * vectored (clicintattr.shv stays 0).
 */
#ifndef TRAPEZE_MONITOR_H_
#define TRAPEZE_MONITOR_H_

#include <trapeze/csr.h>

/* Calls. */
#define MONITOR_IRQ_DISABLE    0 /* disables interrupts; returns whether they were enabled */
#define MONITOR_IRQ_RESTORE    1 /* enables interrupts if a0 is not 0, else disables them */
#define MONITOR_IRQ_IS_ENABLED 2 /* returns whether they are enabled */
#define MONITOR_YIELD          3 /* makes the software interrupt (IRQ_SOFTWARE) pending */

/* struct monitor_page, for assembly. */
#define MONITOR_PAGE_MCAUSE  0
#define MONITOR_PAGE_MEPC    4
#define MONITOR_PAGE_MHARTID 8
#define MONITOR_PAGE_HANDLER 12
#define MONITOR_PAGE_MIE     16

/* sret: illegal in user mode, and by that the end of an interrupt for the monitor. The paper's is uret, which a
 * core with user-level interrupts has. In assembly sources a statement, in C its text for asm. */
#define MONITOR_RETURN 0x10200073
#ifdef __ASSEMBLER__
#define TRAPEZE_MONITOR_RETURN .insn i 0x73, 0, x0, x0, 0x102
#else
#define TRAPEZE_MONITOR_RETURN ".insn i 0x73, 0, x0, x0, 0x102"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What monitor and program share. It is the program's memory: the monitor relies on nothing in it. */
struct monitor_page {
	uint32_t mcause;  /**< of the last interrupt */
	uint32_t mepc;    /**< what it interrupted, and where its end goes on */
	uint32_t mhartid; /**< of this hart */
	uint32_t handler; /**< where interrupts go; the program writes it */
	/** By source: 1 if it is enabled; the program writes it. */
	volatile uint8_t mie[IRQ_COUNT];
};

/** The page; the linker script places it. */
extern struct monitor_page monitor_page;

#ifndef __cplusplus
_Static_assert(offsetof(struct monitor_page, mcause) == MONITOR_PAGE_MCAUSE, "the assembly's");
_Static_assert(offsetof(struct monitor_page, mepc) == MONITOR_PAGE_MEPC, "the assembly's");
_Static_assert(offsetof(struct monitor_page, mhartid) == MONITOR_PAGE_MHARTID, "the assembly's");
_Static_assert(offsetof(struct monitor_page, handler) == MONITOR_PAGE_HANDLER, "the assembly's");
_Static_assert(offsetof(struct monitor_page, mie) == MONITOR_PAGE_MIE, "the assembly's");
#endif

/* One call: @p number is a constant. */
#define MONITOR_CALL_(number, value)                                                               \
	__extension__({                                                                            \
		register uint32_t a0_ __asm__("a0") = (value);                                     \
		__asm__ volatile("li t0, %1\n\tecall"                                              \
				 : "+r"(a0_)                                                       \
				 : "i"(number)                                                     \
				 : "t0", "t1", "t2", "memory");                                    \
		a0_;                                                                               \
	})

/** Disables interrupts; returns 1 if they were enabled, else 0. */
__attribute__((always_inline)) static inline uint32_t monitor_irq_disable(void)
{
	return MONITOR_CALL_(MONITOR_IRQ_DISABLE, 0U);
}

/** Enables interrupts, or with @p state 0 disables them: undoes the monitor_irq_disable() that returned it. */
__attribute__((always_inline)) static inline void monitor_irq_restore(uint32_t state)
{
	(void)MONITOR_CALL_(MONITOR_IRQ_RESTORE, state);
}

/** Whether interrupts are enabled. */
__attribute__((always_inline)) static inline uint32_t monitor_irq_is_enabled(void)
{
	return MONITOR_CALL_(MONITOR_IRQ_IS_ENABLED, 0U);
}

/** Makes the software interrupt pending: its handler has run when this returns, unless interrupts are disabled. */
__attribute__((always_inline)) static inline void monitor_yield(void)
{
	(void)MONITOR_CALL_(MONITOR_YIELD, 0U);
}

#ifdef __cplusplus
}
#endif

#endif /* __ASSEMBLER__ */

#endif /* TRAPEZE_MONITOR_H_ */
