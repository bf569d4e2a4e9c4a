/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * An interrupt of a device or of the timer to a thread in user mode of hart 0. One comes in each round, a cycle later
 * each time. The handler's first instruction is marker 1. Every row of memory protection is in use. A definition
 * chooses what arrives:
 *
 * ARRIVES_DEVICE  line 3, user mode's own source: goes directly to the running thread
 * ARRIVES_TIMER   the timer: goes directly to the running thread
 * ARRIVES_POST    line 3, machine mode's: its handler posts to a thread that does not run and switches to it, and the
 *                 thread takes the post. It runs until it has nothing to do, so none of its registers are restored
 *
 * The laboratory raises the line in cycle FIRST + n * PERIOD + n, in round n. Ends with code 0 if each round had its
 * interrupt and the interrupted program the right results.
 */
#include <stdint.h>

#include <trapeze/clint.h>
#include <trapeze/csr.h>
#include <trapeze/exit.h>
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>
#include <trapeze/irq_fast.h>
#include <trapeze/map.h>
#include <trapeze/timer.h>
#include <trapeze/uintr.h>
#include <trapeze/user.h>

#include "../irq-latency/background.h"

enum {
	LINE = 3,
	LEVEL = 0x80,
	ROW_OPEN = PMPCFG_A_NAPOT | PMPCFG_R | PMPCFG_W | PMPCFG_X,
};

/** bench/irq-latency: returns a fixed number of cycles after the counter has reached @p cycle. */
void wait_until(uint32_t cycle);
/** bench/irq-latency: calls @p function in user mode. */
uint32_t user_call(uint32_t (*function)(void));

TZ_SHARED static struct uintr_thread running, sleeping;

/* All rows are in use. The last one opens everything to user mode. */
static void open_memory(void)
{
	csr_write(CSR_PMPADDR0 + 15, UINT32_MAX);
	csr_write(CSR_PMPCFG0, 0x01010101U * PMPCFG_A_NA4);
	csr_write(CSR_PMPCFG0 + 1, 0x01010101U * PMPCFG_A_NA4);
	csr_write(CSR_PMPCFG0 + 2, 0x01010101U * PMPCFG_A_NA4);
	csr_write(CSR_PMPCFG0 + 3, 0x00010101U * PMPCFG_A_NA4 + ((uint32_t)ROW_OPEN << 24));
}

#ifdef ARRIVES_TIMER
static volatile uint32_t *const alarm =
    (volatile uint32_t *)(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIMECMP_LO_OFFSET);
#endif

/* Runs in user mode: the interrupted thread. It ends the run. */
static void run(void)
{
	uint32_t start = FIRST;
	uint32_t different = 0U;

	uintr_enable();
	for (uint32_t round = 0U; round < ROUNDS; round++) {
#ifdef ARRIVES_TIMER
		/* One tick of mtime is one cycle. Both counters are not read in the same cycle, but their distance is
		 * the same in each round. User mode has no mhartid, so it cannot use timer_set_alarm(). The upper word
		 * is zero.
		 */
		*alarm = (uint32_t)timer_now() - csr_read(CSR_CYCLE) + start + round;
#endif
		wait_until(start);
		different += background() == BACKGROUND_CHECKSUM ? 0U : 1U;
		start += PERIOD;
	}
	wait_until(start); /* the last interrupt comes after its background has ended */
	trapeze_exit(different == 0U && interrupt_count == ROUNDS ? 0 : 1);
}

#ifdef ARRIVES_POST
#define VECTOR 5U

/* Runs in user mode, as the thread that did not run. It goes on after its handler. */
static uint32_t wake(void)
{
	return 0U;
}

/* Runs in machine mode, with fastirq: the registers of the interrupted thread are in the frame, or the C function keeps
 * them.
 */
static void on_device(void)
{
	(void)__atomic_fetch_or(&sleeping.upid.puir[VECTOR / 32U], 1U << VECTOR % 32U,
				__ATOMIC_SEQ_CST);
	uintr_switch_out(&running);
	uintr_switch_in(&sleeping);
	(void)user_call(wake);
	uintr_switch_out(&sleeping);
	uintr_switch_in(&running);
}
#endif

int main(void)
{
	(void)irq_lock();
	open_memory();
	uintr_thread_init(&running, UINTR_RUNNING);
	uintr_thread_init(&sleeping, UINTR_RUNNING);
	uintr_begin_direct(interrupt_service, LEVEL);
	uintr_switch_in(&running);
#ifdef ARRIVES_TIMER
	timer_set_alarm(UINT32_MAX);
	irq_trigger_set(IRQ_TIMER, IRQ_TRIGGER_RISING); /* one interrupt for each alarm */
	(void)user_irq_give(IRQ_TIMER, LEVEL, interrupt_service);
#else
	irq_trigger_set(IRQ_PLATFORM(LINE), IRQ_TRIGGER_RISING);
#ifdef ARRIVES_DEVICE
	(void)user_irq_give(IRQ_PLATFORM(LINE), LEVEL, interrupt_service);
#else
	irq_level_bits_set(8);
	irq_level_set(IRQ_PLATFORM(LINE), LEVEL);
	(void)irq_fast_connect(IRQ_PLATFORM(LINE), on_device, false);
	irq_enable(IRQ_PLATFORM(LINE));
#endif
#endif
	csr_write(CSR_MCOUNTEREN, MCOUNTEREN_CY | MCOUNTEREN_IR);
	user_enter(run, (void *)(TRAPEZE_SMEM_BASE + TRAPEZE_SMEM_SIZE / 2U));
}
