/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: for an interrupt of user mode sp and mscratch are exchanged at entry and return, whatever happens in between
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace]
needs: [m]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

extern const char user_code[];
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"user_code:\n"
	"	sb s1, 0(s0)\n"
	"	fast_nops 10\n"
	"	mv s1, sp\n"
	"	j context_end\n");
/* clang-format on */

/* The HAL's mscratch: top of the stack of handlers. */
static uint32_t top;

static volatile uint32_t handled;
static volatile uint32_t nested_sp[2];
static volatile uint32_t mscratch_seen[2];
static volatile uint32_t cause_seen[2];

static uint32_t user_cause(uint32_t irq)
{
	return MCAUSE_INTERRUPT | MCAUSE_MPIE | irq;
}

static void prepare(uint32_t sp)
{
	context_fill(0x55aa0000U + sp);
	context_in.x[REG_SP] = sp;
	context_in.x[REG_S0] = fast_ip(A);
	context_in.x[REG_S1] = 1U;
	spy.count = 0U;
	handled = 0U;
}

static void check_back(void)
{
	struct context expected = context_in;

	expected.x[REG_S1] = expected.x[REG_SP];
	CHECK_CONTEXT(expected);
	CHECK_EQ(TEST_CAUSE(context_cause), MCAUSE_ECALL_U);
	CHECK_EQ(context_cause & (MCAUSE_MPP | MCAUSE_MPIL), 0U);
	CHECK_EQ(csr_read(CSR_MSCRATCH), top);
}

/* State at the handler's first instruction. The user's sp may have any value. */
static void play_entry(irq_vector_t handler, uint32_t sp)
{
	(void)irq_vector_set(A, handler);
	prepare(sp);
	context_run(user_code, true);
	check_back();
	CHECK_EQ(spy.count, 1U);
	CHECK_EQ(spy.sp, top - FRAME_BYTES);
	CHECK_EQ(spy.mscratch, sp);
	CHECK_EQ(spy.mstatus & (MSTATUS_MPP | MSTATUS_MPIE), MSTATUS_MPIE);
	CHECK_EQ(spy.mcause, user_cause(A));
	CHECK_EQ(spy.frame[FRAME_MCAUSE], spy.mcause);
	CHECK_EQ(spy.frame[FRAME_MEPC], spy.mepc);
	for (uint32_t k = 0; k < TRAPEZE_CALLER_COUNT; k++) {
		CHECK_EQ(spy.frame[k], context_in.x[frame_register[k]]);
	}
}

/* A + 1 interrupts A's handler, which interrupted user mode. It changes only sp. */
static void inner(void)
{
	nested_sp[1] = (uint32_t)__builtin_frame_address(0);
	mscratch_seen[1] = csr_read(CSR_MSCRATCH);
	cause_seen[1] = csr_read(CSR_MCAUSE);
	handled++;
}

static void outer(void)
{
	nested_sp[0] = (uint32_t)__builtin_frame_address(0);
	mscratch_seen[0] = csr_read(CSR_MSCRATCH);
	cause_seen[0] = csr_read(CSR_MCAUSE);
	handled++;
	clic_raise(A + 1);
	CHECK_EQ(csr_read(CSR_MSCRATCH), mscratch_seen[0]);
	CHECK_EQ(handled, 2U);
}

/* Runs with this handler for A, which raises A + 1. */
static void run_both(irq_vector_t handler, uint32_t sp)
{
	(void)irq_vector_set(A, handler);
	(void)irq_vector_set(A + 1, inner);
	prepare(sp);
	context_run(user_code, true);
	check_back();
	CHECK_EQ(handled, 2U);
	CHECK_EQ(nested_sp[0], top - FRAME_BYTES);
}

