/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: two interrupts at every distance from each other, above, beside and below, through entry, table fetch and
  return
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace, mcu-fastirq-shared]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

/* A's handlers: one does not touch the frame, so emret returns from the bank; the other makes emret load the frame.
 * Both count at their end, and need no stack.
 */
extern const char race_code[];
void race_bank(void);
void race_reload(void);
extern const char race_entry[];
__attribute__((used)) static volatile uint32_t count;
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"race_code:\n"
	"	fast_nops 3\n"
	"	sb s1, 0(s0)\n"
	"	fast_nops 24\n"
	"	j context_end\n"
	".balign 4\n"
	"race_reload:\n"
	"	lw t0, 4(sp)\n"
	"	sw t0, 4(sp)\n"
	".balign 4\n"
	"race_bank:\n"
	"	fast_trash\n"
	"	la t0, count\n"
	"	lw t1, 0(t0)\n"
	"	addi t1, t1, 1\n"
	"	sw t1, 0(t0)\n"
	"	emret\n"
	/* Entry for interrupts that are not vectored: A goes to race_bank, the timer to the spy. mnxti claims the more
	 * important one, whichever interrupt entered.
	 */
	".balign 64\n"
	"race_entry:\n"
	FAST_ENTRY
	"	csrrci t0, " FAST_TEXT(CSR_MNXTI) ", 8\n"
	"	beqz t0, 2f\n"
	"	lw t0, 0(t0)\n"
	"	jr t0\n"
	"2:	emret\n");		/* a vectored one came before mnxti: chain to it, then here again */
/* clang-format on */

static uint32_t run(const char *code)
{
	count = 0U;
	spy.count = 0U;
	context_run(code, false);
	uint32_t mepc = spy.count == 0U ? 0U : spy.frame[FRAME_MEPC];

	CHECK_EQ(count, 1U);
	CHECK(spy.count <= 1U);
	CHECK_CONTEXT(context_in);
	CHECK_EQ(irq_level_current(), 0U);
	CHECK(!irq_is_pending(A));
	if (spy.count == 1U) {
		/* mcause and the frame agree about the interrupted level. */
		uint32_t below = (spy.frame[FRAME_MCAUSE] & MCAUSE_MPIL) >> MCAUSE_MPIL_SHIFT;
		uint32_t level = (spy.mcause & MCAUSE_MPIL) >> MCAUSE_MPIL_SHIFT;

		CHECK(below == 0U || below == irq_level_get(A));
		if (TEST_CAUSE(spy.mcause) == (MCAUSE_INTERRUPT | A)) {
			/* The timer was taken with the store, then A, which is above it, was claimed: the CSRs are A's.
			 */
			CHECK(irq_level_get(IRQ_TIMER) < irq_level_get(A));
			CHECK_EQ(below, 0U);
			CHECK_EQ(level, irq_level_get(IRQ_TIMER));
		} else {
			CHECK_EQ(TEST_CAUSE(spy.mcause), MCAUSE_INTERRUPT | IRQ_TIMER);
			CHECK_EQ(level, below);
			CHECK_EQ(spy.mepc, mepc);
			if ((spy.mcause & MCAUSE_MINHV) != 0U) {
				CHECK_EQ(below, irq_level_get(A));
				CHECK_EQ(mepc, table_entry(A));
			}
		}
		if (below == 0U) {
			CHECK_EQ(spy.sp, CONTEXT_SP - FRAME_BYTES);
		} else {
			CHECK_EQ(spy.sp, CONTEXT_SP - (2U * FRAME_BYTES));
		}
	}
	return mepc;
}

static void play(uint8_t level, irq_vector_t handler, bool vectored, bool timer_vectored)
{
	irq_control_set(IRQ_TIMER, level);
	(void)irq_vector_set(A, handler);
	irq_vectored_set(A, vectored);
	irq_vectored_set(IRQ_TIMER, timer_vectored);
	CHECK(fast_sweep(race_code, run) > 30U);
}

int main(void)
{
	uint32_t entry = csr_read(CSR_MTVEC);

	fast_begin();
	csr_write(CSR_MTVEC, (uint32_t)race_entry | MTVEC_MODE_CLIC);
	context_fill(0x0f1e2d3cU);
	context_in.x[REG_S0] = fast_ip(A);
	context_in.x[REG_S1] = 1U;
	irq_control_set(A, fast_level(3U));
	(void)irq_vector_set(IRQ_TIMER, spy_handler);
	play(fast_level(5U), race_bank, true, true);
	play(fast_level(5U), race_reload, false, true);
	play(fast_level(3U), race_reload, true, false);
	play(fast_level(2U), race_reload, true, true);
	csr_write(CSR_MTVEC, entry);
	CHECK_NO_TRAP();
	return test_end();
}
