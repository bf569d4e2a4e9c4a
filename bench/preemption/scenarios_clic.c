/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* The scenarios on the CLIC, with edge-triggered sources that software makes pending. */
#include <trapeze/csr.h>
#include <trapeze/irq_clic.h>

#include "scenarios.h"

/* Sources, and the levels that two level bits make. */
enum {
	A = 40,
	B,
	C,
	D,
	COUNT = 4
};
enum {
	LEVEL_1 = 63,
	LEVEL_2 = 127,
	LEVEL_3 = 191,
	LEVEL_4 = 255
};

/* entries_clic.S */
extern const char counting_xnxti[];
extern const char counting_jalxnxti[];
extern const char counting_late[];
void counting_vector(void);
void __irq_entry(void); /* the HAL's */
volatile uint8_t *volatile late_register;

/* Action of the next handler. */
static void (*inside)(void);
static volatile uint32_t level_seen;

static void handler(void *arg)
{
	uint32_t irq = (uint32_t)arg;
	void (*run)(void) = inside;

	inside = NULL;
	level_seen = irq_level_current();
	log_event(irq);
	irq_pending_set(irq, false);
	if (run != NULL) {
		run();
		settle();
		log_event(irq | LOG_END);
	}
}

/* Two level bits, all sources at level 2 and priority 0, vectored through the vector that counts. */
static void setup(void)
{
	(void)irq_lock();
	inside = NULL;
	irq_entry_set(IRQ_ENTRY_CAREFUL);
	(void)irq_threshold_set(0U);
	irq_level_bits_set(2);
	for (unsigned int irq = A; irq < A + COUNT; irq++) {
		(void)irq_vector_set(irq, counting_vector);
		irq_vectored_set(irq, true);
		irq_trigger_set(irq, IRQ_TRIGGER_RISING);
		irq_pending_set(irq, false);
		irq_control_set(irq, 0U);
		irq_level_set(irq, LEVEL_2);
		(void)irq_connect(irq, handler, (void *)irq);
		irq_enable(irq);
	}
	irq_unlock_all();
}

static void raise(unsigned int irq)
{
	irq_pending_set(irq, true);
	settle();
}

/* Makes two sources pending together. */
static void raise_both(unsigned int first, unsigned int second)
{
	(void)irq_lock();
	raise(first);
	raise(second);
	irq_unlock_all();
	settle();
}

static void raise_a(void)
{
	raise(A);
}

static bool vertical(void)
{
	setup();
	(void)irq_lock();
	user_call(raise_a);
	return LOG_IS(A);
}

static void raise_b_and_c(void)
{
	raise(C);
	raise(B);
}

/* The less important source must wait, the more important one must not. */
static bool horizontal(void)
{
	setup();
	irq_level_set(B, LEVEL_3);
	irq_level_set(C, LEVEL_1);
	inside = raise_b_and_c;
	raise(A);
	return LOG_IS(A, B, A | LOG_END, C);
}

/* A higher priority at an equal level does not preempt either. */
static bool equal_level(void)
{
	setup();
	irq_priority_set(B, 63);
	irq_priority_set(C, 0);
	inside = raise_b_and_c;
	raise(A);
	return LOG_IS(A, A | LOG_END, B, C);
}

static bool threshold(void)
{
	setup();
	irq_level_set(B, LEVEL_3);
	(void)irq_threshold_set(LEVEL_2);
	raise(A);
	if (log_count != 0U) {
		return false;
	}
	raise(B); /* A is pending meanwhile */
	if (!LOG_IS(B)) {
		return false;
	}
	(void)irq_threshold_set(0U);
	settle();
	return LOG_IS(B, A);
}

static bool by_level(void)
{
	setup();
	irq_level_set(A, LEVEL_4);
	raise_both(A, B);
	irq_level_set(A, LEVEL_1);
	raise_both(A, B);
	return LOG_IS(A, B, B, A);
}

static bool by_priority(void)
{
	setup();
	irq_priority_set(A, 2);
	irq_priority_set(B, 1);
	raise_both(A, B);
	irq_priority_set(B, 3);
	raise_both(A, B);
	return LOG_IS(A, B, B, A);
}

static bool highest_id(void)
{
	setup();
	(void)irq_lock();
	for (unsigned int irq = A; irq < A + COUNT; irq++) {
		raise(irq);
	}
	irq_unlock_all();
	settle();
	return LOG_IS(D, C, B, A);
}

static bool level_0(void)
{
	setup();
	irq_level_bits_set(8);
	irq_control_set(A, 0U);
	raise(A);
	if (log_count != 0U || !irq_is_pending(A)) {
		return false;
	}
	irq_control_set(A, 1U);
	settle();
	return LOG_IS(A);
}

/* Lets a source go through an entry of entries_clic.S instead of its vector. */
static void through_entry(unsigned int irq, const char *entry)
{
	(void)irq_vector_set(irq, __irq_entry);
	irq_vectored_set(irq, false);
	csr_write(CSR_MTVEC, (uint32_t)entry | MTVEC_MODE_CLIC);
}

