/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief For the directed tests of fastirq: code that runs with known values in all registers, which are compared
 * afterwards; handlers that record everything; patterns for the caller-saved registers.
 *
 * Nothing here reads a caller-saved register of a fresh bank other than ra, because their values are undefined.
 */
#ifndef FAST_TEST_H_
#define FAST_TEST_H_

#include <stddef.h>
#include <string.h>

#include <trapeze/irq_fast.h>
#include <trapeze/timer.h>

#include "clic_test.h"

/** Bytes that an interrupt takes from the stack, and number of words that it stores. */
#define FRAME_BYTES  ((uint32_t)sizeof(struct irq_fast_frame))
#define FRAME_WORDS  (TRAPEZE_CALLER_COUNT + 2U)
#define FRAME_MEPC   TRAPEZE_CALLER_COUNT
#define FRAME_MCAUSE (TRAPEZE_CALLER_COUNT + 1U)
#define FRAME_SPACE  (FRAME_BYTES / 4U)

/** Register numbers by their names in the ABI. */
enum {
	REG_RA = 1,
	REG_SP = 2,
	REG_T0 = 5,
	REG_S0 = 8,
	REG_S1 = 9,
	REG_A0 = 10
};

/** The caller-saved registers in the order of the frame, and for .irp. */
#ifdef __riscv_32e
#define FAST_CALLER "1, 5, 6, 7, 10, 11, 12, 13, 14, 15"
__attribute__((unused)) static const uint8_t frame_register[] = {1,  5,  6,  7,  10,
								 11, 12, 13, 14, 15};
#else
#define FAST_CALLER "1, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31"
__attribute__((unused)) static const uint8_t frame_register[] = {1,  5,  6,  7,  10, 11, 12, 13,
								 14, 15, 16, 17, 28, 29, 30, 31};
#endif

/**
 * First instructions, in assembly, of an entry for all interrupts that are not vectored. An exception goes on to the
 * HAL. An interrupt goes on behind them, with all registers unchanged.
 */
#define FAST_ENTRY                                                                                 \
	"	csrrw sp, mscratch, sp\n"                                                                \
	"	sw ra, -4(sp)\n"                                                                         \
	"	csrr ra, mcause\n"                                                                       \
	"	bltz ra, 1f\n"                                                                           \
	"	lw ra, -4(sp)\n"                                                                         \
	"	j __trap_save\n"                                                                         \
	"1:	lw ra, -4(sp)\n"                                                                       \
	"	csrrw sp, mscratch, sp\n"

/** An address in a hole of the memory map, with holes around it. */
#define HOLE 0x90000000U

/** What a spy handler has recorded. */
struct spy {
	uint32_t count;
	uint32_t sp;
	uint32_t ra;
	uint32_t mepc;
	uint32_t mcause;
	uint32_t mstatus;
	uint32_t mintstatus;
	uint32_t mscratch;
	uint32_t frame[FRAME_SPACE];
};

/** All registers. 0, 3 (gp) and 4 (tp) are not used. */
struct context {
	uint32_t x[TRAPEZE_REGISTER_COUNT];
};

__attribute__((used)) static volatile struct spy spy;
__attribute__((unused)) static struct context context_in;
__attribute__((unused)) static struct context context_out;
__attribute__((unused)) static uint32_t context_cause; /* mcause of the ecall at its end */
__attribute__((used)) static uint32_t context_saved_sp;

/** Code for context_run() ends with a jump to this address. */
extern const char context_end[];
extern const char context_leave[];
void context_enter(const struct context *registers, const void *code, uint32_t mcause);

/**
 * Handlers for the vector table. The spies record the frame, from the last word to the first or in the other direction.
 * trash_handler only writes all caller-saved registers. touch_handler also writes the frame's first word, so that emret
 * loads the frame instead of using the bank.
 */
void spy_handler(void);
void spy_upwards_handler(void);
void trash_handler(void);
void touch_handler(void);

/** For mtvec: exceptions go to the HAL; mnxti claims interrupts, which go to the first spy. */
extern const char spy_entry[];

