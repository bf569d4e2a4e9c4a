/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The PLIC as guests see it: each has its own sources and the contexts of supervisor mode of its own harts;
 * everything else reads as zero and ignores writes.
 *
 * Where interrupts are delegated a guest claims and completes at the hardware, whose page is open to it. Only priorities and
 * enables come here, since several guests' bits are in one word. Where they are injected (of the cell with CELL_INJECTED, of
 * both where harts are shared) the source interrupts machine mode. The hypervisor claims it, and the guest claims and completes here. The work for an interrupt does
 * not depend on the number of sources: what is ready is a set of bits for each priority, with a bit for each word of them
 * that is not zero.
 *
 * Source: RISC-V Platform-Level Interrupt Controller Specification 1.0.0.
 */
#include <trapeze/map.h>
#include <trapeze/plic.h>

#include "hypervisor.h"

/** Whether interrupts of any guest are injected. */
#ifdef SBI_VCPUS
#define INJECTED 1
#else
#define INJECTED CELL_INJECTED
#endif

enum {
	SOURCES = TRAPEZE_PLIC_PRIORITY_COUNT, /* with source 0, which is none */
	WORDS = (SOURCES + 31) / 32,
	PRIORITIES = TRAPEZE_PLIC_PRIORITY_VALUE_MASK + 1,
#ifdef SBI_VCPUS
	CONTEXTS = SBI_VCPUS,
#else
	CONTEXTS = 1,
#endif
	BOOT_CONTEXT =
	    2 * __builtin_popcountll(SBI_SUPERVISOR_HARTS & ((1ULL << SBI_BOOT_HART) - 1)),
	CELL_CONTEXT = 2 * __builtin_popcountll(SBI_SUPERVISOR_HARTS & ((1ULL << CELL_HART) - 1)),
	CLAIM = TRAPEZE_PLIC_CONTEXT_CLAIM_OFFSET - TRAPEZE_PLIC_CONTEXT_THRESHOLD_OFFSET,
};

static volatile uint32_t *hardware(uint32_t offset)
{
	return (volatile uint32_t *)((uintptr_t)TRAPEZE_PLIC_BASE + offset);
}

/** Number of the context of machine mode of a hart; that of supervisor mode is one more. Each hart before it has two. */
static uint32_t context_of(uint64_t hart)
{
	return hart == SBI_BOOT_HART ? BOOT_CONTEXT : CELL_CONTEXT;
}

uint32_t plic_page(uint64_t hart)
{
	return TRAPEZE_PLIC_CONTEXT_THRESHOLD_OFFSET +
	       (context_of(hart) + 1U) * TRAPEZE_PLIC_CONTEXT_THRESHOLD_STRIDE;
}

static uint32_t enable_word(uint32_t context, uint32_t word)
{
	return TRAPEZE_PLIC_ENABLE_LOW_OFFSET + context * TRAPEZE_PLIC_ENABLE_LOW_STRIDE +
	       4U * word;
}

