/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief FreeRTOS port for Trapeze: all that differs between the interrupt schemes CLINT, CLIC and
 * fastirq, and in port_soft.h for user mode under the monitor `soft`. For C and assembly.
 *
 * A task that does not run has on its stack, from sp upwards, if an interrupt took it:
 *   callee-saved registers (s0 to s11; ilp32e: s0, s1)       PORT_CALLEE bytes
 *   the frame of an interrupt (trapeze/irq_nest.h): caller-saved registers, mepc, mcause
 * That frame is what fastirq stores by itself. On a core with whole frames it stores all registers,
 * in ascending order, and nothing stands below them. A task that gave up the processor by a call
 * has the layout of a whole frame on every core, but only some of its words hold anything.
 *
 * mcause is in the same place in all three. It tells how the task left: bit 31 is set where an
 * interrupt took it; PORT_CALLED where it called freertos_yield(), and mepc and the callee-saved
 * registers hold something; PORT_CALLED_BARE where it called freertos_yield_bare(), and only mepc
 * and s0 do. All three are values that a return from an interrupt may have in mcause.
 */
#ifndef PORT_SCHEME_H_
#define PORT_SCHEME_H_

#include <FreeRTOSConfig.h>

#include <trapeze/isa.h>
#include <trapeze/map.h>
#include <trapeze/mode.h>
#ifdef TRAPEZE_IRQ_CLIC
#include <trapeze/clic.h>
#ifdef TRAPEZE_USER
#include <trapeze/clic_user.h>
#endif
#else
#include <trapeze/clint.h>
#endif

/* 1: taskYIELD() raises the switch interrupt as portYIELD_FROM_ISR() does, instead of switching by a
 * function call. To compare; it is slower. */
#ifndef configTRAPEZE_YIELD_BY_INTERRUPT
#define configTRAPEZE_YIELD_BY_INTERRUPT 0
#endif

/* Levels, with a CLIC: of its 256, the upper configTRAPEZE_LEVEL_BITS bits count. The switch has the
 * lowest. Interrupts up to the maximum may call functions that end with FromISR, and wait while the
 * kernel is in a critical section; those above never wait for the kernel, nor may they call it. */
#ifndef configTRAPEZE_LEVEL_BITS
#define configTRAPEZE_LEVEL_BITS 4
#endif
#ifndef configKERNEL_INTERRUPT_PRIORITY
#define configKERNEL_INTERRUPT_PRIORITY 0x1f /* the tick */
#endif
#ifndef configMAX_SYSCALL_INTERRUPT_PRIORITY
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x7f
#endif

/* clang-format off */

/* Return to the mode of the program, level 0, interrupts enabled. Bit 12 is none of xcause's. */
#define PORT_CALLED      XCAUSE_ENABLED
#define PORT_CALLED_BARE (PORT_CALLED | 0x1000)
#define PORT_INTERRUPTED (PORT_CALLED | MCAUSE_INTERRUPT)

#ifdef TRAPEZE_IRQ_CLIC
/* What requests a switch: the software interrupt's pending bit, edge-triggered. */
#define PORT_SWITCH      (TRAPEZE_XCLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + IRQ_SOFTWARE * TRAPEZE_CLIC_IRQ_IP_STRIDE)
#else
#define PORT_SWITCH      (TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MSIP_OFFSET)
#endif

/* The layout of a task that does not run: see above. PORT_FRAME: one that an interrupt took. */
#ifdef __riscv_32e
#define PORT_CALLEE 8
#define PORT_S0     0
#else
#define PORT_CALLEE  48
#define PORT_S0      16
#define PORT_CALL_S2 TRAPEZE_IRQ_WHOLE_FRAME_S2
#endif
#define PORT_FRAME      (PORT_CALLEE + TRAPEZE_IRQ_FRAME)
#define PORT_CALL_FRAME TRAPEZE_IRQ_WHOLE_FRAME
#define PORT_CALL_S0    TRAPEZE_IRQ_WHOLE_FRAME_S0
#define PORT_MEPC       TRAPEZE_IRQ_WHOLE_FRAME_MEPC
#define PORT_MCAUSE     TRAPEZE_IRQ_WHOLE_FRAME_MCAUSE
#if PORT_CALLEE + TRAPEZE_IRQ_FRAME_MCAUSE != PORT_MCAUSE
#error "mcause has to be in the same place, whoever stored it"
#endif

