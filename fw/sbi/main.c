/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Start of the firmware below Linux, and its traps.
 *
 * The firmware delegates what supervisor mode can handle: all exceptions except that mode's calls, and its interrupts.
 * It serves the calls itself, and passes the machine timer and doorbells on to supervisor mode.
 *
 * Sources: Privileged ISA 20211203, chapter 3; Linux, Documentation/riscv/boot.
 */
#include <trapeze/host.h>
#include <trapeze/map.h>
#ifdef TRAPEZE_RING_BASE
#include <trapeze/ring.h>
#endif

#include "sbi.h"

/** Where the kernel's image begins (fw/sbi/image.ld). */
extern const char sbi_kernel[];

/** @brief Prepare the boot hart for the kernel; start.S enters it then. */
void sbi_main(void);

/** @brief A trap into machine mode; start.S has saved `frame`. */
void sbi_trap(struct sbi_frame *frame);

/** Bytes of pmpcfg: NAPOT, and what supervisor mode may do. */
#define PMP_NOTHING 0x18ULL
#define PMP_DEVICE  0x1bULL /* load and store */
#define PMP_MEMORY  0x1fULL /* execute, too */

/** Value of pmpaddr for a region, whose size is a power of two and divides its base. */
#define PMP_NAPOT(base, size) (((uint64_t)(base) >> 2) | (((uint64_t)(size) >> 3) - 1))
/** One region as row `row`. A CSR's number has to be a constant. */
#define PMP_ROW(row, base, size, config)                                                           \
	do {                                                                                       \
		_Static_assert(((size) & ((size)-1)) == 0 && (base) % (size) == 0,                 \
			       "NAPOT describes the region");                                      \
		csr_write(CSR_PMPADDR0 + row, PMP_NAPOT(base, size));                              \
		config_of_rows |= (config) << (8 * (row));                                         \
	} while (0)

#ifdef TRAPEZE_RING_BASE
_Static_assert(SBI_BYTES == TRAPEZE_FIRMWARE_BYTES, "the server refuses jobs in this memory");
#endif

enum {
	/** Bytes of ecall, which has no compressed form. */
	ECALL_BYTES = 4,
	/** Exit code after a trap that the firmware does not expect in machine mode. */
	EXIT_TRAP = 3,
};

#define DELEGATED_EXCEPTIONS                                                                       \
	((1U << MCAUSE_FETCH_MISALIGNED) | (1U << MCAUSE_FETCH_FAULT) |                            \
	 (1U << MCAUSE_ILLEGAL_INSTRUCTION) | (1U << MCAUSE_BREAKPOINT) |                          \
	 (1U << MCAUSE_LOAD_MISALIGNED) | (1U << MCAUSE_LOAD_FAULT) |                              \
	 (1U << MCAUSE_STORE_MISALIGNED) | (1U << MCAUSE_STORE_FAULT) | (1U << MCAUSE_ECALL_U) |   \
	 (1U << MCAUSE_FETCH_PAGE_FAULT) | (1U << MCAUSE_LOAD_PAGE_FAULT) |                        \
	 (1U << MCAUSE_STORE_PAGE_FAULT))

void sbi_main(void)
{
	sbi_harts_begin();
	sbi_supervise((uintptr_t)sbi_kernel);
}

/**
 * Open to supervisor mode what it drives itself, and nothing else: without a row it can access nothing. The first row
 * that matches decides. Timers, software interrupts and the end of the run are calls of the firmware.
 */
