/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * What a hostile guest of the hypervisor tries, the cell as well as a program in Linux' place. FOREIGN, OWN_SOURCE(),
 * OWN_CONTEXT and OWN_BASE say whose it is. An attempt that does not end as it must ends the guest with an exit code.
 */
#ifndef ATTEMPTS_H_
#define ATTEMPTS_H_

#include <stdint.h>

#include <trapeze/cell.h>
#include <trapeze/map.h>
#include <trapeze/plic.h>
#include <trapeze/sbi_call.h>

/* The shared page: what the cell does, and what the two say to each other. */
#define SHARED ((volatile uint64_t *)(TRAPEZE_RING_BASE + TRAPEZE_CELL_PAGE))
enum shared { TASK, ROUND, BEATS, GO };
enum todo { ATTACK, ANEW, REBOOT, WORK, INTERRUPT, PROGRAM, SPIN, WAIT, CALLS, FAULTS, STORM, LOST, FENCES, AGAIN, PLIC_STORM, TASKS, BOUND };
#define ENDS_WELL 42

void fail(unsigned int number, uint64_t got) __attribute__((noreturn));

enum cause { FETCH = 1, LOAD = 5, STORE = 7, ECALL_U = 8 };

/* scause of some assembly with an address in %1, or 0: it came to its end. It may change t1, t2 and ra. */
#define TRY(text, address)                                                                         \
	({                                                                                         \
		uint64_t cause_;                                                                   \
		__asm__ volatile(".option push\n.option norvc\n.option arch, +zicbom\n\tla t0, 9f\n\tcsrw stvec, t0\n\tli t0, 0\n\t" \
				 text "\n\tj 8f\n.option pop\n\t.balign 4\n9:\tcsrr t0, scause\n8:\tmv %0, t0" \
				 : "=r"(cause_)                                                    \
				 : "r"((uint64_t)(address))                                        \
				 : "t0", "t1", "t2", "ra", "memory");                              \
		cause_;                                                                            \
	})

static void expect(unsigned int number, uint64_t got, uint64_t expected)
{
	if (got != expected) {
		fail(number, got);
	}
}

/* All kinds of accesses of 8 bytes or less but those of words, which the PLIC's emulation takes. */
static void refused_but_words(unsigned int number, uint64_t at)
{
	expect(number * 100 + 1, TRY("lb t1, 0(%1)", at), LOAD);
	expect(number * 100 + 2, TRY("lhu t1, 0(%1)", at), LOAD);
	expect(number * 100 + 3, TRY("ld t1, 0(%1)", at), LOAD);
	expect(number * 100 + 4, TRY("lr.w t1, (%1)", at), LOAD);
	expect(number * 100 + 5, TRY("lr.d t1, (%1)", at), LOAD);
	expect(number * 100 + 6, TRY("sb t1, 0(%1)", at), STORE);
	expect(number * 100 + 7, TRY("sh t1, 0(%1)", at), STORE);
	expect(number * 100 + 8, TRY("sd t1, 0(%1)", at), STORE);
	expect(number * 100 + 9, TRY("amoadd.w t1, t2, (%1)", at), STORE);
	expect(number * 100 + 10, TRY("amoswap.d t1, t2, (%1)", at), STORE);
	expect(number * 100 + 11, TRY("amomax.w x0, t2, (%1)", at), STORE);
	expect(number * 100 + 12, TRY("cbo.inval (%1)", at), STORE);
	expect(number * 100 + 13, TRY("cbo.flush (%1)", at), STORE);
	expect(number * 100 + 14, TRY("jalr ra, 0(%1)", at), FETCH);
}

static void refused(unsigned int number, uint64_t at)
{
	refused_but_words(number, at);
	expect(number * 100 + 15, TRY("lw t1, 0(%1)", at), LOAD);
	expect(number * 100 + 16, TRY("lwu t1, 0(%1)", at), LOAD);
	expect(number * 100 + 17, TRY("sw t1, 0(%1)", at), STORE);
	expect(number * 100 + 18, TRY("lw t1, 1(%1)", at), LOAD);
}

