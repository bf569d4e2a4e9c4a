/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Output of the firmware: samples for the host, and a table for people (report.c).
 */
#ifndef REPORT_H_
#define REPORT_H_

#include <stdint.h>

/**
 * Prints samples: a line `samples NAME COUNT`, then four hexadecimal digits for each sample, sixteen samples in a line,
 * and a line `crc32 0x........` (zlib's CRC-32 of the samples as little-endian half-words).
 */
void report_samples(const char *name, const uint16_t *samples, uint32_t count);

/** Prints the heading of the table. */
void report_heading(void);

/** Prints a line of the table: the statistics of the paper, in cycles. Sorts the samples, 2 to 40000. */
void report_statistics(const char *name, uint16_t *samples, uint32_t count);

#endif /* REPORT_H_ */
