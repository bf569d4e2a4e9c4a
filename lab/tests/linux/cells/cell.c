/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The cell: does what kernel.c asks for, and ends with ENDS_WELL if all was as it must be.
 */
#define IS_CELL
#define FOREIGN                                                                                    \
	TRAPEZE_UART_BASE, TRAPEZE_UART_BASE + 0xf8, TRAPEZE_MAILBOX_A_BASE, TRAPEZE_BELL_PAGES_BASE,         \
	    TRAPEZE_BELL_PAGES_BASE + TRAPEZE_BELL_PAGES_SIZE - 8, TRAPEZE_HOST_BASE, 0x80080000, 0x80200000, \
	    0x82fffff8, 0x837ffff8, 0x84000000, TRAPEZE_RING_BASE, TRAPEZE_RING_BASE + 0xeff8,             \
	    TRAPEZE_APP_PROBE_BASE + TRAPEZE_APP_PROBE_SIZE
#define OWN_SOURCE(n)  ((n) == TRAPEZE_APP_PROBE_PLIC_SOURCE)
#define OWN_CONTEXT    3
#define OWN_HART       2
#define OTHER_HART     0
#define OWN_BASE       0x83800000
#define OWN_END        0x84000000
#define OTHER_BASE     0x80200000
#define CELL_ERROR(of) (-4)

#include <stdio.h>
#include <stdlib.h>

#include <trapeze/exit.h>
#include <trapeze/random.h>

#include "attempts.h"

#define SOURCE 13U
#define RANDOM(offset) (*(volatile uint32_t *)(uintptr_t)(TRAPEZE_APP_PROBE_RANDOM_BASE + (offset)))

void fail(unsigned int number, uint64_t got)
{
	printf("cell: attempt %u: %lx\n", number, (unsigned long)got);
	trapeze_exit(1);
	for (;;) {
	}
}

/* The block that the generator makes takes its time, also where that is instructions. */
static void raise_request(void)
{
	RANDOM(TRAPEZE_RANDOM_CONTROL_OFFSET) = TRAPEZE_RANDOM_CONTROL_START_MASK;
	while ((RANDOM(TRAPEZE_RANDOM_STATUS_OFFSET) & TRAPEZE_RANDOM_STATUS_READY_MASK) == 0) {
	}
}

static void lower_request(void)
{
	RANDOM(TRAPEZE_RANDOM_CONTROL_OFFSET) = TRAPEZE_RANDOM_CONTROL_ACK_MASK;
}

static uint64_t pending(void)
{
	uint64_t value;

	__asm__ volatile("csrr %0, sip" : "=r"(value));
	return value;
}

/* Its memory is as in its image, and no interrupt is pending or enabled, whatever the one before has left. */
static volatile uint64_t counted = 12345;
static volatile uint64_t empty[4096];

static void begin_anew(void)
{
	volatile uint64_t *const last = (volatile uint64_t *)(uintptr_t)(OWN_END - 8);
	uint64_t enabled, translation;

	__asm__ volatile("csrr %0, sie\n\tcsrr %1, satp" : "=r"(enabled), "=r"(translation));
	expect(1000, counted, 12345);
	for (unsigned int i = 0; i < 4096; i++) {
		expect(1001, empty[i], 0);
		empty[i] = ~0ULL;
	}
	expect(1002, *last, 0);
	expect(1003, pending(), 0);
	expect(1004, enabled & 0x222, 0);
	expect(1005, translation, 0);
	expect(1006, *plic(4 * SOURCE), 0);
	expect(1007, *plic(ENABLES(3)), 0);
	expect(1008, *plic(PAGE(3)), 0);
	expect(1009, *plic(PAGE(3) + 4), 0);
	counted = 1;
	*last = 1;
	*(volatile uint32_t *)(uintptr_t)(OWN_BASE + 0x200000) = 1;
	*plic(4 * SOURCE) = 7;
	*plic(ENABLES(3)) = 1U << SOURCE;
	raise_request();
	lower_request();
	expect(1010, pending() & 0x200, 0x200);
	expect(1011, *plic(PAGE(3) + 4), SOURCE); /* claimed, and never completed */
	*plic(PAGE(3)) = 3;
	__asm__ volatile("csrsi sip, 2\n\tcsrs sie, %0" : : "r"(0x222UL));
}

static volatile unsigned int taken;

