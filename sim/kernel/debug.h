/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Interface of an engine for debuggers, the third one beside engine.h and oracle.h. It stops between two instructions
 * and shows the architectural state there.
 *
 * A boundary is a point in the sequence of instructions: everything before it has happened, with all its effects on
 * registers, CSRs and memory, and nothing behind it has. Entry into an interrupt handler is a step of its own, so a
 * boundary is either before or behind it. Reading at a boundary disturbs nothing: a run that is stopped at boundaries
 * has the same cycles as one that is not. A pipelined engine may have to stop in the middle of a clock cycle to be at a
 * boundary. That cycle counts as executed, and what the host sets (lines, console input) holds from the next one on.
 *
 * Each hart has boundaries of its own. While one hart is at a boundary, another one may be in the middle of an
 * instruction: its registers are those before that instruction, but memory and CSRs may already show its effects.
 *
 * An engine that has this interface names the capability TZ_CAP_REGISTERS.
 */
#ifndef TRAPEZE_SIM_KERNEL_DEBUG_H
#define TRAPEZE_SIM_KERNEL_DEBUG_H

#include "kernel/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this interface. */
#define TZ_DEBUG_ABI 4u

/** Name of the exported function, of type tz_debug_get_fn. */
#define TZ_DEBUG_ENTRY "tz_debug_get"

/** Word in tz_engine_info.capabilities of an engine that exports TZ_DEBUG_ENTRY. */
#define TZ_CAP_REGISTERS "registers"

/** Numbers of registers: x0 to x31 are 0 to 31, the others follow here. */
enum tz_debug_register {
  TZ_DEBUG_PC = 32,     /**< address of the next instruction */
  TZ_DEBUG_MODE = 33,   /**< privilege mode: 0 U, 3 M */
  TZ_DEBUG_CSR = 0x1000 /**< plus the number of the CSR; reading it has no side effect */
};

/** Result of step(). Harts are bits: bit h is hart h. */
typedef struct tz_step_result {
  tz_run_result run; /**< as from run() */
  uint64_t entered;  /**< harts that have entered an interrupt handler */
  uint64_t boundary; /**< harts at a boundary; step another hart on before its registers are read */
} tz_step_result;

typedef struct tz_debug_api {
  uint32_t abi;  /**< TZ_DEBUG_ABI */
  uint32_t size; /**< sizeof(tz_debug_api) */
  /** Executes until an instruction of any hart has retired or trapped, a hart has entered a handler, cycle
   * `until_cycle` is reached, or run() would stop for another reason. Of `args`, max_retired and select are ignored:
   * every record is written, at most one for each hart. Records and claims must not be NULL. */
  tz_status (*step)(tz_engine* engine, const tz_run_args* args, tz_step_result* result);
  /** Reads a register at the boundary. TZ_ERR_ARGUMENT: no register has that number. */
  tz_status (*read_register)(tz_engine* engine, uint32_t hart, uint32_t number, uint64_t* value);
  /** Writes a register at the boundary, with the effect that an instruction would have there. TZ_ERR_SUPPORT: this
   * engine cannot. */
  tz_status (*write_register)(tz_engine* engine, uint32_t hart, uint32_t number, uint64_t value);
  /** Resets one hart alone at the boundary: the hart, its own interrupt controller, and its registers of the CLINT.
   * Time goes on; memories and other devices keep their state. TZ_ERR_SUPPORT: this engine cannot. */
  tz_status (*reset_hart)(tz_engine* engine, uint32_t hart);
  /** What the bus would answer a read of machine mode by the hart at this boundary: of the word at `address`, a
   * multiple of four, the bytes that `lanes` has bits for, each at its place in `value`; the other bytes are undefined.
   * Nothing changes, whatever a read of a device's register does: it happens in a copy of the machine. Of a hart that
   * is not at a boundary, the copy first goes on to one. TZ_ERR_ADDRESS: the bus refuses it. TZ_ERR_SUPPORT: this
   * engine cannot. */
  tz_status (*read_bus)(tz_engine* engine, uint32_t hart, uint64_t address, uint32_t lanes, uint32_t* value);
} tz_debug_api;

/** Type of the exported function. `abi` is the caller's TZ_DEBUG_ABI; NULL if it does not match. */
typedef const tz_debug_api* (*tz_debug_get_fn)(uint32_t abi);

#ifdef __cplusplus
}
#endif
#endif /* TRAPEZE_SIM_KERNEL_DEBUG_H */
