/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * What LiteX's software asks of a CPU. Trapeze has no caches.
 */
#ifndef __SYSTEM_H
#define __SYSTEM_H

#include <csr-defs.h>

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((unused)) static void flush_cpu_icache(void)
{
	__asm__ volatile("fence.i" : : : "memory");
}

__attribute__((unused)) static void flush_cpu_dcache(void)
{
}

void flush_l2_cache(void);

void busy_wait(unsigned int ms);
void busy_wait_us(unsigned int us);

#define csrr(reg)                                                                                  \
	({                                                                                         \
		unsigned long __value;                                                             \
		__asm__ volatile("csrr %0, " #reg : "=r"(__value));                                \
		__value;                                                                           \
	})

#define csrw(reg, value) ({ __asm__ volatile("csrw " #reg ", %0" : : "rK"(value) : "memory"); })
#define csrs(reg, bits)  ({ __asm__ volatile("csrs " #reg ", %0" : : "rK"(bits) : "memory"); })
#define csrc(reg, bits)  ({ __asm__ volatile("csrc " #reg ", %0" : : "rK"(bits) : "memory"); })

#ifdef __cplusplus
}
#endif

#endif
