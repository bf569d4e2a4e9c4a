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
#ifdef __riscv_flen
#define PORT_FCSR    (TRAPEZE_TRAP_FRAME + 16)
#define PORT_F       (TRAPEZE_TRAP_FRAME + 32)
#define PORT_CONTEXT (PORT_F + 32 * 8)
#else
#define PORT_CONTEXT (TRAPEZE_TRAP_FRAME + 16)
#endif

/* clang-format on */

/** Rows of physical memory protection that a task may have. */
#define PORT_PMP_ROWS 16

#ifndef __ASSEMBLER__

#include <FreeRTOS.h>
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
#ifdef __riscv_flen
	uint64_t fcsr;
	uint64_t reserved;
	uint64_t f[32];
#else
	csr_value_t reserved[2];
#endif
};

_Static_assert(sizeof(struct port_context) == PORT_CONTEXT, "for assembly");
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
void port_enter_user_again(struct port_context *context, uintptr_t pc, uintptr_t sp, uintptr_t ra,
			   const struct port_rows *rows);

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
