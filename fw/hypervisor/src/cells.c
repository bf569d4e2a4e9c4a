/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The guests: Linux, and a cell beside it. Nothing is shared but a page of coherent memory. Here they begin, trap,
 * call and end; all other files of the hypervisor are below this one.
 */
#include <trapeze/cell.h>
#include <trapeze/host.h>
#include <trapeze/map.h>
#include <trapeze/pmp.h>
#include <trapeze/random.h>
#include <trapeze/timers.h>
#include <trapeze/uart.h>

#include "hypervisor.h"

#define READ_WRITE (PMP_READ | PMP_WRITE)
#define ALL        (PMP_READ | PMP_WRITE | PMP_EXECUTE)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** What the cell is loaded from (image.S). */
extern const char cell_image[], cell_image_end[];

static const struct pmp_region of_linux[] = {
    {"firmware", TRAPEZE_DRAM_BASE, SBI_BYTES, 0},
    {"image of the cell", CELL_IMAGE_BASE, CELL_IMAGE_SIZE, 0},
    {"cell", CELL_MEMORY_BASE, CELL_MEMORY_SIZE, 0},
    {"memory", TRAPEZE_DRAM_BASE, TRAPEZE_DRAM_SIZE, ALL},
#ifdef TRAPEZE_RING_BASE
    {"ring", TRAPEZE_RING_BASE, TRAPEZE_RING_SIZE, READ_WRITE},
#endif
#ifdef TRAPEZE_MAILBOX_A_BASE
    {"mailbox", TRAPEZE_MAILBOX_A_BASE, TRAPEZE_MAILBOX_A_SIZE, READ_WRITE},
#endif
    {"uart", TRAPEZE_UART_BASE, TRAPEZE_UART_SIZE, READ_WRITE},
#ifdef SBI_FINISHER
    {"finisher", TRAPEZE_HOST_BASE + TRAPEZE_HOST_FINISHER_OFFSET, 8, READ_WRITE},
#endif
#ifdef TRAPEZE_BELL_PAGES_BASE
    {"bells", TRAPEZE_BELL_PAGES_BASE, TRAPEZE_BELL_PAGES_SIZE, READ_WRITE},
#endif
};

static const struct pmp_region of_cell[] = {
    {"memory", CELL_MEMORY_BASE, CELL_MEMORY_SIZE, ALL},
    {"shared page", TRAPEZE_RING_BASE + TRAPEZE_CELL_PAGE, TRAPEZE_CELL_PAGE_BYTES, READ_WRITE},
#define ROW(name) {"latency measurement", TRAPEZE_##name##_BASE, TRAPEZE_##name##_SIZE, READ_WRITE},
    CELL_DEVICES(ROW)
#undef ROW
};

/** How the cell has ended, as TRAPEZE_CELL_STATUS says it; 0: it has not. It counts once the cell's hart is stopped. */
static uint32_t ended;

enum {
	MOST_REGIONS = 14,
};

/** Makes the cell's memory what its image says, and nothing else of what was in it. */
static void load(void)
{
	uint64_t *const to = (uint64_t *)(uintptr_t)CELL_MEMORY_BASE;
	const uint64_t *const from = (const uint64_t *)cell_image;
	const size_t words = (size_t)(cell_image_end - cell_image) / 8;

	for (size_t i = 0; i < words; i++) {
		to[i] = from[i];
		__asm__ volatile("" : : : "memory");
	}
	memory_clear(to + words, CELL_MEMORY_SIZE - 8 * words);
	__asm__ volatile("fence.i" : : : "memory");
}

/** Stops a latency measurement: no timer runs, no block of data is announced. */
static void quiet_one(uintptr_t timers, uintptr_t generator)
{
	for (uint32_t timer = 0; timer < TRAPEZE_TIMERS_CHANNEL_CONTROL_COUNT; timer++) {
		*(volatile uint32_t *)(timers + timer * TRAPEZE_TIMERS_CHANNEL_CONTROL_STRIDE) = 0;
	}
	*(volatile uint32_t *)(generator + TRAPEZE_RANDOM_CONTROL_OFFSET) =
	    TRAPEZE_RANDOM_CONTROL_ACK_MASK;
}

/** Stops the cell's devices. */
static void quiet(void)
{
#define QUIET(name) quiet_one(TRAPEZE_##name##_TIMER_BASE, TRAPEZE_##name##_RANDOM_BASE);
	CELL_DEVICES(QUIET)
#undef QUIET
}

/** Rows of memory protection of the guest of this hart; with delegated interrupts its page of the PLIC, too. */
static void open_rows(const struct pmp_region *regions, size_t count, bool delegated)
{
	struct pmp_region all[MOST_REGIONS];
	unsigned int used = 0;

	for (; used < count; used++) {
		all[used] = regions[used];
	}
	if (delegated) {
		all[used++] = (struct pmp_region){"plic", TRAPEZE_PLIC_BASE + plic_page(sbi_hart()),
						  0x1000, READ_WRITE};
	}
	if (pmp_regions_set(all, used) < 0) {
		sbi_console_write(
		    "hypervisor: memory protection has not the rows that were asked for\n");
		sbi_exit(SBI_EXIT_ROWS);
	}
}

