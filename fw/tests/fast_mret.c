/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: mret changes neither bank nor sp; a handler that restores the registers itself may end with it
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

void self_handler(void);
extern const char mret_code[];
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"self_handler:\n"
	"	fast_mret\n"
	".balign 4\n"
	"mret_code:\n"
	"	sb s1, 0(s0)\n"
	"	fast_nops 8\n"
	"	sb s1, 4(s0)\n"		/* the next handler ends with emret */
	"	fast_nops 8\n"
	"	sb s1, 0(s0)\n"
	"	sb s1, 4(s0)\n"
	"	fast_nops 8\n"
	"	j context_end\n");
/* clang-format on */

/* With three handlers nested, the last one ends with mret. */
static volatile uint32_t reached;

static void outermost(void)
{
	uint32_t before = reached;

	clic_raise(A + 2);
	CHECK_EQ(reached, before + 1U);
	clic_raise(A + 3);
	CHECK_EQ(reached, before + 2U);
	clic_raise(A + 4);
}

static void inner(void)
{
	reached++;
}

static uint32_t run(const char *code)
{
	spy.count = 0U;
	context_run(code, false);
	CHECK_CONTEXT(context_in);
	CHECK_EQ(context_cause, MCAUSE_MPP | MCAUSE_MPIE | MCAUSE_ECALL_M);
	CHECK_EQ(irq_level_current(), 0U);
	return spy.count == 0U ? 0U : spy.mepc;
}

int main(void)
{
	fast_begin();
	context_fill(0x7e57ab1eU);
	context_in.x[REG_S0] = fast_ip(A);
	context_in.x[REG_S1] = 1U;
	(void)irq_vector_set(A, self_handler);
	(void)irq_vector_set(A + 1, trash_handler);
	(void)irq_vector_set(IRQ_TIMER, spy_handler);
	irq_control_set(IRQ_TIMER, UINT8_MAX);
	CHECK(fast_sweep(mret_code, run) > 30U);

	(void)irq_vector_set(A + 1, outermost);
	(void)irq_vector_set(A + 2, inner);
	(void)irq_vector_set(A + 3, inner);
	(void)irq_vector_set(A + 4, self_handler);
	(void)run(mret_code);
	CHECK_EQ(reached, 4U);
	(void)irq_vector_set(A + 1, trash_handler);
	(void)irq_vector_set(A, trash_handler);
	(void)run(mret_code);
	CHECK_NO_TRAP();
	return test_end();
}
