/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief flight JOB: submitted jobs: several in flight, poll, eventfd, cancel, time limits, callers that are killed,
 * and the description of faults. JOB is calls_job.c.
 *
 * Prints a line for each check that fails, and PASS if none does.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "check.h"
#include "shown.h"
#include "trapeze_jobs.h"

#define PAGE 4096UL
#define LINE 64UL
#define MOST (TRAPEZE_RING_ENTRIES / 2) /* jobs in flight of one open file */

#define TICK_MS 10 /* tick of the RTOS in ms of Linux' clock, which has ten times the frequency in the settings */

static int device;
static struct trapeze_job code;	    /* region 0 alone */
static uint8_t *inputs, *outputs; /* a line for each of the most jobs */

static uint64_t *input(unsigned int job)
{
	return (uint64_t *)(inputs + job * LINE);
}

static uint64_t *output(unsigned int job)
{
	return (uint64_t *)(outputs + job * LINE);
}

/** A job with a line of input and one of output. */
static struct trapeze_job made(unsigned int job, enum ask what, uint64_t one, uint64_t two)
{
	struct trapeze_job whole = code;

	memcpy(input(job), (const uint64_t[]){what, one, two}, 3 * sizeof(uint64_t));
	CHECK_EQUAL(trapeze_job_pass(&whole, input(job), LINE, TRAPEZE_REGION_READ), 0);
	CHECK_EQUAL(trapeze_job_pass(&whole, output(job), LINE, TRAPEZE_REGION_WRITE), 0);
	return whole;
}

static uint64_t submitted(unsigned int job, enum ask what, uint64_t one, uint64_t two)
{
	const struct trapeze_job whole = made(job, what, one, two);
	uint64_t number = 0;

	CHECK_EQUAL(trapeze_job_submit(&whole, device, 0, -1, &number), 0);
	CHECK(number != 0);
	return number;
}

/** 0, or the error of the call. */
static int fetch_error(uint64_t number, struct trapeze_end *end)
{
	return trapeze_job_fetch(device, number, end) == 0 ? 0 : errno;
}

static struct trapeze_end fetched(uint64_t number)
{
	struct trapeze_end end;

	CHECK_EQUAL(fetch_error(number, &end), 0);
	if (number != 0) {
		CHECK_EQUAL(end.job, number);
	}
	return end;
}

static int cancel_error(uint64_t number)
{
	return trapeze_job_cancel(device, number) == 0 ? 0 : errno;
}

static void nonblocking(bool is)
{
	fcntl(device, F_SETFL, is ? O_NONBLOCK : 0);
}

