/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Interface of an engine that can serve as the reference in lockstep, beside that of engine.h. It executes one
 * instruction, or takes one interrupt, at a time. The caller makes the choices that the specifications leave open,
 * above all those that depend on time. In everything else the engine follows the specifications. The caller also sees
 * the state between two instructions.
 *
 * Nothing happens by itself: an interrupt is taken, and an exception for a frame is raised, only when the caller asks
 * for it. The caller also chooses which hart executes next, and so the order of accesses to shared memory and devices.
 */
#ifndef TRAPEZE_SIM_KERNEL_ORACLE_H
#define TRAPEZE_SIM_KERNEL_ORACLE_H

#include "kernel/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this interface. */
#define TZ_ORACLE_ABI 5u

/** Name of the exported function, of type tz_oracle_get_fn. */
#define TZ_ORACLE_ENTRY "tz_oracle_get"

/** Stands for "no interrupt" where the number of one is expected. */
#define TZ_NO_INTERRUPT 0xffffffffu

/** Properties of a hart's CLIC in the configuration, beside those in tz_hart_info. */
typedef struct tz_oracle_clic {
  uint32_t ctl_bits; /**< implemented bits of each ctl */
  uint32_t staged;   /**< 1: the hardware's search for the winner has a register stage */
} tz_oracle_clic;

/** A word of memory, or a word of a frame that is in no memory. */
typedef struct tz_word {
  uint64_t address;
  uint32_t value;
  uint32_t lanes; /**< bytes that count: bit n is the byte at address + n */
} tz_word;

/** One atomic access to a word of memory. */
typedef struct tz_word_access {
  uint64_t address;
  uint32_t operand;
  uint32_t op;    /**< tz_word_op */
  uint32_t value; /**< what the word held before */
  uint32_t found; /**< 1: the word exists; 0: no memory is there, and nothing has happened */
} tz_word_access;

/** Bits of tz_choices.given. */
enum tz_choice {
  TZ_CHOICE_LOAD = 1u << 0,        /**< the field load holds a value */
  TZ_CHOICE_CSR = 1u << 1,         /**< the field csr holds a value */
  TZ_CHOICE_FRAME_FAULT = 1u << 2, /**< the field frame_fault holds an address */
  TZ_CHOICE_POST = 1u << 3         /**< the field accesses holds a list */
};

/** Choices that the specifications leave open, for one instruction. */
typedef struct tz_choices {
  uint64_t now;         /**< cycle in which the instruction executes, or in which the bus grants its memory access */
  uint64_t now2;        /**< ... in which it grants the second word of an access that crosses words */
  uint32_t given;       /**< TZ_CHOICE_* */
  uint32_t interrupt;   /**< the interrupt that xnxti or jalxnxti hands out, or emret goes on to, if it qualifies */
  uint64_t mip;         /**< with a CLINT: interrupts pending, as mip reads */
  uint64_t load;        /**< value of a load from a register whose value is open, or from a source of the CLIC */
  uint64_t csr;         /**< value of a read of a CSR that may have another one: mtval after an exception for a
                             frame; xcause, xstatus and the level after an emret or euret that read words of a frame
                             that may be anything */
  uint64_t frame_fault; /**< address for mtval: the exception for a frame that was not stored comes in the place of
                             the instruction */
  const tz_word* kept;  /**< words of frames that emret finds in a bank, whatever memory holds and rows of memory
                             protection allow */
  size_t num_kept;
  /** Accesses to memory that access() has made for a senduipi before it executes, in order, up to the access that
   * sets its bit. The senduipi itself only makes accesses to words of the table's entry that the list lacks. What
   * follows the setting of the bit (ON, and the notification) is left to the caller, who supplied the accesses. */
  const tz_word_access* accesses;
  size_t num_accesses;
} tz_choices;

/** Interrupt outputs of devices. */
enum tz_wire {
  TZ_WIRE_SOFTWARE = 0, /**< of the CLINT, for one hart */
  TZ_WIRE_TIMER = 1,    /**< of the CLINT, for one hart */
  TZ_WIRE_UART = 2,     /**< for all harts */
  TZ_WIRE_LATENCY = 3   /**< of the latency measurement, for all harts */
};

/** An interrupt output has a level from a cycle on. All are low at first. */
typedef struct tz_wire_change {
  uint64_t cycle;
  uint16_t wire;  /**< the output that changes, a tz_wire */
  uint16_t hart;  /**< hart that it is for; ignored for outputs that are for all harts */
  uint32_t level; /**< 0 or 1 */
} tz_wire_change;

/** What a senduipi did with tz_choices.accesses. */
typedef struct tz_posted {
  tz_word_access missing; /**< with `misses`: an access that the senduipi makes and that the list lacks */
  uint32_t misses;        /**< 1: `missing` is valid, and it is not the first access that changes memory */
  uint32_t extra;         /**< number of accesses in the list that the senduipi does not make, if they change memory
                               or follow one that does */
  uint64_t upid;          /**< with `sets`: address of the UPID in which it has set its bit */
  uint32_t sets;          /**< 1: it has set its bit */
} tz_posted;

/** What an instruction did. */
typedef struct tz_effects {
  tz_retire record;     /**< its `order` counts the instructions of this hart; its fields of cycles are choices.now */
  uint64_t table_entry; /**< address of the entry of the table at mtvt through which the hart went on */
  uint32_t vectored;    /**< 1: table_entry is valid */
  uint32_t chained;     /**< the interrupt to whose handler an emret went on, or TZ_NO_INTERRUPT */
  uint32_t level;       /**< level of that interrupt */
  uint32_t exited;      /**< 1: the hart's program has written the host port */
  uint32_t exit_code;
  tz_posted posted; /**< with TZ_CHOICE_POST */
} tz_effects;

