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

enum access {
	ACCESS_DONE,
	ACCESS_ILLEGAL, /* as on a core that does not have the CSR: the program's exception */
	ACCESS_REFUSED, /* the core has it, the monitor does not emulate it */
};

static uint32_t read_mstatus(void)
{
	return (guest.mie ? MSTATUS_MIE : 0U) | ((guest.mcause & MCAUSE_MPIE) != 0U ? MSTATUS_MPIE : 0U) |
	       (((guest.mcause & MCAUSE_MPP) >> MCAUSE_MPP_SHIFT) << MSTATUS_MPP_SHIFT);
}

static void write_mstatus(uint32_t value)
{
	guest.mie = (value & MSTATUS_MIE) != 0U;
	guest.mcause &= ~(uint32_t)(MCAUSE_MPIE | MCAUSE_MPP);
	guest.mcause |= (value & MSTATUS_MPIE) != 0U ? MCAUSE_MPIE : 0U;
	guest.mcause |= ((value & MSTATUS_MPP) >> MSTATUS_MPP_SHIFT) << MCAUSE_MPP_SHIFT;
}

static enum access read(uint32_t csr, uint32_t *value)
{
	switch (csr) {
	case CSR_MSTATUS:
		*value = read_mstatus();
		break;
	case CSR_MISA:
		*value = csr_read(CSR_MISA);
		break;
	case CSR_MIE: /* with a CLIC both read 0 */
	case CSR_MIP:
	case CSR_MSTATUSH:
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
	case CSR_JALMNXTI:
	case CSR_MSCRATCHCSW:
	case CSR_MSCRATCHCSWL:
	case CSR_MCOUNTINHIBIT:
	case CSR_MSECCFG:
	case CSR_MUITT:
	case CSR_MUITTSZ:
	case CSR_MUPID:
	case CSR_MUNV:
	case CSR_MUIRR:
	case CSR_MUIRRH:
		return ACCESS_REFUSED;
	default:
		return csr >= CSR_PMPCFG0 && csr < CSR_PMPADDR0 + 64U ? ACCESS_REFUSED : ACCESS_ILLEGAL;
	}
	return ACCESS_DONE;
}

static enum access write(uint32_t csr, uint32_t value)
{
	switch (csr) {
	case CSR_MSTATUS:
		write_mstatus(value);
		break;
	case CSR_MISA:
	case CSR_MIE:
	case CSR_MIP:
	case CSR_MSTATUSH:
	case CSR_MFRAME: /* a hint */
		break;
	case CSR_MTVEC:
		guest.mtvec = value;
		break;
	case CSR_MTVT:
		guest.mtvt = value & ~63U;
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
		guest.mcause = value & (uint32_t)(MCAUSE_INTERRUPT | MCAUSE_MINHV | MCAUSE_MPP | MCAUSE_MPIE |
						  MCAUSE_MPIL | MCAUSE_CODE);
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
	default: /* counters among them */
		return csr >> 10 == 3U ? ACCESS_ILLEGAL : ACCESS_REFUSED;
	}
	interrupts_reconsider();
	return ACCESS_DONE;
}

/* mnxti: claims the next interrupt that is not vectored; the operand changes mstatus. */
static uint32_t claim(uint32_t mstatus, bool writes)
{
	int next = interrupt_next();

	if (writes) {
		guest.mie = (mstatus & MSTATUS_MIE) != 0U;
	}
	if (next < 0) {
		interrupts_reconsider();
		return 0U;
	}
	if (writes) {
		guest.mil = interrupt_level((uint32_t)next);
		guest.mcause = (guest.mcause & ~(uint32_t)MCAUSE_CODE) | (uint32_t)MCAUSE_INTERRUPT | (uint32_t)next;
		if (((guest.attr[next] >> TRAPEZE_CLIC_IRQ_ATTR_TRIG_SHIFT) & 1U) != 0U) {
			*interrupt_register((uint32_t)next, TRAPEZE_CLIC_IRQ_IP_OFFSET) = 0U;
		}
		interrupts_reconsider();
	}
	return guest.mtvt + 4U * (uint32_t)next;
}

/* What mret does, and emret behind the frame. */
static void leave(void)
{
	if ((guest.mcause & MCAUSE_MPP) != MCAUSE_MPP || (guest.mcause & MCAUSE_MINHV) != 0U) {
		guest_refuse(); /* a user mode below the program, and a table entry that was not read */
	}
	guest.mie = (guest.mcause & MCAUSE_MPIE) != 0U;
	guest.mil = (uint8_t)((guest.mcause & MCAUSE_MPIL) >> MCAUSE_MPIL_SHIFT);
	guest.mcause = (guest.mcause & ~(uint32_t)MCAUSE_MPP) | MCAUSE_MPIE;
	guest.pc = guest.mepc;
	interrupts_reconsider();
}

static void load_frame(void)
{
	static const uint8_t register_of[] = GUEST_CALLER_REGISTERS;
	uint32_t at = guest.x[GUEST_SP] & ~3U;

	guest.mepc = guest_load(at + TRAPEZE_IRQ_FRAME_MEPC);
	guest.mcause = guest_load(at + TRAPEZE_IRQ_FRAME_MCAUSE);
	for (uint32_t k = 0U; k < sizeof(register_of); k++) {
		guest.x[register_of[k]] = guest_load(at + 4U * k);
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
	enum access done = ACCESS_DONE;

	if (csr == CSR_MNXTI) {
		uint32_t mstatus = read_mstatus();

		old = claim((function & 3U) == 3U ? mstatus & ~source : mstatus | source, writes);
	} else {
		done = read(csr, &old);
		if (done == ACCESS_DONE && writes) {
			done = write(csr, (function & 3U) == 1U   ? source
					  : (function & 3U) == 2U ? old | source
								  : old & ~source);
		}
	}
	if (done == ACCESS_REFUSED) {
		guest_refuse();
	}
	if (done == ACCESS_ILLEGAL) {
		guest_exception(MCAUSE_ILLEGAL_INSTRUCTION, instruction);
		return;
	}
	if (((instruction >> 7) & 31U) != 0U) {
		guest.x[(instruction >> 7) & 31U] = old;
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
		guest.pc += 4U; /* which may end at any time */
	} else if ((instruction & OPCODE) == OPCODE_SYSTEM && ((instruction >> 12) & 3U) != 0U) {
		access_csr(instruction);
	} else {
		guest_exception(MCAUSE_ILLEGAL_INSTRUCTION, instruction);
	}
}
