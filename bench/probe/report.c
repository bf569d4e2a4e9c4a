/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Samples and statistics as text. */
#include <stdio.h>
#include <stdlib.h>

#include <trapeze/console.h>

#include "report.h"

#define PER_LINE 16U

/** CRC-32 of IEEE 802.3, reflected. */
static uint32_t crc32_byte(uint32_t crc, uint32_t byte)
{
	crc ^= byte;
	for (unsigned int bit = 0; bit < 8U; bit++) {
		crc = (crc >> 1) ^ ((crc & 1U) != 0U ? 0xedb88320U : 0U);
	}
	return crc;
}

void report_samples(const char *name, const uint16_t *samples, uint32_t count)
{
	uint32_t crc = 0xffffffffU;

	printf("samples %s %lu\n", name, (unsigned long)count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t value = samples[i];

		for (int shift = 12; shift >= 0; shift -= 4) {
			console_putc("0123456789abcdef"[(value >> shift) & 15U]);
		}
		console_putc(i % PER_LINE == PER_LINE - 1U || i == count - 1U ? '\n' : ' ');
		crc = crc32_byte(crc32_byte(crc, value & 0xffU), value >> 8);
	}
	printf("crc32 0x%08lx\n", (unsigned long)~crc);
}

static int ascending(const void *left, const void *right)
{
	return (int)*(const uint16_t *)left - (int)*(const uint16_t *)right;
}

/** The square root to two digits behind the point, in hundredths. */
static uint32_t root_hundredths(double value)
{
	uint64_t square = (uint64_t)(value * 10000.0);
	uint32_t root = 0;

	for (uint32_t bit = 1U << 31; bit != 0U; bit >>= 1) {
		uint64_t tried = root | bit;

		if (tried * tried <= square) {
			root |= bit;
		}
	}
	return root;
}

void report_heading(void)
{
	printf("%-6s%6s%8s%8s%10s%8s%10s%11s\n", "test", "n", "min", "max", "average", "median",
	       "jitter", "deviation");
}

void report_statistics(const char *name, uint16_t *samples, uint32_t count)
{
	qsort(samples, count, sizeof(samples[0]), ascending);

	uint64_t sum = 0;
	uint64_t squares = 0;

	for (uint32_t i = 0; i < count; i++) {
		sum += samples[i];
		squares += (uint32_t)samples[i] * samples[i];
	}

	/* Equation 4, without a subtraction of rounded values. All terms fit into 64 bits. */
	double variance = (double)(count * squares - sum * sum) / count / (count - 1U);
	double average = (double)sum / count;
	double above = samples[count - 1U] - average;
	double below = average - samples[0];
	double deviation = root_hundredths(variance) / 100.0;

	printf("%-6s%6lu%8u%8u%10.2f%8u%10.2f%11.2f\n", name, (unsigned long)count, samples[0],
	       samples[count - 1U], average, samples[(count - 1U) / 2U],
	       above > below ? above : below, deviation);
}
