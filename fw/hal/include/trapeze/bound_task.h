/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Bound tasks: an interrupt source wakes a task of its own, without a kernel and without a
 * handler between.
 *
 * What to write:
 * @code
 * BOUND_TASK_DEFINE(sensor, 1024);
 *
 * static void sensor_main(void *arg)
 * {
 *         for (;;) {
 *                 BOUND_TASK_WAIT(sensor);
 *                 samples++;
 *         }
 * }
 *
 *         bound_task_start(&sensor, IRQ_PLATFORM(3), 0xff, sensor_main, NULL);
 *         irq_unlock_all();
 * @endcode
 *
 * A bound task has a stack and waits in the middle of a function, as a task of an RTOS does. It runs
 * at its source's level: less important interrupts and all tasks of a kernel wait while it runs, and
 * more important ones preempt it. An edge that comes while the task runs is remembered: the next
 * BOUND_TASK_WAIT() returns at once. Further ones count as that one.
 *
 * With FreeRTOS: give the source a level above configMAX_SYSCALL_INTERRUPT_PRIORITY. Then no critical
 * section of the kernel delays the task. It must not call the kernel; to tell a task of the kernel
 * something, it makes another source pending (irq_pending_set()) whose handler has a level that may
 * call functions that end with FromISR. That is one store, which never waits.
 *
 * What it costs: fastirq stores the caller-saved registers in the background. The entry stores the
 * callee-saved ones, which belong to the interrupted program, and the wait loads them again: 12 of
 * each, with ilp32e 2. So it takes the same number of cycles whatever was interrupted. On a core with
 * whole frames (docs/fastirq.md) the core stores them, too, and the task runs 12 stores sooner; the
 * program finds out when it starts the task. The stack of the interrupted program holds
 * TRAPEZE_IRQ_WHOLE_FRAME bytes meanwhile, on either core.
 *
 * Only configurations with fastirq have this. In user mode it needs interrupts of its own (trapeze/mode.h).
 */
#ifndef TRAPEZE_BOUND_TASK_H_
#define TRAPEZE_BOUND_TASK_H_

#include <stddef.h>
#include <stdint.h>

#include <trapeze/abi.h>
#include <trapeze/csr.h>
#include <trapeze/irq_fast.h>
#include <trapeze/mode.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A bound task. */
struct bound_task {
	/** While it waits: its sp. There are the address at which it goes on and its s0. */
	uint32_t sp;
	/** While it runs: sp of what it interrupted. There are the callee-saved registers, and above them
	 * the frame that fastirq stored; or the whole frame. */
	uint32_t interrupted;
	/** Not 0: the core has whole frames. */
	uint32_t whole;
	/** What its source's entry of the vector table leads to, by whether the core has whole frames. */
	irq_fast_handler_t entries[2];
	/** Its stack. */
	uint32_t *stack;
	size_t stack_bytes;
};

/* clang-format off */

/* BOUND_TASK_SAVED: bytes of the interrupted program's stack that the entry of a bound task uses below its frame.
 * BOUND_TASK_CALLEE_: stores or loads the callee-saved registers there. */
#ifdef __riscv_32e
#define BOUND_TASK_SAVED 8
#define BOUND_TASK_CALLEE_(op) \
	op " s0, 0(sp)\n\t" \
	op " s1, 4(sp)\n\t"
#define BOUND_TASK_CLOBBERS_ \
	"ra", "t0", "t1", "t2", "s1", "a1", "a2", "a3", "a4", "a5"
#else
#define BOUND_TASK_SAVED 48
#define BOUND_TASK_CALLEE_(op) \
	op " s0, 0(sp)\n\t" \
	op " s1, 4(sp)\n\t" \
	op " s2, 8(sp)\n\t" \
	op " s3, 12(sp)\n\t" \
	op " s4, 16(sp)\n\t" \
	op " s5, 20(sp)\n\t" \
	op " s6, 24(sp)\n\t" \
	op " s7, 28(sp)\n\t" \
	op " s8, 32(sp)\n\t" \
	op " s9, 36(sp)\n\t" \
	op " s10, 40(sp)\n\t" \
	op " s11, 44(sp)\n\t"
#define BOUND_TASK_CLOBBERS_ \
	"ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", \
	"s11", "a1", "a2", "a3", "a4", "a5", "a6", "a7"
#endif

/* The entry. It finds all caller-saved registers free; the loads stand where the next instruction does not need them. */
#define BOUND_TASK_ENTRY_ \
	"lui t0, %%hi(%0)\n\t" \
	"lw t1, %%lo(%0)(t0)\n\t" \
	"addi sp, sp, -%1\n\t" \
	BOUND_TASK_CALLEE_("sw") \
	"lw t2, 0(t1)\n\t" \
	"sw sp, %%lo(%0 + 4)(t0)\n\t" \
	"lw s0, 4(t1)\n\t" \
	"mv sp, t1\n\t" \
	"jr t2"

