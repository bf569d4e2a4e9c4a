/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: LR, SC and AMOs on a frame of fastirq, whose words are still being stored, and which emret loads again
config: [mcu-fastirq-a]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "atomic_test.h"
#include "emit.h"
#include "fast_test.h"

/* s0: address that makes A pending; 4 bytes further, B. s1: address of a word of A's frame. s2: operand. s3: result of
 * an SC. s4: odd.
 */
enum {
	REG_S2 = 18,
	REG_S3 = 19,
	REG_S4 = 20
};

extern const char atomic_code[];
extern const char atomic_code_after[];
extern const char atomic_other[];
void nesting_handler(void);
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"atomic_code:\n"
	"	lr.w x0, (s1)\n" /* the interrupt ends the reservation */
	"	sb s4, 0(s0)\n"
	"atomic_code_after:\n"
	"	fast_nops 8\n"
	"	j context_end\n"
	".balign 4\n"
	"atomic_other:\n"
	"	li s4, 77\n"
	"	j context_end\n"
	/* B interrupts this handler at once. */
	".balign 4\n"
	"nesting_handler:\n"
	"	sb s4, 4(s0)\n"
	"	fast_nops 8\n"
	"	emret\n");
/* clang-format on */

/* Operation of a handler on the word. */
enum operation {
	OP_ADD,
	OP_SWAP,
	OP_MAXU,
	OP_LR,
	OP_PAIR, /* LR and SC */
	OP_SC,   /* SC, with the reservation of the interrupted program */
	OPERATIONS
};

#define ATOMIC(funct5, rd, rs2)                                                                    \
	(((uint32_t)(funct5) << 27) | ((uint32_t)(rs2) << 20) | ((uint32_t)REG_S1 << 15) |         \
	 (2U << 12) | ((uint32_t)(rd) << 7) | 0x2fU)

/* Writes the handler: nops, the operation, nops, emret. */
static void make(enum operation operation, uint32_t before, uint32_t after)
{
	emit_nops(before);
	switch (operation) {
	case OP_ADD:
		emit(ATOMIC(0x00U, REG_S0, REG_S2));
		break;
	case OP_SWAP:
		emit(ATOMIC(0x01U, REG_S0, REG_S2));
		break;
	case OP_MAXU:
		emit(ATOMIC(0x1cU, REG_S0, REG_S2));
		break;
	case OP_LR:
		emit(ATOMIC(0x02U, REG_S0, 0));
		break;
	case OP_PAIR:
		emit(ATOMIC(0x02U, REG_S0, 0));
		emit(ATOMIC(0x03U, REG_S3, REG_S2));
		break;
	default:
		emit(ATOMIC(0x03U, REG_S3, REG_S2));
		break;
	}
	emit_nops(after);
	emit(TRAPEZE_EMRET_MATCH);
	emit_count = 0U;
	fetch_fence();
}

/* Runs with the operation on a word of A's frame, in A's handler or in that of B, which interrupts it. Returns the
 * registers that are expected, except the one that is loaded from the word.
 */
static struct context run(enum operation operation, uint32_t word, uint32_t old, uint32_t operand)
{
	context_in.x[REG_S0] = fast_ip(A);
	context_in.x[REG_S1] = CONTEXT_SP - FRAME_BYTES + (4U * word);
	context_in.x[REG_S2] = operand;
	context_in.x[REG_S4] |= 1U;

	struct context expected = context_in;

	if (operation != OP_SC) {
		expected.x[REG_S0] = old;
	}
	if (operation == OP_PAIR || operation == OP_SC) {
		expected.x[REG_S3] = operation == OP_SC ? 1U : 0U;
	}
	context_run(atomic_code, false);
	CHECK_EQ(irq_level_current(), 0U);
	return expected;
}

static uint32_t result(enum operation operation, uint32_t old, uint32_t operand)
{
	switch (operation) {
	case OP_ADD:
		return old + operand;
	case OP_MAXU:
		return old > operand ? old : operand;
	case OP_SWAP:
	case OP_PAIR:
		return operand;
	default:
		return old;
	}
}

/* The word of a register of the interrupted program. */
static void play(enum operation operation, uint32_t word, uint32_t before, uint32_t after)
{
	uint32_t operand = 0x5bd1e995U * (word + before + 1U);

	make(operation, before, after);
	context_fill(0x1f2e3d4cU + (before << 20) + after);

	uint32_t old = context_in.x[frame_register[word]];
	struct context expected = run(operation, word, old, operand);

	expected.x[frame_register[word]] = result(operation, old, operand);
	CHECK_CONTEXT(expected);
}

/* The operation meets every word, about the cycle in which it is stored or at once; emret follows at once or later. */
static void registers(void)
{
	uint32_t count = 0U;

	for (uint32_t word = 0; word < TRAPEZE_CALLER_COUNT; word++) {
		for (uint32_t operation = 0; operation < OPERATIONS; operation++) {
			uint32_t before = (count % 5U) == 0U ? 0U : word + (count % 7U);

			play((enum operation)operation, word, before, (count & 3U) * 3U);
			count++;
		}
	}
}

/* The words of mcause, which emret loads first, and of mepc. */
static void returns(void)
{
	uint32_t plain = MCAUSE_INTERRUPT | MCAUSE_MPP | MCAUSE_MPIE | (uint32_t)A;
	uint32_t locked = plain & ~(uint32_t)MCAUSE_MPIE;
	struct context expected;

	for (uint32_t before = 0; before < 24U; before += 3U) {
		for (uint32_t after = 0; after < 3U; after++) {
			enum operation operation = after == 1U ? OP_PAIR : OP_SWAP;

			context_fill(0x2b3c4d5eU + before);
			make(operation, before, after);
			expected = run(operation, FRAME_MCAUSE, plain, locked);
			CHECK_CONTEXT(expected);
			CHECK_EQ(context_cause, MCAUSE_MPP | MCAUSE_ECALL_M);

			expected = run(operation, FRAME_MEPC, 0U, (uint32_t)atomic_other);
			CHECK(context_out.x[REG_S0] >= (uint32_t)atomic_code_after);
			CHECK(context_out.x[REG_S0] < (uint32_t)atomic_other);
			expected.x[REG_S0] = context_out.x[REG_S0];
			expected.x[REG_S4] = 77U;
			CHECK_CONTEXT(expected);
		}
	}
}

int main(void)
{
	fast_begin();
	(void)irq_vector_set(A, (irq_vector_t)(uintptr_t)emitted);
	registers();
	returns();
	(void)irq_vector_set(A, nesting_handler);
	(void)irq_vector_set(B, (irq_vector_t)(uintptr_t)emitted);
	registers();
	CHECK_NO_TRAP();
	return test_end();
}
