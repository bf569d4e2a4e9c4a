/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: allocation on the heap, and the errors when it is full
expect: |
  blocks 10 intact
  too big: null, ENOMEM
  448 KiB: there
  full: null, ENOMEM
  after free: ok
*/
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_blocks(void)
{
	unsigned char *blocks[10];
	unsigned int intact = 0;

	for (unsigned int i = 0; i < 10; i++) {
		blocks[i] = malloc(100 + i);
		if (blocks[i] != NULL) {
			memset(blocks[i], (int)i, 100 + i);
		}
	}
	for (unsigned int i = 0; i < 10; i++) {
		unsigned int good = 0;

		for (unsigned int j = 0; blocks[i] != NULL && j < 100 + i; j++) {
			good += blocks[i][j] == i ? 1U : 0U;
		}
		intact += good == 100 + i && (uintptr_t)blocks[i] % 8 == 0 ? 1U : 0U;
		free(blocks[i]);
	}
	printf("blocks %u intact\n", intact);
}

int main(void)
{
	static void *pieces[32];
	size_t count = 0;
	volatile size_t too_big = 1024U * 1024U;

	check_blocks();

	errno = 0;
	printf("too big: %s", malloc(too_big) == NULL ? "null" : "not null");
	printf(", %s\n", errno == ENOMEM ? "ENOMEM" : "no error");

	/* By sbrk() instead of malloc(), which would clear the block. */
	printf("448 KiB: %s\n", sbrk(448 * 1024) != (void *)-1 ? "there" : "not there");

	errno = 0;
	while (count < 32 && (pieces[count] = malloc(8192)) != NULL) {
		count++;
	}
	printf("full: %s, %s\n", count > 0 && count < 32 ? "null" : "not null",
	       errno == ENOMEM ? "ENOMEM" : "no error");
	free(pieces[--count]);
	pieces[count] = malloc(8000);
	printf("after free: %s\n", pieces[count] != NULL ? "ok" : "null");
	return 0;
}
