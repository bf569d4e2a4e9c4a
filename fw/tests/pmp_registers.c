/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: legal values of pmpcfg, pmpaddr and mseccfg, and locks - what they keep and whom they restrict; a rule holds
  for the very next instruction
config: [mcu-user, mcu-user-e]
engines: [rtl]
qemu: the configurations have no CLINT
expect: |
  PASS
*/
#include "pmp_test.h"

static volatile uint32_t words[16] __attribute__((aligned(64)));
#define WORDS ((uint32_t)words)

/* Accesses to a CSR by its number, because the assembler does not know its name. */
#define CSR_TEXT_(number) #number
#define CSR_TEXT(csr)     CSR_TEXT_(csr)

static volatile uint32_t seen;

static void from_user(void)
{
	CHECK_ILLEGAL("csrr %0, pmpcfg0");
	CHECK_ILLEGAL("csrr %0, pmpaddr15");
	CHECK_ILLEGAL("csrw pmpaddr3, %0");
	CHECK_ILLEGAL("csrr %0, " CSR_TEXT(CSR_MSECCFG));
	seen++;
}

/* @return the word, read in machine mode without MPRV */
static uint32_t load(uint32_t at)
{
	uint32_t value = 0x5a5a1234U;

	__asm__ volatile("lw %0, 0(%1)" : "+&r"(value) : "r"(at) : "memory");
	return value;
}

static void check_values(void)
{
	CHECK_EQ(csr_read(CSR_PMPCFG0), 0U);
	CHECK_EQ(csr_read(CSR_PMPCFG0 + 3), 0U);
	CHECK_EQ(csr_read(CSR_PMPADDR0 + 15), 0U);
	CHECK_EQ(csr_read(CSR_MSECCFG), 0U);
	CHECK_EQ(csr_read(CSR_MSECCFGH), 0U);
	CHECK_ILLEGAL("csrr %0, 0x3a4");
	CHECK_ILLEGAL("csrr %0, 0x3af");
	CHECK_ILLEGAL("csrr %0, 0x3c0");
	CHECK_ILLEGAL("csrr %0, 0x3ef");

	/* All bits of addresses can be written. Bits 6:5 of a row's byte read zero, and W without R reads as no
	 * permission.
	 */
	csr_write(CSR_PMPADDR0 + 7, 0xfedcba98U);
	CHECK_EQ(csr_read(CSR_PMPADDR0 + 7), 0xfedcba98U);
	csr_write(CSR_PMPADDR0 + 7, 0xffffffffU);
	CHECK_EQ(csr_read(CSR_PMPADDR0 + 7), 0xffffffffU);
	csr_write(CSR_PMPCFG0 + 1, 0x627f7a06U);
	CHECK_EQ(csr_read(CSR_PMPCFG0 + 1), 0x001f1804U);
	csr_set(CSR_PMPCFG0 + 1, 0x00000001U);
	CHECK_EQ(csr_read(CSR_PMPCFG0 + 1), 0x001f1805U);
	csr_write(CSR_PMPCFG0 + 1, 0U);
	csr_write(CSR_PMPADDR0 + 7, 0U);
	CHECK_EQ(csr_read(CSR_PMPCFG0), 0U);
	csr_write(CSR_MSECCFGH, 0xffffffffU);
	CHECK_EQ(csr_read(CSR_MSECCFGH), 0U);
	CHECK_NO_TRAP();
	open_all(true);
	user_call(from_user);
	CHECK_EQ(seen, 1U);
}

/* A row holds from the access directly behind the write on. */
static void check_next_access(void)
{
	const uint32_t open = ROW_NA4 | ROW_R;
	const uint32_t closed = ROW_NA4;
	uint32_t value = 1U;
	uint32_t pc;

	words[4] = 0x600df00dU;
	csr_write(CSR_PMPADDR0, (WORDS + 16U) >> 2);
	csr_clear(CSR_MSTATUS, MSTATUS_MPP);
	__asm__ volatile("csrs mstatus, %3\n\t"
			 "csrw pmpcfg0, %4\n\t"
			 "lw %0, 0(%2)\n\t"
			 "csrw pmpcfg0, %5\n\t"
			 "la %1, 1f\n"
			 "1:\tlw %0, 0(%2)\n\t"
			 "csrc mstatus, %3"
			 : "+&r"(value), "=&r"(pc)
			 : "r"(WORDS + 16U), "r"(MSTATUS_MPRV), "r"(open), "r"(closed)
			 : "memory");
	CHECK_EQ(value, 0x600df00dU);
	CHECK_TRAP(MCAUSE_LOAD_FAULT, pc, WORDS + 16U);
	csr_write(CSR_PMPCFG0, 0U);
}

/* Code that removes its own permission to execute, when the next instruction has already been fetched. RLB lets machine
 * mode clear the lock again.
 */
