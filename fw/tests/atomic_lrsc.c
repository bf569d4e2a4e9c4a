/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: when a store-conditional succeeds, and everything that ends the reservation of a load-reserved
config: [mcu-clint-a, mcu-fastirq-a]
expect: |
  PASS
*/
#include "atomic_test.h"

static volatile uint32_t words[4] __attribute__((aligned(16)));
static volatile uint32_t far_word;

CODE_WORD(code_word);

static void fill(void)
{
	for (uint32_t i = 0; i < 4U; i++) {
		words[i] = 100U + i;
	}
	far_word = 200U;
	code_word = 300U;
}

/* Checks that a store-conditional to words[0] fails and changes nothing. */
#define CHECK_LOST()                                                                               \
	do {                                                                                       \
		uint32_t before_ = words[0];                                                       \
		CHECK_EQ(sc(&words[0], 0xbadU), 1U);                                               \
		CHECK_EQ(words[0], before_);                                                       \
	} while (0)

static void check_pairs(void)
{
	volatile uint32_t local = 400U;
	volatile uint32_t *const places[] = {&words[0], &words[1], &far_word, &local, &code_word};

	fill();
	for (uint32_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		uint32_t old = *places[i];

		CHECK_EQ(lr(places[i]), old);
		CHECK_EQ(sc(places[i], old + 1U), 0U);
		CHECK_EQ(*places[i], old + 1U);
		/* The store-conditional has used up the reservation. */
		CHECK_EQ(sc(places[i], old + 2U), 1U);
		CHECK_EQ(*places[i], old + 1U);
	}
	/* A second LR of the word keeps it reserved. */
	(void)lr(&words[0]);
	(void)lr(&words[0]);
	CHECK_EQ(sc(&words[0], 7U), 0U);
	CHECK_EQ(words[0], 7U);
}

/* Every LR moves the only reservation, in the same bank and to another one; every SC ends it, wherever it goes. */
static void check_moved(void)
{
	volatile uint32_t *const others[] = {&words[1], &words[2], &code_word};
	volatile uint32_t local = 400U;

	for (uint32_t i = 0; i < 4U; i++) {
		volatile uint32_t *other = (i == 3U) ? &local : others[i];

		fill();
		(void)lr(&words[0]);
		(void)lr(other);
		CHECK_LOST();

		(void)lr(&words[0]);
		(void)lr(other);
		CHECK_EQ(sc(other, 5U), 0U);
		CHECK_EQ(*other, 5U);
		CHECK_LOST();

		(void)lr(&words[0]);
		CHECK_EQ(sc(other, 6U), 1U);
		CHECK_EQ(*other, 5U);
		CHECK_LOST();

		(void)lr(&words[0]);
		(void)lr(other);
		(void)lr(&words[0]);
		CHECK_EQ(sc(&words[0], 8U), 0U);
		CHECK_EQ(words[0], 8U);
	}
}

/* Accesses of the same hart: those to other words, and loads of this word, keep the reservation. Stores to this word
 * end it.
 */
static void check_own(void)
{
	fill();
	(void)lr(&words[0]);
	words[1] = 1U;
	words[2] = 2U;
	far_word = 3U;
	(void)AMO("amoadd.w", &words[3], 4U);
	CHECK_EQ(words[0], 100U);
	CHECK_EQ(*(volatile uint8_t *)&words[0], 100U);
	CHECK_EQ(sc(&words[0], 9U), 0U);
	CHECK_EQ(words[0], 9U);

	(void)lr(&words[0]);
	words[0] = 10U;
	CHECK_LOST();
	(void)lr(&words[0]);
	((volatile uint8_t *)words)[3] = 0x11U;
	CHECK_LOST();
	(void)lr(&words[0]);
	__asm__ volatile("sh x0, 2(%0)" : : "r"(words) : "memory");
	CHECK_LOST();
	(void)lr(&words[0]);
	(void)AMO("amoadd.w", &words[0], 1U);
	CHECK_LOST();

	/* One half of a misaligned store hits the word, first from one side, then from the other. */
	words[0] = 0U;
	(void)lr(&words[0]);
	__asm__ volatile("sw %1, 2(%0)" : : "r"(words), "r"(0x55667788U) : "memory");
	CHECK_LOST();
	CHECK_EQ(words[0], 0x77880000U);
	(void)lr(&words[1]);
	__asm__ volatile("sw %1, 1(%0)" : : "r"(words), "r"(0x99aabbccU) : "memory");
	CHECK_EQ(sc(&words[1], 0xbadU), 1U);
	CHECK_EQ(words[1] & 0xffU, 0x99U);
}

/* A trap and the return from it end the reservation, because other code may have used the word meanwhile. */
static void check_trap(void)
{
	fill();
	(void)lr(&words[0]);
	__asm__ volatile(".option push\n\t.option norvc\n\tecall\n\t.option pop" : : : "memory");
	CHECK_EQ(trap_last.count, 1U);
	trap_clear();
	CHECK_LOST();

	(void)lr(&words[0]);
	__asm__ volatile("la t0, 1f\n\t"
			 "csrw mepc, t0\n\t"
			 "li t0, %0\n\t"
			 "csrs mstatus, t0\n\t"
			 "mret\n"
			 "1:"
			 :
			 : "i"(MSTATUS_MPP_M)
			 : "memory", "t0");
	CHECK_LOST();
}

