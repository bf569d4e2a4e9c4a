/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: an interrupt at every distance in code of all kinds - no result is lost, and nothing is executed twice
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace, mcu-fastirq-shared]
needs: [m]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

/* Each caller-saved register gets a result directly before an instruction that may lose it. s0: data. */
extern const char results_code[];
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"results_code:\n"
	"	lw t0, 0(s0)\n"
	"	lw t1, 4(s0)\n"
	"	mul t2, t0, t1\n"
	"	div a0, t1, t0\n"
	"	lbu a1, 3(s0)\n"
	"	lw a2, 5(s0)\n"			/* misaligned */
	"	sw a2, 17(s0)\n"
	"	lw a3, 16(s0)\n"
	"	jal ra, 1f\n"
	"	nop\n"
	"1:	sub a4, ra, s1\n"
	"	csrrw a5, mscratch, a4\n"
	"	csrrw a4, mscratch, a5\n"
	"	addi sp, sp, -16\n"
	"	sw ra, 12(sp)\n"
	"	sw a3, 8(sp)\n"
	"	lw t0, 12(sp)\n"
	"	lw t1, 8(sp)\n"
	"	addi sp, sp, 16\n"
	"	remu a0, t2, a3\n"
	"	beq a0, a0, 2f\n"
	"	li a0, 0\n"
	"2:	auipc a1, 0\n"
	"	mulhu a2, a3, t2\n"
	"	sh a2, 23(s0)\n"		/* misaligned */
	"	lh a3, 23(s0)\n"
	"	lw t2, 24(s0)\n"
	"	addi t2, t2, 1\n"		/* shows if it is executed twice */
	"	sw t2, 24(s0)\n"
	"	csrrsi t2, " FAST_TEXT(CSR_MINTTHRESH) ", 0\n"
	"	lw ra, 8(s0)\n"
#ifndef __riscv_32e
	"	lw a6, 0(s0)\n"
	"	divu a7, a2, a6\n"
	"	mul t3, a6, a7\n"
	"	lw t4, 2(s0)\n"			/* misaligned */
	"	lb t5, 7(s0)\n"
	"	csrr t6, mepc\n"
	"	li t6, 7\n"
#endif
	"	lw a5, 12(s0)\n"
	"	j context_end\n");
/* clang-format on */

static uint32_t data[8];
static uint32_t data_expected[8];
static struct context expected;
static volatile uint32_t taken;

static void data_fill(void)
{
	for (uint32_t i = 0; i < 8U; i++) {
		data[i] = 0x80402010U + (i * 0x1f3d5b79U);
	}
}

static uint32_t run(const char *code)
{
	data_fill();
	spy.count = 0U;
	context_run(code, false);
	CHECK_CONTEXT(expected);
	for (uint32_t i = 0; i < 8U; i++) {
		CHECK_EQ(data[i], data_expected[i]);
	}
	if (spy.count == 0U) {
		return 0U;
	}
	CHECK_EQ(spy.count, 1U);
	return spy.mepc;
}

/* Handlers that count in the spy; trash_handler and touch_handler do not. */
extern const char touch_after_noting[];
extern const char trash_after_noting[];
/* clang-format off */
__asm__(".text\n"
	".macro note_here handler\n"
	"	la t0, spy\n"
	"	csrr t1, mepc\n"
	"	sw t1, 12(t0)\n"
	"	lw t1, 0(t0)\n"
	"	addi t1, t1, 1\n"
	"	sw t1, 0(t0)\n"
	"	j \\handler\n"
	".endm\n"
	".balign 4\n"
	"touch_after_noting:\n"
	"	note_here touch_handler\n"
	"trash_after_noting:\n"
	"	note_here trash_handler\n");
/* clang-format on */

static void play(const void *handler)
{
	(void)irq_vector_set(IRQ_TIMER, (irq_vector_t)(uintptr_t)handler);
	CHECK(fast_sweep(results_code, run) > 30U);
}

int main(void)
{
	fast_begin();
	context_fill(0x13570000U);
	context_in.x[REG_S0] = (uint32_t)data;
	data_fill();
	context_run(results_code, false);
	expected = context_out;
	for (uint32_t i = 0; i < 8U; i++) {
		data_expected[i] = data[i];
	}
	play(trash_after_noting); /* returns from the bank */
	play(touch_after_noting); /* returns by loading the frame */
	play((const void *)spy_handler);
	CHECK_NO_TRAP();
	return test_end();
}
