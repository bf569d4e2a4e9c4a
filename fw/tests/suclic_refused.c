/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: user mode gets no interrupt if it may not store a word of the frame, if the frame would reach across address
  0, or if it may not fetch the table entry; rows written after the entry count for euret
config: [mcu-user, mcu-user-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "suclic_test.h"

#ifdef __riscv_32e
#define WORDS 12U
#define BYTES 48U
#else
#define WORDS 18U
#define BYTES 80U
#endif

static volatile uint32_t stack[64] __attribute__((aligned(256)));
#define TOP   ((uint32_t)&stack[48])
#define BASE  (TOP - BYTES)
#define EMPTY 0xdeadbeefU

/* The exception, and user mode's registers at that time. */
static volatile uint32_t faults;
static volatile struct trap_record fault;
static volatile uint32_t fault_ucause;
static volatile uint32_t fault_uil;
static volatile uint32_t fault_ustatus;
static volatile uint32_t fault_pending;
static uint32_t calls;
static uint32_t row_of_call;

void refused_code(void);
void calling_handler(void);
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"refused_code:\n"
	"	mv a4, sp\n"
	"	la a5, refused_sp\n"
	"	lw sp, 0(a5)\n"
	"	la a5, refused_source\n"
	"	lw a5, 0(a5)\n"
	"	li a3, 1\n"
	"	csrsi 0x000, 1\n"
	"	sb a3, 0(a5)\n"
	"	nop\n"
	"	nop\n"
	"	addi a3, a3, 1\n"
	"	addi a3, a3, 1\n"
	"	addi a3, a3, 1\n"
	"	addi a3, a3, 1\n"
	"	addi a3, a3, 1\n"
	"	addi a3, a3, 1\n"
	"	addi a3, a3, 1\n"
	"	csrci 0x000, 1\n"
	"	la a5, refused_sum\n"
	"	sw a3, 0(a5)\n"
	"	mv sp, a4\n"
	"	ret\n"
	/* Calls machine mode, which writes rows, and returns. */
	".balign 4\n"
	"calling_handler:\n"
	"	ecall\n"
	"	" TRAPEZE_EURET "\n");
/* clang-format on */
__attribute__((used)) static uint32_t refused_sp;
__attribute__((used)) static uint32_t refused_source;
__attribute__((used)) static volatile uint32_t refused_sum;

static bool trap_here(struct trap_frame *frame)
{
	uint32_t cause = TEST_CAUSE(frame->mcause);

	if (cause == MCAUSE_ECALL_U && frame->mepc != test_user_exit) {
		calls++;
		csr_write(CSR_PMPCFG0, row_of_call);
		trap_skip(frame);
		return true;
	}
	if (cause != MCAUSE_FRAME_STORE_FAULT && cause != MCAUSE_FRAME_LOAD_FAULT &&
	    cause != MCAUSE_FETCH_FAULT) {
		return test_trap_handler(frame);
	}
	faults++;
	fault.mcause = cause;
	fault.mcause_all = frame->mcause;
	fault.mepc = frame->mepc;
	fault.mtval = frame->mtval;
	fault_ucause = csr_read(CSR_UCAUSE);
	fault_uil = csr_read(CSR_UINTSTATUS);
	fault_ustatus = csr_read(CSR_USTATUS);
	fault_pending = irq_is_pending(A);
	csr_write(CSR_PMPCFG0, 0U);
	if (refused_sp < BYTES) {
		frame->mstatus &= ~(uint32_t)USTATUS_UIE; /* it would be refused again */
	}
	return true;
}

static void play(uint32_t addr, uint32_t cfg, uint32_t sp)
{
	suclic_begin(true);
	(void)trap_set_handler(trap_here);
	for (uint32_t k = 0U; k < 64U; k++) {
		stack[k] = EMPTY;
	}
	faults = 0U;
	calls = 0U;
	refused_sp = sp;
	refused_source = (uint32_t)&USER_SOURCE(A);
	csr_write(CSR_UCAUSE, 0x123U);
	csr_write(CSR_PMPADDR0, addr);
	csr_write(CSR_PMPCFG0, cfg);
	user_call(refused_code);
	csr_write(CSR_PMPCFG0, 0U);
	CHECK_EQ(refused_sum, 8U);
	CHECK_EQ(found_count, calls == 0U && sp >= BYTES ? 1U : 0U);
}

