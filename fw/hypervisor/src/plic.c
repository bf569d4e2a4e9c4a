/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The PLIC as guests see it: each has its own sources and the contexts of supervisor mode of its own harts;
 * everything else reads as zero and ignores writes.
 *
 * Where interrupts are delegated a guest claims and completes at the hardware, whose page is open to it. Only priorities and
 * enables come here, since several guests' bits are in one word. Where they are injected (CELL_INJECTED) the source
 * interrupts machine mode. The hypervisor claims it, and the guest claims and completes here. The work for an interrupt does
 * not depend on the number of sources: what is ready is a set of bits for each priority, with a bit for each word of them
 * that is not zero.
 *
 * Source: RISC-V Platform-Level Interrupt Controller Specification 1.0.0.
 */
#include <trapeze/map.h>
#include <trapeze/plic.h>

#include "hypervisor.h"

enum {
	SOURCES = TRAPEZE_PLIC_PRIORITY_COUNT, /* with source 0, which is none */
	WORDS = (SOURCES + 31) / 32,
	PRIORITIES = TRAPEZE_PLIC_PRIORITY_VALUE_MASK + 1,
	CLAIM = TRAPEZE_PLIC_CONTEXT_CLAIM_OFFSET - TRAPEZE_PLIC_CONTEXT_THRESHOLD_OFFSET,
};

static volatile uint32_t *hardware(uint32_t offset)
{
	return (volatile uint32_t *)((uintptr_t)TRAPEZE_PLIC_BASE + offset);
}

/** Number of the context of machine mode of a hart; that of supervisor mode is one more. */
static uint32_t context_of(uint64_t hart)
{
	uint32_t context = 0;

	for (uint64_t below = 0; below < hart; below++) {
		context += ((SBI_SUPERVISOR_HARTS >> below) & 1) != 0 ? 2U : 0U;
	}
	return context;
}

uint32_t plic_page(uint64_t hart)
{
	return TRAPEZE_PLIC_CONTEXT_THRESHOLD_OFFSET +
	       (context_of(hart) + 1U) * TRAPEZE_PLIC_CONTEXT_THRESHOLD_STRIDE;
}

static uint32_t enable_word(uint32_t context, uint32_t word)
{
	return TRAPEZE_PLIC_ENABLE_LOW_OFFSET + context * TRAPEZE_PLIC_ENABLE_LOW_STRIDE + 4U * word;
}

static bool is_cell(void)
{
	return csr_read(CSR_MHARTID) == CELL_HART;
}

/** Whether a source is that of the guest of this hart. */
static bool is_own(uint32_t source)
{
	return source != 0 && source < SOURCES && cell_has_source(source) == is_cell();
}

static uint32_t own_of_word(uint32_t word)
{
	uint32_t own = 0;

	for (uint32_t bit = 0; bit < 32; bit++) {
		own |= is_own(32U * word + bit) ? UINT32_C(1) << bit : 0;
	}
	return own;
}

#if CELL_INJECTED

/** What the cell's context holds. */
static struct {
	uint64_t ready[PRIORITIES][(SOURCES + 63) / 64]; /**< pending and enabled, by priority */
	uint64_t words[PRIORITIES];                      /**< which of these words are not 0 */
	uint32_t priorities;                             /**< which of those are not 0 */
	uint32_t threshold;
	uint32_t enabled[WORDS];
	uint32_t pending[WORDS];
	uint32_t claimed[WORDS]; /**< by the cell, which has not completed them */
} own;

_Static_assert((SOURCES + 63) / 64 <= 64, "a bit for each word");

static bool has(const uint32_t *set, uint32_t source)
{
	return ((set[source / 32] >> source % 32) & 1U) != 0;
}

static void put(uint32_t *set, uint32_t source, bool in)
{
	set[source / 32] = (set[source / 32] & ~(UINT32_C(1) << source % 32)) |
			   (uint32_t)in << source % 32;
}

static uint32_t priority_of(uint32_t source)
{
	return *hardware(TRAPEZE_PLIC_PRIORITY_OFFSET + source * TRAPEZE_PLIC_PRIORITY_STRIDE);
}