#ifdef __ASSEMBLER__

#include <trapeze/irq_nest.h>

#if defined(TRAPEZE_MONITOR_CALLS)

#include <port_soft.h>

#elif defined(TRAPEZE_IRQ_CLIC)

/* Masks the interrupts that may call the kernel; rd = the mask before, 0 if nothing was masked. */
	.macro PORT_MASK rd
	li	\rd, configMAX_SYSCALL_INTERRUPT_PRIORITY
	csrrw	\rd, CSR_XINTTHRESH, \rd
	.endm

	.macro PORT_MASK_AGAIN rs
	csrw	CSR_XINTTHRESH, \rs
	.endm

	.macro PORT_UNMASK
	csrw	CSR_XINTTHRESH, zero
	.endm

	/* Like PORT_MASK, and jumps to `where` if something was masked before; t0 is used as by PORT_MASK. */
	.macro PORT_MASK_OR where
	PORT_MASK t0
	bnez	t0, \where
	.endm

	.macro PORT_INTERRUPT_MASK
	PORT_MASK t0
	.endm
#define PORT_INTERRUPT_UNMASK PORT_UNMASK

#define PORT_ENTER TRAPEZE_IRQ_ENTER
#define PORT_LEAVE TRAPEZE_IRQ_LEAVE

	/* PORT_LEAVE, and nothing is masked any more, outside of an interrupt. A masked interrupt may come at once,
	 * on the stack of the task that is being resumed, and the next switch away from this task may come before
	 * the task has executed an instruction. No such round may leave a further frame on the task's stack, or the
	 * stack would have no bound. The CLIC unmasks at a point where no interrupt can come. With fastirq an
	 * interrupt can come between the last two instructions. Its frame holds the same context as the frame above
	 * it, because only the leaving of that frame was left to do; so the next round skips it.
	 */
	.macro PORT_LEAVE_UNMASKING mepc=TRAPEZE_IRQ_FRAME_MEPC bytes=TRAPEZE_IRQ_FRAME
#ifdef TRAPEZE_IRQ_FAST
	lw	t0, (\mepc)(sp)
	la	t1, 8f
	bne	t0, t1, 9f
	addi	sp, sp, \bytes
9:	PORT_UNMASK
8:	PORT_LEAVE
#else
	TRAPEZE_IRQ_LEAVE unmask=1
#endif
	.endm

	/* The software interrupt is edge-triggered, so its claim has cleared the pending bit. */
	.macro PORT_SWITCH_TAKEN
	.endm

	/* Jumps to `where` if a switch is pending and would come next. That is the case if the interrupt came at
	 * level 0, the threshold is 0, and the handler's level is at most the maximum. A handler above the maximum
	 * must not do it: interrupts that may call the kernel would wait longer than for a critical section.
	 */
	.macro PORT_IF_SWITCH where
#ifndef TRAPEZE_IRQ_FAST
	lui	t0, %hi(PORT_SWITCH)
	lbu	t1, %lo(PORT_SWITCH)(t0)
	beqz	t1, 9f
	csrr	t1, CSR_XINTTHRESH
	lhu	t2, TRAPEZE_IRQ_FRAME_MCAUSE + 2(sp)
	andi	t2, t2, MCAUSE_MPIL >> MCAUSE_MPIL_SHIFT
	or	t1, t1, t2
	bnez	t1, 9f
	csrr	t1, CSR_XINTSTATUS
	srli	t1, t1, XINTSTATUS_XIL_SHIFT
	li	t2, configMAX_SYSCALL_INTERRUPT_PRIORITY
	bltu	t2, t1, 9f
	sb	zero, %lo(PORT_SWITCH)(t0)
	j	\where
9:
#endif
	.endm

#else /* CLINT: nothing nests, handlers run with interrupts off. */

	.macro PORT_MASK rd
	csrrci	\rd, CSR_MSTATUS, MSTATUS_MIE
	andi	\rd, \rd, MSTATUS_MIE
	xori	\rd, \rd, MSTATUS_MIE
	.endm

	.macro PORT_MASK_OR where
	PORT_MASK t0
	bnez	t0, \where
	.endm

	.macro PORT_MASK_AGAIN rs
	.endm

	.macro PORT_UNMASK
	csrsi	CSR_MSTATUS, MSTATUS_MIE
	.endm

	.macro PORT_INTERRUPT_MASK
	.endm
