/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Monitor, scheme `emulate`: runs a program that is linked for machine mode in user mode. Its accesses to CSRs,
 * interrupt controller and timer trap, and the monitor carries them out on the guest's state. The monitor hands
 * interrupts and exceptions to the program in the form of machine mode's.
 */
#include <stdint.h>

#include <trapeze/clic.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>

#include "emulate.h"
#include "scheme.h"

/* A byte of pmpcfg: the row ends at pmpaddr and begins where the row before ends. No row is locked, so no row restricts
 * machine mode.
 */
#define ROW_CLOSED PMPCFG_A_TOR
#define ROW_OPEN   (ROW_CLOSED | PMPCFG_R | PMPCFG_W | PMPCFG_X)

void monitor_emulate(void); /* emulate.S */

/* Of the program: the address of its first instruction, and its first two words. A jump to the monitor stands in the
 * place of these words until the monitor begins (lab/src/trapeze/firmware/emulated.py). The symbols' addresses are the
 * values.
 */
extern const char _start[];
extern const char guest_first_word[];
extern const char guest_second_word[];

struct guest guest;

__attribute__((noreturn)) static void end(uint32_t mcause, uint32_t mtval, const char *what)
{
	struct monitor_place place = {mcause, guest.pc, mtval, guest.x[GUEST_SP]};

	monitor_report(&place, what);
	monitor_end();
}

void guest_refuse(const char *what)
{
	end(csr_read(CSR_MCAUSE), csr_read(CSR_MTVAL), what);
}

static void check_memory(uint32_t at)
{
	if ((at - TRAPEZE_IMEM_BASE >= TRAPEZE_IMEM_SIZE &&
	     at - TRAPEZE_DMEM_BASE >= TRAPEZE_DMEM_SIZE &&
	     at - TRAPEZE_SMEM_BASE >= TRAPEZE_SMEM_SIZE) ||
	    (at >= (uint32_t)monitor_rom_start && at < (uint32_t)monitor_ram_end)) {
		end(MCAUSE_FRAME_STORE_FAULT, at, 0);
	}
}

uint32_t guest_load(uint32_t at)
{
	check_memory(at);
	return *(volatile uint32_t *)(at & ~3U);
}

void guest_store(uint32_t at, uint32_t value)
{
	check_memory(at);
	*(volatile uint32_t *)(at & ~3U) = value;
}

/* The entry that exceptions and interrupts have in common. */
static void enter(uint32_t cause, uint8_t level)
{
	guest.mcause = cause | MCAUSE_MPP | (guest.mie ? MCAUSE_MPIE : 0U) |
		       ((uint32_t)guest.mil << MCAUSE_MPIL_SHIFT);
	guest.mepc = guest.pc;
	guest.mil = level;
	guest.mie = false;
	guest.pc = guest.mtvec & ~63U;
}

void guest_exception(uint32_t code, uint32_t mtval)
{
	if (guest.mtvec == 0U) {
		guest_refuse(0);
	}
	enter(code, guest.mil);
	guest.mtval = mtval;
}

/* ---------------------------------------------------------------- interrupts */

volatile uint8_t *interrupt_register(uint32_t source, uint32_t offset)
{
	return (volatile uint8_t *)(TRAPEZE_CLIC_BASE + offset +
				    source * TRAPEZE_CLIC_IRQ_IP_STRIDE);
}

uint8_t interrupt_level(uint32_t source)
{
	uint32_t bits = (*(volatile uint32_t *)(TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_MCLICCFG_OFFSET) &
			 TRAPEZE_CLIC_MCLICCFG_MNLBITS_MASK) >>
			TRAPEZE_CLIC_MCLICCFG_MNLBITS_SHIFT;

	return *interrupt_register(source, TRAPEZE_CLIC_IRQ_CTL_OFFSET) |
	       (uint8_t)(UINT8_MAX >> bits);
}

void interrupts_reconsider(void)
{
	if (!guest.some_masked) {
		return;
	}
	guest.some_masked = false;
	for (uint32_t source = 0U; source < IRQ_COUNT; source++) {
		if (guest.masked[source] != 0U) {
			guest.masked[source] = 0U;
			*interrupt_register(source, TRAPEZE_CLIC_IRQ_IE_OFFSET) = guest.ie[source];
		}
	}
}

static void mask(uint32_t source)
{
	*interrupt_register(source, TRAPEZE_CLIC_IRQ_IE_OFFSET) = 0U;
	guest.masked[source] = 1U;
	guest.some_masked = true;
}

int interrupt_pending(uint8_t above)
{
	int best = -1;
	uint32_t rank = 0U;

	above = above > guest.minthresh ? above : guest.minthresh;
	for (uint32_t source = 0U; source < IRQ_COUNT; source++) {
		uint32_t ctl = *interrupt_register(source, TRAPEZE_CLIC_IRQ_CTL_OFFSET);

		if (guest.ie[source] != 0U && interrupt_level(source) > above &&
		    (best < 0 || ctl >= rank) &&
		    (*interrupt_register(source, TRAPEZE_CLIC_IRQ_IP_OFFSET) & 1U) != 0U) {
			best = (int)source;
			rank = ctl;
		}
	}
	return best;
}

