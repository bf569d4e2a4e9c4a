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
 * Harts are numbered from 0 in the order of the table in tz_engine_info; every `hart` here is such a number. It need
 * not be equal to mhartid. A hart has its own ISA, interrupt lines and view of memory: a call with an address or a line
 * also says whose address or line it is.
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
#define TZ_ENGINE_ABI 16u

/** Name of the one exported function, of type tz_engine_get_fn. */
#define TZ_ENGINE_ENTRY "tz_engine_get"

/** One engine instance. Its content is private to the engine. */
typedef struct tz_engine tz_engine;

/** Result of a call that can fail; the message is in last_error(). */
typedef enum tz_status {
  TZ_OK = 0,           /**< done */
  TZ_ERR_ARGUMENT = 1, /**< an argument is out of range */
  TZ_ERR_ADDRESS = 2,  /**< no memory region holds the whole range */
  TZ_ERR_SUPPORT = 3,  /**< the engine lacks the capability (TZ_CAP_*) that this call needs */
  TZ_ERR_IO = 4,       /**< a file could not be written */
  TZ_ERR_INTERNAL = 5  /**< the engine failed: a simulator assertion, no memory */
} tz_status;

/** A memory that the host may read, write and load. Addresses are physical, sizes in bytes. */
typedef struct tz_region {
  const char* name; /**< short name, for example "imem" */
  uint64_t base;    /**< first address */
  uint64_t size;    /**< bytes */
  uint32_t shared;  /**< 1: harts with a region of this name share that memory; 0: only this hart sees it */
} tz_region;

/** Properties of one hart, and the part of the platform that it sees. */
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
  uint32_t num_sources;     /**< sources of its CLIC; 0: the hart has no CLIC */
} tz_hart_info;

/** Properties of an engine. They are constant during its life. */
typedef struct tz_engine_info {
  const char* engine;         /**< kind of engine, for example "rtl" */
  const char* config;         /**< name of the platform configuration */
  const char* capabilities;   /**< space-separated words, see TZ_CAP_* */
  const tz_hart_info* harts;  /**< the harts */
  uint32_t num_harts;         /**< entries in harts, at least 1 */
  uint32_t num_signals;       /**< entries in signals; 0: this engine has no such signals */
  const char* const* signals; /**< names of the platform's signals whose rises run() reports */
} tz_engine_info;

#define TZ_CAP_CYCLES "cycles" /**< cycle numbers are those of the hardware */
#define TZ_CAP_TURNS                                                                                                  \
  "turns"                            /**< harts execute in turns (tz_run_args.turn), each can be reset by itself, and \
                                          console output may wait for the end of a line (tz_run_args.finish) */
#define TZ_CAP_WAIT "wait-states"    /**< set_wait_states() works */
#define TZ_CAP_SNAPSHOT "snapshot"   /**< snapshot_*() works */
#define TZ_CAP_RANDOM "random-reset" /**< create() uses its argument reset_seed */
#define TZ_CAP_JTAG "jtag"           /**< jtag() works: harts have debug mode */
#define TZ_CAP_WAVE "wave-fst"       /**< wave_open() writes FST */
#define TZ_CAP_WAVE_VCD "wave-vcd"   /**< wave_open() writes VCD */

#define TZ_IRQ_CLINT "clint"     /**< mie, mip and a vectored mtvec */
#define TZ_IRQ_CLIC "clic"       /**< a CLIC */
#define TZ_IRQ_FASTIRQ "fastirq" /**< a CLIC, and the core saves the interrupted context itself */

/** Pins of the JTAG port. */
enum tz_jtag_pin {
  TZ_JTAG_TCK = 1u << 0,
  TZ_JTAG_TMS = 1u << 1,
  TZ_JTAG_TDI = 1u << 2,
  TZ_JTAG_RESET = 1u << 3, /**< trst is active: the pin is low */
};

/** Value of tz_retire.mode: an instruction of debug mode. A debugger executes it, not the program. */
#define TZ_MODE_DEBUG 2u

/** Bits of tz_retire.flags. */
enum tz_retire_flag {
  TZ_RETIRE_TRAP = 1u << 0,  /**< raised an exception */
  TZ_RETIRE_INTR = 1u << 1,  /**< first instruction of a trap handler */
  TZ_RETIRE_IRQ = 1u << 2,   /**< with INTR: an interrupt, not an exception, entered the handler; without INTR: an
                                  emret or euret goes on to the handler of another interrupt */
  TZ_RETIRE_CSR_WE = 1u << 3 /**< an explicit CSR write */
};

