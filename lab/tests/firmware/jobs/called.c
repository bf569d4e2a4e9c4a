/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* The job that is prepared for calls. Its code needs WRITE: it counts. */
#include <stdint.h>

#include <trapeze/abi.h>

#include "called.h"

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

static int64_t count = 1;

/* Without a frame of its own, so that nothing is written before. */
__attribute__((noinline)) static void registers(uint64_t *words)
{
	__asm__ volatile(
	    ".irp r, 1,2,3,7,8,9,12,13,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
#if __riscv_xlen == 64
	    "sd x\\r, (8 * \\r)(%0)\n\t"
#else
	    "sw x\\r, (8 * \\r)(%0)\n\t"
#endif
	    ".endr"
	    :
	    : "r"(words)
	    : "memory");
}

/* Most integer registers hold numbers of their own before the time passes and behind it. */
__attribute__((noinline)) static long spin(unsigned long turns)
{
	long wrong;

	__asm__ volatile("li t0, 1000\n\t"
			 ".irp r, 3,4,6,9,16,17,18,19,20,21,22,23,24,25,26,27,29,30,31\n\t"
			 "mv x\\r, t0\n\t"
			 "addi t0, t0, 1\n\t"
			 ".endr\n\t"
			 "mv t2, %1\n"
			 "1:\taddi t2, t2, -1\n\t"
			 "bnez t2, 1b\n\t"
			 "li %0, 0\n\t"
			 "li t0, 1000\n\t"
			 ".irp r, 3,4,6,9,16,17,18,19,20,21,22,23,24,25,26,27,29,30,31\n\t"
			 "xor t3, x\\r, t0\n\t"
			 "snez t3, t3\n\t"
			 "add %0, %0, t3\n\t"
			 "addi t0, t0, 1\n\t"
			 ".endr"
			 : "=&r"(wrong)
			 : "r"(turns)
			 : "t0", "t1", "t2", "t3", "memory", "s1", "a6", "a7", "s2", "s3", "s4",
			   "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t4", "t5", "t6");
	return wrong;
}

int64_t main(uint64_t *buffer, void *second, void *third, void *fourth, unsigned long what,
	     unsigned long x, unsigned long y)
{
	(void)second;
	(void)third;
	(void)fourth;
	if (what == CALLED_REGISTERS) {
		registers(buffer);
		return 0;
	}
	switch ((enum called)what) {
	case CALLED_RESULT:
		return (int64_t)x + 3 * (int64_t)y;
	case CALLED_STORE:
		*(volatile uint32_t *)x = 1;
		break;
	case CALLED_BREAK:
		__asm__ volatile("ebreak");
		break;
	case CALLED_ECALL:
		__asm__ volatile("ecall");
		break;
	case CALLED_SPIN:
		return spin(x);
	case CALLED_COUNT:
		return count++;
	case CALLED_ADD:
		buffer[0] += x;
		return (int64_t)buffer[0];
	case CALLED_FAR:
		__asm__ volatile("mv a0, %0\n\tli a1, 0\n\tjr ra" : : "r"(x) : "a0", "a1");
		break;
	case CALLED_REGISTERS:
		break;
	}
	return -1;
}
