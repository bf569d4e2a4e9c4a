/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: every load, store and fetch of user mode at the edges of regions of every kind is allowed or refused as the
  specification says, and a refused one changes nothing
config: [mcu-user, mcu-user-e]
engines: [rtl]
qemu: the configurations have no CLINT
expect: |
  PASS
*/
#include "pmp_test.h"

#define SIZE  64U
#define WORDS (SIZE / 4U)
#define RET   0x8082U     /* c.ret */
#define WIDE  0x00008067U /* jalr x0, 0(ra) */

static volatile uint32_t area[3U * WORDS] __attribute__((aligned(4U * SIZE)));

#define AREA ((uint32_t)area + SIZE)

static void nothing(void)
{
}

static uint32_t pattern(uint32_t word)
{
	return 0x01020304U * (word + 1U);
}

static void fill(void)
{
	for (uint32_t word = 0U; word < 3U * WORDS; word++) {
		area[word] = pattern(word);
	}
}

/* The byte of the pattern at an address, little-endian. */
static uint8_t byte_of(uint32_t at)
{
	uint32_t offset = at - (uint32_t)area;

	return (uint8_t)(pattern(offset / 4U) >> (8U * (offset % 4U)));
}

static uint32_t bytes_of(uint32_t at, uint32_t size)
{
	uint32_t value = 0U;

	for (uint32_t k = 0U; k < size; k++) {
		value |= (uint32_t)byte_of(at + k) << (8U * k);
	}
	return value;
}

static void check_load(const struct rows *rows, uint32_t at, uint32_t size, bool open)
{
	uint32_t value = as_user_load(at, size);

	if (user_may(rows, at, size, ROW_R, open)) {
		CHECK_NO_TRAP();
		CHECK_EQ(value, bytes_of(at, size));
	} else {
		CHECK_EQ(trap_last.count, 1U);
		CHECK_EQ(trap_last.mcause, MCAUSE_LOAD_FAULT);
		CHECK_EQ(trap_last.mtval, at);
		CHECK_EQ(value, 0x5a5a1234U);
	}
	trap_clear();
}

static void check_store(const struct rows *rows, uint32_t at, uint32_t size, bool open)
{
	bool may = user_may(rows, at, size, ROW_W, open);
	uint32_t first = (at - (uint32_t)area) / 4U;

	as_user_store(at, size, 0xa5968778U);
	if (may) {
		CHECK_NO_TRAP();
	} else {
		CHECK_EQ(trap_last.count, 1U);
		CHECK_EQ(trap_last.mcause, MCAUSE_STORE_FAULT);
		CHECK_EQ(trap_last.mtval, at);
	}
	trap_clear();
	uint64_t mask = ((1ULL << (8U * size)) - 1U) << (8U * (at % 4U));
	uint64_t old = (uint64_t)pattern(first + 1U) << 32 | pattern(first);
	uint64_t after =
	    may ? (old & ~mask) | (((uint64_t)0xa5968778U << (8U * (at % 4U))) & mask) : old;

	CHECK_EQ(area[first], (uint32_t)after);
	CHECK_EQ(area[first + 1U], (uint32_t)(after >> 32));
	area[first] = pattern(first);
	area[first + 1U] = pattern(first + 1U);
}

/* Each word of an instruction is fetched and checked by itself. */
static void check_fetch(const struct rows *rows, uint32_t at, bool wide)
{
	uint32_t word = at & ~3U;
	bool here = user_may(rows, word, 4U, ROW_X, true);
	bool there = !wide || (at & 2U) == 0U || user_may(rows, word + 4U, 4U, ROW_X, true);
	uint16_t *code = (uint16_t *)area;
	uint32_t place = (at - (uint32_t)area) / 2U;

	if (wide) {
		code[place] = (uint16_t)WIDE;
		code[place + 1U] = (uint16_t)(WIDE >> 16);
	}
	fetch_fence();
	user_run(at);
	if (here && there) {
		CHECK_NO_TRAP();
	} else {
		CHECK_EQ(trap_last.count, 1U);
		CHECK_EQ(trap_last.mcause, MCAUSE_FETCH_FAULT);
		CHECK_EQ(trap_last.mepc, at);
		CHECK_EQ(trap_last.mtval, here ? word + 4U : at);
	}
	trap_clear();
	code[place] = RET;
	code[place + 1U] = RET;
}

