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
#include <trapeze/pmp.h>
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

#ifdef SBI_CELLS

/* The hypervisor looks at these: some are accesses that it emulates. */
#define NOT_DELEGATED_ ((1U << MCAUSE_LOAD_FAULT) | (1U << MCAUSE_STORE_FAULT))
#ifdef SBI_VCPUS /* and at this one: some are wfi */
#define DELEGATED (DELEGATED_EXCEPTIONS & ~(NOT_DELEGATED_ | (1U << MCAUSE_ILLEGAL_INSTRUCTION)))
#else
#define DELEGATED (DELEGATED_EXCEPTIONS & ~NOT_DELEGATED_)
#endif

#else

#define DELEGATED DELEGATED_EXCEPTIONS

/**
 * What supervisor mode drives itself; it can access nothing else. Timers, software interrupts and the end of the run are
 * calls of the firmware.
 */
static const struct pmp_region regions[] = {
    {"firmware", TRAPEZE_DRAM_BASE, SBI_BYTES, 0},
    {"memory", TRAPEZE_DRAM_BASE, TRAPEZE_DRAM_SIZE, PMP_READ | PMP_WRITE | PMP_EXECUTE},
#ifdef TRAPEZE_RING_BASE
    {"ring", TRAPEZE_RING_BASE, TRAPEZE_RING_SIZE, PMP_READ | PMP_WRITE},
#endif
#ifdef TRAPEZE_MAILBOX_A_BASE
    {"mailbox", TRAPEZE_MAILBOX_A_BASE, TRAPEZE_MAILBOX_A_SIZE, PMP_READ | PMP_WRITE},
#endif
/* Only with a device of supervisor mode behind it. `app_probe`, which interrupts through it, too, has no row. */
#if defined(TRAPEZE_UART_PLIC_SOURCE) || defined(TRAPEZE_MAILBOX_A_PLIC_SOURCE)
    {"plic", TRAPEZE_PLIC_BASE, TRAPEZE_PLIC_SIZE, PMP_READ | PMP_WRITE},
#endif
#ifdef TRAPEZE_UART_PLIC_SOURCE /* otherwise the console is this firmware's */
    {"uart", TRAPEZE_UART_BASE, TRAPEZE_UART_SIZE, PMP_READ | PMP_WRITE},
#endif
#ifdef SBI_FINISHER /* the first program ends the run with any exit code; a call knows three of them */
    {"finisher", TRAPEZE_HOST_BASE + TRAPEZE_HOST_FINISHER_OFFSET, 8, PMP_READ | PMP_WRITE},
#endif
#ifdef TRAPEZE_BELL_PAGES_BASE
    {"bells", TRAPEZE_BELL_PAGES_BASE, TRAPEZE_BELL_PAGES_SIZE, PMP_READ | PMP_WRITE},
#endif
};

static void open_own(void)
{
	(void)pmp_regions_set(regions, sizeof(regions) / sizeof(regions[0]));
}

#endif

/** Prepare this hart for supervisor mode at an address; sbi_enter() then starts it. */
static void supervise(uint64_t entry)
{
#ifdef SBI_CELLS
	hypervisor_open();
#else
	open_own();
#endif
	csr_write(CSR_MEDELEG, DELEGATED);
	csr_write(CSR_MIDELEG, MIP_SSIP | MIP_STIP | MIP_SEIP);
	csr_write(CSR_MCOUNTEREN, MCOUNTEREN_CY | MCOUNTEREN_TM | MCOUNTEREN_IR);
	/* Linux 6.1 leaves scounteren to the firmware. Programs read the clock by rdtime, which Linux' vDSO uses. The
	 * bits are those of mcounteren.
	 */
	csr_write(CSR_SCOUNTEREN, MCOUNTEREN_CY | MCOUNTEREN_TM | MCOUNTEREN_IR);
	/* Instructions for cache blocks, where there are any: those of Zicbom, which the device tree names. */
	csr_write(CSR_MENVCFG, MENVCFG_CBIE_INVAL | MENVCFG_CBCFE);
	sbi_timer_set(UINT64_MAX);
	csr_set(CSR_MIE, MIE_MSIE); /* requests and doorbells of other harts */

	csr_write(CSR_SATP, 0);
	csr_write(CSR_MEPC, entry);
#ifdef SBI_VCPUS
	csr_write(CSR_MSTATUS,
		  MSTATUS_MPP_S | MSTATUS_TW); /* a virtual hart that waits gives its time away */
#else
	csr_write(CSR_MSTATUS, MSTATUS_MPP_S);
#endif
}

/** What a hart does once it is started. */
static _Noreturn void enter(uint64_t entry, uint64_t argument)
{
	supervise(entry);
	sbi_enter(sbi_hart(), argument);
}

void sbi_main(void)
{
	sbi_harts_begin(enter);
#ifdef SBI_CELLS
	hypervisor_begin();
#endif
	supervise((uintptr_t)sbi_kernel);
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
#ifdef SBI_CELLS
		if (hypervisor_trap(frame, cause)) {
			break;
		}
#endif
		unexpected(cause);
	}
#ifdef SBI_VCPUS
	hypervisor_leave(frame);
#endif
}
