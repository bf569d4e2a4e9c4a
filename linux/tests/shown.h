/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Reads what the driver shows in sysfs: whether jobs and buffers are left. For test programs with check.h.
 */
#ifndef SHOWN_H_
#define SHOWN_H_

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

/** Reads a number from sysfs. */
static int shown(const char *name)
{
	char path[64];
	char text[16] = "";

	snprintf(path, sizeof(path), "/sys/class/misc/trapeze/device/%s", name);

	const int file = open(path, O_RDONLY);

	CHECK(file >= 0 && read(file, text, sizeof(text) - 1) > 0);
	close(file);
	return atoi(text);
}

/** Waits until no job is left: cancelled jobs end soon. */
static void all_are_gone(int buffers)
{
	for (int i = 0; i < 100 && (shown("jobs") != 0 || shown("buffers") != buffers); i++) {
		usleep(10000);
	}
	CHECK_EQUAL(shown("jobs"), 0);
	CHECK_EQUAL(shown("buffers"), buffers);
}

#endif /* SHOWN_H_ */