static void open_rows(void)
{
	uint64_t config_of_rows = 0;

	PMP_ROW(0, TRAPEZE_DRAM_BASE, SBI_BYTES, PMP_NOTHING); /* this firmware */
	PMP_ROW(1, TRAPEZE_DRAM_BASE, TRAPEZE_DRAM_SIZE, PMP_MEMORY);
#ifdef TRAPEZE_RING_BASE
	PMP_ROW(2, TRAPEZE_RING_BASE, TRAPEZE_RING_SIZE, PMP_DEVICE);
#endif
#ifdef TRAPEZE_MAILBOX_A_BASE
	PMP_ROW(3, TRAPEZE_MAILBOX_A_BASE, TRAPEZE_MAILBOX_A_SIZE, PMP_DEVICE);
#endif
/* Only with a device of supervisor mode behind it. `app_probe`, which interrupts through it, too, has no row. */
#if defined(TRAPEZE_UART_PLIC_SOURCE) || defined(TRAPEZE_MAILBOX_A_PLIC_SOURCE)
	PMP_ROW(4, TRAPEZE_PLIC_BASE, TRAPEZE_PLIC_SIZE, PMP_DEVICE);
#endif
#ifdef TRAPEZE_UART_PLIC_SOURCE /* otherwise the console is this firmware's */
	PMP_ROW(5, TRAPEZE_UART_BASE, TRAPEZE_UART_SIZE, PMP_DEVICE);
#endif
#ifdef SBI_FINISHER /* the first program ends the run with any exit code; a call knows three of them */
	PMP_ROW(6, TRAPEZE_HOST_BASE + TRAPEZE_HOST_FINISHER_OFFSET, 8, PMP_DEVICE);
#endif
#ifdef TRAPEZE_BELL_PAGES_BASE
	PMP_ROW(7, TRAPEZE_BELL_PAGES_BASE, TRAPEZE_BELL_PAGES_SIZE, PMP_DEVICE);
#endif
	csr_write(CSR_PMPCFG0, config_of_rows);
}

int sbi_is_supervisor_code(uint64_t address)
{
	return address >= TRAPEZE_DRAM_BASE + SBI_BYTES &&
	       address < TRAPEZE_DRAM_BASE + TRAPEZE_DRAM_SIZE;
}

void sbi_supervise(uint64_t entry)
{
	open_rows();
	csr_write(CSR_MEDELEG, DELEGATED_EXCEPTIONS);
	csr_write(CSR_MIDELEG, MIP_SSIP | MIP_STIP | MIP_SEIP);
	csr_write(CSR_MCOUNTEREN, MCOUNTEREN_CY | MCOUNTEREN_TM | MCOUNTEREN_IR);
	/* Linux 6.1 leaves scounteren to the firmware. Programs read the clock by rdtime, which Linux' vDSO uses. The
	 * bits are those of mcounteren.
	 */
	csr_write(CSR_SCOUNTEREN, MCOUNTEREN_CY | MCOUNTEREN_TM | MCOUNTEREN_IR);
	csr_write(CSR_MENVCFG,
		  0xf0); /* CBIE, CBCFE, CBZE: instructions for cache blocks, where there are any */
	sbi_timer_set(UINT64_MAX);
	csr_set(CSR_MIE, MIE_MSIE); /* requests and doorbells of other harts */

	csr_write(CSR_SATP, 0);
	csr_write(CSR_MEPC, entry);
	csr_write(CSR_MSTATUS, MSTATUS_MPP_S);
}

static void put_hex(uint64_t value)
{
	sbi_console_write("0x");
	for (int shift = 60; shift >= 0; shift -= 4) {
		sbi_console_put("0123456789abcdef"[(value >> shift) & 0xf]);
	}
}

static _Noreturn void unexpected(uint64_t cause)
{
	sbi_console_write("\nsbi: trap into machine mode that nothing was meant to raise: mcause ");
	put_hex(cause);
	sbi_console_write(" mepc ");
	put_hex(csr_read(CSR_MEPC));
	sbi_console_write(" mtval ");
	put_hex(csr_read(CSR_MTVAL));
	sbi_console_put('\n');
	sbi_exit(EXIT_TRAP);
}

void sbi_trap(struct sbi_frame *frame)
{
	const uint64_t cause = csr_read(CSR_MCAUSE);

	switch (cause) {
	case MCAUSE_INTERRUPT | IRQ_TIMER:
		sbi_timer_expired();
		break;
	case MCAUSE_INTERRUPT | IRQ_SOFTWARE:
		sbi_doorbell_rung();
		break;
	case MCAUSE_ECALL_S:
		sbi_call(frame);
		csr_write(CSR_MEPC, csr_read(CSR_MEPC) + ECALL_BYTES);
		break;
	default:
		unexpected(cause);
	}
}
