/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: words of a frame that cannot be stored raise exception 24, words that emret cannot load exception 25
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace, mcu-fastirq-shared]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

/* The ends of a memory that has a hole on either side. */
#define MEMORY_BEGIN ((uint32_t)TRAPEZE_DMEM_BASE)
#define MEMORY_END   ((uint32_t)(TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE))

#define LEVEL 159U

extern const char fault_code[];
void long_handler(void);
extern const char long_handler_end[];
void short_handler(void);
void return_handler(void);
void astray_handler(void);
extern const char astray_handler_emret[];
__attribute__((used)) static uint32_t astray_sp;
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	"fault_code:\n"
	"	sb s1, 0(s0)\n"
	"	fast_nops 10\n"
	"	j context_end\n"
	/* These handlers need no stack. The core decides when a frame is stored, so they wait for the fault, and a
	 * little longer.
	 */
	".macro fault_wait\n"
	"	li t0, 1000\n"
	"	la t1, stores\n"
	"1:	addi t0, t0, -1\n"
	"	beqz t0, 2f\n"
	"	lw t2, 0(t1)\n"
	"	beqz t2, 1b\n"
	"	fast_nops 30\n"
	"2:\n"
	".endm\n"
	".balign 4\n"
	"long_handler:\n"
	"	fault_wait\n"
	"long_handler_end:\n"
	"	j context_end\n"
	".balign 4\n"
	"short_handler:\n"
	"	emret\n"
	".balign 4\n"
	"return_handler:\n"
	"	fault_wait\n"
	"	fast_trash\n"
	"	emret\n"
	/* Ends in emret with another sp, and a pattern in the registers. */
	".balign 4\n"
	"astray_handler:\n"
	"	la t0, astray_sp\n"
	"	lw sp, 0(t0)\n"
	"	fast_fill s1\n"
	"astray_handler_emret:\n"
	"	emret\n");
/* clang-format on */

__attribute__((used)) static volatile uint32_t stores;
static volatile uint32_t loads;
static struct trap_record store_fault;
static struct trap_record load_fault;
static bool mend;
static uint32_t mended_sp;

static void note(struct trap_record *record, const struct trap_frame *frame)
{
	record->mcause = TEST_CAUSE(frame->mcause);
	record->mcause_all = frame->mcause;
	record->mepc = frame->mepc;
	record->mtval = frame->mtval;
	record->mstatus = csr_read(CSR_MSTATUS);
}

static bool trap_handler(struct trap_frame *frame)
{
	uint32_t cause = TEST_CAUSE(frame->mcause);

	if (cause == MCAUSE_FRAME_STORE_FAULT) {
		stores++;
		note(&store_fault, frame);
		return true; /* return to the instruction that was not executed */
	}
	if (cause == MCAUSE_FRAME_LOAD_FAULT) {
		loads++;
		note(&load_fault, frame);
		if (mend) {
			for (uint32_t i = 1; i < TRAPEZE_REGISTER_COUNT; i++) {
				context_out.x[i] = frame->x[i];
			}
			frame->x[REG_SP] = mended_sp;
		} else {
			context_abandon(frame);
		}
		return true;
	}
	return fast_trap_handler(frame);
}

static void prepare(uint32_t sp, bool nest, irq_vector_t handler)
{
	(void)irq_vector_set(A, handler);
	csr_write(CSR_MFASTIRQ,
		  (uint32_t)__irq_fast_return | MFASTIRQ_ENABLE | (nest ? MFASTIRQ_NEST : 0U));
	context_fill(0x4a3b2c1dU);
	context_in.x[REG_SP] = sp;
	context_in.x[REG_S0] = fast_ip(A);
	context_in.x[REG_S1] = 1U;
	stores = 0U;
	loads = 0U;
}

static void check_record(const struct trap_record *record, uint32_t cause, bool nest)
{
	CHECK_EQ(record->mcause_all, MCAUSE_MPP | (nest ? (uint32_t)MCAUSE_MPIE : 0U) |
					 (LEVEL << MCAUSE_MPIL_SHIFT) | cause);
	CHECK_EQ(record->mstatus & MSTATUS_MIE, 0U);
}

/* An interrupt with a sp that has too little memory below it. mtval names the first word without memory. With registers
 * saved in place, a word further up may be stored before it.
 */
