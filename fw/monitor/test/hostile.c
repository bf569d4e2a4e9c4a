/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A hostile program under the monitor: ATTEMPTS attempts, drawn from SEED. Each ends where it returns, where the monitor refuses it
 * or where the watchdog ends it, and the next one follows. What must not succeed and does is printed, with exit code 1; so is a
 * monitor that is not as it was. The last line counts how attempts ended.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "attack.h"

/* Of the watchdog, and how late it may be: the program's own way back is in it. */
#define PERIOD 12000U
#define LATEST 2000U

/* Attempts between two looks at the monitor's checksum; one costs some ten thousand cycles. */
#define LOOK 512U

#define OWN_SOURCE (TRAPEZE_IRQ_LINE_BASE + 15U)

extern const char monitor_rom_start[], monitor_rom_end[], monitor_ram_start[], monitor_ram_end[];
extern const char program_text_end[], program_vectors_end[], monitor_page_end[],
    program_constants_end[], hostile_csrs[], hostile_words[], hostile_words_end[];

static uint32_t seed = SEED;
static uint32_t done;

/* How attempts of each kind ended. */
enum end {
	RETURNED,
	REFUSED,
	EXPIRED,
	INTERRUPTED,
	ENDS,
};

#define KINDS 9U

static uint32_t ended[KINDS][ENDS];
static bool ended_all;
static uint32_t checksum;
static volatile uint32_t begun;
static uint32_t latest;
static uint32_t kind;
static volatile uint32_t place;

static uint32_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

static uint32_t below(uint32_t limit)
{
	return draw() % limit;
}

__attribute__((noreturn)) static void broken(const char *what, uint32_t value)
{
	printf("attempt %lu, kind %lu at %lx: %s %lx\n", (unsigned long)done, (unsigned long)kind,
	       (unsigned long)place, what, (unsigned long)value);
	exit(1);
}

/* Goes on here, whatever sp is, where nothing has come. */
__attribute__((noreturn, used)) void hostile_returned(void);
__asm__(".section .text.attack, \"ax\", @progbits\n"
	"hostile_back:\n"
	"	la sp, __stack_top\n"
	"	j hostile_returned\n"
	".previous");

/* ---------------------------------------------------------------- memory */

#define READ    1U
#define WRITE   2U
#define EXECUTE 4U

/* What user mode may do with a byte, as fw/monitor/README.md says. */
static uint32_t allowed(uint32_t at)
{
	if (at >= (uint32_t)monitor_rom_end && at < (uint32_t)program_text_end) {
		return READ | EXECUTE;
	}
	if (at >= (uint32_t)program_text_end && at < (uint32_t)program_vectors_end) {
		return READ | WRITE | EXECUTE;
	}
	if (at >= (uint32_t)monitor_ram_end && at < (uint32_t)monitor_page_end) {
		return READ | WRITE;
	}
	if (at >= (uint32_t)monitor_page_end && at < (uint32_t)program_constants_end) {
		return READ;
	}
	if (at >= (uint32_t)program_constants_end && at < TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE) {
		return READ | WRITE;
	}
	if (at - TRAPEZE_SMEM_BASE < TRAPEZE_SMEM_SIZE) {
		return READ | WRITE;
	}
	return 0U;
}

static bool is_memory(uint32_t at)
{
	return at - TRAPEZE_IMEM_BASE < TRAPEZE_IMEM_SIZE ||
	       at - TRAPEZE_DMEM_BASE < TRAPEZE_DMEM_SIZE ||
	       at - TRAPEZE_SMEM_BASE < TRAPEZE_SMEM_SIZE;
}

/* Devices whose registers are not to be written: the host port ends the run, the UART prints. */
static bool is_device_closed(uint32_t at)
{
#ifndef TRAPEZE_MONITOR_CALLS
	if (at - TRAPEZE_CLIC_BASE < TRAPEZE_CLIC_SIZE) {
		return true;
	}
#endif
	return at - TRAPEZE_PROBE_RANDOM_BASE < 0x4000U ||
	       at - (TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 4U * OWN_SOURCE) < 4U;
}

