/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Monitor, scheme `emulate`: CSRs of machine mode, mret, emret, wfi. */
#include <stdint.h>

#include <trapeze/clic.h>
#include <trapeze/csr.h>

#include "emulate.h"

#define OPCODE        0x7fU
#define OPCODE_SYSTEM 0x73U
#define MRET          0x30200073U
#define WFI           0x10500073U

enum outcome {
	DONE,
	ILLEGAL, /* as on a core without this CSR: the program gets the exception */
	REFUSED, /* the core has this CSR, and the monitor does not emulate it */
};

/* CSRs that the core has and the monitor does not emulate. */
static const struct {
	uint16_t first;
	uint16_t last;
	enum refused what;
} refused[] = {
    {CSR_JALMNXTI, CSR_JALMNXTI, REFUSED_JALMNXTI},
    {CSR_MSCRATCHCSW, CSR_MSCRATCHCSW, REFUSED_MSCRATCHCSW},
    {CSR_MSCRATCHCSWL, CSR_MSCRATCHCSWL, REFUSED_MSCRATCHCSWL},
    {CSR_MCOUNTINHIBIT, CSR_MCOUNTINHIBIT, REFUSED_MCOUNTINHIBIT},
    {CSR_MSECCFG, CSR_MSECCFG, REFUSED_MSECCFG},
    {CSR_PMPCFG0, CSR_PMPADDR0 + 63, REFUSED_PROTECTION},
    {CSR_MUITT, CSR_MUIRRH, REFUSED_USER_INTERRUPTS},
};

/* CSRs that exist, read zero and ignore writes: docs/core.md. */
static const struct {
	uint16_t first;
	uint16_t last;
} zeros[] = {
    {CSR_MSTATUSH, CSR_MSTATUSH},
    {CSR_MENVCFG, CSR_MENVCFG},
    {CSR_MENVCFGH, CSR_MENVCFGH},
    {CSR_MHPMEVENT3, CSR_MHPMEVENT3 + 28},
    {CSR_MHPMCOUNTER3, CSR_MHPMCOUNTER3 + 28},
    {CSR_MHPMCOUNTER3H, CSR_MHPMCOUNTER3H + 28},
    {CSR_MCONFIGPTR, CSR_MCONFIGPTR},
};

static bool reads_zero(uint32_t csr)
{
	for (uint32_t k = 0U; k < sizeof(zeros) / sizeof(zeros[0]); k++) {
		if (csr >= zeros[k].first && csr <= zeros[k].last) {
			return true;
		}
	}
	return false;
}

/* Why an access to a CSR is refused: it is in the table, or else it is a counter, which the program may only read. */
static enum refused why(uint32_t csr)
{
	for (uint32_t k = 0U; k < sizeof(refused) / sizeof(refused[0]); k++) {
		if (csr >= refused[k].first && csr <= refused[k].last) {
			return refused[k].what;
		}
	}
	return REFUSED_COUNTER;
}

/* The bits that mcause has; only machine mode and user mode are values of its mpp. */
static uint32_t legal_mcause(uint32_t value)
{
	value &= (uint32_t)(MCAUSE_INTERRUPT | MCAUSE_MINHV | MCAUSE_MPP | MCAUSE_MPIE |
			    MCAUSE_MPIL | MCAUSE_CODE);
	return (value & MCAUSE_MPP) == MCAUSE_MPP ? value : value & ~(uint32_t)MCAUSE_MPP;
}

static uint32_t read_mstatus(void)
{
	return (guest.mie ? MSTATUS_MIE : 0U) |
	       ((guest.mcause & MCAUSE_MPIE) != 0U ? MSTATUS_MPIE : 0U) |
	       (((guest.mcause & MCAUSE_MPP) >> MCAUSE_MPP_SHIFT) << MSTATUS_MPP_SHIFT);
}

static void write_mstatus(uint32_t value)
{
	guest.mie = (value & MSTATUS_MIE) != 0U;
	guest.mcause &= ~(uint32_t)(MCAUSE_MPIE | MCAUSE_MPP);
	guest.mcause |= (value & MSTATUS_MPIE) != 0U ? MCAUSE_MPIE : 0U;
	guest.mcause = legal_mcause(
	    guest.mcause | (((value & MSTATUS_MPP) >> MSTATUS_MPP_SHIFT) << MCAUSE_MPP_SHIFT));
}