#define PORT_INTERRUPT_UNMASK

#define PORT_ENTER TRAPEZE_IRQ_SAVE

	/* Use it with interrupts disabled, also where it returns from no interrupt. */
	.macro PORT_LEAVE
	TRAPEZE_CALLER_BUT_A0_A1 lw
	li	a0, MSTATUS_MPP | MSTATUS_MPIE
	lw	a1, TRAPEZE_IRQ_FRAME_MEPC(sp)
	csrs	CSR_MSTATUS, a0
	csrw	CSR_MEPC, a1
	lw	a0, TRAPEZE_IRQ_FRAME_A0(sp)
	lw	a1, TRAPEZE_IRQ_FRAME_A1(sp)
	addi	sp, sp, TRAPEZE_IRQ_FRAME
	TRAPEZE_UNWIND_LEFT
	mret
	.endm

#define PORT_LEAVE_UNMASKING PORT_LEAVE

	.macro PORT_SWITCH_TAKEN
	lui	t0, %hi(PORT_SWITCH)
	sw	zero, %lo(PORT_SWITCH)(t0)
	.endm

	.macro PORT_IF_SWITCH where
	lui	t0, %hi(PORT_SWITCH)
	lw	t0, %lo(PORT_SWITCH)(t0)
	bnez	t0, \where
	.endm

#endif /* TRAPEZE_IRQ_CLIC */

	/* Stores or loads s2 to s11 at sp: s2 to s5 from one offset on, the others from another one on. */
	.macro PORT_CALLEE_BEHIND_S1 op s2 s6
#ifndef __riscv_32e
	.set	PORT_OFFSET, \s2
	.irp	r, 18, 19, 20, 21
	\op	x\r, PORT_OFFSET(sp)
	.set	PORT_OFFSET, PORT_OFFSET + 4
	.endr
	.set	PORT_OFFSET, \s6
	.irp	r, 22, 23, 24, 25, 26, 27
	\op	x\r, PORT_OFFSET(sp)
	.set	PORT_OFFSET, PORT_OFFSET + 4
	.endr
#endif
	.endm

	/* Stores or loads the callee-saved registers: of a task that an interrupt took, below the frame; of one that
	 * has called, in the places of a whole frame. */
	.macro PORT_CALLEE_OF_INTERRUPTED op
	\op	s0, PORT_S0(sp)
	\op	s1, (PORT_S0 + 4)(sp)
	PORT_CALLEE_BEHIND_S1 \op, 0, PORT_S0 + 8
	.endm

	.macro PORT_CALLEE_OF_CALLED op
	\op	s0, PORT_CALL_S0(sp)
	\op	s1, (PORT_CALL_S0 + 4)(sp)
	PORT_CALLEE_BEHIND_S1 \op, PORT_CALL_S2, PORT_CALL_S2 + 16
	.endm

	/* Before emret resumes a task that has called, on a core without whole frames: instead of that, emret may go on to the
	 * next switch interrupt, which stores the callee-saved registers below the frame of this task. If the frame still says
	 * that the task has called, they are looked for in the places of a whole frame. s0 and s1 are in the same
	 * place in both, and what is stored of the others there is still right. With ilp32e nothing is in the same place, so
	 * the frame has to say that an interrupt took the task; t0 is used up.
	 */
	.macro PORT_CALL_LEAVING
#if PORT_S0 != PORT_CALL_S0
	li	t0, PORT_INTERRUPTED
	sw	t0, (PORT_CALL_FRAME - TRAPEZE_IRQ_FRAME + TRAPEZE_IRQ_FRAME_MCAUSE)(sp)
	PORT_FRAME_NEXT PORT_CALL_FRAME - TRAPEZE_IRQ_FRAME
#endif
	.endm

	/* In the frame of a task that calls: the address at which it goes on, and \cause. emret reads both from the upper
	 * end of its own frame, which with ilp32e is in another place than that of a whole frame. */
	.macro PORT_CALL_STORE cause
	sw	ra, PORT_MEPC(sp)
	sw	\cause, PORT_MCAUSE(sp)
#if defined(TRAPEZE_IRQ_FAST) && PORT_CALL_FRAME != PORT_FRAME
	sw	ra, (PORT_CALL_FRAME - TRAPEZE_IRQ_FRAME + TRAPEZE_IRQ_FRAME_MEPC)(sp)
	sw	\cause, (PORT_CALL_FRAME - TRAPEZE_IRQ_FRAME + TRAPEZE_IRQ_FRAME_MCAUSE)(sp)