/** What an interrupt did. */
typedef struct tz_entry {
  uint64_t table_entry; /**< address of the entry of the table at mtvt that holds the handler's address */
  uint64_t frame;       /**< address of the frame that was saved */
  uint32_t vectored;    /**< 1: table_entry is valid */
  uint32_t saved;       /**< 1: frame is valid */
  uint32_t refused;     /**< 1: user mode may not store its frame. Nothing has happened; the exception for the frame
                             comes in the place of the next instruction */
  const tz_word* lost;  /**< words of the frame that could not be stored, by address; valid until the next call */
  size_t num_lost;
} tz_entry;

/** Numbers of registers for read_register() and write_register(): x0 to x31 are 0 to 31, the others follow here. */
enum tz_register {
  TZ_REGISTER_PC = 32,
  TZ_REGISTER_MODE = 33,
  TZ_REGISTER_FRAME_FAULTS_WAIT = 34, /**< 1: no exception for a frame may come before the next instruction executes */
  TZ_REGISTER_FRAME_REFUSED = 35,     /**< 1: a user interrupt would be refused now, because user mode may not store its
                                           frame */
  TZ_REGISTER_TRIGGERS = 36           /**< what triggers ask for before the next instruction: TZ_TRIGGERS_* */
};

/** Fields of TZ_REGISTER_TRIGGERS. */
#define TZ_TRIGGERS_MATCH 0xffu    /**< bit n: trigger n is one of an mcontrol6 that begins debug mode */
#define TZ_TRIGGERS_EVENT_SHIFT 8u /**< bit n of 8: trigger n begins debug mode, for what was before */
#define TZ_TRIGGERS_EVENT 0xff00u
#define TZ_TRIGGERS_AWAIT_INPUT 0x10000u /**< a tmexttrigger may begin debug mode at any time */

typedef struct tz_oracle_api {
  uint32_t abi;  /**< TZ_ORACLE_ABI */
  uint32_t size; /**< sizeof(tz_oracle_api) */
  /** Properties of a hart's CLIC; the hart must have one. */
  tz_status (*clic)(tz_engine* engine, uint32_t hart, tz_oracle_clic* clic);
  /** Enters the handler of an interrupt before the next instruction, whether the interrupt is pending or not. With a
   * CLIC the level is that of the interrupt's registers. `in_table`: the last interrupt or instruction went on
   * through a table entry that has not been fetched yet, so mepc becomes the entry's address. */
  tz_status (*enter)(tz_engine* engine, uint32_t hart, uint32_t interrupt, uint32_t in_table, tz_entry* entry);
  /** Execute one instruction. */
  tz_status (*step)(tz_engine* engine, uint32_t hart, const tz_choices* choices, tz_effects* effects);
  /** Reads an integer register, the program counter, or another one of the numbers above. TZ_ERR_ARGUMENT: no
   * register has that number. */
  tz_status (*read_register)(tz_engine* engine, uint32_t hart, uint32_t number, uint64_t* value);
  /** Sets an integer register whose value the specifications leave open. */
  tz_status (*write_register)(tz_engine* engine, uint32_t hart, uint32_t number, uint64_t value);
  /** Reads a CSR, without side effects. TZ_ERR_ARGUMENT: the CSR does not exist. */
  tz_status (*read_csr)(tz_engine* engine, uint32_t hart, uint32_t number, uint64_t* value);
  /** Sets bytes of memory whose value the specifications leave open. Instructions that were fetched from there before
   * stay as they were. */
  tz_status (*settle)(tz_engine* engine, uint32_t hart, const tz_word* word);
  /** Changes of interrupt outputs that were not reported yet, in order of cycles. All changes before cycle `until`
   * are reported; of those in cycle `until`, the ones that no access of that cycle can still alter. No step with an
   * earlier time may follow this call. If `count` is equal to `capacity` there may be more changes. */
  tz_status (*wires)(tz_engine* engine, uint64_t until, tz_wire_change* changes, size_t capacity, size_t* count);
  /** Makes an access to memory for a post or a notification of a hart, at the place of its bus grant in the order of
   * accesses. Memory protection does not apply. Sets `value` and `found`. TZ_ERR_ARGUMENT, also from the next two
   * calls, if the hart has neither posts nor notifications. */
  tz_status (*access)(tz_engine* engine, uint32_t hart, tz_word_access* access);
  /** Looks up the UPID that a notification with `vector` would concern now. `there` is 0 if there is none: the
   * notification is then an edge of the CLIC. */
  tz_status (*receiver)(tz_engine* engine, uint32_t hart, uint32_t vector, uint64_t* upid, uint32_t* there);
  /** Adds to UIRR the 32 bits `vectors`, for vectors from `first` on, which is 0 or 32. */
  tz_status (*join)(tz_engine* engine, uint32_t hart, uint32_t first, uint32_t vectors);
  /** Tells that debug mode begins before the next instruction: triggers that have asked for it have fired; of those in
   * TZ_TRIGGERS_MATCH only with `by_trigger`. */
  tz_status (*halt)(tz_engine* engine, uint32_t hart, uint32_t by_trigger);
} tz_oracle_api;

/** Type of the exported function. `abi` is the caller's TZ_ORACLE_ABI; NULL if it does not match. */
typedef const tz_oracle_api* (*tz_oracle_get_fn)(uint32_t abi);

#ifdef __cplusplus
}
#endif
#endif /* TRAPEZE_SIM_KERNEL_ORACLE_H */
