/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Second interface of an engine that can serve as the reference: it executes one instruction, or takes one interrupt,
 * at a time. What the specifications leave open, above all what depends on time, the caller chooses; everything else
 * the engine does as the specifications say. The caller also sees the state between two instructions.
 *
 * Nothing happens by itself: no interrupt is taken, and no exception for a frame raised, but on demand. Harts take
 * turns as the caller wishes, which so decides in which order they access what they share.
 */
#ifndef TRAPEZE_SIM_KERNEL_ORACLE_H
#define TRAPEZE_SIM_KERNEL_ORACLE_H

#include "kernel/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this interface. */
#define TZ_ORACLE_ABI 4u

/** Name of the exported function, of type tz_oracle_get_fn. */
#define TZ_ORACLE_ENTRY "tz_oracle_get"

/** In the place of the number of an interrupt: none. */
#define TZ_NO_INTERRUPT 0xffffffffu

/** What the configuration says of a hart's CLIC beside tz_hart_info. */
typedef struct tz_oracle_clic {
  uint32_t ctl_bits; /**< implemented bits of each ctl */
  uint32_t staged;   /**< 1: the hardware's search for the winner has a register stage */
} tz_oracle_clic;

/** A word in memory, or of a frame that is in no memory. */
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
  uint32_t found; /**< 0: there is no memory, and nothing has happened */
} tz_word_access;

/** Bits of tz_choices.given. */
enum tz_choice {
  TZ_CHOICE_LOAD = 1u << 0,        /**< load holds a value */
  TZ_CHOICE_CSR = 1u << 1,         /**< csr does */
  TZ_CHOICE_FRAME_FAULT = 1u << 2, /**< frame_fault does */
  TZ_CHOICE_POST = 1u << 3         /**< accesses do */
};

/** What the specifications leave open, for one instruction. */
typedef struct tz_choices {
  uint64_t now;         /**< cycle in which the instruction executes, or in which the bus grants its memory access */
  uint64_t now2;        /**< ... the second word of an access that crosses words */
  uint32_t given;       /**< TZ_CHOICE_* */
  uint32_t interrupt;   /**< the interrupt that xnxti, jalxnxti or emret goes on to, if it is one that qualifies */
  uint64_t mip;         /**< with a CLINT: interrupts pending, as mip reads */
  uint64_t load;        /**< what a load reads from a register that may read anything, or from a CLIC's source */
  uint64_t csr;         /**< what mtval reads behind an exception for a frame */
  uint64_t frame_fault; /**< the exception for a frame that was not stored comes in the place of the instruction, and
                             mtval names this word */
  const tz_word* kept;  /**< words of frames that emret finds in a bank, whatever memory holds and rows allow */
  size_t num_kept;
  /** What a senduipi finds in memory: accesses that access() has made for it before, in their order, up to the one that
   * sets its bit. It makes none itself, but for words of the table's entry that are not among them, and what comes
   * behind that bit, ON and the notification, it leaves to who gives it these. */
  const tz_word_access* accesses;
  size_t num_accesses;
} tz_choices;

/** Interrupt outputs of devices. */
enum tz_wire {
  TZ_WIRE_SOFTWARE = 0, /**< of the CLINT, for one hart */
  TZ_WIRE_TIMER = 1,    /**< the same */
  TZ_WIRE_UART = 2,     /**< for all harts */
  TZ_WIRE_LATENCY = 3   /**< of the latency measurement, for all harts */
};

/** An interrupt output has a level from a cycle on. All are low at first. */
typedef struct tz_wire_change {
  uint64_t cycle;
  uint16_t wire;  /**< tz_wire */
  uint16_t hart;  /**< of a wire that is for one */
  uint32_t level; /**< 0 or 1 */
} tz_wire_change;

/** What a senduipi did with tz_choices.accesses. */
typedef struct tz_posted {
  tz_word_access missing; /**< with `misses`: an access that it makes ... */
  uint32_t misses;        /**< 1: ... and that is not the first one that changes memory */
  uint32_t extra;         /**< accesses that change memory, or come behind these, and that it does not make */
  uint64_t upid;          /**< with `sets`: address of the UPID ... */
  uint32_t sets;          /**< 1: ... in which it has set its bit */
} tz_posted;

