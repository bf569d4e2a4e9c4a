/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: exception 24 waits while it would destroy mepc or mcause, and comes once for each frame, after any number of
  cycles
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace, mcu-fastirq-shared]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

/* Entries to mtvec, in order. More than MOST mean that the run has gone wrong. */
#define MOST 8
struct entry {
	uint32_t mcause;
	uint32_t mepc;
	uint32_t mtval;
};
__attribute__((used)) static volatile struct entry entries[MOST];
__attribute__((used)) static volatile uint32_t entry_count;
__attribute__((used)) static volatile uint32_t store_count; /* how many of them are exceptions 24 */
__attribute__((used)) static uint32_t saved_sp[2];          /* sp, and mtvec */

/* Values of sp: in a hole of the memory map, and above the end of a memory, so that the first words of the frame can be
 * stored and the fault comes later.
 */
#define MEMORY_END ((uint32_t)(TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE))
static const uint32_t places[] = {HOLE + 0x1000U, MEMORY_END + FRAME_BYTES - 16U,
				  MEMORY_END + FRAME_BYTES - 32U,
				  MEMORY_END + FRAME_BYTES - (4U * FRAME_WORDS) + 4U};

void lost_run(uint32_t sp, uint32_t pending);
void call_handler(void);
void return_handler(void);
void open_handler(void);
extern const char lost_entry[], direct_emret[], open_here[], open_here_end[];
extern const char call_handler_ecall[], open_handler_ecall[];
extern const char return_handler_tail[], return_handler_mret[], return_target[];

/* Number of rounds of a loop at the beginning of each handler, before the part that is tested. */
__attribute__((used)) static uint32_t distance;

/* clang-format off */
__asm__(".text\n"
	".macro lost_distance\n"
	"	la t0, distance\n"
	"	lw t0, 0(t0)\n"
	"1:	addi t0, t0, -1\n"
	"	bgez t0, 1b\n"
	".endm\n"
	/* Waits until an exception 24 has come, but not for ever. */
	".macro lost_wait\n"
	"	li t0, 1000\n"
	"	la t1, store_count\n"
	"1:	addi t0, t0, -1\n"
	"	beqz t0, 2f\n"
	"	lw t2, 0(t1)\n"
	"	beqz t2, 1b\n"
	"2:	fast_nops 30\n"
	".endm\n"

	/* Runs with a sp that has no memory, makes an interrupt pending, and waits for all exceptions. */
	".balign 4\n"
	".globl lost_run\n"
	"lost_run:\n"
	"	addi sp, sp, -16\n"
	"	sw ra, 0(sp)\n"
	"	sw s0, 4(sp)\n"
	"	sw s1, 8(sp)\n"
	"	la t0, saved_sp\n"
	"	sw sp, 0(t0)\n"
	"	csrr t1, mtvec\n"
	"	sw t1, 4(t0)\n"
	"	la t1, lost_entry\n"
	"	csrw mtvec, t1\n"
	"	mv sp, a0\n"
	"	li t1, 1\n"
	"	csrsi mstatus, 8\n"
	"	sb t1, 0(a1)\n"
	"	lbu t1, 0(a1)\n"
	".globl return_target\n"
	"return_target:\n"
	"	lost_wait\n"
	"lost_leave:\n"
	"	csrci mstatus, 8\n"
	"	la t0, saved_sp\n"
	"	lw sp, 0(t0)\n"
	"	lw t1, 4(t0)\n"
	"	csrw mtvec, t1\n"
	"	lw ra, 0(sp)\n"
	"	lw s0, 4(sp)\n"
	"	lw s1, 8(sp)\n"
	"	addi sp, sp, 16\n"
	"	ret\n"

	/* Entry for mtvec. The frame is known to be lost before it reads mcause. It keeps t0 to t2, with which handlers
	 * count, and changes the other caller-saved registers.
	 */
	".balign 64\n"
	".globl lost_entry\n"
	"lost_entry:\n"
	"	fast_nops 80\n"
	"	csrr a0, mcause\n"
	"	csrr a1, mepc\n"
	"	csrr a2, mtval\n"
	"	la a3, entry_count\n"
	"	lw a4, 0(a3)\n"
	"	addi a5, a4, 1\n"
	"	sw a5, 0(a3)\n"
	"	addi a5, a5, -" FAST_TEXT(MOST) "\n"
	"	bgez a5, lost_leave\n"
	"	la a5, entries\n"
	"	slli a3, a4, 3\n"
	"	add a5, a5, a3\n"
	"	slli a3, a4, 2\n"
	"	add a5, a5, a3\n"
	"	sw a0, 0(a5)\n"
	"	sw a1, 4(a5)\n"
	"	sw a2, 8(a5)\n"
	"	bltz a0, direct\n"
	"	andi a3, a0, 31\n"
	"	addi a3, a3, -24\n"
	"	beqz a3, 1f\n"
	"	la a3, open_handler_ecall\n"
	"	addi a4, a1, 4\n"
	"	bne a1, a3, 2f\n"
	/* Between these labels interrupts are enabled and mepc has been read, so an exception may come. */
	"	mv s0, a0\n"
	"	mv s1, a4\n"
	"	csrsi mstatus, 8\n"
	".globl open_here\n"
	"open_here:\n"
	"	fast_nops 4\n"
	".globl open_here_end\n"
	"open_here_end:\n"
	"	csrci mstatus, 8\n"
	"	mv a4, s1\n"
	"	csrw mcause, s0\n"
	"2:	csrw mepc, a4\n"
	"	fast_nops 20\n"
	"	mret\n"
	"1:	la a3, store_count\n"
	"	lw a4, 0(a3)\n"
	"	addi a4, a4, 1\n"
	"	sw a4, 0(a3)\n"
	"	csrw mepc, a1\n"
	"	mret\n"
	"direct:\n"
	"	slli a0, a0, 20\n"
	"	srli a0, a0, 18\n"
	"	li a3, " FAST_TEXT(TRAPEZE_CLIC_BASE) " + " FAST_TEXT(TRAPEZE_CLIC_IRQ_IP_OFFSET) "\n"
	"	add a0, a0, a3\n"
	"	sb x0, 0(a0)\n"
	"	lbu a0, 0(a0)\n"
	"	fast_nops 8\n"
	".globl direct_emret\n"
	"direct_emret:\n"
	"	emret\n"

	".balign 4\n"
	".globl call_handler\n"
	"call_handler:\n"
	"	lost_distance\n"
	"call_handler_ecall:\n"
	"	ecall\n"
	"	lost_wait\n"
	"	j lost_return\n"

	".balign 4\n"
	".globl open_handler\n"
	"open_handler:\n"
	"	lost_distance\n"
	"open_handler_ecall:\n"
	"	ecall\n"
	"	lost_wait\n"
	"	j lost_return\n"

	/* Returns as software without frames does. Only the context of lost_run() is restored. */
	".balign 4\n"
	".globl return_handler\n"
	"return_handler:\n"
	"	lost_distance\n"
	"lost_return:\n"
	"	la t0, return_target\n"
	"	li t1, 0x38000000\n" /* to machine mode at level 0, with interrupts on */
	"	csrw mepc, t0\n"
	"return_handler_tail:\n"
	"	csrw mcause, t1\n"
	"	fast_nops 80\n"
	"return_handler_mret:\n"
	"	mret\n");