#endif
	.endm

	/* The frame at sp + \offset is of a task that will be left to soon. With fastirq the hardware loads that frame
	 * while software does something else, such as loading the callee-saved registers.
	 */
	.macro PORT_FRAME_NEXT offset
#ifdef TRAPEZE_IRQ_FAST
	.if	\offset
	addi	t0, sp, \offset
	csrw	CSR_XFRAME, t0
	.else
	csrw	CSR_XFRAME, sp
	.endif
#endif
	.endm

/* Call-frame information, as in trapeze/unwind.h. Not under a monitor that hands interrupts on: there no register
 * holds the address to which the handler returns. The registers of a switched-out task are in its frame, where GDB's
 * server finds them (sim/gdb).
 */
	.macro PORT_UNWIND_BEGIN
#ifndef TRAPEZE_MONITOR_CALLS
	TRAPEZE_UNWIND_BEGIN
#endif
	.endm

	.macro PORT_UNWIND_END
#ifndef TRAPEZE_MONITOR_CALLS
	TRAPEZE_UNWIND_END
#endif
	.endm

	/* The callee-saved registers are below an interrupt's frame; and not any more. */
	.macro PORT_UNWIND_CALLEE
	TRAPEZE_UNWIND_AT s0, PORT_S0, PORT_FRAME
	TRAPEZE_UNWIND_AT s1, PORT_S0 + 4, PORT_FRAME
#ifndef __riscv_32e
	.set	PORT_OFFSET, 0
	.irp	r, 18, 19, 20, 21
	TRAPEZE_UNWIND_AT x\r, PORT_OFFSET, PORT_FRAME
	.set	PORT_OFFSET, PORT_OFFSET + 4
	.endr
	.set	PORT_OFFSET, PORT_S0 + 8
	.irp	r, 22, 23, 24, 25, 26, 27
	TRAPEZE_UNWIND_AT x\r, PORT_OFFSET, PORT_FRAME
	.set	PORT_OFFSET, PORT_OFFSET + 4
	.endr
#endif
	.endm

	/* A whole frame is at sp, stored by hardware: all registers but sp, gp and tp, then mepc. */
	.macro PORT_UNWIND_WHOLE_FRAME
	TRAPEZE_UNWIND_SP TRAPEZE_IRQ_WHOLE_FRAME
	TRAPEZE_UNWIND_AT ra, TRAPEZE_IRQ_WHOLE_FRAME_RA, TRAPEZE_IRQ_WHOLE_FRAME
	.set	PORT_OFFSET, TRAPEZE_IRQ_WHOLE_FRAME_T0
	.irp	r, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	TRAPEZE_UNWIND_AT x\r, PORT_OFFSET, TRAPEZE_IRQ_WHOLE_FRAME
	.set	PORT_OFFSET, PORT_OFFSET + 4
	.endr
#ifndef __riscv_32e
	.irp	r, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	TRAPEZE_UNWIND_AT x\r, PORT_OFFSET, TRAPEZE_IRQ_WHOLE_FRAME
	.set	PORT_OFFSET, PORT_OFFSET + 4
	.endr
#endif
	TRAPEZE_UNWIND_AT TRAPEZE_COLUMN(CSR_XEPC), TRAPEZE_IRQ_WHOLE_FRAME_MEPC, TRAPEZE_IRQ_WHOLE_FRAME
	.endm

	.macro PORT_UNWIND_CALLEE_LOADED
	TRAPEZE_UNWIND_SP TRAPEZE_IRQ_FRAME
	.if	trapeze_unwind
	.cfi_restore s0
	.cfi_restore s1
#ifndef __riscv_32e
	.irp	r, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
	.cfi_restore x\r
	.endr
#endif
	.endif
	.endm

	/* The frame is not at sp; the first word at sp has its address (expression breg2 0, deref, plus). And the
	 * frame is at sp again. */
	.macro PORT_UNWIND_OTHER_STACK
	.if	trapeze_unwind
	.cfi_escape 0x0f, 5, 0x72, 0, 0x06, 0x23, TRAPEZE_IRQ_FRAME
	.endif
	.endm

	.macro PORT_UNWIND_TASK_STACK
	.if	trapeze_unwind
	.cfi_def_cfa sp, TRAPEZE_IRQ_FRAME
	TRAPEZE_UNWIND_FRAME
	.endif
	.endm

