/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: senduipi that is refused, precisely and without a trace; a frame that user mode may not store; notification
  vectors of machine mode's own
config: [duo-user]
engines: [rtl]
qemu: it has no user interrupts
expect: |
  PASS
*/
#include <trapeze/irq_clic.h>
#include <trapeze/map.h>

#include "uintr_test.h"

#define WATCHED 13U /* a source without a wire */

TZ_SHARED static struct uintr_thread self;
TZ_SHARED static struct uintr_thread other;

static volatile uint32_t handled;
static volatile uint32_t last;
static volatile uint32_t index_to_send;
static volatile uint32_t kernel_told;

static void handler(unsigned int vector)
{
	handled++;
	last = vector;
}

static void sending(void)
{
	uintr_send(index_to_send);
}

static void taking(void)
{
	uintr_enable();
	__asm__ volatile("nop");
	uintr_disable();
}

static void told(void *arg)
{
	(void)arg;
	kernel_told++;
}

static uint32_t repairs;
static uint32_t waited;
static uint32_t handled_before;

/* Handler for a frame that was refused: opens the stack again. */
static bool repair(struct trap_frame *frame)
{
	if (TEST_CAUSE(frame->mcause) != MCAUSE_FRAME_STORE_FAULT) {
		return test_trap_handler(frame);
	}
	repairs++;
	waited = csr_read(CSR_MUIRR);
	handled_before = handled;
	csr_write(CSR_PMPCFG0, 0U);
	return true;
}

/* Checks that senduipi with an index raises exception 26, that the program goes on behind it, and that no hart was
 * notified.
 */
static void refused(uint32_t index)
{
	trap_clear();
	index_to_send = index;
	user_call(sending);
	CHECK_EQ(trap_last.count, 1U);
	CHECK_EQ(trap_last.mcause, MCAUSE_SEND_FAULT);
	CHECK_EQ(trap_last.mtval, index);
	CHECK_EQ(self.upid.control, UINTR_RUNNING << UPID_CONTROL_NV_SHIFT);
	CHECK_EQ(self.upid.puir[0] | self.upid.puir[1], 0U);
	CHECK_EQ(csr_read(CSR_MUIRR) | csr_read(CSR_MUIRRH), 0U);
	trap_clear();
}

static volatile uint32_t *word_to_store;

static void storing(void)
{
	*word_to_store = 1U;
}

/* Addresses that cannot hold a UPID or a table: devices, gaps between memories, and addresses behind the last memory.
 */
static const uint32_t nowhere[] = {
    0U,
    TRAPEZE_HOST_BASE,
    TRAPEZE_CLINT_BASE,
    TRAPEZE_CLIC_BASE,
    TRAPEZE_CLIC_USER_BASE,
    TRAPEZE_UART_BASE,
    TRAPEZE_PROBE_BASE,
    0x40000000U,
    TRAPEZE_SHMEM_BASE + TRAPEZE_SHMEM_SIZE,
    0xffffffc0U,
};

static void elsewhere(void)
{
	for (unsigned int i = 0U; i < sizeof(nowhere) / sizeof(nowhere[0]); i++) {
		self.targets[1] = self.targets[0];
		self.targets[1].upid = nowhere[i];
		refused(1U);
		csr_write(CSR_MUITT, nowhere[i] | MUITT_ENABLE);
		refused(0U);
		csr_write(CSR_MUITT, (uint32_t)self.targets | MUITT_ENABLE);
	}
	for (uint32_t offset = 1U; offset < 64U; offset <<= 1) {
		self.targets[1] = self.targets[0];
		self.targets[1].upid += offset;
		refused(1U);
	}
	self.targets[1].valid = 0U;

	/* An entry of another thread's table cannot be used, and a table without entries has none. */
	CHECK_EQ(uintr_connect(&other, 3U, &self, 5U), 0);
	refused(3U);
	csr_write(CSR_MUITTSZ, 3U);
	refused(3U);
	csr_write(CSR_MUITTSZ, 0U);
	refused(0U);
	csr_write(CSR_MUITTSZ, UINTR_TARGETS);
}