static const uint64_t foreign[] = {
    FOREIGN,
    0, 0xfff8, TRAPEZE_HOST_BASE + 8, TRAPEZE_CLINT_BASE, TRAPEZE_CLINT_BASE + 8, TRAPEZE_CLINT_BASE + 0x4000,
    TRAPEZE_CLINT_BASE + 0x4010, TRAPEZE_CLINT_BASE + 0xbff8, TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_SIZE - 8,
    TRAPEZE_CLIC_BASE, TRAPEZE_CLIC_USER_BASE, TRAPEZE_PLIC_BASE - 8, TRAPEZE_UART1_BASE, TRAPEZE_UART1_BASE + 0xf8,
    TRAPEZE_PROBE_BASE, TRAPEZE_APP_PROBE_BASE - 8, TRAPEZE_MAILBOX_B_BASE, TRAPEZE_BELLS_BASE,
    TRAPEZE_DRAM_BASE - 8, TRAPEZE_DRAM_BASE, TRAPEZE_DRAM_BASE + 0x7fff8, 0x83000000, 0x837ffff8,
    TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_BASE + TRAPEZE_IMEM_SIZE - 8, TRAPEZE_SMEM_BASE, TRAPEZE_RING_BASE - 8,
    TRAPEZE_RING_BASE + TRAPEZE_RING_SIZE, TRAPEZE_DMEM_BASE, TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE - 8,
    0x180000000, 1ULL << 55, 1ULL << 63, -8ULL,
};

static volatile uint32_t *plic(uint32_t offset)
{
	return (volatile uint32_t *)(uint64_t)(TRAPEZE_PLIC_BASE + offset);
}

#define ENABLES(context) (TRAPEZE_PLIC_ENABLE_LOW_OFFSET + (context) * TRAPEZE_PLIC_ENABLE_LOW_STRIDE)
#define PAGE(context)    (TRAPEZE_PLIC_CONTEXT_THRESHOLD_OFFSET + (context) * TRAPEZE_PLIC_CONTEXT_THRESHOLD_STRIDE)

/* lw and sw of the priority of a source that is its own, of every register: lwu and compressed ones, too. */
uint64_t each_register(volatile uint32_t *word);
__asm__(".text\n.option push\n.option norelax\n.balign 4\neach_register:\n"
	"	la t0, 8f\n"
	"	sd ra, 0(t0); sd sp, 8(t0); sd gp, 16(t0); sd tp, 24(t0)\n"
	"	sd s0, 32(t0); sd s1, 40(t0); sd s2, 48(t0); sd s3, 56(t0); sd s4, 64(t0); sd s5, 72(t0)\n"
	"	sd s6, 80(t0); sd s7, 88(t0); sd s8, 96(t0); sd s9, 104(t0); sd s10, 112(t0); sd s11, 120(t0)\n"
	"	csrw sscratch, a0\n"
	"	.macro one reg, base, other, load, value, plain\n"
	"	.option push\n"
	"	.if \\plain\n	.option norvc\n	.endif\n"
	"	csrr \\base, sscratch\n"
	"	li \\other, \\value ^ 7\n	sw \\other, 0(\\base)\n"
	"	li \\reg, \\value\n	sw \\reg, 0(\\base)\n"
	"	li \\reg, -1\n	\\load \\reg, 0(\\base)\n"
	"	li \\other, \\value\n	bne \\reg, \\other, 7f\n"
	"	csrr \\base, sscratch\n"
	"	.option pop\n"
	"	.endm\n"
	"	.irp r, ra, sp, gp, tp, t0, t1, t2, s0, s1, a0, a1, a2, a3, a4, a5, a6, a7, s2, s3, s4, s5, s6, s7, s8, s9, s10\n"
	"	one \\r, t5, t6, lw, 5, 1\n	one \\r, s11, t6, lwu, 3, 1\n"
	"	.endr\n"
	"	.irp r, t3, t4, t5, t6, s11\n"
	"	one \\r, a4, a5, lw, 6, 1\n	one \\r, a0, a1, lwu, 1, 1\n"
	"	.endr\n"
	"	.irp r, s0, s1, a0, a1, a2, a3\n	one \\r, a4, a5, lw, 2, 0\n	.endr\n"
	"	.irp r, a4, a5\n	one \\r, s0, s1, lw, 4, 0\n	.endr\n"
	"	csrr t0, sscratch\n	li t1, 7\n	sw t1, 0(t0)\n	lw x0, 0(t0)\n	bnez x0, 7f\n"
	"	sw x0, 0(t0)\n	lw t1, 0(t0)\n	bnez t1, 7f\n"
	"	li a0, 0\n	j 6f\n"
	"7:	li a0, 1\n"
	"6:	la t0, 8f\n"
	"	ld ra, 0(t0); ld sp, 8(t0); ld gp, 16(t0); ld tp, 24(t0)\n"
	"	ld s0, 32(t0); ld s1, 40(t0); ld s2, 48(t0); ld s3, 56(t0); ld s4, 64(t0); ld s5, 72(t0)\n"
	"	ld s6, 80(t0); ld s7, 88(t0); ld s8, 96(t0); ld s9, 104(t0); ld s10, 112(t0); ld s11, 120(t0)\n"
	"	ret\n.option pop\n.section .bss\n.balign 8\n8:	.space 128\n.text\n");

