/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief FreeRTOS port with protected tasks: the context of a task that does not run, and tasks in user mode. For C and
 * assembly, of either width.
 *
 * Each task has a context at the end of the stack that the kernel has given it. It is outside of the stack that the
 * task uses, so that user mode never reaches memory of the kernel.
 */
#ifndef PORT_CONTEXT_H_
#define PORT_CONTEXT_H_

#include <trapeze/abi.h>
#include <trapeze/csr.h>

/* clang-format off */

/* struct port_context, in bytes */
#define PORT_QUICK   (TRAPEZE_TRAP_FRAME + 2 * TRAPEZE_REG)
#ifdef __riscv_flen
#define PORT_FCSR    (TRAPEZE_TRAP_FRAME + 24)
#define PORT_F       (TRAPEZE_TRAP_FRAME + 32)
#define PORT_CONTEXT (PORT_F + 32 * 8)
#else
#define PORT_CONTEXT (TRAPEZE_TRAP_FRAME + 16)
#endif

/* clang-format on */

/* mstatus of tasks: the state of the floating-point registers. */
#ifdef __riscv_flen
#define PORT_FLOAT_ON MSTATUS_FS_CLEAN
#else
#define PORT_FLOAT_ON 0U
#endif

/** Rows of physical memory protection that a task may have. */
#define PORT_PMP_ROWS 16

#ifndef __ASSEMBLER__

#include <FreeRTOS.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <task.h>

#include <trapeze/trap.h>

/** Rows of physical memory protection: values of their registers. */
struct port_rows {
	csr_value_t config[PORT_PMP_ROWS / TRAPEZE_REG]; /* one byte for each row */
	csr_value_t address[PORT_PMP_ROWS];
};

/** Context of a task that does not run. */
struct port_context {
	struct trap_frame frame; /* all integer registers, and the cause for which the task left */
	csr_value_t critical_depth;
	const struct port_rows *rows; /* of a task in user mode; else NULL */
	csr_value_t
	    quick; /* not 0: all is as port_enter_user_again() has left it; an ecall at `ra` is port_quick_end() */
#ifdef __riscv_flen
	uint64_t fcsr;
	uint64_t f[32];
#else
	csr_value_t reserved;
#endif
};

_Static_assert(sizeof(struct port_context) == PORT_CONTEXT, "for assembly");
_Static_assert(offsetof(struct port_context, quick) == PORT_QUICK, "for assembly");
#ifdef __riscv_flen
_Static_assert(offsetof(struct port_context, fcsr) == PORT_FCSR, "for assembly");
_Static_assert(offsetof(struct port_context, f) == PORT_F, "for assembly");
#endif

/** Bits of mcause that say why a task left: the interrupt bit and the code. With a CLIC mcause holds more. */
static inline csr_value_t port_cause(const struct port_context *context)
{
	return context->frame.mcause & (MCAUSE_INTERRUPT | MCAUSE_CODE);
}

/** The context of a task that does not run, or that an interrupt or exception took. */
static inline struct port_context *port_context_of(TaskHandle_t task)
{
	/* The first word of the kernel's control block is the task's sp, which stays constant in this port. */
	return *(struct port_context **)task;
}

/**
 * Lets a task that has not run yet begin in user mode, with nothing in its registers but sp and ra.
 *
 * @param task the task; its function is not called
 * @param pc first instruction
 * @param sp end of its stack
 * @param ra where its function returns to
 * @param rows all that it reaches; has to live as long as the task is in user mode
 * @return its context, for arguments in registers
 */
struct port_context *port_enter_user(TaskHandle_t task, uintptr_t pc, uintptr_t sp, uintptr_t ra,
				     const struct port_rows *rows);

/**
 * Lets a task that has been in user mode begin there anew: as port_enter_user(), but the registers that are not named here
 * keep what they hold, for what the task itself has left there and for arguments.
 */
static inline void port_enter_user_again(struct port_context *context, uintptr_t pc, uintptr_t sp,
					 uintptr_t ra, const struct port_rows *rows)
{
	context->frame.x[1] = ra;
	context->frame.x[2] = sp;
	context->frame.mepc = pc;
	context->frame.mcause = 0U; /* with a CLIC: to level 0 */
	context->frame.mstatus = MSTATUS_MPP_U | MSTATUS_MPIE | PORT_FLOAT_ON;
	context->critical_depth = 0U;
	context->quick = 0U;
	context->rows = rows;
#ifdef __riscv_flen
	context->fcsr = 0U;
#endif
}

/**
 * Lets a suspended task in user mode run when the handler ends, in the time of the running task, without the scheduler's
 * lists: that costs less. When an interrupt wakes another task meanwhile, the task is resumed, and is one among the others
 * from then on.
 *
 * For handlers of interrupts, with configTRAPEZE_BORROW.
 *
 * @return false: it is not so; the running task's priority is not below @p priority, that of the other task, or a task
 *         is in the kernel
 */
bool port_borrow(TaskHandle_t task, UBaseType_t priority);

/** Ends the time of a task that port_borrow() has let run. For handlers. @return false: it is one among the others. */
bool port_borrow_end(TaskHandle_t task);

/** Lets a task that has borrowed its time be one among the others from now on, if it is none. For handlers. */
void port_borrow_settle(TaskHandle_t task);

/*
 * The quick way: an interrupt lets a task in user mode run its function once, and the function's return is taken without
 * saving registers that have no meaning any more. A program that has the interrupt configTRAPEZE_QUICK_IRQ defines the
 * two functions. They call no function of the kernel.
 */

/**
 * The interrupt has come, and the idle task runs.
 *
 * @return what to go on with: port_quick_enter(); NULL: the interrupt's handler of irq_connect() is called
 */
struct port_context *port_quick_interrupt(void);

/**
 * The function of a borrower whose context is marked as quick has returned.
 *
 * @param context of the borrower
 * @param a0 what it returned
 * @param a1 the same, upper half
 * @return what to go on with: port_quick_leave()
 */
struct port_context *port_quick_end(struct port_context *context, csr_value_t a0, csr_value_t a1);

/** Whether a task can borrow the idle task's time, whose context port_quick_interrupt() has interrupted. */
bool port_quick_can(void);

/** As port_borrow(), for port_quick_interrupt(). @return the task's context. */
struct port_context *port_quick_enter(TaskHandle_t task);

/** Ends the borrower's time in port_quick_end(). @return the context of the task whose time it was. */
struct port_context *port_quick_leave(void);

/** The task in user mode whose exception port_user_exception() handles. */
TaskHandle_t port_user_task(void);

/**
 * Lets a task in user mode go on as a task of the kernel: in @p function, on the stack that the kernel
 * has given it.
 */
void port_leave_user(struct port_context *context, TaskFunction_t function, void *parameters);

/**
 * Handles an exception of a task in user mode, with interrupts disabled; the frame says which exception it is. A
 * program with such tasks defines this function. It may call port_leave_user() and functions that end with FromISR.
 */
void port_user_exception(struct port_context *context);

#endif /* __ASSEMBLER__ */

#endif /* PORT_CONTEXT_H_ */
