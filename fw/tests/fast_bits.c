/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: each bit of mcause and mepc that emret restores, of mtval after an interrupt, of the addresses of two lost
  frames
config: [mcu-fastirq, mcu-fastirq-shared]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "emit.h"
#include "fast_test.h"

/* Addresses without memory. Each bit but the lowest is 1 in one of them. */
static const uint32_t holes[] = {0xeaaaaaa0U, 0x55555550U};

static uint32_t illegal_mtval;

static bool bits_trap_handler(struct trap_frame *frame)
{
	if (TEST_CAUSE(frame->mcause) == MCAUSE_ILLEGAL_INSTRUCTION) {
		illegal_mtval = frame->mtval;
		trap_skip(frame);
		return true;
	}
	return fast_trap_handler(frame);
}

/* The handler's first instruction is illegal, so its exception directly follows the interrupt. */
void illegal_handler(void);
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	".globl illegal_handler\n"
	"illegal_handler:\n"
	"	.4byte 0xffffffff\n"
	"	emret\n");
/* clang-format on */

__attribute__((used, aligned(16))) static uint32_t frame[FRAME_SPACE];

/* emret with a frame that no interrupt has stored. Returns mcause after it. */
__attribute__((noinline)) static uint32_t cause_behind(uint32_t mcause)
{
	register uint32_t result __asm__("s1");

	frame[FRAME_MCAUSE] = mcause;
	__asm__ volatile("mv s1, sp\n\t"
			 "la sp, frame\n\t"
			 "la t0, 1f\n\t"
			 "sw t0, " FAST_TEXT(TRAPEZE_CALLER_COUNT) "*4(sp)\n\t"
								   "emret\n"
								   "1:	mv sp, s1\n\t"
								   "csrr s1, mcause"
			 : "=r"(result)
			 :
			 : TEST_CALL_CLOBBERS);
	return result;
}

static void causes(void)
{
	for (uint32_t bit = 0U; bit < 12U; bit++) {
		CHECK_EQ(cause_behind(MCAUSE_INTERRUPT | MCAUSE_MPP | (1U << bit)),
			 MCAUSE_INTERRUPT | MCAUSE_MPIE | (1U << bit));
	}
}

/* Code that makes a source pending and, after some nops, jumps to an address. */
static void jump(irq_vector_t handler, uint32_t nops, uint32_t target)
{
	(void)irq_vector_set(A, handler);
	emit_count = 0U;
	emit(0x00b50023U); /* sb a1, 0(a0) */
	emit_nops(nops);
	emit(0x00060067U); /* jr a2 */
	fetch_fence();
	context_fill(0x31415926U);
	context_in.x[REG_A0] = fast_ip(A);
	context_in.x[REG_A0 + 1] = 1U;
	context_in.x[REG_A0 + 2] = target;
	context_run(emitted, false);
	irq_pending_set(A, false);
}

/* Jumps into a hole, with the interrupt before the jump, and between the jump and the exception. The context is in a
 * bank. touch_handler returns by loading, so that the next context is in another bank.
 */
static void addresses(void)
{
	for (uint32_t i = 0U; i < 4U; i++) {
		uint32_t hole = holes[i >> 1];

		for (uint32_t nops = 0U; nops < 4U; nops++) {
			trap_resume = (uint32_t)context_end;
			jump(trash_handler, nops, hole);
			CHECK_TRAP(MCAUSE_FETCH_FAULT, hole, hole);
		}

		/* A is pending long before: mret, the interrupt and the handler's first instruction follow each other
		 * directly.
		 */
		(void)irq_vector_set(A, illegal_handler);
		clic_raise(A);
		trap_resume = (uint32_t)context_end;
		illegal_mtval = 0U;
		context_fill(0x27182818U);
		context_run((const void *)hole, false);
		CHECK_TRAP(MCAUSE_FETCH_FAULT, hole, hole);
		CHECK_EQ(illegal_mtval, 0xffffffffU);

		jump(touch_handler, 8U, (uint32_t)context_end);
		CHECK_CONTEXT(context_in);
	}
}

/* An interrupt whose frame's last word lies behind the end of a memory. Its handler moves sp into a hole and makes a
 * second interrupt pending, which goes to mtvec. No exception 24 comes before the emret there; then both come.
 */
__attribute__((used)) static volatile uint32_t lost[2];
__attribute__((used)) static uint32_t saved[2];
void lost_handler(void);
void lost_run(uint32_t sp, uint32_t pending, uint32_t next_pending, uint32_t hole);
extern const char lost_entry[];
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	".globl lost_run\n"
	"lost_run:\n"
	"	addi sp, sp, -48\n"
	"	sw ra, 0(sp)\n"
	"	.irp r, 8, 9, 18, 19, 20, 21, 22\n"
	"	sw x\\r, (4 * (\\r & 15))(sp)\n"
	"	.endr\n"
	"	la t0, saved\n"
	"	sw sp, 0(t0)\n"
	"	csrr t1, mtvec\n"
	"	sw t1, 4(t0)\n"
	"	la t1, lost_entry\n"
	"	csrw mtvec, t1\n"
	"	mv s0, a2\n"
	"	li s1, 1\n"
	"	mv s2, a3\n"
	"	li s3, 0\n"
	"	mv sp, a0\n"
	"	csrsi mstatus, 8\n"
	"	sb s1, 0(a1)\n"
	"1:	j 1b\n"
	".balign 4\n"
	".globl lost_handler\n"
	"lost_handler:\n"
	"	mv sp, s2\n"
	"	sb s1, 0(s0)\n"
	"1:	j 1b\n"
	".balign 64\n"
	".globl lost_entry\n"
	"lost_entry:\n"
	"	fast_nops 80\n"
	"	csrr t0, mcause\n"
	"	bltz t0, 2f\n"
	"	csrr t1, mtval\n"
	"	la t0, lost\n"
	"	add t0, t0, s3\n"
	"	sw t1, 0(t0)\n"
	"	addi s3, s3, 4\n"
	"	li t0, 8\n"
	"	beq s3, t0, 1f\n"
	"	mret\n"
	"2:	emret\n"
	"1:	la t0, saved\n"
	"	lw sp, 0(t0)\n"
	"	lw t1, 4(t0)\n"
	"	csrw mtvec, t1\n"
	"	lw ra, 0(sp)\n"
	"	.irp r, 8, 9, 18, 19, 20, 21, 22\n"
	"	lw x\\r, (4 * (\\r & 15))(sp)\n"
	"	.endr\n"
	"	addi sp, sp, 48\n"
	"	ret\n");
/* clang-format on */

static void two_lost(void)
{
	uint32_t end = (uint32_t)(TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE);

	(void)irq_vector_set(A, lost_handler);
	irq_vectored_set(B, false);
	for (uint32_t i = 0U; i < 2U; i++) {
		lost[0] = 0U;
		lost[1] = 0U;
		lost_run(end + FRAME_BYTES - (4U * FRAME_WORDS) + 4U, fast_ip(A), fast_ip(B),
			 holes[i]);
		CHECK_EQ(lost[0], end);
		CHECK_EQ(lost[1], holes[i] - FRAME_BYTES);
		irq_pending_set(B, false);
		level_become(0U);
	}
}

int main(void)
{
	fast_begin();
	(void)trap_set_handler(bits_trap_handler);
	causes();
	addresses();
	two_lost();
	CHECK_NO_TRAP();
	return test_end();
}
