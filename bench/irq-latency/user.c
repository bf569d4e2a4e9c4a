/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Calls a function in user mode, on the same stack. Handlers use the stack of exceptions meanwhile. */
#include <stdbool.h>
#include <stdint.h>

#include <trapeze/csr.h>
#include <trapeze/trap.h>

uint32_t user_call(uint32_t (*function)(void));

/* Address at which the ecall at the end of user mode goes on. */
__attribute__((used)) static uint32_t user_resume;

static bool leave_user_mode(struct trap_frame *frame)
{
	if ((frame->mcause & MCAUSE_CODE) != MCAUSE_ECALL_U) {
		return false;
	}
	frame->mepc = user_resume;
	frame->mstatus |= MSTATUS_MPP_M;
	return true;
}

__attribute__((noinline)) uint32_t user_call(uint32_t (*function)(void))
{
	(void)trap_set_handler(leave_user_mode);
	csr_write(CSR_MCOUNTEREN, MCOUNTEREN_CY | MCOUNTEREN_IR);
	csr_clear(CSR_MSTATUS, MSTATUS_MPP | MSTATUS_MPIE);

	register uint32_t result __asm__("a0") = (uint32_t)function;

	__asm__ volatile("la t0, user_resume\n\t"
			 "la t1, 2f\n\t"
			 "sw t1, (t0)\n\t"
			 "la ra, 1f\n\t"
			 "csrw mepc, %0\n\t"
			 "mret\n"
			 "1:\n\t"
			 "ecall\n"
			 "2:"
			 : "+r"(result)
			 :
			 : "memory", "ra", "t0", "t1", "t2", "a1", "a2", "a3", "a4", "a5"
#ifndef __riscv_32e
			   ,
			   "a6", "a7", "t3", "t4", "t5", "t6"
#endif
	);
	return result;
}