/* clang-format off */
#define FAST_TEXT(x) TRAPEZE_STRINGIFY(x)
#define FRAME_TEXT   "((4 * " FAST_TEXT(TRAPEZE_CALLER_COUNT) " + 8 + 15) & ~15)" /* its bytes */
__asm__(".text\n"
	/* Writes seed + number to each register. seed is a callee-saved register. */
	"	.macro fast_fill seed\n"
	"	.irp r, " FAST_CALLER "\n"
	"	addi x\\r, \\seed, \\r\n"
	"	.endr\n"
	"	.endm\n"
	/* a0 = 0 if the registers still have these values. */
	"	.macro fast_verify seed\n"
	"	.irp r, " FAST_CALLER "\n"
	"	sub x\\r, x\\r, \\seed\n"
	"	addi x\\r, x\\r, -\\r\n"
	"	.endr\n"
	"	.irp r, " FAST_CALLER "\n"
	"	or a0, a0, x\\r\n"
	"	.endr\n"
	"	.endm\n"
	"	.macro fast_trash\n"
	"	.irp r, " FAST_CALLER "\n"
	"	li x\\r, -\\r\n"
	"	.endr\n"
	"	.endm\n"
	/* Loads everything from the frame, as software would, and returns by mret, so the bank stays in use. */
	"	.macro fast_mret\n"
	"	fast_trash\n"
	"	csrci mstatus, 8\n"
	"	lw t0, (4 * " FAST_TEXT(TRAPEZE_CALLER_COUNT) ")(sp)\n"
	"	csrw mepc, t0\n"
	"	lw t0, (4 * " FAST_TEXT(TRAPEZE_CALLER_COUNT) " + 4)(sp)\n"
	"	csrw mcause, t0\n"
	"	.set k, 0\n"
	"	.irp r, " FAST_CALLER "\n"
	"	lw x\\r, (4 * k)(sp)\n"
	"	.set k, k + 1\n"
	"	.endr\n"
	"	addi sp, sp, " FRAME_TEXT "\n"
	"	mret\n"
	"	.endm\n"
	"	.macro emret\n"
	"	" TRAPEZE_EMRET "\n"
	"	.endm\n"
	"	.macro fast_nops count\n"
	"	.rept \\count\n"
	"	nop\n"
	"	.endr\n"
	"	.endm\n"

	"	.macro spy_state\n"
	"	la t0, spy\n"
	"	andi t2, sp, -4\n" /* address of the frame */
	"	sw sp, 4(t0)\n"
	"	sw ra, 8(t0)\n"
	"	.endm\n"
	"	.macro spy_word k\n"
	"	lw t1, (4 * \\k)(t2)\n"
	"	sw t1, (32 + 4 * \\k)(t0)\n"
	"	.endm\n"
	"	.macro spy_csrs\n"
	"	csrr t1, mepc\n"
	"	sw t1, 12(t0)\n"
	"	csrr t1, mcause\n"
	"	sw t1, 16(t0)\n"
	"	csrr t1, mstatus\n"
	"	sw t1, 20(t0)\n"
	"	csrr t1, " FAST_TEXT(CSR_MINTSTATUS) "\n"
	"	sw t1, 24(t0)\n"
	"	csrr t1, mscratch\n"
	"	sw t1, 28(t0)\n"
	"	lw t1, 0(t0)\n"
	"	addi t1, t1, 1\n"
	"	sw t1, 0(t0)\n"
	"	.endm\n"
	"	.set fast_space, (" FAST_TEXT(TRAPEZE_CALLER_COUNT) " + 2 + 3) & ~3\n"
	"	.altmacro\n"
	"	.macro spy_downwards\n"
	"	.set k, fast_space\n"
	"	.rept fast_space\n"
	"	.set k, k - 1\n"
	"	spy_word %k\n"
	"	.endr\n"
	"	.endm\n"
	"	.macro spy_upwards\n"
	"	.set k, 0\n"
	"	.rept fast_space\n"
	"	spy_word %k\n"
	"	.set k, k + 1\n"
	"	.endr\n"
	"	.endm\n"

	"	.balign 4\n"
	"	.globl spy_handler\n"
	"spy_handler:\n"
	"	spy_state\n"
	"	spy_downwards\n"
	"	spy_csrs\n"
	"	fast_trash\n"
	"	emret\n"
	"	.globl spy_upwards_handler\n"
	"spy_upwards_handler:\n"
	"	spy_state\n"
	"	spy_upwards\n"
	"	spy_csrs\n"
	"	fast_trash\n"
	"	emret\n"
	"	.noaltmacro\n"
	"	.globl touch_handler\n"
	"touch_handler:\n"
	"	lw t0, 0(sp)\n"
	"	sw t0, 0(sp)\n"
	"	.globl trash_handler\n"
	"trash_handler:\n"
	"	fast_trash\n"
	"	emret\n"

	/* ra has a known value here; for an exception the entry restores it and goes to the HAL. */
	"	.balign 64\n"
	"	.globl spy_entry\n"
	"spy_entry:\n"
	FAST_ENTRY
	"	csrrci x0, " FAST_TEXT(CSR_MNXTI) ", 8\n"
	"	j spy_handler\n"

	/* Saves the callee-saved registers, loads all registers but gp and tp, and jumps to the code. */
	"	.balign 4\n"
	"	.globl context_enter\n"
	"context_enter:\n"
	"	addi sp, sp, -64\n"
	"	sw ra, 0(sp)\n"
	"	sw s0, 4(sp)\n"
	"	sw s1, 8(sp)\n"
#ifndef __riscv_32e
	"	.irp r, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27\n"
	"	sw x\\r, (4 * (\\r - 15))(sp)\n"
	"	.endr\n"
#endif
	"	la t0, context_saved_sp\n"
	"	sw sp, 0(t0)\n"
	"	csrw mcause, a2\n"
	"	csrw mepc, a1\n"
	"	.irp r, 1, 2, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15\n"
	"	lw x\\r, (4 * \\r)(a0)\n"
	"	.endr\n"
#ifndef __riscv_32e
	"	.irp r, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
	"	lw x\\r, (4 * \\r)(a0)\n"
	"	.endr\n"
#endif
	"	lw a0, 40(a0)\n"
	"	mret\n"
	"	.globl context_end\n"
	"context_end:\n"
	"	ecall\n"
	"	.globl context_leave\n"
	"context_leave:\n"
	"	lw ra, 0(sp)\n"
	"	lw s0, 4(sp)\n"
	"	lw s1, 8(sp)\n"
#ifndef __riscv_32e
	"	.irp r, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27\n"
	"	lw x\\r, (4 * (\\r - 15))(sp)\n"
	"	.endr\n"
#endif
	"	addi sp, sp, 64\n"
	"	ret\n");
