/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief FreeRTOS port for Trapeze: the part of port_scheme.h for user mode under the monitor `soft`
 * (trapeze/monitor.h). Critical sections are a word of the monitor's page; as with the CLINT nothing nests. For C and
 * assembly.
 *
 * To enable interrupts, the port writes the word and then reads whether the monitor has held an interrupt back. It
 * calls the monitor only in that case, and to resume a task that an interrupt took, because all registers of such a
 * task are in use.
 */
#ifndef PORT_SOFT_H_
#define PORT_SOFT_H_

#include <trapeze/monitor.h>

#if configUSE_TICKLESS_IDLE == 1
#error "configUSE_TICKLESS_IDLE: not in user mode, where nothing waits for an interrupt"
#endif

/* clang-format off */

#ifdef __ASSEMBLER__

#define PORT_SWITCH_ENABLE (TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IE_OFFSET + IRQ_SOFTWARE * TRAPEZE_CLIC_IRQ_IE_STRIDE)

/* rd = 0 where interrupts were disabled already; uses up t1. */
	.macro PORT_MASK rd
	lui	t1, %hi(monitor_page + MONITOR_PAGE_ENABLED)
	lw	\rd, %lo(monitor_page + MONITOR_PAGE_ENABLED)(t1)
	sw	zero, %lo(monitor_page + MONITOR_PAGE_ENABLED)(t1)
	.endm

	.macro PORT_MASK_OR where
	PORT_MASK t0
	beqz	t0, \where
	.endm

	.macro PORT_MASK_AGAIN rs
	.endm

	/* Uses up t0 and t1. */
	.macro PORT_UNMASK
	lui	t1, %hi(monitor_page)
	li	t0, 1
	sw	t0, %lo(monitor_page + MONITOR_PAGE_ENABLED)(t1)
	lw	t0, %lo(monitor_page + MONITOR_PAGE_KEPT)(t1)
	bnez	t0, 8f
7:
	.subsection 1
8:	ecall
	j	7b
	.previous
	.endm

	.macro PORT_INTERRUPT_MASK
	.endm
#define PORT_INTERRUPT_UNMASK
#define PORT_LEAVE_UNMASKING PORT_LEAVE

	/* An interrupt's frame at sp; mcause in a0. */
	.macro PORT_ENTER
	addi	sp, sp, -TRAPEZE_IRQ_FRAME
	TRAPEZE_CALLER_A0_A1 sw
	lui	a1, %hi(monitor_page)
	lw	a0, %lo(monitor_page + MONITOR_PAGE_MCAUSE)(a1)
	lw	a1, %lo(monitor_page + MONITOR_PAGE_MEPC)(a1)
	TRAPEZE_CALLER_BUT_A0_A1 sw
	sw	a0, TRAPEZE_IRQ_FRAME_MCAUSE(sp)
	sw	a1, TRAPEZE_IRQ_FRAME_MEPC(sp)
	.endm

	/* All interrupts have one entry. Jumps to `where` if this one is the switch. a0: mcause. */
	.macro PORT_IF_SWITCH_CAME where
	andi	t0, a0, 0x7ff			/* the switch's number is small */
	addi	t0, t0, -IRQ_SOFTWARE
	beqz	t0, \where
	.endm

	.macro PORT_LEAVE
	lw	a1, TRAPEZE_IRQ_FRAME_MEPC(sp)
	lui	a0, %hi(monitor_page + MONITOR_PAGE_MEPC)
	sw	a1, %lo(monitor_page + MONITOR_PAGE_MEPC)(a0)
	TRAPEZE_CALLER lw
	addi	sp, sp, TRAPEZE_IRQ_FRAME
	TRAPEZE_MONITOR_RETURN
	.endm

	.macro PORT_SWITCH_TAKEN
	lui	t0, %hi(monitor_page + MONITOR_PAGE_MIE + IRQ_SOFTWARE)
	lbu	t0, %lo(monitor_page + MONITOR_PAGE_MIE + IRQ_SOFTWARE)(t0)
	lui	t1, %hi(PORT_SWITCH_ENABLE)
	sb	t0, %lo(PORT_SWITCH_ENABLE)(t1)
	.endm

	/* The handler interrupted code with interrupts enabled, so a switch may come. */
	.macro PORT_IF_SWITCH where
	lui	t0, %hi(PORT_SWITCH)
	lbu	t1, %lo(PORT_SWITCH)(t0)
	beqz	t1, 9f
	sb	zero, %lo(PORT_SWITCH)(t0)
	j	\where
9:
	.endm

#else /* C */

/* Text for asm, as with a CLIC; t0 and t1 are used up. */
#define PORT_MASK_OR(register, label)                                                              \
	"lui t1, %%hi(monitor_page + " TRAPEZE_STRINGIFY(MONITOR_PAGE_ENABLED) ")\n\t"             \
	"lw " register ", %%lo(monitor_page + " TRAPEZE_STRINGIFY(MONITOR_PAGE_ENABLED) ")(t1)\n\t" \
	"sw zero, %%lo(monitor_page + " TRAPEZE_STRINGIFY(MONITOR_PAGE_ENABLED) ")(t1)\n\t"         \
	"beqz " register ", " label
#define PORT_UNMASK_ALL                                                                            \
	"lui t1, %%hi(monitor_page)\n\t"                                                           \
	"li t0, 1\n\t"                                                                             \
	"sw t0, %%lo(monitor_page + " TRAPEZE_STRINGIFY(MONITOR_PAGE_ENABLED) ")(t1)\n\t"           \
	"lw t0, %%lo(monitor_page + " TRAPEZE_STRINGIFY(MONITOR_PAGE_KEPT) ")(t1)\n\t"              \
	"bnez t0, 3f\n"                                                                            \
	"4:\n\t"                                                                                   \
	".subsection 1\n"                                                                          \
	"3:\tecall\n\t"                                                                           \
	"j 4b\n\t"                                                                                \
	".previous"

static inline uint32_t port_mask(void)
{
	return monitor_irq_disable();
}

static inline void port_unmask(uint32_t saved)
{
	monitor_irq_restore(saved);
}

static inline void port_unmask_all(void)
{
	monitor_irq_restore(1U);
}

#endif /* __ASSEMBLER__ */

/* clang-format on */

#endif /* PORT_SOFT_H_ */
