/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The machine-mode firmware below Linux: the interface between its parts.
 *
 * Source: RISC-V Supervisor Binary Interface Specification 1.0.
 */
#ifndef TRAPEZE_SBI_H_
#define TRAPEZE_SBI_H_

#include <stdint.h>
#include <trapeze/clint.h>
#include <trapeze/isa.h>
#include <trapeze/map.h>

#include "frame.h"

#ifndef SBI_HARTS
#error "SBI_HARTS: the build says how many harts the platform has"
#endif
#ifndef SBI_SUPERVISOR_HARTS
#error "SBI_SUPERVISOR_HARTS: the build says which harts run supervisor mode, as a mask"
#endif
#ifndef SBI_BYTES
#error "SBI_BYTES: the build says how much of main memory is the firmware's, from its beginning on"
#endif
_Static_assert(SBI_HARTS >= 1 && SBI_HARTS < 64, "a mask of harts has 64 bits");
_Static_assert((SBI_SUPERVISOR_HARTS & (1U << SBI_BOOT_HART)) != 0,
	       "the boot hart runs supervisor mode");

/**
 * Whether several harts can send requests to each other. With one hart a doorbell does not look for requests, which
 * saves its time.
 */
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

/** Results of a call, in a0 and a1. */
struct sbi_result {
	int64_t error;
	int64_t value;
};

/**
 * What runs in supervisor mode on some of the harts. Without a hypervisor there is one, Linux, on all of them; with it the
 * guests are its cells (fw/hypervisor).
 */
struct sbi_guest {
	uint64_t
	    harts; /**< its harts, as a mask of the numbers that it knows: mhartid, or virtual ones */
	uint64_t doorbells; /**< harts of machine mode that it may ring, likewise */
	uint64_t memory;    /**< what it may execute: first address */
	uint64_t bytes;     /**< and size */
};

#ifdef SBI_CELLS

/** @brief The guest of a hart of supervisor mode. */
const struct sbi_guest *sbi_guest_of(uint64_t hart);

/** @brief Start the cells, before Linux starts on the boot hart. */
void hypervisor_begin(void);

/** @brief Open to the guest of this hart what is its own, and say which traps are its own. */
void hypervisor_open(void);

/**
 * @brief Handle a trap that is no call, no timer and no software interrupt.
 *
 * @return Whether the hypervisor has handled it.
 */
int hypervisor_trap(struct sbi_frame *frame, uint64_t cause);

/** @brief The guest of this hart writes a byte to its console, or reads one; -1: none has come. */
void sbi_guest_put(char byte);
int sbi_guest_get(void);

/** @brief The guest of this hart ends, with an exit code, or wants to begin anew. */
_Noreturn void sbi_guest_end(unsigned int code);
_Noreturn void sbi_guest_reboot(void);

/**
 * @brief The end of each trap: where harts are shared, another virtual hart may go on. Its registers are in @p frame then.
 */
void hypervisor_leave(struct sbi_frame *frame);

/** @brief A call of an extension that is the hypervisor's alone. */
struct sbi_result hypervisor_call(uint64_t function, uint64_t hart);

#else

static const struct sbi_guest sbi_linux = {
    .harts = SBI_SUPERVISOR_HARTS,
    .doorbells = ((1ULL << SBI_HARTS) - 1) & ~(uint64_t)SBI_SUPERVISOR_HARTS,
    .memory = TRAPEZE_DRAM_BASE + SBI_BYTES,
    .bytes = TRAPEZE_DRAM_SIZE - SBI_BYTES,
};

static inline const struct sbi_guest *sbi_guest_of(uint64_t hart)
{
	(void)hart;
	return &sbi_linux;
}

#endif

/** @brief Whether a hart is one of a guest's, by the number that the guest knows. */
static inline int sbi_guest_has(const struct sbi_guest *guest, uint64_t hart)
{
	return hart < 64 && ((guest->harts >> hart) & 1) != 0;
}

