/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief For all directed tests: checks, recorded exceptions, user mode, running code made at run time.
 *
 * A test calls test_begin(), makes checks, and returns test_end(), which prints "PASS" or the number of failed checks.
 * In user mode under a monitor only the checks exist, because exceptions go to the monitor.
 */
#ifndef TRAPEZE_TEST_H_
#define TRAPEZE_TEST_H_

#include <stdint.h>

#include <trapeze/console.h>
#include <trapeze/csr.h>
#include <trapeze/trap.h>

/** Registers that a call changes, for asm statements that contain a call. */
#ifdef __riscv_32e
#define TEST_CALL_CLOBBERS "memory", "ra", "t0", "t1", "t2", "a0", "a1", "a2", "a3", "a4", "a5"
#else
#define TEST_CALL_CLOBBERS                                                                         \
	"memory", "ra", "t0", "t1", "t2", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t3",    \
	    "t4", "t5", "t6"
#endif

/** The fields of mcause that name the cause. With the CLIC mcause has further fields. */
#define TEST_CAUSE(mcause) ((mcause) & (MCAUSE_INTERRUPT | MCAUSE_CODE))

/** The last exception, and how many there were since trap_clear(). */
struct trap_record {
	uint32_t count;
	uint32_t mcause;     /**< interrupt bit and code of mcause */
	uint32_t mcause_all; /**< all of mcause, with the CLIC's fields */
	uint32_t mepc;
	uint32_t mtval;
	uint32_t mstatus;
};

static volatile struct trap_record trap_last;
__attribute__((used)) static volatile uint32_t
    trap_resume; /* pc after the next exception; 0: behind the instruction */
__attribute__((used)) static uint32_t test_user_exit;   /* the ecall that leaves user mode */
__attribute__((used)) static uint32_t test_user_resume; /* where machine mode goes on after it */
static uint32_t test_failures;

static inline void test_check(int line, const char *what, uint32_t actual, uint32_t expected)
{
	if (actual != expected) {
		test_failures++;
		console_puts("line ");
		console_put_hex((uint32_t)line);
		console_puts(": ");
		console_puts(what);
		console_puts(" is ");
		console_put_hex(actual);
		console_puts(", expected ");
		console_put_hex(expected);
		console_putc('\n');
	}
}

