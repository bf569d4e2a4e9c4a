/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Monitor, scheme `emulate`: the state of the machine that a program of machine mode finds in user mode. For C and
 * assembly.
 *
 * Interrupts of a program that cannot be taken yet are masked in the interrupt controller. Whatever may change that lets all of
 * them come again (interrupts_reconsider()), so that the hardware finds out which one is next.
 */
#ifndef MONITOR_EMULATE_H_
#define MONITOR_EMULATE_H_

/* struct guest, for assembly. */
#define GUEST_X 0 /* x0 to x31 */

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/csr.h>

#define GUEST_SP 2U

/* The caller-saved registers in the order of the frame of an interrupt (TRAPEZE_IRQ_FRAME_RA and up). */
#ifdef __riscv_32e
#define GUEST_CALLER_REGISTERS                                                                     \
	{                                                                                          \
		1, 5, 6, 7, 10, 11, 12, 13, 14, 15                                                 \
	}
#else
#define GUEST_CALLER_REGISTERS                                                                     \
	{                                                                                          \
		1, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31                         \
	}
#endif

struct guest {
	uint32_t x[32]; /**< the registers; x[0] stays 0 */
	uint32_t pc;
	bool mie;
	uint8_t mil; /**< level of what runs */
	uint32_t mtvec;
	uint32_t mtvt;
	uint32_t mscratch;
	uint32_t mepc;
	uint32_t mcause; /**< whole, with mpp, mpie and mpil */
	uint32_t mtval;
	uint32_t mcounteren;
	uint8_t minthresh;
	uint32_t mfastirq;
	bool some_masked;
	uint8_t ie[IRQ_COUNT];     /**< clicintie as the program has it */
	uint8_t attr[IRQ_COUNT];   /**< clicintattr, likewise */
	uint8_t masked[IRQ_COUNT]; /**< 1: not enabled, although ie says so */
};

extern struct guest guest;

/** Ends the run: the program did what is not emulated, or what it may not. The hardware's trap is what is
 * reported; @p what names it, 0 for what the trap says already. */
__attribute__((noreturn)) void guest_refuse(const char *what);

/** A word of the program's memory; ends the run where there is none. */
uint32_t guest_load(uint32_t at);
void guest_store(uint32_t at, uint32_t value);

/** An exception of the program's own: goes on at its mtvec. */
void guest_exception(uint32_t code, uint32_t mtval);

/** An instruction of opcode SYSTEM that is illegal in user mode; at guest.pc. */
void guest_system(uint32_t instruction);

/** The load or store at guest.pc, of a register of the interrupt controller or of the timer. False: it is none of these. */
bool guest_device(uint32_t at, bool store);

/** Interrupt @p source has come: takes it, or masks it. */
void interrupt_came(uint32_t source);

/** Lets all that are masked come again. */
void interrupts_reconsider(void);

/** The most important interrupt that is enabled and pending at a level above @p above and the threshold, -1 for none. */
int interrupt_pending(uint8_t above);

/** Level of a source. */
uint8_t interrupt_level(uint32_t source);

/** A register of a source in the interrupt controller. */
volatile uint8_t *interrupt_register(uint32_t source, uint32_t offset);

#endif /* __ASSEMBLER__ */

#endif /* MONITOR_EMULATE_H_ */
