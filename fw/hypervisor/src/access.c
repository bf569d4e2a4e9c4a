/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Loads and stores that memory protection refused: those to the PLIC are emulated, of all others the guest takes
 * the exception, as if there were no hypervisor.
 *
 * Source: Privileged ISA 20211203, sections 3.1.6 (traps), 4.3 and 4.4 (Sv39).
 */
#include <trapeze/map.h>

#include "hypervisor.h"

/** A load or store of a word; others of the PLIC are not emulated. */
struct operation {
	unsigned int reg; /**< number of the integer register */
	bool is_unsigned; /**< a load without sign */
	uint64_t length;  /**< bytes of the instruction */
};

/** Where each integer register is in the frame, by words of 64 bits; 0: x0 and sp are not there. */
static const uint8_t place[32] = {
    [1] = SBI_FRAME_RA / 8, [3] = SBI_FRAME_GP / 8,      [4] = SBI_FRAME_TP / 8,
    [5] = SBI_FRAME_T0 / 8, SBI_FRAME_T0 / 8 + 1,        SBI_FRAME_T0 / 8 + 2,
    [8] = SBI_FRAME_S0 / 8, SBI_FRAME_S0 / 8 + 1,        [10] = SBI_FRAME_A0 / 8,
    SBI_FRAME_A0 / 8 + 1,   SBI_FRAME_A0 / 8 + 2,        SBI_FRAME_A0 / 8 + 3,
    SBI_FRAME_A0 / 8 + 4,   SBI_FRAME_A0 / 8 + 5,        SBI_FRAME_A0 / 8 + 6,
    SBI_FRAME_A0 / 8 + 7,   [18] = SBI_FRAME_S0 / 8 + 2, SBI_FRAME_S0 / 8 + 3,
    SBI_FRAME_S0 / 8 + 4,   SBI_FRAME_S0 / 8 + 5,        SBI_FRAME_S0 / 8 + 6,
    SBI_FRAME_S0 / 8 + 7,   SBI_FRAME_S0 / 8 + 8,        SBI_FRAME_S0 / 8 + 9,
    SBI_FRAME_S0 / 8 + 10,  SBI_FRAME_S0 / 8 + 11,       [28] = SBI_FRAME_T3 / 8,
    SBI_FRAME_T3 / 8 + 1,   SBI_FRAME_T3 / 8 + 2,        SBI_FRAME_T3 / 8 + 3,
};

enum {
	SP = 2,
	WFI = 0x10500073,
};

static uint64_t get(const struct sbi_frame *frame, unsigned int reg)
{
	if (reg == SP) {
		return csr_read(CSR_MSCRATCH);
	}
	return reg == 0 ? 0 : ((const uint64_t *)frame)[place[reg]];
}

static void set(struct sbi_frame *frame, unsigned int reg, uint64_t value)
{
	if (reg == SP) {
		csr_write(CSR_MSCRATCH, value);
	} else if (reg != 0) {
		((uint64_t *)frame)[place[reg]] = value;
	}
}

/** Decodes lw, lwu, sw, c.lw and c.sw at an address of the guest. */
static bool decode(uint64_t pc, bool store, struct operation *found)
{
	const long fetched = guest_fetch(pc);
	const uint32_t word = (uint32_t)fetched;

	if (fetched < 0) {
		return false;
	}
	if ((word & 3U) != 3U) {
		found->length = 2;
		found->is_unsigned = false;
		found->reg = 8U + ((word >> 2) & 7U);
		return (word & 3U) == 0 && word >> 13 == (store ? 6U : 2U);
	}
	const uint32_t function = (word >> 12) & 7U;

	found->length = 4;
	found->is_unsigned = function == 6U;
	found->reg = (word >> (store ? 20 : 7)) & 31U;
	return store ? (word & 0x7fU) == 0x23U && function == 2U
		     : (word & 0x7fU) == 0x03U && (function == 2U || function == 6U);
}

