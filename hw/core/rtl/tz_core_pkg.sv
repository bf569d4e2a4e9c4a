// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Types shared by the stages of the core: operation codes, the control word from ID to EX, CSR numbers and causes.
package tz_core_pkg;

  // Privilege levels (Privileged Architecture, 1.2).
  parameter logic [1:0] PrivU = 2'b00;
  parameter logic [1:0] PrivM = 2'b11;

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
    logic [2:0]  funct3;   // branch condition, access size, mul/div and CSR operation
    logic        rd_we;    // writes rd (rd is not x0)
    logic [4:0]  rd;
  } ctrl_t;

  /// Exception codes (Privileged Architecture, table of mcause values).
  typedef enum logic [4:0] {
    ExcFetchMisaligned = 5'd0,
    ExcFetchFault      = 5'd1,
    ExcIllegal         = 5'd2,
    ExcBreakpoint      = 5'd3,
    ExcLoadFault       = 5'd5,
    ExcStoreFault      = 5'd7,
    ExcEcallU          = 5'd8,
    ExcEcallM          = 5'd11
  } exc_e;

  // CSR numbers.
  parameter logic [11:0] CsrMstatus       = 12'h300;
  parameter logic [11:0] CsrMisa          = 12'h301;
  parameter logic [11:0] CsrMie           = 12'h304;
  parameter logic [11:0] CsrMtvec         = 12'h305;
  parameter logic [11:0] CsrMcounteren    = 12'h306;
  parameter logic [11:0] CsrMtvt          = 12'h307;  // CLIC from here ...
  parameter logic [11:0] CsrMnxti         = 12'h345;
  parameter logic [11:0] CsrMintthresh    = 12'h347;
  parameter logic [11:0] CsrMscratchcsw   = 12'h348;
  parameter logic [11:0] CsrMscratchcswl  = 12'h349;
  parameter logic [11:0] CsrJalmnxti      = 12'h7ED;
  parameter logic [11:0] CsrMintstatus    = 12'hFB1;  // ... to here
  parameter logic [11:0] CsrMenvcfg       = 12'h30A;
  parameter logic [11:0] CsrMstatush      = 12'h310;
  parameter logic [11:0] CsrMenvcfgh      = 12'h31A;
  parameter logic [11:0] CsrMcountinhibit = 12'h320;
  parameter logic [11:0] CsrMscratch      = 12'h340;
  parameter logic [11:0] CsrMepc          = 12'h341;
  parameter logic [11:0] CsrMcause        = 12'h342;
  parameter logic [11:0] CsrMtval         = 12'h343;
  parameter logic [11:0] CsrMip           = 12'h344;
  parameter logic [11:0] CsrMcycle        = 12'hB00;
  parameter logic [11:0] CsrMinstret      = 12'hB02;
  parameter logic [11:0] CsrMcycleh       = 12'hB80;
  parameter logic [11:0] CsrMinstreth     = 12'hB82;
  parameter logic [11:0] CsrCycle         = 12'hC00;
  parameter logic [11:0] CsrInstret       = 12'hC02;
  parameter logic [11:0] CsrCycleh        = 12'hC80;
  parameter logic [11:0] CsrInstreth      = 12'hC82;
  parameter logic [11:0] CsrMvendorid     = 12'hF11;
  parameter logic [11:0] CsrMarchid       = 12'hF12;
  parameter logic [11:0] CsrMimpid        = 12'hF13;
  parameter logic [11:0] CsrMhartid       = 12'hF14;
  parameter logic [11:0] CsrMconfigptr    = 12'hF15;

  /// A trap on its way into the CSRs.
  typedef struct packed {
    logic        valid;
    logic        irq;    // interrupt, else exception
    logic [11:0] code;   // exception code or interrupt id
    logic        table_fault;  // exception: the fetch of a vector table entry failed (mcause.minhv)
    logic [31:0] epc;
    logic [31:0] tval;
  } trap_t;

  /// An interrupt the core would take now, whatever the scheme.
  typedef struct packed {
    logic        take;   // pending, enabled, and important enough
    logic        wake;   // ends WFI: as take, but whatever mstatus.MIE says
    logic [11:0] id;
    logic [7:0]  level;  // zero without levels
    logic        shv;    // vectored by a table entry
  } irq_t;

endpackage
