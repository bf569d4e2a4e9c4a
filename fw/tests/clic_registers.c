/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the CLIC's registers by bytes, half-words and words; absent bits and sources
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "clic_test.h"

#define NUM_SOURCES 64U

static volatile uint32_t *word(unsigned int irq)
{
	return (volatile uint32_t *)irq_register(irq, TRAPEZE_CLIC_IRQ_IP_OFFSET);
}

static volatile uint16_t *half(unsigned int irq, unsigned int offset)
{
	return (volatile uint16_t *)irq_register(irq, offset);
}

static volatile uint32_t *at(uint32_t offset)
{
	return (volatile uint32_t *)(TRAPEZE_CLIC_BASE + offset);
}

static void check_source(unsigned int irq)
{
	/* All four bytes in one word: edge-triggered and pending by the same access. */
	*word(irq) = 0x5a030101U;
	CHECK_EQ(*word(irq), 0x5ac30101U);
	*word(irq) = UINT32_MAX;
	CHECK_EQ(*word(irq), 0xffc70101U);
	*word(irq) = 0U;
	CHECK_EQ(*word(irq) & ~1U, 0x00c00000U); /* level-triggered: ip is the wire */

	/* Bytes, one at a time, leave the others. */
	*irq_register(irq, TRAPEZE_CLIC_IRQ_ATTR_OFFSET) = 0x02U;
	CHECK_EQ(*word(irq), 0x00c20000U);
	*irq_register(irq, TRAPEZE_CLIC_IRQ_CTL_OFFSET) = 0xa5U;
	CHECK_EQ(*word(irq), 0xa5c20000U);
	*irq_register(irq, TRAPEZE_CLIC_IRQ_IE_OFFSET) = 0xffU;
	CHECK_EQ(*word(irq), 0xa5c20100U);
	*irq_register(irq, TRAPEZE_CLIC_IRQ_IP_OFFSET) = 0xffU;
	CHECK_EQ(*word(irq), 0xa5c20101U);
	CHECK_EQ(*irq_register(irq, TRAPEZE_CLIC_IRQ_IP_OFFSET), 1U);
	CHECK_EQ(*irq_register(irq, TRAPEZE_CLIC_IRQ_IE_OFFSET), 1U);
	CHECK_EQ(*irq_register(irq, TRAPEZE_CLIC_IRQ_ATTR_OFFSET), 0xc2U);
	CHECK_EQ(*irq_register(irq, TRAPEZE_CLIC_IRQ_CTL_OFFSET), 0xa5U);

	/* Half-words. */
	*half(irq, TRAPEZE_CLIC_IRQ_IP_OFFSET) = 0xfefeU;
	CHECK_EQ(*word(irq), 0xa5c20000U);
	*half(irq, TRAPEZE_CLIC_IRQ_ATTR_OFFSET) = 0x3c07U;
	CHECK_EQ(*word(irq), 0x3cc70000U);
	CHECK_EQ(*half(irq, TRAPEZE_CLIC_IRQ_ATTR_OFFSET), 0x3cc7U);

	/* Changing to an edge trigger clears ip, whatever the wire. */
	*word(irq) = 0x00010000U;
	*irq_register(irq, TRAPEZE_CLIC_IRQ_ATTR_OFFSET) = 0x03U;
	CHECK_EQ(*word(irq), 0x00c30000U);
	*word(irq) = 0x00010000U;
}

static bool mie_is_off(void)
{
	return (csr_read(CSR_MSTATUS) & MSTATUS_MIE) == 0U;
}

int main(void)
{
	test_begin();
	CHECK(mie_is_off());

	/* Start-up makes every source vectored; all other fields have their values after reset. */
	for (unsigned int irq = 0; irq < NUM_SOURCES; irq++) {
		CHECK_EQ(*word(irq) & ~1U, 0x00c10000U);
	}
	CHECK_EQ(*at(TRAPEZE_CLIC_MCLICCFG_OFFSET), 0U);

	check_source(A);
	check_source(0U);
	check_source(NUM_SOURCES - 1U);

	/* Neighbours are left alone. */
	*word(A) = 0U;
	*word(A + 2U) = 0U;
	*word(A + 1U) = UINT32_MAX;
	CHECK_EQ(*word(A) & ~1U, 0x00c00000U);
	CHECK_EQ(*word(A + 2U) & ~1U, 0x00c00000U);
	*word(A + 1U) = 0U;

	/* mcliccfg: mnlbits 0 to 8, all interrupts in machine mode. */
	for (unsigned int bits = 0; bits <= 8U; bits++) {
		*at(TRAPEZE_CLIC_MCLICCFG_OFFSET) = bits;
		CHECK_EQ(*at(TRAPEZE_CLIC_MCLICCFG_OFFSET), bits);
	}
	*at(TRAPEZE_CLIC_MCLICCFG_OFFSET) = 0xfffffff0U;
	CHECK_EQ(*at(TRAPEZE_CLIC_MCLICCFG_OFFSET), 0U);
	*at(TRAPEZE_CLIC_MCLICCFG_OFFSET) = UINT32_MAX;
	CHECK_EQ(*at(TRAPEZE_CLIC_MCLICCFG_OFFSET), 8U);
	*(volatile uint8_t *)at(TRAPEZE_CLIC_MCLICCFG_OFFSET) = 3U;
	CHECK_EQ(irq_level_bits_get(), 3U);
	*at(TRAPEZE_CLIC_MCLICCFG_OFFSET) = 0U;

	/* Absent sources and bits read zero and ignore writes. */
	static const uint32_t absent[] = {0x4U,    0xffcU,  0x1000U + (4U * NUM_SOURCES),
					  0x4ffcU, 0x5000U, TRAPEZE_CLIC_SIZE - 4U};

	for (unsigned int i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
		*at(absent[i]) = UINT32_MAX;
		CHECK_EQ(*at(absent[i]), 0U);
	}
	for (unsigned int irq = 0; irq < NUM_SOURCES; irq++) {
		CHECK_EQ(*word(irq) & 0x0000ff00U, 0U);
	}
	CHECK_NO_TRAP();
	return test_end();
}