static enum outcome read(uint32_t csr, uint32_t *value)
{
	switch (csr) {
	case CSR_MSTATUS:
		*value = read_mstatus();
		break;
	case CSR_MISA:
		*value = csr_read(CSR_MISA);
		break;
	case CSR_MIE: /* with a CLIC mie and mip read 0 */
	case CSR_MIP:
	case CSR_MFRAME:
		*value = 0U;
		break;
	case CSR_MTVEC:
		*value = guest.mtvec;
		break;
	case CSR_MTVT:
		*value = guest.mtvt;
		break;
	case CSR_MCOUNTEREN:
		*value = guest.mcounteren;
		break;
	case CSR_MSCRATCH:
		*value = guest.mscratch;
		break;
	case CSR_MEPC:
		*value = guest.mepc;
		break;
	case CSR_MCAUSE:
		*value = guest.mcause;
		break;
	case CSR_MTVAL:
		*value = guest.mtval;
		break;
	case CSR_MINTTHRESH:
		*value = guest.minthresh;
		break;
	case CSR_MINTSTATUS:
		*value = (uint32_t)guest.mil << MINTSTATUS_MIL_SHIFT;
		break;
	case CSR_MFASTIRQ:
		*value = guest.mfastirq;
		break;
	case CSR_MCYCLE:
		*value = csr_read(CSR_MCYCLE);
		break;
	case CSR_MCYCLEH:
		*value = csr_read(CSR_MCYCLEH);
		break;
	case CSR_MINSTRET:
		*value = csr_read(CSR_MINSTRET);
		break;
	case CSR_MINSTRETH:
		*value = csr_read(CSR_MINSTRETH);
		break;
	case CSR_MVENDORID:
		*value = csr_read(CSR_MVENDORID);
		break;
	case CSR_MARCHID:
		*value = csr_read(CSR_MARCHID);
		break;
	case CSR_MIMPID:
		*value = csr_read(CSR_MIMPID);
		break;
	case CSR_MHARTID:
		*value = csr_read(CSR_MHARTID);
		break;
	default:
		*value = 0U;
		if (reads_zero(csr)) {
			return DONE;
		}
		return why(csr) == REFUSED_COUNTER ? ILLEGAL : REFUSED;
	}
	return DONE;
}

static enum outcome write(uint32_t csr, uint32_t value)
{
	switch (csr) {
	case CSR_MSTATUS:
		write_mstatus(value);
		break;
	case CSR_MISA:
	case CSR_MIE:
	case CSR_MIP:
	case CSR_MFRAME: /* a hint */
		break;
	case CSR_MTVEC:
		guest.mtvec = (value & ~63U) | MTVEC_MODE_CLIC;
		break;
	case CSR_MTVT:
		/* The monitor does not use mtvt itself. The write goes through the hardware's register, which aligns
		 * the value.
		 */
		csr_write(CSR_MTVT, value);
		guest.mtvt = csr_read(CSR_MTVT);
		break;
	case CSR_MCOUNTEREN:
		guest.mcounteren = value & (MCOUNTEREN_CY | MCOUNTEREN_IR);
		break;
	case CSR_MSCRATCH:
		guest.mscratch = value;
		break;
	case CSR_MEPC:
		guest.mepc = value & ~1U;
		break;
	case CSR_MCAUSE:
		guest.mcause = legal_mcause(value);
		break;
	case CSR_MTVAL:
		guest.mtval = value;
		break;
	case CSR_MINTTHRESH:
		guest.minthresh = (uint8_t)value;
		break;
	case CSR_MFASTIRQ:
		guest.mfastirq = value;
		break;
	default:
		if (csr >> 10 == 3U) {
			return ILLEGAL; /* read-only */
		}
		if (!reads_zero(csr)) {
			return REFUSED; /* a counter */
		}
		break;
	}
	interrupts_reconsider();
	return DONE;
}

/* mnxti exists only with csrrs, csrrsi and csrrci, and with csrrsi only if the operand sets no bit that it must not
 * set.
 */
static bool nxti_exists(uint32_t function, uint32_t source)
{
	return function == 2U || function == 7U || (function == 6U && (source & 0x15U) == 0U);
}

/* Access to mnxti: claims the next interrupt that is not vectored and lies above a level, which is given in the field
 * of mcause. The operand changes mstatus.
 */
static uint32_t claim(uint32_t mstatus, bool writes, uint32_t level)
{
	int next = interrupt_pending((uint8_t)(level >> MCAUSE_MPIL_SHIFT));

	if (next >= 0 && (guest.attr[next] & TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK) != 0U) {
		next = -1; /* a vectored interrupt is not claimed here; the hardware delivers it */
	}

	if (writes) {
		guest.mie = (mstatus & MSTATUS_MIE) != 0U;
	}
	if (next < 0) {
		interrupts_reconsider();
		return 0U;
	}
	if (writes) {
		guest.mil = interrupt_level((uint32_t)next);
		guest.mcause = (guest.mcause & ~(uint32_t)MCAUSE_CODE) |
			       (uint32_t)MCAUSE_INTERRUPT | (uint32_t)next;
		if (((guest.attr[next] >> TRAPEZE_CLIC_IRQ_ATTR_TRIG_SHIFT) & 1U) != 0U) {
			*interrupt_register((uint32_t)next, TRAPEZE_CLIC_IRQ_IP_OFFSET) = 0U;
		}
		interrupts_reconsider();
	}
	return guest.mtvt + 4U * (uint32_t)next;
}