/** Puts a source among those that are ready, or takes it away. */
static void ready(uint32_t source, uint32_t priority, bool is)
{
	uint64_t *const word = &own.ready[priority][source / 64];
	const uint64_t bit = 1ULL << source % 64, of_word = 1ULL << source / 64;

	*word = is ? *word | bit : *word & ~bit;
	own.words[priority] = *word != 0 ? own.words[priority] | of_word : own.words[priority] & ~of_word;
	own.priorities = own.words[priority] != 0 ? own.priorities | UINT32_C(1) << priority
						  : own.priorities & ~(UINT32_C(1) << priority);
}

/** Looks at a source again, whose pending bit or enable has changed. */
static void reconsider(uint32_t source)
{
	ready(source, priority_of(source), has(own.pending, source) && has(own.enabled, source));
}

/** The most urgent source that is ready, of the least number among equals; 0: none. */
static uint32_t best(uint32_t *priority)
{
	const uint32_t above = own.priorities & ~UINT32_C(1); /* priority 0 never interrupts */

	if (above == 0) {
		*priority = 0;
		return 0;
	}
	*priority = 31U - (uint32_t)__builtin_clz(above);
	const uint32_t word = (uint32_t)__builtin_ctzll(own.words[*priority]);

	return 64U * word + (uint32_t)__builtin_ctzll(own.ready[*priority][word]);
}

/** Makes supervisor mode's external interrupt what the cell's context says. */
static void show(void)
{
	uint32_t priority;

	(void)best(&priority);
	if (priority > own.threshold) {
		csr_set(CSR_MIP, MIP_SEIP);
	} else {
		csr_clear(CSR_MIP, MIP_SEIP);
	}
}

static uint32_t *claim_register(void)
{
	return (uint32_t *)(uintptr_t)hardware(plic_page(CELL_HART) -
					       TRAPEZE_PLIC_CONTEXT_THRESHOLD_STRIDE + CLAIM);
}

void plic_interrupt(void)
{
	const uint32_t source = *(volatile uint32_t *)claim_register();

	if (source != 0) {
		put(own.pending, source, true);
		reconsider(source);
		show();
	}
}

static uint32_t claim(void)
{
	uint32_t priority;
	const uint32_t source = best(&priority);

	if (source != 0) {
		put(own.pending, source, false);
		put(own.claimed, source, true);
		ready(source, priority, false);
		show();
	}
	return source;
}

static void complete(uint32_t source)
{
	/* As the PLIC does: it ignores what the context has not enabled. What the cell did not claim stays claimed. */
	if (source < SOURCES && has(own.claimed, source) && has(own.enabled, source)) {
		put(own.claimed, source, false);
		*(volatile uint32_t *)claim_register() = source;
	}
}

#else

void plic_interrupt(void)
{
}

#endif

void plic_begin(void)
{
	for (uint32_t source = 1; source < SOURCES; source++) {
		*hardware(TRAPEZE_PLIC_PRIORITY_OFFSET + source * TRAPEZE_PLIC_PRIORITY_STRIDE) = 0;
	}
}

void plic_open(void)
{
	const uint32_t context = context_of(csr_read(CSR_MHARTID));

	for (uint32_t word = 0; word < WORDS; word++) {
		*hardware(enable_word(context, word)) = 0;
		*hardware(enable_word(context + 1U, word)) = 0;
	}
	if (!is_cell()) {
		return;
	}
	/* What an earlier program of the cell has claimed is completed. The PLIC takes it of an enabled source alone. */
	for (uint32_t source = 1; source < SOURCES; source++) {
		if (is_own(source)) {
			*hardware(enable_word(context + 1U, source / 32)) = UINT32_C(1) << source % 32;
			*hardware(plic_page(CELL_HART) + CLAIM) = source;
			*hardware(enable_word(context + 1U, source / 32)) = 0;
			*hardware(TRAPEZE_PLIC_PRIORITY_OFFSET +
				  source * TRAPEZE_PLIC_PRIORITY_STRIDE) = 0;
		}
	}
	*hardware(plic_page(CELL_HART)) = 0; /* threshold */
#if CELL_INJECTED
	memory_clear(&own, sizeof(own));
	*hardware(plic_page(CELL_HART) - TRAPEZE_PLIC_CONTEXT_THRESHOLD_STRIDE) = 0;
	csr_clear(CSR_MIP, MIP_SEIP);
	csr_set(CSR_MIE, MIE_MEIE);
#endif
}

