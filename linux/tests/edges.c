/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What programs do seldom: edges JOB CASE. Each case is a function below; PASS, or the line that fails. JOB is calls_job.c; the
 * module is MODULE.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>

#include "callers.h"
#include "calls.h"

#define MODULE "/lib/modules/trapeze.ko"

enum { PAGE = 4096, PAGES = 8, LINE = 64, MOST = TRAPEZE_RING_ENTRIES / 2, RIGHT = 0x600d /* of liar.c */ };

#define FAILS(call, error) CHECK((call) == -1 && errno == (error))

/** An open file, a job, and its buffer: the input is at its beginning, and the output in its last page. */
static int device;
static struct trapeze_job job;
static uint64_t *in, *out;

static void ask(enum ask what)
{
	in[0] = what;
	in[1] = 1;
	in[2] = 7;
}

static void open_with_job(enum ask what)
{
	job = (struct trapeze_job){0};
	device = trapeze_open();
	CHECK(device >= 0 && trapeze_job_load(&job, device, file) == 0);
	in = trapeze_buffer(device, PAGES * PAGE);
	CHECK(in != NULL);
	out = in + (PAGES - 1) * PAGE / sizeof(*in);
	trapeze_job_pass(&job, in, LINE, TRAPEZE_REGION_READ);
	trapeze_job_pass(&job, out, LINE, TRAPEZE_REGION_WRITE);
	ask(what);
}

static void close_all(void)
{
	CHECK(munmap(in, PAGES * PAGE) == 0);
	CHECK(munmap((void *)(uintptr_t)job.regions[0].address, PAGE) == 0);
	close(device);
	all_are_gone(0);
}

static uint64_t submitted(uint32_t limit_ms)
{
	uint64_t number;

	CHECK(trapeze_job_submit(&job, device, limit_ms, -1, &number) == 0);
	return number;
}

static uint32_t status_of(uint64_t number)
{
	struct trapeze_end end;

	CHECK(trapeze_job_fetch(device, number, &end) == 0);
	return end.status;
}

/** Pages in the middle of a buffer are unmapped: jobs use the others, and the buffer lasts as long as one of them, or a job. */
static void partial(void)
{
	uint64_t *const hole = (open_with_job(ASK_TRIPLE), in + 3 * PAGE / sizeof(*in));
	uint64_t number;

	CHECK(munmap(hole, 2 * PAGE) == 0);
	CHECK(trapeze_job_run(&job, device) == 0 && job.result == 21 && out[0] == 21);
	job.regions[2].address = (uintptr_t)hole;
	FAILS(trapeze_job_run(&job, device), EFAULT);
	job.regions[2].address = (uintptr_t)hole - LINE;
	job.regions[2].bytes = 2 * LINE;
	FAILS(trapeze_job_run(&job, device), EFAULT);
	job.regions[2].address = (uintptr_t)out;
	ask(ASK_SPIN);
	out[0] = 0;
	number = submitted(0);
	while (*(volatile uint64_t *)out == 0) {
	}
	CHECK(munmap(in, 3 * PAGE) == 0);
	CHECK(shown("buffers") == 2);
	CHECK(munmap(hole + 2 * PAGE / sizeof(*in), 3 * PAGE) == 0);
	CHECK(shown("buffers") == 2); /* the job's */
	CHECK(trapeze_job_cancel(device, number) == 0 && status_of(number) == TRAPEZE_JOB_CANCELLED);
	CHECK(shown("buffers") == 1);
	close_all();
}

static void *waits(void *limited)
{
	CHECK(status_of(*(uint64_t *)limited) == TRAPEZE_JOB_TIME_LIMIT);
	return NULL;
}

/** A file of several processes, which is closed in all but one of them: all jobs go on. A file that a thread closes while
 * another one waits. */
static void shared(void)
{
	uint64_t first = (open_with_job(ASK_SPIN), submitted(0)), second;
	int ready[2], status, copy;
	pid_t waiter;
	pthread_t thread;

	CHECK(pipe(ready) == 0);
	waiter = fork();
	if (waiter == 0) {
		CHECK(status_of(first) == TRAPEZE_JOB_CANCELLED);
		CHECK(read(ready[0], &second, sizeof(second)) == sizeof(second));
		CHECK(trapeze_job_cancel(device, second) == 0 && status_of(second) == TRAPEZE_JOB_CANCELLED);
		_exit(0);
	}
	if (fork() == 0) {
		second = submitted(0);
		CHECK(write(ready[1], &second, sizeof(second)) == sizeof(second));
		_exit(0);
	}
	CHECK(wait(&status) > 0 && status == 0);
	copy = dup(device);
	close(device);
	rest(20);
	CHECK(shown("jobs") == 2);
	CHECK(trapeze_job_cancel(copy, first) == 0);
	close(copy);
	CHECK(waitpid(waiter, &status, 0) == waiter && status == 0);
	close_all();

	open_with_job(ASK_SPIN);
	first = submitted(1000);
	CHECK(pthread_create(&thread, NULL, waits, &first) == 0);
	rest(500); /* it waits by now */
	close(device);
	CHECK(pthread_join(thread, NULL) == 0);
	close_all();
}

