/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: exceptions inside of handlers, from the first instruction on and at any depth, change neither bank nor frame
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

/* Handlers with a pattern in all registers that run into an exception after some time. The exception handler changes
 * a1.
 */
__attribute__((used)) static volatile uint32_t wrong;
extern const char trap_code[];
/* clang-format off */
__asm__(".text\n"
	".macro trap_handler_of index, time, insn:vararg\n"
	".balign 4\n"
	".globl trap_in_\\index\n"
	"trap_in_\\index:\n"
	"	fast_nops \\time\n"
	"	.option push\n"
	"	.option norvc\n"
	"	\\insn\n"			/* this context's registers are undefined */
	"	.option pop\n"
	"	addi sp, sp, -16\n"
	"	sw s1, 0(sp)\n"
	"	sw s0, 4(sp)\n"
	"	li s1, 0x51015101 * (\\index + 1)\n"
	"	fast_fill s1\n"
	"	.option push\n"
	"	.option norvc\n"
	"	\\insn\n"
	"	.option pop\n"
	"	addi a1, a1, -1\n"		/* the exception handler adds 1 */
	"	fast_verify s1\n"
	"	la t0, wrong\n"
	"	lw t1, 0(t0)\n"
	"	or t1, t1, a0\n"
	"	sw t1, 0(t0)\n"
	"	lw s1, 0(sp)\n"
	"	lw s0, 4(sp)\n"
	"	addi sp, sp, 16\n"
	"	fast_trash\n"
	"	emret\n"
	".endm\n"
	"	trap_handler_of 0, 0, ebreak\n"
	"	trap_handler_of 1, 1, ecall\n"
	"	trap_handler_of 2, 7, .4byte 0xffffffff\n"
	"	trap_handler_of 3, 17, csrr x0, 0x7bf\n"
	"	trap_handler_of 4, 0, ecall\n"
	"	trap_handler_of 5, 2, lw x0, 0(s1)\n"
	".balign 4\n"
	"trap_code:\n"
	"	sb s1, 0(s0)\n"
	"	fast_nops 8\n"
	"	j context_end\n");
/* clang-format on */

#define HANDLERS 6U
void trap_in_0(void);
void trap_in_1(void);
void trap_in_2(void);
void trap_in_3(void);
void trap_in_4(void);
void trap_in_5(void);
static const irq_vector_t handlers[HANDLERS] = {trap_in_0, trap_in_1, trap_in_2,
						trap_in_3, trap_in_4, trap_in_5};
static const uint32_t causes[HANDLERS] = {
    MCAUSE_BREAKPOINT,          MCAUSE_ECALL_M, MCAUSE_ILLEGAL_INSTRUCTION,
    MCAUSE_ILLEGAL_INSTRUCTION, MCAUSE_ECALL_M, MCAUSE_LOAD_FAULT};

static volatile uint32_t traps;
static volatile uint32_t expected_cause;
static volatile uint32_t expected_level;
static volatile uint32_t raise_next; /* pending bit that the exception handler sets; 0: none */

static bool trap_handler(struct trap_frame *frame)
{
	if (frame->mepc == (uint32_t)context_end) {
		return fast_trap_handler(frame);
	}
	traps++;
	if (traps > 2U) {
		return false;
	}
	CHECK_EQ(TEST_CAUSE(frame->mcause), expected_cause);
	CHECK_EQ((frame->mcause & MCAUSE_MPIL) >> MCAUSE_MPIL_SHIFT, expected_level);
	CHECK_EQ(irq_level_current(), expected_level);
	CHECK_EQ(frame->mcause & MCAUSE_MPP, MCAUSE_MPP);
	if (traps == 2U) {
		frame->x[REG_A0 + 1]++;
		if (raise_next != 0U) {
			irq_pending_set(raise_next, true);
		}
	}
	frame->mepc += 4U;
	return true;
}

static void play(uint32_t handler)
{
	uint32_t irq = A + (handler & 3U);

	irq_level_bits_set(3U);
	(void)irq_vector_set(irq, handlers[handler]);
	traps = 0U;
	expected_cause = causes[handler];
	expected_level = irq_level_get(irq);
	context_fill(0x9e370001U + (handler << 8));
	context_in.x[REG_S0] = fast_ip(irq);
	context_in.x[REG_S1] = 1U; /* also an address that faults, because 1 is in a hole */
	context_run(trap_code, false);
	CHECK_EQ(traps, 2U);
	CHECK_EQ(wrong, 0U);
	CHECK_CONTEXT(context_in);
}

/* Each handler raises the next source, and the deepest one causes an exception. */
static volatile uint32_t depth;

static void descend(void)
{
	depth++;
	if (depth < 6U) {
		clic_raise(A + depth);
	} else {
		__asm__ volatile(".option push\n\t.option norvc\n\tebreak\n\t.option pop"
				 :
				 :
				 : "memory");
	}
}

/* An interrupt that is taken as soon as the exception handler returns. */
static volatile uint32_t later;

static void count_later(void)
{
	later++;
}

int main(void)
{
	fast_begin();
	(void)trap_set_handler(trap_handler);
	for (uint32_t handler = 0; handler < HANDLERS; handler++) {
		play(handler);
	}
	(void)irq_vector_set(A + 7, count_later);
	raise_next = A + 7;
	for (uint32_t handler = 0; handler < HANDLERS; handler++) {
		play(handler);
		CHECK_EQ(later, handler + 1U);
	}
	raise_next = 0U;

	for (uint32_t i = 0; i < 6U; i++) {
		(void)irq_vector_set(A + i, descend);
	}
	traps = 0U;
	expected_cause = MCAUSE_BREAKPOINT;
	expected_level = irq_level_get(A + 5);
	context_fill(0x600df00dU);
	context_in.x[REG_S0] = fast_ip(A);
	context_in.x[REG_S1] = 1U;
	context_run(trap_code, false);
	CHECK_EQ(depth, 6U);
	CHECK_EQ(traps, 1U);
	CHECK_CONTEXT(context_in);
	return test_end();
}
