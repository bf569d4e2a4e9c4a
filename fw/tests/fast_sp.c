/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: an interrupt at every distance from an instruction that writes sp - the frame lies below the right sp
config: [mcu-fastirq, mcu-fastirq-e]
needs: [m]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

/* a0: address of the word with the new sp; a1: the new sp; a2: 1; a3: 3; a4: address of a misaligned word with the new
 * sp. The word at sp holds the new sp, too. From label 3 on, sp has the new value.
 */
#define SP_CODE(name, insn)                                                                        \
	extern const char name[];                                                                  \
	extern const char name##_at[];                                                             \
	__asm__(".text\n"                                                                          \
		".balign 4\n" #name ":\n"                                                          \
		"	fast_nops 5\n"                                                                   \
		"	lw t0, 0(a0)\n" #name "_at:\n"                                             \
		"	" insn "\n"                                                                \
		"	addi t1, sp, 0\n"                                                                \
		"	mul t2, t1, a3\n"                                                                \
		"	fast_nops 5\n"                                                                   \
		"	j context_end\n")

SP_CODE(by_load, "lw sp, 0(a0)");
SP_CODE(by_stack, "lw sp, 0(sp)");
SP_CODE(by_misaligned, "lw sp, 0(a4)");
SP_CODE(by_move, "mv sp, a1");
SP_CODE(by_divide, "divu sp, a1, a2");
SP_CODE(by_csr, "csrr sp, mscratch");

static uint32_t new_stack[64] __attribute__((aligned(16)));
#define NEW_SP ((uint32_t)&new_stack[48])

static uint32_t word;
static uint8_t bytes[8] __attribute__((aligned(8)));
static const char *at;
static uint32_t expected_sp;
static struct context expected;

static uint32_t run(const char *code)
{
	spy.count = 0U;
	context_run(code, false);
	CHECK_CONTEXT(expected);
	if (spy.count == 0U) {
		return 0U;
	}

	/* The interrupt came before or after the instruction that writes sp. */
	uint32_t mepc = spy.mepc;
	bool before = mepc >= (uint32_t)code && mepc <= (uint32_t)at;
	uint32_t sp = before ? context_in.x[REG_SP] : expected_sp;

	CHECK_EQ(spy.count, 1U);
	CHECK_EQ(spy.sp, sp - FRAME_BYTES);
	CHECK_EQ(spy.frame[FRAME_MEPC], mepc);
	CHECK_EQ(spy.frame[FRAME_MCAUSE], spy.mcause);
	for (uint32_t k = 4U; k < TRAPEZE_CALLER_COUNT; k++) {
		CHECK_EQ(spy.frame[k], expected.x[frame_register[k]]);
	}
	return mepc;
}

static void play(const char *code, const char *instruction, uint32_t sp)
{
	at = instruction;
	word = sp;
	expected_sp = sp;
	(void)memcpy(&bytes[3], &sp, sizeof(sp));
	context_stack[192] = sp;
	context_fill(sp ^ (uint32_t)code);
	context_in.x[REG_A0] = (uint32_t)&word;
	context_in.x[REG_A0 + 1] = sp;
	context_in.x[REG_A0 + 2] = 1U;
	context_in.x[REG_A0 + 3] = 3U;
	context_in.x[REG_A0 + 4] = (uint32_t)&bytes[3];
	(void)context_run(code, false);
	expected = context_out;
	CHECK_EQ(expected.x[REG_SP], sp);
	CHECK(fast_sweep(code, run) > 4U);
}

int main(void)
{
	fast_begin();
	(void)irq_vector_set(IRQ_TIMER, spy_handler);
	play(by_load, by_load_at, NEW_SP);
	play(by_stack, by_stack_at, NEW_SP);
	play(by_misaligned, by_misaligned_at, NEW_SP);
	play(by_move, by_move_at, NEW_SP);
	play(by_divide, by_divide_at, NEW_SP);
	play(by_csr, by_csr_at, csr_read(CSR_MSCRATCH));
	CHECK_NO_TRAP();
	return test_end();
}
