/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: interrupts at every distance from wfi, from divides, from misaligned accesses and from CSR accesses
config: [mcu-fastirq, mcu-fastirq-e]
needs: [m]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

extern const char wfi_code[];
extern const char wfi_next[];
extern const char divide_code[];
extern const char store_code[];
extern const char csr_code[];
/* clang-format off */
__asm__(".text\n"
	".option push\n"
	".option norvc\n"
	".balign 4\n"
	"wfi_code:\n"
	"	fast_nops 4\n"
	"	addi t0, a0, 5\n"
	"	wfi\n"
	"wfi_next:\n"
	"	addi t1, t0, 5\n"
	"	fast_nops 4\n"
	"	j context_end\n"
	".balign 4\n"
	"divide_code:\n"
	"	fast_nops 4\n"
	"	div t0, a0, a1\n"
	"	rem t1, a0, a1\n"
	"	divu a0, t0, t1\n"
	"	remu a1, t0, a2\n"
	"	div a2, a2, x0\n"
	"	fast_nops 4\n"
	"	j context_end\n"
	".balign 4\n"
	"store_code:\n" /* each byte of 8 once or twice */
	"	fast_nops 4\n"
	"	sw a0, 1(s0)\n"
	"	sw a1, 5(s0)\n"
	"	sh a2, 3(s0)\n"
	"	lw t0, 2(s0)\n"
	"	lh t1, 3(s0)\n"
	"	sw t0, 9(s0)\n"
	"	lw t2, 7(s0)\n"
	"	fast_nops 4\n"
	"	j context_end\n"
	".balign 4\n"
	"csr_code:\n"
	"	fast_nops 4\n"
	"	csrrw t0, " FAST_TEXT(CSR_MINTTHRESH) ", x0\n"
	"	csrrsi t1, mstatus, 8\n"
	"	csrrci t2, mstatus, 8\n"
	"	addi a0, a0, 3\n"
	"	mul a1, a0, a1\n"
	"	csrrsi a0, mstatus, 8\n"
	"	addi a2, a1, 4\n"
	"	fast_nops 4\n"
	"	j context_end\n"
	".option pop\n");
/* clang-format on */

static uint32_t data[4];
static uint32_t data_expected[4];
static struct context expected;

static uint32_t run(const char *code)
{
	for (uint32_t i = 0; i < 4U; i++) {
		data[i] = 0xf1e2d3c4U * (i + 1U);
	}
	spy.count = 0U;
	context_run(code, false);
	CHECK_CONTEXT(expected);
	for (uint32_t i = 0; i < 4U; i++) {
		CHECK_EQ(data[i], data_expected[i]);
	}
	return spy.count == 0U ? 0U : spy.mepc;
}

static void play(const char *code)
{
	context_fill(0x01234567U);
	context_in.x[REG_S0] = (uint32_t)data;
	for (uint32_t i = 0; i < 4U; i++) {
		data[i] = 0xf1e2d3c4U * (i + 1U);
	}
	context_run(code, false);
	expected = context_out;
	for (uint32_t i = 0; i < 4U; i++) {
		data_expected[i] = data[i];
	}
	CHECK(fast_sweep(code, run) > 4U);
}

/* An interrupt that comes before the wfi does not wake it, so a second one has to. */
static volatile uint32_t early;
static volatile uint32_t behind;

static void wake(void)
{
	if (csr_read(CSR_MEPC) == (uint32_t)wfi_next) {
		behind++;
	} else {
		early++;
		timer_set_alarm(timer_now() + 500U);
	}
}

static void play_wfi(void)
{
	context_fill(0x89abcdefU);
	expected = context_in;
	expected.x[REG_T0] = context_in.x[REG_A0] + 5U;
	expected.x[REG_T0 + 1] = context_in.x[REG_A0] + 10U;
	(void)irq_vector_set(IRQ_TIMER, wake);
	irq_enable(IRQ_TIMER);
	for (uint32_t delay = 60U; delay < 400U; delay += 3U) {
		early = 0U;
		behind = 0U;
		fast_alarm(delay);
		context_run(wfi_code, false);
		fast_alarm_off();
		CHECK_CONTEXT(expected);
		CHECK(early <= 1U);
		CHECK_EQ(behind, 1U);
	}
	irq_disable(IRQ_TIMER);
}

int main(void)
{
	fast_begin();
	(void)irq_vector_set(IRQ_TIMER, spy_handler);
	play(divide_code);
	play(store_code);
	play(csr_code);
	play_wfi();
	CHECK_NO_TRAP();
	return test_end();
}
