/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: exception 24 does not wait in a handler of user mode, not even at utvec, whether an interrupt or an euret has
  entered it, because user mode has nothing in mepc and mcause
config: [mcu-user, mcu-user-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include <trapeze/irq_fast.h>

#include "suclic_test.h"

/* Values of sp: in a hole of the memory map, and above the end of a memory, so that some words can be stored. */
#define MEMORY_END  ((uint32_t)(TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE))
#define FRAME_BYTES ((uint32_t)sizeof(struct irq_fast_frame))
#define FRAME_WORDS (TRAPEZE_CALLER_COUNT + 2U)
static const uint32_t places[] = {0x90001000U, MEMORY_END + FRAME_BYTES - 16U,
				  MEMORY_END + FRAME_BYTES - (4U * FRAME_WORDS) + 4U};

/* Most instructions before the first handler's euret. */
#define DISTANCES 8U

__attribute__((used)) static uint32_t lost_sp;
__attribute__((used)) static uint32_t lost_sources[2]; /* where to store 1, to raise them */
static volatile uint32_t faults;
static volatile uint32_t fault_mepc;

void lost_run(void);
void lost_direct(void);
extern const char lost_leave[], lost_direct_euret[], lost_first_euret[];

/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"lost_run:\n"
	"	mv s0, sp\n"
	"	mv s1, ra\n"
	"	la a5, lost_sources\n"
	"	lw a3, 0(a5)\n"
	"	lw a4, 4(a5)\n"
	"	la a5, lost_sp\n"
	"	lw sp, 0(a5)\n"
	"	li a5, 1\n"
	"	sb a5, 0(a3)\n"
	"	sb a5, 0(a4)\n"
	"	lbu a5, 0(a4)\n"
	"	csrsi 0x000, 1\n"
	"	.rept 300\n"
	"	nop\n"
	"	.endr\n"
	/* Returns at level 0, with interrupts disabled. */
	"lost_leave:\n"
	"	csrwi 0x000, 0\n"
	"	csrwi 0x042, 0\n"
	"	la a5, 1f\n"
	"	csrw 0x041, a5\n"
	"	" TRAPEZE_URET "\n"
	"1:	mv sp, s0\n"
	"	mv ra, s1\n"
	"	ret\n"
	/* At utvec. */
	"	.balign 64\n"
	"lost_direct:\n"
	"	.rept 200\n"
	"	nop\n"
	"	.endr\n"
	"lost_direct_euret:\n"
	"	" TRAPEZE_EURET "\n"
	/* The vectored handler whose euret goes on to utvec. */
	"	.balign 4\n"
	"	.option push\n"
	"	.option norvc\n"
	"	.rept 8\n"
	"	nop\n"
	"	.endr\n"
	"	.option pop\n"
	"lost_first_euret:\n"
	"	" TRAPEZE_EURET "\n");
/* clang-format on */

static bool trap_here(struct trap_frame *frame)
{
	if (TEST_CAUSE(frame->mcause) != MCAUSE_FRAME_STORE_FAULT) {
		return test_trap_handler(frame);
	}
	faults++;
	fault_mepc = frame->mepc;
	irq_pending_set(A, false);
	frame->mepc = (uint32_t)lost_leave;
	return true;
}

/* Raises `first` and A, which goes to utvec. Returns whether exception 24 came in the handler there. */
static bool play(uint32_t first, uint32_t sp)
{
	lost_sources[0] = (uint32_t)&USER_SOURCE(first);
	lost_sources[1] = (uint32_t)&USER_SOURCE(A);
	lost_sp = sp;
	faults = 0U;
	csr_clear(CSR_MSTATUS, MSTATUS_MPIE); /* MIE set would end the waiting */
	user_call(lost_run);
	CHECK_EQ(faults, 1U);
	CHECK(fault_mepc != (uint32_t)lost_direct_euret);
	return fault_mepc >= (uint32_t)lost_direct && fault_mepc < (uint32_t)lost_direct_euret;
}

int main(void)
{
	uint32_t behind_euret = 0U;

	suclic_begin(true);
	(void)trap_set_handler(trap_here);
	csr_write(CSR_UFASTIRQ, UFASTIRQ_ENABLE);
	csr_write(CSR_UTVEC, (uint32_t)lost_direct);
	irq_vectored_set(A, false);
	for (uint32_t i = 0U; i < sizeof(places) / sizeof(places[0]); i++) {
		CHECK(play(A, places[i]));
		for (uint32_t before = 0U; before <= DISTANCES; before++) {
			user_table[D] = (uint32_t)lost_first_euret - (4U * before);
			behind_euret += play(D, places[i]) ? 1U : 0U;
		}
	}
	CHECK(behind_euret != 0U);
	CHECK_NO_TRAP();
	return test_end();
}
