/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

#include "compute.h"

enum state {
	STATE_START,
	STATE_SIGN,
	STATE_INTEGER,
	STATE_POINT,
	STATE_FRACTION,
	STATE_EXPONENT,
	STATE_EXPONENT_SIGN,
	STATE_SCIENTIFIC,
	STATE_HEX_PREFIX,
	STATE_HEX,
	STATE_INVALID,
	STATE_COUNT,
};

static const char text[] =
    "5012,+33,-874,0x1f3a,7.25,.5,12.,-0.004,1e9,6.02E+23,x12,0xg,--4,3.1.4,99e,"
    "+,1e-,0x,271828,-1.6e-19,0xDEAD,42,,8.854,tea,0e0,77777777,-.25e+3";

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static enum state step(enum state state, char c, char previous)
{
	switch (state) {
	case STATE_START:
		if (c == '+' || c == '-') {
			return STATE_SIGN;
		}
		/* fall through */
	case STATE_SIGN:
		if (is_digit(c)) {
			return STATE_INTEGER;
		}
		return c == '.' ? STATE_POINT : STATE_INVALID;
	case STATE_INTEGER:
		if (is_digit(c)) {
			return STATE_INTEGER;
		}
		if (c == '.') {
			return STATE_FRACTION;
		}
		if (c == 'e' || c == 'E') {
			return STATE_EXPONENT;
		}
		return c == 'x' && previous == '0' ? STATE_HEX_PREFIX : STATE_INVALID;
	case STATE_POINT:
		return is_digit(c) ? STATE_FRACTION : STATE_INVALID;
	case STATE_FRACTION:
		if (is_digit(c)) {
			return STATE_FRACTION;
		}
		return c == 'e' || c == 'E' ? STATE_EXPONENT : STATE_INVALID;
	case STATE_EXPONENT:
		if (c == '+' || c == '-') {
			return STATE_EXPONENT_SIGN;
		}
		/* fall through */
	case STATE_EXPONENT_SIGN:
	case STATE_SCIENTIFIC:
		return is_digit(c) ? STATE_SCIENTIFIC : STATE_INVALID;
	case STATE_HEX_PREFIX:
	case STATE_HEX:
		return is_hex(c) ? STATE_HEX : STATE_INVALID;
	default:
		return STATE_INVALID;
	}
}

/* Classifies every field of the text and counts the states on the way and at the ends. */
static uint32_t classify(const char *p)
{
	uint32_t visits[STATE_COUNT] = {0};
	uint32_t finals[STATE_COUNT] = {0};
	uint32_t total = 0;
	enum state state = STATE_START;
	char previous = ',';

	for (;; p++) {
		if (*p == ',' || *p == '\0') {
			finals[state]++;
			state = STATE_START;
			if (*p == '\0') {
				break;
			}
		} else {
			state = step(state, *p, previous);
			visits[state]++;
		}
		previous = *p;
	}
	for (unsigned int i = 0; i < STATE_COUNT; i++) {
		total = (total * 31U) + visits[i] + (finals[i] << 8);
	}
	return total;
}

uint32_t machine_kernel(uint32_t seed)
{
	static char work[sizeof(text)];
	uint32_t state = seed | 1U;
	uint32_t total = 0;

	for (size_t i = 0; i < sizeof(text); i++) {
		work[i] = text[i];
	}
	/* Each round damages a few more characters, so that the input depends on the seed. */
	for (unsigned int round = 0; round < 5U; round++) {
		for (unsigned int i = 0; i < 6U; i++) {
			work[random_next(&state) % (sizeof(text) - 1U)] = "0.,ex-"[i];
		}
		total ^= classify(work) << round;
	}
	return total;
}
