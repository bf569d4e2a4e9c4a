/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: with RV32E, x16 to x31 are illegal in every field of an instruction that names a register
needs: [c]
config: [mcu-clint-e, mcu-clic-e]
engines: [rtl]
qemu: it does not check register numbers
expect: |
  PASS
*/
#include "test.h"

/* Each of these names one register above x15 and is otherwise valid. */
static const uint32_t illegal[] = {
    0x00000837, /* lui a6 */
    0x00000fb7, /* lui t6 */
    0x00000897, /* auipc a7 */
    0x0040086f, /* jal a6, 4 */
    0x00080067, /* jr a6 */
    0x00000867, /* jalr a6, x0 */
    0x01000463, /* beq x0, a6 */
    0x00081463, /* bne a6, x0 */
    0x00002803, /* lw a6, 0(x0) */
    0x00082503, /* lw a0, 0(a6) */
    0x010120a3, /* sw a6, 1(sp) */
    0x00a82023, /* sw a0, 0(a6) */
    0x00000813, /* li a6, 0 */
    0x00080513, /* mv a0, a6 */
    0x00a00833, /* add a6, x0, a0 */
    0x00a80533, /* add a0, a6, a0 */
    0x01050533, /* add a0, a0, a6 */
    0x01f51533, /* sll a0, a0, t6 */
    0x03050533, /* mul a0, a0, a6 */
    0x03054533, /* div a0, a0, a6 */
    0x02a54e33, /* div t3, a0, a0 */
    0x20a52833, /* sh1add a6, a0, a0 */
    0x21052533, /* sh1add a0, a0, a6 */
    0x60081513, /* clz a0, a6 */
    0x60051813, /* clz a6, a0 */
    0x48051813, /* bclri a6, a0, 0 */
    0x34002873, /* csrr a6, mscratch */
    0x34081073, /* csrw mscratch, a6 */
    0x34082573, /* csrrs a0, mscratch, a6 */
    0x3400d873, /* csrrwi a6, mscratch, 1 */
    0x4802,     /* c.lwsp a6 */
    0xc042,     /* c.swsp a6 */
    0x0805,     /* c.addi a6, 1 */
    0x4805,     /* c.li a6, 1 */
    0x6805,     /* c.lui a6, 1 */
    0x0806,     /* c.slli a6, 1 */
    0x8802,     /* c.jr a6 */
    0x9802,     /* c.jalr a6 */
    0x882a,     /* c.mv a6, a0 */
    0x8542,     /* c.mv a0, a6 */
    0x982a,     /* c.add a6, a0 */
    0x9542,     /* c.add a0, a6 */
};

/* The same bits in fields that are no register numbers. */
static const uint32_t legal[] = {
    0x01f51513, /* slli a0, a0, 31 */
    0x41f55513, /* srai a0, a0, 31 */
    0x61f55513, /* rori a0, a0, 31 */
    0x340fd073, /* csrwi mscratch, 31: the field is an immediate */
    0x01f00513, /* li a0, 31 */
    0x57fd,     /* c.li a5, -1 */
    0x01ff8f8f, /* fence: its register fields are ignored */
};

static uint16_t code[8] __attribute__((aligned(4)));

static uint16_t *place(uint32_t encoding)
{
	uint16_t *end = &code[(encoding & 3U) == 3U ? 2 : 1];

	code[0] = (uint16_t)encoding;
	code[1] = (uint16_t)(encoding >> 16);
	end[0] = 0x8082; /* c.jr ra */
	fetch_fence();
	return end;
}

int main(void)
{
	uint32_t mscratch = csr_read(CSR_MSCRATCH);

	test_begin();
	for (unsigned int i = 0; i < sizeof(illegal) / sizeof(illegal[0]); i++) {
		uint32_t before = test_failures;

		trap_resume = (uint32_t)place(illegal[i]);
		call_address((uint32_t)code);
		CHECK_TRAP(MCAUSE_ILLEGAL_INSTRUCTION, (uint32_t)code, illegal[i]);
		csr_write(CSR_MSCRATCH, mscratch);
		trap_resume = 0U;
		if (test_failures != before) {
			console_put_hex(illegal[i]);
			console_putc('\n');
		}
	}
	for (unsigned int i = 0; i < sizeof(legal) / sizeof(legal[0]); i++) {
		(void)place(legal[i]);
		call_address((uint32_t)code);
		csr_write(CSR_MSCRATCH, mscratch);
		CHECK_NO_TRAP();
	}
	return test_end();
}
