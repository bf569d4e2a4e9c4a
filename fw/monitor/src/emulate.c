/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Monitor, scheme `emulate`: runs a program that is linked for machine mode in user mode. Its accesses to CSRs,
 * interrupt controller and timer trap, and the monitor carries them out on the guest's state. The monitor hands
 * interrupts and exceptions to the program in the form of machine mode's. Here is what each trap is.
 */
#include <stdint.h>

#include <trapeze/csr.h>

#include "emulate.h"
#include "scheme.h"

void monitor_emulate(void); /* emulate.S */

void monitor_emulate(void)
{
	uint32_t cause = csr_read(CSR_MCAUSE);
	uint32_t code = cause & MCAUSE_CODE;
	uint32_t mtval = csr_read(CSR_MTVAL);

	/* The monitor's own access on behalf of the program has failed. The run ends, because a return from here would
	 * go on in machine mode.
	 */
	if ((csr_read(CSR_MSTATUS) & MSTATUS_MPP) != MSTATUS_MPP_U) {
		guest_refuse(REFUSED_REGISTER);
	}
	guest.pc = csr_read(CSR_MEPC);
	if ((cause & MCAUSE_INTERRUPT) != 0U) {
		interrupt_came(code);
	} else if (code == MCAUSE_ILLEGAL_INSTRUCTION) {
		guest_system(mtval);
	} else if (code == MCAUSE_ECALL_U) {
		guest_exception(MCAUSE_ECALL_M, 0U);
	} else if (mtval >= (uint32_t)monitor_rom_start && mtval < (uint32_t)monitor_ram_end) {
		guest_refuse(REFUSED_ACCESS);
	} else if ((code != MCAUSE_LOAD_FAULT && code != MCAUSE_STORE_FAULT) ||
		   !guest_device(mtval, code == MCAUSE_STORE_FAULT)) {
		guest_exception(code, mtval);
	}
	csr_write(CSR_MEPC, guest.pc);
}