/** An access of a guest. */
struct access {
	bool store;
	uint32_t value; /**< to be stored, or what was loaded */
};

static void access_priority(uint32_t source, struct access *access)
{
	volatile uint32_t *const at =
	    hardware(TRAPEZE_PLIC_PRIORITY_OFFSET + source * TRAPEZE_PLIC_PRIORITY_STRIDE);

	if (!is_own(source)) {
		return;
	}
	if (!access->store) {
		access->value = *at;
		return;
	}
#if CELL_INJECTED
	if (is_cell()) {
		ready(source, priority_of(source), false);
		*at = access->value;
		reconsider(source);
		show();
		return;
	}
#endif
	*at = access->value;
}

static void access_enable(uint32_t word, struct access *access)
{
	const uint32_t context = context_of(csr_read(CSR_MHARTID)) + 1U;

	if (!access->store) {
#if CELL_INJECTED
		access->value = is_cell() ? own.enabled[word] : *hardware(enable_word(context, word));
#else
		access->value = *hardware(enable_word(context, word));
#endif
		return;
	}
	const uint32_t value = access->value & own_of_word(word);

#if CELL_INJECTED
	if (is_cell()) {
		uint32_t changed = own.enabled[word] ^ value;

		own.enabled[word] = value;
		*hardware(enable_word(context - 1U, word)) = value;
		for (; changed != 0; changed &= changed - 1U) {
			reconsider(32U * word + (uint32_t)__builtin_ctz(changed));
		}
		show();
		return;
	}
#endif
	*hardware(enable_word(context, word)) = value;
}

static void access_pending(uint32_t word, struct access *access)
{
	access->value = *hardware(TRAPEZE_PLIC_PENDING_OFFSET + 4U * word) & own_of_word(word);
#if CELL_INJECTED
	if (is_cell()) {
		access->value |= own.pending[word];
	}
#endif
}

/** Of the page of the guest's context, which comes here only where interrupts are injected. */
static void access_context(uint32_t offset, struct access *access)
{
#if CELL_INJECTED
	if (!is_cell()) {
		return;
	}
	if (offset == CLAIM) {
		if (access->store) {
			complete(access->value);
		} else {
			access->value = claim();
		}
	} else if (offset == 0 && access->store) {
		own.threshold = access->value & TRAPEZE_PLIC_CONTEXT_THRESHOLD_VALUE_MASK;
		show();
	} else if (offset == 0) {
		access->value = own.threshold;
	}
#else
	(void)offset;
	(void)access;
#endif
}

/** The one place that knows the layout; what is not there reads as zero. */
static void access_at(uint32_t offset, struct access *access)
{
	const uint32_t enables = enable_word(context_of(csr_read(CSR_MHARTID)) + 1U, 0);
	const uint32_t page = plic_page(csr_read(CSR_MHARTID));

	if (offset < TRAPEZE_PLIC_PRIORITY_OFFSET + SOURCES * TRAPEZE_PLIC_PRIORITY_STRIDE) {
		access_priority((offset - TRAPEZE_PLIC_PRIORITY_OFFSET) / TRAPEZE_PLIC_PRIORITY_STRIDE,
				access);
	} else if (offset - TRAPEZE_PLIC_PENDING_OFFSET < 4U * WORDS) {
		access_pending((offset - TRAPEZE_PLIC_PENDING_OFFSET) / 4U, access);
	} else if (offset - enables < 4U * WORDS) {
		access_enable((offset - enables) / 4U, access);
	} else if (offset - page < TRAPEZE_PLIC_CONTEXT_THRESHOLD_STRIDE) {
		access_context(offset - page, access);
	}
}

uint32_t plic_load(uint32_t offset)
{
	struct access access = {.store = false};

	access_at(offset, &access);
	return access.value;
}

void plic_store(uint32_t offset, uint32_t value)
{
	struct access access = {.store = true, .value = value};

	access_at(offset, &access);
}
