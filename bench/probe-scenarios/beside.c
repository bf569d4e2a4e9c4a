/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief beside DEVICE [STRESS EACH]: Linux beside the measurement. Starts STRESS with EACH as its argument
 * (linux/programs/stress.c), which makes work for Linux, then tells the service of rpmsg at DEVICE to measure, and sleeps
 * until it has. With CELL the measurement is a cell, and DEVICE the page that it shares. Exit code 0: it has measured, and
 * everything was right there.
 */
#define _GNU_SOURCE /* sched_setaffinity() of stressed.h */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../rpc/stressed.h"
#include "scenario.h"

/* In milliseconds. 400 samples take some 20, and their text as long; in a cell some 40. */
enum {
	WAITS = 1000,     /* for the service to appear */
	MEASURES = 10000, /* for a measurement */
};

static int fail(const char *what)
{
	fprintf(stderr, "beside: %s: %s\n", what, strerror(errno));
	return 1;
}

#ifdef CELL

static struct scenario_page *page;

static int open_other(const char *path)
{
	const int device = open(path, O_RDWR);

	if (device >= 0) {
		page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_SHARED,
			    device, 0);
	}
	return device < 0 || page == MAP_FAILED ? -1 : device;
}

static int tell(int device, char what)
{
	(void)device;
	page->from_linux = (unsigned char)what;
	return 0;
}

static int hear(int device, char *what)
{
	(void)device;
	for (int wait = 0; wait < MEASURES && page->from_cell == 0; wait++) {
		usleep(1000);
	}
	*what = (char)page->from_cell;
	return *what == 0 ? -1 : 0;
}

#else

static int open_other(const char *path)
{
	return open(path, O_RDWR);
}

static int tell(int device, char what)
{
	return write(device, &what, sizeof(what)) == sizeof(what) ? 0 : -1;
}

static int hear(int device, char *what)
{
	struct pollfd over = {.fd = device, .events = POLLIN};

	return poll(&over, 1, MEASURES) == 1 && read(device, what, sizeof(*what)) == sizeof(*what)
		   ? 0
		   : -1;
}

#endif

int main(int argc, char **argv)
{
	/* stress_start() waits until the first programs run; this is for all of them, and their memory. */
	const struct timespec all_begin = {.tv_nsec = 100000000};
	char said = 0;
	pid_t stress = 0;
	int device;

	if (argc != 2 && argc != 4) {
		fprintf(stderr, "usage: beside DEVICE [STRESS EACH]\n");
		return 2;
	}
	/* The other hart announces its service when the driver has attached. */
	for (int wait = 0; (device = open_other(argv[1])) < 0 && wait < WAITS; wait++) {
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
	if (tell(device, SCENARIO_GO) != 0) {
		return fail("go");
	}
	if (hear(device, &said) != 0) {
		return fail("the measurement did not end");
	}
	if (stress != 0 && kill(-stress, SIGKILL) != 0) {
		return fail(argv[2]);
	}
	close(device);
	return said == SCENARIO_DONE ? 0 : 1;
}