/* clang-format on */

/** Ends context_run() from an exception handler, and abandons the code that it was running. */
__attribute__((unused)) static void context_abandon(struct trap_frame *frame)
{
	/* An unrolled loop, because GCC would turn a plain one into memcpy(). The C library's copies byte by byte,
	 * which would take most of a test's time.
	 */
#pragma GCC unroll 32
	for (uint32_t i = 1; i < TRAPEZE_REGISTER_COUNT; i++) {
		context_out.x[i] = frame->x[i];
		__asm__("" : "+m"(context_out.x[i]));
	}
	context_cause = frame->mcause;
	frame->x[REG_SP] = context_saved_sp;
	frame->mepc = (uint32_t)context_leave;
	frame->mstatus = (frame->mstatus | MSTATUS_MPP_M) & ~(uint32_t)MSTATUS_MPIE;
}

static bool fast_trap_handler(struct trap_frame *frame)
{
	uint32_t cause = TEST_CAUSE(frame->mcause);

	if ((cause == MCAUSE_ECALL_M || cause == MCAUSE_ECALL_U) &&
	    frame->mepc == (uint32_t)context_end) {
		context_abandon(frame);
		return true;
	}
	return test_trap_handler(frame);
}

/** A stack for context_run(), with room above it. */
__attribute__((unused, aligned(16))) static uint32_t context_stack[256];
#define CONTEXT_SP ((uint32_t)&context_stack[192])

/** Fills context_in with a pattern, and sets its sp. */
__attribute__((unused)) static void context_fill(uint32_t seed)
{
	for (uint32_t i = 0; i < TRAPEZE_REGISTER_COUNT; i++) {
		context_in.x[i] = seed + (i * 0x01030507U);
	}
	context_in.x[REG_SP] = CONTEXT_SP;
}

/**
 * Runs code with the registers of context_in until it jumps to context_end. Then context_out has its registers. The
 * code runs with interrupts enabled, in machine mode or user mode, at level 0. Interrupts are disabled afterwards.
 */
