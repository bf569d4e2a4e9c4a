/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the frame, word for word, and the state at the first instruction of an interrupt's handler
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace, mcu-fastirq-4banks, mcu-fastirq-shared,
         mcu-fastirq-16, mcu-fastirq-256]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

#define CANARY 0xc0ffee00U

/* Makes the source of a0 pending, waits a little, and ends. */
extern const char frame_code[];
extern const char frame_code_after[];
extern const char frame_code_end[];
/* clang-format off */
__asm__(".text\n"
	"frame_code:\n"
	"	sb a1, 0(a0)\n"
	"frame_code_after:\n"
	"	fast_nops 24\n"
	"frame_code_end:\n"
	"	j context_end\n");
/* clang-format on */

static uint32_t canary(uint32_t i)
{
	return CANARY + i;
}

/* One interrupt with a sp that lies @p low bytes above a word boundary. */
static void play(bool vectored, uint32_t setting, uint32_t seed, uint32_t low)
{
	uint32_t level = fast_level(seed & 7U);

	irq_vectored_set(A, vectored);
	irq_control_set(A, (uint8_t)level);
	csr_write(CSR_MFASTIRQ, setting | MFASTIRQ_ENABLE);
	for (uint32_t i = 0; i < sizeof(context_stack) / 4U; i++) {
		context_stack[i] = canary(i);
	}
	context_fill(seed);
	context_in.x[REG_SP] += low;
	context_in.x[REG_A0] = fast_ip(A);
	context_in.x[REG_A0 + 1] = 1U;
	(void)memset((void *)&spy, 0, sizeof(spy));
	context_run(frame_code, false);

	/* All registers have their old values. */
	CHECK_EQ(spy.count, 1U);
	CHECK_CONTEXT(context_in);
	CHECK_EQ(context_cause, MCAUSE_MPP | MCAUSE_MPIE | MCAUSE_ECALL_M);
	CHECK(!irq_is_pending(A));

	/* Registers at the handler's first instruction. */
	uint32_t cause = MCAUSE_INTERRUPT | MCAUSE_MPP | MCAUSE_MPIE | (uint32_t)A;

	CHECK_EQ(spy.sp, context_in.x[REG_SP] - FRAME_BYTES);
	CHECK_EQ(spy.ra, setting & MFASTIRQ_LINK);
	CHECK(spy.mepc >= (uint32_t)frame_code_after && spy.mepc < (uint32_t)frame_code_end);
	CHECK_EQ(spy.mcause, cause);
	CHECK_EQ(spy.mstatus & (MSTATUS_MPP | MSTATUS_MPIE), MSTATUS_MPP_M | MSTATUS_MPIE);
	CHECK_EQ(spy.mstatus & MSTATUS_MIE,
		 vectored && (setting & MFASTIRQ_NEST) != 0U ? MSTATUS_MIE : 0U);
	CHECK_EQ(spy.mintstatus, level << MINTSTATUS_MIL_SHIFT);

	/* Words of the frame. */
	uint32_t first = (uint32_t)(&context_stack[192] - context_stack) - FRAME_SPACE;

	for (uint32_t k = 0; k < TRAPEZE_CALLER_COUNT; k++) {
		CHECK_EQ(spy.frame[k], context_in.x[frame_register[k]]);
	}
	CHECK_EQ(spy.frame[FRAME_MEPC], spy.mepc);
	CHECK_EQ(spy.frame[FRAME_MCAUSE], spy.mcause);
	for (uint32_t k = 0; k < FRAME_WORDS; k++) {
		CHECK_EQ(context_stack[first + k], spy.frame[k]);
	}

	/* No other word is written. */
	for (uint32_t i = 0; i < sizeof(context_stack) / 4U; i++) {
		if (i < first || i >= first + FRAME_WORDS) {
			CHECK_EQ(context_stack[i], canary(i));
		}
	}
}

int main(void)
{
	uint32_t link = (uint32_t)__irq_fast_return;
	uint32_t entry = csr_read(CSR_MTVEC);

	fast_begin();
	for (uint32_t round = 0; round < 4U; round++) {
		(void)irq_vector_set(A, (round & 1U) != 0U ? spy_upwards_handler : spy_handler);
		play(true, link | MFASTIRQ_NEST, 0x11220000U + round, 0U);
		play(true, link, 0xa5b60001U + round, 0U);
		play(true, 0xdeadbeecU | MFASTIRQ_NEST, 0x77880002U + round, round);
	}
	csr_write(CSR_MTVEC, (uint32_t)spy_entry | MTVEC_MODE_CLIC);
	play(false, link | MFASTIRQ_NEST, 0x31323334U, 0U);
	play(false, link, 0x41424344U, 0U);
	csr_write(CSR_MTVEC, entry);
	irq_vectored_set(A, true);
	irq_fast_enable();
	CHECK_NO_TRAP();
	return test_end();
}