/** Checks that two 32-bit values are equal. */
#define CHECK_EQ(actual, expected)                                                                 \
	test_check(__LINE__, #actual, (uint32_t)(actual), (uint32_t)(expected))

/** Checks a condition. */
#define CHECK(condition) test_check(__LINE__, #condition, (condition) ? 1U : 0U, 1U)

#ifndef TRAPEZE_USER
static bool test_trap_handler(struct trap_frame *frame)
{
	uint32_t mcause = TEST_CAUSE(frame->mcause);

	if (mcause == MCAUSE_ECALL_U && frame->mepc == test_user_exit) {
		frame->mepc = test_user_resume;
		frame->mstatus |= MSTATUS_MPP_M;
		return true;
	}
	trap_last.count++;
	trap_last.mcause = mcause;
	trap_last.mcause_all = frame->mcause;
	trap_last.mepc = frame->mepc;
	trap_last.mtval = frame->mtval;
	trap_last.mstatus = frame->mstatus;
	if (trap_resume != 0U) {
		frame->mepc = trap_resume;
		trap_resume = 0U;
	} else {
		trap_skip(frame);
	}
	return true;
}

/** Forgets recorded exceptions. */
static inline void trap_clear(void)
{
	trap_last.count = 0U;
	trap_last.mcause = UINT32_MAX;
	trap_last.mepc = UINT32_MAX;
	trap_last.mtval = UINT32_MAX;
}

/** Checks that exactly one exception happened since trap_clear(), and forgets it. */
#define CHECK_TRAP(cause, epc, tval)                                                               \
	do {                                                                                       \
		CHECK_EQ(trap_last.count, 1U);                                                     \
		CHECK_EQ(trap_last.mcause, cause);                                                 \
		CHECK_EQ(trap_last.mepc, epc);                                                     \
		CHECK_EQ(trap_last.mtval, tval);                                                   \
		trap_clear();                                                                      \
	} while (0)

/** Checks that no exception happened since trap_clear(). */
#define CHECK_NO_TRAP() CHECK_EQ(trap_last.count, 0U)

/**
 * Executes a 32-bit instruction, which may name a register as %0. Checks that it is illegal, that mtval is its encoding
 * and that the register keeps its value.
 */
#define CHECK_ILLEGAL(insn)                                                                        \
	do {                                                                                       \
		uint32_t value_ = 0x5a5a5a5aU;                                                     \
		uint32_t pc_;                                                                      \
		__asm__ volatile(".option push\n\t"                                                \
				 ".option norvc\n\t"                                               \
				 "la %1, 1f\n"                                                     \
				 "1:\t" insn "\n\t"                                                \
				 ".option pop"                                                     \
				 : "+&r"(value_), "=&r"(pc_)                                       \
				 :                                                                 \
				 : "memory");                                                      \
		CHECK_TRAP(MCAUSE_ILLEGAL_INSTRUCTION, pc_, *(const uint32_t *)pc_);               \
		CHECK_EQ(value_, 0x5a5a5a5aU);                                                     \
	} while (0)

/** Executes a 32-bit breakpoint. @return its address */
static inline uint32_t breakpoint(void)
{
	uint32_t pc;

	__asm__ volatile(".option push\n\t"
			 ".option norvc\n\t"
			 "la %0, 1f\n"
			 "1:\tebreak\n\t"
			 ".option pop"
			 : "=&r"(pc)
			 :
			 : "memory");
	return pc;
}

/** Begins a test: exceptions are recorded from now on. */
static inline void test_begin(void)
{
	trap_clear();
	(void)trap_set_handler(test_trap_handler);
}

#else
#define CHECK_NO_TRAP()

static inline void test_begin(void)
{
}
#endif

/** Ends a test. main returns its result. */
static inline int test_end(void)
{
	if (test_failures == 0U) {
		console_puts("PASS\n");
		return 0;
	}
	console_puts("FAIL ");
	console_put_hex(test_failures);
	console_putc('\n');
	return 1;
}

#ifndef TRAPEZE_USER
/** Calls @p function in user mode and returns in machine mode. Exceptions in the function are recorded as usual. */
__attribute__((noinline, unused)) static void user_call(void (*function)(void))
{
	csr_clear(CSR_MSTATUS, MSTATUS_MPP);
	__asm__ volatile("la t0, test_user_exit\n\t"
			 "la ra, 1f\n\t"
			 "sw ra, (t0)\n\t"
			 "la t0, test_user_resume\n\t"
			 "la t1, 2f\n\t"
			 "sw t1, (t0)\n\t"
			 "csrw mepc, %0\n\t"
			 "mret\n"
			 "1:\n\t"
			 "ecall\n"
			 "2:"
			 :
			 : "r"(function)
			 : TEST_CALL_CLOBBERS);
}

/** Calls the code at @p address. It must return, unless trap_resume says where to go on. */
__attribute__((noinline, unused)) static void call_address(uint32_t address)
{
	__asm__ volatile("jalr %0" : : "r"(address) : TEST_CALL_CLOBBERS);
}

/** Jumps to @p address, where the first instruction must trap or the code return to ra. Goes on behind the jump. */
__attribute__((noinline, unused)) static void jump_into(uint32_t address)
{
	__asm__ volatile("la t0, trap_resume\n\t"
			 "la t1, 1f\n\t"
			 "sw t1, (t0)\n\t"
			 "jalr %0\n"
			 "1:"
			 :
			 : "r"(address)
			 : TEST_CALL_CLOBBERS);
	trap_resume = 0U;
}

#endif

/** Makes earlier stores visible to later fetches. */
static inline void fetch_fence(void)
{
	__asm__ volatile("fence.i" : : : "memory");
}

#endif /* TRAPEZE_TEST_H_ */
