/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Preemption: plays every scenario for the interrupt controller of the build, and prints a line `NAME yes` or `NAME no`
 * for each.
 */
#include <trapeze/console.h>
#include <trapeze/csr.h>
#include <trapeze/irq.h>
#include <trapeze/trap.h>

#include "scenarios.h"

#define LOG_SIZE 16U

volatile uint32_t log_events[LOG_SIZE];
volatile uint32_t log_count;
volatile uint32_t entry_count;

void log_event(uint32_t event)
{
	log_events[log_count % LOG_SIZE] = event;
	log_count++;
}

void log_clear(void)
{
	log_count = 0U;
	entry_count = 0U;
}

bool log_is(const uint32_t *events, size_t count)
{
	if (log_count != count) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (log_events[i] != events[i]) {
			return false;
		}
	}
	return true;
}

/* Address at which an ecall from user mode goes on. */
__attribute__((used)) static uint32_t user_resume;

__attribute__((noinline)) void user_call(void (*function)(void))
{
	csr_clear(CSR_MSTATUS, MSTATUS_MPP | MSTATUS_MPIE);
	__asm__ volatile("la t0, user_resume\n\t"
			 "la t1, 2f\n\t"
			 "sw t1, (t0)\n\t"
			 "la ra, 1f\n\t"
			 "csrw mepc, %0\n\t"
			 "mret\n"
			 "1:\n\t"
			 "ecall\n"
			 "2:"
			 :
			 : "r"(function)
			 : "memory", "ra", "t0", "t1", "t2", "a0", "a1", "a2", "a3", "a4", "a5"
#ifndef __riscv_32e
			   ,
			   "a6", "a7", "t3", "t4", "t5", "t6"
#endif
	);
}

/* Ends user_call(). Skips accesses to addresses that do not exist. */
static bool trap_handler(struct trap_frame *frame)
{
	if ((frame->mcause & MCAUSE_CODE) == MCAUSE_ECALL_U) {
		frame->mepc = user_resume;
		frame->mstatus |= MSTATUS_MPP_M;
	} else {
		trap_skip(frame);
	}
	return true;
}

int main(void)
{
	(void)trap_set_handler(trap_handler);
	for (const struct scenario *one = scenarios; one->name != NULL; one++) {
		log_clear();
		bool holds = one->play();

		(void)irq_lock();
		console_puts(one->name);
		console_puts(holds ? " yes\n" : " no\n");
	}
	return 0;
}
