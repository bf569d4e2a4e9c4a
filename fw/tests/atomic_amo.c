/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: every AMO on every pair of corner values, in every bank, with each way that its registers may coincide
config: [mcu-clint-a, mcu-fastirq-a]
expect: |
  PASS
*/
#include "atomic_test.h"

#define MISA_A 1U

static const uint32_t values[] = {
    0x00000000U, 0x00000001U, 0x00000002U, 0x0000ffffU, 0x00010000U, 0x12345678U,
    0x55555555U, 0x7ffffffeU, 0x7fffffffU, 0x80000000U, 0x80000001U, 0xaaaaaaaaU,
    0xdeadbeefU, 0xffff0000U, 0xfffffffeU, 0xffffffffU,
};

CODE_WORD(code_word);

static volatile uint32_t words[3]; /* both halves of the interleaved bank */

static uint32_t minimum(uint32_t a, uint32_t b, uint32_t bias)
{
	return (a ^ bias) < (b ^ bias) ? a : b;
}

static uint32_t maximum(uint32_t a, uint32_t b, uint32_t bias)
{
	return (a ^ bias) < (b ^ bias) ? b : a;
}

/* Each AMO plain, and with both ordering bits set. A single hart sees no difference. */
#define TRY(insn, at, old, operand, expected)                                                      \
	do {                                                                                       \
		*(at) = (old);                                                                     \
		CHECK_EQ(AMO(insn, at, operand), old);                                             \
		CHECK_EQ(*(at), expected);                                                         \
		*(at) = (old);                                                                     \
		CHECK_EQ(AMO(insn ".aqrl", at, operand), old);                                     \
		CHECK_EQ(*(at), expected);                                                         \
	} while (0)

static void check_pair(volatile uint32_t *at, uint32_t a, uint32_t b)
{
	TRY("amoswap.w", at, a, b, b);
	TRY("amoadd.w", at, a, b, a + b);
	TRY("amoxor.w", at, a, b, a ^ b);
	TRY("amoand.w", at, a, b, a & b);
	TRY("amoor.w", at, a, b, a | b);
	TRY("amomin.w", at, a, b, minimum(a, b, 0x80000000U));
	TRY("amomax.w", at, a, b, maximum(a, b, 0x80000000U));
	TRY("amominu.w", at, a, b, minimum(a, b, 0U));
	TRY("amomaxu.w", at, a, b, maximum(a, b, 0U));
}

/* Operands that coincide: rd = rs2, rd = rs1, rs1 = rs2, all the same, and rd = x0. */
static void check_registers(void)
{
	volatile uint32_t *at = &words[0];
	uint32_t value = 5U;
	uint32_t address = (uint32_t)at;

	*at = 100U;
	__asm__ volatile("amoadd.w %0, %0, (%1)" : "+r"(value) : "r"(at) : "memory");
	CHECK_EQ(value, 100U);
	CHECK_EQ(*at, 105U);

	__asm__ volatile("amoadd.w %0, %1, (%0)" : "+r"(address) : "r"(7U) : "memory");
	CHECK_EQ(address, 105U);
	CHECK_EQ(*at, 112U);

	__asm__ volatile("amoswap.w %0, %1, (%1)" : "=&r"(value) : "r"(at) : "memory");
	CHECK_EQ(value, 112U);
	CHECK_EQ(*at, (uint32_t)at);

	address = (uint32_t)at;
	*at = 1U;
	__asm__ volatile("amoadd.w %0, %0, (%0)" : "+r"(address) : : "memory");
	CHECK_EQ(address, 1U);
	CHECK_EQ(*at, (uint32_t)at + 1U);

	*at = 40U;
	__asm__ volatile("amoadd.w x0, %1, (%0)\n\t"
			 "amoadd.w x0, x0, (%0)\n\t"
			 "amoor.w.rl x0, %1, (%0)"
			 :
			 : "r"(at), "r"(2U)
			 : "memory");
	CHECK_EQ(*at, 42U);
}

/* The old value is used at once, address and operand have just been loaded, and accesses to the word follow at once. */
static void check_neighbours(void)
{
	static volatile uint32_t *volatile pointer;
	static volatile uint32_t operand;
	uint32_t old;
	uint32_t back;
	uint32_t sum;

	pointer = &words[1];
	operand = 3U;
	words[1] = 10U;
	words[2] = 70U;
	__asm__ volatile("lw t0, 0(%3)\n\t"
			 "lw t1, 0(%4)\n\t"
			 "amoadd.w %0, t1, (t0)\n\t"
			 "addi %2, %0, 1\n\t"
			 "lw %1, 0(t0)\n\t"
			 "amoadd.w t1, %2, (t0)\n\t"
			 "amoadd.w t2, t1, (t0)\n\t"
			 "sw t2, 4(t0)\n\t"
			 "amoxor.w t2, t2, (t0)\n\t"
			 "sb x0, 0(t0)\n\t"
			 "lw %2, 0(t0)"
			 : "=&r"(old), "=&r"(back), "=&r"(sum)
			 : "r"(&pointer), "r"(&operand)
			 : "memory", "t0", "t1", "t2");
	CHECK_EQ(old, 10U);
	CHECK_EQ(back, 13U);
	CHECK_EQ(words[2], 24U); /* 13 + 11, before it was doubled nearly */
	CHECK_EQ(sum, ((24U + 13U) ^ 24U) & 0xffffff00U);

	/* A table of addresses: the word that an AMO leaves is the address of the next one. */
	words[0] = (uint32_t)&words[1];
	words[1] = 6U;
	__asm__ volatile("amoor.w %0, x0, (%1)\n\t"
			 "amoadd.w %0, %2, (%0)"
			 : "=&r"(old)
			 : "r"(&words[0]), "r"(1U)
			 : "memory");
	CHECK_EQ(old, 6U);
	CHECK_EQ(words[1], 7U);

	/* A branch on the old value. */
	__asm__ volatile("li %0, 1\n\t"
			 "amoswap.w t0, %0, (%1)\n\t"
			 "beqz t0, 1f\n\t"
			 "li %0, 2\n"
			 "1:"
			 : "=&r"(old)
			 : "r"(&words[1])
			 : "memory", "t0");
	CHECK_EQ(old, 2U);
	CHECK_EQ(words[1], 1U);
}

int main(void)
{
	const unsigned int count = sizeof(values) / sizeof(values[0]);
	volatile uint32_t local;

	test_begin();
	CHECK_EQ(csr_read(CSR_MISA) & MISA_A, MISA_A);
	for (unsigned int i = 0; i < count; i++) {
		for (unsigned int j = 0; j < count; j++) {
			check_pair(&words[(i + j) & 1U], values[i], values[j]);
		}
	}
	check_pair(&local, 0x80000000U, 0x7fffffffU);
	check_pair(&code_word, 0x80000000U, 0x7fffffffU);
	check_registers();
	check_neighbours();
	CHECK_NO_TRAP();
	return test_end();
}
