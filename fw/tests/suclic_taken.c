/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: user mode takes its interrupts by level and threshold, nested, with and without fastirq; machine mode
  preempts it and can hold them back
config: [mcu-user, mcu-user-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "suclic_test.h"

static bool fast;

/* Runs in user mode. */
static void program(void)
{
	/* With interrupts disabled A stays pending; with interrupts enabled it comes at once. */
	user_raise(A);
	CHECK_EQ(found_count, 0U);
	CHECK_EQ(USER_SOURCE(A) & 1U, 1U);
	csr_set(CSR_USTATUS, USTATUS_UIE);
	settle();
	CHECK_EQ(found_count, 1U);
	CHECK_EQ(found[0].ucause, UCAUSE_INTERRUPT | UCAUSE_UPIE | A);
	CHECK_EQ(found[0].uil, LEVEL_1);
	CHECK_EQ(csr_read(CSR_UINTSTATUS), 0U);
	CHECK_EQ(csr_read(CSR_USTATUS), USTATUS_UIE | USTATUS_UPIE);
	CHECK_EQ(USER_SOURCE(A) & 1U, 0U);

	/* A higher level interrupts the handler; an equal or lower one waits for its end. */
	raise_in_handler = C;
	user_raise(A);
	CHECK_EQ(found_count, 3U);
	CHECK_EQ(found[1].ucause & UCAUSE_CODE, A);
	CHECK_EQ(found[2].ucause,
		 UCAUSE_INTERRUPT | UCAUSE_UPIE | ((uint32_t)LEVEL_1 << UCAUSE_UPIL_SHIFT) | C);
	CHECK_EQ(found[2].uil, LEVEL_3);
	CHECK(found[2].sp < found[1].sp);
	CHECK_EQ(csr_read(CSR_UINTSTATUS), 0U);
	raise_in_handler = 0U;

	/* The threshold holds interrupts back. */
	csr_write(CSR_UINTTHRESH, LEVEL_2);
	user_raise(B);
	CHECK_EQ(found_count, 3U);
	user_raise(C);
	CHECK_EQ(found_count, 4U);
	csr_write(CSR_UINTTHRESH, 0U);
	settle();
	CHECK_EQ(found_count, 5U);
	CHECK_EQ(found[4].ucause & UCAUSE_CODE, B);

	/* User mode cannot access sources of machine mode. */
	USER_SOURCE(D + 1U) = SOURCE_WORD(1U, 255U);
	settle();
	CHECK_EQ(USER_SOURCE(D + 1U), 0U);
	CHECK_EQ(machine_count, 0U);
	CHECK_EQ(USER_SETTING, UNLBITS(2U));

	/* Not vectored: the interrupt goes to utvec, and unxti claims it. */
	USER_SOURCE(B) = SOURCE_WORD(0U, LEVEL_2) & ~0x00010000U;
	csr_clear(CSR_USTATUS, USTATUS_UIE);
	user_raise(B);
	if (!fast) {
		csr_set(CSR_USTATUS, USTATUS_UIE);
		settle();
		CHECK_EQ(user_direct_count, 1U);
		CHECK_EQ(user_claimed, csr_read(CSR_UTVT) + 4U * B);
		CHECK_EQ(USER_SOURCE(B) & 1U, 0U);
	} else {
		CHECK_EQ(csr_read(CSR_UNXTI), csr_read(CSR_UTVT) + 4U * B);
		CHECK_EQ(csr_read_clear(CSR_UNXTI, 1U), csr_read(CSR_UTVT) + 4U * B);
		CHECK_EQ(csr_read(CSR_UINTSTATUS), LEVEL_2);
		CHECK_EQ(csr_read(CSR_UCAUSE) & UCAUSE_CODE, B);
		CHECK_EQ(USER_SOURCE(B) & 1U, 0U);
	}
	USER_SOURCE(B) = SOURCE_WORD(0U, LEVEL_2);
	csr_clear(CSR_USTATUS, USTATUS_UIE);
}

/* Sets the level of user mode to 0, by uret from machine mode. */
static void uil_zero(void)
{
	__asm__ volatile("la t0, test_user_exit\n\t"
			 "la t1, 1f\n\t"
			 "sw t1, (t0)\n\t"
			 "csrw 0x041, t1\n\t"
			 "la t0, test_user_resume\n\t"
			 "la t1, 2f\n\t"
			 "sw t1, (t0)\n\t"
			 "csrw 0x042, zero\n\t"
			 "csrci 0x000, 1\n\t" TRAPEZE_URET "\n"
			 "1:\n\t"
			 "ecall\n"
			 "2:"
			 :
			 :
			 : TEST_CALL_CLOBBERS);
}

static void preempted(void)
{
	csr_set(CSR_USTATUS, USTATUS_UIE);
	user_raise(A);
	csr_clear(CSR_USTATUS, USTATUS_UIE);
}

static void play(bool on)
{
	fast = on;
	suclic_begin(on);
	user_direct_count = 0U;
	CHECK_EQ(csr_read(CSR_MISA) & (1U << 13), 1U << 13);
	user_call(program);
	csr_write(CSR_UCAUSE, 0U);
	csr_write(CSR_USTATUS, USTATUS_UIE | USTATUS_UPIE);
	CHECK_EQ(csr_read(CSR_MSTATUS) & 0x11U, 0x11U);

	/* In machine mode the user interrupt waits, whatever UIE is. Back in user mode it is taken. */
	found_count = 0U;
	clic_raise(D);
	CHECK_EQ(found_count, 0U);
	CHECK(irq_is_pending(D));
	uil_zero();
	csr_set(CSR_USTATUS, USTATUS_UIE);
	user_call(preempted);
	CHECK_EQ(found_count, 2U);
	CHECK_EQ(found[0].ucause & UCAUSE_CODE, D);
	CHECK_EQ(found[1].ucause & UCAUSE_CODE, A);

	/* In a user handler machine mode takes its interrupts, whatever MIE is. */
	found_count = 0U;
	raise_in_handler = D + 1U;
	csr_write(CSR_USTATUS, USTATUS_UIE);
	user_call(preempted);
	CHECK_EQ(found_count, 1U);
	CHECK_EQ(machine_count, 1U);
	CHECK_EQ(machine_at, 1U);
	CHECK_EQ(csr_read(CSR_UINTSTATUS), 0U);
	CHECK_NO_TRAP();
}

int main(void)
{
	play(false);
	play(true);
	return test_end();
}
