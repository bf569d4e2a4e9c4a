/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief What CoreMark's sources ask of a platform, under the name that they include.
 */
#ifndef TRAPEZE_BENCH_TIMING_ACCURACY_CORE_PORTME_H_
#define TRAPEZE_BENCH_TIMING_ACCURACY_CORE_PORTME_H_

#include <stddef.h>
#include <stdint.h>

#define HAS_FLOAT         0
#define HAS_STDIO         0
#define HAS_PRINTF        0
#define MAIN_HAS_NOARGC   1
#define MAIN_HAS_NORETURN 0
#define SEED_METHOD       SEED_VOLATILE
#define MEM_METHOD        MEM_STACK
#define MEM_LOCATION      "STACK"
#define MULTITHREAD       1
#define COMPILER_VERSION  ""
#define COMPILER_FLAGS    ""

/** CoreMark's main() is a function of our program. */
#define main coremark_main

typedef int16_t ee_s16;
typedef uint16_t ee_u16;
typedef int32_t ee_s32;
typedef uint32_t ee_u32;
typedef uint8_t ee_u8;
typedef uintptr_t ee_ptr_int;
typedef size_t ee_size_t;
typedef uint64_t CORE_TICKS;

typedef struct {
	ee_u8 portable_id;
} core_portable;

/** The next multiple of 8, which list nodes need. */
#define align_mem(address) ((void *)(((ee_ptr_int)(address) + 7U) & ~(ee_ptr_int)7U))

extern ee_u32 default_num_contexts;

void portable_init(core_portable *port, int *argc, char *argv[]);
void portable_fini(core_portable *port);
int ee_printf(const char *format, ...);

#endif /* TRAPEZE_BENCH_TIMING_ACCURACY_CORE_PORTME_H_ */
