/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The machine-mode firmware below Linux: what its parts offer each other.
 *
 * Source: RISC-V Supervisor Binary Interface Specification 1.0.
 */
#ifndef TRAPEZE_SBI_H_
#define TRAPEZE_SBI_H_

#include <stdint.h>
#include <trapeze/isa.h>

#include "frame.h"

#ifndef SBI_HARTS
#error "SBI_HARTS: the build says how many harts the platform has"
#endif
#ifndef SBI_SUPERVISOR_HARTS
#error "SBI_SUPERVISOR_HARTS: the build says which harts run supervisor mode, as a mask"
#endif
_Static_assert(SBI_HARTS >= 1 && SBI_HARTS < 64, "a mask of harts has 64 bits");
_Static_assert((SBI_SUPERVISOR_HARTS & (1U << SBI_BOOT_HART)) != 0,
	       "the boot hart runs supervisor mode");

/** Whether there is another hart that may ask for something: without, a doorbell takes no time for that. */
#define SBI_SEVERAL (SBI_SUPERVISOR_HARTS != 1U << SBI_BOOT_HART)

#define SBI_STRING_(text) #text
#define SBI_STRING(text)  SBI_STRING_(text)

/** @brief Read, write, set or clear bits of a CSR, by its number. */
#define csr_read(number)                                                                           \
	({                                                                                         \
		uint64_t csr_value_;                                                               \
		__asm__ volatile("csrr %0, " SBI_STRING(number) : "=r"(csr_value_));               \
		csr_value_;                                                                        \
	})
#define csr_write(number, value)                                                                   \
	__asm__ volatile("csrw " SBI_STRING(number) ", %0" : : "r"((uint64_t)(value)) : "memory")
#define csr_set(number, bits)                                                                      \
	__asm__ volatile("csrs " SBI_STRING(number) ", %0" : : "r"((uint64_t)(bits)) : "memory")
#define csr_clear(number, bits)                                                                    \
	__asm__ volatile("csrc " SBI_STRING(number) ", %0" : : "r"((uint64_t)(bits)) : "memory")

/** Errors of calls (section 3). */
enum sbi_error {
	SBI_SUCCESS = 0,
	SBI_ERR_FAILED = -1,
	SBI_ERR_NOT_SUPPORTED = -2,
	SBI_ERR_INVALID_PARAM = -3,
	SBI_ERR_ALREADY_AVAILABLE = -6,
};

/** Whether a hart of supervisor mode runs (section 9). */
enum sbi_hart_state {
	SBI_HART_STARTED,
	SBI_HART_STOPPED,
	SBI_HART_START_PENDING,
};

/** What a call returns in a0 and a1. */
struct sbi_result {
	int64_t error;
	int64_t value;
};

/**
 * @brief Serve one call of supervisor mode.
 *
 * @param frame a7: extension, a6: function, a0 to a5: arguments; gets a0 and a1, of calls of version 0.1 a0 alone.
 */
void sbi_call(struct sbi_frame *frame);

/** @brief Set the time of the next timer interrupt of this hart, in units of mtime; ends one that is pending. */
void sbi_timer_set(uint64_t when);

/** @brief The machine timer has expired: hand it on to supervisor mode. */
void sbi_timer_expired(void);

/** @brief Make a software interrupt of supervisor mode pending on this hart. */
void sbi_ipi_self(void);

/** @brief Make the machine software interrupt of a hart pending, behind everything that was written before. */
void sbi_software_interrupt(uint64_t hart);

/** @brief End the machine software interrupt of this hart, before everything that is read behind. */
void sbi_software_interrupt_clear(void);

/** @brief Ring the doorbell of a hart without supervisor mode, which is its machine software interrupt. */
void sbi_doorbell_ring(uint64_t hart);

/**
 * @brief The machine software interrupt of this hart has come: serve requests of other harts. Without one it is a doorbell:
 * supervisor mode gets a software interrupt, if it ever rang another hart's.
 */
void sbi_doorbell_rung(void);

/** @brief Whether a hart, by mhartid, is there and runs supervisor mode. */
int sbi_hart_is_supervisor(uint64_t hart);

/** @brief Before supervisor mode starts on the boot hart: all others are stopped. */
void sbi_harts_begin(void);

/** @brief Whether a hart of supervisor mode runs. */
enum sbi_hart_state sbi_hart_state(uint64_t hart);

/**
 * @brief Start a hart of supervisor mode that is stopped.
 *
 * @param entry Where it begins, by its physical address.
 * @param argument What it has in a1 there.
 *
 * @return SBI_SUCCESS or SBI_ERR_ALREADY_AVAILABLE.
 */
int sbi_hart_start(uint64_t hart, uint64_t entry, uint64_t argument);

/** @brief Stop this hart until another one starts it. */
_Noreturn void sbi_hart_stop(void);

/** @brief Wait until another hart starts this one; the first thing that a hart does which does not boot. */
_Noreturn void sbi_hart_wait(void);

/** @brief Make a software interrupt of supervisor mode pending on a hart. */
void sbi_hart_interrupt(uint64_t hart);

/**
 * @brief Fence on a hart, and wait until it is done.
 *
 * @param instructions Instruction fetches; else translations.
 */
void sbi_hart_fence(uint64_t hart, int instructions);

/** @brief Serve what other harts have asked of this one. @return What that was, as bits; 0: nothing. */
uint32_t sbi_requests_serve(void);

/** @brief Prepare this hart for supervisor mode, which sbi_enter() then starts at an address. */
void sbi_supervise(uint64_t entry);

/** @brief Start supervisor mode on this hart, as sbi_supervise() has prepared; a0 and a1 there. */
_Noreturn void sbi_enter(uint64_t hart, uint64_t argument);

/** @brief Write a byte to the console; waits while it is full. */
void sbi_console_put(char byte);

/** @brief A byte from the console, or -1 if none has come. */
int sbi_console_get(void);

/** @brief Write a text to the console. */
void sbi_console_write(const char *text);

/**
 * @brief End the run, from any hart.
 *
 * @param code Exit code of the simulator; 0: all went well.
 */
_Noreturn void sbi_exit(unsigned int code);

/** @brief The same, on the boot hart. */
_Noreturn void sbi_finish(unsigned int code);

#endif /* TRAPEZE_SBI_H_ */
