/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: emret chains to a pending interrupt above the interrupted level and the threshold, and to no other
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace, mcu-fastirq-16, mcu-fastirq-256]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

/* State at the first instruction of a handler. */
__attribute__((used)) static volatile struct {
	uint32_t ra;
	uint32_t sp;
} chain;

static volatile struct seen {
	uint32_t irq;
	uint32_t mcause;
	uint32_t mstatus;
	uint32_t mintstatus;
	uint32_t mepc;
	uint32_t ra;
	uint32_t sp;
} seen[16];
static volatile uint32_t count;

/* Sources that a handler makes pending: bit i for source A + i. */
static uint32_t raises[SOURCES];
static uint32_t software_times;
static bool flip;

void chain_handler(void);
extern const char chain_entry[];
extern const char chain_code[];
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"chain_handler:\n"
	"	la t0, chain\n"
	"	sw ra, 0(t0)\n"
	"	sw sp, 4(t0)\n"
	"	call chain_c\n"
	"	fast_trash\n"
	"	emret\n"
	/* As spy_entry. mnxti claims, and does not change MIE. */
	".balign 64\n"
	"chain_entry:\n"
	FAST_ENTRY
	"	csrrci x0, " FAST_TEXT(CSR_MNXTI) ", 16\n"
	"	j chain_handler\n"
	".balign 4\n"
	"chain_code:\n"
	"	fast_nops 4\n"
	"	j context_end\n");
/* clang-format on */

__attribute__((used)) static void chain_c(void)
{
	volatile struct seen *now = &seen[count & 15U];
	uint32_t mcause = csr_read(CSR_MCAUSE);
	uint32_t irq = mcause & MCAUSE_CODE;

	now->irq = irq;
	now->mcause = mcause;
	now->mstatus = csr_read(CSR_MSTATUS);
	now->mintstatus = csr_read(CSR_MINTSTATUS);
	now->mepc = csr_read(CSR_MEPC);
	now->ra = chain.ra;
	now->sp = chain.sp;
	count++;

	/* emret restores these two from the frame. */
	csr_write(CSR_MEPC, 0x1234U);
	csr_write(CSR_MCAUSE, 0x40990000U | irq);
	if (irq >= A && irq < A + SOURCES) {
		CHECK(!irq_is_pending(irq));
		for (uint32_t i = 0; i < SOURCES; i++) {
			if (((raises[irq - A] >> i) & 1U) != 0U) {
				irq_pending_set(A + i, true);
			}
		}
		raises[irq - A] = 0U;
	} else if (--software_times == 0U) {
		irq_software_set(false);
	}
	settle();
	if (flip && (csr_read(CSR_MSTATUS) & MSTATUS_MIE) != 0U) {
		(void)irq_lock();
	} else if (flip) {
		csr_set(CSR_MSTATUS, MSTATUS_MIE);
	}
}

static void run(void)
{
	count = 0U;
	settle();
	context_run(chain_code, false);
	CHECK_CONTEXT(context_in);
	CHECK_EQ(context_cause, MCAUSE_MPP | MCAUSE_MPIE | MCAUSE_ECALL_M);
	CHECK_EQ(irq_level_current(), 0U);
}

/* Checks the handler that began as number @p index: its source, the level that it interrupted, whether interrupts are
 * enabled, and whose frame it has: its own, or an earlier one if emret led to it.
 */
static void expect(uint32_t index, uint32_t irq, uint32_t interrupted, bool unlocked,
		   uint32_t frame)
{
	volatile struct seen *now = &seen[index];

	CHECK_EQ(now->irq, irq);
	CHECK_EQ(now->mcause, MCAUSE_INTERRUPT | MCAUSE_MPP | MCAUSE_MPIE |
				  (interrupted << MCAUSE_MPIL_SHIFT) | irq);
	CHECK_EQ(now->mstatus & MSTATUS_MIE, unlocked ? MSTATUS_MIE : 0U);
	CHECK_EQ(now->mstatus & (MSTATUS_MPP | MSTATUS_MPIE), MSTATUS_MPP_M | MSTATUS_MPIE);
	CHECK_EQ(now->mintstatus, (uint32_t)irq_level_get(irq) << MINTSTATUS_MIL_SHIFT);
	CHECK_EQ(now->ra, (uint32_t)__irq_fast_return);
	if (frame != index) {
		CHECK_EQ(now->sp, seen[frame].sp);
		CHECK_EQ(now->mepc, seen[frame].mepc);
	} else if (interrupted == 0U) {
		CHECK_EQ(now->sp, CONTEXT_SP - FRAME_BYTES);
		CHECK_EQ(now->mepc, chain_code);
	}
}

static void set(bool nest)
{
	csr_write(CSR_MFASTIRQ,
		  (uint32_t)__irq_fast_return | MFASTIRQ_ENABLE | (nest ? MFASTIRQ_NEST : 0U));
}

static void levels(void)
{
	for (uint32_t i = 0; i < SOURCES; i++) {
		irq_control_set(A + i, fast_level(i));
		irq_vectored_set(A + i, true);
	}
}