/** @brief Number of this hart, mhartid. */
static inline uint64_t sbi_hart(void)
{
#ifdef SBI_CELLS
	uint64_t hart;

	__asm__("mv %0, tp" : "=r"(hart)); /* start.S has it there: a CSR takes longer */
	return hart;
#else
	return csr_read(CSR_MHARTID);
#endif
}

/** Errors of calls (section 3). */
enum sbi_error {
	SBI_SUCCESS = 0,
	SBI_ERR_FAILED = -1,
	SBI_ERR_NOT_SUPPORTED = -2,
	SBI_ERR_INVALID_PARAM = -3,
	SBI_ERR_DENIED = -4,
	SBI_ERR_INVALID_ADDRESS = -5,
	SBI_ERR_ALREADY_AVAILABLE = -6,
};

/** Exit code of a run that ends by a reboot of Linux, for example after a panic: nothing restarts Linux. */
#define SBI_EXIT_REBOOT 2

/** Exit code of a run whose memory protection is not what the hypervisor needs. */
#define SBI_EXIT_ROWS 4

/** State of a hart of supervisor mode (section 9). */
enum sbi_hart_state {
	SBI_HART_STARTED,
	SBI_HART_STOPPED,
	SBI_HART_START_PENDING,
};

/**
 * @brief Serve one call of supervisor mode.
 *
 * @param frame a7: extension, a6: function, a0 to a5: arguments. Gets the results a0 and a1, for calls of version 0.1
 * only a0.
 */
void sbi_call(struct sbi_frame *frame);

/**
 * @brief Set the time of the next timer interrupt of this hart, in units of mtime, and clear a pending timer interrupt.
 */
void sbi_timer_set(uint64_t when);

/** @brief Set the machine timer of this hart. */
void sbi_compare_set(uint64_t when);

/** @brief Handle the machine timer: the timer interrupt of supervisor mode, or rings that had to wait, or both. */
void sbi_timer_expired(void);

/** @brief Make a software interrupt of supervisor mode pending on this hart. */
void sbi_ipi_self(void);

/**
 * @brief Make the machine software interrupt of a hart pending. The hart then sees everything that was written before.
 */
void sbi_software_interrupt(uint64_t hart);

/** @brief The register of the machine software interrupt of a hart. */
static inline volatile uint32_t *sbi_software_interrupt_of(uint64_t hart)
{
	return (volatile uint32_t *)(uintptr_t)(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MSIP_OFFSET +
						hart * TRAPEZE_CLINT_MSIP_STRIDE);
}

/**
 * @brief Clear the machine software interrupt of this hart. Reads after that see what its sender has written before.
 */
static inline void sbi_software_interrupt_clear(void)
{
	*sbi_software_interrupt_of(sbi_hart()) = 0;
	__asm__ volatile("fence o, rw" : : : "memory");
}

/** Least time between two rings from one hart, in units of mtime, whatever supervisor mode asks for. */
#define SBI_RING_INTERVAL 2000U

/**
 * @brief Ring the doorbell of a hart without supervisor mode: its machine software interrupt.
 *
 * Within SBI_RING_INTERVAL of the last ring it waits until that time is over. Rings that wait for the same hart are one.
 */
void sbi_doorbell_ring(uint64_t hart);

/** @brief Wait until no ring of this hart waits any more. */
void sbi_doorbell_settle(void);

/** @brief A doorbell: supervisor mode of this hart gets a software interrupt, provided it has ever rung another hart. */
void sbi_doorbell_answer(void);

/**
 * @brief Initialise the states, before supervisor mode starts on the boot hart: all other harts are stopped.
 *
 * @param entered What a hart does once it is started: supervisor mode at an address, with an argument. It does not return.
 */
void sbi_harts_begin(void (*entered)(uint64_t entry, uint64_t argument));

/** @brief Have this hart do what it does once it is started. */
_Noreturn void sbi_hart_enter(uint64_t entry, uint64_t argument);

