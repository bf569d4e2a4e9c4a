/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A fast Fourier transform of numbers with a fixed point: products of 32 bits, accesses at all powers of two. */
#include "../platform.h"
#include "../whole.h"

#define BITS   9
#define POINTS (1U << BITS)
#define TIMES  2

struct number {
	int32_t real, imaginary;
};

static struct number points[POINTS];
static struct number turns[POINTS / 2];

void prepare(void)
{
	const double cosine = 0.99992470183914450, sine = -0.01227153828571993; /* of 2 pi / 512 */
	double x = 1, y = 0;
	uint64_t state = 0x9159015a3070dd17U;

	for (unsigned int i = 0; i < POINTS / 2; i++) {
		double kept = x;

		turns[i].real = (int32_t)(x * 32767);
		turns[i].imaginary = (int32_t)(y * 32767);
		x = (x * cosine) - (y * sine);
		y = (kept * sine) + (y * cosine);
	}
	for (unsigned int i = 0; i < POINTS; i++) {
		points[i].real = (int32_t)(random_next(&state) >> 50) - 8192;
		points[i].imaginary = 0;
	}
}

static struct number product(struct number one, struct number other)
{
	return (struct number){
	    .real = (int32_t)((((int64_t)one.real * other.real) -
			       ((int64_t)one.imaginary * other.imaginary)) >>
			      15),
	    .imaginary = (int32_t)((((int64_t)one.real * other.imaginary) +
				    ((int64_t)one.imaginary * other.real)) >>
				   15),
	};
}

static void reorder(void)
{
	for (unsigned int i = 0, other = 0; i < POINTS; i++) {
		if (i < other) {
			struct number kept = points[i];

			points[i] = points[other];
			points[other] = kept;
		}

		unsigned int bit = POINTS / 2;

		for (; (other & bit) != 0U; bit /= 2) {
			other ^= bit;
		}
		other |= bit;
	}
}

static void transform(void)
{
	reorder();
	for (unsigned int half = 1; half < POINTS; half *= 2) {
		unsigned int step = POINTS / (2 * half);

		for (unsigned int first = 0; first < POINTS; first += 2 * half) {
			for (unsigned int k = 0; k < half; k++) {
				struct number *low = &points[first + k], *high = low + half;
				struct number turned = product(*high, turns[k * step]);

				high->real = (low->real - turned.real) >> 1;
				high->imaginary = (low->imaginary - turned.imaginary) >> 1;
				low->real = (low->real + turned.real) >> 1;
				low->imaginary = (low->imaginary + turned.imaginary) >> 1;
			}
		}
	}
}

uint64_t work(void)
{
	uint64_t checksum = 0;

	for (unsigned int i = 0; i < TIMES; i++) {
		transform();
		for (unsigned int k = 0; k < POINTS; k++) {
			points[k].real <<= 3;
			points[k].imaginary <<= 3;
		}
	}
	for (unsigned int k = 0; k < POINTS; k++) {
		checksum = (checksum * 5U) + (uint32_t)points[k].real;
	}
	return checksum;
}