static void play_store(uint32_t base, uint32_t first, bool nest)
{
	/* A handler that runs for long: one exception. */
	prepare(base + FRAME_BYTES, nest, long_handler);
	context_run(fault_code, false);
	CHECK_EQ(stores, 1U);
	CHECK_EQ(loads, 0U);
	check_record(&store_fault, MCAUSE_FRAME_STORE_FAULT, nest);
#if TRAPEZE_IRQ_FAST_BANKS > 0
	CHECK_EQ(store_fault.mtval, first);
#else
	CHECK(store_fault.mtval >= first && store_fault.mtval < base + 4U * FRAME_WORDS);
#endif
	CHECK(store_fault.mepc >= (uint32_t)long_handler &&
	      store_fault.mepc <= (uint32_t)long_handler_end);
	CHECK_EQ(context_out.x[REG_SP], base);
	level_become(0U);

	/* A handler that returns: from the bank, or not at all. Then a handler that returns at once. */
	for (uint32_t i = 0; i < 2U; i++) {
		prepare(base + FRAME_BYTES, nest, i != 0U ? short_handler : return_handler);
		context_run(fault_code, false);
		CHECK(stores <= 1U && (i != 0U || stores == 1U));
		CHECK(loads <= 1U);
		if (loads == 0U) {
			CHECK_CONTEXT(context_in);
			CHECK_EQ(irq_level_current(), 0U);
		}
		level_become(0U);
	}
}

/* emret with a sp that has too little memory above it. The first word without memory is reported: mcause, mepc, then
 * the others.
 */
static void play_load(uint32_t sp, uint32_t first, bool nest)
{
	astray_sp = sp;
	mend = true;
	mended_sp = CONTEXT_SP - FRAME_BYTES;
	prepare(CONTEXT_SP, nest, astray_handler);
	context_in.x[REG_S1] = 0x77001101U;
	context_run(fault_code, false);
	CHECK_EQ(stores, 0U);
	CHECK_EQ(loads, 1U);
	check_record(&load_fault, MCAUSE_FRAME_LOAD_FAULT, nest);
	CHECK_EQ(load_fault.mepc, astray_handler_emret);
	CHECK_EQ(load_fault.mtval, first);

	/* With the right sp emret has returned. */
	CHECK_CONTEXT(context_in);
	CHECK_EQ(irq_level_current(), 0U);

	/* The emret that failed has changed nothing. */
	mend = false;
	prepare(CONTEXT_SP, nest, astray_handler);
	context_in.x[REG_S1] = 0x77001101U;
	context_run(fault_code, false);
	CHECK_EQ(loads, 1U);
	struct context expected = context_in;

	for (uint32_t k = 0; k < TRAPEZE_CALLER_COUNT; k++) {
		expected.x[frame_register[k]] = context_in.x[REG_S1] + frame_register[k];
	}
	expected.x[REG_SP] = sp;
	CHECK_CONTEXT(expected);
	level_become(0U);
}

static const uint32_t devices[] = {TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + (4U * B),
				   TRAPEZE_UART_BASE, TRAPEZE_HOST_BASE, TRAPEZE_CLINT_BASE};

int main(void)
{
	fast_begin();
	(void)trap_set_handler(trap_handler);
	irq_control_set(A, LEVEL);
	for (uint32_t nest = 0; nest < 2U; nest++) {
		play_store(HOLE, HOLE, nest != 0U);
		play_store(MEMORY_BEGIN - 40U, MEMORY_BEGIN - 40U, nest != 0U);
		play_store(MEMORY_END - 40U, MEMORY_END, nest != 0U);
		play_store(MEMORY_END - 4U, MEMORY_END, nest != 0U);
		play_store(HOLE + 3U, HOLE, nest != 0U);
		play_load(HOLE, HOLE + (4U * FRAME_MCAUSE), nest != 0U);
		play_load(MEMORY_END - 40U, MEMORY_END - 40U + (4U * FRAME_MCAUSE), nest != 0U);
		play_load(MEMORY_END - (4U * FRAME_MCAUSE), MEMORY_END, nest != 0U);
		play_load(MEMORY_BEGIN - 40U, MEMORY_BEGIN - 40U, nest != 0U);
		play_load(HOLE + 2U, HOLE + (4U * FRAME_MCAUSE), nest != 0U);

		/* Devices do not accept frames. */
		for (uint32_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
			play_store(devices[i], devices[i], nest != 0U);
			play_load(devices[i], devices[i] + (4U * FRAME_MCAUSE), nest != 0U);
		}
	}
	CHECK_NO_TRAP();
	return test_end();
}
