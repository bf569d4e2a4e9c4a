/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: euret does not return from a frame that machine mode has left in a bank, but loads it with the rights of user
  mode; without those rights it is refused
config: [mcu-user, mcu-user-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "suclic_test.h"

/* Stack of machine mode during the test. */
static volatile uint32_t stack[64] __attribute__((aligned(256)));

#define M (D + 1U) /* a source of machine mode */

void foreign_handler(void);
void foreign_end(void);
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	/* Machine mode is interrupted here, and then goes to user mode by mret. The frame stays in its bank. */
	".globl foreign_begin\n"
	"foreign_begin:\n"
	"	la t0, foreign_sp\n"
	"	sw sp, 0(t0)\n"
	"	la t0, foreign_source\n"
	"	lw t0, 0(t0)\n"
	"	la t1, foreign_top\n"
	"	lw sp, 0(t1)\n"
	"	csrsi mstatus, 8\n"
	"	li t1, 1\n"
	"	sb t1, 0(t0)\n"
	"	lb t1, 0(t0)\n"
	"	nop\n"
	"	nop\n"
	"	nop\n"
	"	nop\n"
	"	ecall\n"
	".balign 4\n"
	"foreign_handler:\n"
	"	la t0, foreign_frame\n"
	"	sw sp, 0(t0)\n"
	"	la t0, 1f\n"
	"	csrw mepc, t0\n"
	"	li t0, 0x1800\n"
	"	csrc mstatus, t0\n"
	"	mret\n"
	"1:	la t0, foreign_frame\n"
	"	lw sp, 0(t0)\n"
	"	nop\n"
	"	nop\n"
	"	" TRAPEZE_EURET "\n"
	"	ecall\n"
	"foreign_end:\n"
	"	csrci mstatus, 8\n"
	"	ret\n");
/* clang-format on */
void foreign_begin(void);
__attribute__((used)) static uint32_t foreign_sp;
__attribute__((used)) static uint32_t foreign_source;
__attribute__((used)) static uint32_t foreign_top;
__attribute__((used)) static volatile uint32_t foreign_frame;

static struct trap_record fault;
__attribute__((used)) static volatile uint32_t return_address;

static bool trap_here(struct trap_frame *frame)
{
	fault.count++;
	fault.mcause = TEST_CAUSE(frame->mcause);
	fault.mtval = frame->mtval;
	frame->x[1] = return_address;
	frame->x[2] = foreign_sp;
	frame->mepc = (uint32_t)foreign_end;
	frame->mstatus |= MSTATUS_MPP_M;
	return true;
}

__attribute__((noinline)) static void play(void)
{
	__asm__ volatile("la t0, return_address\n\t"
			 "la t1, 1f\n\t"
			 "sw t1, 0(t0)\n\t"
			 "call foreign_begin\n"
			 "1:"
			 :
			 :
			 : TEST_CALL_CLOBBERS);
}

int main(void)
{
	suclic_begin(true);
	(void)trap_set_handler(trap_here);
	(void)irq_vector_set(M, foreign_handler);
	foreign_source = (uint32_t)irq_register(M, TRAPEZE_CLIC_IRQ_IP_OFFSET);
	foreign_top = (uint32_t)&stack[48];

	/* Row 0 closes that stack to user mode; row 15 opens everything else. */
	csr_write(CSR_PMPADDR0, NAPOT((uint32_t)stack, sizeof(stack)));
	csr_write(CSR_PMPCFG0, ROW_NAPOT);
	play();
	CHECK_EQ(fault.count, 1U);
	CHECK_EQ(fault.mcause, MCAUSE_FRAME_LOAD_FAULT);
	CHECK(fault.mtval >= (uint32_t)stack && fault.mtval < foreign_top);
	return test_end();
}
