/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Kernels of address translation: pointers and jumps from page to page, in supervisor mode with Sv39. Each runs with n
 * rounds and with 2n, after warming up. Results: n, and the differences in cycles and in instructions between the two.
 *
 * A kernel touches one line of each of its pages, each in another set of the caches, so that up to 64 pages cost nothing
 * but their translation.
 */
#include <trapeze/isa.h>
#include <trapeze/map.h>

#include "../platform.h"

#define PAGE       4096U
#define LINE       64U
#define LINES      (PAGE / LINE)
#define ENTRIES    512U /* of a table */
#define SUPERPAGE  ((uint64_t)PAGE * ENTRIES)
#define GIGAPAGE   (SUPERPAGE * ENTRIES)
#define FRAMES     4096U
#define LEAVES     32U /* leaf tables: 64 MiB of virtual memory */
#define SUPERPAGES 16U

#define SATP_SV39   (8ULL << 60)
#define PTE_POINTER 0x01U
#define PTE_LEAF    0xcfU /* valid, readable, writable, executable, accessed, dirty */
#define PMP_ALL     (PMPCFG_A_NAPOT | PMPCFG_R | PMPCFG_W | PMPCFG_X)

/* Virtual memory: main memory itself by one page of 1 GiB; FRAMES by pages of 4 KiB; main memory by pages of 2 MiB. */
#define SMALL (0x80ULL * GIGAPAGE)
#define SUPER (0x81ULL * GIGAPAGE)

/* Instructions that the code's pages consist of. */
#define ADDI_A0_LESS_1 0xfff50513U
#define BNEZ_A0_OVER   0x00051463U /* over the next one */
#define RET            0x00008067U
#define AUIPC_T0       0x00000297U
#define JR_T0          0x00028067U

/* Where a kernel's pages are, one from the next. */
enum layout {
	PLAIN,      /* in the page of 1 GiB, in the frames that NEAR has */
	PLAIN_COLD, /* in the page of 1 GiB, in the frames that COLD has */
	NEAR,       /* in the next page */
	APART,      /* four pages on: an entry of Rocket's TLB holds four pages */
	COLD,       /* eight pages on: each translation is in another line of the data cache */
	FAR, /* a little more than 2 MiB on: each is in another table, its translation in another set of the data cache */
	LARGE, /* in the next page of 2 MiB */
};

enum what {
	DATA,
	FENCED,
	CODE,
};

struct kernel {
	const char *name;
	enum what what;
	enum layout layout;
	uint64_t pages; /* a power of two */
};

static const struct kernel kernels[] = {
    {"data-plain-64", DATA, PLAIN, 64},
    {"data-near-4", DATA, NEAR, 4},
    {"data-near-8", DATA, NEAR, 8},
    {"data-near-16", DATA, NEAR, 16},
    {"data-near-32", DATA, NEAR, 32},
    {"data-near-64", DATA, NEAR, 64},
    {"data-apart-4", DATA, APART, 4},
    {"data-apart-8", DATA, APART, 8},
    {"data-apart-16", DATA, APART, 16},
    {"data-apart-32", DATA, APART, 32},
    {"data-far-4", DATA, FAR, 4},
    {"data-far-8", DATA, FAR, 8},
    {"data-far-16", DATA, FAR, 16},
    {"data-far-32", DATA, FAR, 32},
    {"data-super-2", DATA, LARGE, 2},
    {"data-super-4", DATA, LARGE, 4},
    {"data-super-8", DATA, LARGE, 8},
    {"data-super-16", DATA, LARGE, 16},
    {"data-plain-512", DATA, PLAIN_COLD, 512},
    {"data-cold-512", DATA, COLD, 512},
    {"fence-plain-4", FENCED, PLAIN, 4},
    {"fence-near-4", FENCED, NEAR, 4},
    {"fence-apart-4", FENCED, APART, 4},
    {"fence-far-4", FENCED, FAR, 4},
    {"fence-super-4", FENCED, LARGE, 4},
    {"code-plain-4", CODE, PLAIN, 4},
    {"code-plain-8", CODE, PLAIN, 8},
    {"code-plain-16", CODE, PLAIN, 16},
    {"code-plain-32", CODE, PLAIN, 32},
    {"code-plain-64", CODE, PLAIN, 64},
    {"code-near-4", CODE, NEAR, 4},
    {"code-near-8", CODE, NEAR, 8},
    {"code-near-16", CODE, NEAR, 16},
    {"code-near-32", CODE, NEAR, 32},
    {"code-near-64", CODE, NEAR, 64},
    {"code-apart-4", CODE, APART, 4},
    {"code-apart-8", CODE, APART, 8},
    {"code-apart-16", CODE, APART, 16},
    {"code-apart-32", CODE, APART, 32},
    {"code-far-8", CODE, FAR, 8},
    {"code-far-16", CODE, FAR, 16},
    {"code-super-2", CODE, LARGE, 2},
    {"code-super-4", CODE, LARGE, 4},
    {"code-super-8", CODE, LARGE, 8},
};

typedef uint64_t run_function(uint64_t rounds, uint64_t at, uint64_t entry);

/** Runs a function in supervisor mode (supervisor.S). */
uint64_t supervise(run_function *run, uint64_t rounds, uint64_t at, uint64_t entry);
run_function chase, chase_fenced, hop;

/** Memory that nothing else uses (program.ld). */
extern unsigned char untouched[];