/* B arrives when A's entry has begun. xnxti returns B first, without another entry. */
static bool late_arrival(void)
{
	setup();
	irq_level_set(B, LEVEL_3);
	through_entry(A, counting_late);
	through_entry(B, counting_late);
	late_register = irq_register(B, TRAPEZE_CLIC_IRQ_IP_OFFSET);
	raise(A);
	return LOG_IS(B, A) && entry_count == 1U;
}

/* mnlbits = bits: the level is the upper bits of ctl with ones below, and only the level preempts. */
static bool level_bits(unsigned int bits)
{
	const uint8_t ctl = 0x5a;
	const uint8_t level = (uint8_t)(ctl | (UINT8_MAX >> bits));

	setup();
	irq_level_bits_set(bits);
	irq_control_set(A, ctl);
	irq_control_set(B, ctl + 1U);
	irq_disable(B);
	if (irq_level_bits_get() != bits || irq_level_get(A) != level) {
		return false;
	}

	/* The threshold of its own level holds an interrupt back, one below does not. */
	(void)irq_threshold_set(level);
	raise(A);
	if (log_count != 0U) {
		return false;
	}
	(void)irq_threshold_set((uint8_t)(level - 1U));
	settle();
	if (!LOG_IS(A) || level_seen != level) {
		return false;
	}
	(void)irq_threshold_set(0U);

	/* The last bit belongs to the level with eight level bits, otherwise to the priority. */
	log_clear();
	irq_enable(B);
	raise_both(A, B);
	if (!LOG_IS(B, A)) {
		return false;
	}
	log_clear();
	inside = raise_b_and_c;
	irq_disable(C);
	raise(A);
	return bits == 8U ? LOG_IS(A, B, A | LOG_END) : LOG_IS(A, A | LOG_END, B);
}

#define LEVEL_BITS(bits)                                                                           \
	static bool level_bits_##bits(void)                                                        \
	{                                                                                          \
		return level_bits(bits);                                                           \
	}

LEVEL_BITS(0)
LEVEL_BITS(1)
LEVEL_BITS(2)
LEVEL_BITS(3)
LEVEL_BITS(4)
LEVEL_BITS(5)
LEVEL_BITS(6)
LEVEL_BITS(7)
LEVEL_BITS(8)

static bool vectored(void)
{
	setup();
	raise(A);
	return LOG_IS(A) && entry_count == 1U;
}

static bool non_vectored(void)
{
	setup();
	through_entry(A, counting_xnxti);
	through_entry(B, counting_xnxti);
	raise(A);
	raise(B);
	return LOG_IS(A, B) && entry_count == 2U;
}

/* A goes through its vector, which is the HAL's here, and B through the entry that counts. */
static bool selective(void)
{
	setup();
	(void)irq_vector_set(A, __irq_entry);
	through_entry(B, counting_xnxti);
	raise(A);
	if (!LOG_IS(A) || entry_count != 0U) {
		return false;
	}
	raise(B);
	return LOG_IS(A, B) && entry_count == 1U;
}

/* Both are served within one entry: nothing is restored and saved in between. */
static bool chained_vectored(void)
{
	setup();
	raise_both(A, B);
	return LOG_IS(B, A) && entry_count == 1U;
}

static bool chained_by(const char *entry)
{
	setup();
	through_entry(A, entry);
	through_entry(B, entry);
	raise_both(A, B);
	return LOG_IS(B, A) && entry_count == 1U;
}

static bool chained_xnxti(void)
{
	return chained_by(counting_xnxti);
}

static bool chained_jalxnxti(void)
{
	return chained_by(counting_jalxnxti);
}

/* A, which is vectored, is served after B, which is not. */
static bool chained_mixed_by(const char *entry)
{
	setup();
	through_entry(B, entry);
	raise_both(A, B);
	return LOG_IS(B, A) && entry_count == 1U;
}

static bool chained_mixed_xnxti(void)
{
	return chained_mixed_by(counting_xnxti);
}

static bool chained_mixed_jalxnxti(void)
{
	return chained_mixed_by(counting_jalxnxti);
}

const struct scenario scenarios[] = {
    {"vertical", vertical},
    {"horizontal", horizontal},
    {"equal-level", equal_level},
    {"threshold", threshold},
    {"by-level", by_level},
    {"by-priority", by_priority},
    {"highest-id", highest_id},
    {"level-0", level_0},
    {"late-arrival", late_arrival},
    {"mnlbits-0", level_bits_0},
    {"mnlbits-1", level_bits_1},
    {"mnlbits-2", level_bits_2},
    {"mnlbits-3", level_bits_3},
    {"mnlbits-4", level_bits_4},
    {"mnlbits-5", level_bits_5},
    {"mnlbits-6", level_bits_6},
    {"mnlbits-7", level_bits_7},
    {"mnlbits-8", level_bits_8},
    {"vectored", vectored},
    {"non-vectored", non_vectored},
    {"selective", selective},
    {"chained", chained_vectored},
    {"chained-xnxti", chained_xnxti},
    {"chained-jalxnxti", chained_jalxnxti},
    {"chained-mixed-xnxti", chained_mixed_xnxti},
    {"chained-mixed-jalxnxti", chained_mixed_jalxnxti},
    {NULL, NULL},
};