static uint32_t draw_place(void)
{
	const uint32_t edges[] = {
	    (uint32_t)monitor_rom_start,
	    (uint32_t)monitor_rom_end,
	    (uint32_t)program_text_end,
	    (uint32_t)program_vectors_end,
	    (uint32_t)monitor_ram_start,
	    (uint32_t)monitor_ram_end,
	    (uint32_t)monitor_page_end,
	    (uint32_t)program_constants_end,
	    TRAPEZE_IMEM_BASE + TRAPEZE_IMEM_SIZE,
	    TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE,
	    TRAPEZE_SMEM_BASE,
	    TRAPEZE_SMEM_BASE + TRAPEZE_SMEM_SIZE,
	    TRAPEZE_CLIC_BASE,
	    TRAPEZE_CLIC_USER_BASE,
	    TRAPEZE_CLIC_USER_BASE + TRAPEZE_CLIC_USER_SIZE,
	    TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 4U * OWN_SOURCE,
	    TRAPEZE_CLINT_BASE,
	    TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_SIZE,
	    TRAPEZE_PROBE_RANDOM_BASE,
	    TRAPEZE_PROBE_TIMER_BASE,
	    TRAPEZE_PROBE_STRESS_BASE,
	    TRAPEZE_PROBE_BASE + TRAPEZE_PROBE_SIZE,
	    0U,
	};

	switch (below(4U)) {
	case 0U:
		return draw();
	case 1U:
		return (uint32_t)monitor_rom_start +
		       below((uint32_t)monitor_rom_end - (uint32_t)monitor_rom_start);
	case 2U:
		return (uint32_t)monitor_ram_start +
		       below((uint32_t)monitor_ram_end - (uint32_t)monitor_ram_start);
	default:
		return edges[below(sizeof(edges) / sizeof(edges[0]))] + below(17U) - 8U;
	}
}

static void access(void)
{
	bool store = below(2U) != 0U;
	uint32_t at = draw_place();
	uint32_t size = 1U << below(3U);
	uint32_t may = allowed(at) & allowed(at + size - 1U);
	bool memory = is_memory(at) || is_memory(at + size - 1U);
	uint32_t value = 0U;

	place = at;
	if (at - TRAPEZE_HOST_BASE + 4U < TRAPEZE_HOST_SIZE + 4U ||
	    at - TRAPEZE_UART_BASE + 4U < TRAPEZE_UART_SIZE + 4U) {
		return;
	}
	if (store && (may & WRITE) != 0U) {
		/* Its own: it would only harm itself. */
		return;
	}
	if (store) {
		value = draw();
		if (size == 1U) {
			__asm__ volatile("sb %0, 0(%1)" : : "r"(value), "r"(at) : "memory");
		} else if (size == 2U) {
			__asm__ volatile("sh %0, 0(%1)" : : "r"(value), "r"(at) : "memory");
		} else {
			__asm__ volatile("sw %0, 0(%1)" : : "r"(value), "r"(at) : "memory");
		}
	} else if (size == 1U) {
		__asm__ volatile("lb %0, 0(%1)" : "=r"(value) : "r"(at) : "memory");
	} else if (size == 2U) {
		__asm__ volatile("lh %0, 0(%1)" : "=r"(value) : "r"(at) : "memory");
	} else {
		__asm__ volatile("lw %0, 0(%1)" : "=r"(value) : "r"(at) : "memory");
	}
	if ((memory && (may & (store ? WRITE : READ)) == 0U) || is_device_closed(at)) {
		broken(store ? "stored" : "loaded", value);
	}
}