__attribute__((interrupt("supervisor"), aligned(4))) static void handler(void)
{
	lower_request();
	expect(1100, *plic(PAGE(3) + 4), SOURCE);
	taken++;
	*plic(PAGE(3) + 4) = SOURCE;
}

static void connect(void (*to)(void))
{
	__asm__ volatile("csrw stvec, %0\n\tcsrs sie, %1\n\tcsrsi sstatus, 2" : : "r"(to), "r"(0x200UL));
}

static void interrupts(void)
{
	*plic(4 * SOURCE) = 1;
	*plic(ENABLES(3)) = 1U << SOURCE;
	connect(handler);
	for (unsigned int i = 0; i < 50; i++) {
		RANDOM(TRAPEZE_RANDOM_CONTROL_OFFSET) = TRAPEZE_RANDOM_CONTROL_START_MASK;
		while (taken <= i) {
		}
	}
	expect(1110, taken, 50);
	*plic(PAGE(3)) = 1;
	raise_request();
	expect(1111, taken, 50);
	*plic(PAGE(3)) = 0;
	__asm__ volatile("nop\n\tnop");
	expect(1112, taken, 51);
}

static uint64_t cycles(void)
{
	uint64_t now;

	__asm__ volatile("csrr %0, cycle" : "=r"(now) : : "memory");
	return now;
}

static void keep_most(uint64_t *most, uint64_t value)
{
	*most = value > *most ? value : *most;
}

/* Prints the largest one of many times for which the hypervisor has this hart, cycles; a tick may come in it, too. */
#define MASKED(name, times, action)                                                                                    \
	do {                                                                                                           \
		uint64_t most = 0;                                                                                     \
		for (unsigned int i = 0; i < (times); i++) {                                                           \
			const uint64_t before = cycles();                                                              \
			action;                                                                                        \
			keep_most(&most, cycles() - before);                                                           \
		}                                                                                                      \
		printf("masked by " name ": %lu\n", (unsigned long)most);                                              \
	} while (0)

/* All for which the hypervisor masks a cell's interrupts, beside virtual harts that are always busy. */
static void bound(void)
{
	uint64_t injection = 0, completion = 0;

	MASKED("a tick", 300000, (void)0);
	MASKED("a call about the timer", 300, (void)sbi_call(SBI_TIME, 0, UINT64_MAX, 0));
	MASKED("a question", 300, (void)sbi_call(0x10, 3, SBI_TIME, 0));
	MASKED("an interrupt to itself", 300, (void)sbi_call(0x735049, 0, 1, 0));
	__asm__ volatile("csrci sip, 2");
	MASKED("a remote fence", 300, (void)sbi_call(0x52464e43, 0, 1, 0));
	MASKED("a load of the PLIC", 300, (void)*plic(ENABLES(3)));
	MASKED("a store of the PLIC", 300, *plic(PAGE(3)) = 0);
	MASKED("a new priority", 300, *plic(4 * SOURCE) = 1 + i % 7);
	*plic(4 * SOURCE) = 1;
	*plic(ENABLES(3)) = 1U << SOURCE;
	for (unsigned int i = 0; i < 300; i++) {
		uint64_t before = cycles();

		RANDOM(TRAPEZE_RANDOM_CONTROL_OFFSET) = TRAPEZE_RANDOM_CONTROL_START_MASK;
		while ((pending() & 0x200) == 0) {
			before = cycles();
		}
		keep_most(&injection, cycles() - before);
		lower_request();
		expect(1120, *plic(PAGE(3) + 4), SOURCE);
		before = cycles();
		*plic(PAGE(3) + 4) = SOURCE;
		keep_most(&completion, cycles() - before);
	}
	printf("masked by an interrupt: %lu\nmasked by a completion: %lu\n", (unsigned long)injection, (unsigned long)completion);
}

