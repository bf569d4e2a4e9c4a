/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief User interrupts from hart to hart: threads in user mode with 64 vectors each, which others post.
 *
 * Machine mode sets up threads and their targets, and chooses the thread that runs on this hart. User mode sends and
 * receives without machine mode. docs/user-interrupts.md says what the hardware does. Only configurations with
 * `irq.uintr` have it.
 *
 * @code
 * TZ_SHARED static struct uintr_thread ping, pong;
 *
 *         uintr_thread_init(&pong, UINTR_RUNNING);         // in machine mode, once
 *         uintr_connect(&ping, 0, &pong, 5);
 *
 *         uintr_begin(handler, 255);                       // in machine mode, on the hart of pong
 *         uintr_switch_in(&pong);
 *
 *         uintr_send(0);                                   // in user mode, as ping
 *         uintr_wait();                                    // in user mode, as pong
 * @endcode
 *
 * Threads that harts send to, and their senders, are TZ_SHARED objects. User mode needs no access to them.
 */
#ifndef TRAPEZE_UINTR_H_
#define TRAPEZE_UINTR_H_

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/csr.h>
#include <trapeze/hart.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Vectors of a thread. */
#define UINTR_VECTORS 64U

/** Entries of a thread's table of targets. */
#define UINTR_TARGETS 8U

/** Notification vector of running threads, on every hart. It is a source of the CLIC without a wire. */
#define UINTR_RUNNING 12U

/** Bits of uintr_upid.control. */
#define UINTR_ON ((uint32_t)UPID_CONTROL_ON)
#define UINTR_SN ((uint32_t)UPID_CONTROL_SN)

/** State of a receiver for the hardware (UPID). */
struct uintr_upid {
	uint32_t control; /**< UINTR_ON, UINTR_SN; UPID_CONTROL_NV: notification vector */
	uint32_t ndst;    /**< hart that is notified */
	uint32_t puir[2]; /**< posted vectors, one bit for each */
} __attribute__((aligned(UPID_ALIGNMENT)));

/** A target of senduipi (UITT entry). */
struct uintr_target {
	uint8_t valid;
	uint8_t vector;
	uint8_t reserved[6];
	uint32_t upid;
	uint32_t upid_high;
} __attribute__((aligned(UITT_ALIGNMENT)));

/** A thread. */
struct uintr_thread {
	struct uintr_upid upid;
	struct uintr_target targets[UINTR_TARGETS];
	uint32_t uirr[2]; /**< vectors that wait for the thread while it does not run */
	uint32_t notification;
};

/** A handler of a vector in user mode; user interrupts are disabled while it runs. */
typedef void (*uintr_handler_t)(unsigned int vector);

/* Functions for machine mode. */

/**
 * Initialises a thread that does not run and has no targets. Vectors posted to it wait.
 */
void uintr_thread_init(struct uintr_thread *thread, unsigned int notification);

/**
 * Lets @p sender post @p vector to @p receiver by uintr_send(@p index).
 *
 * @return 0, or -EINVAL if there is no such index or vector
 */
int uintr_connect(struct uintr_thread *sender, unsigned int index, struct uintr_thread *receiver,
		  unsigned int vector);

/** Removes a target. */
void uintr_disconnect(struct uintr_thread *sender, unsigned int index);

/**
 * Lets user mode of this hart take user interrupts by @p handler, at a level of the CLIC, with fastirq. They are
 * disabled until uintr_enable().
 */
void uintr_begin(uintr_handler_t handler, uint8_t level);

/**
 * As uintr_begin(), but the table of handlers leads straight to @p handler, which finds the vector in ucause. A C function
 * without more: the core has saved what it may change, and its return goes back.
 */
void uintr_begin_direct(void (*handler)(void), uint8_t level);

/** Lets the thread run on this hart from now on; it must not run on another hart. */
void uintr_switch_in(struct uintr_thread *thread);

/** The thread that runs on this hart runs no more. Vectors posted to it wait, and no hart is notified. */
void uintr_switch_out(struct uintr_thread *thread);

/**
 * For a thread that does not run: from now on a vector posted to it makes an interrupt of this hart pending, so that
 * the interrupt's handler can let the thread run.
 */
bool uintr_watch(struct uintr_thread *thread, unsigned int irq);

/* Functions for user mode. */

/** Posts the vector of a target. If no target has the index: exception MCAUSE_SEND_FAULT. */
static inline void uintr_send(unsigned int index)
{
	/* TRAPEZE_SENDUIPI_MATCH with a register */
	__asm__ volatile(".insn r 0x73, 0, 0x47, x0, %0, x0" : : "r"(index) : "memory");
}

/** Whether user interrupts are enabled (testui). */
static inline bool uintr_is_enabled(void)
{
	return (csr_read(CSR_USTATUS) & USTATUS_UIE) != 0U;
}

/** Enables user interrupts (stui). */
static inline void uintr_enable(void)
{
	csr_set(CSR_USTATUS, USTATUS_UIE);
}

/** Disables user interrupts (clui). */
static inline void uintr_disable(void)
{
	csr_clear(CSR_USTATUS, USTATUS_UIE);
}

/**
 * Call it with user interrupts disabled. Sleeps until a user interrupt comes, and then lets it come. Use it in a loop,
 * so that no interrupt is missed:
 * @code
 *         uintr_disable();
 *         while (!what_the_handler_sets) {
 *                 uintr_wait();
 *         }
 * @endcode
 */
static inline void uintr_wait(void)
{
	__asm__ volatile("wfi" : : : "memory");
	uintr_enable();
	uintr_disable();
}

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_UINTR_H_ */