enum {
	PAGE_BITS = 12,
	INDEX_BITS = 9,
	LEVELS = 3,
	ENTRY_V = 1,
	ENTRY_LEAF = 0xe, /* R, W, X */
	ENTRY_PPN_SHIFT = 10,
};

uint64_t guest_physical(const struct sbi_guest *guest, uint64_t address)
{
	const uint64_t satp = csr_read(CSR_SATP);
	uint64_t table = (satp & SATP_PPN) << PAGE_BITS;

	if ((satp & SATP_MODE) == SATP_MODE_BARE) {
		return address;
	}
	for (int level = LEVELS - 1; level >= 0; level--) {
		const int shift = PAGE_BITS + INDEX_BITS * level;
		const uint64_t at = table + ((address >> shift) & ((1U << INDEX_BITS) - 1)) * 8;

		/* The hypervisor reads nothing for a guest that the guest could not read: a device might notice. */
		if (at - guest->memory > guest->bytes - 8) {
			return UINT64_MAX;
		}
		const uint64_t entry = *(const volatile uint64_t *)at;

		if ((entry & ENTRY_V) == 0) {
			return UINT64_MAX;
		}
		table = ((entry >> ENTRY_PPN_SHIFT) & SATP_PPN) << PAGE_BITS;
		if ((entry & ENTRY_LEAF) != 0) {
			const uint64_t within = (1ULL << shift) - 1;

			return (table & ~within) | (address & within);
		}
	}
	return UINT64_MAX;
}

void guest_except(uint64_t cause, uint64_t value)
{
	const uint64_t status = csr_read(CSR_MSTATUS);
	const uint64_t from_supervisor = (status & MSTATUS_MPP) == MSTATUS_MPP_S;

	csr_write(CSR_SCAUSE, cause);
	csr_write(CSR_STVAL, value);
	csr_write(CSR_SEPC, csr_read(CSR_MEPC));
	csr_write(CSR_MEPC, csr_read(CSR_STVEC) & ~3ULL);
	csr_clear(CSR_MSTATUS, MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP | MSTATUS_MPP);
	csr_set(CSR_MSTATUS, MSTATUS_MPP_S | ((status & MSTATUS_SIE) != 0 ? MSTATUS_SPIE : 0) |
				 (from_supervisor != 0 ? MSTATUS_SPP : 0));
}

bool guest_access(struct sbi_frame *frame, uint64_t cause)
{
	const bool store = cause == MCAUSE_STORE_FAULT;
	const uint64_t pc = csr_read(CSR_MEPC), address = csr_read(CSR_MTVAL);
	const struct sbi_guest *const guest = sbi_guest_of(sbi_hart());
	const uint64_t offset = guest_physical(guest, address) - TRAPEZE_PLIC_BASE;
	struct operation operation;

	/* A program in user mode of a guest has nothing to do with it. */
	if ((csr_read(CSR_MSTATUS) & MSTATUS_MPP) != MSTATUS_MPP_S || offset >= TRAPEZE_PLIC_SIZE ||
	    offset % 4 != 0 || !decode(pc, store, &operation)) {
		guest_except(cause, address);
		return false;
	}
	if (store) {
		plic_store((uint32_t)offset, (uint32_t)get(frame, operation.reg));
	} else {
		const uint32_t value = plic_load((uint32_t)offset);

		set(frame, operation.reg,
		    operation.is_unsigned ? value : (uint64_t)(int64_t)(int32_t)value);
	}
	csr_write(CSR_MEPC, pc + operation.length);
	return true;
}

#ifdef SBI_VCPUS
bool guest_waits(void)
{
	const uint64_t pc = csr_read(CSR_MEPC);

	return (csr_read(CSR_MSTATUS) & MSTATUS_MPP) == MSTATUS_MPP_S && guest_fetch(pc) == WFI;
}
#endif