static bool is_cell(void)
{
	return sbi_hart() == CELL_HART;
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

#if INJECTED

/** A guest's PLIC. Its contexts are those of supervisor mode alone. */
struct virtual_plic {
	unsigned int count; /**< of its contexts */
	uint8_t priority[SOURCES];
	uint32_t pending[WORDS]; /**< claimed from the hardware, and not by the guest */
	uint32_t claimed[WORDS]; /**< by the guest, which has not completed them */
	struct context {
		uint64_t ready[PRIORITIES]
			      [(SOURCES + 63) / 64]; /**< pending and enabled, by priority */
		uint64_t words[PRIORITIES];          /**< which of these words are not 0 */
		uint32_t priorities;                 /**< which of those are not 0 */
		uint32_t threshold;
		uint32_t enabled[WORDS];
	} contexts[CONTEXTS];
};

_Static_assert((SOURCES + 63) / 64 <= 64, "a bit for each word");

static struct virtual_plic plics[2]; /* of Linux and of the cell */

static struct virtual_plic *own(void)
{
	return &plics[is_cell()];
}

static bool has(const uint32_t *set, uint32_t source)
{
	return ((set[source / 32] >> source % 32) & 1U) != 0;
}

static void put(uint32_t *set, uint32_t source, bool in)
{
	set[source / 32] = (set[source / 32] & ~(UINT32_C(1) << source % 32)) | (uint32_t)in
										    << source % 32;
}

/** Puts a source among those that are ready for a context, or takes it away. */
static void ready(struct context *context, uint32_t source, uint32_t priority, bool is)
{
	uint64_t *const word = &context->ready[priority][source / 64];
	uint64_t *const words = &context->words[priority];
	const uint64_t bit = 1ULL << source % 64, of_word = 1ULL << source / 64;
	const uint32_t of_priority = UINT32_C(1) << priority;

	*word = is ? *word | bit : *word & ~bit;
	*words = *word != 0 ? *words | of_word : *words & ~of_word;
	context->priorities =
	    *words != 0 ? context->priorities | of_priority : context->priorities & ~of_priority;
}

/** Number of the lowest bit that is 1; of none 64. The compiler's own is a table without Zbb, with which the library has no
 * match.
 */
static uint32_t lowest(uint64_t bits)
{
	uint64_t number;

	__asm__(".option push\n\t.option arch, +zbb\n\tctz %0, %1\n\t.option pop"
		: "=r"(number)
		: "r"(bits));
	return (uint32_t)number;
}

/** Number of the highest bit that is 1, likewise; there is one. */
static uint32_t highest(uint64_t bits)
{
	uint64_t zeros;

	__asm__(".option push\n\t.option arch, +zbb\n\tclz %0, %1\n\t.option pop"
		: "=r"(zeros)
		: "r"(bits));
	return 63U - (uint32_t)zeros;
}

/** The most urgent source that is ready, of the least number among equals; 0: none. */
static uint32_t best(const struct context *context, uint32_t *priority)
{
	const uint32_t above = context->priorities & ~UINT32_C(1); /* priority 0 never interrupts */

	if (above == 0) {
		*priority = 0;
		return 0;
	}
	*priority = highest(above);
	const uint32_t word = lowest(context->words[*priority]);

	return 64U * word + lowest(context->ready[*priority][word]);
}

/** Makes supervisor mode's external interrupt what a context says. */
static void show(const struct virtual_plic *own, unsigned int number)
{
	const struct context *const context = &own->contexts[number];
	uint32_t priority;

	(void)best(context, &priority);
#ifdef SBI_VCPUS
	if (priority > context->threshold) {
		vcpu_raise(&vcpus()[number], MIP_SEIP);
	} else {
		vcpu_lower(&vcpus()[number], MIP_SEIP);
	}
#else
	if (priority > context->threshold) {
		csr_set(CSR_MIP, MIP_SEIP);
	} else {
		csr_clear(CSR_MIP, MIP_SEIP);
	}
#endif
}

/** Looks at a source again, whose pending bit or enable has changed. */
static void reconsider(struct virtual_plic *own, uint32_t source)
{
	const bool pending = has(own->pending, source);

	for (unsigned int n = 0; n < own->count; n++) {
		struct context *const context = &own->contexts[n];

		ready(context, source, own->priority[source],
		      pending && has(context->enabled, source));
		show(own, n);
	}
}

static volatile uint32_t *claim_register(void)
{
	return hardware(plic_page(sbi_hart()) - TRAPEZE_PLIC_CONTEXT_THRESHOLD_STRIDE + CLAIM);
}

void plic_interrupt(void)
{
	struct virtual_plic *const guest = own();
	const uint32_t source = *claim_register();

	if (source != 0) {
		put(guest->pending, source, true);
		reconsider(guest, source);
	}
}

static uint32_t claim(struct virtual_plic *own, const struct context *context)
{
	uint32_t priority;
	const uint32_t source = best(context, &priority);

	if (source != 0) {
		put(own->pending, source, false);
		put(own->claimed, source, true);
		reconsider(own, source);
	}
	return source;
}

static void complete(struct virtual_plic *own, const struct context *context, uint32_t source)
{
	/* As the PLIC does: it ignores what the context has not enabled. What the guest did not claim stays claimed. */
	if (source < SOURCES && has(own->claimed, source) && has(context->enabled, source)) {
		put(own->claimed, source, false);
		*claim_register() = source;
	}
}

/** Enables for machine mode what any context of the guest has enabled. */
static void enable_word_of_all(const struct virtual_plic *own, uint32_t word)
{
	uint32_t enabled = 0;

	for (unsigned int n = 0; n < own->count; n++) {
		enabled |= own->contexts[n].enabled[word];
	}
	*hardware(enable_word(context_of(sbi_hart()), word)) = enabled;
}

/** Whether interrupts of the guest of this hart are injected. */
static bool is_injected(void)
{
#ifdef SBI_VCPUS
	return true;
#else
	return CELL_INJECTED && is_cell();
#endif
}

#else

void plic_interrupt(void)
{
}

#endif

/** How many contexts the guest of this hart has, those of supervisor mode. */
static unsigned int guest_contexts(void)
{
#ifdef SBI_VCPUS
	return vcpu_count();
#else
	return 1U; /* a guest of several harts has one on each */
#endif
}

/** Number of such a context: the one that the guest knows. */
static uint32_t guest_context(unsigned int number)
{
	/* The cell has the number that the hardware has, where it may be delegated, too. */
	return (CONTEXTS == 1 || is_cell() ? context_of(sbi_hart()) : 2U * number) + 1U;
}

void plic_begin(void)
{
	for (uint32_t source = 1; source < SOURCES; source++) {
		*hardware(TRAPEZE_PLIC_PRIORITY_OFFSET + source * TRAPEZE_PLIC_PRIORITY_STRIDE) = 0;
	}
}

void plic_open(void)
{
	const uint32_t context = context_of(sbi_hart());

	for (uint32_t word = 0; word < WORDS; word++) {
		*hardware(enable_word(context, word)) = 0;
		*hardware(enable_word(context + 1U, word)) = 0;
	}
	/* What an earlier program of the cell has claimed is completed. The PLIC takes it of an enabled source alone. */
	for (uint32_t source = 1; source < SOURCES; source++) {
		if (is_cell() && is_own(source)) {
			*hardware(enable_word(context + 1U, source / 32)) = UINT32_C(1)
									    << source % 32;
			*hardware(plic_page(CELL_HART) + CLAIM) = source;
			*hardware(enable_word(context + 1U, source / 32)) = 0;
			*hardware(TRAPEZE_PLIC_PRIORITY_OFFSET +
				  source * TRAPEZE_PLIC_PRIORITY_STRIDE) = 0;
		}
	}
	*hardware(plic_page(sbi_hart())) = 0; /* threshold */
#if INJECTED
	if (is_injected()) {
		memory_clear(own(), sizeof(*own()));
		own()->count = guest_contexts();
		*hardware(plic_page(sbi_hart()) - TRAPEZE_PLIC_CONTEXT_THRESHOLD_STRIDE) = 0;
		csr_clear(CSR_MIP, MIP_SEIP);
		csr_set(CSR_MIE, MIE_MEIE);
	}
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
#if INJECTED
	if (is_injected()) {
		const uint8_t priority = access->value & TRAPEZE_PLIC_PRIORITY_VALUE_MASK;
		struct virtual_plic *const guest = own();

		for (unsigned int n = 0; n < guest->count; n++) {
			ready(&guest->contexts[n], source, guest->priority[source], false);
		}
		guest->priority[source] = priority;
		*at = priority;
		reconsider(guest, source);
		return;
	}
#endif
	*at = access->value;
}

/** A word of enables of one of the guest's contexts. */
static void access_enable(unsigned int number, uint32_t word, struct access *access)
{
	const uint32_t value = access->value & own_of_word(word);
	volatile uint32_t *const at = hardware(enable_word(guest_context(number), word));

#if INJECTED
	if (is_injected()) {
		struct virtual_plic *const guest = own();
		uint32_t *const enabled = &guest->contexts[number].enabled[word];
		uint32_t changed = *enabled ^ value;

		if (!access->store) {
			access->value = *enabled;
			return;
		}
		*enabled = value;
		enable_word_of_all(guest, word);
		for (; changed != 0; changed &= changed - 1U) {
			reconsider(guest, 32U * word + lowest(changed));
		}
		return;
	}
#endif
	if (access->store) {
		*at = value;
	} else {
		access->value = *at;
	}
}

static void access_pending(uint32_t word, struct access *access)
{
	access->value = *hardware(TRAPEZE_PLIC_PENDING_OFFSET + 4U * word) & own_of_word(word);
#if INJECTED
	if (is_injected()) {
		access->value |= own()->pending[word];
	}
#endif
}

/** Of the page of a context, which comes here only where interrupts are injected. */
static void access_context(unsigned int number, uint32_t offset, struct access *access)
{
#if INJECTED
	struct virtual_plic *const guest = own();
	struct context *const context = &guest->contexts[number];

	if (!is_injected()) {
		return;
	}
	if (offset == CLAIM) {
		if (access->store) {
			complete(guest, context, access->value);
		} else {
			access->value = claim(guest, context);
		}
	} else if (offset == 0 && access->store) {
		context->threshold = access->value & TRAPEZE_PLIC_CONTEXT_THRESHOLD_VALUE_MASK;
		show(guest, number);
	} else if (offset == 0) {
		access->value = context->threshold;
	}
#else
	(void)number;
	(void)offset;
	(void)access;
#endif
}

/** The one place that knows the layout; what is not there, and is not the guest's, reads as zero. */
static void access_at(uint32_t offset, struct access *access)
{
	if (offset < TRAPEZE_PLIC_PRIORITY_OFFSET + SOURCES * TRAPEZE_PLIC_PRIORITY_STRIDE) {
		access_priority(
		    (offset - TRAPEZE_PLIC_PRIORITY_OFFSET) / TRAPEZE_PLIC_PRIORITY_STRIDE, access);
		return;
	}
	if (offset - TRAPEZE_PLIC_PENDING_OFFSET < 4U * WORDS) {
		access_pending((offset - TRAPEZE_PLIC_PENDING_OFFSET) / 4U, access);
		return;
	}
	for (unsigned int n = 0; n < guest_contexts(); n++) {
		const uint32_t enables = enable_word(guest_context(n), 0);
		const uint32_t page = TRAPEZE_PLIC_CONTEXT_THRESHOLD_OFFSET +
				      guest_context(n) * TRAPEZE_PLIC_CONTEXT_THRESHOLD_STRIDE;

		if (offset - enables < 4U * WORDS) {
			access_enable(n, (offset - enables) / 4U, access);
		} else if (offset - page < TRAPEZE_PLIC_CONTEXT_THRESHOLD_STRIDE) {
			access_context(n, offset - page, access);
		}
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
