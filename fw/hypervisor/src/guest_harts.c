/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What reaches virtual harts, interrupts and timers, and what a guest asks of its harts by the SBI.
 *
 * All virtual harts of a guest share one hart, so none of this needs another hart.
 *
 * Sources: Privileged ISA 20211203, chapters 3 and 4; RISC-V SBI 1.0, chapters 6 to 9.
 */
#include <trapeze/map.h>

#include "hypervisor.h"

void vcpu_raise(struct vcpu *vcpu, uint64_t bits)
{
	uint64_t enabled = vcpu->sie;

	if (vcpu == vcpu_current()) {
		csr_set(CSR_MIP, bits);
		enabled = csr_read(CSR_SIE);
	} else {
		vcpu->pending |= bits;
	}
	if (vcpu->state == VCPU_BLOCKED && (bits & enabled) != 0) {
		schedule_wake(vcpu);
	}
}

void vcpu_lower(struct vcpu *vcpu, uint64_t bits)
{
	if (vcpu == vcpu_current()) {
		csr_clear(CSR_MIP, bits);
	} else {
		vcpu->pending &= ~bits;
	}
}

void timers_arm(void)
{
	uint64_t next = schedule_tick_time();

	for (unsigned int n = 0; n < vcpu_count(); n++) {
		next = vcpus()[n].timer < next ? vcpus()[n].timer : next;
	}
	sbi_compare_set(next);
}

void timers_look(void)
{
	const uint64_t now = csr_read(CSR_TIME);

	for (unsigned int n = 0; n < vcpu_count(); n++) {
		struct vcpu *const vcpu = &vcpus()[n];

		if (now >= vcpu->timer) {
			vcpu->timer = UINT64_MAX;
			vcpu_raise(vcpu, MIP_STIP);
		}
	}
	schedule_tick(now);
	timers_arm();
}

void sbi_timer_set(uint64_t when)
{
	struct vcpu *const vcpu = vcpu_current();

	if (vcpu == NULL) { /* the hart has not begun */
		sbi_compare_set(UINT64_MAX);
		return;
	}
	vcpu->timer = when;
	vcpu_lower(vcpu, MIP_STIP);
	timers_arm();
	csr_set(CSR_MIE, MIE_MTIE);
}

void sbi_timer_expired(void)
{
	timers_look();
}

int sbi_guest_start(uint64_t hart, uint64_t entry, uint64_t argument)
{
	const struct sbi_guest *const guest = sbi_guest_of(sbi_hart());
	struct vcpu *const vcpu = &vcpus()[hart];

	if (entry - guest->memory >= guest->bytes) {
		return SBI_ERR_INVALID_ADDRESS;
	}
	if (vcpu->state != VCPU_STOPPED) {
		return SBI_ERR_ALREADY_AVAILABLE;
	}
	memory_clear(&vcpu->frame, sizeof(vcpu->frame));
	memory_clear(vcpu->f, sizeof(vcpu->f));
	vcpu->frame.a[0] = hart;
	vcpu->frame.a[1] = argument;
	vcpu->sp = 0;
	vcpu->pc = entry;
	vcpu->mstatus = MSTATUS_MPP_S | MSTATUS_TW;
	vcpu->sie = vcpu->satp = vcpu->pending = 0;
	vcpu->scounteren = csr_read(CSR_MCOUNTEREN); /* as sbi_supervise() has it */
	vcpu->senvcfg = 0;
	vcpu->timer = UINT64_MAX;
	schedule_wake(vcpu);
	return SBI_SUCCESS;
}

void sbi_guest_stop(void)
{
	vcpu_current()->state = VCPU_STOPPED;
	vcpu_current()->timer = UINT64_MAX;
	schedule_request();
}

enum sbi_hart_state sbi_guest_state(uint64_t hart)
{
	return vcpus()[hart].state == VCPU_STOPPED ? SBI_HART_STOPPED : SBI_HART_STARTED;
}

void sbi_guest_interrupt(uint64_t hart)
{
	vcpu_raise(&vcpus()[hart], MIP_SSIP);
}

void sbi_guest_fence(uint64_t hart, int instructions)
{
	(void)
	    hart; /* all of the guest's have the same caches and translations: those of this hart */
	if (instructions) {
		__asm__ volatile("fence.i" : : : "memory");
	} else {
		__asm__ volatile("sfence.vma" : : : "memory");
	}
}
