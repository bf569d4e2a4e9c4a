/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Second interface of an engine that can follow another one instruction by instruction, and that shows its state.
 *
 * A leader executes; for each of its retirement records the follower executes one instruction of its own and says what
 * it did. What depends on time alone comes from the leader: when an interrupt is taken, values read from the cycle
 * counters, mip, mtime and the status of the UART. The follower judges whether the leader was free to do so.
 */
#ifndef TRAPEZE_SIM_KERNEL_FOLLOWER_H
#define TRAPEZE_SIM_KERNEL_FOLLOWER_H

#include "kernel/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this interface. */
#define TZ_FOLLOWER_ABI 4u

/** Name of the exported function, of type tz_follower_get_fn. */
#define TZ_FOLLOWER_ENTRY "tz_follower_get"

/** `line` has `level` from `cycle` on. */
typedef struct tz_line_change {
  uint64_t cycle;
  uint32_t line;
  uint32_t level;
} tz_line_change;

/** An interrupt that the leader has claimed. */
typedef struct tz_follow_claim {
  uint64_t cycle; /**< of the claim */
  uint64_t lines; /**< that the interrupt controller showed in that cycle */
  uint64_t epc;   /**< the interrupted address; of a table entry, if it was being fetched */
  uint16_t id;
  uint8_t level;
  uint8_t chained; /**< 0: taken before the leader's instruction; 1: that instruction, an emret, went on to it */
} tz_follow_claim;

/** What the leader did and what its surroundings were. Lines are bits, bit n is platform line n. */
typedef struct tz_follow_args {
  const tz_retire* leader;       /**< the leader's record */
  uint64_t lines_sure;           /**< lines that were high for so long that the leader must have seen them */
  const tz_follow_claim* claims; /**< interrupts since the last call, in order; a chained one is the last */
  size_t num_claims;
  const tz_line_change* changes; /**< lines that changed since the last call, by cycle */
  size_t num_changes;
} tz_follow_args;

/** What the follower did. */
typedef struct tz_follow_result {
  tz_retire own;         /**< its record; cycle fields mean nothing */
  const char* complaint; /**< NULL, or one line: what the leader was not free to do; valid until the next call */
  uint32_t exited;       /**< 1: its firmware has written the host port */
  uint32_t exit_code;
} tz_follow_result;

/** Numbers for read_register(): x0 to x31, then these. */
enum tz_register { TZ_REGISTER_PC = 32, TZ_REGISTER_MODE = 33 };

typedef struct tz_follower_api {
  uint32_t abi;  /**< TZ_FOLLOWER_ABI */
  uint32_t size; /**< sizeof(tz_follower_api) */
  /** Execute one instruction as the leader did. */
  tz_status (*follow)(tz_engine* engine, const tz_follow_args* args, tz_follow_result* result);
  /** An integer register, the program counter or the privilege mode. TZ_ERR_ARGUMENT: there is none of that number. */
  tz_status (*read_register)(tz_engine* engine, uint32_t hart, uint32_t number, uint64_t* value);
  /** A CSR without side effects. TZ_ERR_ARGUMENT: it does not exist. */
  tz_status (*read_csr)(tz_engine* engine, uint32_t hart, uint32_t number, uint64_t* value);
} tz_follower_api;

/** Type of the exported function. `abi` is the caller's TZ_FOLLOWER_ABI; NULL if it does not match. */
typedef const tz_follower_api* (*tz_follower_get_fn)(uint32_t abi);

#ifdef __cplusplus
}
#endif
#endif /* TRAPEZE_SIM_KERNEL_FOLLOWER_H */
