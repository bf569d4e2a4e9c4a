/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief messages DEVICE [N [STRESS EACH]]: the round trip of N messages (1000) of some sizes to a service that sends them
 * back (fw/rpmsg/echo.c), in cycles of this hart: from before write() to after the read() that has the echo, at SCHED_FIFO.
 *
 * BURST trips follow each other, then the program sleeps for half a millisecond, so that other programs run. It does so often
 * enough to stay well below the share of time that Linux leaves to SCHED_FIFO, 95 %; beyond it Linux stops it for long.
 *
 * One line for each size, of the payload in bytes. Exit code 0: every echo was right. Before the messages the program
 * starts STRESS with EACH as its argument (linux/programs/stress.c), which makes work for Linux meanwhile.
 *
 * With MARKED every round trip is between markers.
 */
#define _GNU_SOURCE /* sched_setaffinity() of stressed.h */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "stressed.h"

#ifdef MARKED
#include "markers.h"
#define MARK(number) TRAPEZE_MARKER(number)
#else
#define MARK(number)
#endif

enum {
	MOST = 496,    /* bytes of a message of rpmsg */
	FIRST = 16,    /* round trips before those that count, of each size */
	NUMBER = 1000, /* that count */
	BURST = 20,
	WAITS = 1000, /* milliseconds */
};

static uint64_t cycles(void)
{
	uint64_t now;

	__asm__ volatile("rdcycle %0" : "=r"(now) : : "memory");
	return now;
}

static int fail(const char *what)
{
	fprintf(stderr, "messages: %s: %s\n", what, strerror(errno));
	return 1;
}

static int compare(const void *a, const void *b)
{
	const uint64_t first = *(const uint64_t *)a;
	const uint64_t second = *(const uint64_t *)b;

	return (first > second) - (first < second);
}

/** A round trip. Returns its cycles; 0: the echo is another, or there is none. */
static uint64_t trip(int device, size_t bytes, unsigned int number)
{
	unsigned char sent[MOST];
	unsigned char got[MOST];
	ssize_t back = -1;

	for (size_t i = 0; i < bytes; i++) {
		sent[i] = (unsigned char)(number * 7 + i * 13);
	}
	const uint64_t begin = cycles();

	MARK(MARKER_RUN);
	if (write(device, sent, bytes) == (ssize_t)bytes) {
		back = read(device, got, sizeof(got));
	}
	MARK(MARKER_RUN_END);
	const uint64_t end = cycles();

	return back == (ssize_t)bytes && memcmp(sent, got, bytes) == 0 ? end - begin : 0;
}

static int measure(int device, size_t bytes, uint64_t *trips, unsigned int count)
{
	const struct timespec rest = {.tv_nsec = 500000};

	for (unsigned int i = 0; i < FIRST + count; i++) {
		if (i % BURST == 0) {
			nanosleep(&rest, NULL);
		}
		const uint64_t one = trip(device, bytes, i);

		if (one == 0) {
			return fail("echo");
		}
		if (i >= FIRST) {
			trips[i - FIRST] = one;
		}
	}
	qsort(trips, count, sizeof(*trips), compare);
	printf("%3zu bytes, %u round trips: min %ju p50 %ju p99 %ju max %ju cycles\n", bytes, count,
	       (uintmax_t)trips[0], (uintmax_t)trips[(count - 1) / 2],
	       (uintmax_t)trips[(count - 1) * 99 / 100], (uintmax_t)trips[count - 1]);
	return 0;
}

int main(int argc, char **argv)
{
	static const size_t sizes[] = {16, 64, 256, MOST};
	const unsigned int count = argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 10) : NUMBER;
	uint64_t *const trips = calloc(count, sizeof(*trips));
	pid_t stress = 0;
	int device;

	if (argc < 2 || argc == 4 || argc > 5 || count == 0 || trips == NULL) {
		fprintf(stderr, "usage: messages DEVICE [N [STRESS EACH]]\n");
		return 2;
	}
	/* The other hart announces its service when the driver has attached. */
	for (int wait = 0; (device = open(argv[1], O_RDWR)) < 0 && wait < WAITS; wait++) {
		usleep(1000);
	}
	if (device < 0) {
		return fail(argv[1]);
	}
	if (argc == 5) {
		stress = stress_start(argv[3], argv[4]);
		if (stress < 0) {
			return fail(argv[3]);
		}
	}
	if (goes_first() != 0) {
		return fail("SCHED_FIFO");
	}
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (measure(device, sizes[i], trips, count) != 0) {
			return 1;
		}
	}
	if (stress != 0 && kill(-stress, SIGKILL) != 0) {
		return fail(argv[3]);
	}
	close(device);
	free(trips);
	return 0;
}
