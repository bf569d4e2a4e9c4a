/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A program that makes work for Linux while another one measures, which goes before it.
 */
#ifndef STRESSED_H_
#define STRESSED_H_

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/** Starts the program that makes work, in a group of processes of its own. */
static inline pid_t stress_start(const char *program, const char *each)
{
	const struct timespec while_it_begins = {.tv_nsec = 20000000};
	const pid_t child = fork();

	if (child == 0) {
		setpgid(0, 0);
		execl(program, program, each, (char *)NULL);
		_exit(127);
	}
	nanosleep(&while_it_begins, NULL);
	return child;
}

/** The caller runs on this processor alone. Returns 0, or -1 with errno. */
static inline int runs_on(unsigned long processor)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

/** Programs of a real-time class may take all of a processor's time, not 95 % of each second. Returns 0, or -1 with errno. */
static inline int never_rests(void)
{
	const int file = open("/proc/sys/kernel/sched_rt_runtime_us", O_WRONLY);
	const int failed = file < 0 || write(file, "-1", 2) != 2 ? -1 : 0;

	if (file >= 0) {
		close(file);
	}
	return failed;
}

/** The caller goes before all programs of the usual kind, its memory stays. Returns 0, or -1 with errno. */
static inline int goes_first(void)
{
	const struct sched_param priority = {.sched_priority = 50};

	return sched_setscheduler(0, SCHED_FIFO, &priority) != 0 ||
		       mlockall(MCL_CURRENT | MCL_FUTURE) != 0
		   ? -1
		   : 0;
}

#endif /* STRESSED_H_ */
