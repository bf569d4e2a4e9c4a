/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: what programs can write to triggers, every kind of comparison at its borders with accesses of each size and
  place, instructions, chains, modes, and that none fires where interrupts are off
config: [mcu-fastirq-debug, duo-debug]
qemu: its triggers are of an older version of the specification
expect: |
  PASS
*/
#include <trapeze/trigger.h>

#include "test.h"

#define OFF   TRIGGER_MCONTROL6
#define WATCH (TRIGGER_MACHINE | TRIGGER_LOAD | TRIGGER_STORE)

static uint8_t area[64] __attribute__((aligned(64)));
static unsigned int triggers;

static uint32_t written(uint32_t value)
{
	csr_write(CSR_TDATA1, 0U);
	csr_write(CSR_TDATA1, value);
	return csr_read(CSR_TDATA1);
}

static void check_registers(void)
{
	while (trigger_select(triggers)) {
		triggers++;
	}
	CHECK_EQ(csr_read(CSR_TSELECT), triggers - 1U);
	csr_write(CSR_TSELECT, 0x80000000U);
	CHECK_EQ(csr_read(CSR_TSELECT), triggers - 1U);
	for (unsigned int number = 0U; number < triggers; number++) {
		bool last = number == triggers - 1U;

		CHECK(trigger_select(number));
		CHECK_EQ(csr_read(CSR_TDATA1), OFF);
		CHECK_EQ(csr_read(CSR_TDATA2), 0U);
		CHECK_EQ(csr_read(CSR_TINFO), 0x010000f8U);
		csr_write(CSR_TINFO, 0U);
		CHECK_EQ(csr_read(CSR_TINFO), 0x010000f8U);
		for (uint32_t type = 0U; type < 16U; type++) {
			/* A program sets no dmode and no action 1, without which the other types do not exist. */
			CHECK_EQ(written((type << 28) | 0x08000001U), type == 6U ? OFF | 1U : OFF);
		}
		CHECK_EQ(written(0x6fffffffU), OFF | (last ? 0x0040004fU : 0x0040084fU));
		for (uint32_t match = 0U; match < 16U; match++) {
			CHECK_EQ(written(OFF | (match << 7)), OFF | (match < 4U ? match << 7 : 0U));
		}
		for (uint32_t size = 0U; size < 8U; size++) {
			CHECK_EQ(written(OFF | (size << 16)), OFF | (size < 4U ? size << 16 : 0U));
		}
		CHECK_EQ(written(0U), OFF);
		csr_write(CSR_TDATA2, 0xdeadbeefU);
		CHECK_EQ(csr_read(CSR_TDATA2), 0xdeadbeefU);
		csr_write(CSR_TDATA2, 0U);
	}
	CHECK_ILLEGAL("csrr %0, tdata3");
	CHECK_ILLEGAL("csrr %0, tcontrol");
	CHECK_ILLEGAL("csrr %0, " TRAPEZE_STRINGIFY(CSR_MCONTEXT));
}

/** An access of 1 << shift bytes. @return its instruction's address */
static uint32_t access(uint32_t address, uint32_t shift, bool store)
{
	uint32_t pc;
	uint32_t value = 0U;

#define ACCESS(insn)                                                                               \
	__asm__ volatile(".option push\n\t.option norvc\n\tla %0, 1f\n1:\t" insn                   \
			 " %1, 0(%2)\n\t.option pop"                                               \
			 : "=&r"(pc), "+&r"(value)                                                 \
			 : "r"(address)                                                            \
			 : "memory")
	if (store) {
		value = 0x01010101U * address;
		if (shift == 0U) {
			ACCESS("sb");
		} else if (shift == 1U) {
			ACCESS("sh");
		} else {
			ACCESS("sw");
		}
	} else if (shift == 0U) {
		ACCESS("lb");
	} else if (shift == 1U) {
		ACCESS("lhu");
	} else {
		ACCESS("lw");
	}
	return pc;
}

/** Whether a byte of an access meets a trigger: the specification's words, byte by byte. */
static bool meets(uint32_t how, uint32_t value, uint32_t address, uint32_t shift)
{
	uint32_t size = (how >> 16) & 7U;
	uint32_t range = value ^ (value + 1U);

	if (size != 0U && size != shift + 1U) {
		return false;
	}
	for (uint32_t at = address; at < address + (1U << shift); at++) {
		switch ((how >> 7) & 15U) {
		case 0U:
			if (at == value) {
				return true;
			}
			break;
		case 1U:
			if ((at & ~range) == (value & ~range)) {
				return true;
			}
			break;
		case 2U:
			if (at >= value) {
				return true;
			}
			break;
		default:
			if (at < value) {
				return true;
			}
			break;
		}
	}
	return false;
}