#else /* C */

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/csr.h>

#ifdef TRAPEZE_IRQ_CLIC
typedef volatile uint8_t port_switch_t;
#else
typedef volatile uint32_t port_switch_t;
#endif

/** Whether the core stores all registers of what an interrupt interrupts. */
static inline bool port_whole_frames(void)
{
#ifdef TRAPEZE_IRQ_FAST
	return csr_read(CSR_XFRAME) == TRAPEZE_IRQ_WHOLE_FRAME;
#else
	return false;
#endif
}

/** Requests a switch. Call it where no interrupt handler runs and nothing masks the switch. */
static inline void port_request_switch(void)
{
	*(port_switch_t *)PORT_SWITCH = 1U;
}

/** Like the function above. The switch has happened when this returns, unless something masks it. */
static inline void port_request_switch_now(void)
{
	port_request_switch();
	(void)*(port_switch_t *)PORT_SWITCH;
}

#if defined(TRAPEZE_MONITOR_CALLS)

#include <port_soft.h>

#elif defined(TRAPEZE_IRQ_CLIC)

/** Masks the interrupts that may call the kernel; returns the mask before. */
static inline uint32_t port_mask(void)
{
	return csr_swap(CSR_XINTTHRESH, configMAX_SYSCALL_INTERRUPT_PRIORITY);
}

/* Text for asm: port_mask(), and a jump to a label if something was masked before, which uses up a register; operand
 * 0 is the maximum level. And port_unmask_all(). */
#define PORT_MASK_OR(register, label)                                                              \
	"li " register ", %0\n\t"                                                                  \
	"csrrw " register ", " TRAPEZE_STRINGIFY(CSR_XINTTHRESH) ", " register "\n\t"              \
	"bnez " register ", " label
#define PORT_UNMASK_ALL "csrw " TRAPEZE_STRINGIFY(CSR_XINTTHRESH) ", zero"

/** Undoes the port_mask() that returned @p saved. */
static inline void port_unmask(uint32_t saved)
{
	/* Not csr_write(): GCC 12 may then make a constant of 0x800 of it (trapeze/csr.h). */
	__asm__ volatile("csrw " TRAPEZE_STRINGIFY(CSR_XINTTHRESH) ", %0" : : "r"(saved) : "memory");
}

/** Unmasks all interrupts. */
static inline void port_unmask_all(void)
{
	csr_write(CSR_XINTTHRESH, 0);
}

/** Waits for any interrupt, with port_mask() in force before and after. Levels above the maximum run
 * behind two instructions. */
static inline void port_wait(void)
{
	csr_clear(CSR_XSTATUS, XSTATUS_XIE);
	csr_write(CSR_XINTTHRESH, 0);
	__asm__ volatile("wfi" : : : "memory");
	(void)port_mask();
	csr_set(CSR_XSTATUS, XSTATUS_XIE);
}

#else

static inline uint32_t port_mask(void)
{
	return csr_read_clear(CSR_MSTATUS, MSTATUS_MIE) & MSTATUS_MIE;
}

#define PORT_MASK_OR(register, label)                                                              \
	"csrrci " register ", " TRAPEZE_STRINGIFY(CSR_MSTATUS) ", 8\n\t"                             \
	"andi " register ", " register ", 8\n\t"                                                   \
	"beqz " register ", " label
#define PORT_UNMASK_ALL "csrsi " TRAPEZE_STRINGIFY(CSR_MSTATUS) ", 8"

static inline void port_unmask(uint32_t saved)
{
	/* Not csr_set(): GCC 12 may then make a constant of 0x800 of it (trapeze/csr.h). */
	__asm__ volatile("csrs " TRAPEZE_STRINGIFY(CSR_MSTATUS) ", %0" : : "r"(saved) : "memory");
}

static inline void port_unmask_all(void)
{
	csr_set(CSR_MSTATUS, MSTATUS_MIE);
}

static inline void port_wait(void)
{
	__asm__ volatile("wfi" : : : "memory");
}

#endif /* TRAPEZE_IRQ_CLIC */

#endif /* __ASSEMBLER__ */

/* clang-format on */

#endif /* PORT_SCHEME_H_ */
