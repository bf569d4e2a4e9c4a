/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: clock(), time() and gettimeofday() count from mtime, with the frequency that the program defines
expect: |
  PASS
*/
#include <sys/time.h>
#include <time.h>

#include <trapeze/timer.h>

#include "test.h"

#define FREQUENCY 10000U

uint32_t timer_frequency = FREQUENCY;

int main(void)
{
	test_begin();

	struct timeval begin;
	clock_t used = clock();
	uint64_t from = timer_now();
	CHECK_EQ(gettimeofday(&begin, NULL), 0);
	uint64_t to = timer_now();
	uint64_t was = (uint64_t)begin.tv_sec * 1000000U + (uint64_t)begin.tv_usec;

	CHECK(was >= from * (1000000U / FREQUENCY) && was <= to * (1000000U / FREQUENCY));
	CHECK(begin.tv_usec >= 0 && begin.tv_usec < 1000000);

	time_t second = time(NULL);
	time_t next;

	while ((next = time(NULL)) == second) {
	}
	CHECK_EQ(next, second + 1);
	CHECK_EQ(next, timer_now() / FREQUENCY);

	/* At most a second of mtime is left, because it has counted on since `from`. */
	while (timer_now() < from + FREQUENCY) {
	}
	clock_t spent = clock() - used;

	CHECK(spent >= CLOCKS_PER_SEC && spent < 2 * CLOCKS_PER_SEC);
	return test_end();
}