/* User mode without access to shared memory can post to its targets, and can change neither table nor UPID. */
static void behind_protection(void)
{
	volatile uint32_t *const words[] = {
	    &self.upid.control,
	    &self.upid.ndst,
	    &self.upid.puir[0],
	    &other.upid.puir[1],
	    (volatile uint32_t *)&self.targets[1],
	    &self.targets[0].upid,
	};

	csr_write(CSR_PMPADDR0, NAPOT(TRAPEZE_SHMEM_BASE, TRAPEZE_SHMEM_SIZE));
	csr_write(CSR_PMPCFG0, ROW_NAPOT);
	for (unsigned int i = 0U; i < sizeof(words) / sizeof(words[0]); i++) {
		uint32_t before = *words[i];

		word_to_store = words[i];
		user_call(storing);
		CHECK_EQ(trap_last.count, 1U);
		CHECK_EQ(trap_last.mcause, MCAUSE_STORE_FAULT);
		CHECK_EQ(trap_last.mtval, (uint32_t)words[i]);
		CHECK_EQ(*words[i], before);
		trap_clear();
	}
	index_to_send = 0U;
	user_call(sending);
	CHECK_NO_TRAP();
	CHECK_EQ(csr_read(CSR_MUIRR), 1U << 5);
	csr_write(CSR_MUIRR, 0U);

	/* Machine mode itself may not write the UPID. The post is refused, although the sender is in user mode. */
	csr_write(CSR_MSECCFG, MSECCFG_RLB);
	csr_write(CSR_PMPCFG0, 0U);
	csr_write(CSR_PMPADDR0, (uint32_t)&self.upid.control >> 2);
	csr_write(CSR_PMPCFG0, ROW_LOCK | ROW_NA4 | ROW_R);
	refused(0U);
	csr_write(CSR_PMPCFG0, 0U);
	csr_write(CSR_MSECCFG, 0U);
}

int main(void)
{
	uintr_thread_init(&self, UINTR_RUNNING);
	uintr_thread_init(&other, UINTR_RUNNING);
	CHECK_EQ(uintr_connect(&self, 0U, &self, 5U), 0);
	uintr_become(&self, handler);

	/* With posting off, senduipi is an illegal instruction. */
	csr_write(CSR_MUITT, (uint32_t)self.targets);
	user_call(sending);
	CHECK_EQ(trap_last.mcause, MCAUSE_ILLEGAL_INSTRUCTION);
	trap_clear();
	csr_write(CSR_MUITT, (uint32_t)self.targets | MUITT_ENABLE);

	refused(UINTR_TARGETS);
	refused(0x10000000U);
	refused(UINT32_MAX);
	refused(1U);
	self.targets[1] = self.targets[0];
	self.targets[1].valid = 3U;
	refused(1U);
	self.targets[1] = self.targets[0];
	self.targets[1].vector = UINTR_VECTORS;
	refused(1U);
	self.targets[1] = self.targets[0];
	self.targets[1].upid_high = 1U;
	refused(1U);
	for (unsigned int i = 0U; i < 6U; i++) {
		self.targets[1] = self.targets[0];
		self.targets[1].reserved[i] = 0x80U;
		refused(1U);
	}
	elsewhere();
	behind_protection();
	uintr_disconnect(&self, 0U);
	refused(0U);
	CHECK_EQ(uintr_connect(&self, 0U, &self, 5U), 0);

	/* The vector waits until interrupts are enabled, and comes once. */
	index_to_send = 0U;
	user_call(sending);
	CHECK_EQ(handled, 0U);
	CHECK_EQ(csr_read(CSR_MUIRR), 1U << 5);
	user_call(taking);
	CHECK_EQ(handled, 1U);
	CHECK_EQ(last, 5U);
	user_call(taking);
	CHECK_EQ(handled, 1U);
	CHECK_NO_TRAP();

	/* The frame may not be stored: the vector waits until it may. */
	user_call(sending);
	csr_write(CSR_PMPADDR0, NAPOT(TRAPEZE_SMEM_BASE, TRAPEZE_SMEM_SIZE));
	csr_write(CSR_PMPCFG0, ROW_NAPOT | ROW_R);
	(void)trap_set_handler(repair);
	user_call(taking);
	(void)trap_set_handler(test_trap_handler);
	CHECK_EQ(repairs, 1U);
	CHECK_EQ(waited, 1U << 5);
	CHECK_EQ(handled_before, 1U);
	CHECK_EQ(handled, 2U);

	/* The receiver does not run: machine mode is notified once, and no post is lost. */
	CHECK_EQ(uintr_connect(&self, 2U, &other, 63U), 0);
	CHECK_EQ(irq_connect(WATCHED, told, NULL), 0);
	irq_trigger_set(WATCHED, IRQ_TRIGGER_RISING);
	irq_enable(WATCHED);
	index_to_send = 2U;
	user_call(sending);
	CHECK_EQ(kernel_told, 0U);
	CHECK_EQ(other.upid.puir[1], 0x80000000U);
	CHECK(!uintr_watch(&other, WATCHED));
	other.upid.puir[1] = 0U;
	CHECK(uintr_watch(&other, WATCHED));
	user_call(sending);
	user_call(sending);
	CHECK_EQ(kernel_told, 1U);
	CHECK_EQ(other.upid.control, UINTR_ON | WATCHED << UPID_CONTROL_NV_SHIFT);
	uintr_switch_out(&self);
	uintr_switch_in(&other);
	CHECK_EQ(other.upid.control, UINTR_RUNNING << UPID_CONTROL_NV_SHIFT);
	user_call(taking);
	CHECK_EQ(handled, 3U);
	CHECK_EQ(last, 63U);
	CHECK_NO_TRAP();
	return test_end();
}