/* The same where the core has stored all registers. */
#define BOUND_TASK_ENTRY_WHOLE_ \
	"lui t0, %%hi(%0)\n\t" \
	"sw sp, %%lo(%0 + 4)(t0)\n\t" \
	"lw sp, %%lo(%0)(t0)\n\t" \
	"lw t2, 0(sp)\n\t" \
	"lw s0, 4(sp)\n\t" \
	"jr t2"

/* The wait; a0: the task. */
#define BOUND_TASK_WAIT_(woken) \
	"addi sp, sp, -16\n\t" \
	"la t0, " woken "\n\t" \
	"lw t1, 4(a0)\n\t" \
	"lw t2, 8(a0)\n\t" \
	"sw t0, 0(sp)\n\t" \
	"sw s0, 4(sp)\n\t" \
	"sw sp, 0(a0)\n\t" \
	"mv sp, t1\n\t" \
	"bnez t2, 1f\n\t" \
	BOUND_TASK_CALLEE_("lw") \
	"addi sp, sp, %1\n" \
	"1:\n\t" \
	TRAPEZE_EXRET "\n\t" \
	".balign 4\n" \
	woken ":\n\t" \
	"addi sp, sp, 16"

/* clang-format on */

#ifdef __cplusplus
#define BOUND_TASK_ASSERT_ static_assert
#else
#define BOUND_TASK_ASSERT_ _Static_assert
#endif

/** The least stack, in bytes: of the task's first call, and of a frame of each of two more important
 * interrupts. */
#define BOUND_TASK_STACK_MIN (64 + 2 * TRAPEZE_IRQ_WHOLE_FRAME)

/**
 * Defines a bound task, `struct bound_task task`, with its stack and its entry.
 *
 * @param task its name; `trapeze run --to task:<name>` knows it by that
 * @param bytes of its stack, at least BOUND_TASK_STACK_MIN
 */
#define BOUND_TASK_DEFINE(task, bytes)                                                             \
	BOUND_TASK_ASSERT_((bytes) >= BOUND_TASK_STACK_MIN, "a bound task's stack is too small");  \
	static uint32_t task##_stack[((bytes) + 15U) / 16U * 4U] __attribute__((aligned(16)));     \
	extern struct bound_task task;                                                             \
	__attribute__((naked, aligned(4))) static void task##_entry(void)                          \
	{                                                                                          \
		__asm__ volatile(BOUND_TASK_ENTRY_ : : "i"(&(task)), "i"(BOUND_TASK_SAVED));       \
	}                                                                                          \
	__attribute__((naked, aligned(4))) static void task##_entry_whole(void)                    \
	{                                                                                          \
		__asm__ volatile(BOUND_TASK_ENTRY_WHOLE_ : : "i"(&(task)));                        \
	}                                                                                          \
	struct bound_task task = {                                                                 \
	    0U, 0U, 0U, {task##_entry, task##_entry_whole}, task##_stack, sizeof(task##_stack)}

/**
 * Waits for the next edge of the task's source. Only the task itself may call it, at any depth.
 *
 * All registers change while it waits, so the compiler keeps what it needs on the task's stack. The
 * symbol `<task>.woken.<n>` stands at the instruction at which the task goes on.
 *
 * @param task the name given to BOUND_TASK_DEFINE()
 */
#define BOUND_TASK_WAIT(task)                                                                      \
	do {                                                                                       \
		register struct bound_task *task##_self __asm__("a0") = &(task);                   \
		__asm__ volatile(BOUND_TASK_WAIT_(#task ".woken.%=")                               \
				 : "+r"(task##_self)                                               \
				 : "i"(BOUND_TASK_SAVED)                                           \
				 : BOUND_TASK_CLOBBERS_, "memory");                                \
	} while (0)

/**
 * Starts a bound task: binds it to an edge-triggered, vectored source and runs @p run up to its first
 * BOUND_TASK_WAIT() as soon as the source's level allows. Edges before that are forgotten.
 *
 * @param task the task
 * @param irq interrupt number
 * @param level of the source, 1 to 255, of which the upper irq_level_bits_get() bits count
 * @param run the task's function, which must not return
 * @param arg its argument
 * @return 0, or -EINVAL if there is no such interrupt or the level is 0
 */
int bound_task_start(struct bound_task *task, unsigned int irq, uint8_t level,
		     void (*run)(void *arg), void *arg);

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_BOUND_TASK_H_ */
