/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Formulas in text that are read by recursion, one function for each rule, and worked out. */
#include "../platform.h"
#include "../whole.h"

#define FORMULAS 70
#define LENGTH   16000

static char text[LENGTH];
static unsigned int length;

static void write_formula(uint64_t *state, unsigned int depth)
{
	uint64_t value = random_next(state);

	if (depth == 0 || value % 5U == 0U) {
		for (unsigned int digits = 1U + ((value >> 8) % 4U); digits > 0; digits--) {
			text[length++] = (char)('1' + ((value >> (4U * digits)) % 9U));
		}
		return;
	}
	if (value % 5U == 1U) {
		text[length++] = '-';
	}
	text[length++] = '(';
	write_formula(state, depth - 1);
	text[length++] = "+-*/%+-*"[(value >> 16) % 8U];
	write_formula(state, depth - 1);
	if (value % 5U > 2U) {
		text[length++] = "+*"[value % 2U];
		text[length++] = ' ';
		write_formula(state, depth - 1);
	}
	text[length++] = ')';
}

void prepare(void)
{
	uint64_t state = 0x8eb44a8768581511U;

	for (unsigned int i = 0; i < FORMULAS && length + 1200 < LENGTH; i++) {
		write_formula(&state, 4);
		text[length++] = '\n';
	}
	text[length] = '\0';
}

static const char *at;

static int64_t sum(void);

static void skip_spaces(void)
{
	while (*at == ' ') {
		at++;
	}
}

static int64_t atom(void)
{
	skip_spaces();
	if (*at == '-') {
		at++;
		return -atom();
	}
	if (*at == '(') {
		at++;

		int64_t value = sum();

		at += *at == ')';
		return value;
	}

	int64_t value = 0;

	while (*at >= '0' && *at <= '9') {
		value = (value * 10) + (*at++ - '0');
	}
	return value;
}

static int64_t product(void)
{
	int64_t value = atom();

	for (;;) {
		skip_spaces();

		char operation = *at;

		if (operation != '*' && operation != '/' && operation != '%') {
			return value;
		}
		at++;

		int64_t other = atom();

		if (operation == '*') {
			value = (int64_t)((uint64_t)value * (uint64_t)other) >> 2;
		} else if (other > 0) {
			value = operation == '/' ? value / other : value % other;
		}
	}
}

static int64_t sum(void)
{
	int64_t value = product();

	for (;;) {
		skip_spaces();

		char operation = *at;

		if (operation != '+' && operation != '-') {
			return value;
		}
		at++;

		uint64_t other = (uint64_t)product();

		value =
		    (int64_t)(operation == '+' ? (uint64_t)value + other : (uint64_t)value - other);
	}
}

uint64_t work(void)
{
	uint64_t checksum = 0;

	for (at = text; *at != '\0'; at++) {
		checksum = (checksum * 5U) + (uint64_t)sum();
	}
	return checksum;
}
