/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a frame that reaches past the end of the address space and goes on at zero is like any other one
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-4banks]
banks: 2
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

/* An interrupt's frame lies where there is no memory, so it is lost. Its handler moves sp so that the frame of a second
 * interrupt, also lost, covers mepc and mcause of the first one. emret then has nowhere to take them from, even if a
 * bank still holds the first context.
 */
#define BESIDE 24

/* Addresses of the first frame: in a hole of the memory map, and such that all but its first words lie behind address
 * zero.
 */
static const uint32_t places[] = {HOLE + 0x1000U, 0xfffffff0U, 0xfffffffcU};

void around_run(uint32_t frame, uint32_t first, uint32_t second);
void first_handler(void);
void second_handler(void);
extern const char around_entry[], around_emret[];

__attribute__((used)) static uint32_t saved_sp[2]; /* sp, and mtvec */
__attribute__((used)) static uint32_t second_ip;
__attribute__((used)) static uint32_t hinted;
/* Number and mtval of the exceptions 24; mepc and mtval of the exception 25. */
__attribute__((used)) static volatile uint32_t lost_count;
__attribute__((used)) static volatile uint32_t lost_at[2];
__attribute__((used)) static volatile uint32_t load_fault[2];

/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	".globl around_run\n"
	"around_run:\n"
	"	addi sp, sp, -16\n"
	"	sw ra, 0(sp)\n"
	"	sw s0, 4(sp)\n"
	"	la t0, saved_sp\n"
	"	sw sp, 0(t0)\n"
	"	csrr t1, mtvec\n"
	"	sw t1, 4(t0)\n"
	"	la t0, second_ip\n"
	"	sw a2, 0(t0)\n"
	"	la t1, around_entry\n"
	"	csrw mtvec, t1\n"
	"	mv s0, a0\n"
	"	addi sp, s0, " FRAME_TEXT "\n"
	"	li t1, 1\n"
	"	csrsi mstatus, 8\n"
	"	sb t1, 0(a1)\n"
	"	lbu t1, 0(a1)\n"
	"	fast_nops 40\n"
	/* Returns to level 0, with interrupts disabled, from any level. */
	"around_leave:\n"
	"	la t0, 1f\n"
	"	li t1, 0x30000000\n"
	"	csrci mstatus, 8\n"
	"	csrw mepc, t0\n"
	"	csrw mcause, t1\n"
	"	mret\n"
	"1:\n"
	"	la t0, saved_sp\n"
	"	lw sp, 0(t0)\n"
	"	lw t1, 4(t0)\n"
	"	csrw mtvec, t1\n"
	"	lw ra, 0(sp)\n"
	"	lw s0, 4(sp)\n"
	"	addi sp, sp, 16\n"
	"	ret\n"

	".balign 4\n"
	".globl first_handler\n"
	"first_handler:\n"
	"	fast_nops 100\n"
	"	addi sp, s0, " FRAME_TEXT " + " FAST_TEXT(BESIDE) "\n"
	"	la t0, second_ip\n"
	"	lw t0, 0(t0)\n"
	"	li t1, 1\n"
	"	csrsi mstatus, 8\n"
	"	sb t1, 0(t0)\n"
	"	lbu t1, 0(t0)\n"
	"	fast_nops 8\n"
	"	csrci mstatus, 8\n"
	"	mv sp, s0\n"
	"	la t0, hinted\n"
	"	lw t0, 0(t0)\n"
	"	beqz t0, around_emret\n"
	"	csrw " FAST_TEXT(CSR_MFRAME) ", sp\n"
	"	fast_nops 60\n"
	".globl around_emret\n"
	"around_emret:\n"
	"	emret\n"

	".balign 4\n"
	".globl second_handler\n"
	"second_handler:\n"
	"	fast_nops 100\n"
	"	emret\n"

	/* Exceptions can come between any two instructions. Those of lost frames are counted; any other one ends the
	 * run.
	 */
	".balign 64\n"
	".globl around_entry\n"
	"around_entry:\n"
	"	csrw mscratch, t0\n"
	"	csrr t0, mcause\n"
	"	slli t0, t0, 20\n"
	"	srli t0, t0, 20\n"
	"	addi t0, t0, -24\n"
	"	bnez t0, 1f\n"
	"	la t0, saved_sp\n"
	"	lw t0, 0(t0)\n"
	"	sw t1, -4(t0)\n"
	"	sw t2, -8(t0)\n"
	"	la t1, lost_count\n"
	"	lw t0, 0(t1)\n"
	"	addi t0, t0, 1\n"
	"	sw t0, 0(t1)\n"
	"	andi t0, t0, 1\n"
	"	xori t0, t0, 1\n"
	"	slli t0, t0, 2\n"
	"	la t1, lost_at\n"
	"	add t1, t1, t0\n"
	"	csrr t2, mtval\n"
	"	sw t2, 0(t1)\n"
	"	la t0, saved_sp\n"
	"	lw t0, 0(t0)\n"
	"	lw t2, -8(t0)\n"
	"	lw t1, -4(t0)\n"
	"	csrr t0, mscratch\n"
	"	mret\n"
	"1:	addi t0, t0, -1\n"
	"	bnez t0, around_leave\n"
	"	la t0, load_fault\n"
	"	csrr t1, mepc\n"
	"	sw t1, 0(t0)\n"
	"	csrr t1, mtval\n"
	"	sw t1, 4(t0)\n"
	"	j around_leave\n");
/* clang-format on */

int main(void)
{
	fast_begin();
	csr_write(CSR_MFASTIRQ, (uint32_t)__irq_fast_return | MFASTIRQ_ENABLE);
	(void)irq_vector_set(A, first_handler);
	(void)irq_vector_set(A + 1U, second_handler);
	for (uint32_t i = 0U; i < 2U * (sizeof(places) / sizeof(places[0])); i++) {
		uint32_t place = places[i / 2U];

		hinted = i & 1U;
		lost_count = 0U;
		load_fault[0] = 0U;
		around_run(place, fast_ip(A), fast_ip(A + 1U));
		CHECK_EQ(lost_count, 2U);
		CHECK(lost_at[0] - place < 4U * FRAME_WORDS);
		CHECK(lost_at[1] - place - (uint32_t)BESIDE < 4U * FRAME_WORDS);
		CHECK_EQ(load_fault[0], (uint32_t)around_emret);
		CHECK_EQ(load_fault[1], place + (4U * FRAME_MCAUSE));
	}
	CHECK_NO_TRAP();
	return test_end();
}
