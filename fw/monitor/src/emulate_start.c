/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Monitor, scheme `emulate`: start-up. The program's memory protection, its first words, and where traps go. */
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

/* Of the program: the address of its first instruction, and its first two words. A jump to the monitor stands in the
 * place of these words until the monitor begins (lab/src/trapeze/firmware/emulated.py). The symbols' addresses are the
 * values.
 */
extern const char _start[];
extern const char guest_first_word[];
extern const char guest_second_word[];

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
