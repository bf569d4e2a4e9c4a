/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: user interrupts with rows of memory protection, SN, ON, other notification vectors, reservations, two senders
  at once
config: [duo-user]
engines: [rtl]
qemu: it has no user interrupts
expect: |
  PASS
*/
#include <trapeze/clic.h>
#include <trapeze/irq_clic.h>

#include "uintr_test.h"

#define WATCHED  13U /* a source without a wire */
#define LOW      5U
#define HIGH     40U
#define PHASES   400U
#define FOREVER  10000U
#define RESERVED 0xa500a5f0U /* unused bits of UPID and of a table entry */

TZ_SHARED static struct uintr_thread self;
TZ_SHARED static struct uintr_thread other;
TZ_SHARED static struct uintr_thread sender;
TZ_SHARED static volatile uint32_t go;
TZ_SHARED static volatile uint32_t gone;
TZ_SHARED static volatile uint32_t strange;
TZ_SHARED static volatile uint32_t spare;

static volatile uint32_t told_count;
static volatile uint32_t order[8];
static volatile uint32_t handled;

static void handler(unsigned int vector)
{
	order[handled++ % 8U] = vector;
}

static void told(void *arg)
{
	(void)arg;
	told_count++;
}

static uint32_t control_of(uint32_t bits)
{
	return bits | UINTR_RUNNING << UPID_CONTROL_NV_SHIFT;
}

/* Sets the start of a check: no vector is posted, and the receiver is not notified. */
static void begin(uint32_t control)
{
	self.upid.control = control;
	self.upid.ndst = 0U;
	self.upid.puir[0] = 0U;
	self.upid.puir[1] = 0U;
	csr_write(CSR_MUIRR, 0U);
	csr_write(CSR_MUIRRH, 0U);
	trap_clear();
}

static void expect(uint32_t control, uint32_t posted, uint32_t joined)
{
	for (unsigned int i = 0U; i < 10U; i++) {
		__asm__ volatile("nop");
	}
	CHECK_EQ(self.upid.control, control);
	CHECK_EQ(self.upid.puir[0], posted);
	CHECK_EQ(csr_read(CSR_MUIRR), joined);
	CHECK_NO_TRAP();
}

/* A locked row that limits machine mode's accesses to one word. */
static void protect(const volatile void *word, uint32_t allows)
{
	csr_write(CSR_PMPCFG0, 0U);
	csr_write(CSR_PMPADDR0, (uint32_t)word >> 2);
	csr_write(CSR_PMPCFG0, ROW_LOCK | ROW_NA4 | allows);
}

static void expose(void)
{
	csr_write(CSR_PMPCFG0, 0U);
}

/* Memory protection refuses a post. */
static void denied(const volatile void *word, uint32_t allows, uint32_t index)
{
	begin(control_of(0U));
	protect(word, allows);
	uintr_send(index);
	expose();
	CHECK_EQ(trap_last.count, 1U);
	CHECK_EQ(trap_last.mcause & 0xfffU, MCAUSE_SEND_FAULT & 0xfffU);
	CHECK_EQ(trap_last.mtval, index);
	trap_clear();
	expect(control_of(0U), 0U, 0U);
	CHECK_EQ(self.upid.puir[1], 0U);
}

/* Memory protection allows a post. */
static void allowed(const volatile void *word, uint32_t allows)
{
	begin(control_of(0U));
	protect(word, allows);
	uintr_send(0U);
	for (unsigned int i = 0U; i < 10U; i++) {
		__asm__ volatile("nop");
	}
	expose();
	CHECK_NO_TRAP();
}

