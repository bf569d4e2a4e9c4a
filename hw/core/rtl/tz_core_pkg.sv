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
    KindAlu,      // nothing else
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
    logic        user;     // of mret, emret: it is the form of user mode, uret or euret
    logic        rd_we;    // writes rd (rd is not x0)
    logic [4:0]  rd;
  } ctrl_t;

  /// What IF offers to ID.
  typedef struct packed {
    logic [31:0] pc;
    logic [31:0] next_pc;      // address of the instruction behind it
    logic [31:0] instr;        // raw; of a compressed one only bits 15:0 count
    logic        compressed;
    logic        fault;        // could not be fetched ...
    logic        fault_second; // ... in the second half-word only
    logic        from_table;   // not an instruction: the table entry at pc is awaited (or has failed, with `fault`)
    logic [31:0] cycle;        // of the request that brought its first half-word
  } fetch_t;

  /// What goes from ID to EX. An operand is `late` if it is the load in WB, which arrives when this instruction is in EX.
  typedef struct packed {
    ctrl_t       ctrl;
    logic [31:0] op_a;
    logic [31:0] op_b;
    logic [31:0] store_data;  // rs2
    logic        late_a;
    logic        late_b;
    logic        late_store;
    logic [31:0] alt;         // where to go if the prediction fails; else the next instruction's address
    logic        pred_taken;
  } id_t;

  /// mcause with the CLIC (Fast Interrupts v0.10).
  typedef struct packed {
    logic        irq;    // interrupt, else exception
    logic        minhv;  // mepc is the address of a vector table entry
    logic [1:0]  mpp;
    logic        mpie;
    logic [7:0]  mpil;
    logic        posted; // of ucause, with UserPost: code is a vector, else it is a source
    logic [11:0] code;
  } mcause_t;

  function automatic logic [31:0] pack_mcause(mcause_t c);
    return {c.irq, c.minhv, c.mpp, c.mpie, 3'b0, c.mpil, 3'b0, c.posted, c.code};
  endfunction

  // A mode that does not exist is taken as U; without `posts` there is no bit `posted`.
  function automatic mcause_t unpack_mcause(logic [31:0] word, bit posts = 1'b0);
    // verilator lint_off UNUSEDSIGNAL
    logic unused;
    unused = ^{word[26:24], word[15:12]};
    // verilator lint_on UNUSEDSIGNAL
    return '{irq: word[31], minhv: word[30], mpp: (word[29:28] == PrivM) ? PrivM : PrivU, mpie: word[27],
             mpil: word[23:16], posted: posts && word[12], code: word[11:0]};
  endfunction

  /// mepc and mcause: what an interrupt leaves in them, and what fastirq keeps in a frame beside the registers.
  typedef struct packed {
    logic [31:1] epc;
    mcause_t     cause;
  } context_t;

  /// The CSRs of a privilege level that can handle traps, as far as traps and returns change them. Names with x stand for
  /// those of machine mode (mepc) and of user mode (uepc). xstatus.xPP and xPIE are `regs.cause.mpp` and `.mpie`.
  typedef struct packed {
    context_t    regs;        // xepc and xcause
    logic [31:0] tval;
    logic        ie;          // xstatus.xIE
    logic [7:0]  il;          // CLIC: xintstatus.xil
    logic [7:0]  thresh;      // CLIC: xintthresh
  } level_csrs_t;

  /// The CSRs that traps and returns change.
  typedef struct packed {
    logic [1:0]  priv;        // privilege mode of the hart
    logic        mprv;        // mstatus.MPRV
    level_csrs_t m;           // of machine mode
    level_csrs_t u;           // of user mode; zero without UserIrq
  } trap_csrs_t;

  /// Where the traps of a level go, and what the CSR instruction in EX asks of its interrupts.
  typedef struct packed {
    logic [31:2] tvec;            // base
    logic [31:6] tvt;             // CLIC: base of the vector table
    logic        fast;            // xfastirq.enable
    logic        nest;            // xfastirq.enable and .nest: handlers with a frame begin with interrupts enabled
    logic        nxti_claims;     // it is xnxti or jalxnxti, and claims the interrupt offered
    logic [7:0]  nxti_level;      // the level that an interrupt has to exceed for them
  } level_setup_t;

  /// From the CSR file to the trap unit.
  typedef struct packed {
    trap_csrs_t  now;             // the registers
    trap_csrs_t  written;         // the same, as the CSR instruction that completes in this cycle leaves them
    logic        regs_written;    // it writes mepc or mcause
    logic        timeout_wait;    // mstatus.TW
    irq_pkg::clint_pending_t mie; // CLINT: enabled interrupts
    logic        mtvec_vectored;  // CLINT: interrupts go to base + 4 * cause
    level_setup_t m;
    level_setup_t u;              // zero without UserIrq
    logic        posted;          // UserPost: UIRR is not zero ...
    logic [5:0]  vector;          // ... and this is its highest vector
  } csr_to_trap_t;

  /// From the trap unit to the CSR file.
  typedef struct packed {
    trap_csrs_t  next;            // what the registers become
    logic        nxti_qualifies;  // an interrupt is offered that mnxti and jalmnxti may claim ...
    logic        unxti_qualifies; // ... or that unxti may
    logic [31:2] entry;           // address of its vector table entry
    logic        post_take;       // UserPost: the highest vector of UIRR is delivered
  } trap_to_csr_t;

  /// What the trap unit sees of the pipeline.
  typedef struct packed {
    // EX
    logic        ex_valid;
    kind_e       ex_kind;
    logic [31:0] ex_pc;
    logic [31:0] ex_insn;
    logic        ex_fault;         // it could not be fetched ...
    logic        ex_fault_second;  // ... its second half-word ...
    logic        ex_fault_table;   // ... it is an entry of the vector table
    logic [31:2] ex_next;          // word behind it, if it could not be fetched
    logic        ex_misaligned;    // it is an atomic operation at an address that is not a word's ...
    logic [31:0] ex_addr;          // ... this one
    logic        ex_user;          // it is uret or euret
    logic        ex_target_bad;    // it jumps to a half-word address without C ...
    logic [31:0] ex_target;        // ... to this one
    logic        frame_refused;    // a frame that an interrupt would make now is where user mode may not store
    logic        ex_completes;     // it completes even in the cycle of an interrupt: WFI, the second half of a store
    logic        csr_illegal;      // it is a CSR instruction that is not legal
    logic        post_legal;       // senduipi is legal ...
    logic        post_fault;       // ... and could not post
    logic [31:0] post_index;       // its index
    logic        mret;             // it is an mret or uret, which completes in this cycle
    // Its memory access
    logic        lsu_firm;         // cannot be given up
    logic        lsu_busy;         // cannot be given up, and is not the second half of a store that ends in this cycle
    // WB
    logic        wb_ready;         // no answer is awaited, or it has come
    logic        wb_fault;         // the answer is an error
    logic        wb_store;         // to a store ...
    logic        wb_post;          // ... or to a senduipi
    logic [31:0] wb_pc;
    logic [31:0] wb_addr;          // of the load or store; the index of the senduipi
    // IF
    logic [31:0] if_pc;            // the next instruction behind EX, or the vector table entry that is awaited
    logic        if_table;         // a vector table entry is awaited
  } pipe_to_trap_t;

  /// A trap on its way into the CSRs.
  typedef struct packed {
    logic        valid;
    logic        irq;    // interrupt, else exception
    logic        user;   // user mode handles it, else machine mode
    logic [11:0] code;   // exception code or interrupt id
    logic        minhv;  // epc is the address of a vector table entry: its fetch failed, or was interrupted
    logic [31:0] epc;
    logic [31:0] tval;
  } trap_t;

  /// An interrupt the core would take now, whatever the scheme.
  typedef struct packed {
    logic        take;   // pending, enabled, and important enough
    logic        wake;   // ends WFI: as take, but whatever xIE says, and in machine mode one of user mode
    logic [11:0] id;
    logic [7:0]  level;  // zero without levels
    logic        shv;    // vectored by a table entry
    logic        user;   // user mode handles it, else machine mode
  } irq_t;

  /// Which trap is taken in this cycle, and what must not happen beside it.
  typedef struct packed {
    trap_t       trap;
    logic        exception;         // the instruction in EX raises an exception ...
    logic        ex_traps;          // ... and takes it now, or the exception for a frame is taken in its place
    logic        irq_can;           // the interrupt is taken unless emret chains it or a memory access is in the way
    logic        irq_take;          // the interrupt is taken
    logic        irq_aim;           // if a trap is taken in this cycle it is the interrupt
    logic        stop;              // no memory access may begin: the instruction in EX is displaced, or waits
    logic        freeze;            // an interrupt waits for a register bank: no instruction may complete
    logic        frame_fault_take;  // the exception for a frame that could not be stored is taken ...
    logic        refuse_take;       // ... or that for a frame that user mode may not store, instead of an interrupt
  } trap_choice_t;

  /// From the trap unit to the pipeline.
  typedef struct packed {
    trap_choice_t choice;
    irq_t        irq;
    logic        irq_first;      // an interrupt comes before the wfi in EX, also if it has ended it
    logic        posted;         // it is a posted vector, which xcause names: `code`
    logic [11:0] code;
    logic        emret;          // the instruction in EX is an emret or euret that may proceed once WB is ready
    logic [31:0] target;         // where the trap, or the interrupt that an emret chains, goes: handler or table entry
    logic [31:0] handler;        // the same, with the handler's address where the table entry is known already
    logic        handler_table;  // with an interrupt: `handler` is the address of a table entry
    logic [31:0] return_pc;      // where mret or uret goes ...
    logic        return_table;   // ... through the table entry there
  } trap_to_pipe_t;

  // ---------------------------------------------------------------- physical memory protection
  /// A row as the ports compare with it (tz_pmp_csr decodes it). Addresses are of words.
  typedef struct packed {
    logic        tor;      // it reaches from the end of the row before it, or from zero, to `upper` ...
    logic        above;    // ... which is above all addresses that there are
    logic [29:0] upper;
    logic        block;    // NA4 or NAPOT: it holds the words that agree with `base` in the bits `care`
    logic [29:0] base;
    logic [29:0] care;
    logic [2:0]  machine;  // what it allows to machine mode: {executes, writes, reads}
    logic [2:0]  user;     // and to user mode
  } pmp_row_t;

  /// All rows; those that are not built match nothing.
  typedef struct packed {
    pmp_row_t [15:0] rows;
    logic [2:0]      machine_else;  // what machine mode may do where no row matches
  } pmp_t;

  /// A word that machine mode reads, and perhaps writes, judged at the data port while the load-store unit asks for none.
  typedef struct packed {
    logic            valid;
    logic            writes;
    logic [31:2]     word;
  } pmp_ask_t;

  // ---------------------------------------------------------------- user interrupts from hart to hart: from tz_posts
  typedef struct packed {
    logic        busy;            // the senduipi in EX cannot be given up
    logic        fault;           // it raises exception 26
    logic        waits;           // the one in WB waits for its answer
    logic        refused;         // it raises exception 26
    logic        goes_on;         // a post goes on behind its senduipi, which has left EX
    logic        csr_wait;        // the CSR instruction in EX waits for a notification
    logic        active;          // a notification is here, or a post goes on
    logic        done;            // the senduipi in EX leaves; known late
    pmp_ask_t    ask;             // the word that it accesses
    uintr_pkg::join_t join_uirr;
    observe_pkg::posts_t seen;    // for tz_observe
  } from_posts_t;

  /// From the CSR file to tz_posts.
  typedef struct packed {
    uintr_pkg::registers_t registers;
    logic        pending;         // UIRR will not be zero
    logic        receiving;       // the CSR instruction is with a register that notifications use ...
    logic        rows;            // ... or changes rows of memory protection
  } csr_to_posts_t;

  // CLIC: bits of an interrupt's number in the address of its table entry. The table is aligned to its own size, 64 bytes
  // at least, so that the address is made without an adder.
  function automatic int unsigned table_index_width(int unsigned num_sources);
    return (num_sources > 16) ? $clog2(num_sources) : 4;
  endfunction

endpackage