extern const char next_csr[];
extern const char next_insn[];
void next_call(uint32_t cfg);
/* clang-format off */
__asm__(".text\n"
	".balign 64\n"
	"next_call:\n"
	"next_csr:\n"
	"	csrw pmpcfg0, a0\n"
	"next_insn:\n"
	"	.option push\n"
	"	.option norvc\n"
	"	ret\n"
	"	.option pop\n"
	"	.balign 64\n");
/* clang-format on */

static void check_next_fetch(void)
{
	uint32_t block = (uint32_t)next_csr;

	csr_write(CSR_MSECCFG, MSECCFG_RLB);
	CHECK_EQ(csr_read(CSR_MSECCFG), MSECCFG_RLB);
	csr_write(CSR_PMPADDR0, NAPOT(block, 64U));
	for (uint32_t turn = 0U; turn < 4U; turn++) {
		__asm__ volatile("la t0, trap_resume\n\t"
				 "la t1, 1f\n\t"
				 "sw t1, (t0)\n\t"
				 "mv a0, %0\n\t"
				 "jal next_call\n"
				 "1:"
				 :
				 : "r"(ROW_LOCK | ROW_NAPOT | ROW_R | (turn % 2U ? ROW_X : 0U))
				 : TEST_CALL_CLOBBERS);
		trap_resume = 0U;
		if (turn % 2U == 0U) {
			CHECK_TRAP(MCAUSE_FETCH_FAULT, (uint32_t)next_insn, (uint32_t)next_insn);
		} else {
			CHECK_NO_TRAP();
		}
		csr_write(CSR_PMPCFG0, 0U);
	}
	csr_write(CSR_MSECCFG, 0U);
	CHECK_EQ(csr_read(CSR_MSECCFG), 0U);
}

/* The last part of the test, because its locks stay. */
static void check_locks(void)
{
	uint32_t pc;
	uint32_t value = 3U;

	/* Row 1: TOR from pmpaddr0, read-only, locked. Row 2: OFF, locked. */
	words[0] = 0x11111111U;
	words[1] = 0x22222222U;
	csr_write(CSR_PMPADDR0, WORDS >> 2);
	csr_write(CSR_PMPADDR0 + 1, (WORDS + 8U) >> 2);
	csr_write(CSR_PMPADDR0 + 2, 0x12345678U);
	csr_write(CSR_PMPCFG0, ROW_LOCK << 16 | (ROW_LOCK | ROW_TOR | ROW_R) << 8);
	csr_write(CSR_PMPCFG0, UINT32_MAX & ~(0xff000000U | ROW_LOCK));
	CHECK_EQ(csr_read(CSR_PMPCFG0), 0x0080891fU);
	csr_write(CSR_PMPCFG0, 0U);
	CHECK_EQ(csr_read(CSR_PMPCFG0), 0x00808900U);
	csr_write(CSR_PMPADDR0, 0U);
	csr_write(CSR_PMPADDR0 + 1, 0U);
	csr_write(CSR_PMPADDR0 + 2, 0U);
	CHECK_EQ(csr_read(CSR_PMPADDR0), WORDS >> 2);
	CHECK_EQ(csr_read(CSR_PMPADDR0 + 1), (WORDS + 8U) >> 2);
	CHECK_EQ(csr_read(CSR_PMPADDR0 + 2), 0x12345678U);
	csr_write(CSR_MSECCFG, MSECCFG_RLB);
	CHECK_EQ(csr_read(CSR_MSECCFG), 0U);
	CHECK_NO_TRAP();

	/* The locked row restricts machine mode. */
	CHECK_EQ(load(WORDS), 0x11111111U);
	CHECK_EQ(load(WORDS + 6U) & 0xffffU, 0x5a5a1234U & 0xffffU);
	CHECK_EQ(trap_last.mcause, MCAUSE_LOAD_FAULT); /* the row ends inside of the word */
	CHECK_EQ(trap_last.mtval, WORDS + 6U);
	trap_clear();
	__asm__ volatile("la %0, 1f\n"
			 "1:\tsw %1, 0(%2)"
			 : "=&r"(pc)
			 : "r"(value), "r"(WORDS + 4U)
			 : "memory");
	CHECK_TRAP(MCAUSE_STORE_FAULT, pc, WORDS + 4U);
	CHECK_EQ(words[1], 0x22222222U);
	jump_into(WORDS + 2U);
	CHECK_TRAP(MCAUSE_FETCH_FAULT, WORDS + 2U, WORDS + 2U);
	CHECK_EQ(load(WORDS + 8U), words[2]);
	CHECK_NO_TRAP();
}

int main(void)
{
	test_begin();
	check_values();
	check_next_access();
	check_next_fetch();
	check_locks();
	return test_end();
}