/** What an instruction did. */
typedef struct tz_effects {
  tz_retire record;     /**< order counts this hart's; cycle fields are choices.now */
  uint64_t table_entry; /**< address of the entry of mtvt through which it went on */
  uint32_t vectored;    /**< 1: it did */
  uint32_t chained;     /**< the interrupt to whose handler an emret went on, or TZ_NO_INTERRUPT */
  uint32_t level;       /**< ... its level */
  uint32_t exited;      /**< 1: the hart's program has written the host port */
  uint32_t exit_code;
  tz_posted posted; /**< with TZ_CHOICE_POST */
} tz_effects;

/** What an interrupt did. */
typedef struct tz_entry {
  uint64_t table_entry; /**< address of the entry of mtvt that has the handler's */
  uint64_t frame;       /**< address of the frame that was saved */
  uint32_t vectored;    /**< 1: there is a table_entry */
  uint32_t saved;       /**< 1: there is a frame */
  uint32_t refused;     /**< 1: user mode may not store its frame: nothing has happened, and the exception for it comes
                             in the place of the next instruction */
  const tz_word* lost;  /**< words of the frame that could not be stored, by address; valid until the next call */
  size_t num_lost;
} tz_entry;

/** Numbers for read_register() and write_register(): x0 to x31, then these. */
enum tz_register {
  TZ_REGISTER_PC = 32,
  TZ_REGISTER_MODE = 33,
  TZ_REGISTER_FRAME_FAULTS_WAIT = 34, /**< 1: no exception for a frame may come before the next instruction */
  TZ_REGISTER_FRAME_REFUSED = 35 /**< 1: a user interrupt would be refused now: user mode may not store its frame */
};

typedef struct tz_oracle_api {
  uint32_t abi;  /**< TZ_ORACLE_ABI */
  uint32_t size; /**< sizeof(tz_oracle_api) */
  /** The CLIC of a hart that has one. */
  tz_status (*clic)(tz_engine* engine, uint32_t hart, tz_oracle_clic* clic);
  /** Enter the handler of an interrupt before the next instruction, be it pending or not; with a CLIC, of the level
   * that its registers say. `in_table`: before the table entry through which the last interrupt or instruction went on
   * has been fetched, so that mepc is its address. */
  tz_status (*enter)(tz_engine* engine, uint32_t hart, uint32_t interrupt, uint32_t in_table, tz_entry* entry);
  /** Execute one instruction. */
  tz_status (*step)(tz_engine* engine, uint32_t hart, const tz_choices* choices, tz_effects* effects);
  /** An integer register, the program counter, ... TZ_ERR_ARGUMENT: there is none of that number. */
  tz_status (*read_register)(tz_engine* engine, uint32_t hart, uint32_t number, uint64_t* value);
  /** Set an integer register whose value is open. */
  tz_status (*write_register)(tz_engine* engine, uint32_t hart, uint32_t number, uint64_t value);
  /** A CSR without side effects. TZ_ERR_ARGUMENT: it does not exist. */
  tz_status (*read_csr)(tz_engine* engine, uint32_t hart, uint32_t number, uint64_t* value);
  /** Set bytes of memory whose value is open. What has been fetched from there stays as it was. */
  tz_status (*settle)(tz_engine* engine, uint32_t hart, const tz_word* word);
  /** Changes of interrupt outputs that were not reported yet, by cycle, up to that before `until`; in `until` itself
   * those that no access of that cycle can make any more. Steps with an earlier time must not come behind this call.
   * `count` equal to `capacity`: there may be more. */
  tz_status (*wires)(tz_engine* engine, uint64_t until, tz_wire_change* changes, size_t capacity, size_t* count);
  /** An access to memory for a post or a notification of a hart, in the place of its grant, whatever memory protection
   * says: sets `value` and `found`. With a hart that has none of either, as are the next two: TZ_ERR_ARGUMENT. */
  tz_status (*access)(tz_engine* engine, uint32_t hart, tz_word_access* access);
  /** The UPID that a notification with `vector` would be about now. `there` 0: none, so that it is an edge of the CLIC.
   */
  tz_status (*receiver)(tz_engine* engine, uint32_t hart, uint32_t vector, uint64_t* upid, uint32_t* there);
  /** `vectors` from vector `first` on, 0 or 32, join UIRR. */
  tz_status (*join)(tz_engine* engine, uint32_t hart, uint32_t first, uint32_t vectors);
} tz_oracle_api;

/** Type of the exported function. `abi` is the caller's TZ_ORACLE_ABI; NULL if it does not match. */
typedef const tz_oracle_api* (*tz_oracle_get_fn)(uint32_t abi);

#ifdef __cplusplus
}
#endif
#endif /* TRAPEZE_SIM_KERNEL_ORACLE_H */
