/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A machine mode below Linux that runs on Rocket and on Trapeze alike: calls for console, timer and power-off, the time,
 * and at the end what each phase of the run took.
 *
 * Rocket has no CSR `time`, and its mtime does not count cycles. So all time here is in cycles: mtime, times the cycles
 * between two of its ticks, which are counted first; on Trapeze it is one. Supervisor and user mode may not read `time`
 * on either, and the instruction is emulated for both.
 *
 * Sources: RISC-V Supervisor Binary Interface Specification 1.0; Privileged ISA 20211203, chapter 3.
 */
#include <stdint.h>

#include <trapeze/clint.h>
#include <trapeze/host.h>
#include <trapeze/isa.h>
#include <trapeze/map.h>
#include <trapeze/uart.h>

#define STRING_(text) #text
#define STRING(text)  STRING_(text)

#define csr_read(number)                                                                           \
	({                                                                                         \
		uint64_t csr_value_;                                                               \
		__asm__ volatile("csrr %0, " STRING(number) : "=r"(csr_value_) : : "memory");      \
		csr_value_;                                                                        \
	})
#define csr_write(number, value)                                                                   \
	__asm__ volatile("csrw " STRING(number) ", %0" : : "r"((uint64_t)(value)) : "memory")
#define csr_set(number, bits)                                                                      \
	__asm__ volatile("csrs " STRING(number) ", %0" : : "r"((uint64_t)(bits)) : "memory")
#define csr_clear(number, bits)                                                                    \
	__asm__ volatile("csrc " STRING(number) ", %0" : : "r"((uint64_t)(bits)) : "memory")

/* What supervisor mode handles itself. Its calls and illegal instructions come here; user mode's calls, from the second
 * one on, do not.
 */
#define DELEGATED                                                                                  \
	((1U << MCAUSE_FETCH_MISALIGNED) | (1U << MCAUSE_FETCH_FAULT) |                            \
	 (1U << MCAUSE_BREAKPOINT) | (1U << MCAUSE_LOAD_MISALIGNED) | (1U << MCAUSE_LOAD_FAULT) |  \
	 (1U << MCAUSE_STORE_MISALIGNED) | (1U << MCAUSE_STORE_FAULT) |                            \
	 (1U << MCAUSE_FETCH_PAGE_FAULT) | (1U << MCAUSE_LOAD_PAGE_FAULT) |                        \
	 (1U << MCAUSE_STORE_PAGE_FAULT))

#define PMP_ALL   (PMPCFG_A_NAPOT | PMPCFG_R | PMPCFG_W | PMPCFG_X)
#define CBO_RULES 0xf0U

/* rdtime: csrrs of `time` with x0; bits 7 to 11 are its destination. */
#define RDTIME      0xc0102073U
#define RDTIME_MASK 0xfffff07fU

/* Edges of mtime that are counted to find its length; Rocket's tick has 100 cycles. */
#define TICKS 16U

enum extension {
	LEGACY_PUTCHAR = 0x1,
	BASE = 0x10,
	TIME = 0x54494d45,
	RFENCE = 0x52464e43,
	SRST = 0x53525354,
};

enum {
	BASE_SPEC_VERSION = 0,
	BASE_PROBE = 3,
	SPEC_VERSION = 0x01000000,
	NOT_SUPPORTED = -2,
	INSTRUCTION_BYTES = 4,
	RESTART_CODE = 2,
	TRAP_CODE = 99,
	A0 = 10,
	A1 = 11,
	A6 = 16,
	A7 = 17,
};

/** Prepares for supervisor mode; start.S enters it then. */
void prepare(void);

/** A trap of a lower mode, with its registers; x[0] is none. */
void trap(uint64_t *x);

/** Ends the run by a word for the host port (start.S). */
_Noreturn void finish(uint32_t word);

/** Where the kernel's image begins (fw/sbi/image.S). */
extern const char sbi_kernel[];

/** Cycles and instructions at one moment. */
struct moment {
	uint64_t cycles;
	uint64_t instructions;
};

static struct moment kernel_began, init_began;
static uint64_t cycles_of_tick;

/**
 * Of the letters that are printed once the first program runs. What Linux prints before depends on the hart, for example on
 * how many ASIDs it has; the times in front of its lines have no letters.
 */
static uint64_t letters = 14695981039346656037U;

static uint64_t mtime(void)
{
	return *(volatile uint64_t *)(uintptr_t)(TRAPEZE_CLINT_BASE +
						 TRAPEZE_CLINT_MTIME_LO_OFFSET);
}

static uint64_t now(void)
{
	return mtime() * cycles_of_tick;
}

static void set_timer(uint64_t when)
{
	volatile uint64_t *compare =
	    (volatile uint64_t *)(uintptr_t)(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIMECMP_LO_OFFSET);

	/* The tick in which that time has come. */
	*compare = when == UINT64_MAX ? when : (when + cycles_of_tick - 1U) / cycles_of_tick;
	csr_clear(CSR_MIP, MIP_STIP);
	csr_set(CSR_MIE, MIE_MTIE);
}

static uint64_t next_tick(void)
{
	for (uint64_t tick = mtime(); mtime() == tick;) {
	}
	return csr_read(CSR_MCYCLE);
}

/** Counts the cycles between two ticks of mtime. Where it counts cycles, reading it takes several ticks. */
static uint64_t measure_tick(void)
{
	uint64_t first_tick = mtime();
	uint64_t first = next_tick();
	uint64_t last = first;

	first_tick = mtime();
	while (mtime() - first_tick < TICKS) {
		last = next_tick();
	}

	const uint64_t ticks = mtime() - first_tick;
	const uint64_t tick = (last - first + (ticks / 2U)) / ticks;

	return tick == 0U ? 1U : tick;
}

