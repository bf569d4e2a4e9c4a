/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a handler of user mode, and the frames of such handlers, show nothing of what machine mode left in the banks
  of registers
config: [mcu-user, mcu-user-e]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "suclic_test.h"

#define SECRET 0x5ec2e700U
#ifdef __riscv_32e
#define REGISTERS 9U
#else
#define REGISTERS 15U
#endif

static volatile uint32_t secrets; /* seen by user mode */
static volatile uint32_t looks;

/* Machine mode's handler leaves the secret in each register that a bank has. */
static void secretive(void *arg)
{
	(void)arg;
	machine_count++;
	__asm__ volatile("li t0, %0\n\t"
			 "mv t1, t0\n\t"
			 "mv t2, t0\n\t"
			 "mv a0, t0\n\t"
			 "mv a1, t0\n\t"
			 "mv a2, t0\n\t"
			 "mv a3, t0\n\t"
			 "mv a4, t0\n\t"
			 "mv a5, t0\n\t"
#ifndef __riscv_32e
			 "mv a6, t0\n\t"
			 "mv a7, t0\n\t"
			 "mv t3, t0\n\t"
			 "mv t4, t0\n\t"
			 "mv t5, t0\n\t"
			 "mv t6, t0"
#endif
			 :
			 : "i"(SECRET)
			 : TEST_CALL_CLOBBERS);
}

/* Records all registers before it writes any. Its frame is that of the interrupted program or handler. */
/* clang-format off */
void looking_handler(void);
__asm__(".text\n"
	".balign 4\n"
	"looking_handler:\n"
	"	addi sp, sp, -64\n"
	"	sw t0, 0(sp)\n"
	"	sw t1, 4(sp)\n"
	"	sw t2, 8(sp)\n"
	"	sw a0, 12(sp)\n"
	"	sw a1, 16(sp)\n"
	"	sw a2, 20(sp)\n"
	"	sw a3, 24(sp)\n"
	"	sw a4, 28(sp)\n"
	"	sw a5, 32(sp)\n"
#ifndef __riscv_32e
	"	sw a6, 36(sp)\n"
	"	sw a7, 40(sp)\n"
	"	sw t3, 44(sp)\n"
	"	sw t4, 48(sp)\n"
	"	sw t5, 52(sp)\n"
	"	sw t6, 56(sp)\n"
#endif
	"	mv a0, sp\n"
	"	csrr a1, 0x042\n"
	"	call look\n"
	"	addi sp, sp, 64\n"
	"	" TRAPEZE_EURET "\n"
	/* Is interrupted before it has written a register, so its frame gets the values of the bank. */
	".balign 4\n"
	"waiting_handler:\n"
	"	nop\n	nop\n	nop\n	nop\n	nop\n	nop\n	nop\n	nop\n"
	"	" TRAPEZE_EURET "\n");
/* clang-format on */
void waiting_handler(void);

__attribute__((used)) static void look(const uint32_t *seen, uint32_t ucause)
{
	/* Behind the recorded registers stands the frame of the interrupted code. */
	const uint32_t *frame = &seen[16];

	looks++;
	for (unsigned int k = 0; k < REGISTERS; k++) {
		secrets += (seen[k] == SECRET) ? 1U : 0U;
		secrets += (frame[1U + k] == SECRET) ? 1U : 0U;
	}
	/* The same with the next bank: machine mode leaves its secret there, then user mode looks. */
	if ((ucause & UCAUSE_CODE) == A) {
		irq_pending_set(D + 1U, true);
		settle();
		user_raise(B);
	}
}

static void program(void)
{
	csr_set(CSR_USTATUS, USTATUS_UIE);
	for (unsigned int round = 0; round < 4U; round++) {
		irq_pending_set(D + 1U, true);
		settle();
		user_raise(A);
		/* C's handler is interrupted by D, whose level is higher. D's frame has the registers of a bank that no
		 * code has written.
		 */
		irq_pending_set(D + 1U, true);
		settle();
		csr_clear(CSR_USTATUS, USTATUS_UIE);
		USER_SOURCE(C) = USER_SOURCE(C) | 1U;
		csr_set(CSR_USTATUS, USTATUS_UIE);
		USER_SOURCE(D) = USER_SOURCE(D) | 1U;
		settle();
	}
	csr_clear(CSR_USTATUS, USTATUS_UIE);
}

int main(void)
{
	suclic_begin(true);
	(void)irq_connect(D + 1U, secretive, NULL);
	*irq_register(D + 1U, TRAPEZE_CLIC_IRQ_ATTR_OFFSET) = 0xc3U;
	for (unsigned int irq = A; irq <= D; irq++) {
		user_table[irq] = (uint32_t)(irq == C ? waiting_handler : looking_handler);
	}
	user_call(program);
	CHECK_EQ(machine_count, 12U);
	CHECK(looks >= 12U);
	CHECK_EQ(secrets, 0U);
	CHECK_NO_TRAP();
	return test_end();
}