static void protection(void)
{
	csr_write(CSR_MSECCFG, MSECCFG_RLB); /* RLB: locked rows can be written */
	for (unsigned int i = 0U; i < 4U; i++) {
		const uint32_t *entry = (const uint32_t *)&self.targets[0];

		denied(&entry[i], 0U, 0U);
		allowed(&entry[i], ROW_R);
		expect(control_of(0U), 0U, 1U << LOW);
	}
	denied(&self.upid.control, ROW_R, 0U);
	denied(&self.upid.control, 0U, 1U);
	denied(&self.upid.ndst, ROW_R, 0U);
	denied(&self.upid.puir[0], ROW_R, 0U);
	denied(&self.upid.puir[1], ROW_R, 1U);

	/* The sender does not access the word of PUIR without the vector. Only the receiver does. */
	irq_trigger_set(UINTR_RUNNING, IRQ_TRIGGER_FALLING);
	allowed(&self.upid.puir[1], ROW_R);
	expect(control_of(UINTR_ON), 1U << LOW, 0U);
	CHECK_EQ(*irq_register(UINTR_RUNNING, TRAPEZE_CLIC_IRQ_IP_OFFSET), 1U);
	*irq_register(UINTR_RUNNING, TRAPEZE_CLIC_IRQ_IP_OFFSET) = 0U;
	irq_trigger_set(UINTR_RUNNING, IRQ_TRIGGER_HIGH);

	/* A table of targets at the address of a device. */
	begin(control_of(0U));
	csr_write(CSR_MUITT, TRAPEZE_CLIC_BASE | MUITT_ENABLE);
	uintr_send(0U);
	CHECK_EQ(trap_last.count, 1U);
	CHECK_EQ(trap_last.mcause & 0xfffU, MCAUSE_SEND_FAULT & 0xfffU);
	csr_write(CSR_MUITT, (uint32_t)self.targets | MUITT_ENABLE);
	csr_write(CSR_MSECCFG, 0U);
}

static void vectors(void)
{
	/* SN, ON, and unused bits */
	begin(control_of(UINTR_SN));
	uintr_send(0U);
	expect(control_of(UINTR_SN), 1U << LOW, 0U);
	begin(control_of(UINTR_ON));
	uintr_send(0U);
	expect(control_of(UINTR_ON), 1U << LOW, 0U);
	begin(control_of(RESERVED));
	uintr_send(0U);
	expect(control_of(RESERVED), 0U, 1U << LOW);

	/* A hart that does not exist */
	begin(control_of(0U));
	self.upid.ndst = 7U;
	uintr_send(0U);
	expect(control_of(UINTR_ON), 1U << LOW, 0U);

	/* A notification vector beyond the sources, that of a level-triggered source, and that of an edge-triggered one
	 */
	begin(200U << UPID_CONTROL_NV_SHIFT);
	uintr_send(0U);
	expect(200U << UPID_CONTROL_NV_SHIFT | UINTR_ON, 1U << LOW, 0U);
	begin(WATCHED << UPID_CONTROL_NV_SHIFT);
	uintr_send(0U);
	expect(WATCHED << UPID_CONTROL_NV_SHIFT | UINTR_ON, 1U << LOW, 0U);
	CHECK_EQ(*irq_register(WATCHED, TRAPEZE_CLIC_IRQ_IP_OFFSET), 0U);
	irq_trigger_set(WATCHED, IRQ_TRIGGER_RISING);
	CHECK_EQ(*irq_register(WATCHED, TRAPEZE_CLIC_IRQ_IP_OFFSET), 0U);
	begin(WATCHED << UPID_CONTROL_NV_SHIFT);
	uintr_send(0U);
	expect(WATCHED << UPID_CONTROL_NV_SHIFT | UINTR_ON, 1U << LOW, 0U);
	CHECK_EQ(*irq_register(WATCHED, TRAPEZE_CLIC_IRQ_IP_OFFSET), 1U);
	*irq_register(WATCHED, TRAPEZE_CLIC_IRQ_IP_OFFSET) = 0U;

	/* No thread is enabled as receiver: the source becomes pending, too */
	csr_write(CSR_MUPID, (uint32_t)&self.upid);
	begin(WATCHED << UPID_CONTROL_NV_SHIFT);
	uintr_send(0U);
	expect(WATCHED << UPID_CONTROL_NV_SHIFT | UINTR_ON, 1U << LOW, 0U);
	CHECK_EQ(*irq_register(WATCHED, TRAPEZE_CLIC_IRQ_IP_OFFSET), 1U);
	*irq_register(WATCHED, TRAPEZE_CLIC_IRQ_IP_OFFSET) = 0U;
	csr_write(CSR_MUPID, (uint32_t)&self.upid | MUPID_ENABLE);
	begin(control_of(0U));
}

