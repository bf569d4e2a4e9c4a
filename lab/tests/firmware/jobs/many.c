/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A job of many cases, most of which it may not do. No variables: its code needs no WRITE. */
#include <stdint.h>

#include <trapeze/csr.h>

#include "cases.h"

#define STACK 16384

__attribute__((noinline)) static uint64_t deeper(volatile uint64_t *above)
{
	volatile uint64_t here[64];

	here[0] = *above + 1;
	return *above == 0 ? 0 : deeper(here) + here[0]; /* it counts from a 1 on */
}

#ifdef __riscv_flen
/* Every f register holds a number of its own, and fcsr a rounding mode, before the time passes and behind it. */
__attribute__((noinline)) static long floats(uint64_t seed, uint64_t turns)
{
	long wrong;

	__asm__ volatile("mv t0, %1\n\t"
			 "andi t1, t0, 3\n\t"
			 "fsrm t1\n\t"
			 ".irp r, "
			 "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,"
			 "27,28,29,30,31\n\t"
			 "fmv.d.x f\\r, t0\n\t"
			 "addi t0, t0, 1\n\t"
			 ".endr\n\t"
			 "mv t2, %2\n"
			 "1:\taddi t2, t2, -1\n\t"
			 "bnez t2, 1b\n\t"
			 "li %0, 0\n\t"
			 "mv t0, %1\n\t"
			 "frrm t3\n\t"
			 "xor t3, t3, t1\n\t"
			 "snez t3, t3\n\t"
			 "add %0, %0, t3\n\t"
			 ".irp r, "
			 "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,"
			 "27,28,29,30,31\n\t"
			 "fmv.x.d t3, f\\r\n\t"
			 "xor t3, t3, t0\n\t"
			 "snez t3, t3\n\t"
			 "add %0, %0, t3\n\t"
			 "addi t0, t0, 1\n\t"
			 ".endr\n\t"
			 "fsrmi 0"
			 : "=&r"(wrong)
			 : "r"(seed), "r"(turns)
			 : "t0", "t1", "t2", "t3", "memory", "ft0", "ft1", "ft2", "ft3", "ft4",
			   "ft5", "ft6", "ft7", "fs0", "fs1", "fa0", "fa1", "fa2", "fa3", "fa4",
			   "fa5", "fa6", "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8",
			   "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11");
	return wrong;
}

#else
/* Likewise, where there are no f registers, with most integer registers. */
__attribute__((noinline)) static long floats(uint64_t seed, uint64_t turns)
{
	long wrong;

	__asm__ volatile("mv t0, %1\n\t"
			 ".irp r, 3,4,9,16,17,18,19,20,21,22,23,24,25,26,27,29,30,31\n\t"
			 "mv x\\r, t0\n\t"
			 "addi t0, t0, 1\n\t"
			 ".endr\n\t"
			 "mv t2, %2\n"
			 "1:\taddi t2, t2, -1\n\t"
			 "bnez t2, 1b\n\t"
			 "li %0, 0\n\t"
			 "mv t0, %1\n\t"
			 ".irp r, 3,4,9,16,17,18,19,20,21,22,23,24,25,26,27,29,30,31\n\t"
			 "xor t3, x\\r, t0\n\t"
			 "snez t3, t3\n\t"
			 "add %0, %0, t3\n\t"
			 "addi t0, t0, 1\n\t"
			 ".endr"
			 : "=&r"(wrong)
			 : "r"((uintptr_t)seed), "r"((uintptr_t)turns)
			 : "t0", "t1", "t2", "t3", "memory", "s1", "a6", "a7", "s2", "s3", "s4",
			   "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t4", "t5", "t6");
	return wrong;
}
#endif

#ifdef __riscv_flen
#define F_REGISTERS                                                                                \
	".irp r, "                                                                                 \
	"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"    \
	"\n\t"                                                                                     \
	"fmv.x.d t0, f\\r\n\t"                                                                     \
	"or %0, %0, t0\n\t"                                                                        \
	".endr\n\t"                                                                                \
	"frcsr t0\n\t"                                                                             \
	"or %0, %0, t0\n\t"
#else
#define F_REGISTERS ""
#endif

