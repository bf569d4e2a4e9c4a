/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: mcountinhibit stops each counter; counters can be written; carry between the halves; mhpm* exist and read zero
engines: [rtl]
qemu: its counters follow its own clock, do not stop at once, and keep a written upper half
expect: |
  PASS
*/
#include <trapeze/timer.h>

#include "test.h"

static void check_carry(void)
{
	/* A carry of the lower half reaches the upper one. */
	csr_write(CSR_MCYCLEH, 5U);
	csr_write(CSR_MCYCLE, 0xfffffff8U);
	for (volatile int i = 0; i < 20; i++) {
	}
	CHECK_EQ(csr_read(CSR_MCYCLEH), 6U);
	CHECK_EQ(csr_read(CSR_CYCLEH), 6U);
	csr_write(CSR_MINSTRETH, 7U);
	csr_write(CSR_MINSTRET, 0xfffffff8U);
	for (volatile int i = 0; i < 20; i++) {
	}
	CHECK_EQ(csr_read(CSR_MINSTRETH), 8U);
	CHECK(timer_cycles() >> 32 == 6U);
	CHECK(timer_instructions() >> 32 == 8U);
}

/** Writes a half of each counter and reads it back. The bits in `counted` may change meanwhile and are not compared. */
#define CHECK_HALF(csr, value, counted)                                                            \
	do {                                                                                       \
		csr_write(csr, value);                                                             \
		CHECK_EQ(csr_read(csr) & ~(counted), (value) & ~(counted));                        \
	} while (0)

/** Each bit of the counters set alone, and clear alone. */
static void check_bits(void)
{
	/* The upper half, first with a lower half that is nearly full, then with zeros. */
	csr_write(CSR_MCYCLE, 0xffffe000U);
	csr_write(CSR_MINSTRET, 0xffffe000U);
	CHECK_HALF(CSR_MCYCLEH, 0x12345678U, 0U);
	CHECK_HALF(CSR_MINSTRETH, 0x12345678U, 0U);
	csr_write(CSR_MCYCLE, 0U);
	csr_write(CSR_MINSTRET, 0U);
	for (uint32_t bit = 0U; bit < 32U; bit++) {
		CHECK_HALF(CSR_MCYCLEH, 1UL << bit, 0U);
		CHECK_HALF(CSR_MINSTRETH, 1UL << bit, 0U);
		CHECK_HALF(CSR_MCYCLEH, ~(1UL << bit), 0U);
		CHECK_HALF(CSR_MINSTRETH, ~(1UL << bit), 0U);
	}
	for (uint32_t bit = 8U; bit < 32U; bit++) {
		CHECK_HALF(CSR_MCYCLE, 1UL << bit, 0xffU);
		CHECK_HALF(CSR_MINSTRET, 1UL << bit, 0xffU);
		CHECK_HALF(CSR_MCYCLE, ~(1UL << bit) & ~0xffUL, 0xffU);
		CHECK_HALF(CSR_MINSTRET, ~(1UL << bit) & ~0xffUL, 0xffU);
	}
}

/** Writes ones to 29 CSRs from `first` on, and ORs the values read into `any`. */
#define EVENTS(first, any)                                                                         \
	__asm__ volatile(".set event, " TRAPEZE_STRINGIFY(first) "\n\t"                            \
								 ".rept 29\n\t"                    \
								 "csrw event, %1\n\t"              \
								 "csrr t0, event\n\t"              \
								 "or %0, %0, t0\n\t"               \
								 ".set event, event + 1\n\t"       \
								 ".endr"                           \
			 : "+&r"(any)                                                              \
			 : "r"(UINT32_MAX)                                                         \
			 : "t0")

/** mhpmcounter3 to 31, their upper halves and mhpmevent3 to 31 exist and stay zero. */
static void check_events(void)
{
	uint32_t any = 0U;

	EVENTS(0xb03, any);
	EVENTS(0xb83, any);
	EVENTS(0x323, any);
	CHECK_EQ(any, 0U);
	CHECK_NO_TRAP();
}

int main(void)
{
	uint32_t a;
	uint32_t b;

	test_begin();
	check_events();
	check_bits();

	csr_write(CSR_MCOUNTINHIBIT, MCOUNTINHIBIT_CY);
	a = csr_read(CSR_MCYCLE);
	b = csr_read(CSR_MINSTRET);
	for (volatile int i = 0; i < 10; i++) {
	}
	CHECK_EQ(csr_read(CSR_MCYCLE), a);
	CHECK(csr_read(CSR_MINSTRET) > b);

	csr_write(CSR_MCOUNTINHIBIT, MCOUNTINHIBIT_IR);
	a = csr_read(CSR_MCYCLE);
	b = csr_read(CSR_MINSTRET);
	for (volatile int i = 0; i < 10; i++) {
	}
	CHECK(csr_read(CSR_MCYCLE) > a);
	CHECK_EQ(csr_read(CSR_MINSTRET), b);

	/* Stopped counters can be written. */
	csr_write(CSR_MCOUNTINHIBIT, MCOUNTINHIBIT_CY | MCOUNTINHIBIT_IR);
	csr_write(CSR_MCYCLE, 0x12345678U);
	csr_write(CSR_MCYCLEH, 0x9abcdef0U);
	csr_write(CSR_MINSTRET, 0x11223344U);
	csr_write(CSR_MINSTRETH, 0x55667788U);
	CHECK_EQ(csr_read(CSR_MCYCLE), 0x12345678U);
	CHECK_EQ(csr_read(CSR_MCYCLEH), 0x9abcdef0U);
	CHECK_EQ(csr_read(CSR_MINSTRET), 0x11223344U);
	CHECK_EQ(csr_read(CSR_MINSTRETH), 0x55667788U);
	csr_write(CSR_MCOUNTINHIBIT, 0U);

	/* The instruction that writes minstret is not counted: the next one reads the written value. */
	__asm__ volatile("csrw minstret, %1\n\t"
			 "csrr %0, minstret"
			 : "=r"(a)
			 : "r"(100U));
	CHECK_EQ(a, 100U);
	__asm__ volatile("csrw minstret, %1\n\t"
			 "nop\n\t"
			 "nop\n\t"
			 "csrr %0, minstret"
			 : "=r"(a)
			 : "r"(100U));
	CHECK_EQ(a, 102U);
	check_carry();
	CHECK_NO_TRAP();
	return test_end();
}
