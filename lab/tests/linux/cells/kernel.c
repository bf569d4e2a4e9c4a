/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * In Linux' place: controls the cell, and sees that neither hypervisor nor cell changes what is its own. SCENARIO is what
 * it does.
 */
#define FOREIGN        0x83800000, 0x83fffff8, TRAPEZE_APP_PROBE_BASE, TRAPEZE_APP_PROBE_BASE + TRAPEZE_APP_PROBE_SIZE - 8
#define OWN_SOURCE(n)  ((n) != 0 && (n) != TRAPEZE_APP_PROBE_PLIC_SOURCE)
#define OWN_CONTEXT    1
#define OWN_HART       0
#define OTHER_HART     2
#define OWN_BASE       0x80080000
#define OWN_END        0x83000000
#define OTHER_BASE     0x83800000
#define CELL_ERROR(of) (of)

#include "attempts.h"

__asm__(".section .boot, \"ax\"\n.globl _start\n_start:\n\tla sp, stack + 8192\n\tcall run\n\tmv a1, a0\n\tj end\n.text\n");

char stack[8192] __attribute__((aligned(16)));

void end(uint64_t code, uint64_t same) __attribute__((noreturn));

void end(uint64_t code, uint64_t same)
{
	(void)code;
	for (;;) {
		(void)sbi_call(SBI_RESET, 0, 0, same == 0 ? 0 : TRAPEZE_CELL_REASON_CODE | same);
	}
}

static void say(const char *text)
{
	for (; *text != '\0'; text++) {
		(void)sbi_call(SBI_CONSOLE_PUTCHAR, 0, (unsigned char)*text, 0);
	}
}

static void say_number(uint64_t value)
{
	for (int shift = 28; shift >= 0; shift -= 4) {
		(void)sbi_call(SBI_CONSOLE_PUTCHAR, 0, (unsigned char)"0123456789abcdef"[(value >> shift) & 15], 0);
	}
}

void fail(unsigned int number, uint64_t got)
{
	say("kernel: attempt ");
	say_number(number);
	say(": ");
	say_number(got);
	say("\n");
	end(0, 99);
}

static uint64_t control(uint64_t function)
{
	const struct sbi_answer answer = sbi_call(TRAPEZE_CELL_EXTENSION, function, 2, 0);

	expect(500 + (unsigned int)function, (uint64_t)answer.error, 0);
	return (uint64_t)answer.value;
}

/* Parts of its memory at both ends and in the middle, and of the ring. */
static const uint64_t kept[] = {0x80080000, 0x80400000, 0x82fff000, TRAPEZE_RING_BASE, TRAPEZE_RING_BASE + 0xe000};

static void keep(int check)
{
	for (unsigned int part = 0; part < sizeof(kept) / 8; part++) {
		volatile uint64_t *const words = (volatile uint64_t *)kept[part];

		for (uint64_t i = 0; i < 512; i++) {
			if (check != 0) {
				expect(510 + part, words[i], i * 0x9e3779b97f4a7c15);
			} else {
				words[i] = i * 0x9e3779b97f4a7c15;
			}
		}
	}
	uint64_t pending;

	__asm__ volatile("csrr %0, sip" : "=r"(pending));
	expect(520, pending & 0x222, 0);
}

static void start(enum todo todo)
{
	SHARED[TASK] = todo;
	SHARED[BEATS] = 0;
	(void)control(TRAPEZE_CELL_START);
	expect(521, (uint64_t)sbi_call(TRAPEZE_CELL_EXTENSION, TRAPEZE_CELL_START, 2, 0).error, (uint64_t)-6);
}

static void ends_with(uint64_t code)
{
	uint64_t status;

	do {
		status = control(TRAPEZE_CELL_STATUS);
	} while (status == 0);
	expect(530, status, TRAPEZE_CELL_ENDED | code);
	keep(1);
}

static void stop(void)
{
	(void)control(TRAPEZE_CELL_STOP);
	expect(531, control(TRAPEZE_CELL_STATUS), 1);
	keep(1);
}

/* The cell attacks, and then does what never ends. */
static void hostile_cell(void)
{
	start(ATTACK);
	ends_with(ENDS_WELL);
	for (enum todo todo = SPIN; todo < TASKS; todo++) {
		start(todo);
		while (SHARED[BEATS] == 0) {
		}
		for (volatile int i = 0; i < 2000; i++) {
		}
		expect(540 + todo, control(TRAPEZE_CELL_STATUS), 0);
		stop();
	}
	start(ANEW);
	ends_with(ENDS_WELL);
}

/* It attacks itself, beside a cell that works and must not notice. */
static void hostile_kernel(void)
{
	start(WORK);
	while (SHARED[BEATS] == 0) {
	}
	attack();
	const uint64_t beats = SHARED[BEATS];

	while (SHARED[BEATS] == beats) {
	}
	SHARED[GO] = 1;
	ends_with(ENDS_WELL);
}

/* Start, end, stop, start anew, and the cell's own restart. */
static void control_cell(void)
{
	for (int i = 0; i < 3; i++) {
		start(ANEW);
		ends_with(ENDS_WELL);
		expect(550, (uint64_t)sbi_call(TRAPEZE_CELL_EXTENSION, TRAPEZE_CELL_STOP, 2, 0).error, 0);
		expect(551, control(TRAPEZE_CELL_STATUS), TRAPEZE_CELL_ENDED | ENDS_WELL);
	}
	SHARED[ROUND] = 0;
	start(REBOOT);
	ends_with(ENDS_WELL + 3);
	start(SPIN);
	stop();
	start(ANEW);
	ends_with(ENDS_WELL);
}

static void one_interrupt(void)
{
	for (int i = 0; i < 3; i++) {
		start(INTERRUPT);
		ends_with(ENDS_WELL);
	}
}

static void program(void)
{
	start(PROGRAM);
	ends_with(ENDS_WELL);
}

/* Four virtual harts that are always busy, beside the cell's ticks. Only where harts are time-shared. */
static void bound(void)
{
	extern const char spin[];

	__asm__ volatile("j 1f\n\t.balign 4\nspin:\tj spin\n1:");
	for (uint64_t hart = 1; hart < 4; hart++) {
		(void)sbi_call(0x48534d, 0, hart, (uint64_t)spin);
	}
	start(BOUND);
	ends_with(ENDS_WELL);
}

int run(void);

int run(void)
{
	SHARED[TASK] = SPIN;
	SHARED[GO] = 0;
	(void)control(TRAPEZE_CELL_STOP);
	expect(532, control(TRAPEZE_CELL_STATUS), 1);
	keep(0);
	SCENARIO();
	(void)hostile_cell;
	(void)hostile_kernel;
	(void)control_cell;
	(void)one_interrupt;
	(void)program;
	(void)bound;
	(void)attack;
	return 0;
}
