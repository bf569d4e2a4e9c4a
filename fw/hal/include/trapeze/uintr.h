/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief User interrupts from hart to hart: threads in user mode with 64 vectors each, which others post.
 *
 * Machine mode sets up threads, who may send to whom, and which thread runs on this hart; user mode sends, and takes
 * what comes, by itself. docs/user-interrupts.md says what the hardware does. Only configurations with `irq.uintr`
 * have it.
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

/** Notification vector of threads that run, on every hart: a source of the CLIC that has no wire. */
#define UINTR_RUNNING 12U

/** Bits of uintr_upid.status. */
#define UINTR_ON 0x01U
#define UINTR_SN 0x02U

/** What the hardware knows of a receiver (UPID). */
struct uintr_upid {
	uint32_t control; /**< UINTR_ON, UINTR_SN; notification vector from bit 16 on */
	uint32_t ndst;    /**< hart that is notified */
	uint32_t puir[2]; /**< vectors that are posted */
} __attribute__((aligned(64)));

/** A target of senduipi (UITT entry). */
struct uintr_target {
	uint8_t valid;
	uint8_t vector;
	uint8_t reserved[6];
	uint32_t upid;
	uint32_t upid_high;
} __attribute__((aligned(16)));

/** A thread. */
struct uintr_thread {
	struct uintr_upid upid;
	struct uintr_target targets[UINTR_TARGETS];
	uint32_t uirr[2]; /**< what waits for it while it does not run */
	uint32_t notification;
};

/** Handles a vector in user mode, with user interrupts disabled. */
typedef void (*uintr_handler_t)(unsigned int vector);

/* In machine mode. */

/**
 * Makes a thread that does not run and has no targets; what is posted to it waits.
 *
 * @param notification its notification vector while it runs
 */
void uintr_thread_init(struct uintr_thread *thread, unsigned int notification);

/**
 * Lets @p sender post @p vector to @p receiver by uintr_send(@p index).
 *
 * @return 0, or -EINVAL if there is no such index or vector
 */
int uintr_connect(struct uintr_thread *sender, unsigned int index, struct uintr_thread *receiver,
		  unsigned int vector);

/** Takes a target away. */
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

/** The thread runs on this hart from now on; no other may run on it. */
void uintr_switch_in(struct uintr_thread *thread);

/** The thread that runs on this hart does so no more. What is posted to it waits, and notifies nobody. */
void uintr_switch_out(struct uintr_thread *thread);

/**
 * Of a thread that does not run: from now on what is posted to it makes an interrupt of this hart pending, so that its
 * handler can let the thread in.
 *
 * @param irq the source, edge-triggered
 * @return false if something is posted already: no interrupt will come for that
 */
bool uintr_watch(struct uintr_thread *thread, unsigned int irq);

/* In user mode. */

/** Posts the vector of a target. An index without target is an exception, MCAUSE_SEND_FAULT. */
static inline void uintr_send(unsigned int index)
{
	/* TRAPEZE_SENDUIPI_MATCH with a register */
	__asm__ volatile(".insn r 0x73, 0, 0x47, x0, %0, x0" : : "r"(index) : "memory");
}

/** Whether interrupts of user mode are enabled (testui). */
static inline bool uintr_is_enabled(void)
{
	return (csr_read(CSR_USTATUS) & USTATUS_UIE) != 0U;
}

/** Enables them (stui). */
static inline void uintr_enable(void)
{
	csr_set(CSR_USTATUS, USTATUS_UIE);
}

/** Disables them (clui). */
static inline void uintr_disable(void)
{
	csr_clear(CSR_USTATUS, USTATUS_UIE);
}

/**
 * Sleeps until one comes, with them disabled, then lets it come. In a loop, so that nothing is slept through:
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
