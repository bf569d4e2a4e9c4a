/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The devices that the firmware keeps for itself: console, timer and the port that ends a run.
 *
 * Their addresses are those of QEMU's `virt` machine, too.
 */
#include <trapeze/clint.h>
#include <trapeze/host.h>
#include <trapeze/map.h>
#include <trapeze/uart.h>

#include "sbi.h"

static volatile uint8_t *uart(unsigned int offset)
{
	return (volatile uint8_t *)(uintptr_t)(TRAPEZE_UART_BASE + offset);
}

void sbi_console_put(char byte)
{
	while ((*uart(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_THRE_MASK) == 0) {
	}
	*uart(TRAPEZE_UART_THR_OFFSET) = (uint8_t)byte;
}

int sbi_console_get(void)
{
	if ((*uart(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_DR_MASK) == 0) {
		return -1;
	}
	return *uart(TRAPEZE_UART_RBR_OFFSET);
}

void sbi_console_write(const char *text)
{
	for (; *text != '\0'; text++) {
		sbi_console_put(*text);
	}
}

/**
 * What a hart needs its timer for, by mhartid. A hart changes only its own, so each hart of supervisor mode has an
 * interval of its own.
 */
static struct times {
	uint64_t timer;       /**< of supervisor mode; UINT64_MAX: none, or it has expired */
	uint64_t quiet_until; /**< until then no ring leaves the hart */
	uint64_t waiting;     /**< harts to ring at that time, as a mask */
} times[SBI_HARTS];

void sbi_compare_set(uint64_t when)
{
	volatile uint64_t *const compare =
	    (volatile uint64_t *)(uintptr_t)(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIMECMP_LO_OFFSET +
					     sbi_hart() * TRAPEZE_CLINT_MTIMECMP_LO_STRIDE);

	*compare = when;
}

static void timer_arm(const struct times *own)
{
	sbi_compare_set(own->waiting != 0 && own->quiet_until < own->timer ? own->quiet_until
									   : own->timer);
}

#ifndef SBI_VCPUS /* else each virtual hart has a timer */
void sbi_timer_set(uint64_t when)
{
	const uint64_t hart = sbi_hart();

	times[hart].timer = when;
	timer_arm(&times[hart]);
	csr_clear(CSR_MIP, MIP_STIP);
	csr_set(CSR_MIE, MIE_MTIE);
}
#endif

void sbi_software_interrupt(uint64_t hart)
{
	/* The other hart, once interrupted, sees everything that was written for it. */
	__asm__ volatile("fence rw, ow" : : : "memory");
	*sbi_software_interrupt_of(hart) = TRAPEZE_CLINT_MSIP_MSIP_MASK;
}

/**
 * Whether supervisor mode has ever rung another hart. Only then does it have a handler for the answer; before that an
 * interrupt without a handler would come again for ever. A guest that may ring nobody gets no answer either.
 */
static int somebody_waits;

void sbi_doorbell_ring(uint64_t hart)
{
	const uint64_t self = sbi_hart(), now = csr_read(CSR_TIME);
	struct times *const own = &times[self];

	if (now < own->quiet_until) {
		own->waiting |= 1ULL << hart;
		timer_arm(own);
		return;
	}
	sbi_software_interrupt(hart);
	somebody_waits = 1;
	own->quiet_until = now + SBI_RING_INTERVAL;
}

static void ring_waiting(struct times *own, uint64_t now)
{
	if (own->waiting == 0 || now < own->quiet_until) {
		return;
	}
	for (uint64_t hart = 0; hart < SBI_HARTS; hart++) {
		if (((own->waiting >> hart) & 1) != 0) {
			sbi_software_interrupt(hart);
		}
	}
	own->waiting = 0;
	own->quiet_until = now + SBI_RING_INTERVAL;
}

void sbi_doorbell_settle(void)
{
	struct times *const own = &times[sbi_hart()];

	while (own->waiting != 0) {
		ring_waiting(own, csr_read(CSR_TIME));
	}
}

#ifndef SBI_VCPUS
void sbi_timer_expired(void)
{
	const uint64_t hart = sbi_hart(), now = csr_read(CSR_TIME);
	struct times *const own = &times[hart];

	ring_waiting(own, now);
	if (now >= own->timer) {
		own->timer = UINT64_MAX;
		csr_set(CSR_MIP, MIP_STIP);
	}
	timer_arm(own);
}
#endif

void sbi_doorbell_answer(void)
{
	if (somebody_waits) {
		sbi_ipi_self();
	}
}

void sbi_ipi_self(void)
{
	csr_set(CSR_MIP, MIP_SSIP);
}

_Noreturn void sbi_finish(unsigned int code)
{
	volatile uint32_t *const finisher =
	    (volatile uint32_t *)(uintptr_t)(TRAPEZE_HOST_BASE + TRAPEZE_HOST_FINISHER_OFFSET);

	*finisher = code == 0 ? TRAPEZE_HOST_FINISHER_STATUS_PASS
			      : (code << TRAPEZE_HOST_FINISHER_CODE_SHIFT) |
				    TRAPEZE_HOST_FINISHER_STATUS_FAIL;
	for (;;) {
		__asm__ volatile("wfi");
	}
}