/* A random program of the PLIC's registers, whose results are a number. */
static void program(void)
{
	uint32_t random = 1, result = 0, claims = 0, pendings = 0;

	for (unsigned int i = 0; i < 20000; i++) {
		random ^= random << 13;
		random ^= random >> 17;
		random ^= random << 5;
		const uint32_t value = random >> 8;
		uint32_t seen = 0;

		switch (random % 11) {
		case 0:
			*plic(4 * SOURCE) = value;
			seen = *plic(4 * SOURCE);
			break;
		case 1:
			*plic(ENABLES(3)) = (value & 3) != 0 ? value | 1U << SOURCE : value & ~(1U << SOURCE);
			seen = *plic(ENABLES(3));
			break;
		case 2:
			*plic(PAGE(3)) = (value & 8) != 0 ? value & 0xff : value & 1;
			seen = *plic(PAGE(3));
			break;
		case 3:
		case 4:
			seen = *plic(PAGE(3) + 4);
			claims += seen != 0;
			break;
		case 5:
		case 6:
			*plic(PAGE(3) + 4) = SOURCE;
			break;
		case 7:
			*plic(PAGE(3) + 4) = value % 3 == 0 ? value : value % 100;
			break;
		case 8:
			raise_request();
			break;
		case 9:
			lower_request();
			break;
		default:
			seen = *plic(TRAPEZE_PLIC_PENDING_OFFSET);
			break;
		}
		seen = seen << 1 | (uint32_t)(pending() >> 9 & 1);
		pendings += seen & 1;
		result = (result ^ seen) * 16777619U;
		result ^= result >> 15;
	}
	printf("program: %lx, %lu claims, %lu pending\n", (unsigned long)result, (unsigned long)claims, (unsigned long)pendings);
	expect(1200, claims > 500 && pendings > 1000 && pendings < 19000, 1);
}

__attribute__((interrupt("supervisor"), aligned(4))) static void never_done(void)
{
	*plic(PAGE(3) + 4) = *plic(PAGE(3) + 4);
	SHARED[BEATS]++;
}

__attribute__((noreturn)) static void never_end(enum todo todo)
{
	if (todo == STORM) {
		*plic(4 * SOURCE) = 7;
		*plic(ENABLES(3)) = 1U << SOURCE;
		raise_request();
		connect(never_done);
	}
	SHARED[BEATS] = 1;
	if (todo == FAULTS) {
		__asm__ volatile("la t0, 1f\n\tcsrw stvec, t0\n\t.balign 4\n1:\tlw t0, 0(zero)\n\tj 1b" : : : "t0");
	}
	if (todo == LOST) {
		__asm__ volatile("csrw satp, %0\n\tsfence.vma" : : "r"(8UL << 60 | 0x80000UL));
	}
	if (todo == AGAIN) {
		(void)sbi_call(SBI_RESET, 0, 1, 0);
	}
	for (;;) {
		switch (todo) {
		case WAIT:
			__asm__ volatile("wfi");
			break;
		case CALLS:
			(void)sbi_call(0x52464e43, 1, 0, -1UL);
			(void)sbi_call(SBI_TIME, 0, 0, 0);
			(void)sbi_call(0x735049, 0, 4, 0);
			break;
		case FENCES:
			__asm__ volatile("sfence.vma\n\tfence.i");
			break;
		case PLIC_STORM:
			*plic(ENABLES(3)) = ~*plic(PAGE(3) + 4);
			break;
		default:
			break;
		}
	}
}

/* Works on its own memory while another guest is hostile. */
static void work(void)
{
	uint64_t pendings = 0;

	for (unsigned int i = 0; i < 4096; i++) {
		empty[i] = i * 0x9e3779b97f4a7c15;
	}
	*plic(4 * SOURCE) = 5;
	*plic(ENABLES(3)) = 1U << SOURCE;
	*plic(PAGE(3)) = 4;
	do {
		SHARED[BEATS]++;
		pendings |= pending();
		for (unsigned int i = 0; i < 4096; i++) {
			expect(1300, empty[i], i * 0x9e3779b97f4a7c15);
		}
		expect(1301, *plic(4 * SOURCE), 5);
		expect(1302, *plic(ENABLES(3)), 1U << SOURCE);
		expect(1303, *plic(PAGE(3)), 4);
	} while (SHARED[GO] == 0);
	expect(1304, pendings, 0);
	raise_request();
	expect(1305, *plic(PAGE(3) + 4), SOURCE);
	puts("the cell has seen nothing");
}

int main(void)
{
	const enum todo todo = (enum todo)SHARED[TASK];

	switch (todo) {
	case ATTACK:
		attack();
		puts("the cell was refused everything");
		break;
	case ANEW:
		begin_anew();
		break;
	case REBOOT:
		begin_anew();
		if (++SHARED[ROUND] < 4) {
			(void)sbi_call(SBI_RESET, 0, 1 + (SHARED[ROUND] & 1), 0);
		}
		return ENDS_WELL + 3;
	case WORK:
		work();
		break;
	case INTERRUPT:
		interrupts();
		break;
	case PROGRAM:
		program();
		break;
	case BOUND:
		bound();
		break;
	default:
		never_end(todo);
	}
	return ENDS_WELL;
}
