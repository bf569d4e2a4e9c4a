/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Spin lock and barrier between harts. Both are objects in shared memory (TZ_SHARED), ready
 * for use when they are zero.
 *
 * Source of the memory orders: RISC-V Unprivileged ISA, chapters "A" and RVWMO; they are the
 * compiler's acquire and release.
 */
#ifndef TRAPEZE_SPIN_LOCK_H_
#define TRAPEZE_SPIN_LOCK_H_

#include <stdint.h>

#include <trapeze/irq.h>

#ifndef __riscv_atomic
#error "spin locks need atomic instructions: build for a configuration with extension a"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A ticket lock: harts get it in the order in which they asked, so none waits for more than one turn
 * of each other hart.
 */
struct spin_lock {
	uint32_t next;    /**< ticket of the next hart that asks */
	uint32_t serving; /**< ticket of the hart that has the lock */
};

/** Takes the lock; waits while another hart has it. Not from a handler that may interrupt its holder
 * on the same hart, which would wait for ever: spin_lock_irq_take() is for that. */
static inline void spin_lock_take(struct spin_lock *lock)
{
	uint32_t ticket = __atomic_fetch_add(&lock->next, 1U, __ATOMIC_RELAXED);

	while (__atomic_load_n(&lock->serving, __ATOMIC_ACQUIRE) != ticket) {
	}
}

/** Gives the lock back. */
static inline void spin_lock_give(struct spin_lock *lock)
{
	/* Only the holder writes this word, so no atomic instruction is needed. */
	uint32_t ticket = __atomic_load_n(&lock->serving, __ATOMIC_RELAXED);

	__atomic_store_n(&lock->serving, ticket + 1U, __ATOMIC_RELEASE);
}

/** Locks this hart's interrupts, then takes the lock; returns the key for spin_lock_irq_give(). */
static inline unsigned int spin_lock_irq_take(struct spin_lock *lock)
{
	unsigned int key = irq_lock();

	spin_lock_take(lock);
	return key;
}

/** Gives the lock back, and interrupts the state before the spin_lock_irq_take() that returned
 * @p key. */
static inline void spin_lock_irq_give(struct spin_lock *lock, unsigned int key)
{
	spin_lock_give(lock);
	irq_unlock(key);
}

/** A barrier: no hart passes before all have arrived. It may be used again at once. */
struct barrier {
	uint32_t arrived; /**< number of harts that wait in this round */
	uint32_t round;   /**< number of finished rounds */
};

/**
 * Waits until @p harts harts have called this, and sees what each has written before.
 *
 * @param barrier the barrier
 * @param harts how many, the same in every call of a round
 */
static inline void barrier_wait(struct barrier *barrier, uint32_t harts)
{
	uint32_t round = __atomic_load_n(&barrier->round, __ATOMIC_RELAXED);

	if (__atomic_fetch_add(&barrier->arrived, 1U, __ATOMIC_ACQ_REL) == harts - 1U) {
		__atomic_store_n(&barrier->arrived, 0U, __ATOMIC_RELAXED);
		__atomic_store_n(&barrier->round, round + 1U, __ATOMIC_RELEASE);
	} else {
		while (__atomic_load_n(&barrier->round, __ATOMIC_ACQUIRE) == round) {
		}
	}
}

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_SPIN_LOCK_H_ */