static void put(char c)
{
	volatile uint8_t *uart = (volatile uint8_t *)(uintptr_t)TRAPEZE_UART_BASE;

	while ((uart[TRAPEZE_UART_LSR_OFFSET] & TRAPEZE_UART_LSR_THRE_MASK) == 0) {
	}
	uart[TRAPEZE_UART_THR_OFFSET] = (uint8_t)c;
}

static void put_text(const char *text)
{
	while (*text != '\0') {
		put(*text++);
	}
}

static void put_number(uint64_t value)
{
	char digits[20];
	unsigned int length = 0;

	do {
		digits[length++] = (char)('0' + (value % 10U));
		value /= 10U;
	} while (value != 0U);
	put(' ');
	while (length > 0U) {
		put(digits[--length]);
	}
}

static void put_phase(const char *name, struct moment from, struct moment to)
{
	put_text(name);
	put_number(to.cycles - from.cycles);
	put_number(to.instructions - from.instructions);
	put_number(letters);
	put('\n');
}

static struct moment moment(void)
{
	return (struct moment){now(), csr_read(CSR_MINSTRET)};
}

static _Noreturn void end(uint64_t code)
{
	const struct moment last = moment();

	put_text("\nresults\n");
	put_phase("whole", kernel_began, last);
	put_phase("kernel", kernel_began, init_began);
	put_phase("init", init_began, last);
	finish(code == 0U ? TRAPEZE_HOST_FINISHER_STATUS_PASS
			  : (uint32_t)(code << TRAPEZE_HOST_FINISHER_CODE_SHIFT) |
				TRAPEZE_HOST_FINISHER_STATUS_FAIL);
}

static int known(uint64_t extension)
{
	return extension == LEGACY_PUTCHAR || extension == BASE || extension == TIME ||
	       extension == RFENCE || extension == SRST;
}

/** A call of supervisor mode. */
static void serve(uint64_t *x)
{
	int64_t error = 0;
	uint64_t value = 0;

	switch (x[A7]) {
	case LEGACY_PUTCHAR:
		if (init_began.cycles != 0U && (x[A0] | 0x20U) - 'a' < 26U) {
			letters = (letters ^ x[A0]) * 1099511628211U;
		}
		put((char)x[A0]);
		x[A0] = 0;
		return;
	case BASE:
		if (x[A6] == BASE_SPEC_VERSION) {
			value = SPEC_VERSION;
		} else if (x[A6] == BASE_PROBE) {
			value = (uint64_t)known(x[A0]);
		}
		break;
	case TIME:
		set_timer(x[A0]);
		break;
	case RFENCE:
		__asm__ volatile("fence.i\n sfence.vma" : : : "memory");
		break;
	case SRST:
		/* A type other than shutdown is a reboot, for example after a panic. */
		end(x[A0] == 0U ? x[A1] : RESTART_CODE);
	default:
		error = NOT_SUPPORTED;
	}
	x[A0] = (uint64_t)error;
	x[A1] = value;
}

static _Noreturn void unexpected(uint64_t cause)
{
	put_text("\nresults\ntrap");
	put_number(cause);
	put_number(csr_read(CSR_MEPC));
	put_number(csr_read(CSR_MTVAL));
	put('\n');
	finish(TRAP_CODE << TRAPEZE_HOST_FINISHER_CODE_SHIFT | TRAPEZE_HOST_FINISHER_STATUS_FAIL);
}

void trap(uint64_t *x)
{
	const uint64_t cause = csr_read(CSR_MCAUSE);
	const uint64_t instruction = csr_read(CSR_MTVAL);

	switch (cause) {
	case MCAUSE_INTERRUPT | IRQ_TIMER:
		csr_clear(CSR_MIE, MIE_MTIE);
		csr_set(CSR_MIP, MIP_STIP);
		return;
	case MCAUSE_ECALL_S:
		serve(x);
		break;
	case MCAUSE_ECALL_U:
		/* The first system call of the first program. It is made again, and goes to Linux. */
		init_began = moment();
		csr_set(CSR_MEDELEG, 1U << MCAUSE_ECALL_U);
		return;
	case MCAUSE_ILLEGAL_INSTRUCTION:
		if ((instruction & RDTIME_MASK) != RDTIME) {
			unexpected(cause);
		}
		x[instruction >> 7 & 31U] = now();
		break;
	default:
		unexpected(cause);
	}
	csr_write(CSR_MEPC, csr_read(CSR_MEPC) + INSTRUCTION_BYTES);
}

void prepare(void)
{
	csr_write(CSR_PMPADDR0, UINT64_MAX);
	csr_write(CSR_PMPCFG0, PMP_ALL);
	csr_write(CSR_MEDELEG, DELEGATED);
	csr_write(CSR_MIDELEG, MIP_SSIP | MIP_STIP | MIP_SEIP);
	csr_write(CSR_MCOUNTEREN, MCOUNTEREN_CY | MCOUNTEREN_IR);
	csr_write(CSR_SCOUNTEREN, MCOUNTEREN_CY | MCOUNTEREN_TM | MCOUNTEREN_IR);
	cycles_of_tick = measure_tick();
	set_timer(UINT64_MAX);
	csr_write(CSR_SATP, 0);
	csr_write(CSR_MEPC, (uintptr_t)sbi_kernel);
	csr_write(CSR_MSTATUS, MSTATUS_MPP_S);
	kernel_began = moment();
}