/** All accesses around a trigger. */
static void check_accesses(unsigned int number, uint32_t how, uint32_t value)
{
	uint32_t middle = (uint32_t)&area[32];

	for (uint32_t address = middle - 9U; address < middle + 9U; address++) {
		for (uint32_t shift = 0U; shift < 3U; shift++) {
			for (uint32_t store = 0U; store < 2U; store++) {
				bool kind =
				    (how & (store != 0U ? TRIGGER_STORE : TRIGGER_LOAD)) != 0U;
				uint8_t old = *(volatile uint8_t *)address;

				CHECK(trigger_set(number, how, value));
				uint32_t pc = access(address, shift, store != 0U);

				csr_write(CSR_TDATA1, 0U);
				if (kind && meets(how, value, address, shift)) {
					CHECK_TRAP(MCAUSE_BREAKPOINT, pc, 0U);
					CHECK_EQ(*(volatile uint8_t *)address, old);
				} else {
					CHECK_NO_TRAP();
				}
			}
		}
	}
}

static void check_comparisons(void)
{
	uint32_t middle = (uint32_t)&area[32];
	static const uint32_t sizes[] = {0U, TRIGGER_8_BIT, TRIGGER_16_BIT, TRIGGER_32_BIT};

	for (unsigned int i = 0U; i < 4U; i++) {
		check_accesses(0U, WATCH | TRIGGER_EQUAL | sizes[i], middle + i);
	}
	check_accesses(triggers - 1U, TRIGGER_MACHINE | TRIGGER_LOAD | TRIGGER_EQUAL, middle);
	check_accesses(0U, TRIGGER_MACHINE | TRIGGER_STORE | TRIGGER_FROM, middle + 1U);
	for (uint32_t size = 2U; size <= 8U; size *= 2U) {
		check_accesses(0U, WATCH | TRIGGER_NAPOT, trigger_napot(middle, size));
	}
	check_accesses(0U, WATCH | TRIGGER_NAPOT, trigger_napot(middle + 2U, 2U));
	check_accesses(0U, WATCH | TRIGGER_BELOW, middle - 1U);
	check_accesses(0U, WATCH | TRIGGER_BELOW, middle + 2U);
	CHECK(trigger_set(0U, 0U, 0U));
}

/* Instructions with a trigger on them, called in either mode. */
void marked(void);
extern const char marked_short[], marked_long[];
__asm__(".section .text.marked, \"ax\", @progbits\n"
	".balign 4\n"
	"marked:\n"
#ifdef __riscv_c
	"marked_short: c.nop\n"
#else
	"marked_short: nop\n"
#endif
	".option push\n.option norvc\n"
	"marked_long: lw t0, 0(sp)\n"
	"ret\n"
	".option pop\n"
	".text");

static uint32_t fired_at(unsigned int number, uint32_t how, uint32_t value, bool user)
{
	CHECK(trigger_set(number, how, value));
	if (user) {
		user_call(marked);
	} else {
		call_address((uint32_t)marked);
	}
	uint32_t at = trap_last.mepc;

	CHECK_EQ(trigger_hit(number), at != UINT32_MAX);
	csr_write(CSR_TDATA1, 0U);
	if (at != UINT32_MAX) {
		CHECK_TRAP(MCAUSE_BREAKPOINT, at, 0U);
	}
	return at;
}