static void jump(void)
{
	uint32_t at = draw_place() & ~1U;

	place = at;
	if (((allowed(at) | allowed(at + 2U)) & EXECUTE) != 0U) {
		/* Its own code may do anything, its end too. */
		return;
	}
	__asm__ volatile("jalr ra, %0" : : "r"(at) : "ra", "memory");
	broken("jumped", at);
}

/* ---------------------------------------------------------------- instructions */

/* Each is four bytes, and the return behind it two, or four. */
#define STEP 8U

static void call_code(const char *code)
{
	register uint32_t a0 __asm__("a0") = draw();
	register uint32_t a1 __asm__("a1") = draw();

	__asm__ volatile("jalr ra, %2"
			 : "+r"(a0), "+r"(a1)
			 : "r"(code)
			 : "ra", "t0", "t1", "t2", "a2", "a3", "a4", "a5", "memory");
}

static void csr(void)
{
	/* Any, machine mode's, user mode's own. */
	const uint32_t first[] = {0U, 0x300U, 0U};
	const uint32_t count[] = {4096U, 0x100U, 0x80U};
	uint32_t from = below(3U);
	uint32_t number = first[from] + below(count[from]);

	place = number;
	call_code(&hostile_csrs[STEP * (3U * number + below(3U))]);
}

static void instruction(void)
{
	uint32_t count = (uint32_t)(hostile_words_end - hostile_words) / STEP;

	place = below(count);
	/* Else uret would go on anywhere in its own code. */
	csr_write(CSR_UEPC, (uint32_t)attack_entry);
	csr_write(CSR_UCAUSE, 0U);
	call_code(&hostile_words[STEP * place]);
}

static void call(void)
{
	register uint32_t t0 __asm__("t0") = below(2U) != 0U ? draw() : below(8U);
	register uint32_t a0 __asm__("a0") = draw();

	__asm__ volatile("ecall" : "+r"(t0), "+r"(a0) : : "t1", "t2", "memory");
	if (monitor_watchdog_start(below(2U) != 0U ? draw() : 0U)) {
		broken("the watchdog took another period", 0U);
	}
}

/* ---------------------------------------------------------------- interrupts, stacks, the page */

static void raise_some(void)
{
	for (uint32_t count = 1U + below(8U); count != 0U; count--) {
		uint32_t source = 16U + below(IRQ_COUNT - 16U);

		if (source != OWN_SOURCE) {
			attack_raise(source);
		}
	}
}

static void storm(void)
{
	attack_connect();
	raise_some();
	attack_enable();
	raise_some();
}

static void stack(void)
{
	uint32_t at = below(2U) != 0U ? draw_place() : draw();

	place = at;
#ifndef TRAPEZE_MONITOR_CALLS
	csr_write(CSR_UFASTIRQ, draw() & 3U);
#endif
	attack_connect();
	raise_some();
	if (is_memory(at) && (allowed(at) & WRITE) != 0U) {
		/* A frame there would only harm itself. */
		return;
	}
#if defined(TRAPEZE_MONITOR_SOFT)
	monitor_page.enabled = 1U;
	__asm__ volatile("mv sp, %0\n\tecall\n\tnop\n\tnop\n\tj hostile_back" : : "r"(at));
#elif defined(TRAPEZE_MONITOR_CALLS)
	__asm__ volatile("mv sp, %0\n\tli a0, 1\n\tli t0, 1\n\tecall\n\tnop\n\tj hostile_back"
			 :
			 : "r"(at)
			 : "a0", "t0");
#else
	__asm__ volatile("mv sp, %0\n\tcsrsi 0, 1\n\tnop\n\tnop\n\tj hostile_back" : : "r"(at));
#endif
	__builtin_unreachable();
}