/** Each call with a structure that cannot be read, or not be written, and with words that it does not know. */
static void arguments(void)
{
	static const unsigned long calls[] = {TRAPEZE_JOB_RUN,	    TRAPEZE_JOB_SUBMIT, TRAPEZE_JOB_FETCH, TRAPEZE_JOB_CANCEL,
					      TRAPEZE_CALL_PREPARE, TRAPEZE_CALL_DROP,	TRAPEZE_CALL_WAIT};
	struct trapeze_preparation wrong = {.flags = 1};
	struct trapeze_end end = {.flags = 2};
	struct trapeze_call_wait none = {0};
	uint32_t handle = 12345;
	const uint64_t nobodys = 12345;
	void *const page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	open_with_job(ASK_TRIPLE);
	FAILS(ioctl(device, TRAPEZE_CALL_WAIT, &none), EINVAL);
	for (unsigned int i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		FAILS(ioctl(device, calls[i], NULL), EFAULT);
		FAILS(ioctl(device, calls[i], UINT64_MAX - 3), EFAULT);
		FAILS(ioctl(device, calls[i] + 0x10, page), ENOTTY);
	}
	FAILS(ioctl(device, TRAPEZE_CALL_PREPARE, &wrong), EINVAL);
	wrong.flags = 0;
	FAILS(ioctl(device, TRAPEZE_CALL_PREPARE, &wrong), EINVAL);
	wrong.count = UINT32_MAX;
	FAILS(ioctl(device, TRAPEZE_CALL_PREPARE, &wrong), EINVAL);
	FAILS(ioctl(device, TRAPEZE_JOB_SUBMIT, &wrong), EINVAL);
	FAILS(ioctl(device, TRAPEZE_JOB_FETCH, &end), EINVAL);
	FAILS(ioctl(device, TRAPEZE_CALL_DROP, &handle), ENOENT);
	for (int again = 0; again < 2; again++) {
		FAILS(trapeze_job_cancel(device, nobodys), ENOENT);
	}
	FAILS((int)(intptr_t)mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, device, TRAPEZE_MAP_CHANNEL), EINVAL);
	FAILS((int)(intptr_t)mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED, device, TRAPEZE_MAP_CHANNEL), EINVAL);
	FAILS((int)(intptr_t)mmap(NULL, PAGE, PROT_READ, MAP_SHARED, device, TRAPEZE_MAP_BELL + PAGE), EINVAL);
	for (int prepares = 0; prepares < 2; prepares++) {
		const struct trapeze_preparation right = {.count = job.count};

		CHECK(mprotect(page, PAGE, PROT_READ | PROT_WRITE) == 0);
		memcpy(page, prepares ? (const void *)&right : &job, prepares ? sizeof(right) : sizeof(job));
		memcpy((char *)page + offsetof(struct trapeze_job, regions), job.regions, sizeof(job.regions));
		CHECK(mprotect(page, PAGE, PROT_READ) == 0);
		FAILS(ioctl(device, prepares ? TRAPEZE_CALL_PREPARE : TRAPEZE_JOB_RUN, page), EFAULT);
		CHECK(shown("jobs") == 0);
	}
	close_all();
}

static void on_alarm(int signal)
{
	(void)signal;
}

/** A signal ends each kind of wait; so does the death of the caller. */
static void signals(void)
{
	const struct sigaction action = {.sa_handler = on_alarm};
	struct trapeze_submission more;
	struct trapeze_call_wait never = {.number = 1}, soon = {.number = 1, .timeout_ms = 10};
	struct trapeze_end fetch = {.flags = TRAPEZE_FETCH_WAIT};
	struct caller caller;
	uint64_t numbers[MOST];
	pid_t child;

	CHECK(sigaction(SIGALRM, &action, NULL) == 0);
	CHECK(begin(&caller, 0));
	FAILS(ioctl(caller.device, TRAPEZE_CALL_WAIT, &soon), ETIMEDOUT);
	alarm(1);
	FAILS(ioctl(caller.device, TRAPEZE_CALL_WAIT, &never), EINTR);
	CHECK(trapeze_prepared_drop(&caller.prepared) == 0);
	end(&caller);
	open_with_job(ASK_SPIN);
	for (int i = 0; i < MOST; i++) {
		numbers[i] = submitted(0);
	}
	alarm(1);
	FAILS(ioctl(device, TRAPEZE_JOB_FETCH, &fetch), EINTR);
	more = (struct trapeze_submission){.count = job.count, .flags = TRAPEZE_SUBMIT_WAIT};
	memcpy(more.regions, job.regions, sizeof(more.regions));
	alarm(1);
	FAILS(ioctl(device, TRAPEZE_JOB_SUBMIT, &more), EINTR);
	more.limit_ms = 20;
	FAILS(ioctl(device, TRAPEZE_JOB_SUBMIT, &more), ETIMEDOUT);
	child = fork();
	if (child == 0) {
		(void)status_of(numbers[0]);
		_exit(1);
	}
	rest(500); /* it waits by now */
	kill(child, SIGKILL); /* cancels what it waits for */
	waitpid(child, NULL, 0);
	CHECK(status_of(numbers[0]) == TRAPEZE_JOB_CANCELLED);
	close_all();
}

