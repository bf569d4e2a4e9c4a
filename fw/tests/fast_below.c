/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a store from the word below a frame into its first word, before that has been stored, at each alignment of
  the stack
config: [mcu-fastirq, mcu-fastirq-1bank, mcu-fastirq-shared]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "emit.h"
#include "fast_test.h"

/* The handler of A raises B. B interrupts it while A's frame is being stored, so at B's first instruction all of B's
 * frame is still to be stored. B's handler stores the upper half of s3 into the frame's first word and loads it later.
 */
void below_a(void);
void below_b(void);
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	".globl below_a\n"
	"below_a:\n"
	"	sb s1, 0(s2)\n"
	"	fast_nops 40\n"
	"	emret\n"
	".balign 4\n"
	".globl below_b\n"
	"below_b:\n"
	"	sw s3, -2(sp)\n"
	"	fast_nops 40\n"
	"	lhu s4, 0(sp)\n"
	"	emret\n");
/* clang-format on */

/* Runs with A pending. The frame at @p sp - FRAME_BYTES is that of A's handler. */
static void play(uint32_t sp, irq_vector_t handler, uint32_t loaded)
{
	(void)irq_vector_set(A, handler);
	context_fill(0x13572468U);
	context_in.x[REG_SP] = sp;
	context_in.x[REG_S0] = fast_ip(A);
	context_in.x[REG_S1] = 1U;
	context_in.x[REG_A0 + 4] = (uint32_t)context_end;
	context_in.x[18] = fast_ip(B);
	context_in.x[19] = 0xbeef5a5aU;
	context_in.x[20] = 0U;
	context_run(emitted, false);
	context_in.x[20] = loaded;
	CHECK_CONTEXT(context_in);
}

int main(void)
{
	fast_begin();
	(void)irq_vector_set(B, below_b);
	emit(0x00940023U); /* sb s1, 0(s0) */
	emit_nops(8U);
	emit(0x00070067U); /* jr a4 */
	fetch_fence();

	/* The frame begins at each alignment that sp can have, and each of two banks holds the context: touch_handler
	 * returns by loading, so that the next context is in the other bank.
	 */
	for (uint32_t i = 0U; i < 16U; i++) {
		play(CONTEXT_SP - (16U * (i >> 1)), below_a, 0xbeefU);
		if ((i & 1U) == 0U) {
			play(CONTEXT_SP, touch_handler, 0U);
		}
	}
	CHECK_NO_TRAP();
	return test_end();
}