/* What another job left: in registers that nobody has written yet, and below sp. */
__attribute__((noinline)) static uintptr_t left_over(void)
{
	uintptr_t found;
	uintptr_t sp;

	__asm__ volatile("li %0, 0\n\t" F_REGISTERS "or %0, %0, gp\n\t"
			 ".irp r, 9,18,19,20,21,22,23,24,25,26,27\n\t"
			 "or %0, %0, x\\r\n\t"
			 ".endr\n\t"
			 "mv %1, sp"
			 : "=&r"(found), "=r"(sp)
			 :
			 : "t0");
#if __riscv_xlen == 32 /* with user-level interrupts */
	found |= csr_read(CSR_USCRATCH) | csr_read(CSR_UEPC) | csr_read(CSR_UCAUSE) |
		 csr_read(CSR_UTVAL) | csr_read(CSR_UTVT) | csr_read(CSR_UINTTHRESH) |
		 csr_read(CSR_UFASTIRQ) | csr_read(CSR_UINTSTATUS) | (csr_read(CSR_USTATUS) & USTATUS_UIE) |
		 (csr_read(CSR_UTVEC) & ~3U); /* its mode is fixed */
#endif
	for (const uintptr_t *word = (const uintptr_t *)(sp - STACK + 1024);
	     word < (const uintptr_t *)(sp - 64); /* main()'s own */
	     word++) {
		found |= *word;
	}
	return found;
}

int64_t main(const uint64_t *in, const uint64_t *second, const uint64_t *third,
	     const uint64_t *fourth)
{
	uint64_t address = in[1];
	intptr_t value = 0;

	switch ((enum job_case)in[0]) {
	case CASE_RESULT:
		return (int64_t)address;
	case CASE_ARGUMENTS: {
		const char *sp = __builtin_frame_address(0);

		return ((uintptr_t)second != in[2]) | ((uintptr_t)third != in[3]) << 1 |
		       ((uintptr_t)fourth != in[4]) << 2 | ((uintptr_t)sp % 16 != 0) << 3;
	}
	case CASE_STORE:
		*(volatile uint64_t *)(uintptr_t)address = 1;
		break;
	case CASE_LOAD:
		value = *(volatile intptr_t *)(uintptr_t)address;
		break;
	case CASE_JUMP:
		((void (*)(void))(uintptr_t)address)();
		break;
	case CASE_RECURSION:
		address = 1;
		return (int64_t)deeper((volatile uint64_t *)&address);
	case CASE_ECALL:
		__asm__ volatile("mv a7, %0\n\tecall" : : "r"((uintptr_t)address) : "a7", "memory");
		break;
	case CASE_CSR_READ:
		__asm__ volatile("csrr %0, mstatus" : "=r"(value));
		break;
	case CASE_CSR_WRITE:
		__asm__ volatile("csrw pmpcfg0, zero");
		break;
	case CASE_MRET:
		__asm__ volatile("mret");
		break;
	case CASE_BREAK:
		__asm__ volatile("ebreak");
		break;
	case CASE_RUIN:
#if __riscv_xlen == 32
		csr_write(CSR_UCAUSE, UCAUSE_UPIL);
		__asm__ volatile("la t0, 1f\n\tcsrw %0, t0\n\t" TRAPEZE_URET "\n1:"
				 :
				 : "i"(CSR_UEPC)
				 : "t0");
		csr_write(CSR_USCRATCH, -1);
		csr_write(CSR_UEPC, -1);
		csr_write(CSR_UCAUSE, -1);
		csr_write(CSR_UTVAL, -1);
		csr_write(CSR_UTVEC, -1);
		csr_write(CSR_UTVT, -1);
		csr_write(CSR_UINTTHRESH, -1);
		csr_write(CSR_UFASTIRQ, -1);
		csr_write(CSR_USTATUS, -1);
#endif
		__asm__ volatile("mv a0, %0\n\t"
				 "li a1, -1\n\t"
				 ".irp r, "
				 "1,2,3,4,5,6,7,8,9,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,"
				 "27,28,29,30,31\n\t"
				 "mv x\\r, a1\n\t"
				 ".endr\n\t"
				 "sw a1, 0(a0)"
				 :
				 : "r"((uintptr_t)address)
				 : "memory");
		break;
	case CASE_FLOAT:
		return floats(address, in[2]);
	case CASE_SPIN:
		for (;;) {
			__asm__ volatile("");
		}
	case CASE_FRESH:
		return (int64_t)left_over();
	}
	return value - 1000;
}