/* Three interrupts chained, of one level or of falling levels, vectored or not. */
static void play_kinds(uint32_t vectored, bool nest, bool same)
{
	set(nest);
	for (uint32_t i = 0; i < 3U; i++) {
		irq_control_set(A + i, same ? fast_level(3U) : fast_level(i));
		irq_vectored_set(A + i, ((vectored >> i) & 1U) != 0U);
		irq_pending_set(A + i, true);
	}
	run();
	CHECK_EQ(count, 3U);
	for (uint32_t i = 0; i < 3U; i++) {
		expect(i, C - i, 0U, nest && ((vectored >> (2U - i)) & 1U) != 0U, 0U);
	}
	levels();
}

static void play_threshold(void)
{
	set(true);
	(void)irq_threshold_set(fast_level(4U));
	irq_pending_set(A + 7, true);
	irq_pending_set(A + 4, true);
	irq_pending_set(A + 5, true);
	irq_pending_set(A + 3, true);
	run();
	CHECK_EQ(count, 2U);
	expect(0U, A + 7, 0U, true, 0U);
	expect(1U, A + 5, 0U, true, 0U);
	CHECK(irq_is_pending(A + 4) && irq_is_pending(A + 3));
	(void)irq_threshold_set((uint8_t)(fast_level(4U) - 1U));
	run();
	CHECK_EQ(count, 1U);
	expect(0U, A + 4, 0U, true, 0U);
	(void)irq_threshold_set(0U);
	run();
	CHECK_EQ(count, 1U);
	expect(0U, A + 3, 0U, true, 0U);
}

/* No chain to an interrupt that is not above the interrupted level, which is that of another handler. */
static void play_nested(void)
{
	uint32_t below = fast_level(3U);

	set(true);
	irq_control_set(A + 2, fast_level(3U)); /* the same level as A + 3 */
	raises[3] = 1U << 5;
	raises[5] = (1U << 1) | (1U << 2) | (1U << 4);
	irq_pending_set(A + 3, true);
	run();
	CHECK_EQ(count, 5U);
	expect(0U, A + 3, 0U, true, 0U);
	expect(1U, A + 5, below, true, 1U);
	expect(2U, A + 4, below, true, 1U);
	expect(3U, A + 2, 0U, true, 0U);
	expect(4U, A + 1, 0U, true, 0U);
	CHECK(seen[1].sp < seen[0].sp - FRAME_BYTES);
	levels();
}

/* A chain to a higher level, whose interrupt had to wait for the end of a handler with interrupts disabled. */
static void play_higher(void)
{
	set(false);
	raises[2] = (1U << 6) | (1U << 1);
	raises[6] = 1U << 7;
	irq_pending_set(A + 2, true);
	run();
	CHECK_EQ(count, 4U);
	expect(0U, A + 2, 0U, false, 0U);
	expect(1U, A + 6, 0U, false, 0U);
	expect(2U, A + 7, 0U, false, 0U);
	expect(3U, A + 1, 0U, false, 0U);
}

/* A level-triggered source comes again until it is served. */
static void play_level(void)
{
	set(true);
	irq_control_set(IRQ_SOFTWARE, fast_level(2U));
	(void)irq_vector_set(IRQ_SOFTWARE, chain_handler);
	irq_enable(IRQ_SOFTWARE);
	software_times = 3U;
	irq_software_set(true);
	irq_pending_set(A + 4, true);
	irq_pending_set(A + 0, true);
	run();
	CHECK_EQ(count, 5U);
	expect(0U, A + 4, 0U, true, 0U);
	expect(1U, IRQ_SOFTWARE, 0U, true, 0U);
	expect(2U, IRQ_SOFTWARE, 0U, true, 0U);
	expect(3U, IRQ_SOFTWARE, 0U, true, 0U);
	expect(4U, A, 0U, true, 0U);
	irq_disable(IRQ_SOFTWARE);
}

/* No chain to an interrupt that is disabled, or at level 0. */
static void play_nothing(void)
{
	set(true);
	irq_disable(A + 1);
	irq_level_bits_set(8U);
	irq_control_set(A + 2, 0U);
	irq_pending_set(A + 1, true);
	irq_pending_set(A + 2, true);
	irq_pending_set(A + 3, true);
	run();
	CHECK_EQ(count, 1U);
	expect(0U, A + 3, 0U, true, 0U);
	CHECK(irq_is_pending(A + 1) && irq_is_pending(A + 2));
	irq_pending_set(A + 1, false);
	irq_pending_set(A + 2, false);
	irq_level_bits_set(3U);
	irq_enable(A + 1);
	levels();
}

int main(void)
{
	uint32_t entry = csr_read(CSR_MTVEC);

	fast_begin();
	context_fill(0x0badc0deU);
	levels();
	for (uint32_t i = 0; i < SOURCES; i++) {
		(void)irq_vector_set(A + i, chain_handler);
	}
	csr_write(CSR_MTVEC, (uint32_t)chain_entry | MTVEC_MODE_CLIC);
	for (uint32_t round = 0; round < 64U; round++) {
		flip = (round & 32U) != 0U;
		play_kinds(round & 7U, (round & 8U) != 0U, (round & 16U) != 0U);
	}
	flip = false;
	play_threshold();
	play_nested();
	play_higher();
	play_level();
	play_nothing();
	csr_write(CSR_MTVEC, entry);
	CHECK_NO_TRAP();
	return test_end();
}