static void page(void)
{
#ifdef TRAPEZE_MONITOR_CALLS
	uint32_t there = draw_place();

	if ((allowed(there) & EXECUTE) != 0U) {
		return;
	}
	place = there;
	monitor_page.mepc = there;
	monitor_page.handler = there;
	monitor_page.enabled = below(2U);
	monitor_page.kept = draw();
	monitor_page.mcause = draw();
	raise_some();
	for (uint32_t source = 0U; source < IRQ_COUNT; source++) {
		monitor_page.mie[source] = (uint8_t)draw();
	}
	__asm__ volatile("li t0, 1\n\tli a0, 1\n\tecall\n\tnop\n\t.4byte 0x10200073"
			 :
			 :
			 : "t0", "t1", "t2", "a0", "memory");
#endif
}

/* Too long. The watchdog is to end it. */
static void hang(void)
{
	if (below(64U) != 0U) {
		return;
	}
	attack_disable();
	raise_some();
	monitor_watchdog_kick();
	begun = csr_read(CSR_CYCLE);
	for (;;) {
		place = 0xffffffffU;
	}
}

/* ---------------------------------------------------------------- one after the other */

static const struct {
	const char *name;
	void (*run)(void);
} kinds[KINDS] = {
    {"load or store", access},
    {"jump", jump},
    {"csr", csr},
    {"instruction", instruction},
    {"call", call},
    {"storm", storm},
    {"stack", stack},
    {"page", page},
    {"hang", hang},
};

/* The watchdog watches this, too. */
static void print(const char *before, uint32_t value)
{
	monitor_watchdog_kick();
	printf("%s%lu", before, (unsigned long)value);
}

/* A line for each kind. */
__attribute__((noreturn)) static void finish(void)
{
	ended_all = true;
	puts("kind: returned, refused, expired, interrupted");
	for (uint32_t one = 0U; one < KINDS; one++) {
		fputs(kinds[one].name, stdout);
		for (uint32_t how = 0U; how < ENDS; how++) {
			print(how == 0U ? ": " : ", ", ended[one][how]);
		}
		putchar('\n');
	}
	print("watchdog late by at most ", latest);
	putchar('\n');
	exit(0);
}

__attribute__((noreturn)) static void next(void)
{
	for (;;) {
		attack_disable();
#ifndef TRAPEZE_MONITOR_CALLS
		/* It may be in a handler: the level is taken back. */
		csr_write(CSR_USTATUS, 0U);
		csr_write(CSR_UFASTIRQ, 0U);
		csr_write(CSR_UINTTHRESH, 0U);
		csr_write(CSR_UCAUSE, 0U);
		__asm__ volatile("la t0, 1f\n\tcsrw 0x041, t0\n\t.4byte 0x00200073\n1:"
				 :
				 :
				 : "t0", "memory");
#endif
		attack_quiet();
		attack_connect();
		monitor_watchdog_kick();
		if (done % LOOK == 0U && attack_checksum() != checksum) {
			broken("the monitor has changed", attack_checksum());
		}
		if (done == ATTEMPTS) {
			finish();
		}
		done++;
		begun = 0U;
		place = 0U;
		kind = below(KINDS);
		kinds[kind].run();
		ended[kind][RETURNED]++;
	}
}

void attack_resumed(uint32_t mcause, uint32_t mepc, uint32_t mtval)
{
	uint32_t late = csr_read(CSR_CYCLE) - begun - PERIOD;

	if (ended_all) {
		monitor_watchdog_kick();
		broken("stopped at the end", mepc + mtval);
	}
	if ((mcause & ATTACK_EXPIRED) == 0U) {
		ended[kind][REFUSED]++;
	} else {
		ended[kind][EXPIRED]++;
		if (begun != 0U) {
			latest = late > latest ? late : latest;
			if (late > LATEST) {
				broken("the watchdog is late by", late);
			}
		}
	}
	next();
}

void hostile_returned(void)
{
	ended[kind][RETURNED]++;
	next();
}

void attack_interrupted(void)
{
	ended[kind][INTERRUPTED]++;
	next();
}

int main(void)
{
	checksum = attack_checksum();
	if (!monitor_watchdog_start(PERIOD)) {
		return 3;
	}
	checksum = attack_checksum();
	next();
}