int main(void)
{
	/* Each word of the frame, and the two words beside it. */
	for (uint32_t k = 0U; k < WORDS + 2U; k++) {
		uint32_t at = BASE + 4U * k - 4U;
		bool inside = k != 0U && k != WORDS + 1U;

		play(at >> 2, ROW_NA4 | (k & 1U ? ROW_R : 0U), TOP);
		CHECK_EQ(faults, inside ? 1U : 0U);
		if (inside) {
			CHECK_EQ(fault.mcause, MCAUSE_FRAME_STORE_FAULT);
			CHECK_EQ(fault.mcause_all & (MCAUSE_MPP | MCAUSE_MINHV), 0U);
			CHECK_EQ(fault.mtval, BASE);
			CHECK_EQ(fault.mepc, found[0].uepc); /* where it was taken before */
			CHECK_EQ(fault_ucause, 0x123U);
			CHECK_EQ(fault_uil, 0U);
			CHECK_EQ(fault_ustatus, USTATUS_UIE);
			CHECK_EQ(fault_pending, 1U);
		}
	}

	/* A frame that would reach across address 0, where all memory may be written. */
	for (uint32_t sp = 0U; sp < BYTES; sp += BYTES - 16U) {
		play(0U, 0U, sp);
		CHECK_EQ(faults, 1U);
		CHECK_EQ(fault.mcause, MCAUSE_FRAME_STORE_FAULT);
		CHECK_EQ(fault.mtval, sp - BYTES);
		CHECK_EQ(fault_pending, 1U);
	}

	/* The table. */
	csr_write(CSR_PMPCFG0, 0U);
	play(NAPOT((uint32_t)user_table, 256U), ROW_NAPOT | ROW_R | ROW_W, TOP);
	CHECK_EQ(faults, 1U);
	CHECK_EQ(fault.mcause, MCAUSE_FETCH_FAULT);
	CHECK_EQ(fault.mcause_all & (MCAUSE_MPP | MCAUSE_MINHV), MCAUSE_MINHV);
	CHECK_EQ(fault.mepc, (uint32_t)&user_table[A]);
	CHECK_EQ(fault.mtval, (uint32_t)&user_table[A]);
	CHECK_EQ(fault_uil, LEVEL_1);
	CHECK_EQ(fault_pending, 0U);

	/* A row that machine mode writes during the handler decides whether euret may load the frame, even if a bank
	 * holds it.
	 */
	for (uint32_t k = 0U; k < 2U; k++) {
		suclic_begin(true);
		(void)trap_set_handler(trap_here);
		faults = 0U;
		calls = 0U;
		stack[(BASE - (uint32_t)stack) / 4U + WORDS - 1U] = EMPTY;
		refused_source = (uint32_t)&USER_SOURCE(A);
		refused_sp = TOP;
		user_table[A] = (uint32_t)calling_handler;
		csr_write(CSR_PMPADDR0, NAPOT((uint32_t)stack, 256U));
		csr_write(CSR_PMPCFG0, 0U);
		row_of_call = ROW_NAPOT | (k == 0U ? 0U : ROW_R);
		user_call(refused_code);
		csr_write(CSR_PMPCFG0, 0U);
		CHECK_EQ(calls, 1U);
		CHECK_EQ(refused_sum, 8U);
		CHECK_EQ(faults, 1U - k);
		/* The write to the rows has waited until the frame was stored. */
		CHECK_EQ(stack[(BASE - (uint32_t)stack) / 4U + WORDS - 1U],
			 UCAUSE_INTERRUPT | UCAUSE_UPIE | A);
		if (k == 0U) {
			CHECK_EQ(fault.mcause, MCAUSE_FRAME_LOAD_FAULT);
			CHECK_EQ(fault.mepc, (uint32_t)calling_handler + 4U);
			CHECK(fault.mtval - BASE < 4U * WORDS);
			CHECK_EQ(fault_ucause & UCAUSE_CODE, A);
			CHECK_EQ(fault_uil, LEVEL_1);
		}
	}
	CHECK_NO_TRAP();
	return test_end();
}
