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
 *
 * **Scheme `soft`** (TRAPEZE_MONITOR_SOFT) has the same functions, but the page's word `enabled` says whether interrupts are
 * enabled, and the program writes it by itself. An interrupt that comes while it is 0 is kept back: the monitor masks its source and
 * sets the page's `kept`. Who enables interrupts writes `enabled` first and reads `kept` then, so that nothing falls in between:
 * what came before the write has set `kept`, what comes behind it is not kept back. If `kept` is set, an `ecall` makes come what was
 * kept back. There is this one call, it changes no register, and with interrupts disabled it is the end of an interrupt. The source of
 * an interrupt is masked until the program enables it again (monitor_irq_done()).
 */
#ifndef TRAPEZE_MONITOR_H_
#define TRAPEZE_MONITOR_H_

#include <trapeze/clic.h>
#include <trapeze/clint.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>

/* Calls; of `paper`. */
#define MONITOR_IRQ_DISABLE    0 /* disables interrupts; returns whether they were enabled */
#define MONITOR_IRQ_RESTORE    1 /* enables interrupts if a0 is not 0, else disables them */
#define MONITOR_IRQ_IS_ENABLED 2 /* returns whether they are enabled */
#define MONITOR_YIELD          3 /* makes the software interrupt (IRQ_SOFTWARE) pending */

/* struct monitor_page, for assembly. */
#define MONITOR_PAGE_MCAUSE  0
#define MONITOR_PAGE_MEPC    4
#define MONITOR_PAGE_MHARTID 8
#define MONITOR_PAGE_HANDLER 12
#define MONITOR_PAGE_ENABLED 16
#define MONITOR_PAGE_KEPT    20
#define MONITOR_PAGE_MIE     24

/* sret: illegal in user mode, and by that the end of an interrupt for the monitor. The paper's is uret, which a
 * core with user-level interrupts has. In assembly sources a statement, in C its text for asm. */
#define MONITOR_RETURN 0x10200073
#if defined(TRAPEZE_MONITOR_SOFT)
/* The call; behind it, for a handler that has left interrupts enabled, an illegal instruction. */
#ifdef __ASSEMBLER__
/* clang-format off */
	.macro TRAPEZE_MONITOR_RETURN
	ecall
	unimp
	.endm
/* clang-format on */
#endif
#elif defined(__ASSEMBLER__)
#define TRAPEZE_MONITOR_RETURN .insn i 0x73, 0, x0, x0, 0x102
#else
#define TRAPEZE_MONITOR_RETURN ".insn i 0x73, 0, x0, x0, 0x102"
#endif

/*
 * Calls of the watchdog, of all schemes: instructions that are illegal in user mode, as `ecall` has another meaning in each scheme. a0 is
 * argument and result (csrrw a0, 0x5c0, a0 and csrrw a0, 0x5c1, a0); of the others those are lost that a function may change.
 */
