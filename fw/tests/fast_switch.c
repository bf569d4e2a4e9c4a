/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: two tasks that a handler of the lowest level switches by exchanging sp, on request and by the timer
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace, mcu-fastirq-4banks, mcu-fastirq-shared]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

#define ROUNDS 400

/* sp of the task that waits. On its stack are the switcher's callee-saved registers. */
__attribute__((used)) static volatile uint32_t other_sp;
__attribute__((used)) static volatile uint32_t switches;
__attribute__((used)) static volatile uint32_t wrong;
__attribute__((used)) static volatile uint32_t done[2];

void switcher(void);
extern const char task_0[];
extern const char task_1[];

#define SAVED_BYTES 64U
/* clang-format off */
__asm__(".text\n"
#ifdef __riscv_32e
	".macro callee op\n"
	"	\\op s0, 0(sp)\n"
	"	\\op s1, 4(sp)\n"
	".endm\n"
#else
	".macro callee op\n"
	"	.set k, 0\n"
	"	.irp r, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27\n"
	"	\\op x\\r, (4 * k)(sp)\n"
	"	.set k, k + 1\n"
	"	.endr\n"
	".endm\n"
#endif
	".balign 4\n"
	"switcher:\n"
	"	addi sp, sp, -64\n"
	"	callee sw\n"
	"	la t0, other_sp\n"
	"	lw t1, 0(t0)\n"
	"	sw sp, 0(t0)\n"
	"	mv sp, t1\n"
	"	la t0, switches\n"
	"	lw t1, 0(t0)\n"
	"	addi t1, t1, 1\n"
	"	sw t1, 0(t0)\n"
	"	callee lw\n"
	"	addi sp, sp, 64\n"
	"	emret\n"

	/* A task: writes patterns to all registers, compares them, and sometimes calls the switcher. */
	".macro task index, mask\n"
	".balign 4\n"
	"task_\\index:\n"
	"	li s1, 0x1f2e3d4c + \\index * 0x10110\n"
	"1:\n"
#ifndef __riscv_32e
	"	.irp r, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27\n"
	"	addi x\\r, s1, 3 * \\r\n"
	"	.endr\n"
#endif
	"	fast_fill s1\n"
	"	addi s0, sp, 0\n"
	"	sw s1, -4(sp)\n"
	"	nop\n"
	"	lw s0, -4(s0)\n"		/* only frames are written here, above this word */
	"	addi s1, s1, 0\n"
	"	fast_verify s1\n"
	"	la t0, wrong\n"
	"	lw t1, 0(t0)\n"
	"	or t1, t1, a0\n"
#ifndef __riscv_32e
	"	.irp r, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27\n"
	"	sub x\\r, x\\r, s1\n"
	"	addi x\\r, x\\r, -3 * \\r\n"
	"	or t1, t1, x\\r\n"
	"	.endr\n"
#endif
	"	sw t1, 0(t0)\n"
	"	addi s1, s1, 0x11\n"
	"	la t0, done + 4 * \\index\n"
	"	lw t1, 0(t0)\n"
	"	addi t1, t1, 1\n"
	"	sw t1, 0(t0)\n"
	"	andi t0, t1, \\mask\n"
	"	bnez t0, 2f\n"
	"	la t0, task_ip\n"
	"	lw t0, 0(t0)\n"
	"	li t2, 1\n"
	"	sb t2, 0(t0)\n"
	"2:\n"
	".endm\n"
	"	task 0, 3\n"
	"	li t0, " FAST_TEXT(ROUNDS) "\n"
	"	bltu t1, t0, 1b\n"
	"	j context_end\n"
	"	task 1, 7\n"
	"	j 1b\n");
/* clang-format on */
__attribute__((used)) static uint32_t task_ip;

static uint32_t seed = 0x2545f491U;
static volatile uint32_t ticks;

static uint32_t draw(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % below;
}

static void tick(void)
{
	ticks++;
	irq_pending_set(A, true);
	timer_set_alarm(timer_now() + 400U + draw(600U));
}

static uint32_t second_stack[128] __attribute__((aligned(16)));

static void play(bool nest)
{
	struct irq_fast_frame *frame =
	    (struct irq_fast_frame *)((uint32_t)&second_stack[120] - FRAME_BYTES);

	csr_write(CSR_MFASTIRQ,
		  (uint32_t)__irq_fast_return | MFASTIRQ_ENABLE | (nest ? MFASTIRQ_NEST : 0U));
	frame->mepc = (uint32_t)task_1;
	frame->mcause = MCAUSE_MPP | MCAUSE_MPIE;
	other_sp = (uint32_t)frame - SAVED_BYTES;
	switches = 0U;
	ticks = 0U;
	done[0] = 0U;
	done[1] = 0U;
	fast_alarm(200U);
	context_fill(0U);
	context_run(task_0, false);
	irq_disable(IRQ_TIMER);
	fast_alarm_off();
	irq_pending_set(A, false);
	CHECK_EQ(wrong, 0U);
	CHECK_EQ(done[0], ROUNDS);
	CHECK(done[1] > ROUNDS / 4);
	CHECK(switches > ROUNDS / 4);
	CHECK(ticks > 10U);
	CHECK_EQ(switches & 1U, 0U);
	CHECK_EQ(context_out.x[REG_SP], CONTEXT_SP);
	CHECK_EQ(irq_level_current(), 0U);
}

int main(void)
{
	fast_begin();
	task_ip = fast_ip(A);
	(void)irq_vector_set(A, switcher);
	(void)irq_vector_set(IRQ_TIMER, tick);
	irq_control_set(IRQ_TIMER, fast_level(4U));
	for (uint32_t nest = 0; nest < 2U; nest++) {
		irq_enable(IRQ_TIMER);
		play(nest != 0U);
	}
	CHECK_NO_TRAP();
	return test_end();
}