static void attack_plic(void)
{
	const uint32_t priority = TRAPEZE_PLIC_PRIORITY_STRIDE;

	for (uint32_t source = 0; source < TRAPEZE_PLIC_PRIORITY_COUNT; source++) {
		*plic(priority * source) = 7;
		expect(100 + source, *plic(priority * source), OWN_SOURCE(source) ? 7 : 0);
		*plic(priority * source) = 0;
	}
	for (uint32_t context = 0; context < 4; context++) {
		for (uint32_t word = 0; word < 3; word++) {
			const uint32_t at = ENABLES(context) + 4 * word;
			uint32_t own = 0;

			for (uint32_t bit = 0; bit < 32; bit++) {
				own |= OWN_SOURCE(32 * word + bit) ? 1U << bit : 0;
			}
			*plic(at) = UINT32_MAX;
			expect(200 + context, *plic(at), context == OWN_CONTEXT ? own : 0);
			*plic(at) = 0;
		}
		if (context != OWN_CONTEXT) {
			*plic(PAGE(context)) = 7;
			expect(210 + context, *plic(PAGE(context)), 0);
			expect(210 + context, *plic(PAGE(context) + 4), 0);
			refused_but_words(220 + context, TRAPEZE_PLIC_BASE + PAGE(context));
		}
		for (uint32_t source = 0; source < 100; source++) {
			*plic(PAGE(context) + 4) = source;
		}
		*plic(PAGE(context) + 4) = UINT32_MAX;
	}
	static const uint32_t nothing[] = {0x180, 0xffc, 0x1000 - 4, 0x100c, 0x3000, 0x1ffffc, 0x204000, 0x3fffffc};

	for (unsigned int i = 0; i < sizeof(nothing) / 4; i++) {
		*plic(nothing[i]) = UINT32_MAX;
		expect(230 + i, *plic(nothing[i]), 0);
	}
	refused_but_words(240, TRAPEZE_PLIC_BASE + 4 * 10);
	refused_but_words(241, TRAPEZE_PLIC_BASE + ENABLES(OWN_CONTEXT));
	for (uint64_t off = 1; off < 4; off++) {
		expect(242, TRY("lw t1, 0(%1)", TRAPEZE_PLIC_BASE + 40 + off), LOAD);
		expect(243, TRY("sw t1, 0(%1)", TRAPEZE_PLIC_BASE + 40 + off), STORE);
	}
	expect(244, TRY("ld t1, 0(%1)", TRAPEZE_PLIC_BASE + TRAPEZE_PLIC_SIZE - 4), LOAD);
	expect(245, TRY("la t1, 7f\n\tcsrw sepc, t1\n\tli t1, 0x100\n\tcsrc sstatus, t1\n\tsret\n7:\tlw t1, 0(%1)\n\tecall", TRAPEZE_PLIC_BASE),
	       LOAD);
	for (uint32_t source = 1; source < 32; source++) {
		if (OWN_SOURCE(source)) {
			expect(246, each_register(plic(priority * source)), 0);
		}
	}
}

struct call {
	uint32_t extension, function;
	uint64_t first, second;
	int64_t error;
};

