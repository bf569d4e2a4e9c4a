/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: Each hart has a reservation of its own, which ends by another hart's writes to the word and by no other
  access of that hart
config: [duo]
expect: |
  PASS
*/
#include <trapeze/spin_lock.h>

#include "atomic_test.h"
#include "on_all.h"

/* Action of a hart in its turn. */
enum action {
	LR,
	SC,
	LOAD,
	STORE,
	STORE_BYTE,
	AMO_ADD
};

/* The two words of the test. */
enum {
	X,
	Y
};

struct turn {
	unsigned int hart; /* 0 or 1; in the second pass the numbers are exchanged */
	enum action action;
	unsigned int word;
	uint32_t result; /* expected result of an SC: 0 if it succeeds, 1 if it fails */
};

/* Each line tests a rule. If a reservation is left at the end of a line, the hart's next LR moves it. */
/* clang-format off */
static const struct turn turns[] = {
	/* Two harts that reserve different words do not affect each other, in whichever order they store. */
	{0, LR, X, 0}, {1, LR, Y, 0}, {0, SC, X, 0}, {1, SC, Y, 0},
	{0, LR, X, 0}, {1, LR, Y, 0}, {1, SC, Y, 0}, {0, SC, X, 0},
	/* If two harts reserve the same word, the first store-conditional succeeds. */
	{0, LR, X, 0}, {1, LR, X, 0}, {0, SC, X, 0}, {1, SC, X, 1},
	{0, LR, X, 0}, {1, LR, X, 0}, {1, SC, X, 0}, {0, SC, X, 1},
	/* The hart that failed may try again. */
	{0, LR, X, 0}, {0, SC, X, 0},
	/* Every kind of write to the word ends a reservation ... */
	{0, LR, X, 0}, {1, STORE, X, 0}, {0, SC, X, 1},
	{0, LR, X, 0}, {1, STORE_BYTE, X, 0}, {0, SC, X, 1},
	{0, LR, X, 0}, {1, AMO_ADD, X, 0}, {0, SC, X, 1},
	/* ... and a write to another word does not. */
	{0, LR, X, 0}, {1, STORE, Y, 0}, {0, SC, X, 0},
	{0, LR, X, 0}, {1, STORE_BYTE, Y, 0}, {0, SC, X, 0},
	{0, LR, X, 0}, {1, AMO_ADD, Y, 0}, {0, SC, X, 0},
	/* A hart cannot use the reservation of another one, and an SC that fails writes nothing. */
	{0, LR, X, 0}, {1, SC, X, 1}, {0, SC, X, 0},
	{0, LR, X, 0}, {1, LR, Y, 0}, {1, SC, X, 1}, {0, SC, X, 0}, {1, SC, Y, 1},
	/* A read does not end a reservation. */
	{0, LR, X, 0}, {1, LOAD, X, 0}, {0, SC, X, 0},
	{0, LR, X, 0}, {1, LR, X, 0}, {0, LR, X, 0}, {1, SC, X, 0}, {0, SC, X, 1},
};
/* clang-format on */

#define TURNS    (sizeof(turns) / sizeof(turns[0]))
#define CONTESTS 40U

struct outcome {
	uint32_t result; /* result of an SC */
	uint32_t value;  /* value of the word after the action */
};

TZ_SHARED static volatile uint32_t words[2];
TZ_SHARED static uint32_t now; /* number of the current turn */
TZ_SHARED static struct outcome outcomes[2U * TURNS];
TZ_SHARED static struct barrier together;
TZ_SHARED static uint32_t won[CONTESTS][2];
TZ_SHARED static uint32_t left[CONTESTS]; /* value of the word after the contest */

/* A value that no other turn writes, neither as a word nor as a byte, because QEMU compares values instead of tracking
 * writes.
 */
static uint32_t value_of(uint32_t number)
{
	return 0x100U + number;
}

static struct outcome take(const struct turn *turn, uint32_t number)
{
	volatile uint32_t *word = &words[turn->word];
	struct outcome outcome = {0U, 0U};

	switch (turn->action) {
	case LR:
		(void)lr(word);
		break;
	case SC:
		outcome.result = sc(word, value_of(number));
		break;
	case LOAD:
		break;
	case STORE:
		*word = value_of(number);
		break;
	case STORE_BYTE:
		*(volatile uint8_t *)word = (uint8_t)value_of(number);
		break;
	case AMO_ADD:
		(void)AMO("amoadd.w", word, 0x1000U);
		break;
	}
	outcome.value = *word;
	return outcome;
}

/* Takes the turns as they are written, then with the numbers of the harts exchanged. */
static void take_turns(unsigned int self)
{
	for (uint32_t number = 0U; number < 2U * TURNS; number++) {
		const struct turn *turn = &turns[number % TURNS];

		if ((turn->hart ^ (number / TURNS)) == self) {
			outcomes[number] = take(turn, number);
			__atomic_store_n(&now, number + 1U, __ATOMIC_RELEASE);
		}
		while (__atomic_load_n(&now, __ATOMIC_ACQUIRE) <= number) {
		}
	}
}

/* Both harts have reserved the same word and store at about the same time. */
static void contest(unsigned int self)
{
	for (uint32_t round = 0U; round < CONTESTS; round++) {
		uint32_t delay = round % 2U == self ? round / 2U : 0U;

		(void)lr(&words[X]);
		barrier_wait(&together, 2U);
		while (delay-- != 0U) {
			__asm__ volatile("nop");
		}
		won[round][self] = sc(&words[X], 2U * round + self) == 0U ? 1U : 0U;
		barrier_wait(&together, 2U);
		left[round] = words[X];
		barrier_wait(&together, 2U);
	}
}

static void both(void *arg)
{
	(void)arg;
	if (hart_id() < 2U) {
		take_turns(hart_id());
		contest(hart_id());
	}
}

static void check_turns(void)
{
	uint32_t values[2] = {0U, 0U};

	for (uint32_t number = 0U; number < 2U * TURNS; number++) {
		const struct turn *turn = &turns[number % TURNS];
		uint32_t *value = &values[turn->word];

		if (turn->action == AMO_ADD) {
			*value += 0x1000U;
		} else if (turn->action == STORE_BYTE) {
			*value = (*value & ~0xffU) | (uint8_t)value_of(number);
		} else if (turn->action == STORE || (turn->action == SC && turn->result == 0U)) {
			*value = value_of(number);
		}
		if (outcomes[number].result != turn->result || outcomes[number].value != *value) {
			console_puts("turn ");
			console_put_hex(number);
			console_putc('\n');
		}
		CHECK_EQ(outcomes[number].result, turn->result);
		CHECK_EQ(outcomes[number].value, *value);
	}
}

static void check_contests(void)
{
	for (uint32_t round = 0U; round < CONTESTS; round++) {
		CHECK_EQ(won[round][0] + won[round][1], 1U);
		CHECK_EQ(left[round], 2U * round + won[round][1]);
	}
}

int main(void)
{
	test_begin();
	run_on_all(both);
	hart_wait(1U);
	check_turns();
	check_contests();
	return test_end();
}
