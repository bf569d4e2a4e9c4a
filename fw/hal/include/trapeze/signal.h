/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Signals from hart to hart through machine mode: the function of trapeze/uintr.h without its hardware.
 *
 * The meaning is the same: threads in user mode with 64 vectors, posted by index, handled highest first with others
 * masked. The implementation is like that of an operating system: a call posts, the software interrupt notifies,
 * machine mode puts a frame on the user's stack, and the handler's end is a call, which restores the frame or goes on
 * to the next signal. It exists to be compared with user interrupts, so it is as short as possible: all of it is
 * assembly (start/signal.S), a call saves nothing that a C function may change, and machine mode's interrupt is saved
 * by fastirq.
 *
 * Only for fastirq configurations with the extensions A and Zbb and all registers. One thread for each hart; machine mode's exceptions go through start/signal.S from signal_begin() on, and its software
 * interrupt is taken. The user's stack is trusted. Also included by assembly sources.
 */
#ifndef TRAPEZE_SIGNAL_H_
#define TRAPEZE_SIGNAL_H_

#include <trapeze/csr.h>

/** Values of a7 in an ecall. Any other value is an ordinary exception. */
#define SIGNAL_CALL_SEND    0x5160
#define SIGNAL_CALL_RETURN  0x5161
#define SIGNAL_CALL_SUSPEND 0x5162
#define SIGNAL_CALL_MASK    0x5163

/** Targets of a thread. */
#define SIGNAL_TARGETS 8

/* struct signal_thread and struct signal_target for assembly. */
#define SIGNAL_PENDING      0
#define SIGNAL_MASKED       8
#define SIGNAL_HANDLER      12
#define SIGNAL_NOTIFY       16
#define SIGNAL_TABLE        32
#define SIGNAL_TARGET_SHIFT 4

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A handler of signals in user mode; other signals wait while it runs. */
typedef void (*signal_handler_t)(unsigned int vector);

/** Target of a signal. */
struct signal_target {
	uint32_t *pending; /**< the word with its bit; NULL: there is no target */
	uint32_t bit;
	volatile uint32_t *notify; /**< the software interrupt of the hart */
	uint32_t unused;
};

/** A thread, a TZ_SHARED object. */
struct signal_thread {
	uint32_t pending[2];
	uint32_t masked;
	signal_handler_t handler;
	volatile uint32_t *notify;
	uint32_t unused[3];
	struct signal_target targets[SIGNAL_TARGETS];
};

/** Initialises the thread of a hart; call it in machine mode. Signals are masked until the thread runs. */
void signal_thread_init(struct signal_thread *thread, unsigned int hart);

/** As uintr_connect(). @return 0, or -EINVAL */
int signal_connect(struct signal_thread *sender, unsigned int index, struct signal_thread *receiver,
		   unsigned int vector);

/** Lets @p thread run on this hart from the next mret to user mode on, with signals masked. */
void signal_begin(struct signal_thread *thread, signal_handler_t handler);

/* Functions for user mode. A call may change the registers that a C function may change. */

#define SIGNAL_CALL_(number, argument)                                                             \
	register uint32_t a0_ __asm__("a0") = (argument);                                          \
	register uint32_t a7_ __asm__("a7") = (number);                                            \
	__asm__ volatile("ecall"                                                                   \
			 : "+r"(a0_), "+r"(a7_)                                                    \
			 :                                                                         \
			 : "memory", "ra", "t0", "t1", "t2", "a1", "a2", "a3", "a4", "a5", "a6",   \
			   "t3", "t4", "t5", "t6")

/** Posts to a target. @return false if no target has this index */
static inline bool signal_send(unsigned int index)
{
	SIGNAL_CALL_(SIGNAL_CALL_SEND, index);
	return a0_ == 0U;
}

/** Masks or unmasks signals. */
static inline void signal_mask(bool masked)
{
	SIGNAL_CALL_(SIGNAL_CALL_MASK, masked ? 1U : 0U);
}

/** Call it with signals masked. Sleeps until a signal has come and its handler has run. */
static inline void signal_suspend(void)
{
	SIGNAL_CALL_(SIGNAL_CALL_SUSPEND, 0U);
}

#ifdef __cplusplus
}
#endif

#endif /* __ASSEMBLER__ */

#endif /* TRAPEZE_SIGNAL_H_ */
