/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Monitor, scheme `emulate`: the guest's memory, exceptions and interrupts. */
#include <stdint.h>

#include <trapeze/clic.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>

#include "emulate.h"
#include "scheme.h"

struct guest guest;

/* What guest_refuse() calls each of them in its report. */
static const char *const names[] = {
    [REFUSED_ACCESS] = 0,
    [REFUSED_REGISTER] = "a register that is not there",
    [REFUSED_JALMNXTI] = "jalmnxti",
    [REFUSED_MSCRATCHCSW] = "mscratchcsw",
    [REFUSED_MSCRATCHCSWL] = "mscratchcswl",
    [REFUSED_MCOUNTINHIBIT] = "mcountinhibit",
    [REFUSED_MSECCFG] = "mseccfg",
    [REFUSED_PROTECTION] = "memory protection",
    [REFUSED_USER_INTERRUPTS] = "user interrupts of threads",
    [REFUSED_COUNTER] = "a counter that is written",
    [REFUSED_USER_MODE] = "user mode",
    [REFUSED_MINHV] = "minhv",
};

__attribute__((noreturn)) static void end(uint32_t mcause, uint32_t mtval, enum refused what)
{
	struct monitor_place place = {mcause, guest.pc, mtval, guest.x[GUEST_SP]};

	monitor_report(&place, names[what]);
	monitor_end();
}

void guest_refuse(enum refused what)
{
	end(csr_read(CSR_MCAUSE), csr_read(CSR_MTVAL), what);
}

static bool is_memory(uint32_t at)
{
	return (at - TRAPEZE_IMEM_BASE < TRAPEZE_IMEM_SIZE ||
		at - TRAPEZE_DMEM_BASE < TRAPEZE_DMEM_SIZE ||
		at - TRAPEZE_SMEM_BASE < TRAPEZE_SMEM_SIZE) &&
	       !(at >= (uint32_t)monitor_rom_start && at < (uint32_t)monitor_ram_end);
}

volatile uint32_t *guest_words(uint32_t at, uint32_t count, uint32_t cause)
{
	at &= ~3U;
	for (uint32_t k = 0U; k < count; k++) {
		if (!is_memory(at + 4U * k)) {
			end(cause, at + 4U * k, REFUSED_ACCESS);
		}
	}
	return (volatile uint32_t *)at;
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
		guest_refuse(REFUSED_ACCESS);
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
	volatile uint32_t *frame = guest_words(guest.x[GUEST_SP] - TRAPEZE_IRQ_FRAME,
					       GUEST_FRAME_WORDS, MCAUSE_FRAME_STORE_FAULT);

	for (uint32_t k = 0U; k < sizeof(register_of); k++) {
		frame[k] = guest.x[register_of[k]];
	}
	frame[TRAPEZE_IRQ_FRAME_MEPC / 4] = guest.mepc;
	frame[TRAPEZE_IRQ_FRAME_MCAUSE / 4] = guest.mcause;
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
		guest.pc = *guest_words(guest.mtvt + 4U * source, 1U, MCAUSE_FETCH_FAULT) & ~1U;
	}
}
