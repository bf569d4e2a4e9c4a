/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief copies DEVICE: the same copies of memory twice, each between two markers: while the other hart sleeps, and after the
 * service of rpmsg at DEVICE was told to access memory as often as it can. Exit code 0: both were made.
 */
#define _GNU_SOURCE /* sched_setaffinity() of stressed.h */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <trapeze/marker.h>

#include "../rpc/stressed.h"
#include "says.h"

enum {
	BYTES = 1024 *
		1024, /* of each of two buffers: together four times what the second cache holds */
	ROUNDS = 4,
	WAITS = 1000, /* milliseconds for the service to appear */
};

static int fail(const char *what)
{
	fprintf(stderr, "copies: %s: %s\n", what, strerror(errno));
	return 1;
}

static void copy(char *to, const char *from)
{
	for (int round = 0; round < ROUNDS; round++) {
		memcpy(to, from, BYTES);
		__asm__ volatile("" : : "r"(to) : "memory"); /* each round is made */
	}
}

int main(int argc, char **argv)
{
	char *const to = malloc(BYTES), *const from = malloc(BYTES);
	const char says = SAYS_HAMMER;
	int device;

	if (argc != 2) {
		fprintf(stderr, "usage: copies DEVICE\n");
		return 2;
	}
	if (to == NULL || from == NULL) {
		return fail("memory");
	}
	for (int wait = 0; (device = open(argv[1], O_RDWR)) < 0 && wait < WAITS; wait++) {
		usleep(1000);
	}
	if (device < 0) {
		return fail(argv[1]);
	}
	memset(from, 1, BYTES);
	if (goes_first() != 0) {
		return fail("SCHED_FIFO");
	}
	copy(to, from); /* so that both times find the same in the caches */
	TRAPEZE_MARKER(MARKER_SILENT);
	copy(to, from);
	TRAPEZE_MARKER(MARKER_SILENT_END);
	if (write(device, &says, sizeof(says)) != sizeof(says)) {
		return fail(argv[1]);
	}
	usleep(1000); /* until the message is there */
	copy(to, from);
	TRAPEZE_MARKER(MARKER_HAMMERED);
	copy(to, from);
	TRAPEZE_MARKER(MARKER_HAMMERED_END);
	return 0;
}
