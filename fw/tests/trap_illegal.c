/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: reserved and unimplemented encodings raise illegal instruction with the encoding in mtval
needs: [c]
expect: |
  PASS
*/
#include "test.h"

/* Each of these is illegal in machine mode. 16-bit encodings are those whose lowest two bits are not 3. */
static const uint32_t encodings[] = {
    /* compressed, quadrant 0 */
    0x0000, /* all zero: defined to be illegal */
    0x0004, /* c.addi4spn with immediate 0 */
    0x2000, /* c.fld: no D */
    0x6000, /* c.flw: no F */
    0x8000, /* reserved */
    0xa000, /* c.fsd: no D */
    0xe000, /* c.fsw: no F */
    /* quadrant 1 */
    0x6081, /* c.lui with immediate 0 */
    0x6101, /* c.addi16sp with immediate 0 */
    0x9c01, /* c.subw: RV64 */
    0x9c21, /* c.addw: RV64 */
    0x9c41, /* reserved */
    0x9c61, /* reserved */
    /* quadrant 2 */
    0x2002, /* c.fldsp: no D */
    0x4002, /* c.lwsp to x0 */
    0x6002, /* c.flwsp: no F */
    0x8002, /* c.jr x0 */
    0xa002, /* c.fsdsp: no D */
    0xe002, /* c.fswsp: no F */
    /* all ones, and other lengths of 48 bits and more in one word */
    0xffffffff, 0x0000001f, 0x0000007f,
    /* custom opcodes, and opcodes of extensions that are not there */
    0x0000000b, 0x0000002b, 0x0000005b, 0x0000007b, 0x00002007, /* flw */
    0x00002027,                                                 /* fsw */
    0x00000043,                                                 /* fmadd.s */
    0x00000053,                                                 /* fadd.s */
    0x00000057,                                                 /* vector */
    0x0000001b,                                                 /* addiw: RV64 */
    0x0000003b,                                                 /* addw: RV64 */
#ifndef __riscv_atomic
    0x1000202f, /* lr.w */
    0x0000202f, /* amoadd.w */
#endif
    /* loads, stores, branches, jalr: reserved funct3 */
    0x00003003,             /* ld: RV64 */
    0x00006003,             /* lwu: RV64 */
    0x00007003, 0x00003023, /* sd: RV64 */
    0x00004023, 0x00007023, 0x00002063, 0x00003063, 0x00001067, 0x00007067,
    /* register-immediate: reserved shift encodings, Zb* with wrong fields */
    0x02001013,                         /* slli with shamt bit 5 */
    0x02005013,                         /* srli with shamt bit 5 */
    0x42005013,                         /* srai with shamt bit 5 */
    0x80001013, 0x80005013, 0x60301013, /* between cpop and sext.b */
    0x60601013, 0x60f01013, 0x28605013, /* next to orc.b */
    0x69905013,                         /* next to rev8 */
    0x68705013,                         /* brev8: Zbkb */
    0x08f01013,                         /* zip: Zbkb */
    /* register-register: reserved funct7 */
    0x80000033, 0x40001033, 0x40002033, 0x40003033, 0x04000033, 0x06000033,
    0x0a001033, /* clmul: Zbc */
    0x0a002033, /* clmulr: Zbc */
    0x0a003033, /* clmulh: Zbc */
    0x08104033, /* pack with rs2 not x0: Zbkb */
    0x20000033, 0x60000033, 0x68000033,
    /* miscellaneous memory: reserved funct3, cache blocks */
    0x0000300f, 0x0000700f, 0x0000200f, /* cbo.inval: no Zicbom */
    /* system */
    0x00004073,                         /* funct3 4 */
    0x00200073,                         /* uret: no N */
    0x10200073,                         /* sret: no S */
    0x7b200073,                         /* dret: not in debug mode */
    0x70200073, 0x00300073, 0x302000f3, /* mret with rd */
    0x30208073,                         /* mret with rs1 */
    0x105000f3,                         /* wfi with rd */
    0x000000f3,                         /* ecall with rd */
    0x00008073,                         /* ecall with rs1 */
    0x001000f3,                         /* ebreak with rd */
};

static uint16_t code[8] __attribute__((aligned(4)));

static void try_at(uint16_t *place, uint32_t encoding)
{
	uint32_t before = test_failures;
	bool compressed = (encoding & 3U) != 3U;
	uint16_t *end = place + (compressed ? 1 : 2);

	place[0] = (uint16_t)encoding;
	place[1] = (uint16_t)(encoding >> 16);
	end[0] = 0x8082; /* c.jr ra */
	end[1] = 0x8082;
	fetch_fence();
	trap_resume = (uint32_t)end;
	call_address((uint32_t)place);
	CHECK_TRAP(MCAUSE_ILLEGAL_INSTRUCTION, (uint32_t)place, encoding);
	if (test_failures != before) {
		console_puts("encoding ");
		console_put_hex(encoding);
		console_putc('\n');
	}
}

int main(void)
{
	test_begin();
	for (unsigned int i = 0; i < sizeof(encodings) / sizeof(encodings[0]); i++) {
		try_at(&code[0], encodings[i]);
		try_at(&code[1], encodings[i]);
	}
	return test_end();
}
