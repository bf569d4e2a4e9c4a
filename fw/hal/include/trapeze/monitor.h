/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Interface between a program in user mode and the monitor: calls, the shared page, interrupts. For C and
 * assembly.
 *
 * **Calls** are `ecall` with a number in t0 and an argument in a0. The result, if there is one, is in
 * a0; t0, t1 and t2 are used up, and a0 is where nothing is returned. All other registers stay. t0 is
 * there with both base ISAs, which a7 is not.
 *
 * **Interrupts** come through the monitor's page. With interrupts enabled the monitor writes mcause and mepc to the
 * page, disables interrupts, and jumps to the handler whose address is in the page. All registers stay as they were.
 * The handler ends with TRAPEZE_MONITOR_RETURN, which goes on at the page's mepc with interrupts enabled. In between
 * the handler may change mepc. The source of the interrupt is masked until then.
 *
 * While interrupts are disabled, the monitor masks every source whose interrupt comes (clicintie is 0), and unmasks it
 * when interrupts are enabled. Therefore a program writes the sources that it wants to the page's mie, not to clicintie
 * alone: irq_enable() and irq_disable() of trapeze/irq.h write both. Sources are not vectored (clicintattr.shv stays
 * 0).
 *
 * **Scheme `soft`** (TRAPEZE_MONITOR_SOFT) has the same functions, but the page's word `enabled` says whether
 * interrupts are enabled, and the program writes it by itself. An interrupt that comes while `enabled` is 0 is held
 * back: the monitor masks its source and sets the page's `kept`. To enable interrupts, the program writes `enabled`
 * first and then reads `kept`, so that no interrupt is lost: one that came before the write has set `kept`, and one
 * that comes after it is not held back. If `kept` is set, the program makes an `ecall`, and the monitor delivers the
 * interrupts that were held back. This is the only call. It changes no register. With interrupts disabled it ends an
 * interrupt. The source of an interrupt is masked until the program enables it again (monitor_irq_done()).
 */
#ifndef TRAPEZE_MONITOR_H_
#define TRAPEZE_MONITOR_H_

#include <trapeze/clic.h>
#include <trapeze/clint.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>

/* Calls of scheme `paper`. */
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

/* The instruction sret, as a statement in assembly sources and as text for asm in C. It is illegal in user mode, and
 * the monitor takes it for the end of an interrupt. The paper uses uret, but a core with user-level interrupts has a
 * legal uret. */
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
/* For tests, if the build says monitor_resume: a number that stays the same as long as the monitor is unchanged. */
#define MONITOR_CHECKSUM       0x5c251573U

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
    extern "C"
{
#endif

	/** Memory that monitor and program share. It belongs to the program, so the monitor does not rely on anything
	 * in it. */
	struct monitor_page {
		uint32_t mcause; /**< of the last interrupt */
		uint32_t
		    mepc; /**< address that was interrupted, and at which the end of the interrupt goes on */
		uint32_t mhartid; /**< of this hart */
		uint32_t
		    handler; /**< address of the handler of all interrupts; the program writes it */
		/** `soft`: whether interrupts are enabled (not 0); the program and the monitor write it. */
		volatile uint32_t enabled;
		/** `soft`: whether an interrupt is held back; the monitor writes it. */
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

		/* An interrupt between read and write does no harm: it leaves the word as it found it. */
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
		(void)*msip; /* the read makes sure that the write has taken effect before the next access */
		__asm__ volatile("" : : : "memory");
	}

	/** Ends a handler's work: enables @p irq again, which the monitor has masked, if the program has it enabled. */
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

/** Ends a handler's work; the monitor enables the source again. */
static inline void monitor_irq_done(unsigned int irq)
{
	(void)irq;
}

#endif /* TRAPEZE_MONITOR_SOFT */

/* Registers that a call of the watchdog changes. */
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

	/** Tells the watchdog that the program is alive: its time begins anew. */
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
