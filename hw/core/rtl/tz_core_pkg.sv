// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Types shared by the stages of the core: operation codes, the control word from ID to EX.
package tz_core_pkg;

  import isa_pkg::*;

  /// ALU operations. RV32I, then Zba, Zbb, Zbs.
  typedef enum logic [5:0] {
    AluAdd, AluSub, AluSlt, AluSltu, AluXor, AluOr, AluAnd, AluSll, AluSrl, AluSra,
    AluSh1add, AluSh2add, AluSh3add,
    AluAndn, AluOrn, AluXnor, AluClz, AluCtz, AluCpop, AluMax, AluMaxu, AluMin, AluMinu,
    AluSextb, AluSexth, AluZexth, AluRol, AluRor, AluOrcb, AluRev8,
    AluBclr, AluBext, AluBinv, AluBset
  } alu_op_e;

  /// Which unit's result EX hands to WB.
  typedef enum logic [2:0] {
    ResAlu,
    ResMul,
    ResDiv,
    ResCsr,
    ResLink  // address of the next instruction (jal, jalr)
  } result_e;

  /// What an instruction does besides computing a result.
  typedef enum logic [3:0] {
    KindAlu,      // no side effect: the instruction only computes a result
    KindBranch,
    KindJal,
    KindJalr,
    KindLoad,
    KindStore,
    KindDiv,
    KindCsr,
    KindFenceI,
    KindEcall,
    KindEbreak,
    KindMret,
    KindWfi,
    KindEmret,    // fastirq
    KindPost,     // senduipi
    KindIllegal
  } kind_e;

  /// Multiplier and divider operation: funct3[1:0] of the M extension.
  typedef enum logic [1:0] {
    MulLow   = 2'b00,
    MulHigh  = 2'b01,
    MulHighSu = 2'b10,
    MulHighU = 2'b11
  } mul_op_e;

  /// Source of EX operand A.
  typedef enum logic [1:0] {
    OpARs1,
    OpAPc,
    OpAZero,
    OpAZimm  // uimm[4:0] of the CSR instructions
  } op_a_e;

  /// Decoded instruction, as it travels from ID to EX.
  typedef struct packed {
    kind_e       kind;
    alu_op_e     alu_op;
    result_e     result;
    logic [5:0]  atop;     // of a load or store: the atomic operation (obi_pkg), AtopNone for a plain one
    logic [2:0]  funct3;   // branch condition, access size, mul/div and CSR operation
    logic        user;     // with KindMret or KindEmret: the instruction is uret or euret, user mode's form
    logic        debug;    // with KindMret: the instruction is dret
    logic        rd_we;    // writes rd (rd is not x0)
    logic [4:0]  rd;
  } ctrl_t;

  /// What IF offers to ID.
  typedef struct packed {
    logic [31:0] pc;
    logic [31:0] next_pc;      // address of the instruction behind it
    logic [31:0] instr;        // the instruction as fetched; only bits 15:0 count if it is compressed
    logic        compressed;
    logic        fault;        // the instruction could not be fetched
    logic        fault_second; // with fault: its first half-word was fetched, its second could not be
    logic        from_table;   // no instruction: the vector table entry at pc is awaited; with `fault` its fetch failed
    logic [31:0] cycle;        // clock cycle of the request that brought the first half-word
  } fetch_t;

  /// What goes from ID to EX. An operand is `late` if it is the load in WB, which arrives when this instruction is in EX.
  typedef struct packed {
    logic [31:0] pc;
    logic [31:0] insn;        // as fetched; a compressed one in the lower half
    logic        fault;       // as in fetch_t
    logic        fault_second;
    logic        fault_table; // with `fault`: not an instruction, but an entry of the vector table
    ctrl_t       ctrl;
    logic [31:0] op_a;
    logic [31:0] op_b;
    logic [31:0] store_data;  // rs2
    logic        late_a;
    logic        late_b;
    logic        late_store;
    logic [31:0] alt;         // of a branch: target if the prediction fails; else the next instruction's address
    logic        pred_taken;
  } id_t;

  /// A register written, and its new value.
  typedef struct packed {
    logic        we;       // never with rd = 0
    logic [4:0]  rd;
    logic [31:0] data;
  } reg_write_t;

  /// The registers that an instruction reads, and their values (retirement record).
  typedef struct packed {
    logic [4:0]  rs1;      // x0 where none is read
    logic [4:0]  rs2;
    logic [31:0] rs1_data;
    logic [31:0] rs2_data;
  } reg_reads_t;

  /// mcause with the CLIC (Fast Interrupts v0.10).
  typedef struct packed {
    logic        irq;    // interrupt, else exception
    logic        minhv;  // mepc is the address of a vector table entry
    logic [1:0]  mpp;
    logic        mpie;
    logic [7:0]  mpil;
    logic        posted; // in ucause, with Uintr: `code` is a posted vector, else a source of the CLIC
    logic [11:0] code;
  } mcause_t;

  function automatic logic [31:0] pack_mcause(mcause_t c);
    return {c.irq, c.minhv, c.mpp, c.mpie, 3'b0, c.mpil, 3'b0, c.posted, c.code};
  endfunction

  // The fields of an mcause or ucause in memory. An mpp that is not M reads as U; without `posts`, `posted` reads zero.
  function automatic mcause_t unpack_mcause(logic [31:0] word, bit posts = 1'b0);
    // verilator lint_off UNUSEDSIGNAL
    logic unused;
    unused = ^{word[26:24], word[15:12]};
    // verilator lint_on UNUSEDSIGNAL
    return '{irq: word[31], minhv: word[30], mpp: (word[29:28] == PrivM) ? PrivM : PrivU, mpie: word[27],
             mpil: word[23:16], posted: posts && word[12], code: word[11:0]};
  endfunction

  /// mepc and mcause. An interrupt writes them, and fastirq keeps them in a frame beside the registers.
  typedef struct packed {
    logic [31:1] epc;
    mcause_t     cause;
  } context_t;

  /// The CSRs that traps and returns change, of one mode that handles traps: machine mode or user mode. xepc stands for
  /// mepc or uepc, and so do the other names with x. xstatus.xPP and xPIE are `regs.cause.mpp` and `.mpie`.
  typedef struct packed {
    context_t    regs;        // xepc and xcause
    logic [31:0] tval;
    logic        ie;          // xstatus.xIE
    logic [7:0]  il;          // CLIC: xintstatus.xil
    logic [7:0]  thresh;      // CLIC: xintthresh
  } level_csrs_t;

  /// All registers that traps and returns change.
  typedef struct packed {
    logic [1:0]  priv;        // privilege mode of the hart
    logic        mprv;        // mstatus.MPRV
    level_csrs_t m;           // machine mode's
    level_csrs_t u;           // user mode's; zero without UserIrq
  } trap_csrs_t;

  /// For one mode that handles traps: where its traps go, and what the CSR instruction in EX asks of its interrupts.
  typedef struct packed {
    logic [31:2] tvec;            // base
    logic [31:6] tvt;             // CLIC: base of the vector table
    logic        fast;            // xfastirq.enable
    logic        nest;            // xfastirq.enable and .nest: handlers with a frame begin with interrupts enabled
    logic        nxti_claims;     // the CSR instruction is xnxti or jalxnxti, and claims the interrupt offered
    logic [7:0]  nxti_level;      // xnxti and jalxnxti: the interrupt's level must be above this one
  } level_setup_t;

  /// What the CSR file answers to the instruction in EX.
  typedef struct packed {
    logic [31:0] rdata;
    logic        exists;   // for a debugger (Rvfi): the CSR exists
    logic        illegal;  // the CSR instruction is not legal
    logic        we;       // the instruction, if it completes, writes the CSR
    logic [31:0] wdata;
    logic        rows;     // the instruction, if it completes, writes registers of memory protection
    logic        jump;     // it is a jalxnxti that jumps through the vector table, if it completes
  } csr_answer_t;

  /// Debug mode (tz_csr_debug), for the trap unit.
  typedef struct packed {
    logic        mode;        // the hart is in debug mode
    logic        want;        // it is not, and shall be before the next instruction: asked for, or a step is done
    logic        stepped;     // with want: a step is done
    logic        steps;       // the hart executes the one instruction of a step
    logic        masks;       // interrupts are not taken: in debug mode, or a step without dcsr.stepie
    logic        breaks;      // ebreak begins debug mode in the present privilege mode
    logic [1:0]  prv;         // dcsr.prv
    logic [31:1] pc;          // dpc
    logic        stop_count;  // mcycle and minstret stand
    logic        stop_time;   // this hart lets mtime stand
  } debug_t;

  /// What debug mode hears of the trap unit.
  typedef struct packed {
    logic        begins;      // debug mode begins in this cycle ...
    logic        breaks;      // ... because of an ebreak, or of a trigger on the instruction in EX
    logic        trigger;     // of a trigger
    logic [31:1] pc;          // with begins: the next instruction of the program
    logic        ends;        // a dret completes
    logic        traps;       // a trap is taken
  } to_debug_t;

  /// What triggers say of the instruction in EX (tz_triggers).
  typedef struct packed {
    logic        fetch;       // one fires by its address
    logic        any;         // one fires, by that or by its access; known late. With `fetch` this is set, too
    logic        debug;       // with `any`: debug mode begins, else a breakpoint exception is raised; known late
  } trigger_t;

  /// What triggers hear of the trap unit.
  typedef struct packed {
    logic        fires;       // the instruction in EX gives way to the trigger on it
    logic        begins;      // debug mode begins in this cycle
    logic        interrupts;  // an interrupt is taken, or chained
    logic        excepts;     // an exception is taken
    logic        counts;      // icount: a trap is taken that is not of an instruction which has left EX
    logic        beyond;         // the code of the interrupt or exception is above 31
    logic [4:0]  code;
    logic [1:0]  from;        // privilege mode that is left; chained: the one that emret would have gone to
  } to_triggers_t;

  /// From the CSR file to the trap unit.
  typedef struct packed {
    trap_csrs_t  now;             // the registers
    trap_csrs_t  written;         // the registers, as the CSR instruction that completes in this cycle leaves them
    logic        regs_written;    // a CSR instruction that writes mepc or mcause completes in this cycle
    logic        timeout_wait;    // mstatus.TW
    irq_pkg::clint_pending_t mie; // CLINT: enabled interrupts
    logic        mtvec_vectored;  // CLINT: interrupts go to base + 4 * cause
    level_setup_t m;
    level_setup_t u;              // zero without UserIrq
    logic        posted;          // Uintr: UIRR is not zero
    logic [5:0]  vector;          // with posted: the highest vector of UIRR
    debug_t      debug;           // zero without Debug
  } csr_to_trap_t;

  /// From the trap unit to the CSR file.
  typedef struct packed {
    trap_csrs_t  next;            // the registers in the next cycle
    logic        nxti_qualifies;  // the interrupt offered may be claimed by mnxti and jalmnxti
    logic        unxti_qualifies; // the interrupt offered may be claimed by unxti
    logic [31:2] entry;           // address of the vector table entry of the interrupt offered
    logic        post_take;       // Uintr: the highest vector of UIRR is delivered
    to_debug_t   debug;
    to_triggers_t triggers;
  } trap_to_csr_t;

  /// From the load-store unit.
  typedef struct packed {
    // EX
    logic        ends;       // the last request of the access is granted: EX may move on ...
    logic        stays;      // ... unless `stays` is set, which is known late
    logic        advance;    // the first of two requests is granted
    logic        committed;  // the first half of a split store was granted: the second half must be made
    logic        firm;       // `committed`, or a request waits for its grant: the access cannot be given up
    logic        busy;       // as `firm`, but low if the second half of a store is granted, in the first's block
    logic        split;      // the request is for the first of two words
    logic        second;     // the request is for the second of two words
    // WB
    logic [31:0] rdata;      // load result, with the answer of the last request
    logic        plain;      // the load is of an aligned word: its result is rdata of the port's answer, unchanged
  } from_lsu_t;

  /// What memory protection says of the frame of an interrupt of user mode.
  typedef struct packed {
    logic judged;   // `refused` is known
    logic refused;  // user mode may not store all its words
  } verdict_t;

  /// What the trap unit sees of the pipeline.
  typedef struct packed {
    // EX
    logic        ex_valid;
    kind_e       ex_kind;
    logic [31:0] ex_pc;
    logic [31:0] ex_insn;
    logic        ex_fault;         // the instruction could not be fetched
    logic        ex_fault_second;  // with ex_fault: its second half-word could not be fetched
    logic        ex_fault_table;   // with ex_fault: not an instruction, but an entry of the vector table
    logic [31:2] ex_next;          // with ex_fault: address of the next word
    logic        ex_misaligned;    // the instruction is an atomic operation, and ex_addr is not a multiple of four
    logic [31:0] ex_addr;          // address of the load or store
    logic        ex_user;          // the instruction is uret or euret
    logic        ex_debug;         // the instruction is dret
    logic        ex_target_bad;    // without C: the instruction jumps to ex_target, which is a half-word address
    logic [31:0] ex_target;        // where the instruction jumps to
    verdict_t    frame;            // what memory protection says of a frame at user mode's sp
    logic        ex_completes;     // the instruction completes beside an interrupt: WFI, the second half of a store
    logic        csr_illegal;      // the instruction is a CSR instruction that is not legal
    trigger_t    ex_trigger;       // what triggers say of the instruction
    logic        post_legal;       // senduipi is legal
    logic        post_fault;       // senduipi could not post
    logic [31:0] post_index;       // index of the senduipi
    logic        mret;             // an mret or uret completes in this cycle
    logic        dret;             // a dret completes in this cycle
    // Memory access of the instruction in EX
    logic        lsu_firm;         // the access cannot be given up
    logic        lsu_busy;         // as lsu_firm, but low where the second half of a store ends in this cycle (tz_lsu)
    // WB
    logic        wb_ready;         // no answer is awaited, or it comes in this cycle
    logic        wb_fault;         // the answer is an error
    logic        wb_left;          // what awaits it has left EX: not the first part of a split access
    logic        wb_store;         // the instruction in WB is a store
    logic        wb_post;          // the instruction in WB is a senduipi
    logic [31:0] wb_pc;
    logic [31:0] wb_addr;          // address of the load or store; of a senduipi its index
    // IF
    logic [31:0] if_pc;            // address of the instruction behind EX, or of the vector table entry that is awaited
    logic        if_table;         // a vector table entry is awaited
  } pipe_to_trap_t;

  /// A trap on its way into the CSRs.
  typedef struct packed {
    logic        valid;
    logic        irq;    // interrupt, else exception
    logic        user;   // user mode handles it, else machine mode
    logic        debug;  // no trap, but debug mode begins, or its program begins anew: no CSR of traps changes
    logic [11:0] code;   // exception code or interrupt id
    logic        minhv;  // epc is the address of a vector table entry: its fetch failed, or was interrupted
    logic [31:0] epc;
    logic [31:0] tval;
  } trap_t;

  /// An interrupt the core would take now, whatever the scheme.
  typedef struct packed {
    logic        take;   // pending, enabled, and important enough
    logic        wake;   // ends WFI: as `take`, but whatever xIE says; in M mode user mode's interrupts count, too
    logic [11:0] id;
    logic [7:0]  level;  // zero without levels
    logic        shv;    // vectored by a table entry
    logic        user;   // user mode handles it, else machine mode
  } irq_t;

  /// Which trap is taken in this cycle, and what must not happen beside it.
  typedef struct packed {
    trap_t       trap;
    logic        exception;         // the instruction in EX raises an exception
    logic        ex_traps;          // that exception, or one for a frame in its place, is taken in this cycle
    logic        irq_can;           // the interrupt is taken unless emret chains it or a memory access is in the way
    logic        irq_take;          // the interrupt is taken
    logic        halt_can;          // debug mode begins as soon as no memory access is in the way
    logic        displaces;         // an interrupt, or the begin of debug mode, displaces the instruction in EX
    logic        breaks;            // the instruction in EX (ebreak, trigger) begins debug mode, or ends its program
    logic        triggers;          // the instruction in EX gives way to the trigger on it
    logic        irq_aim;           // no other trap than the interrupt can be taken in this cycle
    logic        stop;              // no memory access may begin: the instruction in EX is displaced, or waits
    logic        freeze;            // an interrupt waits for a register bank: no instruction may complete
    logic        frame_fault_take;  // exception 24 is taken, for a frame that could not be stored
    logic        refuse_take;       // exception 24 is taken instead of an interrupt: user mode may not store its frame
  } trap_choice_t;

  /// From the trap unit to the pipeline.
  typedef struct packed {
    trap_choice_t choice;
    irq_t        irq;
    logic        irq_first;      // an interrupt is taken before the wfi in EX, even if it has ended the wait
    logic        posted;         // the interrupt is a posted vector: `code`, as xcause names it
    logic [11:0] code;
    logic        emret;          // the instruction in EX is an emret or euret that may proceed once WB is ready
    logic [31:0] target;         // address of the handler or table entry for the trap, or for what an emret chains
    logic [31:0] handler;        // as `target`, but the handler's address if its table entry was fetched already
    logic        handler_table;  // with an interrupt: `handler` is the address of a table entry
    logic [31:0] return_pc;      // xepc of the mret or uret in EX
    logic        return_table;   // xcause.minhv: return_pc is the address of a table entry, which the return fetches
  } trap_to_pipe_t;

  // ---------------------------------------------------------------- physical memory protection
  /// A row of memory protection, decoded by tz_pmp_csr into the form that the ports (tz_pmp) compare with. `upper` and
  /// `base` are addresses of words: bits 31:2 of a byte address.
  typedef struct packed {
    logic        tor;      // TOR: the row matches words from `upper` of the row before (row 0: from 0) to below `upper`
    logic        above;    // the end of the row is above all 32-bit addresses: `upper` does not count
    logic [29:0] upper;
    logic        block;    // NA4 or NAPOT: the row matches the words that agree with `base` in the bits `care`
    logic [29:0] base;
    logic [29:0] care;
    logic [2:0]  machine;  // what the row allows to machine mode: {executes, writes, reads}
    logic [2:0]  user;     // what the row allows to user mode
  } pmp_row_t;

  /// All rows; those that are not built match nothing.
  typedef struct packed {
    pmp_row_t [15:0] rows;
    logic [2:0]      machine_else;  // what machine mode may do where no row matches
  } pmp_t;

  /// Question to memory protection at the data port: may machine mode read (and, with `writes`, write) this word? It may
  /// be asked while the load-store unit has no request there.
  typedef struct packed {
    logic            valid;
    logic            writes;
    logic [31:2]     word;
  } pmp_ask_t;

  // ---------------------------------------------------------------- user interrupts from hart to hart: from tz_posts
  typedef struct packed {
    logic        busy;            // the senduipi in EX cannot be given up
    logic        fault;           // the senduipi in EX raises exception 26
    logic        waits;           // the senduipi in WB waits for its answer
    logic        refused;         // the senduipi in WB raises exception 26
    logic        goes_on;         // a senduipi has left EX, and its post still makes accesses
    logic        csr_wait;        // the CSR instruction in EX waits for a notification
    logic        active;          // a notification is under way at this hart, or a post goes on
    logic        done;            // the senduipi in EX leaves in this cycle; known late
    pmp_ask_t    ask;             // the word that the senduipi in EX accesses, for memory protection
    uintr_pkg::join_t join_uirr;
    observe_pkg::posts_t seen;    // for tz_observe
  } from_posts_t;

  /// From the CSR file to tz_posts.
  typedef struct packed {
    uintr_pkg::registers_t registers;
    logic        pending;         // UIRR will not be zero
    logic        receiving;       // the CSR instruction accesses a register that notifications use
    logic        rows;            // the CSR instruction changes rows of memory protection
  } csr_to_posts_t;

  // CLIC: how many bits of a table entry's address are the interrupt's number. The table is aligned to its own size, to
  // 64 bytes at least, so that the address of an entry needs no adder.
  function automatic int unsigned table_index_width(int unsigned num_sources);
    return (num_sources > 16) ? $clog2(num_sources) : 4;
  endfunction

endpackage