/* fastirq: the hardware stores the caller-saved registers, mepc and mcause. */
static void store_frame(void)
{
	static const uint8_t register_of[] = {GUEST_CALLER_REGISTERS};
	uint32_t at = (guest.x[GUEST_SP] - TRAPEZE_IRQ_FRAME) & ~3U;

	for (uint32_t k = 0U; k < sizeof(register_of); k++) {
		guest_store(at + 4U * k, guest.x[register_of[k]]);
	}
	guest_store(at + TRAPEZE_IRQ_FRAME_MEPC, guest.mepc);
	guest_store(at + TRAPEZE_IRQ_FRAME_MCAUSE, guest.mcause);
	guest.x[GUEST_SP] -= TRAPEZE_IRQ_FRAME;
	guest.x[1] = guest.mfastirq & (uint32_t)MFASTIRQ_LINK;
}

void interrupt_came(uint32_t source)
{
	uint8_t level = interrupt_level(source);
	uint8_t attr = guest.attr[source];
	bool vectored = (attr & TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK) != 0U;
	bool edge = ((attr >> TRAPEZE_CLIC_IRQ_ATTR_TRIG_SHIFT) & 1U) != 0U;

	if (!guest.mie || level <= guest.mil || level <= guest.minthresh) {
		mask(source);
		return;
	}
	if (vectored && edge) {
		*interrupt_register(source, TRAPEZE_CLIC_IRQ_IP_OFFSET) = 0U;
	} else {
		mask(source);
	}
	enter((uint32_t)MCAUSE_INTERRUPT | source, level);
	if ((guest.mfastirq & MFASTIRQ_ENABLE) != 0U) {
		store_frame();
		guest.mie = vectored && (guest.mfastirq & MFASTIRQ_NEST) != 0U;
	}
	if (vectored) {
		guest.pc = guest_load(guest.mtvt + 4U * source) & ~1U;
	}
}

/* ---------------------------------------------------------------- traps */

void monitor_emulate(void)
{
	uint32_t cause = csr_read(CSR_MCAUSE);
	uint32_t code = cause & MCAUSE_CODE;
	uint32_t mtval = csr_read(CSR_MTVAL);

	/* The monitor's own access on behalf of the program has failed. The run ends, because a return from here would
	 * go on in machine mode.
	 */
	if ((csr_read(CSR_MSTATUS) & MSTATUS_MPP) != MSTATUS_MPP_U) {
		guest_refuse("a register that is not there");
	}
	guest.pc = csr_read(CSR_MEPC);
	if ((cause & MCAUSE_INTERRUPT) != 0U) {
		interrupt_came(code);
	} else if (code == MCAUSE_ILLEGAL_INSTRUCTION) {
		guest_system(mtval);
	} else if (code == MCAUSE_ECALL_U) {
		guest_exception(MCAUSE_ECALL_M, 0U);
	} else if (mtval >= (uint32_t)monitor_rom_start && mtval < (uint32_t)monitor_ram_end) {
		guest_refuse(0);
	} else if ((code != MCAUSE_LOAD_FAULT && code != MCAUSE_STORE_FAULT) ||
		   !guest_device(mtval, code == MCAUSE_STORE_FAULT)) {
		guest_exception(code, mtval);
	}
	csr_write(CSR_MEPC, guest.pc);
}

/* ---------------------------------------------------------------- start */

static void protect(void)
{
	csr_write(CSR_PMPADDR0, TRAPEZE_CLINT_BASE >> 2);
	csr_write(CSR_PMPADDR0 + 1, (TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_SIZE) >> 2);
	csr_write(CSR_PMPADDR0 + 2, TRAPEZE_CLIC_BASE >> 2);
	csr_write(CSR_PMPADDR0 + 3, (TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_SIZE) >> 2);
	csr_write(CSR_PMPADDR0 + 4, (uint32_t)monitor_rom_start >> 2);
	csr_write(CSR_PMPADDR0 + 5, (uint32_t)monitor_ram_end >> 2);
	csr_write(CSR_PMPADDR0 + 6, UINT32_MAX);
	csr_write(CSR_PMPCFG0, ROW_OPEN | ROW_CLOSED << 8 | ROW_OPEN << 16 | ROW_CLOSED << 24);
	csr_write(CSR_PMPCFG0 + 1, ROW_OPEN | ROW_CLOSED << 8 | ROW_OPEN << 16);
}

void monitor_scheme_init(void)
{
	volatile uint32_t *words = (volatile uint32_t *)&guest;

	for (uint32_t word = 0U; word < sizeof(guest) / sizeof(uint32_t); word++) {
		words[word] = 0U;
	}
	guest.mcause = MCAUSE_MPP;
	words = (volatile uint32_t *)_start;
	words[0] = (uint32_t)guest_first_word;
	words[1] = (uint32_t)guest_second_word;
	__asm__ volatile("fence.i" : : : "memory");
	csr_write(CSR_MTVEC, (uint32_t)monitor_trap | MTVEC_MODE_CLIC);
	csr_write(CSR_MSCRATCH, (uint32_t)&guest);
	csr_set(CSR_MSTATUS, MSTATUS_TW);
	protect();
}