static uint64_t root[ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t small_pages[ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t superpages[ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t leaves[LEAVES][ENTRIES] __attribute__((aligned(PAGE)));

static uint64_t entry(uint64_t address, uint64_t bits)
{
	return address >> 12 << 10 | bits;
}

/** The first frame, where a page of 2 MiB may begin. */
static uint64_t frames(void)
{
	return ((uint64_t)untouched + SUPERPAGE - 1U) / SUPERPAGE * SUPERPAGE;
}

/** The frame of a small page. Pages of one layout have each a frame of their own. */
static uint64_t frame(uint64_t page)
{
	return frames() + ((page + (page / ENTRIES)) % FRAMES * PAGE);
}

static void make_tables(void)
{
	root[TRAPEZE_DRAM_BASE / GIGAPAGE] =
	    entry(TRAPEZE_DRAM_BASE / GIGAPAGE * GIGAPAGE, PTE_LEAF);
	root[SMALL / GIGAPAGE] = entry((uint64_t)small_pages, PTE_POINTER);
	root[SUPER / GIGAPAGE] = entry((uint64_t)superpages, PTE_POINTER);
	for (uint64_t table = 0; table < LEAVES; table++) {
		small_pages[table] = entry((uint64_t)leaves[table], PTE_POINTER);
		for (uint64_t i = 0; i < ENTRIES; i++) {
			leaves[table][i] = entry(frame((table * ENTRIES) + i), PTE_LEAF);
		}
	}
	for (uint64_t i = 0; i < SUPERPAGES; i++) {
		superpages[i] = entry(frames() + (i * SUPERPAGE), PTE_LEAF);
	}
	__asm__ volatile("csrw pmpaddr0, %0\n csrw pmpcfg0, %1" : : "r"(-1ULL), "r"(PMP_ALL));
	__asm__ volatile("csrw satp, %0\n sfence.vma"
			 :
			 : "r"(SATP_SV39 | (uint64_t)root / PAGE)
			 : "memory");
}

/** A place of a kernel: where supervisor mode sees it, and where it is. */
struct place {
	uint64_t seen;
	uint64_t at;
};

static struct place place(enum layout layout, uint64_t number)
{
	static const uint64_t distances[] = {[PLAIN] = 1, [PLAIN_COLD] = 8, [NEAR] = 1,
					     [APART] = 4, [COLD] = 8,       [FAR] = ENTRIES + 8U};
	const uint64_t offset = number % LINES * LINE;

	if (layout == LARGE) {
		return (struct place){SUPER + (number * SUPERPAGE) + offset,
				      frames() + (number * SUPERPAGE) + offset};
	}

	const uint64_t page = number * distances[layout];
	const uint64_t at = frame(page) + offset;

	return (struct place){
	    layout == PLAIN || layout == PLAIN_COLD ? at : SMALL + (page * PAGE) + offset, at};
}

/** Links the places to a ring, in an order without a stride; with a power of two it goes through all of them. */
static void link_data(const struct kernel *kernel)
{
	for (uint64_t i = 0; i < kernel->pages; i++) {
		const uint64_t next = ((i * 1664525U) + 1013904223U) & (kernel->pages - 1U);

		*(uint64_t *)place(kernel->layout, i).at = place(kernel->layout, next).seen;
	}
}

/** Writes a jump to each place, from the last one to the first, which counts. */
static void link_code(const struct kernel *kernel)
{
	for (uint64_t i = 0; i < kernel->pages; i++) {
		const struct place here = place(kernel->layout, i);
		uint32_t *code = (uint32_t *)here.at;

		if (i == 0U) {
			*code++ = ADDI_A0_LESS_1;
			*code++ = BNEZ_A0_OVER;
			*code++ = RET;
		}

		const uint64_t from = here.seen + ((uint64_t)code - here.at);
		const uint32_t far =
		    (uint32_t)(place(kernel->layout, (i + 1U) & (kernel->pages - 1U)).seen - from);

		code[0] = AUIPC_T0 | ((far + 0x800U) & 0xfffff000U);
		code[1] = JR_T0 | far << 20;
	}
	__asm__ volatile("fence.i" : : : "memory");
}

static void measure(const struct kernel *kernel)
{
	static run_function *const runs[] = {[DATA] = chase, [FENCED] = chase_fenced, [CODE] = hop};
	const uint64_t rounds = kernel->pages > LINES ? kernel->pages / 8U : 32U;
	const uint64_t first = place(kernel->layout, 0).seen;
	uint64_t spent[2];
	uint64_t executed[2];

	if (kernel->what == CODE) {
		link_code(kernel);
	} else {
		link_data(kernel);
	}

	uint64_t at = supervise(runs[kernel->what], 2U * rounds, first, first);

	/* The second pair counts: predictors and caches are as the first one left them. */
	for (unsigned int i = 0; i < 4U; i++) {
		uint64_t first_instruction = instructions();
		uint64_t first_cycle = cycles();

		at = supervise(runs[kernel->what], rounds << (i & 1U), at, first);
		spent[i & 1U] = cycles() - first_cycle;
		executed[i & 1U] = instructions() - first_instruction;
	}
	result(kernel->name, rounds, spent[1] - spent[0], executed[1] - executed[0]);
}

int main(void)
{
	make_tables();
	for (unsigned int i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		measure(&kernels[i]);
	}
	return 0;
}
