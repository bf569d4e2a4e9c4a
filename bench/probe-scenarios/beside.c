/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief beside DEVICE [STRESS EACH]: Linux beside the measurement. Starts STRESS with EACH as its argument
 * (linux/programs/stress.c), which makes work for Linux, then tells the service at DEVICE to measure, and sleeps until
 * it has. Exit code 0: it has, and everything was right there.
 */
#define _GNU_SOURCE /* sched_setaffinity() of stressed.h */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../rpc/stressed.h"
#include "scenario.h"

/* In milliseconds. 400 samples take some 20, and their text as long. */
enum {
	WAITS = 1000,     /* for the service to appear */
	MEASURES = 10000, /* for a measurement */
};

static int fail(const char *what)
{
	fprintf(stderr, "beside: %s: %s\n", what, strerror(errno));
	return 1;
}

int main(int argc, char **argv)
{
	/* stress_start() waits until the first programs run; this is for all of them, and their memory. */
	const struct timespec all_begin = {.tv_nsec = 100000000};
	const char go = SCENARIO_GO;
	char said = 0;
	pid_t stress = 0;
	int device;

	if (argc != 2 && argc != 4) {
		fprintf(stderr, "usage: beside DEVICE [STRESS EACH]\n");
		return 2;
	}
	/* The other hart announces its service when the driver has attached. */
	for (int wait = 0; (device = open(argv[1], O_RDWR)) < 0 && wait < WAITS; wait++) {
		usleep(1000);
	}
	if (device < 0) {
		return fail(argv[1]);
	}
	if (argc == 4) {
		stress = stress_start(argv[2], argv[3]);
		if (stress < 0) {
			return fail(argv[2]);
		}
		nanosleep(&all_begin, NULL);
	}
	/* Only so that the end of the measurement is seen before the load has had its turn; it sleeps meanwhile. */
	if (goes_first() != 0) {
		return fail("SCHED_FIFO");
	}
	struct pollfd over = {.fd = device, .events = POLLIN};

	if (write(device, &go, sizeof(go)) != sizeof(go)) {
		return fail("go");
	}
	if (poll(&over, 1, MEASURES) != 1 || read(device, &said, sizeof(said)) != sizeof(said)) {
		return fail("the measurement did not end");
	}
	if (stress != 0 && kill(-stress, SIGKILL) != 0) {
		return fail(argv[2]);
	}
	close(device);
	return said == SCENARIO_DONE ? 0 : 1;
}
