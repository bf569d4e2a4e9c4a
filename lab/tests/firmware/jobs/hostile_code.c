/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Code of jobs at random: pieces of a few instructions, most of which do what a job may not do. */
#include <trapeze/map.h>

#include "hostile_code.h"

/* Formats of instructions. Source: RISC-V Unprivileged Architecture, chapter 2. */
#define U_TYPE(opcode, rd, upper) ((upper)&0xfffff000U) | (rd) << 7 | (opcode)
#define I_TYPE(opcode, rd, funct, rs, im)                                                          \
	((im)&0xfffU) << 20 | (rs) << 15 | (funct) << 12 | (rd) << 7 | (opcode)
#define S_TYPE(funct, rs, from, im)                                                                \
	((im) >> 5 & 0x7fU) << 25 | (from) << 20 | (rs) << 15 | (funct) << 12 |                    \
	    ((im)&0x1fU) << 7 | 0x23U
#define LUI      0x37U
#define ADDI     0x13U
#define LOAD     0x03U
#define JALR     0x67U
#define SYSTEM   0x73U
#define CBO      0x0fU
#define RET      0x00008067U
#define LOOP     0x0000006fU /* j . */
#define TAKE     0x80010113U /* addi sp, sp, -2048 */
#define PUSH     0x00512023U /* sw t0, 0(sp) */
#define BACK_TWO 0xff9ff06fU /* j .-8 */

#define T0    5U
#define WIDTH (__riscv_xlen == 64 ? 4U : 3U) /* kinds of accesses: 1, 2, 4 and 8 bytes */

static uint32_t *next; /* where the next instruction goes */

static void add(uint32_t instruction)
{
	*next++ = instruction;
}

static uint32_t place_at_random(const struct trapeze_ring_job *job)
{
	static const uint32_t some[] = {TRAPEZE_RING_BASE,
					TRAPEZE_DMEM_BASE,
					TRAPEZE_IMEM_BASE,
					TRAPEZE_SMEM_BASE,
					TRAPEZE_CLINT_BASE,
					TRAPEZE_UART_BASE,
					TRAPEZE_HOST_BASE,
					TRAPEZE_DRAM_BASE,
#ifdef TRAPEZE_MAILBOX_A_BASE
					TRAPEZE_MAILBOX_A_BASE,
					TRAPEZE_MAILBOX_B_BASE,
					TRAPEZE_CLIC_BASE,
#endif
					0};
	const struct trapeze_ring_region *one = &job->regions[hostile_dice(job->count)];

	switch (hostile_dice(4)) {
	case 0:
		return some[hostile_dice(sizeof(some) / sizeof(some[0]))] + hostile_dice(0x4000);
	case 1: /* about its end */
		return (uint32_t)one->address + one->bytes + hostile_dice(32) - 16U;
	case 2:
		return (uint32_t)one->address + hostile_dice(one->bytes);
	default: /* about the server's words, and anywhere */
		return hostile_dice(2) != 0
			   ? TRAPEZE_RING_BASE + hostile_dice(sizeof(struct trapeze_ring))
			   : hostile_dice(UINT32_MAX);
	}
}

/* Into t0, without its sign. */
static void load_address(uint32_t address)
{
	add(U_TYPE(LUI, T0, address + 0x800U));
	add(I_TYPE(ADDI, T0, 0U, T0, address));
#if __riscv_xlen == 64
	add(I_TYPE(ADDI, T0, 1U, T0, 32U)); /* slli */
	add(I_TYPE(ADDI, T0, 5U, T0, 32U)); /* srli */
#endif
}

static void piece(const struct trapeze_ring_job *job)
{
	const uint32_t any = 5U + hostile_dice(27);

	switch (hostile_dice(12)) {
	case 0:
	case 1:
		load_address(place_at_random(job));
		add(S_TYPE(hostile_dice(WIDTH), T0, any, 0U));
		break;
	case 2:
		load_address(place_at_random(job));
		add(I_TYPE(LOAD, any, hostile_dice(WIDTH), T0, 0U));
		break;
	case 3:
		load_address(place_at_random(job));
		add(I_TYPE(JALR, 1U, 0U, T0, 0U));
		break;
	case 4:
		add(LOOP);
		break;
	case 5:
		add(TAKE);
		add(PUSH);
		add(BACK_TWO);
		break;
	case 6: /* ecall, ebreak, mret, wfi, any CSR */
		add(I_TYPE(SYSTEM, any, hostile_dice(8), hostile_dice(32), hostile_dice(4096)));
		break;
	case 7: /* an operation on a cache block */
		load_address(place_at_random(job));
		add(I_TYPE(CBO, 0U, 2U, T0, hostile_dice(5)));
		break;
	case 8:
		add(I_TYPE(ADDI, hostile_dice(32), hostile_dice(8), hostile_dice(32),
			   hostile_dice(4096)));
		break;
	case 9:
		add(hostile_dice(UINT32_MAX));
		break;
	case 10:
		add(0x10500073U); /* wfi */
		break;
	default:
		add(RET);
	}
}

void hostile_code(uint32_t code[HOSTILE_CODE], const struct trapeze_ring_job *job)
{
	uint32_t *const last = code + HOSTILE_CODE - 1;

	next = code;
	while (next < last - 6) {
		piece(job);
	}
	while (next <= last) {
		add(RET);
	}
}