static short polled(int file, int timeout_ms)
{
	struct pollfd one = {.fd = file, .events = POLLIN};

	poll(&one, 1, timeout_ms);
	return one.revents;
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void wait_ms(unsigned int time)
{
	usleep(time * 1000);
}

static void in_the_order_of_ends(void)
{
	struct trapeze_end end;
	const uint64_t slow = submitted(0, ASK_LATER, 1000000, 10);
	const uint64_t fast = submitted(1, ASK_LATER, 100, 11);
	const uint64_t between = submitted(2, ASK_LATER, 200000, 12);

	CHECK(slow != fast && fast != between && between != slow);
	CHECK_EQUAL(fetched(0).job, fast);
	CHECK_EQUAL(fetched(0).job, between);
	end = fetched(0);
	CHECK_EQUAL(end.job, slow);
	CHECK_EQUAL(end.status, TRAPEZE_JOB_DONE);
	CHECK_EQUAL(end.result, 10);
	CHECK_EQUAL(fetch_error(0, &end), ENOENT);
	CHECK_EQUAL(fetch_error(slow, &end), ENOENT);

	/* Fetches one job by its number; the others are still there. */
	const uint64_t first = submitted(0, ASK_LATER, 10, 20);
	const uint64_t second = submitted(1, ASK_LATER, 300000, 21);

	CHECK_EQUAL(fetched(second).result, 21);
	CHECK_EQUAL(fetched(first).result, 20);
}

static void polls(void)
{
	struct trapeze_end end;
	uint64_t number;

	nonblocking(true);
	CHECK_EQUAL(fetch_error(0, &end), ENOENT);
	number = submitted(0, ASK_LATER, 500000, 5);
	CHECK_EQUAL(polled(device, 0), 0);
	CHECK_EQUAL(fetch_error(0, &end), EAGAIN);
	CHECK_EQUAL(fetch_error(number, &end), EAGAIN);
	CHECK_EQUAL(polled(device, 5000), POLLIN);
	CHECK_EQUAL(polled(device, 0), POLLIN);
	CHECK_EQUAL(fetched(0).result, 5);
	CHECK_EQUAL(polled(device, 0), 0);

	/* TRAPEZE_JOB_RUN waits, although the file is O_NONBLOCK. */
	const struct trapeze_job job = made(0, ASK_LATER, 100000, 6);

	CHECK_EQUAL(trapeze_job_call(&job, device, 0, &end), 0);
	CHECK_EQUAL(end.result, 6);
	nonblocking(false);
}

static void eventfds(void)
{
	const int event = eventfd(0, EFD_NONBLOCK);
	struct trapeze_job job = made(0, ASK_LATER, 1000, 1);
	struct trapeze_submission how = {.count = job.count, .eventfd = 0};
	uint64_t first = 0, number = 0, count = 0;

	CHECK(event >= 0);
	CHECK_EQUAL(trapeze_job_submit(&job, device, 0, event, &first), 0);
	CHECK_EQUAL(trapeze_job_submit(&job, device, 0, event, &number), 0);
	while (count < 2) {
		uint64_t more = 0;

		CHECK_EQUAL(polled(event, 5000), POLLIN);
		if (read(event, &more, sizeof(more)) != sizeof(more)) {
			break;
		}
		count += more;
	}
	CHECK_EQUAL(count, 2);
	CHECK_EQUAL(fetched(first).status, TRAPEZE_JOB_DONE);
	CHECK_EQUAL(fetched(number).status, TRAPEZE_JOB_DONE);
	close(event);

	CHECK_EQUAL(trapeze_job_submit(&job, device, 0, event, &number) == 0 ? 0 : errno, EBADF);
	CHECK_EQUAL(trapeze_job_submit(&job, device, 0, device, &number) == 0 ? 0 : errno, EINVAL);
	memcpy(how.regions, job.regions, sizeof(how.regions));
	how.eventfd = 1; /* the flag of the eventfd is missing */
	CHECK_EQUAL(ioctl(device, TRAPEZE_JOB_SUBMIT, &how) == 0 ? 0 : errno, EINVAL);
	how.eventfd = 0;
	how.flags = 4;
	CHECK_EQUAL(ioctl(device, TRAPEZE_JOB_SUBMIT, &how) == 0 ? 0 : errno, EINVAL);
	CHECK_EQUAL(ioctl(device, TRAPEZE_JOB_SUBMIT, NULL) == 0 ? 0 : errno, EFAULT);
	CHECK_EQUAL(ioctl(device, TRAPEZE_JOB_FETCH, NULL) == 0 ? 0 : errno, EFAULT);
	CHECK_EQUAL(ioctl(device, TRAPEZE_JOB_CANCEL, NULL) == 0 ? 0 : errno, EFAULT);
}

/** Submits the most jobs, which never end. Each has written its output. */
static void as_many_as_there_can_be(void)
{
	for (int turn = 0; turn < 3; turn++) {
		uint64_t numbers[MOST];
		uint64_t one_more;

		memset(outputs, 0, MOST * LINE);
		for (unsigned int i = 0; i < MOST; i++) {
			numbers[i] = submitted(i, ASK_SPIN, i + 1, 0);
		}

		const struct trapeze_job job = made(0, ASK_SPIN, 1, 0);

		CHECK_EQUAL(trapeze_job_submit(&job, device, 0, -1, &one_more) == 0 ? 0 : errno, EAGAIN);
		wait_ms(MOST * TICK_MS + 100); /* every job runs for a while */
		for (unsigned int i = 0; i < MOST; i++) {
			CHECK_EQUAL(cancel_error(numbers[i]), 0);
		}
		for (unsigned int i = 0; i < MOST; i++) {
			CHECK_EQUAL(fetched(numbers[i]).status, TRAPEZE_JOB_CANCELLED);
			CHECK_EQUAL(output(i)[0], i + 1);
		}
		CHECK_EQUAL(cancel_error(numbers[0]), ENOENT);
	}
}

static void cancels(void)
{
	const int other = trapeze_open();
	const uint64_t number = submitted(0, ASK_SPIN, 5, 0);
	struct trapeze_end end;

	CHECK_EQUAL(cancel_error(0), ENOENT);
	CHECK_EQUAL(cancel_error(number + MOST), ENOENT);
	CHECK_EQUAL(cancel_error(UINT64_MAX), ENOENT);
	CHECK_EQUAL(trapeze_job_cancel(other, number) == 0 ? 0 : errno, ENOENT);
	CHECK_EQUAL(trapeze_job_fetch(other, number, &end) == 0 ? 0 : errno, ENOENT);
	close(other);
	CHECK_EQUAL(cancel_error(number), 0);
	CHECK_EQUAL(fetched(number).status, TRAPEZE_JOB_CANCELLED);

	/* The cancel follows at once: the other hart may not have seen the job yet, or is just taking it. */
	for (unsigned int i = 0; i < 100; i++) {
		const uint64_t early = submitted(0, ASK_LATER, i * 10, 3);
		const int error = cancel_error(early);

		end = fetched(early);
		CHECK(error == 0 || error == ENOENT);
		CHECK(end.status == TRAPEZE_JOB_CANCELLED ||
		      (end.status == TRAPEZE_JOB_DONE && end.result == 3));
	}
}

static void time_limits(void)
{
	struct trapeze_job job = made(0, ASK_SPIN, 77, 0);
	struct trapeze_end end;
	char text[200];

	for (unsigned int limit = 1; limit < 100; limit += 33) {
		const uint64_t begun = now_ms();

		output(0)[0] = 0;
		CHECK_EQUAL(trapeze_job_call(&job, device, limit, &end), 0);
		CHECK_EQUAL(end.status, TRAPEZE_JOB_TIME_LIMIT);
		CHECK(end.pc_offset < code.regions[0].bytes);
		CHECK_EQUAL(output(0)[0], 77);
		CHECK(now_ms() - begun + 1 >= limit && now_ms() - begun <= limit + 3 * TICK_MS);
	}
	trapeze_end_text(&end, text, sizeof(text));
	CHECK(strncmp(text, "over its time limit: at code + 0x", 33) == 0);
	job = made(0, ASK_LATER, 1000, 4);
	CHECK_EQUAL(trapeze_job_call(&job, device, 1000, &end), 0);
	CHECK_EQUAL(end.result, 4);
	CHECK_EQUAL(trapeze_job_call(&job, device, UINT32_MAX, &end), 0);
	CHECK_EQUAL(end.result, 4);
}

/** Compares the description of a fault, up to the place in the code. */
static void fault(enum ask what, uint64_t address, const char *wanted)
{
	const struct trapeze_job job = made(0, what, address, 0);
	struct trapeze_end end;
	char text[200], some[10];

	CHECK_EQUAL(trapeze_job_call(&job, device, 0, &end), 0);
	CHECK_EQUAL(end.status, TRAPEZE_JOB_FAULT);
	CHECK(trapeze_end_text(&end, text, sizeof(text)) == (int)strlen(text));
	if (strncmp(text, wanted, strlen(wanted)) != 0) {
		printf("\"%s\", not \"%s\"\n", text, wanted);
		failures++;
	}
	CHECK(trapeze_end_text(&end, some, sizeof(some)) == (int)strlen(text));
	CHECK_EQUAL(strlen(some), sizeof(some) - 1);
}

/** Stages of a call add up, and take the time that the job takes. */
static void statistics(void)
{
	const struct trapeze_job job = made(0, ASK_LATER, 100000, 4);
	struct trapeze_statistics of[TRAPEZE_STAGES];
	struct trapeze_times times = {0};
	struct trapeze_end end;
	const uint64_t begun = now_ms();

	for (unsigned int i = 0; i < 3; i++) {
		CHECK_EQUAL(trapeze_times_call(&times, &job, device, 0, &end), 0);
		CHECK_EQUAL(end.result, 4);
	}
	for (unsigned int stage = 0; stage < TRAPEZE_STAGES; stage++) {
		CHECK_EQUAL(trapeze_times_statistics(&times, stage, &of[stage]), 0);
		CHECK_EQUAL(of[stage].count, 3);
	}
	CHECK(of[TRAPEZE_STAGE_SUBMIT].min > 0 && of[TRAPEZE_STAGE_SUBMIT].max < of[TRAPEZE_STAGE_WAIT].min);
	CHECK(of[TRAPEZE_STAGE_CALL].max / 1000000 <= now_ms() - begun);
	trapeze_times_free(&times);
}

static void faults(void)
{
	fault(ASK_STORE, 8, "fault: store to 0x8, which is not the job's, at code + 0x");
	fault(ASK_LOAD, 0, "fault: load from 0x0, which is not the job's, at code + 0x");
	fault(ASK_STORE_INPUT, 0, "fault: store to buffer 1 + 0x0, at code + 0x");
	fault(ASK_JUMP, 16, "fault: fetch from 0x10, which is not the job's, at 0x10, outside of the code");
	fault(ASK_STACK, 0, "fault: store to memory below the stack, which is full, at code + 0x");
	fault(ASK_MACHINE, 0, "fault: illegal instruction (cause 2), at code + 0x");
}

/** Two files take half of the ring each, and a third gets EAGAIN. A caller that waits for room gets it later. */
static void quotas(void)
{
	const struct trapeze_job job = made(0, ASK_SPIN, 1, 0);
	uint64_t number;
	pid_t children[2];
	char byte;
	int ready[2];

	CHECK_EQUAL(pipe(ready), 0);
	for (unsigned int child = 0; child < 2; child++) {
		children[child] = fork();
		if (children[child] == 0) {
			device = trapeze_open();
			inputs = trapeze_buffer(device, PAGE);
			outputs = trapeze_buffer(device, PAGE);
			memset(&code, 0, sizeof(code));
			trapeze_job_load(&code, device, getenv("JOB"));
			for (unsigned int i = 0; i < MOST; i++) {
				number = submitted(i, ASK_SPIN, 1, 0);
			}

			const struct trapeze_job more = made(0, ASK_SPIN, 1, 0);

			CHECK_EQUAL(trapeze_job_submit(&more, device, 0, -1, &number) == 0 ? 0 : errno, EAGAIN);
			CHECK_EQUAL(write(ready[1], failures == 0 ? "+" : "-", 1), 1);
			pause();
		}
	}
	for (unsigned int child = 0; child < 2; child++) {
		CHECK_EQUAL(read(ready[0], &byte, 1), 1);
		CHECK_EQUAL(byte, '+');
		if (child == 0) {
			continue;
		}
		CHECK_EQUAL(trapeze_job_submit(&job, device, 0, -1, &number) == 0 ? 0 : errno, EAGAIN);
	}
	kill(children[0], SIGKILL);
	waitpid(children[0], NULL, 0);

	const struct trapeze_job short_one = made(0, ASK_LATER, 1, 7);
	struct trapeze_job waits = short_one;

	CHECK_EQUAL(trapeze_job_run(&waits, device), 0);
	CHECK_EQUAL(waits.result, 7);
	kill(children[1], SIGKILL);
	waitpid(children[1], NULL, 0);
	close(ready[0]);
	close(ready[1]);
}

/** A process that is killed while it waits for a job in flight, and one that ends without fetching. */
static void callers_that_go(void)
{
	const int buffers = shown("buffers");

	for (unsigned int how = 0; how < 4; how++) {
		const pid_t child = fork();

		if (child == 0) {
			struct trapeze_job job;
			struct trapeze_end end;

			device = trapeze_open();
			inputs = trapeze_buffer(device, PAGE);
			outputs = trapeze_buffer(device, PAGE);
			memset(&code, 0, sizeof(code));
			trapeze_job_load(&code, device, getenv("JOB"));
			job = made(0, ASK_SPIN, 1, 0);
			switch (how) {
			case 0:
				trapeze_job_run(&job, device);
				break;
			case 1:
				trapeze_job_call(&job, device, 0, &end);
				break;
			case 2:
				for (unsigned int i = 0; i < MOST; i++) {
					(void)submitted(i, i % 2 == 0 ? ASK_SPIN : ASK_LATER, 1, 0);
				}
				pause();
				break;
			default:
				(void)submitted(0, ASK_SPIN, 1, 0);
				munmap(inputs, PAGE);
				munmap(outputs, PAGE);
				close(device);
				_exit(0);
			}
			_exit(1);
		}
		wait_ms(100);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		all_are_gone(buffers);
	}
}

int main(int argc, char *argv[])
{
	struct stat about;

	setenv("JOB", argc == 2 ? argv[1] : "", 1);
	device = trapeze_open();
	if (device < 0 || trapeze_job_load(&code, device, getenv("JOB")) != 0) {
		perror("flight");
		return 1;
	}
	inputs = trapeze_buffer(device, MOST * LINE);
	outputs = trapeze_buffer(device, MOST * LINE);
	CHECK_EQUAL(stat("/dev/trapeze", &about), 0);
	CHECK_EQUAL(about.st_mode & 07777, 0660);
	in_the_order_of_ends();
	polls();
	eventfds();
	as_many_as_there_can_be();
	cancels();
	time_limits();
	statistics();
	faults();
	callers_that_go();
	quotas();
	puts(failures == 0 ? "PASS" : "FAIL");
	return failures != 0;
}
