/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Interrupts of the fastirq scheme: the core saves the interrupted context, so that any C
 * function is a handler.
 *
 * What to write:
 * @code
 * static void sensor(void)
 * {
 *         samples++;
 * }
 *
 *         irq_fast_connect(IRQ_PLATFORM(3), sensor, true);
 *         irq_enable(IRQ_PLATFORM(3));
 *         irq_unlock_all();
 * @endcode
 *
 * What it costs: nothing before the function's first instruction (__attribute__((aligned(4))) saves
 * a fetch), and one instruction, emret, behind its last. The caller-saved registers go to the stack
 * in the background; each interrupt takes sizeof(struct irq_fast_frame) bytes of it. emret goes
 * straight to the next handler if one waits. A handler of irq_connect() costs about 20 instructions
 * more, which find it and its argument.
 *
 * The function runs at its interrupt's level, and higher levels preempt it. The CSRs mcause and mepc
 * describe its interrupt only until a higher level or an exception overwrites them. Read them from
 * the frame instead, where they stay.
 *
 * Levels, triggers and thresholds are the CLIC's (trapeze/irq_clic.h). The header for all schemes,
 * trapeze/irq.h, works here as everywhere. Exceptions are handled as in the other schemes
 * (trapeze/trap.h). There are two more: MCAUSE_FRAME_STORE_FAULT, a frame could not be stored, because
 * sp pointed to no memory when the interrupt came; and MCAUSE_FRAME_LOAD_FAULT, a handler ended with
 * an sp that points to no memory.
 *
 * An interrupt from user mode exchanges sp and mscratch, so its handler runs on the stack that
 * mscratch held. After start-up that is the stack for exceptions. If such a handler causes an
 * exception, the registers are saved below the user's sp, which mscratch holds meanwhile.
 *
 * In assembly a handler may use the caller-saved registers at once and ends with emret, with sp where
 * it found it; it may be preempted from its first instruction on:
 * @code
 *         TRAPEZE_IRQ_FAST_HANDLER __irq_vector_19
 *         lw      a0, ...
 *         TRAPEZE_IRQ_FAST_HANDLER_END
 * @endcode
 *
 * Handlers that end with mret (of __attribute__((interrupt)), say) do not fit while fastirq is on.
 *
 * In user mode with interrupts of its own (trapeze/mode.h) all of this holds with uepc, ucause and euret. What
 * is different: exceptions, those of frames too, are the monitor's; sp is never exchanged.
 *
 * What the hardware does in detail: docs/fastirq.md. Only configurations of the scheme have this.
 */
#ifndef TRAPEZE_IRQ_FAST_H_
#define TRAPEZE_IRQ_FAST_H_

#include <trapeze/mode.h>

#ifdef __ASSEMBLER__

/* clang-format off */

/* Begins a handler; a name __irq_vector_<n> puts it into the vector table. */
	.macro TRAPEZE_IRQ_FAST_HANDLER name
	.section .text.irq.\name, "ax", @progbits
	.balign	4
	.globl	\name
	.type	\name, @function
\name:
	.macro	TRAPEZE_IRQ_FAST_HANDLER_SIZE
	.size	\name, . - \name
	.endm
	.endm

/* Ends it. */
	.macro TRAPEZE_IRQ_FAST_HANDLER_END
	TRAPEZE_EXRET
	TRAPEZE_IRQ_FAST_HANDLER_SIZE
	.purgem	TRAPEZE_IRQ_FAST_HANDLER_SIZE
	.endm

/* clang-format on */

#else

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the core stores for an interrupt: at sp, as the handler finds it. */
struct irq_fast_frame {
	uint32_t ra;
	/** t0 to t2 */
	uint32_t t0_2[3];
#ifdef __riscv_32e
	/** a0 to a5 */
	uint32_t a[6];
#else
	/** a0 to a7 */
	uint32_t a[8];
	/** t3 to t6 */
	uint32_t t3_6[4];
#endif
	uint32_t mepc;
	/** With MPP, MPIE and the interrupted level. */
	uint32_t mcause;
#ifndef __riscv_32e
	/** Not stored: the stack's alignment. */
	uint32_t unused[2];
#endif
};

#define TRAPEZE_FRAME_IS_AT_(member, offset)                                                       \
	_Static_assert(offsetof(struct irq_fast_frame, member) == (offset), "the hardware's "      \
									    "frame")
#ifndef __cplusplus
TRAPEZE_FRAME_IS_AT_(ra, TRAPEZE_IRQ_FRAME_RA);
TRAPEZE_FRAME_IS_AT_(t0_2, TRAPEZE_IRQ_FRAME_T0);
TRAPEZE_FRAME_IS_AT_(a, TRAPEZE_IRQ_FRAME_A0);
#ifndef __riscv_32e
TRAPEZE_FRAME_IS_AT_(t3_6, TRAPEZE_IRQ_FRAME_T3);
#endif
TRAPEZE_FRAME_IS_AT_(mepc, TRAPEZE_IRQ_FRAME_MEPC);
TRAPEZE_FRAME_IS_AT_(mcause, TRAPEZE_IRQ_FRAME_MCAUSE);
_Static_assert(sizeof(struct irq_fast_frame) == TRAPEZE_IRQ_FRAME, "the hardware's frame");
#endif

/** A handler. */
typedef void (*irq_fast_handler_t)(void);

/** The emret to which handlers return (start/fastirq.S). */
extern const char __irq_fast_return[];

/** Turns fastirq on, so that handlers are C functions that higher levels preempt at once. After
 * start-up it is off; irq_connect(), irq_fast_connect() and irq_unlock_all() turn it on. */
static inline void irq_fast_enable(void)
{
	csr_write(CSR_XFASTIRQ, (uint32_t)__irq_fast_return + (MFASTIRQ_NEST | MFASTIRQ_ENABLE));
}

/** Whether fastirq is on. */
static inline bool irq_fast_is_enabled(void)
{
	return (csr_read(CSR_XFASTIRQ) & MFASTIRQ_ENABLE) != 0U;
}

/** Turns fastirq on if it is off. If it is on, other settings of mfastirq stay. */
static inline void irq_fast_require(void)
{
	if (!irq_fast_is_enabled()) {
		irq_fast_enable();
	}
}

/**
 * Makes a C function the vectored handler of an interrupt, and turns fastirq on.
 *
 * @param irq interrupt number
 * @param handler the function, or NULL for the handler of irq_connect()
 * @param nested true: the vector table leads to the function itself, and higher levels preempt it.
 * false: interrupts are locked from its first instruction on, which costs four instructions before
 * it
 * @return 0, or -EINVAL if there is no such interrupt
 */
int irq_fast_connect(unsigned int irq, irq_fast_handler_t handler, bool nested);

#ifdef __cplusplus
}
#endif

#endif /* __ASSEMBLER__ */

#endif /* TRAPEZE_IRQ_FAST_H_ */
