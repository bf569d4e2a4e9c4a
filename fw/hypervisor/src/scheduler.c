/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The credit scheduler: which of a hart's virtual harts runs.
 *
 * A tick takes credit from the one that runs. Every third tick the boot hart gives all virtual harts of the platform their
 * share, from one pool. One that has credit goes before one that has none; one that is woken and has credit goes before
 * both until the next tick. Among equals each runs for three ticks in turn. Where nobody can run the hart waits (cells.c).
 *
 * Source: Xen's credit scheduler (Cherkasova, Gupta, Vahdat: Comparison of the Three CPU Schedulers in Xen, 2007), with its
 * times: ticks of 10 ms, slices of 30 ms, 100 credits a tick. All weights are equal.
 */
#include "hypervisor.h"

#ifndef SCHEDULE_TICK
#error "SCHEDULE_TICK: the build says how many units of mtime are 10 ms"
#endif

enum {
	TICKS_OF_SLICE = 3,
	CREDITS_OF_TICK = 100,
	MOST_CREDIT = TICKS_OF_SLICE * CREDITS_OF_TICK,
	BOTH = 2, /* harts that have virtual ones */
};

/** Of each hart, by mhartid. */
static struct {
	uint64_t next_tick;
	uint64_t tickets;
	uint32_t ticks;
	bool requested;
} harts[SBI_HARTS];

/** Guards the credit of all virtual harts: a ticket and whose turn it is, so that a hart waits for one other at most. */
static struct {
	uint32_t next, serving;
} lock;

static void credit_lock(void)
{
	const uint32_t own = __atomic_fetch_add(&lock.next, 1, __ATOMIC_RELAXED);

	while (__atomic_load_n(&lock.serving, __ATOMIC_ACQUIRE) != own) {
	}
}

static void credit_unlock(void)
{
	__atomic_store_n(&lock.serving, lock.serving + 1, __ATOMIC_RELEASE);
}

void schedule_request(void)
{
	harts[sbi_hart()].requested = true;
}

/** Puts a virtual hart behind those of its priority. */
static void queue(struct vcpu *vcpu)
{
	vcpu->ticket = harts[sbi_hart()].tickets++;
	vcpu->ran = 0;
}

void schedule_wake(struct vcpu *vcpu)
{
	vcpu->state = VCPU_RUNNABLE;
	vcpu->priority = vcpu->priority == VCPU_OVER ? VCPU_OVER : VCPU_BOOST;
	queue(vcpu);
	if (vcpu_current()->state != VCPU_RUNNABLE || vcpu->priority > vcpu_current()->priority) {
		schedule_request();
	}
}

void schedule_wait(void)
{
	if ((csr_read(CSR_MIP) & csr_read(CSR_SIE)) == 0) {
		vcpu_current()->state = VCPU_BLOCKED;
		schedule_request();
	}
}

/** Gives out the credit of three ticks of both harts; only the boot hart does. */
static void account(void)
{
	struct vcpu *const all[BOTH] = {vcpus_of(SBI_BOOT_HART), vcpus_of(CELL_HART)};
	const unsigned int counts[BOTH] = {SBI_VCPUS, 1U};
	int32_t active = 0;

	for (unsigned int hart = 0; hart < BOTH; hart++) {
		for (unsigned int n = 0; n < counts[hart]; n++) {
			active += all[hart][n].state != VCPU_STOPPED;
		}
	}
	for (unsigned int hart = 0; hart < BOTH; hart++) {
		for (unsigned int n = 0; n < counts[hart]; n++) {
			struct vcpu *const vcpu = &all[hart][n];

			if (vcpu->state == VCPU_STOPPED) {
				continue;
			}
			vcpu->credit += BOTH * MOST_CREDIT / active;
			vcpu->credit = vcpu->credit > MOST_CREDIT ? MOST_CREDIT : vcpu->credit;
		}
	}
}

void schedule_begin(void)
{
	const uint64_t hart = sbi_hart();

	harts[hart].next_tick = csr_read(CSR_TIME) + SCHEDULE_TICK;
	harts[hart].ticks = 0;
	harts[hart].requested = false;
}

uint64_t schedule_tick_time(void)
{
	return harts[sbi_hart()].next_tick;
}

void schedule_tick(uint64_t now)
{
	const uint64_t hart = sbi_hart();
	struct vcpu *const current = vcpu_current();

	if (now < harts[hart].next_tick) {
		return;
	}
	harts[hart].next_tick = now + SCHEDULE_TICK;
	credit_lock();
	if (current->state == VCPU_RUNNABLE) {
		current->credit -= CREDITS_OF_TICK;
	}
	if (hart == SBI_BOOT_HART && ++harts[hart].ticks % TICKS_OF_SLICE == 0) {
		account();
	}
	for (unsigned int n = 0; n < vcpu_count(); n++) {
		vcpus()[n].priority = vcpus()[n].credit < 0 ? VCPU_OVER : VCPU_UNDER;
	}
	credit_unlock();
	if (++current->ran >= TICKS_OF_SLICE) {
		queue(current);
	}
	schedule_request();
}

struct vcpu *schedule_best(void)
{
	struct vcpu *found = NULL;

	for (unsigned int n = 0; n < vcpu_count(); n++) {
		struct vcpu *const vcpu = &vcpus()[n];

		if (vcpu->state != VCPU_RUNNABLE) {
			continue;
		}
		if (found == NULL || vcpu->priority > found->priority ||
		    (vcpu->priority == found->priority && vcpu->ticket < found->ticket)) {
			found = vcpu;
		}
	}
	return found;
}

bool schedule_requested(void)
{
	return harts[sbi_hart()].requested;
}

void schedule_switch(struct sbi_frame *frame, struct vcpu *next)
{
	harts[sbi_hart()].requested = false;
	vcpu_switch(frame, vcpu_current(), next);
}
