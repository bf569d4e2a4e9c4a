/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: operations on registers and immediates with one bit of funct7 changed are illegal unless the result is
  another operation
config: [mcu-clint, mcu-clic, mcu-fastirq]
needs: [zbb, zbs]
engines: [rtl]
qemu: it has extensions more in these encodings
expect: |
  PASS
*/
#include "emit.h"
#include "test.h"

#define OP_IMM    0x13U
#define ANY_SHAMT 32U

/* funct3 of left and right shifts. */
#define LEFT  1U
#define RIGHT 5U

/* Each funct7 with the only rs2 that is legal with it. */
struct operation {
	uint32_t funct3;
	uint32_t funct7;
	uint32_t rs2;
};
static const struct operation immediate[] = {
    {LEFT, 0x00U, ANY_SHAMT},  /* slli */
    {LEFT, 0x14U, ANY_SHAMT},  /* bseti */
    {LEFT, 0x24U, ANY_SHAMT},  /* bclri */
    {LEFT, 0x34U, ANY_SHAMT},  /* binvi */
    {LEFT, 0x30U, 0U},         /* clz */
    {LEFT, 0x30U, 1U},         /* ctz */
    {LEFT, 0x30U, 2U},         /* cpop */
    {LEFT, 0x30U, 4U},         /* sext.b */
    {LEFT, 0x30U, 5U},         /* sext.h */
    {RIGHT, 0x00U, ANY_SHAMT}, /* srli */
    {RIGHT, 0x20U, ANY_SHAMT}, /* srai */
    {RIGHT, 0x24U, ANY_SHAMT}, /* bexti */
    {RIGHT, 0x30U, ANY_SHAMT}, /* rori */
    {RIGHT, 0x14U, 7U},        /* orc.b */
    {RIGHT, 0x34U, 24U},       /* rev8 */
};
#define IMMEDIATE (sizeof(immediate) / sizeof(immediate[0]))

static bool legal(uint32_t funct3, uint32_t funct7, uint32_t rs2)
{
	for (uint32_t i = 0U; i < IMMEDIATE; i++) {
		const struct operation *one = &immediate[i];

		if (one->funct3 == funct3 && one->funct7 == funct7 &&
		    (one->rs2 == ANY_SHAMT || one->rs2 == rs2)) {
			return true;
		}
	}
	return false;
}

/* An instruction with rd and rs1 a0, and an operand. */
static void play(uint32_t funct3, uint32_t funct7, uint32_t rs2)
{
	uint32_t insn =
	    (funct7 << 25) | (rs2 << 20) | (10U << 15) | (funct3 << 12) | (10U << 7) | OP_IMM;

	emit_count = 0U;
	emit(insn);
	emit(0x00008067U); /* ret */
	fetch_fence();
	call_address((uint32_t)emitted);
	if (legal(funct3, funct7, rs2)) {
		CHECK_NO_TRAP();
		trap_clear();
	} else {
		CHECK_TRAP(MCAUSE_ILLEGAL_INSTRUCTION, emitted, insn);
	}
}

int main(void)
{
	test_begin();
	for (uint32_t i = 0U; i < IMMEDIATE; i++) {
		const struct operation *one = &immediate[i];
		uint32_t rs2 = one->rs2 == ANY_SHAMT ? 3U : one->rs2;

		for (uint32_t bit = 0U; bit < 7U; bit++) {
			play(one->funct3, one->funct7 ^ (1U << bit), rs2);
		}
		for (uint32_t bit = 0U; bit < 5U; bit++) {
			play(one->funct3, one->funct7, rs2 ^ (1U << bit));
		}
	}
	return test_end();
}