static void load(const char *parameters)
{
	const int module = open(MODULE, O_RDONLY | O_CLOEXEC);

	CHECK(module >= 0 && syscall(SYS_finit_module, module, parameters, 0) == 0);
	close(module);
}

static int unload(void)
{
	return (int)syscall(SYS_delete_module, "trapeze", O_NONBLOCK);
}

/** The driver stays while it is used. Parameters that are none make no device. */
static void loads(void)
{
	static const char *const wrong[] = {"quota=0", "quota=65", "quota=4294967295", "mode=0100660", "mode=0", "mode=01000"};
	struct stat about;

	open_with_job(ASK_TRIPLE);
	FAILS(unload(), EWOULDBLOCK);
	close(device);
	FAILS(unload(), EWOULDBLOCK); /* a buffer is mapped */
	close_all();
	rest(20);
	for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		CHECK(unload() == 0);
		load(wrong[i]);
		CHECK(stat("/dev/trapeze", &about) == -1 || (printf("%s: %o\n", wrong[i], about.st_mode), 0));
	}
	CHECK(unload() == 0);
	load("quota=1 mode=0777");
	CHECK(stat("/dev/trapeze", &about) == 0 && about.st_mode == (S_IFCHR | 0777));
	open_with_job(ASK_SPIN);
	(void)submitted(0);
	FAILS(trapeze_job_submit(&job, device, 0, -1, &(uint64_t){0}), EAGAIN);
	close_all();
}

/** A server that comes late (liar.c). The driver is loaded without one. */
static void absent(void)
{
	unsigned int without = 0;

	while ((device = trapeze_open()) < 0) {
		CHECK(errno == ENODEV);
		if (without++ % 8 == 0) {
			CHECK(unload() == 0);
			load("");
		}
		rest(5);
	}
	close(device);
	CHECK(without > 0);
}

/** A server that goes for a while, and is another one then. */
static void gone(void)
{
	open_with_job(ASK_SPIN);
	for (int i = 0; i < 3; i++) {
		int again, without = 0;
		struct trapeze_submission one = {.count = job.count};
		struct trapeze_preparation prepared = {.count = job.count};

		CHECK(status_of(submitted(100)) == TRAPEZE_JOB_DONE);
		rest(20); /* it goes in a moment */
		memcpy(one.regions, job.regions, sizeof(one.regions));
		memcpy(prepared.regions, job.regions, sizeof(prepared.regions));
		while ((i == 0	 ? trapeze_job_run(&job, device)
			: i == 1 ? ioctl(device, TRAPEZE_JOB_SUBMIT, &one)
				 : ioctl(device, TRAPEZE_CALL_PREPARE, &prepared)) != 0) {
			if (i == 2 && errno == EIO) {
				break; /* the file's channel is of the server before */
			}
			CHECK(errno == ENODEV);
			again = trapeze_open();
			CHECK(again >= 0 ? close(again) == 0 : errno == ENODEV);
			without++;
		}
		CHECK(without > 0);
		CHECK(i != 1 || status_of(one.job) == TRAPEZE_JOB_DONE);
	}
	close_all();
}

/** The driver is unloaded while the server prepares a job whose caller is dead: it is dropped first, and leaves no memory. */
static void late(void)
{
	enum { LARGE = 1 << 20 };
	struct trapeze_preparation slow = {.limit_ms = 1000};
	const struct sched_param first = {.sched_priority = 1}; /* before the kernel's threads, on the processor of the interrupt */
	struct sysinfo before, after;
	cpu_set_t only;

	CPU_ZERO(&only);
	CPU_SET(0, &only);
	CHECK(sched_setaffinity(0, sizeof(only), &only) == 0);
	CHECK(sched_setscheduler(0, SCHED_FIFO, &first) == 0);
	CHECK(sysinfo(&before) == 0);
	for (int i = 0; i < 2; i++) {
		const pid_t child = fork();

		if (child == 0) {
			open_with_job(ASK_SPIN);
			trapeze_job_pass(&job, trapeze_buffer(device, LARGE), LARGE, TRAPEZE_REGION_READ);
			slow.count = job.count;
			memcpy(slow.regions, job.regions, sizeof(slow.regions));
			ioctl(device, TRAPEZE_CALL_PREPARE, &slow);
			_exit(1);
		}
		while (shown("jobs") == 0) {
			rest(10);
		}
		rest(10);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		CHECK(shown("jobs") == 1);
		CHECK(unload() == 0);
		load("");
		all_are_gone(0);
	}
	CHECK(sysinfo(&after) == 0);
	CHECK(after.freeram + LARGE > before.freeram);
}

int main(int count, char **words)
{
	static const struct test_case cases[] = {{"partial", partial}, {"shared", shared}, {"arguments", arguments},
						 {"signals", signals}, {"loads", loads},   {"absent", absent},
						 {"gone", gone},       {"late", late}};

	return run_case(cases, sizeof(cases) / sizeof(cases[0]), count, words);
}