/** @brief State of a hart of supervisor mode. */
enum sbi_hart_state sbi_hart_state(uint64_t hart);

/**
 * @brief Start a hart of supervisor mode that is stopped.
 *
 * @param entry Physical address at which it begins, of the guest's memory.
 * @param argument Its a1 there.
 *
 * @return SBI_SUCCESS or SBI_ERR_ALREADY_AVAILABLE.
 */
int sbi_hart_start(uint64_t hart, uint64_t entry, uint64_t argument);

/** @brief Have a hart of another guest stop, whatever it does; it is stopped when this function returns. */
void sbi_hart_halt(uint64_t hart);

/** @brief Stop this hart until another one starts it. */
_Noreturn void sbi_hart_stop(void);

/** @brief Wait until another hart starts this one. Every hart except the boot hart begins with it. */
_Noreturn void sbi_hart_wait(void);

/** @brief Make a software interrupt of supervisor mode pending on a hart. */
void sbi_hart_interrupt(uint64_t hart);

/**
 * @brief Fence on a hart, and wait until the fence is done.
 *
 * @param instructions Not 0: a fence of instruction fetches; 0: of address translations.
 */
void sbi_hart_fence(uint64_t hart, int instructions);

/** @brief Serve the requests of other harts to this one. @return The requests, as bits; 0: none. */
uint32_t sbi_requests_serve(void);

/**
 * @brief Handle the machine software interrupt of this hart: serve requests of other harts. If there are none, it is a
 * doorbell.
 */
static inline void sbi_doorbell_rung(void)
{
	/* The interrupt is cleared first, so that a ring or a request that comes afterwards is not lost. */
	sbi_software_interrupt_clear();
	if ((!SBI_SEVERAL || sbi_requests_serve() == 0) &&
	    sbi_guest_of(sbi_hart())->doorbells != 0) {
		sbi_doorbell_answer();
	}
}

/** @brief Start supervisor mode on this hart, which is prepared for it. The arguments are its a0 and a1. */
_Noreturn void sbi_enter(uint64_t hart, uint64_t argument);

/** @brief Write a byte to the console; waits while the console is full. */
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

/** @brief As sbi_exit(), but only for the boot hart. */
_Noreturn void sbi_finish(unsigned int code);

/*
 * The harts of a guest, by the numbers that it knows. Where harts are shared (SBI_VCPUS) these are virtual ones, and a
 * scheduler has the services; else they are the harts themselves.
 */
#ifdef SBI_VCPUS

int sbi_guest_start(uint64_t hart, uint64_t entry, uint64_t argument);
void sbi_guest_stop(void);
enum sbi_hart_state sbi_guest_state(uint64_t hart);
void sbi_guest_interrupt(uint64_t hart);
void sbi_guest_fence(uint64_t hart, int instructions);

#else

static inline int sbi_guest_start(uint64_t hart, uint64_t entry, uint64_t argument)
{
	const struct sbi_guest *const guest = sbi_guest_of(hart);

	return entry - guest->memory < guest->bytes ? sbi_hart_start(hart, entry, argument)
						    : SBI_ERR_INVALID_ADDRESS;
}

static inline void sbi_guest_stop(void)
{
	sbi_hart_stop();
}

static inline enum sbi_hart_state sbi_guest_state(uint64_t hart)
{
	return sbi_hart_state(hart);
}

static inline void sbi_guest_interrupt(uint64_t hart)
{
	sbi_hart_interrupt(hart);
}

static inline void sbi_guest_fence(uint64_t hart, int instructions)
{
	sbi_hart_fence(hart, instructions);
}

#endif

#ifndef SBI_CELLS

static inline void sbi_guest_put(char byte)
{
	sbi_console_put(byte);
}

static inline int sbi_guest_get(void)
{
	return sbi_console_get();
}

static inline _Noreturn void sbi_guest_end(unsigned int code)
{
	sbi_exit(code);
}

#endif

#endif /* TRAPEZE_SBI_H_ */