/* clang-format on */

static bool between(uint32_t value, const char *from, const char *to)
{
	return value >= (uint32_t)from && value <= (uint32_t)to;
}

/**
 * Runs an interrupt whose frame is lost. Checks that exception 24 came once, and never while the code at mtvec was not
 * ready for it.
 * @return mepc of exception 24
 */
static uint32_t play(uint32_t irq, uint32_t sp, uint32_t before, uint32_t calls)
{
	uint32_t seen_stores = 0U;
	uint32_t seen_calls = 0U;
	uint32_t mepc = 0U;

	distance = before;
	entry_count = 0U;
	store_count = 0U;
	lost_run(sp, fast_ip(irq));
	CHECK(entry_count < (uint32_t)MOST);
	for (uint32_t i = 0U; i < entry_count && i < (uint32_t)MOST; i++) {
		uint32_t cause = entries[i].mcause & (MCAUSE_INTERRUPT | MCAUSE_CODE);

		if (cause == MCAUSE_FRAME_STORE_FAULT) {
			seen_stores++;
			mepc = entries[i].mepc;
			CHECK(entries[i].mtval >= sp - FRAME_BYTES && entries[i].mtval < sp);
			CHECK(!between(mepc, lost_entry, direct_emret) ||
			      mepc == (uint32_t)direct_emret ||
			      between(mepc, open_here, open_here_end));
		} else if (cause == MCAUSE_ECALL_M) {
			seen_calls++;
			CHECK(entries[i].mepc == (uint32_t)call_handler_ecall ||
			      entries[i].mepc == (uint32_t)open_handler_ecall);
		} else {
			CHECK_EQ(cause, MCAUSE_INTERRUPT | irq);
		}
	}
	CHECK_EQ(seen_stores, 1U);
	CHECK_EQ(seen_calls, calls);
	return mepc;
}

int main(void)
{
	fast_begin();
	csr_write(CSR_MFASTIRQ, (uint32_t)__irq_fast_return | MFASTIRQ_ENABLE);
	(void)irq_vector_set(A, call_handler);
	(void)irq_vector_set(B, return_handler);
	(void)irq_vector_set(C, open_handler);
	irq_vectored_set(D, false);
	for (uint32_t i = 0U; i < sizeof(places) / sizeof(places[0]); i++) {
		for (uint32_t before = 0U; before < 12U; before++) {
			(void)play(A, places[i], before, 1U);
			uint32_t mepc = play(B, places[i], before, 0U);

			CHECK(!between(mepc, return_handler_tail, return_handler_mret));
			(void)play(C, places[i], before, 1U);
		}
#if TRAPEZE_IRQ_FAST_BANKS > 0
		/* (Without a spare bank the context is lost together with the frame.) */
		CHECK_EQ(play(D, places[i], 0U, 0U), direct_emret);
#endif
	}
	CHECK_NO_TRAP();
	return test_end();
}
