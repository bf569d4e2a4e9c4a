/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: frames that mframe loads ahead, and everything that may happen to them before emret
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-4banks, mcu-fastirq-shared]
banks: 1
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

/* Measures the duration of the return: s1 has mcycle from before. */
extern const char fill_timed[];
extern const char fill_wrong[];
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"fill_timed:\n"
	"	csrr s0, mcycle\n"
	"	sub s1, s0, s1\n"
	"	j context_end\n"
	".balign 4\n"
	"fill_wrong:\n"
	"	ebreak\n");
/* clang-format on */

#define HINT_S0 0x7c141073U /* csrw mframe, s0 */
#define HINT_S1 0x7c149073U /* csrw mframe, s1 */
#define STORE   0x00942023U /* sw s1, 0(s0) */
#define PEND    0x00928023U /* sb s1, 0(t0) */
#define READ    0xb00024f3U /* csrr s1, mcycle */
#define GO      0x00040113U /* mv sp, s0 */
#define NOP     0x00000013U
#define EMRET   TRAPEZE_EMRET_MATCH

#define TIMED 8U

/* Frames: one above the stack of the code, and one that emret never uses. */
static struct irq_fast_frame *const made = (struct irq_fast_frame *)(CONTEXT_SP + 64U);
static struct irq_fast_frame other;

/* The code: a hint or none, nops, one instruction, nops, and emret from the frame. */
static uint32_t code[96];

static void make(uint32_t hint, uint32_t before, uint32_t what, uint32_t behind)
{
	uint32_t n = 0U;

	code[n++] = hint;
	for (uint32_t i = 0; i < before; i++) {
		code[n++] = NOP;
	}
	code[n++] = what;
	for (uint32_t i = 0; i < behind; i++) {
		code[n++] = NOP;
	}
	code[n++] = GO;
	code[n] = EMRET;
	fetch_fence();
}

static uint32_t *word(uint32_t k)
{
	return (uint32_t *)made + k;
}

/* The contents of the frame for emret. */
static struct context prepare(uint32_t seed)
{
	context_fill(seed);
	context_in.x[REG_T0] = fast_ip(A);
	context_in.x[REG_S0] = (uint32_t)made;
	context_in.x[REG_S1] = (uint32_t)&other;

	struct context expected = context_in;

	for (uint32_t k = 0; k < TRAPEZE_CALLER_COUNT; k++) {
		*word(k) = ~seed - (k * 0x01010101U);
		expected.x[frame_register[k]] = *word(k);
	}
	made->mepc = (uint32_t)context_end;
	made->mcause = MCAUSE_MPP | MCAUSE_MPIE;
	expected.x[REG_SP] = (uint32_t)made + FRAME_BYTES;
	return expected;
}

static void run(const struct context *expected)
{
	context_run(code, false);
	CHECK_CONTEXT(*expected);
	CHECK_EQ(context_cause & MCAUSE_MPIE, MCAUSE_MPIE);
	CHECK_EQ(irq_level_current(), 0U);
}

/* No further hint; a second hint, of the same frame or of another one; or only a hint of another one. */
static void hints(uint32_t before, uint32_t behind)
{
	static const uint32_t first[] = {HINT_S0, HINT_S0, HINT_S0, HINT_S1, HINT_S1, NOP};
	static const uint32_t second[] = {NOP, HINT_S0, HINT_S1, HINT_S0, NOP, NOP};

	for (uint32_t i = 0; i < sizeof first / sizeof first[0]; i++) {
		struct context expected = prepare(0x13570000U + i);

		make(first[i], before, second[i], behind);
		run(&expected);
		context_in.x[REG_S1] = HOLE;
		expected.x[REG_S1] = HOLE;
		run(&expected);
	}
}

/* A word of the frame is stored before, while or after it is loaded. */
static void stores(uint32_t before, uint32_t behind)
{
	for (uint32_t k = (before + behind) % 3U; k < FRAME_WORDS; k += 3U) {
		struct context expected = prepare(0x24680000U + k);

		if (k == FRAME_MEPC) {
			made->mepc = (uint32_t)fill_wrong;
			context_in.x[REG_S1] = (uint32_t)context_end;
		} else if (k == FRAME_MCAUSE) {
			made->mcause = MCAUSE_MPP;
			context_in.x[REG_S1] = MCAUSE_MPP | MCAUSE_MPIE;
		} else {
			expected.x[frame_register[k]] = context_in.x[REG_S1];
		}
		expected.x[REG_S1] = context_in.x[REG_S1];
		make(HINT_S0, before, STORE | ((k & 7U) << 9) | ((k >> 3) << 25), behind);
		run(&expected);
	}
}

/* An interrupt comes in between, or together with emret. Its handler does not use the registers. */
static void interrupts(uint32_t before, uint32_t behind)
{
	struct context expected = prepare(0x36900000U + before);

	context_in.x[REG_S1] = 1U;
	expected.x[REG_S1] = 1U;
	make(HINT_S0, before, PEND, behind);
	run(&expected);
}

static uint32_t timed(uint32_t hint)
{
	(void)prepare(0x48120000U);
	made->mepc = (uint32_t)fill_timed;
	make(hint, 2U * FRAME_WORDS, READ, 0U);
	context_run(code, false);
	return context_out.x[REG_S1];
}

int main(void)
{
	fast_begin();
	(void)irq_vector_set(A, trash_handler);
	other = (struct irq_fast_frame){.mepc = (uint32_t)fill_wrong, .mcause = MCAUSE_MPP};
	for (uint32_t before = 0; before < FRAME_WORDS + 4U; before++) {
		for (uint32_t behind = 0; behind < 8U; behind += 2U + (before % 3U)) {
			hints(before, behind);
			stores(before, behind);
			interrupts(before, behind);
		}
	}

	/* The hint saves time, even with fetches that wait. */
	uint32_t loaded = 0U;
	uint32_t ahead = 0U;

	for (uint32_t i = 0; i < TIMED; i++) {
		loaded += timed(NOP);
		ahead += timed(HINT_S0);
	}
	CHECK(ahead + (TIMED * FRAME_WORDS / 2U) < loaded);
	CHECK_EQ(csr_read(CSR_MFRAME), 0U);
	CHECK_NO_TRAP();
	return test_end();
}
