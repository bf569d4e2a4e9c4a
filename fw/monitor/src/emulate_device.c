/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Monitor, scheme `emulate`: loads and stores of the interrupt controller and of the timer. Enables and attributes of
 * sources are kept in the guest's state, because the monitor uses the hardware's registers itself, to mask sources and
 * to make them vectored. All other registers are the hardware's.
 */
#include <stdint.h>

#include <trapeze/clic.h>
#include <trapeze/map.h>

#include "emulate.h"

struct operation {
	uint32_t bytes;
	uint32_t reg;
	bool is_signed;
	uint32_t length; /* bytes of the instruction */
};

static uint16_t half(uint32_t at)
{
	return *(volatile uint16_t *)at;
}

/* Decodes the load or store at guest.pc. False: it is none of an integer register. */
static bool decode(bool store, struct operation *found)
{
	uint32_t instruction = half(guest.pc);

	if ((instruction & 3U) != 3U) { /* c.lw, c.sw, c.lwsp, c.swsp */
		uint32_t function = (instruction >> 13) | ((instruction & 3U) << 3);

		found->length = 2U;
		found->bytes = 4U;
		found->is_signed = false;
		found->reg = (function & 8U) != 0U ? 0U : 8U + ((instruction >> 2) & 7U);
		if ((function >> 3) == 2U) {
			found->reg = (instruction >> (store ? 2 : 7)) & 31U;
		}
		return (function & 7U) == (store ? 6U : 2U) && (function >> 3) != 1U;
	}
	instruction |= (uint32_t)half(guest.pc + 2U) << 16;
	found->length = 4U;
	found->bytes = 1U << ((instruction >> 12) & 3U);
	found->is_signed = (instruction & (4U << 12)) == 0U;
	found->reg = (instruction >> (store ? 20 : 7)) & 31U;
	return (instruction & 0x7fU) == (store ? 0x23U : 0x03U) && found->bytes <= 4U;
}

/* Source to which a register of the interrupt controller belongs; -1 for other addresses. */
static int source_at(uint32_t at)
{
	uint32_t source =
	    (at - TRAPEZE_CLIC_BASE - TRAPEZE_CLIC_IRQ_IP_OFFSET) / TRAPEZE_CLIC_IRQ_IP_STRIDE;

	return at - TRAPEZE_CLIC_BASE < TRAPEZE_CLIC_SIZE && source < IRQ_COUNT ? (int)source : -1;
}

static uint8_t load_byte(uint32_t at, int source)
{
	switch (at & 3U) {
	case TRAPEZE_CLIC_IRQ_IE_OFFSET & 3U:
		return guest.ie[source];
	case TRAPEZE_CLIC_IRQ_ATTR_OFFSET & 3U:
		return guest.attr[source];
	default:
		return *(volatile uint8_t *)at;
	}
}

static void store_byte(uint32_t at, int source, uint8_t value)
{
	switch (at & 3U) {
	case TRAPEZE_CLIC_IRQ_IE_OFFSET & 3U:
		guest.ie[source] = value & TRAPEZE_CLIC_IRQ_IE_IE_MASK;
		guest.masked[source] = 0U;
		*(volatile uint8_t *)at = guest.ie[source];
		break;
	case TRAPEZE_CLIC_IRQ_ATTR_OFFSET & 3U:
		guest.attr[source] = (uint8_t)((value & (TRAPEZE_CLIC_IRQ_ATTR_TRIG_MASK |
							 TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK)) |
					       TRAPEZE_CLIC_IRQ_ATTR_MODE_MASK);
		*(volatile uint8_t *)at =
		    guest.attr[source] & (uint8_t)~TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK;
		break;
	default:
		*(volatile uint8_t *)at = value;
		break;
	}
}

static uint32_t device_load(uint32_t at, uint32_t bytes)
{
	uint32_t value = 0U;

	if (source_at(at) < 0) {
		return bytes == 4U   ? *(volatile uint32_t *)at
		       : bytes == 2U ? *(volatile uint16_t *)at
				     : *(volatile uint8_t *)at;
	}
	for (uint32_t k = 0U; k < bytes; k++) {
		value |= (uint32_t)load_byte(at + k, source_at(at)) << (8U * k);
	}
	return value;
}

static void device_store(uint32_t at, uint32_t bytes, uint32_t value)
{
	if (source_at(at) >= 0) {
		for (uint32_t k = 0U; k < bytes; k++) {
			store_byte(at + k, source_at(at), (uint8_t)(value >> (8U * k)));
		}
		interrupts_reconsider();
		return;
	}
	if (at == TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_MCLICCFG_OFFSET) {
		value &=
		    ~(uint32_t)
			TRAPEZE_CLIC_MCLICCFG_NMBITS_MASK; /* all sources stay machine mode's */
	}
	if (bytes == 4U) {
		*(volatile uint32_t *)at = value;
	} else if (bytes == 2U) {
		*(volatile uint16_t *)at = (uint16_t)value;
	} else {
		*(volatile uint8_t *)at = (uint8_t)value;
	}
	interrupts_reconsider();
}

bool guest_device(uint32_t at, bool store)
{
	struct operation operation;

	if (at - TRAPEZE_CLIC_BASE >= TRAPEZE_CLIC_SIZE &&
	    at - TRAPEZE_CLINT_BASE >= TRAPEZE_CLINT_SIZE) {
		return false;
	}
	if (!decode(store, &operation) || (at & (operation.bytes - 1U)) != 0U) {
		return false;
	}
	if (store) {
		device_store(at, operation.bytes, guest.x[operation.reg]);
	} else if (operation.reg != 0U) {
		uint32_t value = device_load(at, operation.bytes);
		uint32_t unused = 32U - 8U * operation.bytes;

		guest.x[operation.reg] = operation.is_signed && unused != 0U
					     ? (uint32_t)((int32_t)(value << unused) >> unused)
					     : value;
	}
	guest.pc += operation.length;
	return true;
}