void hypervisor_open(void)
{
	_Static_assert(COUNT(of_linux) < MOST_REGIONS && COUNT(of_cell) < MOST_REGIONS, "room");

#ifdef SBI_VCPUS
	const bool delegated = false;

	vcpu_begin();
	schedule_begin();
#else
	const bool delegated = !CELL_INJECTED || sbi_hart() != CELL_HART;
#endif
	if (sbi_hart() == CELL_HART) {
		quiet(); /* before the PLIC forgets what it was claimed for */
	}
	plic_open();
	if (sbi_hart() != CELL_HART) {
		open_rows(of_linux, COUNT(of_linux), delegated);
		return;
	}
	__atomic_store_n(&ended, 0, __ATOMIC_RELEASE);
	load();
	/* Nothing of the program before: no device that runs, no translation, no interrupt that is enabled or pending. */
	__asm__ volatile("sfence.vma" : : : "memory");
	csr_clear(CSR_MIE, MIP_SSIP | MIP_STIP | MIP_SEIP);
	csr_clear(CSR_MIP, MIP_SSIP);
	open_rows(of_cell, COUNT(of_cell), delegated);
}

void hypervisor_begin(void)
{
	plic_begin();
	(void)sbi_hart_start(CELL_HART, CELL_MEMORY_BASE, 0);
}

int hypervisor_trap(struct sbi_frame *frame, uint64_t cause)
{
	if ((csr_read(CSR_MSTATUS) & MSTATUS_MPP) == MSTATUS_MPP_M) {
		return 0;
	}
	switch (cause) {
	case MCAUSE_INTERRUPT | IRQ_EXTERNAL:
		plic_interrupt();
		return 1;
	case MCAUSE_LOAD_FAULT:
	case MCAUSE_STORE_FAULT:
		(void)guest_access(frame, cause);
		return 1;
#ifdef SBI_VCPUS
	case MCAUSE_ILLEGAL_INSTRUCTION:
		if (guest_waits()) {
			csr_write(CSR_MEPC, csr_read(CSR_MEPC) + 4);
			schedule_wait();
		} else {
			guest_except(cause, csr_read(CSR_MTVAL));
		}
		return 1;
#endif
	default:
		return 0;
	}
}

#ifdef SBI_VCPUS

/** Waits for an interrupt of machine mode, and handles it as its trap does. */
static void idle(void)
{
	uint64_t pending;

	__asm__ volatile("wfi" : : : "memory");
	pending = csr_read(CSR_MIP) & csr_read(CSR_MIE);
	if ((pending & MIP_MEIP) != 0) {
		plic_interrupt();
	}
	if ((pending & MIP_MSIP) != 0) {
		sbi_doorbell_rung();
	}
	if ((pending & MIP_MTIP) != 0) {
		timers_look();
	}
}

void hypervisor_leave(struct sbi_frame *frame)
{
	struct vcpu *next;

	if (!schedule_requested()) {
		return;
	}
	for (next = schedule_best(); next == NULL; next = schedule_best()) {
		idle();
	}
	schedule_switch(frame, next);
}

#endif

/** The cell's console is the second UART, whose lines appear as those of hart 1. */
static volatile uint8_t *uart(unsigned int offset)
{
	return (volatile uint8_t *)((uintptr_t)TRAPEZE_UART1_BASE + offset);
}

void sbi_guest_put(char byte)
{
	if (sbi_hart() != CELL_HART) {
		sbi_console_put(byte);
		return;
	}
	while ((*uart(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_THRE_MASK) == 0) {
	}
	*uart(TRAPEZE_UART_THR_OFFSET) = (uint8_t)byte;
}

int sbi_guest_get(void)
{
	return sbi_hart() == CELL_HART ? -1 : sbi_console_get();
}

void sbi_guest_end(unsigned int code)
{
	if (sbi_hart() != CELL_HART) {
		sbi_exit(code);
	}
	__atomic_store_n(&ended, TRAPEZE_CELL_ENDED | code, __ATOMIC_RELEASE);
	plic_open(); /* nothing of the cell's interrupts from here on */
	sbi_hart_stop();
}

void sbi_guest_reboot(void)
{
	if (sbi_hart() != CELL_HART) {
		sbi_exit(SBI_EXIT_REBOOT);
	}
	sbi_hart_enter(CELL_MEMORY_BASE, 0);
}

struct sbi_result hypervisor_call(uint64_t function, uint64_t hart)
{
	struct sbi_result result = {.error = SBI_SUCCESS};

	if (sbi_hart() == CELL_HART) {
		return (struct sbi_result){.error = SBI_ERR_DENIED};
	}
	if (hart != CELL_HART) {
		return (struct sbi_result){.error = SBI_ERR_INVALID_PARAM};
	}
	switch (function) {
	case TRAPEZE_CELL_START:
		result.error = sbi_hart_start(CELL_HART, CELL_MEMORY_BASE, 0);
		break;
	case TRAPEZE_CELL_STOP:
		sbi_hart_halt(CELL_HART);
		break;
	case TRAPEZE_CELL_STATUS:
		/* A hart that is about to stop still runs: the cell cannot be started yet. */
		if (sbi_hart_state(CELL_HART) == SBI_HART_STOPPED) {
			result.value = __atomic_load_n(&ended, __ATOMIC_ACQUIRE);
			result.value = result.value != 0 ? result.value : 1;
		}
		break;
	default:
		result.error = SBI_ERR_NOT_SUPPORTED;
	}
	return result;
}
