/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief bounds JOB: what a program can take of the device, however many files it opens, and that no end of a job is
 * lost. JOB is calls_job.c.
 *
 * Prints a line for each check that fails, and PASS if none does.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "check.h"
#include "shown.h"
#include "trapeze_jobs.h"

#define PAGE 4096UL
#define LINE 64UL
#define MOST (TRAPEZE_RING_ENTRIES / 2) /* the quota */

static const char *file;

/** An open device, and a job on two lines of a buffer. */
struct user {
	int device;
	struct trapeze_job job;
};

static struct user made(enum ask what)
{
	struct user user = {.device = trapeze_open()};
	uint64_t *const lines = trapeze_buffer(user.device, 2 * LINE);

	CHECK_EQUAL(trapeze_job_load(&user.job, user.device, file), 0);
	memcpy(lines, (const uint64_t[]){what, 1, 7}, 3 * sizeof(uint64_t));
	trapeze_job_pass(&user.job, lines, LINE, TRAPEZE_REGION_READ);
	trapeze_job_pass(&user.job, (uint8_t *)lines + LINE, LINE, TRAPEZE_REGION_WRITE);
	return user;
}

static void unmap(const struct user *user)
{
	munmap((void *)(uintptr_t)user->job.regions[0].address, trapeze_buffer_bytes(user->job.regions[0].bytes));
	munmap((void *)(uintptr_t)user->job.regions[1].address, PAGE);
}

static void gone(struct user *user)
{
	close(user->device);
	unmap(user);
	all_are_gone(0);
}

static unsigned int submitted(const struct user *user)
{
	unsigned int count = 0;
	uint64_t number;

	while (count < 2 * MOST && trapeze_job_submit(&user->job, user->device, 0, -1, &number) == 0) {
		count++;
	}
	CHECK_EQUAL(errno, EAGAIN);
	return count;
}

static void *read_only(const void *bytes, size_t count)
{
	void *const page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(page, bytes, count);
	mprotect(page, PAGE, PROT_READ);
	return page;
}

/** A fetch whose structure cannot be written leaves the end; a submission in the same case leaves no job. */
static void no_end_is_lost(void)
{
	struct user user = made(ASK_LATER);
	struct trapeze_end end = {.flags = TRAPEZE_FETCH_WAIT};
	struct trapeze_end *const closed = read_only(&end, sizeof(end));
	struct trapeze_submission how = {.count = user.job.count};
	uint64_t number;

	CHECK_EQUAL(trapeze_job_submit(&user.job, user.device, 0, -1, &number), 0);
	CHECK_EQUAL(ioctl(user.device, TRAPEZE_JOB_FETCH, closed) == 0 ? 0 : errno, EFAULT);
	CHECK_EQUAL(trapeze_job_fetch(user.device, number, &end), 0);
	CHECK_EQUAL(end.job, number);
	CHECK_EQUAL(end.result, 7);

	memcpy(how.regions, user.job.regions, sizeof(how.regions));
	for (unsigned int i = 0; i < 2 * MOST; i++) {
		CHECK_EQUAL(ioctl(user.device, TRAPEZE_JOB_SUBMIT, read_only(&how, sizeof(how))) == 0 ? 0 : errno,
			    EFAULT);
		usleep(i % 2 * 1000); /* in flight, and ended */
	}
	CHECK_EQUAL(trapeze_job_fetch(user.device, 0, &end) == 0 ? 0 : errno, ENOENT);
	gone(&user);
}

/** An end that is not fetched counts as a job in flight does. */
static void ends_are_counted(void)
{
	struct user user = made(ASK_LATER);
	struct trapeze_end end;
	uint64_t number;

	for (unsigned int i = 0; i < MOST; i++) {
		CHECK_EQUAL(trapeze_job_submit(&user.job, user.device, 0, -1, &number), 0);
	}
	usleep(500000);
	CHECK_EQUAL(submitted(&user), 0);
	CHECK_EQUAL(shown("jobs"), MOST);
	CHECK_EQUAL(trapeze_job_fetch(user.device, 0, &end), 0);
	CHECK_EQUAL(submitted(&user), 1);
	gone(&user);
}

static void rung(int signal)
{
	(void)signal;
}

static void ring_after(int seconds, int flags)
{
	const struct sigaction action = {.sa_handler = rung, .sa_flags = flags};

	sigaction(SIGALRM, &action, NULL);
	alarm((unsigned int)seconds);
}

/** A second file has no quota of its own. A signal ends the wait for room. Others have room. */
static void one_quota_for_all_files(void)
{
	struct user user = made(ASK_SPIN);
	struct user again = made(ASK_SPIN);
	struct trapeze_end end;
	int status = -1;

	CHECK_EQUAL(submitted(&user), MOST);
	CHECK_EQUAL(submitted(&again), 0);
	ring_after(1, 0);
	CHECK_EQUAL(trapeze_job_run(&again.job, again.device) == 0 ? 0 : errno, EINTR);
	ring_after(1, 0);
	CHECK_EQUAL(trapeze_job_call(&again.job, again.device, 0, &end) == 0 ? 0 : errno, EINTR);
	if (fork() == 0) {
		struct user other = made(ASK_LATER);

		_exit(trapeze_job_run(&other.job, other.device) == 0 && other.job.result == 7 ? 0 : 1);
	}
	wait(&status);
	CHECK_EQUAL(status, 0);
	close(again.device);
	unmap(&again);
	gone(&user);
}

/** A signal with a handler ends the wait for a job, which is cancelled and at rest then. */
static void a_signal_ends_the_wait(void)
{
	struct user user = made(ASK_SPIN);

	for (int flags = 0; flags <= SA_RESTART; flags += SA_RESTART) {
		ring_after(1, flags);
		CHECK_EQUAL(trapeze_job_run(&user.job, user.device) == 0 ? 0 : errno, EINTR);
		CHECK_EQUAL(shown("jobs"), 0);
	}
	gone(&user);
}

/** The last descriptor is closed, while buffers are still mapped. */
static void close_cancels(void)
{
	struct user user = made(ASK_SPIN);
	const int second = dup(user.device);

	CHECK_EQUAL(submitted(&user), MOST);
	close(user.device);
	usleep(200000);
	CHECK_EQUAL(shown("jobs"), MOST);
	close(second);
	all_are_gone(2);
	unmap(&user);
	all_are_gone(0);
}

/** Buffers of one program leave most of the memory. */
static void memory_is_bounded(void)
{
	const int device = trapeze_open();
	const int again = trapeze_open();
	unsigned long pages = 0;
	int status = -1;

	for (unsigned int i = 0; i < 2 * 16384; i++) {
		if (mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, i % 2 ? device : again, 0) == MAP_FAILED) {
			CHECK_EQUAL(errno, ENOMEM);
			break;
		}
		pages++;
	}
	CHECK(pages > 1000 && pages < 16384 / 3);
	if (fork() == 0) {
		struct user other = made(ASK_LATER);

		_exit(trapeze_job_run(&other.job, other.device) == 0 && other.job.result == 7 ? 0 : 1);
	}
	wait(&status);
	CHECK_EQUAL(status, 0);
}

int main(int argc, char *argv[])
{
	file = argc == 2 ? argv[1] : "";
	no_end_is_lost();
	ends_are_counted();
	one_quota_for_all_files();
	a_signal_ends_the_wait();
	close_cancels();
	memory_is_bounded();
	puts(failures == 0 ? "PASS" : "FAIL");
	return failures != 0;
}