static void check_instructions(void)
{
	const uint32_t first = (uint32_t)marked_short;
	const uint32_t second = (uint32_t)marked_long;
	const uint32_t machine = TRIGGER_EXECUTE | TRIGGER_MACHINE;
	const uint32_t user = TRIGGER_EXECUTE | TRIGGER_USER;

	CHECK_EQ(fired_at(0U, machine, first, false), first);
	CHECK_EQ(fired_at(triggers - 1U, machine, second, false), second);
	CHECK_EQ(fired_at(0U, machine, second + 2U, false), UINT32_MAX);
	CHECK_EQ(fired_at(0U, machine, first, true), UINT32_MAX);
	CHECK_EQ(fired_at(0U, user, first, false), UINT32_MAX);
	CHECK_EQ(fired_at(0U, user, first, true), first);
	CHECK_EQ(fired_at(0U, user | machine, second, true), second);
	CHECK_EQ(fired_at(0U, machine | TRIGGER_32_BIT, second, false), second);
	CHECK_EQ(fired_at(0U, machine | TRIGGER_16_BIT, second, false), UINT32_MAX);
#ifdef __riscv_c
	CHECK_EQ(fired_at(0U, machine | TRIGGER_16_BIT, first, false), first);
#endif
	CHECK_EQ(fired_at(0U, machine | TRIGGER_8_BIT, first, false), UINT32_MAX);
	CHECK_EQ(fired_at(0U, machine | TRIGGER_NAPOT, trigger_napot(second, 2U), false), second);

	/* The load of marked_long and the address of its word, in one chain; then with another word. */
	if (triggers > 1U) {
		uint32_t sp;

		__asm__ volatile("mv %0, sp" : "=r"(sp));
		CHECK(trigger_set(0U, machine | TRIGGER_CHAIN, second));
		CHECK_EQ(
		    fired_at(1U, TRIGGER_LOAD | TRIGGER_MACHINE | TRIGGER_BELOW, UINT32_MAX, false),
		    second);
		CHECK(trigger_hit(0U));
		CHECK(trigger_set(0U, machine | TRIGGER_CHAIN, second));
		CHECK_EQ(fired_at(1U, TRIGGER_LOAD | TRIGGER_MACHINE | TRIGGER_BELOW, 4U, false),
			 UINT32_MAX);
		CHECK(!trigger_hit(0U));
		CHECK(trigger_set(0U, machine | TRIGGER_CHAIN, first));
		CHECK_EQ(
		    fired_at(1U, TRIGGER_LOAD | TRIGGER_MACHINE | TRIGGER_BELOW, UINT32_MAX, false),
		    UINT32_MAX);
		CHECK(trigger_set(0U, 0U, 0U));
	}

	/* Interrupts off: machine mode's breakpoints wait for nothing, they do not happen. */
	csr_clear(CSR_MSTATUS, MSTATUS_MIE);
	CHECK_EQ(fired_at(0U, machine, first, false), UINT32_MAX);
	CHECK_EQ(fired_at(0U, user, first, true), first);
	csr_set(CSR_MSTATUS, MSTATUS_MIE);
	/* On again in the instruction before. */
	CHECK(trigger_set(0U, machine, first));
	csr_clear(CSR_MSTATUS, MSTATUS_MIE);
	__asm__ volatile("csrsi mstatus, 8\n\tjalr %0" : : "r"(first) : TEST_CALL_CLOBBERS);
	CHECK_TRAP(MCAUSE_BREAKPOINT, first, 0U);
	csr_write(CSR_TDATA1, 0U);

	/* A trigger goes before the exceptions of the instruction itself. */
	uint32_t pc = breakpoint();

	CHECK_TRAP(MCAUSE_BREAKPOINT, pc, 0U);
	CHECK(trigger_set(0U, machine, 0xf0000000U));
	jump_into(0xf0000000U);
	CHECK_TRAP(MCAUSE_BREAKPOINT, 0xf0000000U, 0U);
	CHECK(trigger_set(0U, WATCH, 0xf0000000U));
	pc = access(0xf0000000U, 2U, true);
	CHECK_TRAP(MCAUSE_BREAKPOINT, pc, 0U);
	csr_write(CSR_TDATA1, 0U);
	pc = access(0xf0000000U, 2U, true);
	CHECK_TRAP(MCAUSE_STORE_FAULT, pc, 0xf0000000U);

	/* Addresses wrap: the last two bytes, and the first two. */
	CHECK(trigger_set(0U, WATCH, 1U));
	pc = access(0xfffffffeU, 2U, true);
	CHECK_TRAP(MCAUSE_BREAKPOINT, pc, 0U);
	csr_write(CSR_TDATA1, 0U);
}

#ifdef __riscv_atomic

#define ATOMIC(insn)                                                                               \
	__extension__({                                                                            \
		uint32_t pc_;                                                                      \
		uint32_t value_;                                                                   \
		__asm__ volatile("la %0, 1f\n1:\t" insn                                            \
				 : "=&r"(pc_), "=&r"(value_)                                       \
				 : "r"(&area[32])                                                  \
				 : "memory");                                                      \
		pc_;                                                                               \
	})

static void check_atomic(uint32_t how, bool lr, bool sc, bool amo)
{
	uint32_t pc;

	CHECK(trigger_set(0U, how | TRIGGER_MACHINE, (uint32_t)&area[35]));
	pc = ATOMIC("lr.w %1, (%2)");
	if (lr) {
		CHECK_TRAP(MCAUSE_BREAKPOINT, pc, 0U);
	}
	CHECK_NO_TRAP();
	pc = ATOMIC("sc.w %1, %1, (%2)");
	if (sc) {
		CHECK_TRAP(MCAUSE_BREAKPOINT, pc, 0U);
	}
	CHECK_NO_TRAP();
	pc = ATOMIC("amoadd.w %1, %1, (%2)");
	if (amo) {
		CHECK_TRAP(MCAUSE_BREAKPOINT, pc, 0U);
	}
	CHECK_NO_TRAP();
	csr_write(CSR_TDATA1, 0U);
}

#endif

int main(void)
{
	test_begin();
	check_registers();
	csr_set(CSR_MSTATUS, MSTATUS_MIE);
	check_comparisons();
	check_instructions();
#ifdef __riscv_atomic
	check_atomic(TRIGGER_LOAD, true, false, true);
	check_atomic(TRIGGER_STORE, false, true, true);
	check_atomic(TRIGGER_EXECUTE, false, false, false);
#endif
	return test_end();
}
