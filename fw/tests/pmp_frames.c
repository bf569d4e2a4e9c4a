/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a row that forbids machine mode words of a frame raises exception 24, and those words keep their values; a
  row written after the entry does not affect the frame
config: [mcu-user, mcu-user-e]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"
#include "pmp_test.h"

static volatile uint32_t stack[64] __attribute__((aligned(256)));
#define TOP   ((uint32_t)&stack[48])
#define BASE  (TOP - FRAME_BYTES)
#define EMPTY 0xdeadbeefU

/* A row that only lets machine mode read. Bit 0 of its value also makes an interrupt pending when stored to ip. */
#define READS (ROW_LOCK | ROW_NAPOT | ROW_R)

static volatile uint32_t faults;
static volatile uint32_t fault_at;
__attribute__((used)) static volatile uint32_t entries;

extern const char frames_code[];
void quiet_handler(void);
void closing_handler(void);
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"frames_code:\n"
	"	sb s1, 0(s0)\n"
	"	fast_nops 10\n"
	"	j context_end\n"
	/* Waits until its frame has been stored, or its exception has come. */
	".balign 4\n"
	"quiet_handler:\n"
	"	li t0, 100\n"
	"1:	addi t0, t0, -1\n"
	"	bnez t0, 1b\n"
	"	la t1, entries\n"
	"	lw t0, 0(t1)\n"
	"	addi t0, t0, 1\n"
	"	sw t0, 0(t1)\n"
	"	emret\n"
	/* The first instruction closes the stack with s1, while the frame is still being stored. */
	".balign 4\n"
	"closing_handler:\n"
	"	csrw pmpcfg0, s1\n"
	"	csrw pmpcfg0, zero\n"
	"	j quiet_handler\n");
/* clang-format on */

static bool frames_trap(struct trap_frame *frame)
{
	if (TEST_CAUSE(frame->mcause) == MCAUSE_FRAME_STORE_FAULT) {
		faults++;
		fault_at = frame->mtval;
		csr_write(CSR_PMPCFG0, 0U);
		return true;
	}
	return fast_trap_handler(frame);
}

static void play(irq_vector_t handler, uint32_t cfg)
{
	(void)irq_vector_set(A, handler);
	for (uint32_t k = 0U; k < 64U; k++) {
		stack[k] = EMPTY;
	}
	faults = 0U;
	fault_at = 0U;
	entries = 0U;
	context_fill(0x4a3b2c1dU);
	context_in.x[REG_SP] = TOP;
	context_in.x[REG_S0] = fast_ip(A);
	context_in.x[REG_S1] = READS;
	csr_write(CSR_PMPCFG0, cfg);
	context_run(frames_code, false);
	CHECK_EQ(entries, 1U);
	CHECK_CONTEXT(context_in);
	csr_write(CSR_PMPCFG0, 0U);
}

static void check_frame(bool hole)
{
	for (uint32_t k = 0U; k < TRAPEZE_CALLER_COUNT; k++) {
		uint32_t word = stack[(BASE - (uint32_t)stack) / 4U + k];

		CHECK_EQ(word,
			 hole && (k == 2U || k == 3U) ? EMPTY : context_in.x[frame_register[k]]);
	}
}

int main(void)
{
	fast_begin();
	(void)trap_set_handler(frames_trap);
	csr_write(CSR_MSECCFG, MSECCFG_RLB);

	/* Two words of the frame are refused. */
	csr_write(CSR_PMPADDR0, NAPOT(BASE + 8U, 8U));
	play(quiet_handler, READS);
	CHECK_EQ(faults, 1U);
	CHECK(fault_at == BASE + 8U || fault_at == BASE + 12U);
	check_frame(true);

	/* A row forbids all of the frame, but it is written after the entry. The write waits until the frame has been
	 * stored.
	 */
	csr_write(CSR_PMPADDR0, NAPOT((uint32_t)stack, 256U));
	play(closing_handler, 0U);
	CHECK_EQ(faults, 0U);
	check_frame(false);
	CHECK_NO_TRAP();
	return test_end();
}
