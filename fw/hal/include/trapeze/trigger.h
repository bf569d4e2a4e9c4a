/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Triggers (Sdtrig): a breakpoint exception (MCAUSE_BREAKPOINT) before an instruction at an address is executed, or
 * before one accesses an address. For cores with Triggers (key core.triggers of a configuration); machine mode only.
 *
 * A trigger does not fire in machine mode while interrupts are off (mstatus.MIE is 0), so not in exception handlers and in
 * the first instructions of interrupt handlers. A debugger may own triggers: what is written to these is ignored.
 *
 * To go on behind the exception, switch the trigger off, or emulate the instruction: mepc is its address.
 *
 * Source: RISC-V Debug Specification 1.0, chapter 5, mcontrol6. docs/core.md, "Triggers".
 */
#ifndef TRAPEZE_TRIGGER_H_
#define TRAPEZE_TRIGGER_H_

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/csr.h>

/* clang-format off */

/* What a trigger is on; to be combined. */
#define TRIGGER_LOAD      (1UL << 0)
#define TRIGGER_STORE     (1UL << 1)
#define TRIGGER_EXECUTE   (1UL << 2)
/* Modes in which it fires; at least one. */
#define TRIGGER_USER      (1UL << 3)
#define TRIGGER_MACHINE   (1UL << 6)
/* Which addresses: `value` itself; those that agree with it above its lowest bit that is zero; from it on; below it. */
#define TRIGGER_EQUAL     (0UL << 7)
#define TRIGGER_NAPOT     (1UL << 7)
#define TRIGGER_FROM      (2UL << 7)
#define TRIGGER_BELOW     (3UL << 7)
/* Fires only if the next trigger is met by the same instruction, too; the next one's exception is raised. */
#define TRIGGER_CHAIN     (1UL << 11)
/* Accesses, and instructions, of one size only. */
#define TRIGGER_8_BIT     (1UL << 16)
#define TRIGGER_16_BIT    (2UL << 16)
#define TRIGGER_32_BIT    (3UL << 16)
/* Set by hardware when the trigger has fired. */
#define TRIGGER_HIT       (1UL << 22)

#define TRIGGER_MCONTROL6 (6UL << 28) /* tdata1: type of these triggers */

/* clang-format on */

/** Value for TRIGGER_NAPOT: @p size bytes, a power of two and at least 2, from @p address, a multiple of it. */
static inline uint32_t trigger_napot(uintptr_t address, uint32_t size)
{
	return (uint32_t)address | (size / 2U - 1U);
}

/** Selects a trigger. @return whether there is one of this number */
static inline bool trigger_select(unsigned int number)
{
	csr_write(CSR_TSELECT, number);
	return csr_read(CSR_TSELECT) == number;
}

/**
 * Sets a trigger.
 *
 * @param number of the trigger, from 0 on
 * @param how TRIGGER_ constants; 0 switches the trigger off
 * @param value what addresses are compared with
 * @return whether it is set: there is such a trigger, it does all of @p how, and no debugger owns it
 */
static inline bool trigger_set(unsigned int number, uint32_t how, uint32_t value)
{
	uint32_t wanted = TRIGGER_MCONTROL6 | how;

	if (!trigger_select(number)) {
		return false;
	}
	csr_write(CSR_TDATA1, 0U);
	csr_write(CSR_TDATA2, value);
	csr_write(CSR_TDATA1, wanted);
	return csr_read(CSR_TDATA1) == wanted && csr_read(CSR_TDATA2) == value;
}

/** Whether a trigger has fired since it was set. */
static inline bool trigger_hit(unsigned int number)
{
	return trigger_select(number) && (csr_read(CSR_TDATA1) & TRIGGER_HIT) != 0U;
}

#endif /* TRAPEZE_TRIGGER_H_ */
