/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Program of a Linux on two harts: one thread on each. They count together (AMO, LR and SC), wake each other by futex, execute
 * code that the other one has just written (fence.i there), and touch pages that the other one has just closed (sfence.vma
 * there).
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	COUNTS = 20000,
	ROUNDS = 200,
	PAGE = 4096,
	THREADS = 2,
};

typedef int function(void);

static pthread_barrier_t barrier;
static atomic_int sum;
static int exchanged;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int locked;
static uint32_t *code;
static volatile int *page;
static int refused, wrong;
static sigjmp_buf back;

static void on_refusal(int signal)
{
	(void)signal;
	siglongjmp(back, 1);
}

static void meet(void)
{
	(void)pthread_barrier_wait(&barrier);
}

/* li a0, value; ret */
static void write_code(int value)
{
	code[0] = 0x00000513U | (uint32_t)value << 20;
	code[1] = 0x00008067U;
	__builtin___clear_cache((char *)code, (char *)(code + 2));
}

static void *thread(void *arg)
{
	const int number = (int)(intptr_t)arg;
	cpu_set_t own;

	CPU_ZERO(&own);
	CPU_SET(number, &own);
	if (sched_setaffinity(0, sizeof(own), &own) != 0) {
		perror("affinity");
		exit(1);
	}
	meet();
	for (int i = 0; i < COUNTS; i++) {
		int seen;

		atomic_fetch_add(&sum, 1);
		do {
			seen = __atomic_load_n(&exchanged, __ATOMIC_RELAXED);
		} while (!__atomic_compare_exchange_n(&exchanged, &seen, seen + 1, 1,
						      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
		if (i % 16 == 0) {
			pthread_mutex_lock(&mutex);
			locked++;
			pthread_mutex_unlock(&mutex);
		}
	}
	for (int round = 0; round < ROUNDS; round++) {
		meet();
		if (number == 0) {
			write_code(round);
		}
		meet();
		if (((function *)(uintptr_t)code)() != round) {
			wrong++;
		}
		if (number == 1) {
			page[0] = round; /* its translation is known here */
		}
		meet();
		if (number == 0) {
			mprotect((void *)page, PAGE, PROT_NONE);
		}
		meet();
		if (number == 1) {
			if (sigsetjmp(back, 1) == 0) {
				page[0] = -1;
			} else {
				refused++;
			}
		}
		meet();
		if (number == 0) {
			mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE);
			wrong += page[0] != round;
		}
	}
	if (sched_getcpu() != number) {
		wrong++;
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED || page == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	signal(SIGSEGV, on_refusal);
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (intptr_t i = 0; i < THREADS; i++) {
		pthread_create(&threads[i], NULL, thread, (void *)i);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
	}
	printf("%ld harts: %d %d %d counted, %d refused, %d wrong\n", sysconf(_SC_NPROCESSORS_ONLN),
	       sum, exchanged, locked, refused, wrong);
	return 0;
}
