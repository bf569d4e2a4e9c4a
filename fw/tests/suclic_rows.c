/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: an euret loads its frame again, and is refused, if machine mode has closed the stack while its own frame was the
  younger one
config: [mcu-user, mcu-user-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include <trapeze/timer.h>

#include "suclic_test.h"

/* Stacks during the test: machine mode's, and above it user mode's, where the frame of its program is. The order matters:
 * a frame that does not lie below the one before it ends what banks hold anyway. */
#define HALF 256U
static volatile uint32_t stacks[2U * HALF] __attribute__((aligned(8U * HALF)));
#define USER_STACK ((uint32_t)&stacks[HALF])

static struct trap_record fault;
__attribute__((used)) static uint32_t saved_sp;
__attribute__((used)) static uint32_t saved_ra;
__attribute__((used)) static uint32_t user_sp;
__attribute__((used)) static uint32_t source;
__attribute__((used)) static uint32_t word;

void rows_begin(void);
void rows_handler(void);
void rows_end(void);
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	/* To user mode, which raises A, and goes on with an ecall if A's handler returns. */
	".globl rows_begin\n"
	"rows_begin:\n"
	"	la t0, saved_sp\n"
	"	sw sp, 0(t0)\n"
	"	la t0, saved_ra\n"
	"	sw ra, 0(t0)\n"
	"	la t0, 1f\n"
	"	csrw mepc, t0\n"
	"	li t0, 0x1800\n"
	"	csrc mstatus, t0\n"
	"	mret\n"
	"1:	la t0, user_sp\n"
	"	lw sp, 0(t0)\n"
	"	csrsi 0x000, 1\n"
	"	la t0, source\n"
	"	lw t0, 0(t0)\n"
	"	la t1, word\n"
	"	lw t1, 0(t1)\n"
	"	sw t1, 0(t0)\n"
	"	lw t1, 0(t0)\n"
	"	nop\n"
	"	nop\n"
	"	nop\n"
	"	nop\n"
	"	ecall\n"
	/* A's handler uses no stack, and waits for machine mode's. */
	".balign 4\n"
	"rows_handler:\n"
	"	la t0, machine_count\n"
	"2:	lw t1, 0(t0)\n"
	"	beqz t1, 2b\n"
	"	" TRAPEZE_EURET "\n"
	".globl rows_end\n"
	"rows_end:\n"
	"	la t0, saved_sp\n"
	"	lw sp, 0(t0)\n"
	"	la t0, saved_ra\n"
	"	lw ra, 0(t0)\n"
	"	ret\n");
/* clang-format on */

/* Row 0 closes the stack to user mode; row 15 leaves everything else open. */
static void close_stack(void *arg)
{
	(void)arg;
	timer_cancel_alarm();
	csr_write(CSR_PMPADDR0, NAPOT(USER_STACK, 4U * HALF));
	csr_write(CSR_PMPCFG0, ROW_NAPOT);
	machine_count++;
}

static bool trap_here(struct trap_frame *frame)
{
	fault.count++;
	fault.mcause = TEST_CAUSE(frame->mcause);
	fault.mtval = frame->mtval;
	frame->mepc = (uint32_t)rows_end;
	frame->mstatus |= MSTATUS_MPP_M;
	return true;
}

int main(void)
{
	suclic_begin(true);
	(void)trap_set_handler(trap_here);
	(void)irq_connect(IRQ_TIMER, close_stack, NULL);
	irq_enable(IRQ_TIMER);
	user_table[A] = (uint32_t)rows_handler;
	user_sp = USER_STACK + 4U * HALF;
	uint32_t before = csr_swap(CSR_MSCRATCH, USER_STACK);
	source = (uint32_t)&USER_SOURCE(A);
	word = USER_SOURCE(A) | 1U;
	timer_set_alarm(timer_now() + 600U);
	rows_begin();
	csr_write(CSR_MSCRATCH, before);
	CHECK_EQ(machine_count, 1U);
	CHECK_EQ(fault.count, 1U);
	CHECK_EQ(fault.mcause, MCAUSE_FRAME_LOAD_FAULT);
	CHECK(fault.mtval >= USER_STACK && fault.mtval < user_sp);
	return test_end();
}
