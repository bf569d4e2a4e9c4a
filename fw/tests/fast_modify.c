/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a handler's loads and stores on its frame, of each width and at each offset, at once and later; emret honours
  them
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace, mcu-fastirq-shared]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "emit.h"
#include "fast_test.h"

/* Makes the source of s0 pending, by the lowest bit of a1. A handler may also return to modify_other. */
extern const char modify_code[];
extern const char modify_other[];
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"modify_code:\n"
	"	sb a1, 0(s0)\n"
	"	fast_nops 8\n"
	"	j context_end\n"
	".balign 4\n"
	"modify_other:\n"
	"	li s1, 77\n"
	"	j context_end\n");
/* clang-format on */

/* Words around the frame that are compared, too. */
#define MARGIN 4

/* The handler is written at run time: nops, accesses to the frame, nops, emret. This emits the load or store of a
 * register, with the width of funct3, at sp + offset.
 */
static void emit_access(bool store, uint32_t funct3, uint32_t reg, int offset)
{
	uint32_t imm = (uint32_t)offset & 0xfffU;
	uint32_t common = (funct3 << 12) | ((uint32_t)REG_SP << 15);

	if (store) {
		emit(0x23U | common | ((imm & 31U) << 7) | (reg << 20) | ((imm >> 5) << 25));
	} else {
		emit(0x03U | common | (reg << 7) | (imm << 20));
	}
}

/* A constant into a word of the frame, through t0. */
static void emit_word(uint32_t word, uint32_t value)
{
	uint32_t low = (uint32_t)((int32_t)(value << 20) >> 20);

	emit(0x37U | ((uint32_t)REG_T0 << 7) | (value - low));
	emit(0x13U | ((uint32_t)REG_T0 << 7) | ((uint32_t)REG_T0 << 15) | (low << 20));
	emit_access(true, 2U, REG_T0, (int)(4U * word));
}

static void emit_end(uint32_t cycles)
{
	emit_nops(cycles);
	emit(TRAPEZE_EMRET_MATCH); /* emret */
	emit_count = 0U;
	fetch_fence();
}

static void prepare(uint32_t seed)
{
	context_fill(seed);
	context_in.x[REG_S0] = fast_ip(A);
	context_in.x[REG_A0 + 1] |= 1U;
}

/* The expected stack around the frame at the handler's first instruction, without mepc. */
static uint32_t image[FRAME_SPACE + (2 * MARGIN)];

static void image_make(void)
{
	for (uint32_t i = 0; i < FRAME_SPACE + (2 * MARGIN); i++) {
		image[i] = 0xc0ffee00U + i;
	}
	for (uint32_t k = 0; k < TRAPEZE_CALLER_COUNT; k++) {
		image[MARGIN + k] = context_in.x[frame_register[k]];
	}
	image[MARGIN + FRAME_MEPC] = 0U;
	image[MARGIN + FRAME_MCAUSE] = MCAUSE_INTERRUPT | MCAUSE_MPP | MCAUSE_MPIE | (uint32_t)A;
	for (uint32_t i = 0; i < FRAME_SPACE + (2 * MARGIN); i++) {
		context_stack[192 - FRAME_SPACE - MARGIN + i] = 0xc0ffee00U + i;
	}
}

static bool touches(int offset, uint32_t size, uint32_t word)
{
	return offset < (int)(4U * word) + 4 && offset + (int)size > (int)(4U * word);
}

