/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Virtual harts: their registers, and which of them has those of the hart.
 *
 * Source: Privileged ISA 20211203, chapters 3 and 4.
 */
#include <trapeze/map.h>

#include "hypervisor.h"

#define SUPERVISOR_INTERRUPTS (MIP_SSIP | MIP_STIP | MIP_SEIP)

/** Of each hart that runs supervisor mode, by mhartid. */
static struct {
	struct vcpu vcpus[SBI_VCPUS];
	struct vcpu *current;
} harts[SBI_HARTS];

unsigned int vcpu_count(void)
{
	return sbi_hart() == CELL_HART ? 1U : SBI_VCPUS;
}

struct vcpu *vcpus(void)
{
	return harts[sbi_hart()].vcpus;
}

struct vcpu *vcpus_of(uint64_t hart)
{
	return harts[hart].vcpus;
}

struct vcpu *vcpu_current(void)
{
	return harts[sbi_hart()].current;
}

void vcpu_begin(void)
{
	struct vcpu *const all = vcpus();

	for (unsigned int n = 0; n < vcpu_count(); n++) {
		memory_clear(&all[n], sizeof(all[n]));
		all[n].timer = UINT64_MAX;
		all[n].priority = VCPU_UNDER;
	}
	all[0].state = VCPU_RUNNABLE;
	harts[sbi_hart()].current = all;
}

void vcpu_switch(struct sbi_frame *frame, struct vcpu *from, struct vcpu *to)
{
	if (from == to) {
		return;
	}
	from->frame = *frame;
	from->sp = csr_read(CSR_MSCRATCH);
	from->pc = csr_read(CSR_MEPC);
	from->mstatus = csr_read(CSR_MSTATUS);
	from->sie = csr_read(CSR_SIE);
	from->stvec = csr_read(CSR_STVEC);
	from->sscratch = csr_read(CSR_SSCRATCH);
	from->sepc = csr_read(CSR_SEPC);
	from->scause = csr_read(CSR_SCAUSE);
	from->stval = csr_read(CSR_STVAL);
	from->satp = csr_read(CSR_SATP);
	from->scounteren = csr_read(CSR_SCOUNTEREN);
	from->senvcfg = csr_read(CSR_SENVCFG);
	from->pending = csr_read(CSR_MIP) & SUPERVISOR_INTERRUPTS;
	csr_set(CSR_MSTATUS, MSTATUS_FS); /* for the two below; mstatus is written at the end */
	if ((from->mstatus & MSTATUS_FS) != 0) {
		float_save(from->f);
	}
	float_restore(to->f);

	*frame = to->frame;
	csr_write(CSR_MSCRATCH, to->sp);
	csr_write(CSR_MEPC, to->pc);
	csr_write(CSR_SIE, to->sie);
	csr_write(CSR_STVEC, to->stvec);
	csr_write(CSR_SSCRATCH, to->sscratch);
	csr_write(CSR_SEPC, to->sepc);
	csr_write(CSR_SCAUSE, to->scause);
	csr_write(CSR_STVAL, to->stval);
	csr_write(CSR_SATP, to->satp);
	csr_write(CSR_SCOUNTEREN, to->scounteren);
	csr_write(CSR_SENVCFG, to->senvcfg);
	csr_clear(CSR_MIP, SUPERVISOR_INTERRUPTS);
	csr_set(CSR_MIP, to->pending);
	csr_write(CSR_MSTATUS, to->mstatus);
	/* The hart's translations are those of whoever ran last, whose address spaces have the same numbers. */
	__asm__ volatile("sfence.vma\n\tfence.i" : : : "memory");
	harts[sbi_hart()].current = to;
}
