/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: accesses while two frames are being stored, frames that overlap, and frames from which emret returns twice
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace, mcu-fastirq-4banks, mcu-fastirq-shared]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

/* s0: address that makes A pending; 4 bytes further, B. s1: odd. */
extern const char frames_code[];
extern const char overlap_code[];
extern const char again_code[];
void outer_keeps(void);
void outer_tells(void);
void self_handler(void);
void wait_handler(void);
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"frames_code:\n"
	"	sb s1, 0(s0)\n"
	"	fast_nops 8\n"
	"	j context_end\n"
	/* Handlers that B interrupts at once. The second one reports ra after that. */
	".balign 4\n"
	"outer_keeps:\n"
	"	sb s1, 4(s0)\n"
	"	fast_nops 8\n"
	"	emret\n"
	".balign 4\n"
	"outer_tells:\n"
	"	sb s1, 4(s0)\n"
	"	fast_nops 8\n"
	"	mv s1, ra\n"
	"	emret\n"
	".balign 4\n"
	"self_handler:\n"
	"	fast_mret\n"
	/* Waits until its frame is in memory. */
	".balign 4\n"
	"wait_handler:\n"
	"	lw t0, (4 * " FAST_TEXT(TRAPEZE_CALLER_COUNT) " + 4)(sp)\n"
	"	fast_trash\n"
	"	emret\n"
	/* Stores A's frame; then B's frame four words higher; then returns from A's frame. */
	".balign 4\n"
	"overlap_code:\n"
	"	sb s1, 0(s0)\n"
	"	fast_nops 8\n"
	"	addi sp, sp, 16\n"
	"	addi s1, s1, 2\n"		/* only once */
	"	sb s1, 4(s0)\n"
	"	fast_nops 8\n"
	"	addi sp, sp, -16 - " FRAME_TEXT "\n"
	"	emret\n"
	/* Returns once more from both frames, which are in memory. */
	".balign 4\n"
	"again_code:\n"
	"	sb s1, 0(s0)\n"
	"	fast_nops 8\n"
	"	addi s1, s1, -1\n"
	"	bltz s1, 1f\n"
	"	addi sp, sp, -2 * " FRAME_TEXT "\n"
	"	emret\n"
	"1:	j context_end\n");
/* clang-format on */

/* B's handler: nops, one access of s1 at an offset from sp, nops, emret. */
static uint32_t code[64];

static void make(uint32_t before, bool store, uint32_t offset)
{
	uint32_t n = 0U;

	for (uint32_t i = 0; i < before; i++) {
		code[n++] = 0x00000013U; /* nop */
	}
	code[n++] = store ? 0x00912023U | ((offset & 31U) << 7) | ((offset >> 5) << 25)
			  : 0x00012483U | (offset << 20);
	code[n] = TRAPEZE_EMRET_MATCH; /* emret */
	fetch_fence();
}

static void prepare(irq_vector_t first)
{
	(void)irq_vector_set(A, first);
	context_fill(0x12480001U);
	context_in.x[REG_S0] = fast_ip(A);
	context_in.x[REG_S1] = 0x5a5a0001U;
}

static void run(uint32_t s1)
{
	struct context expected = context_in;

	context_run(frames_code, false);
	expected.x[REG_S1] = s1;
	CHECK_CONTEXT(expected);
	CHECK_EQ(irq_level_current(), 0U);
}

static void accesses(uint32_t time)
{
	uint32_t cause = MCAUSE_INTERRUPT | MCAUSE_MPP | MCAUSE_MPIE | (uint32_t)B |
			 ((uint32_t)fast_level(0U) << MCAUSE_MPIL_SHIFT);

	/* The access goes to B's own frame. Of its contents ra (the link) and mcause are known. */
	prepare(outer_keeps);
	make(time, false, 0U);
	run((uint32_t)__irq_fast_return);
	make(time, false, 4U * FRAME_MCAUSE);
	run(cause);
	prepare(outer_tells);
	make(time, true, 0U);
	run(context_in.x[REG_S1]);
	make(time, true, 4U);
	run((uint32_t)__irq_fast_return);

	/* The access goes to the frame before, which may still be in the middle of being stored. */
	for (uint32_t k = time % 5U; k < TRAPEZE_CALLER_COUNT; k += 5U) {
		prepare(outer_keeps);
		make(time, false, FRAME_BYTES + (4U * k));
		run(context_in.x[frame_register[k]]);
		make(time, true, FRAME_BYTES + (4U * k));
		struct context expected = context_in;

		context_run(frames_code, false);
		expected.x[frame_register[k]] = context_in.x[REG_S1];
		CHECK_CONTEXT(expected);
	}
}

/* B's frame was stored over most of A's frame. emret must not use the context in A's bank. */
static void overlap(void)
{
	prepare(self_handler);
	(void)irq_vector_set(B, wait_handler);
	context_in.x[frame_register[FRAME_MEPC - 4U]] = (uint32_t)context_end;
	context_in.x[frame_register[FRAME_MCAUSE - 4U]] = MCAUSE_MPP | MCAUSE_MPIE;

	struct context expected = context_in;

	context_run(overlap_code, false);
	expected.x[REG_S1] += 2U;
	for (uint32_t k = 4U; k < TRAPEZE_CALLER_COUNT; k++) {
		expected.x[frame_register[k]] = context_in.x[frame_register[k - 4U]];
	}
	CHECK_CONTEXT(expected);
	CHECK_EQ(irq_level_current(), 0U);
}

/* emret from a frame must not use a bank from which the core has already switched back. */
static void again(void)
{
	prepare(outer_keeps);
	(void)irq_vector_set(B, wait_handler);
	context_in.x[REG_S1] = 1U;

	struct context expected = context_in;

	context_run(again_code, false);
	expected.x[REG_S1] = UINT32_MAX;
	CHECK_CONTEXT(expected);
	CHECK_EQ(irq_level_current(), 0U);
}

int main(void)
{
	fast_begin();
	(void)irq_vector_set(B, (irq_vector_t)(uintptr_t)code);
	for (uint32_t time = 0; time < 26U; time++) {
		accesses(time);
	}
	overlap();
	again();
	CHECK_NO_TRAP();
	return test_end();
}
