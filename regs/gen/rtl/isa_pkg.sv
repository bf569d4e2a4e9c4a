// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Constants of the instruction set.
// Generated from regs/isa by regs/generate.py; do not edit.

// A package describes everything; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package isa_pkg;

  // Privilege levels.
  parameter logic [1:0] PrivU = 2'b00;
  parameter logic [1:0] PrivS = 2'b01;
  parameter logic [1:0] PrivM = 2'b11;

  // Numbers of CSRs; of a run of registers that of its first one.
  parameter logic [11:0] CsrUstatus = 12'h000;  // User status
  parameter logic [11:0] CsrFflags = 12'h001;  // Floating-point accrued exceptions
  parameter logic [11:0] CsrFrm = 12'h002;  // Floating-point dynamic rounding mode
  parameter logic [11:0] CsrFcsr = 12'h003;  // Floating-point control and status
  parameter logic [11:0] CsrUie = 12'h004;  // User interrupt enable, zero with a CLIC
  parameter logic [11:0] CsrUtvec = 12'h005;  // User interrupt handler
  parameter logic [11:0] CsrUtvt = 12'h007;  // Address of the table of user handlers
  parameter logic [11:0] CsrUscratch = 12'h040;  // User scratch
  parameter logic [11:0] CsrUepc = 12'h041;  // User exception program counter
  parameter logic [11:0] CsrUcause = 12'h042;  // User cause
  parameter logic [11:0] CsrUtval = 12'h043;  // User trap value
  parameter logic [11:0] CsrUip = 12'h044;  // User interrupt pending, zero with a CLIC
  parameter logic [11:0] CsrUnxti = 12'h045;  // Claims the next user interrupt (xnxti)
  parameter logic [11:0] CsrUintthresh = 12'h047;  // User interrupt threshold
  parameter logic [11:0] CsrUscratchcswl = 12'h049;  // Exchanges uscratch on a change of level from or to 0
  parameter logic [11:0] CsrSstatus = 12'h100;  // Supervisor status
  parameter logic [11:0] CsrSie = 12'h104;  // Supervisor interrupt enable
  parameter logic [11:0] CsrStvec = 12'h105;  // Supervisor trap handler
  parameter logic [11:0] CsrScounteren = 12'h106;  // Supervisor counter enable
  parameter logic [11:0] CsrSenvcfg = 12'h10a;  // Supervisor environment configuration
  parameter logic [11:0] CsrSscratch = 12'h140;  // Supervisor scratch
  parameter logic [11:0] CsrSepc = 12'h141;  // Supervisor exception program counter
  parameter logic [11:0] CsrScause = 12'h142;  // Supervisor cause
  parameter logic [11:0] CsrStval = 12'h143;  // Supervisor trap value
  parameter logic [11:0] CsrSip = 12'h144;  // Supervisor interrupt pending
  parameter logic [11:0] CsrSatp = 12'h180;  // Supervisor address translation and protection
  parameter logic [11:0] CsrMstatus = 12'h300;  // Machine status
  parameter logic [11:0] CsrMisa = 12'h301;  // ISA and extensions
  parameter logic [11:0] CsrMedeleg = 12'h302;  // Machine exception delegation
  parameter logic [11:0] CsrMideleg = 12'h303;  // Machine interrupt delegation
  parameter logic [11:0] CsrMie = 12'h304;  // Machine interrupt enable
  parameter logic [11:0] CsrMtvec = 12'h305;  // Machine trap handler
  parameter logic [11:0] CsrMcounteren = 12'h306;  // Machine counter enable
  parameter logic [11:0] CsrMtvt = 12'h307;  // Address of the table of handlers
  parameter logic [11:0] CsrMenvcfg = 12'h30a;  // Machine environment configuration
  parameter logic [11:0] CsrMstatush = 12'h310;  // Machine status, upper half (RV32)
  parameter logic [11:0] CsrMenvcfgh = 12'h31a;  // Machine environment configuration, upper half (RV32)
  parameter logic [11:0] CsrMcountinhibit = 12'h320;  // Machine counter inhibit
  parameter logic [11:0] CsrMhpmevent3 = 12'h323;  // Machine performance event selector
  parameter int unsigned CsrMhpmevent3Count = 29;
  parameter logic [11:0] CsrMscratch = 12'h340;  // Machine scratch
  parameter logic [11:0] CsrMepc = 12'h341;  // Machine exception program counter
  parameter logic [11:0] CsrMcause = 12'h342;  // Machine cause; the fields from MINHV to MPIL are the CLIC's
  parameter logic [11:0] CsrMtval = 12'h343;  // Machine trap value
  parameter logic [11:0] CsrMip = 12'h344;  // Machine interrupt pending
  parameter logic [11:0] CsrMnxti = 12'h345;  // Claims the next interrupt (xnxti)
  parameter logic [11:0] CsrMintthresh = 12'h347;  // Interrupt threshold
  parameter logic [11:0] CsrMscratchcsw = 12'h348;  // Exchanges mscratch on a change of mode
  parameter logic [11:0] CsrMscratchcswl = 12'h349;  // Exchanges mscratch on a change of level from or to 0
  parameter logic [11:0] CsrMtinst = 12'h34a;  // Machine trap instruction
  parameter logic [11:0] CsrMtval2 = 12'h34b;  // Machine second trap value
  parameter logic [11:0] CsrPmpcfg0 = 12'h3a0;  // Physical memory protection configuration
  parameter int unsigned CsrPmpcfg0Count = 16;
  parameter logic [11:0] CsrPmpaddr0 = 12'h3b0;  // Physical memory protection address
  parameter int unsigned CsrPmpaddr0Count = 64;
  parameter logic [11:0] CsrMseccfg = 12'h747;  // Machine security configuration
  parameter logic [11:0] CsrMseccfgh = 12'h757;  // Machine security configuration, upper half (RV32)
  parameter logic [11:0] CsrTselect = 12'h7a0;  // Trigger select
  parameter logic [11:0] CsrTdata1 = 12'h7a1;  // Trigger data 1
  parameter logic [11:0] CsrTdata2 = 12'h7a2;  // Trigger data 2
  parameter logic [11:0] CsrTdata3 = 12'h7a3;  // Trigger data 3
  parameter logic [11:0] CsrTinfo = 12'h7a4;  // Trigger information
  parameter logic [11:0] CsrTcontrol = 12'h7a5;  // Trigger control
  parameter logic [11:0] CsrMcontext = 12'h7a8;  // Machine context
  parameter logic [11:0] CsrDcsr = 12'h7b0;  // Debug control and status
  parameter logic [11:0] CsrDpc = 12'h7b1;  // Debug program counter
  parameter logic [11:0] CsrDscratch0 = 12'h7b2;  // Debug scratch 0
  parameter logic [11:0] CsrDscratch1 = 12'h7b3;  // Debug scratch 1
  parameter logic [11:0] CsrMfastirq = 12'h7c0;  // fastirq control
  parameter logic [11:0] CsrMframe = 12'h7c1;  // Hint: the frame that emret will leave soon
  parameter logic [11:0] CsrMuitt = 12'h7c2;  // Table of targets of senduipi (UITT)
  parameter logic [11:0] CsrMuittsz = 12'h7c3;  // Entries of the table of targets
  parameter logic [11:0] CsrMupid = 12'h7c4;  // Descriptor of the running thread (UPID)
  parameter logic [11:0] CsrMunv = 12'h7c5;  // Notification vector of the running thread
  parameter logic [11:0] CsrMuirr = 12'h7c6;  // User interrupts that are to be delivered, vectors 0 to 31 (UIRR)
  parameter logic [11:0] CsrMuirrh = 12'h7c7;  // User interrupts that are to be delivered, vectors 32 to 63 (UIRR)
  parameter logic [11:0] CsrJalmnxti = 12'h7ed;  // Claims the next interrupt, calls its handler and enables interrupts
  parameter logic [11:0] CsrUfastirq = 12'h800;  // fastirq control of U mode
  parameter logic [11:0] CsrUframe = 12'h801;  // Hint: the frame that euret will leave soon
  parameter logic [11:0] CsrMcycle = 12'hb00;  // Machine cycle counter
  parameter logic [11:0] CsrMinstret = 12'hb02;  // Machine counter of retired instructions
  parameter logic [11:0] CsrMhpmcounter3 = 12'hb03;  // Machine performance counter
  parameter int unsigned CsrMhpmcounter3Count = 29;
  parameter logic [11:0] CsrMcycleh = 12'hb80;  // Machine cycle counter, upper half (RV32)
  parameter logic [11:0] CsrMinstreth = 12'hb82;  // Machine counter of retired instructions, upper half (RV32)
  parameter logic [11:0] CsrMhpmcounter3h = 12'hb83;  // Machine performance counter, upper half (RV32)
  parameter int unsigned CsrMhpmcounter3hCount = 29;
  parameter logic [11:0] CsrCycle = 12'hc00;  // Cycle counter
  parameter logic [11:0] CsrTime = 12'hc01;  // Timer
  parameter logic [11:0] CsrInstret = 12'hc02;  // Counter of retired instructions
  parameter logic [11:0] CsrHpmcounter3 = 12'hc03;  // Performance counter
  parameter int unsigned CsrHpmcounter3Count = 29;
  parameter logic [11:0] CsrCycleh = 12'hc80;  // Cycle counter, upper half (RV32)
  parameter logic [11:0] CsrTimeh = 12'hc81;  // Timer, upper half (RV32)
  parameter logic [11:0] CsrInstreth = 12'hc82;  // Counter of retired instructions, upper half (RV32)
  parameter logic [11:0] CsrHpmcounter3h = 12'hc83;  // Performance counter, upper half (RV32)
  parameter int unsigned CsrHpmcounter3hCount = 29;
  parameter logic [11:0] CsrUintstatus = 12'hcb1;  // Level of the user interrupt being handled
  parameter logic [11:0] CsrMvendorid = 12'hf11;  // Vendor
  parameter logic [11:0] CsrMarchid = 12'hf12;  // Architecture
  parameter logic [11:0] CsrMimpid = 12'hf13;  // Implementation
  parameter logic [11:0] CsrMhartid = 12'hf14;  // Number of the hart
  parameter logic [11:0] CsrMconfigptr = 12'hf15;  // Address of the configuration structure
  parameter logic [11:0] CsrMintstatus = 12'hfb1;  // Levels of the interrupts being handled

  /// User status.
  typedef struct packed {
    logic [26:0] reserved_31_5; // reserved
    logic        upie;          // UIE before the interrupt
    logic [2:0]  reserved_3_1;  // reserved
    logic        uie;           // interrupts are enabled in U mode
  } csr_ustatus_t;

  /// User cause.
  typedef struct packed {
    logic        irq;            // interrupt, else exception
    logic        uinhv;          // uepc is the address of an entry of the table of handlers
    logic [1:0]  reserved_29_28; // reserved
    logic        upie;           // as ustatus.UPIE
    logic [2:0]  reserved_26_24; // reserved
    logic [7:0]  upil;           // the interrupted level
    logic [2:0]  reserved_15_13; // reserved
    logic        posted;         // code is a vector that somebody posted (uintr), else a source
    logic [11:0] code;           // number of the interrupt
  } csr_ucause_t;

  /// User interrupt threshold.
  typedef struct packed {
    logic [23:0] reserved_31_8; // reserved
    logic [7:0]  th;            // threshold
  } csr_uintthresh_t;

  /// Supervisor environment configuration.
  typedef struct packed {
    logic [24:0] reserved_31_7; // reserved
    logic        cbcfe;         // cbo.clean and cbo.flush are legal below this mode
    logic [1:0]  cbie;          // cbo.inval below this mode
    logic [3:0]  reserved_3_0;  // reserved
  } csr_senvcfg_t;
  parameter logic [1:0] SenvcfgCbieIllegal = 2'h0;
  parameter logic [1:0] SenvcfgCbieFlush = 2'h1;
  parameter logic [1:0] SenvcfgCbieInval = 2'h3;

  /// Machine status.
  typedef struct packed {
    logic [8:0] reserved_31_23; // reserved
    logic       tsr;            // SRET traps in S mode
    logic       tw;             // WFI below M mode is illegal
    logic       tvm;            // satp and SFENCE.VMA trap in S mode
    logic       mxr;            // executable memory can be read
    logic       sum;            // S mode reaches memory of U mode
    logic       mprv;           // loads and stores have the privilege of MPP
    logic [1:0] reserved_16_15; // reserved
    logic [1:0] fs;             // state of the floating-point unit
    logic [1:0] mpp;            // mode before the trap into M
    logic [1:0] reserved_10_9;  // reserved
    logic       spp;            // mode before the trap into S
    logic       mpie;           // MIE before the trap
    logic       reserved_6_6;   // reserved
    logic       spie;           // SIE before the trap
    logic       upie;           // as ustatus.UPIE
    logic       mie;            // interrupts are enabled in M mode
    logic       reserved_2_2;   // reserved
    logic       sie;            // interrupts are enabled in S mode
    logic       uie;            // as ustatus.UIE
  } csr_mstatus_t;
  parameter logic [1:0] MstatusMppU = 2'h0;
  parameter logic [1:0] MstatusMppS = 2'h1;
  parameter logic [1:0] MstatusMppM = 2'h3;
  parameter logic [1:0] MstatusFsOff = 2'h0;
  parameter logic [1:0] MstatusFsInitial = 2'h1;
  parameter logic [1:0] MstatusFsClean = 2'h2;
  parameter logic [1:0] MstatusFsDirty = 2'h3;

  /// Machine interrupt enable.
  typedef struct packed {
    logic [19:0] reserved_31_12; // reserved
    logic        meie;           // machine external interrupt
    logic        reserved_10_10; // reserved
    logic        seie;           // supervisor external interrupt
    logic        reserved_8_8;   // reserved
    logic        mtie;           // machine timer interrupt
    logic        reserved_6_6;   // reserved
    logic        stie;           // supervisor timer interrupt
    logic        reserved_4_4;   // reserved
    logic        msie;           // machine software interrupt
    logic        reserved_2_2;   // reserved
    logic        ssie;           // supervisor software interrupt
    logic        reserved_0_0;   // reserved
  } csr_mie_t;

  /// Machine trap handler.
  typedef struct packed {
    logic [29:0] base; // the upper bits of the handler's address
    logic [1:0]  mode; // how handlers are found
  } csr_mtvec_t;
  parameter logic [1:0] MtvecModeDirect = 2'h0;
  parameter logic [1:0] MtvecModeVectored = 2'h1;
  parameter logic [1:0] MtvecModeClic = 2'h3;

  /// Machine counter enable.
  typedef struct packed {
    logic [28:0] reserved_31_3; // reserved
    logic        ir;            // instret
    logic        tm;            // time
    logic        cy;            // cycle
  } csr_mcounteren_t;

  /// Machine environment configuration.
  typedef struct packed {
    logic [24:0] reserved_31_7; // reserved
    logic        cbcfe;         // cbo.clean and cbo.flush are legal below this mode
    logic [1:0]  cbie;          // cbo.inval below this mode
    logic [3:0]  reserved_3_0;  // reserved
  } csr_menvcfg_t;
  parameter logic [1:0] MenvcfgCbieIllegal = 2'h0;
  parameter logic [1:0] MenvcfgCbieFlush = 2'h1;
  parameter logic [1:0] MenvcfgCbieInval = 2'h3;

  /// Machine counter inhibit.
  typedef struct packed {
    logic [28:0] reserved_31_3; // reserved
    logic        ir;            // instret
    logic        tm;            // time
    logic        cy;            // cycle
  } csr_mcountinhibit_t;

  /// Machine cause; the fields from MINHV to MPIL are the CLIC's.
  typedef struct packed {
    logic        irq;            // interrupt, else exception
    logic        minhv;          // mepc is the address of an entry of the table of handlers
    logic [1:0]  mpp;            // as mstatus.MPP
    logic        mpie;           // as mstatus.MPIE
    logic [2:0]  reserved_26_24; // reserved
    logic [7:0]  mpil;           // the interrupted level
    logic [3:0]  reserved_15_12; // reserved
    logic [11:0] code;           // code of the exception or number of the interrupt
  } csr_mcause_t;

  /// Machine interrupt pending.
  typedef struct packed {
    logic [19:0] reserved_31_12; // reserved
    logic        meip;           // machine external interrupt
    logic        reserved_10_10; // reserved
    logic        seip;           // supervisor external interrupt
    logic        reserved_8_8;   // reserved
    logic        mtip;           // machine timer interrupt
    logic        reserved_6_6;   // reserved
    logic        stip;           // supervisor timer interrupt
    logic        reserved_4_4;   // reserved
    logic        msip;           // machine software interrupt
    logic        reserved_2_2;   // reserved
    logic        ssip;           // supervisor software interrupt
    logic        reserved_0_0;   // reserved
  } csr_mip_t;

  /// Interrupt threshold.
  typedef struct packed {
    logic [23:0] reserved_31_8; // reserved
    logic [7:0]  th;            // threshold
  } csr_mintthresh_t;

  /// Machine security configuration.
  typedef struct packed {
    logic [28:0] reserved_31_3; // reserved
    logic        rlb;           // rule locking bypass: locked rows can be changed
    logic        mmwp;          // machine mode whitelist policy: what no row matches is refused
    logic        mml;           // machine mode lockdown: rows are for one mode, or shared
  } csr_mseccfg_t;

  /// fastirq control.
  typedef struct packed {
    logic [29:0] link;   // the upper bits of ra in a handler
    logic        nest;   // a vectored handler begins with interrupts enabled
    logic        enable; // interrupts save the context in hardware and emret is legal
  } csr_mfastirq_t;

  /// Table of targets of senduipi (UITT).
  typedef struct packed {
    logic [27:0] base;         // the upper bits of the table's address
    logic [2:0]  reserved_3_1; // reserved
    logic        enable;       // senduipi is legal
  } csr_muitt_t;

  /// Entries of the table of targets.
  typedef struct packed {
    logic [15:0] reserved_31_16; // reserved
    logic [15:0] entries;        // how many
  } csr_muittsz_t;

  /// Descriptor of the running thread (UPID).
  typedef struct packed {
    logic [25:0] base;         // the upper bits of the descriptor's address
    logic [4:0]  reserved_5_1; // reserved
    logic        enable;       // notifications are for that thread
  } csr_mupid_t;

  /// Notification vector of the running thread.
  typedef struct packed {
    logic [23:0] reserved_31_8; // reserved
    logic [7:0]  vector;        // as in its descriptor
  } csr_munv_t;

  /// fastirq control of U mode.
  typedef struct packed {
    logic [29:0] link;   // the upper bits of ra in a user handler
    logic        nest;   // a vectored user handler begins with interrupts enabled
    logic        enable; // user interrupts save the context in hardware and euret is legal
  } csr_ufastirq_t;

  /// Level of the user interrupt being handled.
  typedef struct packed {
    logic [23:0] reserved_31_8; // reserved
    logic [7:0]  uil;           // in U mode
  } csr_uintstatus_t;

  /// Levels of the interrupts being handled.
  typedef struct packed {
    logic [7:0] mil;            // in M mode
    logic [7:0] reserved_23_16; // reserved
    logic [7:0] sil;            // in S mode
    logic [7:0] uil;            // in U mode
  } csr_mintstatus_t;

  /// A row's byte of pmpcfg.
  typedef struct packed {
    logic       l;            // the row is locked, and binds machine mode
    logic [1:0] reserved_6_5; // reserved
    logic [1:0] a;            // how the row matches addresses
    logic       x;            // execution is allowed
    logic       w;            // writes are allowed
    logic       r;            // reads are allowed
  } pmpcfg_t;
  parameter logic [1:0] PmpcfgAOff = 2'h0;
  parameter logic [1:0] PmpcfgATor = 2'h1;
  parameter logic [1:0] PmpcfgANa4 = 2'h2;
  parameter logic [1:0] PmpcfgANapot = 2'h3;

  // Descriptor of a thread (UPID): offsets of its words, its size and its alignment, in bytes.
  parameter int unsigned UpidControlOffset = 0;  // Control of notifications
  parameter int unsigned UpidNdstOffset = 4;  // Number (mhartid) of the hart that the thread is on
  parameter int unsigned UpidPuirOffset = 8;  // Posted vectors, one bit for each
  parameter int unsigned UpidBytes = 16;  // size
  parameter int unsigned UpidAlignment = 64;  // alignment

  /// Control of notifications.
  typedef struct packed {
    logic [7:0]  reserved_31_24; // reserved
    logic [7:0]  nv;             // notification vector
    logic [13:0] reserved_15_2;  // reserved
    logic        sn;             // notifications are suppressed
    logic        on;             // a notification is outstanding
  } upid_control_t;

  // Entry of the table of targets (UITT): offsets of its words, its size and its alignment, in bytes.
  parameter int unsigned UittControlOffset = 0;  // What is posted
  parameter int unsigned UittReservedOffset = 4;  // Zero
  parameter int unsigned UittUpidOffset = 8;  // Address of the UPID
  parameter int unsigned UittUpidHighOffset = 12;  // Zero: upper half of that address
  parameter int unsigned UittBytes = 16;  // size
  parameter int unsigned UittAlignment = 16;  // alignment

  /// What is posted.
  typedef struct packed {
    logic [15:0] reserved_31_16; // reserved
    logic [7:0]  vector;         // vector, 0 to 63
    logic [6:0]  reserved_7_1;   // reserved
    logic        valid;          // senduipi may use the entry
  } uitt_control_t;

  /// Exceptions, by their code in mcause.
  typedef enum logic [4:0] {
    ExcFetchMisaligned = 5'd0,  // the target of a jump is misaligned
    ExcFetchFault = 5'd1,  // an instruction could not be fetched
    ExcIllegalInstruction = 5'd2,  // illegal instruction
    ExcBreakpoint = 5'd3,  // ebreak
    ExcLoadMisaligned = 5'd4,  // misaligned load
    ExcLoadFault = 5'd5,  // a load failed
    ExcStoreMisaligned = 5'd6,  // misaligned store or atomic operation
    ExcStoreFault = 5'd7,  // a store or atomic operation failed
    ExcEcallU = 5'd8,  // ecall in U mode
    ExcEcallS = 5'd9,  // ecall in S mode
    ExcEcallM = 5'd11,  // ecall in M mode
    ExcFetchPageFault = 5'd12,  // no translation for a fetch
    ExcLoadPageFault = 5'd13,  // no translation for a load
    ExcStorePageFault = 5'd15,  // no translation for a store or atomic operation
    ExcFrameStoreFault = 5'd24,  // a word of a frame could not be stored
    ExcFrameLoadFault = 5'd25,  // emret could not load a word of the frame
    ExcSendFault = 5'd26  // senduipi could not post
  } exc_e;

  // Interrupts, by their code in mcause.
  parameter logic [4:0] IrqUserPost = 5'd0;  // a vector is in UIRR
  parameter logic [4:0] IrqSupervisorSoftware = 5'd1;  // software interrupt of S mode
  parameter logic [4:0] IrqSoftware = 5'd3;  // software interrupt (CLINT)
  parameter logic [4:0] IrqSupervisorTimer = 5'd5;  // timer interrupt of S mode
  parameter logic [4:0] IrqTimer = 5'd7;  // timer interrupt (CLINT)
  parameter logic [4:0] IrqSupervisorExternal = 5'd9;  // external interrupt of S mode
  parameter logic [4:0] IrqExternal = 5'd11;  // external interrupt
  parameter logic [4:0] IrqPlatform = 5'd16;  // platform line 0; line n is n more

  // Instructions: one is meant when (instruction & Mask) == Match.
  parameter logic [31:0] InsnEmretMatch = 32'hbc200073;  // leaves an interrupt handler, or goes on to the next one
  parameter logic [31:0] InsnEmretMask = 32'hffffffff;
  parameter logic [31:0] InsnUretMatch = 32'h00200073;  // returns from a user interrupt
  parameter logic [31:0] InsnUretMask = 32'hffffffff;
  parameter logic [31:0] InsnEuretMatch = 32'h8c200073;  // leaves a user interrupt, or goes on to the next one
  parameter logic [31:0] InsnEuretMask = 32'hffffffff;
  parameter logic [31:0] InsnSenduipiMatch = 32'h8e000073;  // posts a user interrupt to the target of entry rs1
  parameter logic [31:0] InsnSenduipiMask = 32'hfff07fff;
  parameter logic [31:0] InsnJalxnxtiMatch = 32'h7ed01073;  // csrrw of jalmnxti: claims, calls, enables interrupts
  parameter logic [31:0] InsnJalxnxtiMask = 32'hfff0707f;
  parameter logic [31:0] InsnMarkerMatch = 32'h00002013;  // slti x0, x0, N: a point whose cycles the simulator records
  parameter logic [31:0] InsnMarkerMask = 32'h800fffff;

  // Frame of an interrupt, for the base I and the base E: words, bytes that sp is lowered by, and the
  // register of each word, word 0 in the lowest bits; CSRs come behind the registers. Whole: all registers.
  parameter int unsigned FrameIWords = 18;
  parameter int unsigned FrameIBytes = 80;
  parameter int unsigned FrameIRegisters = 16;
  parameter int unsigned FrameIMepc = 16;  // its word
  parameter int unsigned FrameIMcause = 17;  // its word
  parameter logic [15:0][4:0] FrameIOrder = {
    5'd31, 5'd30, 5'd29, 5'd28, 5'd17, 5'd16, 5'd15, 5'd14, 5'd13, 5'd12, 5'd11, 5'd10, 5'd7, 5'd6, 5'd5, 5'd1
  };
  parameter int unsigned FrameEWords = 12;
  parameter int unsigned FrameEBytes = 48;
  parameter int unsigned FrameERegisters = 10;
  parameter int unsigned FrameEMepc = 10;  // its word
  parameter int unsigned FrameEMcause = 11;  // its word
  parameter logic [9:0][4:0] FrameEOrder = {
    5'd15, 5'd14, 5'd13, 5'd12, 5'd11, 5'd10, 5'd7, 5'd6, 5'd5, 5'd1
  };
  parameter int unsigned FrameWholeIWords = 30;
  parameter int unsigned FrameWholeIBytes = 128;
  parameter int unsigned FrameWholeIRegisters = 28;
  parameter int unsigned FrameWholeIMepc = 28;  // its word
  parameter int unsigned FrameWholeIMcause = 29;  // its word
  parameter logic [27:0][4:0] FrameWholeIOrder = {
    5'd31, 5'd30, 5'd29, 5'd28, 5'd27, 5'd26, 5'd25, 5'd24, 5'd23, 5'd22, 5'd21, 5'd20, 5'd19, 5'd18, 5'd17, 5'd16,
    5'd15, 5'd14, 5'd13, 5'd12, 5'd11, 5'd10, 5'd9, 5'd8, 5'd7, 5'd6, 5'd5, 5'd1
  };
  parameter int unsigned FrameWholeEWords = 14;
  parameter int unsigned FrameWholeEBytes = 64;
  parameter int unsigned FrameWholeERegisters = 12;
  parameter int unsigned FrameWholeEMepc = 12;  // its word
  parameter int unsigned FrameWholeEMcause = 13;  // its word
  parameter logic [11:0][4:0] FrameWholeEOrder = {
    5'd15, 5'd14, 5'd13, 5'd12, 5'd11, 5'd10, 5'd9, 5'd8, 5'd7, 5'd6, 5'd5, 5'd1
  };

endpackage
// verilator lint_on UNUSEDPARAM