__attribute__((unused)) static void context_run(const void *code, bool user)
{
	context_enter(&context_in, code, MCAUSE_MPIE | (user ? 0U : MCAUSE_MPP));
}

/** Reports every register of context_out that differs from @p expected. */
__attribute__((noinline, unused)) static void context_check(int line,
							    const struct context *expected)
{
	static const char *const names[] = {"x0",  "ra",  "sp",  "gp",  "tp",  "x5",  "x6",  "x7",
					    "x8",  "x9",  "x10", "x11", "x12", "x13", "x14", "x15",
					    "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23",
					    "x24", "x25", "x26", "x27", "x28", "x29", "x30", "x31"};

#pragma GCC unroll 32
	for (uint32_t i = 1; i < TRAPEZE_REGISTER_COUNT; i++) {
		if (context_out.x[i] != expected->x[i] && i != 3U && i != 4U) {
			test_check(line, names[i], context_out.x[i], expected->x[i]);
		}
	}
}

/** Checks that context_out has the registers of @p expected. */
#define CHECK_CONTEXT(expected) context_check(__LINE__, &(expected))

/** The level of source A + @p index with three level bits. Each source has another level. */
static inline uint8_t fast_level(uint32_t index)
{
	return (uint8_t)((32U * index) + 31U);
}

/** Address at which a store of 1 makes a source pending. */
static inline uint32_t fast_ip(uint32_t irq)
{
	return (uint32_t)irq_register(irq, TRAPEZE_CLIC_IRQ_IP_OFFSET);
}

/**
 * Begins a test. Sources A to A + 7 are vectored, edge-triggered, enabled, each at its own level; the timer as well,
 * but disabled. fastirq is on as the HAL sets it, and interrupts are disabled.
 */
__attribute__((unused)) static void fast_begin(void)
{
	test_begin();
	(void)trap_set_handler(fast_trap_handler);
	(void)irq_lock();
	irq_level_bits_set(3U);
	for (uint32_t i = 0; i <= SOURCES; i++) {
		uint32_t irq = i < SOURCES ? A + i : (uint32_t)IRQ_TIMER;

		irq_vectored_set(irq, true);
		irq_trigger_set(irq, IRQ_TRIGGER_RISING);
		irq_pending_set(irq, false);
		irq_control_set(irq, fast_level(i & 7U));
		if (i < SOURCES) {
			irq_enable(irq);
		}
	}
	irq_fast_enable();
}

/** Makes the timer interrupt come once, in about @p delay cycles. */
__attribute__((unused)) static void fast_alarm(uint32_t delay)
{
	irq_pending_set(IRQ_TIMER, false);
	timer_set_alarm(timer_now() + delay);
}

/** Ends what fast_alarm() began. */
__attribute__((unused)) static void fast_alarm_off(void)
{
	timer_cancel_alarm();
	irq_pending_set(IRQ_TIMER, false);
}

/** Number of runs after which a sweep ends, in which the interrupt came behind the code. */
#define FAST_SWEEP_MISSES 12U

/**
 * Runs @p code again and again. The timer interrupt comes at every distance, from before the first instruction to
 * behind the last.
 *
 * @param run runs the code once; returns the mepc of the interrupt, 0 if it did not come
 * @return how often the interrupt came behind the first instruction
 */
__attribute__((unused)) static uint32_t fast_sweep(const char *code, uint32_t (*run)(const char *))
{
	static uint32_t from = 20U; /* the code begins after the same time in every run */
	uint32_t inside = 0U;

	irq_enable(IRQ_TIMER);
	for (uint32_t delay = from, missed = 0U; missed < FAST_SWEEP_MISSES;) {
		fast_alarm(delay);
		uint32_t mepc = run(code);

		fast_alarm_off();
		missed = mepc == 0U ? missed + 1U : 0U;
		if (mepc == (uint32_t)code) {
			delay += 3U;
		} else {
			from = inside == 0U && delay > 60U ? delay - 40U : from;
			delay += 1U;
			inside += mepc != 0U ? 1U : 0U;
		}
	}
	irq_disable(IRQ_TIMER);
	return inside;
}

#endif /* FAST_TEST_H_ */
