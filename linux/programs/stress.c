/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief stress EACH [KIND...]: work for Linux that is in the way of others. EACH processes of every kind, or of those that
 * are named, until they are killed.
 *
 * | kind | does |
 * |---|---|
 * | `cpu` | multiplies, divides and branches at random |
 * | `vm` | writes all pages of 256 KiB, in turn |
 * | `cache` | reads and writes lines of 1 MiB at random, more than any cache has |
 * | `fork` | makes processes, which end at once |
 * | `switch` | two processes hand a byte to and fro |
 * | `timer` | a timer as often as Linux can, with a signal |
 * | `pipe` | fills and empties a pipe by 4 KiB |
 * | `mmap` | maps, touches and unmaps memory |
 *
 * Kinds are those of the paper on the latency IP, section 5.3 (stress-ng), as far as a kernel without disks and network has
 * them.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	PAGE = 4096,
	VM_BYTES = 256 * 1024,
	CACHE_BYTES = 1024 * 1024,
	MAP_BYTES = 64 * 1024,
	LINE = 64,
	MOST = 64, /* processes of a kind */
};

static uint64_t state = 88172645463325252;

/** xorshift64 (Marsaglia, 2003). */
static uint64_t dice(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static _Noreturn void fail(const char *what)
{
	perror(what);
	exit(1);
}

static uint8_t *memory(size_t bytes)
{
	void *const made = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (made == MAP_FAILED) {
		fail("stress: memory");
	}
	return made;
}

static void cpu(void)
{
	volatile uint64_t sum = 1;

	for (;;) {
		const uint64_t drawn = dice();

		sum = (drawn & 1) != 0 ? sum * drawn : sum / (drawn | 1) + drawn;
	}
}

static void vm(void)
{
	volatile uint8_t *const all = memory(VM_BYTES);

	for (;;) {
		for (size_t at = 0; at < VM_BYTES; at += LINE) {
			all[at]++;
		}
	}
}

static void cache(void)
{
	volatile uint8_t *const all = memory(CACHE_BYTES);

	for (;;) {
		const uint64_t drawn = dice();

		all[drawn % CACHE_BYTES] = (uint8_t)(all[(drawn >> 32) % CACHE_BYTES] + 1);
	}
}

static void forks(void)
{
	for (;;) {
		const pid_t child = fork();

		if (child == 0) {
			_exit(0);
		}
		if (child > 0) {
			waitpid(child, NULL, 0);
		}
	}
}

static void switches(void)
{
	int there[2], back[2];
	char byte = 0;

	if (pipe(there) != 0 || pipe(back) != 0) {
		fail("stress: pipe");
	}
	const int is_child = fork() == 0;
	const int from = is_child ? there[0] : back[0], to = is_child ? back[1] : there[1];

	/* The other end is closed, so that one ends when the other one does. */
	close(is_child ? there[1] : back[1]);
	close(is_child ? back[0] : there[0]);
	if (!is_child && write(to, &byte, 1) != 1) {
		fail("stress: pipe");
	}
	while (read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1) {
	}
}

static void ring(int number)
{
	(void)number;
}

static void timer(void)
{
	const struct itimerval often = {.it_interval = {.tv_usec = 1}, .it_value = {.tv_usec = 1}};

	signal(SIGALRM, ring);
	if (setitimer(ITIMER_REAL, &often, NULL) != 0) {
		fail("stress: timer");
	}
	for (;;) {
		pause();
	}
}

static void pipes(void)
{
	static uint8_t bytes[PAGE];
	int ends[2];

	if (pipe(ends) != 0) {
		fail("stress: pipe");
	}
	while (write(ends[1], bytes, sizeof(bytes)) > 0 && read(ends[0], bytes, sizeof(bytes)) > 0) {
	}
}

static void maps(void)
{
	for (;;) {
		volatile uint8_t *const all = memory(MAP_BYTES);

		for (size_t at = 0; at < MAP_BYTES; at += PAGE) {
			all[at] = 1;
		}
		munmap((void *)all, MAP_BYTES);
	}
}

static const struct {
	const char *name;
	void (*work)(void);
} kinds[] = {{"cpu", cpu},	   {"vm", vm},	     {"cache", cache}, {"fork", forks},
	     {"switch", switches}, {"timer", timer}, {"pipe", pipes},  {"mmap", maps}};

static int is_wanted(const char *name, int argc, char *argv[])
{
	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], name) == 0) {
			return 1;
		}
	}
	return argc == 2;
}

static int is_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].name, name) == 0) {
			return 1;
		}
	}
	return 0;
}

int main(int argc, char *argv[])
{
	char *end = NULL;
	const unsigned long each = argc < 2 ? 0 : strtoul(argv[1], &end, 10);

	if (each < 1 || each > MOST || *end != '\0') {
		fprintf(stderr, "usage: stress EACH [KIND...]: 1 to %d processes of each kind\n", MOST);
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		if (!is_kind(argv[i])) {
			fprintf(stderr, "stress: '%s' is no kind; there are", argv[i]);
			for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
				fprintf(stderr, " %s", kinds[k].name);
			}
			fputc('\n', stderr);
			return 2;
		}
	}
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		for (unsigned long i = 0; is_wanted(kinds[k].name, argc, argv) && i < each; i++) {
			const pid_t child = fork();

			if (child == 0) {
				state += i * 2654435761u;
				kinds[k].work();
				_exit(0);
			}
			if (child < 0) {
				fail("stress: fork");
			}
		}
	}
	for (;;) {
		pause();
	}
}