static void attack_calls(void)
{
	enum { HSM = 0x48534d, IPI = 0x735049, RFENCE = 0x52464e43 };
	const struct call calls[] = {
	    {HSM, 0, OTHER_HART, OWN_BASE, -3}, {HSM, 0, 1, OWN_BASE, -3}, {HSM, 0, OWN_HART, OWN_BASE, -6},
	    {HSM, 0, OWN_HART, OTHER_BASE, -5}, {HSM, 0, OWN_HART, 0x80000000, -5}, {HSM, 0, OWN_HART, 0x83000000, -5},
	    {HSM, 0, OWN_HART, -1ULL, -5}, {HSM, 2, OTHER_HART, 0, -3}, {HSM, 2, 1, 0, -3}, {HSM, 2, 64, 0, -3},
	    {HSM, 2, -1ULL, 0, -3}, {HSM, 2, OWN_HART, 0, 0}, {HSM, 3, OTHER_HART, 0, -2}, {HSM, 99, 0, 0, -2},
	    {IPI, 0, 1ULL << OTHER_HART, 0, -3}, {IPI, 0, -1ULL, 0, -3}, {IPI, 0, 5, 0, -3}, {IPI, 0, 1, OTHER_HART, -3},
	    {IPI, 0, 1, 63, -3}, {IPI, 0, 1, -2ULL, -3}, {IPI, 1, 0, 0, -2}, {IPI, 0, 0, 0, 0},
	    {RFENCE, 0, 1ULL << OTHER_HART, 0, -3}, {RFENCE, 1, -1ULL, 0, -3}, {RFENCE, 2, 5, 0, -3}, {RFENCE, 3, 1, 0, -2},
	    {RFENCE, 1, 1ULL << OWN_HART, 0, 0}, {RFENCE, 0, 0, -1ULL, 0}, {RFENCE, 1, 2, 0, -3},
	    {0x53525354, 0, 3, 0, -3}, {0x53525354, 0, -1ULL, 0, -3}, {0x53525354, 0, 0, 2, -3}, {0x53525354, 0, 0, 0xefffffff, -3},
	    {0x53525354, 0, 0, 1ULL << 32, -3}, {0x53525354, 0, 1ULL << 32, 0, -3}, {0x53525354, 1, 0, 0, -2},
	    {0x53525354, 0, 7, 0xf0000001, -3}, {0x3, 0, 0, 0, -2}, {0x4, 0, -1ULL, 0, -2}, {0x5, 0, -1ULL, 0, -2}, {0x7, 0, 0, 0, -2},
	    {0xf, 0, 0, 0, -2}, {0x4442434e, 0, 0, 0, -2}, {0x08ffffff, 0, 0, 0, -2}, {0x10, 7, 0, 0, -2},
	    {TRAPEZE_CELL_EXTENSION, 3, 2, 0, CELL_ERROR(-2)}, {TRAPEZE_CELL_EXTENSION, 2, 0, 0, CELL_ERROR(-3)},
	    {TRAPEZE_CELL_EXTENSION, 1, -1ULL, 0, CELL_ERROR(-3)}, {TRAPEZE_CELL_EXTENSION, 0, 1, 0, CELL_ERROR(-3)},
#ifdef IS_CELL
	    {TRAPEZE_CELL_EXTENSION, 0, 2, 0, -4}, {TRAPEZE_CELL_EXTENSION, 1, 2, 0, -4}, {TRAPEZE_CELL_EXTENSION, 2, 2, 0, -4},
#endif
	};

	for (unsigned int i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		const struct call *const one = &calls[i];

		expect(300 + i, (uint64_t)sbi_call(one->extension, one->function, one->first, one->second).error, (uint64_t)one->error);
	}
	expect(390, TRY("csrr t1, mstatus", 0), 2);
	expect(391, TRY("csrw pmpaddr0, t1", 0), 2);
	expect(392, TRY("csrw mtvec, t1", 0), 2);
	expect(393, TRY("mret", 0), 2);
	/* To itself: pending and then no more. */
	expect(394, (uint64_t)sbi_call(IPI, 0, 0, -1ULL).error, 0);
	__asm__ volatile("csrci sip, 2");
}

static uint64_t tables[3][512] __attribute__((aligned(4096)));
static uint16_t code[2][2048] __attribute__((aligned(4096)));

#define ENTRY(address, bits) ((uint64_t)(address) >> 2 | (bits))
enum { V = 1, RW = 0xc7, X = 0xc9, RWX = 0xcf };
#define MAPPED(page) (0x40000000ULL + 0x1000ULL * (page))

/* Runs lw t1, 0(t2) at an address, by its address in t2. */
#define LOAD_AT(place, address) \
	({ register uint64_t t2_ __asm__("a7") = (uint64_t)(address); \
	   __asm__ volatile("" : "+r"(t2_)); \
	   TRY("mv t2, a7\n\tjalr ra, 0(%1)", place); })

