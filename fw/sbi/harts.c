/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The harts of supervisor mode: which of them run, and requests from one hart to another.
 *
 * A request is a bit in the other hart's word, together with its machine software interrupt. The other hart serves all
 * its requests at once. A hart that waits for an answer serves its own requests meanwhile, because two harts may wait
 * for each other.
 *
 * Source: RISC-V Supervisor Binary Interface Specification 1.0, chapters 7 to 9.
 */
#include "sbi.h"

/** Requests to a hart, as bits. */
enum request {
	REQUEST_INTERRUPT = 1, /**< make a software interrupt of supervisor mode pending */
	REQUEST_FENCE_I = 2,
	REQUEST_SFENCE = 4,
	REQUEST_START = 8,
	REQUEST_EXIT = 16, /**< end the run; for the boot hart only */
	REQUEST_HALT = 32, /**< stop, until somebody starts it */
};

/** Harts by mhartid; those without supervisor mode stay unused. */
static struct hart {
	uint32_t requests; /**< requests that are not served yet */
	uint32_t asked;    /**< number of requests so far */
	uint32_t served;   /**< value of `asked` whose requests are all served */
	uint32_t state;    /**< enum sbi_hart_state */
	uint64_t entry;    /**< address at which supervisor mode starts */
	uint64_t argument;
	unsigned int exit_code; /**< for REQUEST_EXIT */
} harts[SBI_HARTS];

/** What a hart does once it is started; main.c has it. */
static void (*enter)(uint64_t entry, uint64_t argument);

static struct hart *self(void)
{
	return &harts[sbi_hart()];
}

/** @return Value of `served` that says that the request is served. */
static uint32_t ask(uint64_t hart, enum request request)
{
	uint32_t ticket;

	(void)__atomic_fetch_or(&harts[hart].requests, request, __ATOMIC_ACQ_REL);
	ticket = __atomic_add_fetch(&harts[hart].asked, 1, __ATOMIC_ACQ_REL);
	sbi_software_interrupt(hart);
	return ticket;
}

uint32_t sbi_requests_serve(void)
{
	struct hart *const own = self();
	const uint32_t asked = __atomic_load_n(&own->asked, __ATOMIC_ACQUIRE);
	const uint32_t requests = __atomic_exchange_n(&own->requests, 0, __ATOMIC_ACQ_REL);

	if ((requests & REQUEST_EXIT) != 0) {
		sbi_exit(own->exit_code);
	}
	if ((requests & REQUEST_FENCE_I) != 0) {
		__asm__ volatile("fence.i" : : : "memory");
	}
	if ((requests & REQUEST_SFENCE) != 0) {
		__asm__ volatile("sfence.vma" : : : "memory"); /* more than the asked range */
	}
	if ((requests & REQUEST_INTERRUPT) != 0) {
		sbi_ipi_self();
	}
	__atomic_store_n(&own->served, asked, __ATOMIC_RELEASE);
#ifdef SBI_CELLS
	if ((requests & REQUEST_HALT) != 0 && sbi_hart_state(sbi_hart()) == SBI_HART_STARTED) {
		sbi_hart_stop();
	}
#endif
	return requests;
}

void sbi_hart_interrupt(uint64_t hart)
{
	if (hart == sbi_hart()) {
		sbi_ipi_self();
	} else {
		(void)ask(hart, REQUEST_INTERRUPT);
	}
}

void sbi_hart_fence(uint64_t hart, int instructions)
{
	const enum request request = instructions ? REQUEST_FENCE_I : REQUEST_SFENCE;
	uint32_t ticket;

	if (hart != sbi_hart() &&
	    __atomic_load_n(&harts[hart].state, __ATOMIC_ACQUIRE) == SBI_HART_STOPPED) {
		return; /* a stopped hart fences when it starts */
	}
	ticket = ask(hart, request);
	while ((int32_t)(__atomic_load_n(&harts[hart].served, __ATOMIC_ACQUIRE) - ticket) < 0) {
		(void)sbi_requests_serve();
	}
}

#ifdef SBI_CELLS
void sbi_hart_halt(uint64_t hart)
{
	while (sbi_hart_state(hart) != SBI_HART_STOPPED) {
		(void)ask(hart, REQUEST_HALT);
		(void)sbi_requests_serve();
	}
}
#endif

void sbi_harts_begin(void (*entered)(uint64_t entry, uint64_t argument))
{
	enter = entered;
	for (uint64_t hart = 0; hart < SBI_HARTS; hart++) {
		harts[hart].state = SBI_HART_STOPPED;
	}
	self()->state = SBI_HART_STARTED;
}

enum sbi_hart_state sbi_hart_state(uint64_t hart)
{
	return __atomic_load_n(&harts[hart].state, __ATOMIC_ACQUIRE);
}

int sbi_hart_start(uint64_t hart, uint64_t entry, uint64_t argument)
{
	uint32_t stopped = SBI_HART_STOPPED;

	if (!__atomic_compare_exchange_n(&harts[hart].state, &stopped, SBI_HART_START_PENDING, 0,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		return SBI_ERR_ALREADY_AVAILABLE;
	}
	harts[hart].entry = entry;
	harts[hart].argument = argument;
	(void)ask(hart, REQUEST_START);
	return SBI_SUCCESS;
}

_Noreturn void sbi_hart_wait(void)
{
	struct hart *const own = self();

	sbi_timer_set(UINT64_MAX);
	csr_write(CSR_MIE, MIE_MSIE); /* wakes wfi; mstatus.MIE is 0, so nothing traps */
	while ((sbi_requests_serve() & REQUEST_START) == 0) {
		__asm__ volatile("wfi");
		sbi_software_interrupt_clear();
	}
	sbi_software_interrupt_clear();
	__asm__ volatile("fence.i\n\tsfence.vma" : : : "memory");
	__atomic_store_n(&own->state, SBI_HART_STARTED, __ATOMIC_RELEASE);
	sbi_hart_enter(own->entry, own->argument);
}

_Noreturn void sbi_hart_enter(uint64_t entry, uint64_t argument)
{
	enter(entry, argument);
	__builtin_unreachable();
}

_Noreturn void sbi_hart_stop(void)
{
	sbi_doorbell_settle(); /* a stopped hart has no timer */
	__atomic_store_n(&self()->state, SBI_HART_STOPPED, __ATOMIC_RELEASE);
	sbi_hart_wait();
}

_Noreturn void sbi_exit(unsigned int code)
{
	if (sbi_hart() == SBI_BOOT_HART) {
		sbi_finish(code);
	}
	/* Only the boot hart can end the run. */
	harts[SBI_BOOT_HART].exit_code = code;
	(void)ask(SBI_BOOT_HART, REQUEST_EXIT);
	for (;;) {
		(void)sbi_requests_serve();
	}
}
