/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * User interrupts from hart 0 to hart 1, one in each round; with SIGNALS, signals. Hart 1 runs the background
 * computation in user mode. Hart 0 sends from user mode, a cycle later in each round. Rounds begin PERIOD cycles apart
 * on both harts; they read their own counters, which have counted since the same reset. Ends with code 0 if every
 * result was right and every round had its interrupt.
 */
#include <stdint.h>

#include <trapeze/console.h>
#include <trapeze/csr.h>
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/signal.h>
#include <trapeze/uintr.h>

#include "../irq-latency/background.h"

#ifndef ROUNDS
#define ROUNDS 640U /* more than the background has cycles */
#endif

enum {
	PERIOD = 2000, /* cycles; more than a background, its handler and the latest send take */
	SETUP = 20000, /* cycles; until both harts are ready */
	LEVEL = 0x80,
	ROW_OPEN = PMPCFG_A_NAPOT | PMPCFG_R | PMPCFG_W | PMPCFG_X,
};

/** bench/irq-latency: returns a fixed number of cycles after the counter has reached @p cycle. */
void wait_until(uint32_t cycle);
/** bench/irq-latency: calls @p function in user mode. */
uint32_t user_call(uint32_t (*function)(void));
/** send.S */
void send(unsigned int index);

TZ_SHARED static volatile uint32_t first_round; /* cycle in which the round begins */
TZ_SHARED static volatile uint32_t wrong;
TZ_SHARED static volatile uint32_t received;

#ifdef SIGNALS
TZ_SHARED static struct signal_thread sender, receiver;

/* Sets a7 to a value that is no call of signals, for the ecall at the end of user mode. */
#define NO_CALL() __asm__ volatile("li a7, 0" : : : "a7")

static void handle(unsigned int vector)
{
	(void)vector;
	interrupt_service();
}

static void setup(void)
{
	signal_thread_init(&sender, 0U);
	signal_thread_init(&receiver, 1U);
	(void)signal_connect(&sender, 0U, &receiver, 5U);
}

static void begin(struct signal_thread *thread)
{
	signal_begin(thread, handle);
}

static void let_come(bool come)
{
	signal_mask(!come);
}
#else
TZ_SHARED static struct uintr_thread sender, receiver;

#define NO_CALL()

static void setup(void)
{
	uintr_thread_init(&sender, UINTR_RUNNING);
	uintr_thread_init(&receiver, UINTR_RUNNING);
	(void)uintr_connect(&sender, 0U, &receiver, 5U);
}

static void begin(struct uintr_thread *thread)
{
	uintr_begin_direct(interrupt_service, LEVEL);
	uintr_switch_in(thread);
}

static void let_come(bool come)
{
	if (come) {
		uintr_enable();
	} else {
		uintr_disable();
	}
}
#endif

/* All rows are in use. The last one opens everything to user mode. */
static void open_memory(void)
{
	csr_write(CSR_PMPADDR0 + 15, UINT32_MAX);
	csr_write(CSR_PMPCFG0, 0x01010101U * PMPCFG_A_NA4);
	csr_write(CSR_PMPCFG0 + 1, 0x01010101U * PMPCFG_A_NA4);
	csr_write(CSR_PMPCFG0 + 2, 0x01010101U * PMPCFG_A_NA4);
	csr_write(CSR_PMPCFG0 + 3, 0x00010101U * PMPCFG_A_NA4 + ((uint32_t)ROW_OPEN << 24));
}

static uint32_t receiving(void)
{
	uint32_t start = first_round;
	uint32_t different = 0U;

	let_come(true);
	for (uint32_t round = 0U; round < ROUNDS; round++) {
		wait_until(start);
		different += background() == BACKGROUND_CHECKSUM ? 0U : 1U;
		start += PERIOD;
	}
	wait_until(start); /* the last interrupt comes after its background has ended */
	let_come(false);
	wrong += different;
	received = interrupt_count;
	NO_CALL();
	return 0U;
}

static uint32_t sending(void)
{
	uint32_t start =
	    first_round; /* this hart does not access the memory of the post otherwise */

	for (uint32_t round = 0U; round < ROUNDS; round++) {
		wait_until(start + round * PERIOD + round);
		send(0U);
	}
	NO_CALL();
	return 0U;
}

static void second(void *arg)
{
	(void)arg;
	(void)irq_lock();
	open_memory();
	begin(&receiver);
	(void)user_call(receiving);
}

int main(void)
{
	setup();
	first_round = csr_read(CSR_MCYCLE) + SETUP;
	(void)hart_start(1U, second, NULL);
	(void)irq_lock();
	open_memory();
	begin(&sender);
	(void)user_call(sending);
	hart_wait(1U);

	if (wrong == 0U && received == ROUNDS) {
		return 0;
	}
	console_puts("wrong ");
	console_put_hex(wrong);
	console_puts(" received ");
	console_put_hex(received);
	console_putc('\n');
	return 1;
}
