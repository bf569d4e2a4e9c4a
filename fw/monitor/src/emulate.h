/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Monitor, scheme `emulate`: the state of machine mode as the program in user mode sees it. For C and assembly.
 *
 * An interrupt that the program's state does not let through yet is masked in the interrupt controller. Whenever that
 * state may have changed, all masked interrupts are enabled again (interrupts_reconsider()), and the hardware
 * determines which one comes next.
 */
#ifndef MONITOR_EMULATE_H_
#define MONITOR_EMULATE_H_

/* Offset in struct guest, for assembly. */
#define GUEST_X 0 /* x0 to x31 */

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/csr.h>

#define GUEST_SP 2U

/* The caller-saved registers in the order of the frame of an interrupt (TRAPEZE_IRQ_FRAME_RA and up). */
#ifdef __riscv_32e
#define GUEST_CALLER_REGISTERS 1, 5, 6, 7, 10, 11, 12, 13, 14, 15
#else
#define GUEST_CALLER_REGISTERS 1, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31
#endif

/* Words of the frame that are used. */
#define GUEST_FRAME_WORDS (TRAPEZE_IRQ_FRAME_MCAUSE / 4U + 1U)

struct guest {
	uint32_t x[32]; /**< the registers; x[0] stays 0 */
	uint32_t pc;
	bool mie;
	uint8_t mil; /**< current level */
	uint32_t mtvec;
	uint32_t mtvt;
	uint32_t mscratch;
	uint32_t mepc;
	uint32_t mcause; /**< all fields, with mpp, mpie and mpil */
	uint32_t mtval;
	uint32_t mcounteren;
	uint8_t minthresh;
	uint32_t mfastirq;
	bool some_masked;
	uint8_t ie[IRQ_COUNT];     /**< clicintie as the program has it */
	uint8_t attr[IRQ_COUNT];   /**< clicintattr as the program has it */
	uint8_t masked[IRQ_COUNT]; /**< 1: disabled by the monitor, although ie is set */
};

extern struct guest guest;

/** What is not emulated, for the report. */
enum refused {
	REFUSED_ACCESS, /**< an access to memory, of which the trap says enough */
	REFUSED_REGISTER,
	REFUSED_JALMNXTI,
	REFUSED_MSCRATCHCSW,
	REFUSED_MSCRATCHCSWL,
	REFUSED_MCOUNTINHIBIT,
	REFUSED_MSECCFG,
	REFUSED_PROTECTION,
	REFUSED_USER_INTERRUPTS,
	REFUSED_COUNTER,
	REFUSED_USER_MODE,
	REFUSED_MINHV,
};

/*
 * emulate_guest.c: the guest. It calls none of the files below.
 */

/** Ends the run: the program did something that is not emulated or not allowed. Reports the trap of the hardware. */
__attribute__((noreturn)) void guest_refuse(enum refused what);

/**
 * Words of the program's memory, from the aligned address at or below @p at on. Where one of them is no memory, or the
 * monitor's, the run ends; the report has the cause that the access would have had in machine mode.
 */
volatile uint32_t *guest_words(uint32_t at, uint32_t count, uint32_t cause);

/** Delivers an exception to the program: it goes on at its mtvec. */
void guest_exception(uint32_t code, uint32_t mtval);

/** Interrupt @p source has come: delivers it to the program, or masks it. */
void interrupt_came(uint32_t source);

/** Enables all masked interrupts again. */
void interrupts_reconsider(void);

/**
 * The most important interrupt that is enabled and pending at a level above both @p above and the threshold; -1: none.
 */
int interrupt_pending(uint8_t above);

/** Level of a source. */
uint8_t interrupt_level(uint32_t source);

/** Address of a source's register in the interrupt controller. */
volatile uint8_t *interrupt_register(uint32_t source, uint32_t offset);

/* emulate_system.c */

/** Emulates the instruction at guest.pc, of opcode SYSTEM and illegal in user mode. */
void guest_system(uint32_t instruction);

/* emulate_device.c */

/**
 * Emulates the load or store at guest.pc if it accesses a register of interrupt controller or timer. False: it does
 * not.
 */
bool guest_device(uint32_t at, bool store);

#endif /* __ASSEMBLER__ */

#endif /* MONITOR_EMULATE_H_ */