/** One retired (or trapped) instruction; fields as in rvfi_pkg::rvfi_t. Numbers of cycles are absolute. */
typedef struct tz_retire {
  uint64_t order;
  uint64_t cycle_fetch;
  uint64_t cycle_ex;
  uint64_t cycle_retire;
  uint64_t cycle_mem;  /**< cycle in which the bus granted its memory access (of an access in two words, the first);
                            0: it has no access */
  uint64_t cycle_mem2; /**< cycle in which the bus granted the second word of the access; 0: there is no second word */
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
  uint8_t rs1; /**< integer register, as are rs2 and rd; 0 where the instruction has a floating-point register there */
  uint8_t rs2;
  uint8_t rd;
  uint8_t mem_rmask;
  uint8_t mem_wmask;
} tz_retire;

/** A signal has risen: it was low in the cycle before `cycle` and is high in `cycle`. */
typedef struct tz_rise {
  uint64_t cycle;
  uint32_t signal; /**< index in tz_engine_info.signals */
} tz_rise;

/** Kinds of tz_activity. Each engine reports only the kinds that it has. */
typedef enum tz_activity_kind {
  TZ_ACTIVITY_LEVEL = 0, /**< interrupt level that runs (mintstatus.mil) from `cycle` on; it is in value */
  TZ_ACTIVITY_BANKS = 1, /**< state of the banks of registers from `cycle` on; it is in value, see TZ_BANKS_* */
  TZ_ACTIVITY_STORE = 2, /**< the frame port's store to address `value` was granted */
  TZ_ACTIVITY_LOAD = 3,  /**< the frame port's load from address `value` was granted */
  TZ_ACTIVITY_JUDGE = 4  /**< value 1: from `cycle` on user mode runs, and memory protection still searches whether it
                              may store a frame at its sp; 0: it does not. 0 after reset, which is not reported */
} tz_activity_kind;

/** Fields of the value of TZ_ACTIVITY_BANKS. First the number of the current bank. Then one bit for each bank b: bank
 * b holds a context to return to. Then one bit for each bank b: words of bank b have still to be stored to its
 * frame. */
#define TZ_BANKS_CURRENT(value) (0xffu & (value))
#define TZ_BANKS_HELD(value) (((value) >> 8) & 0xffu)
#define TZ_BANKS_LEAVE(value) (((value) >> 16) & 0xffu)

/** Largest number of activities that one hart reports in one cycle. */
#define TZ_ACTIVITIES_A_CYCLE 4u

/** An activity of the hardware beside the execution of instructions, with its cycle. The first cycle is reported,
 * too, for levels and for banks. */
typedef struct tz_activity {
  uint64_t cycle;
  uint64_t since; /**< of an access: first cycle of its request; otherwise equal to `cycle` */
  uint64_t value;
  uint16_t kind; /**< tz_activity_kind */
  uint16_t hart;
} tz_activity;

/** Operations on a word of memory. Each of them is one grant of the bus. */
typedef enum tz_word_op {
  TZ_WORD_LOAD = 0,
  TZ_WORD_OR = 1,
  TZ_WORD_AND = 2,
  TZ_WORD_SWAP = 3,
  TZ_WORD_MARK = 4 /**< sets bit 0 if bits 1 and 0 are zero */
} tz_word_op;

/** Kinds of tz_post. ACCESS and TAKE are accesses to memory; they are reported in the cycle of their bus grants. */
typedef enum tz_post_kind {
  TZ_POST_ACCESS = 0, /**< the senduipi that executes makes an access: operation `op` with operand `value` on the word
                           at `address` */
  TZ_POST_TAKE = 1,   /**< the notification that has come to the hart makes an access, described in the same way */
  TZ_POST_JOIN = 2,   /**< the vectors `value` join UIRR; `address` is the number of the first of these 32 vectors, 0
                           or 32 */
  TZ_POST_SEND = 3,   /**< a notification leaves: to the hart whose mhartid is `address`, with vector `value` */
  TZ_POST_END = 4,    /**< the notification that has come is complete: the vectors that were posted have joined UIRR */
  TZ_POST_EDGE = 5    /**< the same, but the notification was an edge of source `value` of the hart's CLIC, if the CLIC
                           has such a source */
} tz_post_kind;

