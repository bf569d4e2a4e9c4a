/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Accesses every one of the 4096 CSR numbers, in both modes. Prints a line for each kind of access, with the numbers
 * that raised no exception. If an access raised another exception than illegal instruction, its cause stands behind the
 * number. lab/tests/encodings/test_csrs.py has the expected numbers.
 */
#include <stdint.h>

#include <trapeze/console.h>
#include <trapeze/csr.h>

#define CSRS 4096U

extern const uint32_t csr_reads[], csr_writes[];
void csr_sweep(const void *accesses, uint8_t *causes, uint32_t mpp);

static void put_hex(uint32_t value, uint32_t digits)
{
	while (digits-- != 0U) {
		console_putc("0123456789abcdef"[(value >> (4U * digits)) & 0xfU]);
	}
}

static void sweep(const char *kind, const void *accesses, uint32_t mpp, uint32_t mcounteren)
{
	static uint8_t causes[CSRS];

	csr_write(CSR_MCOUNTEREN, mcounteren);
	csr_sweep(accesses, causes, mpp);
	console_puts(kind);
	for (uint32_t number = 0; number < CSRS; number++) {
		if (causes[number] != MCAUSE_ILLEGAL_INSTRUCTION) {
			console_putc(' ');
			put_hex(number, 3);
			if (causes[number] != 0U) {
				console_putc(':');
				put_hex(causes[number], 2);
			}
		}
	}
	console_putc('\n');
}

int main(void)
{
	sweep("M read:", csr_reads, MSTATUS_MPP_M, 0U);
	sweep("M write:", csr_writes, MSTATUS_MPP_M, 0U);
	sweep("U read:", csr_reads, MSTATUS_MPP_U, 0U);
	sweep("U write:", csr_writes, MSTATUS_MPP_U, 0U);
	sweep("U read, counters on:", csr_reads, MSTATUS_MPP_U, UINT32_MAX);
	sweep("U write, counters on:", csr_writes, MSTATUS_MPP_U, UINT32_MAX);
	return 0;
}