static void attack_tables(void)
{
	const uint64_t devices = TRAPEZE_PLIC_BASE;

	tables[0][0] = ENTRY(0, RWX);
	tables[0][1] = ENTRY((uint64_t)tables[1], V);
	tables[0][2] = ENTRY(0x80000000, RWX);
	tables[0][3] = ENTRY(0x80000000, V); /* the hypervisor's memory, the PLIC, and the other guest's memory, as tables */
	tables[0][4] = ENTRY(devices + PAGE(OWN_CONTEXT), V);
	tables[0][5] = ENTRY(OTHER_BASE, V);
	tables[1][0] = ENTRY((uint64_t)tables[2], V);
	tables[1][1] = ENTRY(0x80000000, RWX); /* large pages */
	tables[1][2] = ENTRY(0x0c000000, RWX);
	tables[1][3] = ENTRY(TRAPEZE_CLINT_BASE, RWX);
	tables[2][0] = ENTRY(devices + PAGE(OWN_CONTEXT), RW);
	tables[2][1] = ENTRY(devices + PAGE(OWN_CONTEXT ^ 2), RWX);
	tables[2][2] = ENTRY(0x80000000, RWX);
	tables[2][3] = ENTRY(OTHER_BASE, RWX);
	tables[2][4] = ENTRY(devices, RW);
	tables[2][5] = ENTRY((uint64_t)code[0], X);
	tables[2][6] = ENTRY((uint64_t)code[1], X);
	tables[2][7] = ENTRY(devices, V | 0xc2);	/* reads alone */
	static const uint16_t load[] = {0xa303, 0x0003, 0x8082}; /* lw t1, 0(t2); ret */

	for (unsigned int i = 0; i < 3; i++) {
		code[0][16 + i] = load[i];
		(&code[0][0])[2047 + i] = load[i];
	}
	__asm__ volatile("fence.i\n\tsfence.vma\n\tcsrw satp, %0\n\tsfence.vma" : : "r"(8ULL << 60 | (uint64_t)tables[0] >> 12) : "memory");
	for (unsigned int i = 0; i < 3; i++) {
		refused(400, 0xc0000000 + 0x1000 * i);
		refused(401, 0x100000000 + 0x40000000 + 0x200000 * i);
	}
	refused(402, 0x100000000);
	refused(403, MAPPED(2));
	refused(404, MAPPED(3));
	refused(405, 0x40200000);
	refused(406, 0x40600000);
	refused(407, 0x80000000);
	refused(408, OTHER_BASE);
	expect(409, TRY("lw t1, 4(%1)", MAPPED(0)), 0);
	expect(410, TRY("lw t1, 4(%1)\n\tmv t0, t1", MAPPED(1)), 0);
	expect(411, TRY("sw t1, 4(%1)", MAPPED(1)), 0);
	refused_but_words(412, MAPPED(1));
	for (uint32_t source = 1; source < 32; source++) {
		volatile uint32_t *const small = (volatile uint32_t *)MAPPED(4), *const large = (volatile uint32_t *)0x40400000;

		small[source] = 5;
		expect(420, large[source], OWN_SOURCE(source) ? 5 : 0);
		expect(421, ((volatile uint32_t *)MAPPED(7))[source], OWN_SOURCE(source) ? 5 : 0);
		small[source] = 0;
	}
	expect(422, TRY("sw t1, 0(%1)", MAPPED(7)), 15);
	expect(423, LOAD_AT(MAPPED(5) + 32, MAPPED(4)), 0);
	expect(424, LOAD_AT(MAPPED(5) + 4094, MAPPED(4)), 0);
	tables[2][6] = 0; /* the second half has no page any more, which the hart need not know */
	(void)LOAD_AT(MAPPED(5) + 4094, MAPPED(4));
	__asm__ volatile("sfence.vma");
	expect(425, LOAD_AT(MAPPED(5) + 4094, MAPPED(4)), 12);
	__asm__ volatile("csrw satp, zero\n\tsfence.vma");
}

static void attack(void)
{
	for (unsigned int i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		refused(i + 1, foreign[i]);
	}
	/* Across a border, from what is its own. */
	expect(90, TRY("ld t1, -4(%1)", OWN_BASE), LOAD);
	expect(91, TRY("sd t1, -4(%1)", OWN_BASE), STORE);
	expect(92, TRY("sw t1, -2(%1)", OWN_END), STORE);
	expect(93, TRY("ld t1, -4(%1)", OWN_END), LOAD);
	expect(94, TRY("lw t1, 0(%1)", OWN_END - 4), 0);
	attack_plic();
	attack_calls();
	attack_tables();
}

#endif /* ATTEMPTS_H_ */
