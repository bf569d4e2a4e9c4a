/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: corner cases of multiply and divide
needs: [m]
expect: |
  PASS
*/
#include "test.h"

#define OP(insn, a, b)                                                                             \
	__extension__({                                                                            \
		uint32_t result_;                                                                  \
		__asm__ volatile(insn " %0, %1, %2" : "=r"(result_) : "r"(a), "r"(b));             \
		result_;                                                                           \
	})

static const uint32_t values[] = {
    0x00000000U, 0x00000001U, 0x00000002U, 0x00000003U, 0x00000007U, 0x0000000aU,
    0x000000ffU, 0x00001234U, 0x0000ffffU, 0x00010000U, 0x12345678U, 0x55555555U,
    0x7ffffffeU, 0x7fffffffU, 0x80000000U, 0x80000001U, 0xaaaaaaaaU, 0xdeadbeefU,
    0xffff0000U, 0xfffffff6U, 0xfffffffdU, 0xfffffffeU, 0xffffffffU,
};

/* Schoolbook arithmetic that uses neither multiplier nor divider. */
static uint64_t multiply(uint32_t a, uint32_t b)
{
	uint64_t sum = 0U;

	for (uint32_t bit = 0; bit < 32U; bit++) {
		if (((b >> bit) & 1U) != 0U) {
			sum += (uint64_t)a << bit;
		}
	}
	return sum;
}

static void divide(uint32_t a, uint32_t b, uint32_t *quotient, uint32_t *remainder)
{
	uint64_t rest = 0U;

	*quotient = 0U;
	for (int bit = 31; bit >= 0; bit--) {
		rest = (rest << 1) | ((a >> bit) & 1U);
		if (b == 0U || rest >= b) {
			rest -= b;
			*quotient |= 1U << bit;
		}
	}
	*remainder = (uint32_t)rest;
}

static uint32_t magnitude(uint32_t value)
{
	return (value >> 31) != 0U ? 0U - value : value;
}

static void check_pair(uint32_t a, uint32_t b)
{
	uint64_t product = multiply(a, b);
	uint32_t high = (uint32_t)(product >> 32);
	uint32_t a_negative = 0U - (a >> 31);
	uint32_t b_negative = 0U - (b >> 31);
	uint32_t quotient;
	uint32_t remainder;

	CHECK_EQ(OP("mul", a, b), product);
	CHECK_EQ(OP("mulhu", a, b), high);
	CHECK_EQ(OP("mulh", a, b), high - (a_negative & b) - (b_negative & a));
	CHECK_EQ(OP("mulhsu", a, b), high - (a_negative & b));

	divide(a, b, &quotient, &remainder);
	CHECK_EQ(OP("divu", a, b), quotient);
	CHECK_EQ(OP("remu", a, b), remainder);

	divide(magnitude(a), magnitude(b), &quotient, &remainder);
	if (b == 0U) {
		CHECK_EQ(OP("div", a, b), UINT32_MAX);
		CHECK_EQ(OP("rem", a, b), a);
	} else {
		CHECK_EQ(OP("div", a, b), (a_negative != b_negative) ? 0U - quotient : quotient);
		CHECK_EQ(OP("rem", a, b), (a_negative != 0U) ? 0U - remainder : remainder);
	}
}

int main(void)
{
	const unsigned int count = sizeof(values) / sizeof(values[0]);

	test_begin();
	for (unsigned int i = 0; i < count; i++) {
		for (unsigned int j = 0; j < count; j++) {
			check_pair(values[i], values[j]);
		}
	}

	/* Results that are used at once, and the same register as source and destination. */
	uint32_t value = 1000U;

	__asm__ volatile("div %0, %0, %1\n\t"
			 "mul %0, %0, %0\n\t"
			 "rem %0, %0, %1\n\t"
			 "div %0, %1, %0"
			 : "+r"(value)
			 : "r"(7U));
	CHECK_EQ(value, 7U / ((142U * 142U) % 7U));
	CHECK_NO_TRAP();
	return test_end();
}