static void play_nested(uint32_t sp)
{
	run_both(outer, sp);
	CHECK(nested_sp[1] <= nested_sp[0] - FRAME_BYTES);
	CHECK_EQ(mscratch_seen[0], sp);
	CHECK_EQ(mscratch_seen[1], sp);
	CHECK_EQ(cause_seen[0], user_cause(A));
	CHECK_EQ(cause_seen[1], MCAUSE_INTERRUPT | MCAUSE_MPP | MCAUSE_MPIE | (A + 1U) |
				    ((uint32_t)fast_level(0U) << MCAUSE_MPIL_SHIFT));
}

/* emret goes from A to A + 1 and then to user mode. */
static void first(void)
{
	irq_lock();
	nested_sp[0] = (uint32_t)__builtin_frame_address(0);
	handled++;
	clic_raise(A + 1);
	CHECK_EQ(handled, 1U);
}

static void play_chain(uint32_t sp)
{
	run_both(first, sp);
	CHECK_EQ(nested_sp[1], nested_sp[0]);
	CHECK_EQ(mscratch_seen[1], sp);
	CHECK_EQ(cause_seen[1], user_cause(A + 1));
}

/* A handler that changes the previous mode in the frame. */
void change_mode(void);
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"change_mode:\n"
	"	lw t0, (4 * " FAST_TEXT(TRAPEZE_CALLER_COUNT) " + 4)(sp)\n"
	"	li t1, 0x30000000\n"
	"	xor t0, t0, t1\n"
	"	sw t0, (4 * " FAST_TEXT(TRAPEZE_CALLER_COUNT) " + 4)(sp)\n"
	"	fast_trash\n"
	"	emret\n");
/* clang-format on */

static void play_modes(uint32_t sp)
{
	struct context expected;

	/* From machine mode to user mode: emret exchanges sp and mscratch, although the entry did not. */
	(void)irq_vector_set(A, change_mode);
	prepare(sp);
	context_run(user_code, false);
	uint32_t scratch = csr_swap(CSR_MSCRATCH, top);

	CHECK_EQ(scratch, sp);
	expected = context_in;
	expected.x[REG_SP] = top;
	expected.x[REG_S1] = top;
	CHECK_CONTEXT(expected);
	CHECK_EQ(TEST_CAUSE(context_cause), MCAUSE_ECALL_U);

	/* From user mode to machine mode: emret does not exchange them back. */
	prepare(sp);
	context_run(user_code, true);
	scratch = csr_swap(CSR_MSCRATCH, top);
	CHECK_EQ(scratch, sp);
	CHECK_CONTEXT(expected);
	CHECK_EQ(TEST_CAUSE(context_cause), MCAUSE_ECALL_M);
}

/* The interrupt comes at every distance, with return from the bank or by loading. */
static uint32_t run(const char *code)
{
	irq_pending_set(A, false);
	spy.count = 0U;
	context_run(code, true);
	CHECK_CONTEXT(context_in);
	CHECK_EQ(csr_read(CSR_MSCRATCH), top);
	return spy.count == 0U ? 0U : spy.mepc;
}

extern const char user_long[];
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"user_long:\n"
	"	fast_nops 3\n"
	"	addi sp, sp, -64\n"
	"	addi sp, sp, 64\n"
	"	divu s1, s0, s0\n"
	"	sub s1, s1, s1\n"
	"	fast_nops 3\n"
	"	j context_end\n");
/* clang-format on */

int main(void)
{
	static const uint32_t sps[] = {0x12345670U, 0U, UINT32_MAX, 2U};

	fast_begin();
	top = csr_read(CSR_MSCRATCH);
	for (uint32_t i = 0; i < sizeof(sps) / sizeof(sps[0]); i++) {
		play_entry(spy_handler, sps[i]);
		play_entry(spy_upwards_handler, sps[i]);
		play_nested(sps[i]);
		play_chain(sps[i]);
	}
	play_modes(CONTEXT_SP);

	/* The timer interrupt comes while instructions write sp. */
	prepare(CONTEXT_SP);
	context_in.x[REG_S1] = 0U;
	(void)irq_vector_set(IRQ_TIMER, spy_handler);
	CHECK(fast_sweep(user_long, run) > 8U);
	CHECK_NO_TRAP();
	return test_end();
}
