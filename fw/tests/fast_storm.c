/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: thousands of interrupts on four levels, raised by the timer and by handlers, in code that checks every register
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace, mcu-fastirq-4banks, mcu-fastirq-shared]
needs: [m]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

#define INTERRUPTS 1500U

__attribute__((used)) static volatile uint32_t wrong;
__attribute__((used)) static volatile uint32_t over;
__attribute__((used)) static volatile uint32_t rounds;
static volatile uint32_t served[SOURCES + 1U];
static volatile uint32_t raised[SOURCES + 1U];
static volatile uint32_t total;

extern const char storm_code[];
void storm_fill(void);
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"storm_code:\n"
	"	li s1, 0x31415926\n"
	"1:\n"
#ifndef __riscv_32e
	"	.irp r, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27\n"
	"	addi x\\r, s1, 5 * \\r\n"
	"	.endr\n"
#endif
	"	addi s0, sp, 0\n"
	"	fast_fill s1\n"
	"	addi sp, sp, -16\n"
	"	mul t0, t0, t1\n"
	"	sw t0, 12(sp)\n"
	"	div t0, t0, t1\n"		/* of the product's lower 32 bits */
	"	lw t2, 12(sp)\n"
	"	sub t2, t2, s1\n"
	"	addi t0, s1, 5\n"
	"	mul t1, t0, t1\n"
	"	addi sp, sp, 16\n"
	"	sub t2, t2, t1\n"
	"	add t2, t2, s1\n"		/* 0 */
	"	addi t1, s1, 6\n"
	"	add t2, t2, s1\n"
	"	addi t2, t2, 7\n"
	"	fast_verify s1\n"
	"	sub t0, s0, sp\n"
	"	or a0, a0, t0\n"
#ifndef __riscv_32e
	"	.irp r, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27\n"
	"	sub x\\r, x\\r, s1\n"
	"	addi x\\r, x\\r, -5 * \\r\n"
	"	or a0, a0, x\\r\n"
	"	.endr\n"
#endif
	"	la t0, wrong\n"
	"	lw t1, 0(t0)\n"
	"	or t1, t1, a0\n"
	"	sw t1, 0(t0)\n"
	"	la t0, rounds\n"
	"	lw t1, 0(t0)\n"
	"	addi t1, t1, 1\n"
	"	sw t1, 0(t0)\n"
	"	addi s1, s1, 0x123\n"
	"	la t0, over\n"
	"	lw t0, 0(t0)\n"
	"	beqz t0, 1b\n"
	"	j context_end\n"

	/* A leaf function for the handlers: writes patterns to all registers but ra. */
	".balign 4\n"
	"storm_fill:\n"
	"	addi sp, sp, -16\n"
	"	sw ra, 0(sp)\n"
	"	sw s1, 4(sp)\n"
	"	addi s1, sp, 0\n"
	"	fast_fill s1\n"
	"	fast_nops 6\n"
	"	fast_verify s1\n"
	"	la t0, wrong\n"
	"	lw t1, 0(t0)\n"
	"	or t1, t1, a0\n"
	"	sw t1, 0(t0)\n"
	"	lw ra, 0(sp)\n"
	"	lw s1, 4(sp)\n"
	"	addi sp, sp, 16\n"
	"	ret\n");
/* clang-format on */

static uint32_t seed = 0x9e3779b9U;

/* Interrupts are disabled, because handlers of several levels use the generator. */
static uint32_t draw(void)
{
	unsigned int key = irq_lock();

	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	uint32_t value = seed;

	irq_unlock(key);
	return value;
}

/* Counts a raised edge, unless the source is already pending: that would be no second interrupt. */
static void raise(uint32_t index)
{
	unsigned int key = irq_lock();

	if (!irq_is_pending(A + index)) {
		raised[index]++;
		irq_pending_set(A + index, true);
	}
	irq_unlock(key);
}

static void serve(uint32_t index)
{
	unsigned int key = irq_lock();

	served[index]++;
	total++;
	irq_unlock(key);
	if ((draw() & 3U) == 0U) {
		storm_fill();
	}
}

static void low(void)
{
	serve(0U);
}

static void middle(void)
{
	if ((draw() & 1U) != 0U) {
		raise(0U);
	}
	serve(2U);
}

static void high(void)
{
	serve(5U);
	if ((draw() & 1U) != 0U) {
		raise(2U);
	}
}

static void argument(void *arg)
{
	serve((uint32_t)arg);
}

static void tick(void)
{
	uint32_t chance = draw();

	serve(SOURCES);
	if (total >= INTERRUPTS) {
		over = 1U;
		return;
	}
	timer_set_alarm(timer_now() + 100U + (chance & 1023U));
	if ((chance & 0x1000U) != 0U) {
		raise(5U);
	}
	if ((chance & 0x2000U) != 0U) {
		raise(0U);
	}
	if ((chance & 0xc000U) == 0U) {
		raise(6U);
	}
}

int main(void)
{
	fast_begin();
	(void)irq_fast_connect(A, low, true);
	(void)irq_fast_connect(A + 2, middle, false);
	(void)irq_fast_connect(A + 5, high, true);
	(void)irq_connect(A + 6, argument, (void *)6);
	irq_vectored_set(A + 6, false);
	irq_entry_set(IRQ_ENTRY_XNXTI);
	irq_control_set(A + 5, fast_level(5U));
	irq_control_set(IRQ_TIMER, fast_level(4U));
	(void)irq_fast_connect(IRQ_TIMER, tick, true);
	irq_enable(IRQ_TIMER);
	context_fill(0U);
	fast_alarm(300U);
	context_run(storm_code, false);
	irq_disable(IRQ_TIMER);
	CHECK_EQ(wrong, 0U);
	CHECK(rounds > 100U);
	CHECK(total >= INTERRUPTS);
	CHECK_EQ(context_out.x[REG_SP], CONTEXT_SP);

	/* No interrupt is lost or served twice. At the end one of each source may still be pending. */
	for (uint32_t i = 0; i < SOURCES; i++) {
		CHECK_EQ(served[i] + (irq_is_pending(A + i) ? 1U : 0U), raised[i]);
	}
	CHECK(served[0] > 100U && served[2] > 100U && served[5] > 100U && served[6] > 100U);
	CHECK(served[SOURCES] > 100U);
	CHECK_EQ(irq_level_current(), 0U);
	CHECK_NO_TRAP();
	return test_end();
}
