/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The engine interface: the C ABI between the simulator and anything that can execute Trapeze firmware.
 *
 * An engine is a shared library with one exported function, tz_engine_get(), which returns a table of functions. The
 * verilated SoC is one engine; a model in C++ or a lockstep pair is another one behind the same table. The interface
 * knows nothing about how an engine works: it offers physical memory, input lines, a console, an exit status, clock
 * cycles, retirement records (RVFI with Trapeze's traps, CSR and timing fields, see hw/common/rtl/rvfi_pkg.sv), the
 * rises of named signals, accesses to watched addresses, what posts and notifications of user interrupts do, and for
 * timelines what goes on beside the instructions.
 *
 * Harts are numbered from 0 in the order of the table in tz_engine_info; every `hart` here is such a number, whatever
 * mhartid says. A hart has its own ISA, interrupt lines and view of memory: a call that takes an address or a line
 * takes the hart that it belongs to.
 *
 * Cycles: reset() leaves the machine at the start of cycle 0, the first clock cycle after reset is released. run()
 * executes whole cycles. Everything that the host sets (lines, wait states, console input) holds from the next cycle
 * executed on; everything that the engine reports (records, claims, console output, exit) belongs to a cycle executed.
 *
 * Threads: one engine instance may be used by one thread at a time; instances are independent of each other.
 */
#ifndef TRAPEZE_SIM_KERNEL_ENGINE_H
#define TRAPEZE_SIM_KERNEL_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this interface. A library built for another version is refused. */
#define TZ_ENGINE_ABI 10u

/** Name of the one exported function, of type tz_engine_get_fn. */
#define TZ_ENGINE_ENTRY "tz_engine_get"

/** One engine instance; opaque. */
typedef struct tz_engine tz_engine;

/** Result of a call that can fail; the message is in last_error(). */
typedef enum tz_status {
  TZ_OK = 0,           /**< done */
  TZ_ERR_ARGUMENT = 1, /**< an argument is out of range */
  TZ_ERR_ADDRESS = 2,  /**< no memory region holds the whole range */
  TZ_ERR_SUPPORT = 3,  /**< this engine does not have the capability */
  TZ_ERR_IO = 4,       /**< a file could not be written */
  TZ_ERR_INTERNAL = 5  /**< the engine failed: a simulator assertion, no memory */
} tz_status;

/** A memory that the host may read, write and load. Addresses are physical, sizes in bytes. */
typedef struct tz_region {
  const char* name; /**< short name, for example "imem" */
  uint64_t base;    /**< first address */
  uint64_t size;    /**< bytes */
  uint32_t shared;  /**< 1: every hart with a region of this name sees the same memory; 0: this hart alone sees it */
} tz_region;

/** What a hart is, and what it sees of the platform. */
typedef struct tz_hart_info {
  const char* isa;          /**< ISA string in lower case, for example "rv32imc_zba_zbb_zbs_zicsr_zifencei" */
  const char* interrupts;   /**< its interrupt controller, see TZ_IRQ_* */
  const tz_region* regions; /**< memories, in ascending order of base */
  uint64_t hart_id;         /**< mhartid */
  uint64_t reset_vector;    /**< address of the first instruction */
  uint32_t xlen;            /**< width of its integer registers: 32 or 64 */
  uint32_t num_regions;     /**< entries in regions */
  uint32_t num_lines;       /**< platform interrupt lines, numbered from 0 */
  uint32_t line_id_base;    /**< interrupt id (exception code) of line 0 */
  uint32_t line_delay;      /**< cycles from the pin of a platform line to the interrupt controller */
  uint32_t num_sources;     /**< sources of its CLIC; 0: it has none */
} tz_hart_info;

/** What an engine is; constant during its life. */
typedef struct tz_engine_info {
  const char* engine;         /**< kind of engine, for example "rtl" */
  const char* config;         /**< name of the platform configuration it was built for */
  const char* capabilities;   /**< space-separated words, see TZ_CAP_* */
  const tz_hart_info* harts;  /**< the harts */
  uint32_t num_harts;         /**< entries in harts, at least 1 */
  uint32_t num_signals;       /**< entries in signals; 0: this engine has no such signals */
  const char* const* signals; /**< names of the platform's signals whose rises run() reports */
} tz_engine_info;

#define TZ_CAP_CYCLES "cycles"       /**< cycle stamps are those of the hardware */
#define TZ_CAP_WAIT "wait-states"    /**< set_wait_states() works */
#define TZ_CAP_SNAPSHOT "snapshot"   /**< snapshot_*() works */
#define TZ_CAP_RANDOM "random-reset" /**< create() looks at its seed */
#define TZ_CAP_WAVE "wave-fst"       /**< wave_open() writes FST */
#define TZ_CAP_WAVE_VCD "wave-vcd"   /**< wave_open() writes VCD */

#define TZ_IRQ_CLINT "clint"     /**< mie, mip and a vectored mtvec */
#define TZ_IRQ_CLIC "clic"       /**< a CLIC */
#define TZ_IRQ_FASTIRQ "fastirq" /**< a CLIC, and the core saves the interrupted context itself */

/** Bits of tz_retire.flags. */
enum tz_retire_flag {
  TZ_RETIRE_TRAP = 1u << 0,  /**< raised an exception */
  TZ_RETIRE_INTR = 1u << 1,  /**< first instruction of a trap handler */
  TZ_RETIRE_IRQ = 1u << 2,   /**< with INTR: an interrupt, not an exception, entered the handler; without: it goes on
                                to the handler of one (emret, euret) */
  TZ_RETIRE_CSR_WE = 1u << 3 /**< an explicit CSR write */
};

/** One retired (or trapped) instruction; fields as in rvfi_pkg::rvfi_t. Numbers of cycles are absolute. */
typedef struct tz_retire {
  uint64_t order;
  uint64_t cycle_fetch;
  uint64_t cycle_ex;
  uint64_t cycle_retire;
  uint64_t cycle_mem;  /**< the bus granted its memory access (of one in two words: the first); 0: it has none */
  uint64_t cycle_mem2; /**< ... the second word of it; 0: it has none */
  uint64_t pc;
  uint64_t pc_next;
  uint64_t rs1_value;
  uint64_t rs2_value;
  uint64_t rd_value;
  uint64_t mem_addr;
  uint64_t mem_rdata;
  uint64_t mem_wdata;
  uint64_t cause;
  uint64_t csr_value;
  uint32_t insn;
  uint16_t csr_addr;
  uint16_t irq_id;
  uint16_t hart;
  uint8_t irq_level;
  uint8_t flags; /**< TZ_RETIRE_* */
  uint8_t mode;
  uint8_t rs1; /**< integer registers, as are the others: 0 where an instruction has a floating-point one */
  uint8_t rs2;
  uint8_t rd;
  uint8_t mem_rmask;
  uint8_t mem_wmask;
} tz_retire;

/** A signal was low in the cycle before and is high in this one. */
typedef struct tz_rise {
  uint64_t cycle;
  uint32_t signal; /**< index in tz_engine_info.signals */
} tz_rise;

/** What tz_activity.kind says. An engine reports the kinds that it has: others never come. */
typedef enum tz_activity_kind {
  TZ_ACTIVITY_LEVEL = 0, /**< value: the interrupt level that runs (mintstatus.mil), from `cycle` on */
  TZ_ACTIVITY_BANKS = 1, /**< value: banks of registers, from `cycle` on, see TZ_BANKS_* */
  TZ_ACTIVITY_STORE = 2, /**< the frame port's store to address `value` was granted */
  TZ_ACTIVITY_LOAD = 3   /**< its load from there was */
} tz_activity_kind;

/** Parts of the value of TZ_ACTIVITY_BANKS: the number of the current bank; bit b: bank b holds a context to return to;
 * bit b: words of bank b have still to leave for its frame. */
#define TZ_BANKS_CURRENT(value) ((value)&0xffu)
#define TZ_BANKS_HELD(value) (((value) >> 8) & 0xffu)
#define TZ_BANKS_LEAVE(value) (((value) >> 16) & 0xffu)

/** Most activities of one hart in one cycle. */
#define TZ_ACTIVITIES_A_CYCLE 3u

/** Something beside the instructions, by cycle. Of a level and of banks the first cycle is reported, too. */
typedef struct tz_activity {
  uint64_t cycle;
  uint64_t since; /**< of an access: first cycle of its request; else `cycle` */
  uint64_t value;
  uint16_t kind; /**< tz_activity_kind */
  uint16_t hart;
} tz_activity;

/** Operations on a word of memory, each of them one grant of the bus. */
typedef enum tz_word_op {
  TZ_WORD_LOAD = 0,
  TZ_WORD_OR = 1,
  TZ_WORD_AND = 2,
  TZ_WORD_SWAP = 3,
  TZ_WORD_MARK = 4 /**< sets bit 0 if bits 1 and 0 are zero */
} tz_word_op;

/** What tz_post.kind says. The first two are accesses to memory, reported in the cycle of their grants. */
typedef enum tz_post_kind {
  TZ_POST_ACCESS =
      0,            /**< of the senduipi that executes: operation `op` with operand `value` on the word at `address` */
  TZ_POST_TAKE = 1, /**< the same, of the notification that has come to the hart */
  TZ_POST_JOIN = 2, /**< the vectors `value` join UIRR; `address`: the number of the first of these 32, 0 or 32 */
  TZ_POST_SEND = 3, /**< a notification leaves: to the hart whose mhartid is `address`, with vector `value` */
  TZ_POST_END = 4,  /**< the one that has come is done with: what was posted has joined UIRR */
  TZ_POST_EDGE = 5  /**< the same: it was an edge of source `value` of the hart's CLIC, if there is such a source */
} tz_post_kind;

/** Most of these of one hart in one cycle. */
#define TZ_POSTS_A_CYCLE 4u

/** User interrupts from hart to hart (docs/user-interrupts.md): something that a post or a notification does. What a
 * senduipi did before it was given up for an interrupt is reported, too; it has loaded, at most. */
typedef struct tz_post {
  uint64_t cycle;
  uint64_t address;
  uint32_t value;
  uint16_t hart; /**< that does it */
  uint8_t kind;  /**< tz_post_kind */
  uint8_t op;    /**< tz_word_op */
} tz_post;

/** An interrupt was claimed by a hart: one for each interrupt taken. */
typedef struct tz_claim {
  uint64_t cycle;
  uint64_t epc;
  uint16_t id;
  uint16_t hart;
  uint8_t level;
} tz_claim;

/** Which retirements run() records: bits of tz_run_args.select. */
enum tz_select {
  TZ_SELECT_ALL = 1u << 0,      /**< every one */
  TZ_SELECT_MARKERS = 1u << 1,  /**< the marker HINT `slti x0, x0, N` */
  TZ_SELECT_HANDLERS = 1u << 2, /**< the first instruction of a trap handler */
  TZ_SELECT_TRAPS = 1u << 3     /**< what changes which handler runs: exceptions, returns (mret, emret, uret, euret) and
                                   the instruction behind one, xnxti and jalxnxti; and accesses to mtvt and utvt */
};

/** What a watch looks at. */
typedef enum tz_watch_kind {
  TZ_WATCH_EXECUTE = 0, /**< an instruction that begins in the range */
  TZ_WATCH_LOAD = 1,    /**< a load, LR or AMO of a byte of the range */
  TZ_WATCH_STORE = 2    /**< a store, AMO or SC that succeeds, to a byte of the range */
} tz_watch_kind;

/** Addresses that are looked at, as one hart sees them. */
typedef struct tz_watch {
  uint64_t address; /**< first byte */
  uint64_t size;    /**< bytes, at least 1 */
  uint16_t kind;    /**< tz_watch_kind */
  uint16_t hart;
} tz_watch;

/** An instruction met a watch, and retired without a trap. */
typedef struct tz_hit {
  uint64_t cycle;   /**< it executed; of an access: the bus granted its first word that holds a byte of the range */
  uint64_t retired; /**< cycle in which the instruction retired */
  uint64_t address; /**< of the instruction; of an access: its own */
  uint64_t value;   /**< of an access: what was loaded, or stored; else 0 */
  uint32_t watch;   /**< index in tz_run_args.watches */
  uint32_t size;    /**< of an access: its bytes; else 0 */
} tz_hit;

/** Why run() returned. A claim or an exit ends the run after the cycle in which it happened. */
typedef enum tz_stop {
  TZ_STOP_CYCLES = 0,  /**< until_cycle reached */
  TZ_STOP_RETIRED = 1, /**< max_retired instructions retired */
  TZ_STOP_RECORDS = 2, /**< the buffer of records, rises, hits, posts or activities is full: empty it and go on; or a
                          record of an xnxti or jalxnxti was written, which may have claimed an interrupt */
  TZ_STOP_CLAIM = 3,   /**< interrupts were claimed, see tz_run_args.claims */
  TZ_STOP_CONSOLE = 4, /**< the console output buffer is full: empty it and go on */
  TZ_STOP_EXIT = 5,    /**< a hart wrote the host port, see tz_hart_state; the run can be continued */
  TZ_STOP_ERROR = 6    /**< the engine failed, see last_error() */
} tz_stop;

/** Where a hart is at the end of a run. */
typedef struct tz_hart_state {
  uint64_t pc;        /**< of the next instruction, or of the wfi that it waits in */
  uint64_t pc_since;  /**< cycle since which it is: in which the instruction before retired */
  uint64_t retired;   /**< instructions retired without a trap since reset */
  uint32_t asleep;    /**< 1: it waits in wfi */
  uint32_t exited;    /**< 1: it wrote the host port in the last cycle executed */
  uint32_t exit_code; /**< ... what it wrote */
} tz_hart_state;

/**
 * Arguments of run(). Buffers belong to the caller. Where a capacity counts by cycle, the engine stops before a cycle
 * for which there might be no room.
 */
typedef struct tz_run_args {
  uint64_t until_cycle;       /**< stop when this cycle is the next one to execute */
  uint64_t max_retired;       /**< stop after so many retirements of all harts together; 0: no limit */
  uint32_t select;            /**< TZ_SELECT_* */
  tz_retire* records;         /**< where selected records go: those of a hart in order, and with TZ_CAP_CYCLES
                                 all by cycle of retirement, then by hart */
  size_t records_capacity;    /**< at least num_harts if select is not 0 */
  tz_claim* claims;           /**< where the claims of the last cycle go, by hart; NULL: they are dropped */
  size_t claims_capacity;     /**< at least num_harts if claims is not NULL */
  uint8_t* console;           /**< where console output goes; NULL: it is dropped */
  size_t console_capacity;    /**< bytes, at least 1 if console is not NULL */
  tz_rise* rises;             /**< where rises of signals go, by cycle; NULL: they are dropped */
  size_t rises_capacity;      /**< at least num_signals if rises is not NULL */
  tz_activity* activities;    /**< where activities go; NULL: they are not watched, which costs nothing */
  size_t activities_capacity; /**< at least TZ_ACTIVITIES_A_CYCLE for each hart if activities is not NULL */
  tz_post* posts;             /**< where posts and notifications go, by cycle; NULL: they are not watched; an engine
                                 without TZ_CAP_CYCLES never reports any */
  size_t posts_capacity;      /**< at least TZ_POSTS_A_CYCLE for each hart if posts is not NULL */
  const tz_watch* watches;    /**< what is watched; NULL: nothing, which costs nothing */
  size_t num_watches;         /**< entries in watches */
  tz_hit* hits;               /**< where hits go: as records */
  size_t hits_capacity;       /**< at least num_watches if watches is not NULL */
  tz_hart_state* harts;       /**< where the harts are at the end: num_harts entries; NULL: not asked for */
  uint64_t turn;              /**< an engine without cycles may let each of several harts execute so many instructions
                                 before another one has its turn: faster, and they meet in fewer ways; 0 and 1: one */
  uint32_t finish;            /**< 1: no run follows: console output that waits for the end of a line is given out */
} tz_run_args;

/** Result of run(). If several reasons to stop fall into one cycle the one with the largest number is given; claims
 * and exits are reported in any case. */
typedef struct tz_run_result {
  tz_stop stop;
  uint64_t cycle;        /**< next cycle to execute, so the number of cycles executed since reset */
  uint64_t retired;      /**< instructions that all harts retired without a trap since reset */
  size_t num_records;    /**< records written */
  size_t num_claims;     /**< claims written; they happened in cycle - 1 */
  size_t console_bytes;  /**< console bytes written */
  size_t num_rises;      /**< rises written */
  size_t num_activities; /**< activities written */
  size_t num_posts;      /**< tz_posts written */
  size_t num_hits;       /**< hits written */
  uint32_t asleep; /**< 1: every hart waits in wfi, and nothing in the machine is on its way to end that: no timer runs
                        towards its time, no device works, no console input can be received. What has happened
                        already may still take its hundred cycles to be seen; set_line() may end it, too. */
} tz_run_result;

/** The functions of an engine. All but destroy(), info() and last_error() return a tz_status where they can fail. */
typedef struct tz_engine_api {
  uint32_t abi;  /**< TZ_ENGINE_ABI of the engine */
  uint32_t size; /**< sizeof(tz_engine_api) of the engine */

  /** New instance, reset, memories zero. Registers that no reset reaches hold values that follow from `reset_seed`; 0:
   * zeros. Only engines with TZ_CAP_RANDOM look at it. NULL: out of memory. */
  tz_engine* (*create)(uint32_t reset_seed);
  void (*destroy)(tz_engine* engine);
  /** Constant description. `engine` may be NULL. */
  const tz_engine_info* (*info)(const tz_engine* engine);
  /** One line about the last call that failed; valid until the next call. Never NULL. */
  const char* (*last_error)(const tz_engine* engine);

  /** Back to the start of cycle 0 with lines low. Memories, and registers that no reset reaches, keep their content. */
  tz_status (*reset)(tz_engine* engine);
  /** Copy `size` bytes out of or into memory at physical address `addr` of a hart; the range must lie in one of its
   * regions. */
  tz_status (*read_memory)(tz_engine* engine, uint32_t hart, uint64_t addr, void* data, size_t size);
  tz_status (*write_memory)(tz_engine* engine, uint32_t hart, uint64_t addr, const void* data, size_t size);
  /** Drive platform line `line` of a hart to `level` (0 or 1) from the next cycle on. */
  tz_status (*set_line)(tz_engine* engine, uint32_t hart, uint32_t line, uint32_t level);
  /** Chance of a stall in each cycle, in 1/256, for the instruction and the data port, and the seed. 0, 0: none. */
  tz_status (*set_wait_states)(tz_engine* engine, uint32_t instr, uint32_t data, uint32_t seed);
  /** Append bytes to the console input. The firmware reads them through its UART. */
  tz_status (*console_input)(tz_engine* engine, const uint8_t* data, size_t size);

  /** Execute cycles until there is a reason to stop. TZ_ERR_INTERNAL comes with TZ_STOP_ERROR. */
  tz_status (*run)(tz_engine* engine, const tz_run_args* args, tz_run_result* result);

  /** Save the whole state into a new snapshot. NULL on failure. Snapshots belong to the instance that made them. */
  void* (*snapshot_save)(tz_engine* engine);
  tz_status (*snapshot_restore)(tz_engine* engine, const void* snapshot);
  void (*snapshot_free)(tz_engine* engine, void* snapshot);

  /** Write waves of the cycles executed from now on to `path` until wave_close(). */
  tz_status (*wave_open)(tz_engine* engine, const char* path);
  /** Finish the file. TZ_ERR_IO if it could not be written whole. */
  tz_status (*wave_close)(tz_engine* engine);
} tz_engine_api;

/** Type of the exported function tz_engine_get(). `abi` is the caller's TZ_ENGINE_ABI; NULL if it does not match. */
typedef const tz_engine_api* (*tz_engine_get_fn)(uint32_t abi);

#ifdef __cplusplus
}
#endif
#endif /* TRAPEZE_SIM_KERNEL_ENGINE_H */
