/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief What machine mode does for a program in user mode: gives it interrupts of its own, and starts it.
 *
 * What user mode may reach is said by memory protection (trapeze/pmp.h): its code and user_vectors[], which
 * stands beside the code, to be executed; its data and its stack to be read and written.
 *
 * Only configurations with `irq.user` and the scheme fastirq have this. Source:
 * docs/user-level-interrupts.md.
 */
#ifndef TRAPEZE_USER_H_
#define TRAPEZE_USER_H_

#include <stdint.h>

#include <trapeze/csr.h>
#include <trapeze/irq_fast.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Alignment of a table of user mode's handlers: at least its size, as utvt wants it. */
#define USER_TABLE_ALIGNMENT (IRQ_COUNT <= 64 ? 256 : IRQ_COUNT <= 256 ? 1024 : 16384)

/** The handlers that user_irq_give() was given, by interrupt. */
extern irq_fast_handler_t user_vectors[IRQ_COUNT];

/**
 * Makes an interrupt user mode's and enables it. The core saves the interrupted registers, so the handler is a
 * plain C function, which runs in user mode on the interrupted stack; higher levels preempt it. User mode takes
 * the interrupt while ustatus.UIE is set. Its trigger stays as it is.
 *
 * All eight bits of a level of user mode count. Sources that were not given stay machine mode's.
 *
 * @param irq interrupt number
 * @param level 1 to 255
 * @param handler the function
 * @return 0, or -EINVAL if there is no such interrupt, the level is 0 or the handler is NULL
 */
int user_irq_give(unsigned int irq, uint8_t level, irq_fast_handler_t handler);

/**
 * Goes on in user mode, with every register but gp and tp zero. It comes back to machine mode by exceptions
 * alone (trapeze/trap.h), and by interrupts of machine mode.
 *
 * @param function where, which must not return
 * @param stack_end the byte behind its stack, a multiple of 16
 */
__attribute__((noreturn)) void user_enter(void (*function)(void), void *stack_end);

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_USER_H_ */