static void check_registers(void)
{
	uint32_t value;
	uint32_t address;

	fill();
	/* LR: rd = rs1, rd = x0. */
	address = (uint32_t)&words[1];
	__asm__ volatile("lr.w %0, (%0)" : "+r"(address) : : "memory");
	CHECK_EQ(address, 101U);
	CHECK_EQ(sc(&words[1], 1U), 0U);
	__asm__ volatile("lr.w x0, (%0)" : : "r"(&words[1]) : "memory");
	CHECK_EQ(sc(&words[1], 2U), 0U);
	CHECK_EQ(words[1], 2U);

	/* SC: rd = rs2, rd = rs1, rd = x0, rs2 = x0; both outcomes. */
	(void)lr(&words[0]);
	value = 55U;
	__asm__ volatile("sc.w %0, %0, (%1)" : "+r"(value) : "r"(&words[0]) : "memory");
	CHECK_EQ(value, 0U);
	CHECK_EQ(words[0], 55U);
	value = 66U;
	__asm__ volatile("sc.w %0, %0, (%1)" : "+r"(value) : "r"(&words[0]) : "memory");
	CHECK_EQ(value, 1U);
	CHECK_EQ(words[0], 55U);
	(void)lr(&words[0]);
	address = (uint32_t)&words[0];
	__asm__ volatile("sc.w %0, %1, (%0)" : "+r"(address) : "r"(77U) : "memory");
	CHECK_EQ(address, 0U);
	CHECK_EQ(words[0], 77U);
	(void)lr(&words[0]);
	__asm__ volatile("sc.w x0, %1, (%0)" : : "r"(&words[0]), "r"(88U) : "memory");
	CHECK_EQ(words[0], 88U);
	(void)lr(&words[0]);
	__asm__ volatile("sc.w %0, x0, (%1)" : "=&r"(value) : "r"(&words[0]) : "memory");
	CHECK_EQ(value, 0U);
	CHECK_EQ(words[0], 0U);

	/* The four orderings. The result is used at once, to compute and to branch. */
	words[0] = 1U;
	__asm__ volatile("1:\n\t"
			 "lr.w.aq t0, (%1)\n\t"
			 "addi t0, t0, 10\n\t"
			 "sc.w.rl t1, t0, (%1)\n\t"
			 "bnez t1, 1b\n"
			 "2:\n\t"
			 "lr.w.aqrl t0, (%1)\n\t"
			 "addi t0, t0, 10\n\t"
			 "sc.w.aqrl t1, t0, (%1)\n\t"
			 "addi %0, t1, 40\n\t"
			 "bnez t1, 2b"
			 : "=&r"(value)
			 : "r"(&words[0])
			 : "memory", "t0", "t1");
	CHECK_EQ(value, 40U);
	CHECK_EQ(words[0], 21U);
	__asm__ volatile("sc.w t1, x0, (%1)\n\t"
			 "addi %0, t1, 40"
			 : "=&r"(value)
			 : "r"(&words[0])
			 : "memory", "t1");
	CHECK_EQ(value, 41U);
	CHECK_EQ(words[0], 21U);
}

/* The longest loop that the specification guarantees to succeed: 16 instructions, with a way out. */
static void check_loop(void)
{
	uint32_t tries = 0U;

	words[0] = 0U;
	for (uint32_t i = 0; i < 100U; i++) {
		__asm__ volatile("1:\n\t"
				 "lr.w t0, (%1)\n\t"
				 "bltz t0, 2f\n\t"
				 "addi %0, %0, 1\n\t"
				 "slli t1, t0, 3\n\t"
				 "xor t1, t1, t0\n\t"
				 "and t1, t1, x0\n\t"
				 "add t1, t1, t0\n\t"
				 "or t1, t1, x0\n\t"
				 "addi t1, t1, 2\n\t"
				 "addi t1, t1, -1\n\t"
				 "addi t1, t1, 2\n\t"
				 "addi t1, t1, -1\n\t"
				 "addi t1, t1, 2\n\t"
				 "addi t1, t1, -1\n\t"
				 "sc.w t1, t1, (%1)\n\t"
				 "bnez t1, 1b\n"
				 "2:"
				 : "+r"(tries)
				 : "r"(&words[0])
				 : "memory", "t0", "t1");
	}
	CHECK_EQ(words[0], 300U);
	CHECK_EQ(tries, 100U);
}

int main(void)
{
	test_begin();
	fill();
	CHECK_LOST(); /* no LR has reserved a word yet */
	check_pairs();
	check_moved();
	check_own();
	check_trap();
	check_registers();
	check_loop();
	CHECK_NO_TRAP();
	return test_end();
}
