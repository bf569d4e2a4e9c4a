/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: Two harts that read one device or the shared memory without a pause take turns
config: [duo]
engines: [rtl]
qemu: its harts do not meet at a bus
expect: |
  PASS
*/
#include <trapeze/clint.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>
#include <trapeze/spin_lock.h>
#include <trapeze/uart.h>

#include "on_all.h"

#define PLACES 3U
#define ROUNDS 6U

TZ_SHARED static struct barrier together;
TZ_SHARED static volatile uint32_t shared_word;
TZ_SHARED static volatile uint32_t cycles[PLACES][ROUNDS][2];

/* Cycles of 64 loads of a byte. */
__attribute__((noinline)) static uint32_t loads(uint32_t address)
{
	uint32_t start = (uint32_t)csr_read(CSR_MCYCLE);

	__asm__ volatile(".rept 64\n\t"
			 "lbu t0, 0(%0)\n\t"
			 ".endr"
			 :
			 : "r"(address)
			 : "t0");
	return (uint32_t)csr_read(CSR_MCYCLE) - start;
}

static void both(void *arg)
{
	const uint32_t places[PLACES] = {(uint32_t)&shared_word,
					 TRAPEZE_UART_BASE + TRAPEZE_UART_SCR_OFFSET,
					 TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIME_LO_OFFSET};
	unsigned int self = hart_id();

	(void)arg;
	for (uint32_t place = 0U; place < PLACES; place++) {
		for (uint32_t round = 0U; round < ROUNDS; round++) {
			barrier_wait(&together, 2U);
			/* In each round one of the two harts starts a little later, alternately. */
			for (uint32_t wait = self == (round & 1U) ? round : 0U; wait != 0U;
			     wait--) {
				__asm__ volatile("nop");
			}
			cycles[place][round][self] = loads(places[place]);
		}
	}
}

int main(void)
{
	test_begin();
	run_on_all(both);
	hart_wait(1U);
	for (uint32_t place = 0U; place < PLACES; place++) {
		for (uint32_t round = 0U; round < ROUNDS; round++) {
			uint32_t a = cycles[place][round][0];
			uint32_t b = cycles[place][round][1];

			CHECK(a < b + (b / 4U));
			CHECK(b < a + (a / 4U));
		}
	}
	CHECK_NO_TRAP();
	return test_end();
}
