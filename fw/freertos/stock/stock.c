/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* The kernel's own port on this platform's HAL. */
#include <stdint.h>

#include <trapeze/csr.h>

/* The port's */
void freertos_risc_v_trap_handler(void);
void freertos_risc_v_application_interrupt_handler(uint32_t mcause);

/* hal/src/trap.c */
void __irq_dispatch(uint32_t cause);

/* Before main(): its traps, mtvec in direct mode. */
__attribute__((constructor)) static void traps_setup(void)
{
	csr_write(CSR_MTVEC, (uint32_t)freertos_risc_v_trap_handler);
}

void freertos_risc_v_application_interrupt_handler(uint32_t mcause)
{
	__irq_dispatch(mcause);
}