/* Whether a store-conditional after a post to @p self succeeds. */
static bool conditional(volatile uint32_t *word)
{
	uint32_t failed;
	uint32_t old;

	begin(control_of(UINTR_SN));
	__asm__ volatile("lr.w %0, (%2)\n\t.insn r 0x73, 0, 0x47, x0, x0, x0\n\tsc.w %1, %0, (%2)"
			 : "=&r"(old), "=&r"(failed)
			 : "r"(word)
			 : "memory");
	return failed == 0U;
}

static void taking(void)
{
	uintr_enable();
	__asm__ volatile("nop");
	uintr_disable();
}

static void posting_all(void)
{
	for (uint32_t i = 0U; i < 4U; i++) {
		uintr_send(i);
	}
}

static void wait_for(volatile uint32_t *word, uint32_t value)
{
	while (*word != value) {
	}
}

static void delay(uint32_t count)
{
	for (uint32_t i = 0U; i < count; i++) {
		__asm__ volatile("nop");
	}
}

/* Hart 1 posts to the thread that runs on hart 0, and to the thread that does not run. */
static void second(void *arg)
{
	(void)arg;
	uintr_become(&sender, handler);
	for (uint32_t phase = 1U; phase <= PHASES; phase++) {
		wait_for(&go, phase);
		delay(phase % 29U);
		uintr_send(phase % 2U);
		gone = phase;
	}
	uintr_switch_out(&sender);
	strange = trap_last.count;
}

static void two_senders(void)
{
	uint32_t expected = 0U;

	CHECK_EQ(hart_start(1U, second, NULL), 0);
	for (uint32_t phase = 1U; phase <= PHASES; phase++) {
		uint32_t wanted = (phase % 2U == 0U) ? 1U << 1 | 1U << LOW : 1U << LOW;
		uint32_t tries = 0U;

		expected += phase % 2U;
		go = phase;
		delay(phase % 23U);
		uintr_send(0U);
		wait_for(&gone, phase);
		while ((csr_read(CSR_MUIRR) != wanted || told_count != expected) &&
		       tries < FOREVER) {
			tries++;
		}
		CHECK_EQ(csr_read(CSR_MUIRR), wanted);
		CHECK_EQ(told_count, expected);
		CHECK_EQ(self.upid.control, control_of(0U));
		CHECK_EQ(self.upid.puir[0] | self.upid.puir[1], 0U);
		csr_write(CSR_MUIRR, 0U);
		other.upid.control = WATCHED << UPID_CONTROL_NV_SHIFT;
	}
	hart_wait(1U);
	CHECK_EQ(strange, 0U);
}

int main(void)
{
	static const uint32_t targets[] = {LOW, HIGH, 63U, 31U};

	uintr_thread_init(&self, UINTR_RUNNING);
	uintr_thread_init(&other, UINTR_RUNNING);
	uintr_thread_init(&sender, UINTR_RUNNING);
	for (unsigned int i = 0U; i < 4U; i++) {
		CHECK_EQ(uintr_connect(&self, i, &self, targets[i]), 0);
	}
	CHECK_EQ(uintr_connect(&sender, 0U, &self, 1U), 0);
	CHECK_EQ(uintr_connect(&sender, 1U, &other, 2U), 0);
	uintr_become(&self, handler);
	(void)trap_set_handler(test_trap_handler);
	protection();
	vectors();

	CHECK(conditional(&spare));
	CHECK(!conditional(&self.upid.puir[0]));
	CHECK(!conditional(&self.upid.control));
	CHECK(conditional(&self.upid.puir[1]));
	begin(control_of(0U));

	/* The highest vector comes first. */
	user_call(posting_all);
	user_call(taking);
	CHECK_EQ(handled, 4U);
	CHECK_EQ(order[0], 63U);
	CHECK_EQ(order[1], HIGH);
	CHECK_EQ(order[2], 31U);
	CHECK_EQ(order[3], LOW);

	CHECK_EQ(irq_connect(WATCHED, told, NULL), 0);
	irq_enable(WATCHED);
	CHECK(uintr_watch(&other, WATCHED));
	irq_unlock_all();
	two_senders();
	CHECK_NO_TRAP();
	return test_end();
}