/* What mret does, and emret after it has loaded the frame. */
static void leave(void)
{
	if ((guest.mcause & MCAUSE_MPP) != MCAUSE_MPP) {
		guest_refuse(REFUSED_USER_MODE);
	}
	if ((guest.mcause & MCAUSE_MINHV) != 0U) {
		guest_refuse(REFUSED_MINHV);
	}
	guest.mie = (guest.mcause & MCAUSE_MPIE) != 0U;
	guest.mil = (uint8_t)((guest.mcause & MCAUSE_MPIL) >> MCAUSE_MPIL_SHIFT);
	guest.mcause = (guest.mcause & ~(uint32_t)MCAUSE_MPP) | MCAUSE_MPIE;
	guest.pc = guest.mepc;
	interrupts_reconsider();
}

static void load_frame(void)
{
	static const uint8_t register_of[] = {GUEST_CALLER_REGISTERS};
	volatile uint32_t *frame =
	    guest_words(guest.x[GUEST_SP], GUEST_FRAME_WORDS, MCAUSE_FRAME_LOAD_FAULT);

	guest.mepc = frame[TRAPEZE_IRQ_FRAME_MEPC / 4] & ~1U;
	guest.mcause = legal_mcause(frame[TRAPEZE_IRQ_FRAME_MCAUSE / 4]);
	for (uint32_t k = 0U; k < sizeof(register_of); k++) {
		guest.x[register_of[k]] = frame[k];
	}
	guest.x[GUEST_SP] += TRAPEZE_IRQ_FRAME;
}

static void access_csr(uint32_t instruction)
{
	uint32_t csr = instruction >> 20;
	uint32_t operand = (instruction >> 15) & 31U;
	uint32_t function = (instruction >> 12) & 7U;
	uint32_t source = (function & 4U) != 0U ? operand : guest.x[operand];
	bool writes = (function & 3U) == 1U || operand != 0U;
	uint32_t old = 0U;
	enum outcome outcome = DONE;

	if (csr == CSR_MNXTI && !nxti_exists(function, source)) {
		outcome = ILLEGAL;
	} else if (csr == CSR_MNXTI) {
		uint32_t mstatus = read_mstatus();
		uint32_t bits = source & 31U; /* bits to change in mstatus; 0: no claim */
		uint32_t level = function == 2U && operand != 0U ? source : guest.mcause;

		mstatus = function == 7U ? mstatus & ~bits : mstatus | bits;
		old = claim(mstatus, bits != 0U, level & MCAUSE_MPIL);
	} else {
		outcome = read(csr, &old);
		if (outcome == DONE && writes) {
			outcome = write(csr, (function & 3U) == 1U   ? source
					     : (function & 3U) == 2U ? old | source
								     : old & ~source);
		}
	}
	if (outcome == ILLEGAL) {
		guest_exception(MCAUSE_ILLEGAL_INSTRUCTION, instruction);
		return;
	}
	if (outcome == REFUSED) {
		guest_refuse(why(csr));
	}
	if (((instruction >> 7) & 31U) != 0U) {
		guest.x[(instruction >> 7) & 31U] = old;
	}
	guest.pc += 4U;
}

/* wfi: waits until an interrupt could be taken if mstatus.MIE were set. The hardware wakes for each interrupt that is
 * enabled in the controller. If the program's level holds that interrupt back, the loop goes round again.
 */
static void wait(void)
{
	interrupts_reconsider();
	while (interrupt_pending(guest.mil) < 0) {
		__asm__ volatile("wfi" : : : "memory");
	}
	guest.pc += 4U;
}

void guest_system(uint32_t instruction)
{
	if (instruction == MRET) {
		leave();
	} else if (instruction == TRAPEZE_EMRET_MATCH && (guest.mfastirq & MFASTIRQ_ENABLE) != 0U) {
		load_frame();
		leave();
	} else if (instruction == WFI) {
		wait();
	} else if ((instruction & OPCODE) == OPCODE_SYSTEM && ((instruction >> 12) & 3U) != 0U) {
		access_csr(instruction);
	} else {
		guest_exception(MCAUSE_ILLEGAL_INSTRUCTION, instruction);
	}
}
