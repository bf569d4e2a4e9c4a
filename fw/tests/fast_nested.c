/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: handlers nest 7 deep, at once and later, with every register checked in each, and the timer anywhere in between
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace, mcu-fastirq-4banks, mcu-fastirq-shared]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

#define DEPTH 7U

/* A of clic_test.h, for the assembler. */
#if TRAPEZE_IRQ_SOURCES > 47
#define TEST_A 40
#else
#define TEST_A 8
#endif
_Static_assert(TEST_A == A, "one number for both");

__attribute__((used)) static volatile uint32_t nest_wrong;
__attribute__((used)) static volatile uint32_t nest_count;

extern const char nest_code[];
/* clang-format off */
__asm__(".text\n"
	".macro nest_raise irq\n"
	"	li a0, " FAST_TEXT(TRAPEZE_CLIC_BASE) " + " FAST_TEXT(TRAPEZE_CLIC_IRQ_IP_OFFSET) " + 4 * (\\irq)\n"
	"	li a1, 1\n"
	"	sb a1, 0(a0)\n"
	".endm\n"
	".macro nest_note\n"
	"	la a1, nest_wrong\n"
	"	lw a2, 0(a1)\n"
	"	or a2, a2, a0\n"
	"	sw a2, 0(a1)\n"
	"	la a1, nest_count\n"
	"	lw a2, 0(a1)\n"
	"	addi a2, a2, 1\n"
	"	sw a2, 0(a1)\n"
	".endm\n"

	/* Raises the next source with its first instructions, before any word of its own frame has been stored. */
	".macro nest_early index\n"
	".balign 4\n"
	".globl nest_early_\\index\n"
	"nest_early_\\index:\n"
	".if \\index < 6\n"
	"	nest_raise (" FAST_TEXT(TEST_A) " + 1 + \\index)\n"
	"	li a2, 0x2a55 + \\index\n"
	"	fast_nops 8\n"
	"	li a3, " FAST_TEXT(TRAPEZE_CLIC_BASE) " + " FAST_TEXT(TRAPEZE_CLIC_IRQ_IP_OFFSET)
		" + 4 * (" FAST_TEXT(TEST_A) " + 1 + \\index)\n"
	"	sub a0, a0, a3\n"
	"	addi a1, a1, -1\n"
	"	or a0, a0, a1\n"
	"	li a3, 0x2a55 + \\index\n"
	"	sub a2, a2, a3\n"
	"	or a0, a0, a2\n"
	".else\n"
	"	li a0, 0\n"
	".endif\n"
	"	la t0, __irq_fast_return\n"	/* ra still holds the link */
	"	sub t0, t0, ra\n"
	"	or a0, a0, t0\n"
	"	nest_note\n"
	"	fast_trash\n"
	"	emret\n"
	".endm\n"

	/* Fills all registers, raises the next source, and compares all registers. */
	".macro nest_late index\n"
	".balign 4\n"
	".globl nest_late_\\index\n"
	"nest_late_\\index:\n"
	"	addi sp, sp, -16\n"
	"	sw s0, 0(sp)\n"
	"	sw s1, 4(sp)\n"
	"	li s0, " FAST_TEXT(TRAPEZE_CLIC_BASE) " + " FAST_TEXT(TRAPEZE_CLIC_IRQ_IP_OFFSET)
		" + 4 * (" FAST_TEXT(TEST_A) " + 1 + \\index)\n"
	"	li s1, 0x01030507 * (2 * \\index + 1)\n" /* an odd number: makes a source pending */
	"	fast_fill s1\n"
	".if \\index < 6\n"
	"	sb s1, 0(s0)\n"
	".endif\n"
	"	fast_nops 8\n"
	"	fast_verify s1\n"
	"	nest_note\n"
	"	lw s0, 0(sp)\n"
	"	lw s1, 4(sp)\n"
	"	addi sp, sp, 16\n"
	"	fast_trash\n"
	"	emret\n"
	".endm\n"
	".irp index, 0, 1, 2, 3, 4, 5, 6\n"
	"	nest_early \\index\n"
	"	nest_late \\index\n"
	".endr\n"

	".balign 4\n"
	"nest_code:\n"
	"	sb s1, 0(s0)\n"
	"	fast_nops 8\n"
	"	j context_end\n");
/* clang-format on */

#define NEST_DECLARE(index)                                                                        \
	void nest_early_##index(void);                                                             \
	void nest_late_##index(void)
NEST_DECLARE(0);
NEST_DECLARE(1);
NEST_DECLARE(2);
NEST_DECLARE(3);
NEST_DECLARE(4);
NEST_DECLARE(5);
NEST_DECLARE(6);

static const irq_vector_t early[DEPTH] = {nest_early_0, nest_early_1, nest_early_2, nest_early_3,
					  nest_early_4, nest_early_5, nest_early_6};
static const irq_vector_t late[DEPTH] = {nest_late_0, nest_late_1, nest_late_2, nest_late_3,
					 nest_late_4, nest_late_5, nest_late_6};

/* Step of the sweep in cycles: the sweep is as long as the whole nest. */
static uint32_t stride;

static uint32_t run(const char *code)
{
	nest_wrong = 0U;
	nest_count = 0U;
	spy.count = 0U;
	context_run(code, false);
	CHECK_EQ(nest_wrong, 0U);
	CHECK_EQ(nest_count, DEPTH);
	CHECK_CONTEXT(context_in);
	CHECK_EQ(irq_level_current(), 0U);
	return spy.count == 0U ? 0U : spy.mepc;
}

/* Which sources have which kind of handler: bit i for source A + i. */
static void play(uint32_t lates, uint8_t timer_level)
{
	for (uint32_t i = 0; i < DEPTH; i++) {
		(void)irq_vector_set(A + i, ((lates >> i) & 1U) != 0U ? late[i] : early[i]);
	}
	irq_control_set(IRQ_TIMER, timer_level);
	(void)run(nest_code);

	uint32_t after = 0U;

	irq_enable(IRQ_TIMER);
	for (uint32_t delay = 60U, missed = 0U; missed < 4U; delay += stride) {
		fast_alarm(delay);
		missed = run(nest_code) == 0U ? missed + 1U : 0U;
		fast_alarm_off();
		after++;
	}
	irq_disable(IRQ_TIMER);
	CHECK(after > 10U);
}

int main(void)
{
	fast_begin();
	(void)irq_vector_set(IRQ_TIMER, spy_handler);
	context_fill(0x2468ace0U);
	context_in.x[REG_S0] = fast_ip(A);
	context_in.x[REG_S1] = 1U;
	stride = 7U;
	play(0x00U, UINT8_MAX);
	play(0x7fU, UINT8_MAX);
	stride = 17U;
	play(0x4cU, fast_level(3U));
	play(0x00U, fast_level(0U));
	CHECK_NO_TRAP();
	return test_end();
}