static void check(const struct rows *rows, bool open)
{
	rows_write(rows);
	fill();
	open_all(open);
	for (uint32_t at = AREA - 4U; at < AREA + SIZE + 4U; at++) {
		for (uint32_t size = 1U; size <= 4U; size *= 2U) {
			check_load(rows, at, size, open);
			check_store(rows, at, size, open);
		}
	}
	open_all(true);
	for (uint32_t word = 0U; word < 3U * WORDS; word++) {
		area[word] = RET << 16 | RET;
	}
	for (uint32_t at = AREA - 8U; at < AREA + SIZE + 4U; at += 2U) {
		check_fetch(rows, at, false);
		check_fetch(rows, at, true);
	}
}

int main(void)
{
	test_begin();
	open_all(true);
	user_call(nothing); /* sets test_user_exit */
	CHECK_NO_TRAP();

	const struct rows sets[] = {
	    /* No row. */
	    {{0U}, {0U}},
	    /* Rows of kind NA4, one after the other, with different permissions. */
	    {{ROW_NA4 | ROW_RWX, ROW_NA4 | ROW_R, ROW_NA4 | ROW_X, ROW_NA4},
	     {(AREA + 8U) >> 2, (AREA + 12U) >> 2, (AREA + 16U) >> 2, (AREA + 24U) >> 2}},
	    /* NAPOT of 8 bytes and more. The lowest row wins over the rows that contain it. */
	    {{ROW_NAPOT | ROW_R, ROW_NAPOT | ROW_RWX, ROW_NAPOT | ROW_X, ROW_NAPOT},
	     {NAPOT(AREA + 8U, 8U), NAPOT(AREA, 16U), NAPOT(AREA, 32U), NAPOT(AREA, 64U)}},
	    /* TOR: begins at the address of the row before, whatever its kind; an empty row; a row whose end is before
	     * its begin.
	     */
	    {{0U, ROW_TOR | ROW_R | ROW_W, ROW_TOR | ROW_X, ROW_TOR | ROW_RWX},
	     {(AREA + 4U) >> 2, (AREA + 20U) >> 2, (AREA + 20U) >> 2, (AREA + 44U) >> 2}},
	    {{ROW_NA4 | ROW_RWX, ROW_TOR | ROW_R, ROW_TOR | ROW_RWX, ROW_TOR},
	     {(AREA + 28U) >> 2, (AREA + 36U) >> 2, (AREA + 12U) >> 2, (AREA + 48U) >> 2}},
	    /* TOR from zero. */
	    {{ROW_TOR | ROW_RWX, ROW_TOR, ROW_NAPOT | ROW_R | ROW_W, 0U},
	     {(AREA + 4U) >> 2, (AREA + 8U) >> 2, NAPOT(AREA, 64U), 0U}},
	    /* Addresses above 32 bits: TOR up to there contains everything here, a NAPOT region there nothing. */
	    {{ROW_NA4 | ROW_RWX, ROW_NAPOT | ROW_RWX, 0U, ROW_TOR | ROW_R},
	     {0x40000000U | AREA >> 2, 0x80000000U | NAPOT(AREA, 64U), (AREA + 16U) >> 2,
	      0xc0000000U}},
	    /* A row that contains everything, once NAPOT, once TOR. */
	    {{ROW_NAPOT | ROW_R | ROW_X, 0U, 0U, 0U}, {UINT32_MAX, 0U, 0U, 0U}},
	    {{ROW_NAPOT | ROW_RWX, ROW_TOR | ROW_R, 0U, 0U}, {0x1fffffffU, UINT32_MAX, 0U, 0U}},
	};

	for (uint32_t set = 0U; set < sizeof(sets) / sizeof(sets[0]); set++) {
		uint32_t before = test_failures;

		check(&sets[set], set % 2U != 0U);
		if (test_failures != before) {
			CHECK_EQ(set, UINT32_MAX); /* reports the number of the set */
			break;
		}
	}
	return test_end();
}