/* Runs with one access of a width at an offset, that many nops after the entry. */
static void play(bool store, uint32_t funct3, int offset, uint32_t before, uint32_t after)
{
	uint32_t size = 1U << (funct3 & 3U);
	uint8_t *bytes = (uint8_t *)&image[MARGIN] + offset;
	struct context expected;

	if (touches(offset, size, FRAME_MEPC) || (store && touches(offset, size, FRAME_MCAUSE))) {
		return; /* below */
	}
	emit_nops(before);
	emit_access(store, funct3, REG_S1, offset);
	emit_end(after);
	prepare(0x31415926U + ((uint32_t)offset << 20) + before);
	image_make();
	expected = context_in;
	if (store) {
		for (uint32_t i = 0; i < size; i++) {
			bytes[i] = (uint8_t)(context_in.x[REG_S1] >> (8U * i));
		}
		for (uint32_t k = 0; k < TRAPEZE_CALLER_COUNT; k++) {
			expected.x[frame_register[k]] = image[MARGIN + k];
		}
	} else {
		uint32_t value = 0U;

		for (uint32_t i = 0; i < size; i++) {
			value |= (uint32_t)bytes[i] << (8U * i);
		}
		if (funct3 == 0U) {
			value = (uint32_t)(int32_t)(int8_t)value;
		} else if (funct3 == 1U) {
			value = (uint32_t)(int32_t)(int16_t)value;
		}
		expected.x[REG_S1] = value;
	}
	context_run(modify_code, false);
	CHECK_CONTEXT(expected);

	/* Outside of the frame all words are as stored. How much of the frame has reached memory is undefined. */
	for (uint32_t i = 0; i < FRAME_SPACE + (2 * MARGIN); i++) {
		if (i < MARGIN || i >= MARGIN + FRAME_WORDS) {
			CHECK_EQ(context_stack[192 - FRAME_SPACE - MARGIN + i], image[i]);
		}
	}
}

static void accesses(void)
{
	uint32_t count = 0U;

	for (int offset = -7; offset < (int)FRAME_BYTES + 4; offset++) {
		/* The access comes at once, or about the cycle in which the word is stored. */
		int leaves = (offset / 4) + (int)(count % 6U) - 3;
		uint32_t time = leaves < 0 ? 20U : (uint32_t)leaves;
		uint32_t after = (count & 3U) * 5U;

		play(true, 2U, offset, time, after);
		play(false, 2U, offset, time, after);
		if ((count & 1U) != 0U) {
			play(true, 2U, offset, 0U, after);
			play(false, 2U, offset, 0U, after);
		} else {
			play(true, (count >> 1) & 1U, offset, time & 7U, 0U);
			play(false, ((count >> 1) & 1U) + (count & 4U), offset, time & 7U, 0U);
		}
		count++;
	}
}

/* Runs with a handler that writes mepc and mcause of the frame. If mepc is 0 it is not written. */
static void emret_with(uint32_t mepc, uint32_t mcause, uint32_t time)
{
	emit_nops(time);
	if (mepc != 0U) {
		emit_word(FRAME_MEPC, mepc);
	}
	emit_word(FRAME_MCAUSE, mcause);
	emit_end(time % 7U);
	prepare(0x27182818U + time);
	context_run(modify_code, false);
}

static void returns(void)
{
	static const char *const entry = modify_other;
	uint32_t plain = MCAUSE_INTERRUPT | MCAUSE_MPP | MCAUSE_MPIE | (uint32_t)A;

	for (uint32_t time = 0; time < 24U; time += 2U) {
		/* emret returns to another address, directly and through the table. */
		emret_with((uint32_t)modify_other, plain, time);
		struct context expected = context_in;

		expected.x[REG_S1] = 77U;
		CHECK_CONTEXT(expected);
		emret_with((uint32_t)&entry, plain | MCAUSE_MINHV, time);
		expected = context_in;
		expected.x[REG_S1] = 77U;
		CHECK_CONTEXT(expected);
		CHECK_EQ(context_cause, MCAUSE_MPP | MCAUSE_MPIE | MCAUSE_ECALL_M);

		/* emret returns with interrupts disabled. */
		emret_with(0U, plain & ~(uint32_t)MCAUSE_MPIE, time);
		CHECK_CONTEXT(context_in);
		CHECK_EQ(context_cause, MCAUSE_MPP | MCAUSE_ECALL_M);

		/* emret returns to a level. */
		emret_with(0U, plain | (99U << MCAUSE_MPIL_SHIFT), time);
		CHECK_CONTEXT(context_in);
		CHECK_EQ(context_cause,
			 MCAUSE_MPP | MCAUSE_MPIE | MCAUSE_ECALL_M | (99U << MCAUSE_MPIL_SHIFT));
		CHECK_EQ(irq_level_current(), 99U);
		level_become(0U);
	}
}

int main(void)
{
	fast_begin();
	(void)irq_vector_set(A, (irq_vector_t)(uintptr_t)emitted);
	accesses();
	returns();
	CHECK_NO_TRAP();
	return test_end();
}
