/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: an entry of the vector table, or the table's address, changed while its interrupt is pending - the new one
  counts
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-shared, mcu-fastirq-256]
needs: [c]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "emit.h"
#include "fast_test.h"

/* Two handlers whose addresses differ in the lowest byte. s0 says which one has run. */
void table_old(void);
void table_new(void);
/* clang-format off */
__asm__(".text\n"
	".balign 64\n"
	"table_old:\n"
	"	li s0, 1\n"
	"	emret\n"
	".balign 16\n"
	"table_new:\n"
	"	li s0, 2\n"
	"	emret\n");
/* clang-format on */

/* Emits a store of register a0 + @p value at @p offset from register a0 + @p base. */
static void emit_store(uint32_t funct3, uint32_t value, uint32_t base, int offset)
{
	uint32_t imm = (uint32_t)offset & 0xfffU;

	emit(0x23U | (funct3 << 12) | ((REG_A0 + base) << 15) | ((REG_A0 + value) << 20) |
	     ((imm & 31U) << 7) | ((imm >> 5) << 25));
}

/* With interrupts disabled: makes A pending (a1 to a0); after some nops stores a3 at an offset from the entry (a2);
 * after some nops enables interrupts.
 */
static void play(uint32_t funct3, int offset, uint32_t pending_for, uint32_t stored_for)
{
	volatile uint32_t *entry = (volatile uint32_t *)table_entry(A);
	uint32_t before[2] = {entry[-1], entry[1]};
	uint8_t bytes[12];
	uint32_t value = 0U;

	(void)irq_vector_set(A, table_new);
	(void)memcpy(bytes, (const void *)&entry[-1], sizeof(bytes));
	for (int i = 0; i < 4; i++) {
		value |= (uint32_t)bytes[4 + offset + i] << (8 * i);
	}
	(void)irq_vector_set(A, table_old);
	emit_count = 0U;
	emit(0x30047073U); /* csrci mstatus, 8 */
	emit_store(0U, 1U, 0U, 0);
	emit_nops(pending_for);
	emit_store(funct3, 3U, 2U, offset);
	emit_nops(stored_for);
	emit(0x30046073U); /* csrsi mstatus, 8 */
	emit_nops(8U);
	emit(0x00070067U); /* jr a4 */
	fetch_fence();

	context_fill(0x10305070U);
	context_in.x[REG_A0] = fast_ip(A);
	context_in.x[REG_A0 + 1] = 1U;
	context_in.x[REG_A0 + 2] = (uint32_t)entry;
	context_in.x[REG_A0 + 3] = value;
	context_in.x[REG_A0 + 4] = (uint32_t)context_end;
	context_run(emitted, false);
	struct context expected = context_in;

	expected.x[REG_S0] = 2U;
	CHECK_CONTEXT(expected);
	CHECK_EQ(entry[0], table_new);
	CHECK_EQ(entry[-1], before[0]);
	CHECK_EQ(entry[1], before[1]);
}

static uint32_t other_table[IRQ_COUNT] __attribute__((aligned(1024)));

static void stores(void)
{
	for (uint32_t pending_for = 0; pending_for < 8U; pending_for++) {
		for (uint32_t stored_for = 0; stored_for < 3U; stored_for++) {
			play(2U, 0, pending_for, stored_for);
			play(1U, 0, pending_for, stored_for);
			play(0U, 0, pending_for, stored_for);
			play(2U, -1, pending_for, stored_for);
			play(2U, -2, pending_for, stored_for);
			play(2U, -3, pending_for, stored_for);
			play(1U, -1, pending_for, stored_for);
		}
	}
}

/* Makes A and B pending with interrupts disabled, calls @p change, enables interrupts. Returns s0. */
static uint32_t taken_after(void (*change)(void))
{
	static const uint16_t nops[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0x8702}; /* c.jr a4 */

	clic_raise(A);
	clic_raise(B);
	change();
	context_fill(0x20406080U);
	context_in.x[REG_A0 + 4] = (uint32_t)context_end;
	context_run(nops, false);
	irq_pending_set(A, false);
	irq_pending_set(B, false);
	return context_out.x[REG_S0];
}

static uint32_t table;

static void into_hole_and_back(void)
{
	csr_write(CSR_MTVT, HOLE);
	settle();
	csr_write(CSR_MTVT, table);
}

static void to_other_table(void)
{
	csr_write(CSR_MTVT, (uint32_t)other_table);
}

static void other_offer(void)
{
	irq_control_set(A, fast_level(6U));
}

static void no_offer(void)
{
	irq_pending_set(B, false);
}

static void enabled_late(void)
{
	irq_disable(B);
	settle();
	irq_enable(B);
}

int main(void)
{
	table = csr_read(CSR_MTVT);
	fast_begin();
	stores();
	for (uint32_t i = 0; i < IRQ_COUNT; i++) {
		other_table[i] = (uint32_t)table_new;
	}

	/* B is offered first, then A; the last handler that runs sets s0. */
	(void)irq_vector_set(A, table_new);
	(void)irq_vector_set(B, table_old);
	CHECK_EQ(taken_after(no_offer), 2U);
	CHECK_EQ(taken_after(other_offer), 1U);
	irq_control_set(A, fast_level(0U));
	CHECK_EQ(taken_after(enabled_late), 2U);
	(void)irq_vector_set(A, table_old);
	CHECK_EQ(taken_after(enabled_late), 1U);
	CHECK_EQ(taken_after(into_hole_and_back), 1U);
	CHECK_EQ(taken_after(to_other_table), 2U);
	csr_write(CSR_MTVT, table);
	csr_write(CSR_MTVT, HOLE);
	CHECK_EQ(taken_after(into_hole_and_back), 1U);
	CHECK_NO_TRAP();
	return test_end();
}