#define MONITOR_WATCHDOG_START 0x5c051573U
#define MONITOR_WATCHDOG_KICK  0x5c151573U
/* For tests, where the build says monitor_resume: a number that stays the same while nobody changes the monitor. */
#define MONITOR_CHECKSUM       0x5c251573U

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
    extern "C"
{
#endif

	/** What monitor and program share. It is the program's memory: the monitor relies on nothing in it. */
	struct monitor_page {
		uint32_t mcause;  /**< of the last interrupt */
		uint32_t mepc;    /**< what it interrupted, and where its end goes on */
		uint32_t mhartid; /**< of this hart */
		uint32_t handler; /**< where interrupts go; the program writes it */
		/** `soft`: whether interrupts are enabled (not 0); the program and the monitor write it. */
		volatile uint32_t enabled;
		/** `soft`: whether something is kept back; the monitor writes it. */
		volatile uint32_t kept;
		/** By source: 1 if it is enabled; the program writes it. */
		volatile uint8_t mie[IRQ_COUNT];
	};

	/** The page; the linker script places it. */
	extern struct monitor_page monitor_page;

#ifndef __cplusplus
	_Static_assert(offsetof(struct monitor_page, mcause) == MONITOR_PAGE_MCAUSE,
		       "the assembly's");
	_Static_assert(offsetof(struct monitor_page, mepc) == MONITOR_PAGE_MEPC, "the assembly's");
	_Static_assert(offsetof(struct monitor_page, mhartid) == MONITOR_PAGE_MHARTID,
		       "the assembly's");
	_Static_assert(offsetof(struct monitor_page, handler) == MONITOR_PAGE_HANDLER,
		       "the assembly's");
	_Static_assert(offsetof(struct monitor_page, enabled) == MONITOR_PAGE_ENABLED,
		       "the assembly's");
	_Static_assert(offsetof(struct monitor_page, kept) == MONITOR_PAGE_KEPT, "the assembly's");
	_Static_assert(offsetof(struct monitor_page, mie) == MONITOR_PAGE_MIE, "the assembly's");
#endif

#ifdef TRAPEZE_MONITOR_SOFT

	/** Disables interrupts; returns not 0 if they were enabled, else 0. */
	__attribute__((always_inline)) static inline uint32_t monitor_irq_disable(void)
	{
		uint32_t state = monitor_page.enabled;

		/* An interrupt in between leaves the word as it found it. */
		monitor_page.enabled = 0U;
		__asm__ volatile("" : : : "memory");
		return state;
	}

	/** Enables interrupts, or with @p state 0 disables them: undoes the monitor_irq_disable() that returned it. */
	__attribute__((always_inline)) static inline void monitor_irq_restore(uint32_t state)
	{
		__asm__ volatile("" : : : "memory");
		monitor_page.enabled = state;
		if (__builtin_expect(monitor_page.kept != 0U, 0) && state != 0U) {
			__asm__ volatile("ecall" : : : "memory");
		}
	}

	/** Whether interrupts are enabled: not 0. */
	__attribute__((always_inline)) static inline uint32_t monitor_irq_is_enabled(void)
	{
		return monitor_page.enabled;
	}

	/** Makes the software interrupt pending: its handler has run when this returns, unless interrupts are disabled. */
	__attribute__((always_inline)) static inline void monitor_yield(void)
	{
		volatile uint32_t *msip =
		    (volatile uint32_t *)(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MSIP_OFFSET);

		*msip = TRAPEZE_CLINT_MSIP_MSIP_MASK;
		(void)*msip; /* the read orders the write before what follows */
		__asm__ volatile("" : : : "memory");
	}

	/** The end of a handler's work: enables @p irq again, which the monitor masked, if the program wants it. */
	static inline void monitor_irq_done(unsigned int irq)
	{
		*(volatile uint8_t *)(TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IE_OFFSET +
				      irq * TRAPEZE_CLIC_IRQ_IE_STRIDE) = monitor_page.mie[irq];
	}

#else

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

/** The end of a handler's work; the monitor enables the source. */
static inline void monitor_irq_done(unsigned int irq)
{
	(void)irq;
}

#endif /* TRAPEZE_MONITOR_SOFT */

/* What a call of the watchdog changes. */
#ifdef __riscv_32e
#define MONITOR_CHANGED_ "t0", "t1", "t2", "a1", "a2", "a3", "a4", "a5", "memory"
#else
#define MONITOR_CHANGED_                                                                           \
	"t0", "t1", "t2", "t3", "t4", "t5", "t6", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "memory"
#endif

	/**
 * The watchdog, from now on: a program that does not call monitor_watchdog_kick() in time is stopped, or started again. The
 * program can neither end nor change it.
 *
 * @param cycles the longest time between two kicks, at least 1024
 * @return true; or false if nothing has changed: it is on already (`cc --monitor-watchdog`), the period is too short, or the program
 * has used the random data generator's interrupt
 */
	static inline bool monitor_watchdog_start(uint32_t cycles)
	{
		register uint32_t a0_ __asm__("a0") = cycles;

		__asm__ volatile(".4byte 0x5c051573" : "+r"(a0_) : : MONITOR_CHANGED_);
		return a0_ != 0U;
	}

	/** The program is alive: the time begins anew. */
	static inline void monitor_watchdog_kick(void)
	{
		register uint32_t a0_ __asm__("a0") = 0U;

		__asm__ volatile(".4byte 0x5c151573" : "+r"(a0_) : : MONITOR_CHANGED_);
	}

#ifdef __cplusplus
}
#endif

#endif /* __ASSEMBLER__ */

#endif /* TRAPEZE_MONITOR_H_ */