/** Largest number of tz_posts that one hart reports in one cycle. */
#define TZ_POSTS_A_CYCLE 4u

/** A step of a post or of a notification of user interrupts from hart to hart (docs/user-interrupts.md). If a
 * senduipi is given up for an interrupt, the steps before that are reported, too; they are loads only. */
typedef struct tz_post {
  uint64_t cycle;
  uint64_t address;
  uint32_t value;
  uint16_t hart; /**< hart that does it */
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

/** Which retirements run() records. Bits of tz_run_args.select. */
enum tz_select {
  TZ_SELECT_ALL = 1u << 0,      /**< every retirement */
  TZ_SELECT_MARKERS = 1u << 1,  /**< the marker HINT `slti x0, x0, N` */
  TZ_SELECT_HANDLERS = 1u << 2, /**< the first instruction of a trap handler */
  TZ_SELECT_TRAPS = 1u << 3,    /**< instructions that change which handler runs: exceptions, returns (mret, emret,
                                     uret, euret) and the instruction after a return, xnxti and jalxnxti; and
                                     accesses to mtvt and utvt */
  TZ_SELECT_USER = 1u << 4      /**< the first instruction in user mode after another mode; some engines record more,
                                     at most what TZ_SELECT_TRAPS selects */
};

/** Kinds of tz_watch. */
typedef enum tz_watch_kind {
  TZ_WATCH_EXECUTE = 0,   /**< an instruction whose first byte is in the range executes */
  TZ_WATCH_LOAD = 1,      /**< a load, LR or AMO of a byte of the range */
  TZ_WATCH_STORE = 2,     /**< a store, AMO or SC that succeeds, to a byte of the range */
  TZ_WATCH_USER_LOAD = 3, /**< as LOAD, of user mode alone, and addresses are physical, those of hits, too */
  TZ_WATCH_USER_STORE = 4 /**< as STORE, likewise */
} tz_watch_kind;

/** A range of addresses to watch, as one hart sees them, before translation. */
typedef struct tz_watch {
  uint64_t address; /**< first byte */
  uint64_t size;    /**< bytes, at least 1 */
  uint16_t kind;    /**< tz_watch_kind */
  uint16_t hart;
} tz_watch;

/** An instruction met a watch and retired without a trap. */
typedef struct tz_hit {
  uint64_t cycle;   /**< cycle in which it executed; of an access: cycle in which the bus granted the first word with
                         a byte in the range */
  uint64_t retired; /**< cycle in which the instruction retired */
  uint64_t address; /**< address of the instruction; of an access: address of the access */
  uint64_t value;   /**< of an access: the value loaded or stored; otherwise 0 */
  uint32_t watch;   /**< index in tz_run_args.watches */
  uint32_t size;    /**< of an access: its bytes; otherwise 0 */
} tz_hit;

/** Reason for which run() returned. A claim or an exit ends the run after the cycle in which it happens. */
typedef enum tz_stop {
  TZ_STOP_CYCLES = 0,  /**< until_cycle reached */
  TZ_STOP_RETIRED = 1, /**< max_retired instructions retired */
  TZ_STOP_RECORDS = 2, /**< the buffer of records, rises, hits, posts or activities is full: empty it and call run()
                            again; or an xnxti or jalxnxti was recorded, which may have claimed an interrupt */
  TZ_STOP_CLAIM = 3,   /**< interrupts were claimed, see tz_run_args.claims */
  TZ_STOP_CONSOLE = 4, /**< the console output buffer is full: empty it and call run() again */
  TZ_STOP_EXIT = 5,    /**< a hart wrote the host port, see tz_hart_state; run() may be called again */
  TZ_STOP_ERROR = 6    /**< the engine failed, see last_error() */
} tz_stop;

/** Privilege modes are the places of such arrays: 0 user, 1 supervisor, 3 machine. */
#define TZ_MODES 4

/** State of a hart at the end of a run. */
typedef struct tz_hart_state {
  uint64_t pc;        /**< address of the next instruction, or of the wfi in which the hart waits */
  uint64_t pc_since;  /**< cycle since which pc has this value: the cycle in which the instruction before it retired */
  uint64_t retired;   /**< instructions retired without a trap since reset */
  uint32_t asleep;    /**< 1: it waits in wfi */
  uint32_t exited;    /**< 1: it wrote the host port in the last cycle executed */
  uint32_t exit_code; /**< value that it wrote */
  uint64_t first[TZ_MODES]; /**< by privilege mode: when the hart came to be in it for the first time; 0: never, or not
                               known */
} tz_hart_state;

/** Something that took time of a hart since its reset. All causes of a hart together have all of its cycles. */
typedef struct tz_cause {
  const char* name;          /**< plural, for example "dirty victims of those" */
  uint64_t times[TZ_MODES];  /**< how often, in each mode; 0 of a cause that is not counted */
  uint64_t cycles[TZ_MODES]; /**< what it took */
} tz_cause;

/**
 * Arguments of run(). Buffers belong to the caller. Where a capacity counts by cycle, the engine stops before a cycle
 * for which there might be no room.
 */
typedef struct tz_run_args {
  uint64_t until_cycle;       /**< stop before this cycle executes */
  uint64_t max_retired;       /**< stop after so many retirements of all harts together; 0: no limit */
  uint32_t select;            /**< TZ_SELECT_* */
  tz_retire* records;         /**< buffer for the selected records. Those of one hart are in order; with
                                   TZ_CAP_CYCLES and without TZ_CAP_TURNS all are ordered by cycle of retirement, then
                                   by hart */
  size_t records_capacity;    /**< at least num_harts if select is not 0 */
  tz_claim* claims;           /**< buffer for the claims of the last cycle, ordered by hart; NULL: claims are dropped */
  size_t claims_capacity;     /**< at least num_harts if claims is not NULL */
  uint8_t* console;           /**< buffer for console output; NULL: it is dropped */
  size_t console_capacity;    /**< bytes, at least 1 if console is not NULL */
  tz_rise* rises;             /**< buffer for rises of signals, ordered by cycle; NULL: they are dropped */
  size_t rises_capacity;      /**< at least num_signals if rises is not NULL */
  tz_activity* activities;    /**< buffer for activities; NULL: they are not observed, which costs nothing */
  size_t activities_capacity; /**< at least TZ_ACTIVITIES_A_CYCLE for each hart if activities is not NULL */
  tz_post* posts;             /**< buffer for posts and notifications, ordered by cycle; NULL: they are not observed.
                                   An engine without TZ_CAP_CYCLES reports none */
  size_t posts_capacity;      /**< at least TZ_POSTS_A_CYCLE for each hart if posts is not NULL */
  const tz_watch* watches;    /**< ranges of addresses to watch; NULL: none, which costs nothing */
  size_t num_watches;         /**< entries in watches */
  tz_hit* hits;               /**< buffer for hits, ordered as records are */
  size_t hits_capacity;       /**< at least num_watches if watches is not NULL */
  tz_hart_state* harts;       /**< buffer for the state of each hart at the end, num_harts entries; NULL: not wanted */
  uint64_t turn;              /**< an engine with TZ_CAP_TURNS may let each hart execute so many instructions, with
                                   TZ_CAP_CYCLES cycles, before the next hart has its turn. Larger turns are faster, and
                                   show fewer interleavings. 0 and 1: one. No turns are between a hart whose cycles are
                                   those of the hardware and others */
  uint32_t finish;            /**< 1: this is the last run, so console output that waits for the end of a line is
                                   given out now */
} tz_run_args;

/** Result of run(). If several reasons to stop fall into one cycle, stop is the one with the largest number. Claims
 * and exits are reported whatever the reason. */
typedef struct tz_run_result {
  tz_stop stop;
  uint64_t cycle;        /**< next cycle to execute; equal to the number of cycles executed since reset */
  uint64_t retired;      /**< instructions that retired without a trap on all harts since reset */
  size_t num_records;    /**< records written */
  size_t num_claims;     /**< claims written; they happened in cycle - 1 */
  size_t console_bytes;  /**< console bytes written */
  size_t num_rises;      /**< rises written */
  size_t num_activities; /**< activities written */
  size_t num_posts;      /**< tz_posts written */
  size_t num_hits;       /**< hits written */
  uint32_t asleep;       /**< 1: every hart waits in wfi, and nothing in the machine is on its way to wake one: no timer
                              runs towards its time, no device works, no console input can be received. An event of the
                              last hundred cycles may still wake a hart; so may set_line() */
} tz_run_result;

/** The functions of an engine. All but destroy(), info() and last_error() return a tz_status where they can fail. */
typedef struct tz_engine_api {
  uint32_t abi;  /**< TZ_ENGINE_ABI of the engine */
  uint32_t size; /**< sizeof(tz_engine_api) of the engine */

  /** Creates an instance, in reset state, with memories zero. Registers that have no reset get values that follow
   * from `reset_seed`; 0: they are zero. Only engines with TZ_CAP_RANDOM use the seed. `platform`: path of the file
   * that describes the platform, or ""; an engine that was built for one platform ignores it. Returns NULL on failure,
   * with one line of text in `error`, a string of at most `error_size` bytes with its end. */
  tz_engine* (*create)(uint32_t reset_seed, const char* platform, char* error, size_t error_size);
  void (*destroy)(tz_engine* engine);
  /** Description of the engine, constant. */
  const tz_engine_info* (*info)(const tz_engine* engine);
  /** One line of text about the last call that failed. It is valid until the next call. Never NULL. */
  const char* (*last_error)(const tz_engine* engine);

  /** Goes back to the start of cycle 0 with all lines low. Memories, and registers that have no reset, keep their
   * content. */
  tz_status (*reset)(tz_engine* engine);
  /** Copies `size` bytes from or to memory at physical address `addr` of a hart. The whole range must lie in one
   * region of the hart. */
  tz_status (*read_memory)(tz_engine* engine, uint32_t hart, uint64_t addr, void* data, size_t size);
  tz_status (*write_memory)(tz_engine* engine, uint32_t hart, uint64_t addr, const void* data, size_t size);
  /** Drives platform line `line` of a hart to `level` (0 or 1) from the next cycle on. */
  tz_status (*set_line)(tz_engine* engine, uint32_t hart, uint32_t line, uint32_t level);
  /** Sets the chance of a stall in each cycle, in 1/256, for the instruction port and the data port, and the seed of
   * the random generator. 0, 0: no stalls. */
  tz_status (*set_wait_states)(tz_engine* engine, uint32_t instr, uint32_t data, uint32_t seed);
  /** Appends bytes to the console input, which the firmware reads through its UART. */
  tz_status (*console_input)(tz_engine* engine, const uint8_t* data, size_t size);

  /** Executes cycles until a reason to stop occurs. TZ_ERR_INTERNAL comes with TZ_STOP_ERROR. */
  tz_status (*run)(tz_engine* engine, const tz_run_args* args, tz_run_result* result);

  /** Saves the whole state into a new snapshot. NULL on failure. A snapshot belongs to the instance that made it. */
  void* (*snapshot_save)(tz_engine* engine);
  tz_status (*snapshot_restore)(tz_engine* engine, const void* snapshot);
  void (*snapshot_free)(tz_engine* engine, void* snapshot);

  /** Writes waves of the cycles executed from now on to `path`, until wave_close(). */
  tz_status (*wave_open)(tz_engine* engine, const char* path);
  /** Finishes the wave file. TZ_ERR_IO if the file could not be written whole. */
  tz_status (*wave_close)(tz_engine* engine);

  /** Where the cycles of a hart went: writes at most `capacity` causes and returns how many there are; 0: that is not
   * known of this hart. */
  size_t (*causes)(const tz_engine* engine, uint32_t hart, tz_cause* causes, size_t capacity);

  /** Sets the pins of the JTAG port from the next cycle on, as bits of tz_jtag_pin, and gives the level of tdo at the
   * end of the last cycle. At the start all are 0. A change of tck needs a cycle of its own. */
  tz_status (*jtag)(tz_engine* engine, uint32_t pins, uint32_t* tdo);
} tz_engine_api;

/** Type of the exported function tz_engine_get(). `abi` is the caller's TZ_ENGINE_ABI; NULL if it does not match. */
typedef const tz_engine_api* (*tz_engine_get_fn)(uint32_t abi);

#ifdef __cplusplus
}
#endif
#endif /* TRAPEZE_SIM_KERNEL_ENGINE_H */
