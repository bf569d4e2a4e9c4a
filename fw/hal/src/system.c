/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * What the C library asks of a system: signals, time, and the console by file descriptor. All of it is weak: a program
 * that defines one of these functions itself has its own.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include <trapeze/console.h>
#include <trapeze/exit.h>
#include <trapeze/timer.h>

#define MICROSECONDS 1000000U

/* The last one in the library's <signal.h>. NSIG is no standard C, and picolibc 1.8.10, Debian 13's, has none. */
#define LAST_SIGNAL SIGUSR2

__attribute__((weak)) uint32_t timer_frequency = TRAPEZE_TIMER_FREQUENCY;

/* A signal without a handler ends here. */
__attribute__((weak)) int kill(pid_t process, int number)
{
	(void)process;
	if (number < 0 || number > LAST_SIGNAL) {
		errno = EINVAL;
		return -1;
	}
	if (number == 0) {
		return 0; /* only asks whether the process is there */
	}
	console_puts("\ntrapeze: ended by signal ");
	if (number >= 10) {
		console_putc((char)('0' + number / 10));
	}
	console_putc((char)('0' + number % 10));
	console_puts(number == SIGABRT ? " (abort)\n" : "\n");
	trapeze_exit(TRAPEZE_EXIT_SIGNAL + number);
}

__attribute__((weak)) pid_t getpid(void)
{
	return 1;
}

typedef void (*handler_t)(int);

static handler_t handlers[LAST_SIGNAL + 1];

__attribute__((weak)) handler_t signal(int number, handler_t handler)
{
	handler_t before;

	if (number < 0 || number > LAST_SIGNAL) {
		errno = EINVAL;
		return SIG_ERR;
	}
	before = handlers[number];
	handlers[number] = handler;
	return before;
}

/* The library's own calls kill() for a signal without a handler, or from picolibc 1.8.10 on ends without a word. */
__attribute__((weak)) int raise(int number)
{
	handler_t handler = signal(number, SIG_DFL);

	if (handler == SIG_ERR) {
		return -1;
	}
	if (handler == SIG_IGN) {
		(void)signal(number, SIG_IGN);
		return 0;
	}
	if (handler == SIG_DFL) {
		return kill(getpid(), number);
	}
	handler(number);
	return 0;
}

/* The library's own ends with 1 where a handler of SIGABRT returns. */
__attribute__((weak)) void abort(void)
{
	(void)raise(SIGABRT);
	(void)kill(getpid(), SIGABRT);
	trapeze_exit(TRAPEZE_EXIT_SIGNAL +
		     SIGABRT); /* a kill() of the program's own may come back */
}

/* time() calls it. There is no clock that knows the date. */
__attribute__((weak)) int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	uint64_t ticks = timer_now();

	(void)zone;
	now->tv_sec = (time_t)(ticks / timer_frequency);
	now->tv_usec = (suseconds_t)(ticks % timer_frequency * MICROSECONDS / timer_frequency);
	return 0;
}

/* clock() calls it. There is one program, so all time is its own. */
__attribute__((weak)) clock_t times(struct tms *used)
{
	uint64_t ticks = timer_now();
	uint64_t whole = ticks / timer_frequency * MICROSECONDS;
	uint64_t rest = ticks % timer_frequency * MICROSECONDS / timer_frequency;

	*used = (struct tms){.tms_utime = (clock_t)(whole + rest)};
	return used->tms_utime;
}

__attribute__((weak)) ssize_t write(int file, const void *bytes, size_t length)
{
	if (file != STDOUT_FILENO && file != STDERR_FILENO) {
		errno = EBADF;
		return -1;
	}
	console_write(bytes, length);
	return (ssize_t)length;
}

/* Waits for the first byte, and takes with it what else is there. */
__attribute__((weak)) ssize_t read(int file, void *bytes, size_t length)
{
	char *at = bytes;
	size_t done = 0;

	if (file != STDIN_FILENO) {
		errno = EBADF;
		return -1;
	}
	while (done < length) {
		int c = done == 0U ? console_getc() : console_try_getc();

		if (c < 0) {
			break;
		}
		at[done++] = (char)c;
	}
	return (ssize_t)done;
}
