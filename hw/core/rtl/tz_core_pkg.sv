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
    logic [11:0] code;
  } mcause_t;

  function automatic logic [31:0] pack_mcause(mcause_t c);
    return {c.irq, c.minhv, c.mpp, c.mpie, 3'b0, c.mpil, 4'b0, c.code};
  endfunction

  // A mode that does not exist is taken as U.
  function automatic mcause_t unpack_mcause(logic [31:0] word);
    // verilator lint_off UNUSEDSIGNAL
    logic unused;
    unused = ^{word[26:24], word[15:12]};
    // verilator lint_on UNUSEDSIGNAL
    return '{irq: word[31], minhv: word[30], mpp: (word[29:28] == PrivM) ? PrivM : PrivU, mpie: word[27],
             mpil: word[23:16], code: word[11:0]};
  endfunction

  // What an interrupt leaves in mepc and mcause; with fastirq it belongs to the frame.
  typedef struct packed {
    logic [31:1] epc;
    mcause_t     cause;
  } context_t;

  /// From the CSRs to fastirq.
  typedef struct packed {
    logic        enable;   // mfastirq.enable
    logic [31:2] link;     // mfastirq.link
    context_t    leaves;   // mepc and mcause as the interrupt that is being taken writes them
    context_t    regs;     // mepc and mcause
    logic [31:0] mscratch;
    logic        chain_ok; // the interrupt offered qualifies against the level of the frame ...
    logic        chain_regs_ok;  // ... or of mcause
    logic        hold;     // an exception for a frame would destroy mepc and mcause, which nothing else holds
    logic        hint;     // mframe is written: the frame at hint_base will be left soon
    logic [31:2] hint_base;
  } fast_from_csr_t;

  /// From fastirq to the CSRs.
  typedef struct packed {
    logic        load_cause;   // emret loads mcause ...
    logic        load_epc;     // ... or mepc ...
    logic [31:0] load_data;    // ... from a frame
    logic        mscratch_we;  // changes places with sp
    logic [31:0] mscratch;
    logic        emret;        // emret completes ...
    logic        chain;        // ... taking the interrupt offered instead of returning
    context_t    frame;        // it leaves this frame
    logic [7:0]  level;        // mpil of the frame that is here
  } fast_to_csr_t;

  // fastirq: the frame holds the caller-saved registers in ascending order, then mepc, then mcause (isa_pkg).
  // Size in words, without the padding to 16 bytes.
  function automatic int unsigned frame_words(bit rv32e);
    return rv32e ? FrameEWords : FrameIWords;
  endfunction
  // What sp is lowered by, in bytes.
  function automatic int unsigned frame_bytes(bit rv32e);
    return rv32e ? FrameEBytes : FrameIBytes;
  endfunction
  // Whether a register has a place in the frame: x1, x5-x7, x10-x17 (E: to x15), x28-x31 (not E). By cases and not by
  // comparisons, here and below: it is in the path from an instruction to its operands.
  function automatic logic in_frame(logic [4:0] register, bit rv32e);
    unique case (register[4:2])
      3'b000:  return register[1:0] == 2'd1;
      3'b001:  return register[1:0] != 2'd0;
      3'b010:  return register[1];
      3'b011:  return 1'b1;
      3'b100:  return !rv32e && !register[1];
      3'b111:  return !rv32e;
      default: return 1'b0;
    endcase
  endfunction
  // Its word there.
  function automatic logic [3:0] frame_word(logic [4:0] register);
    unique case (register[4:2])
      3'b000:  return 4'd0;                                            // x1: 0
      3'b001:  return {2'b00, register[1:0]};                          // x5-x7: 1-3
      3'b010:  return {3'b010, register[0]};                           // x10, x11: 4, 5
      3'b011:  return {register[1], {2{!register[1]}}, register[0]};   // x12-x15: 6-9
      3'b100:  return {3'b101, register[0]};                           // x16, x17: 10, 11
      default: return {2'b11, register[1:0]};                          // x28-x31: 12-15
    endcase
  endfunction
  // The register of a word.
  function automatic logic [4:0] frame_register(logic [3:0] word);
    unique case (word[3:1])
      3'b000:  return {2'b00, word[0], 2'b01};
      3'b001:  return {4'b0011, word[0]};
      3'b010:  return {4'b0101, word[0]};
      3'b011:  return {4'b0110, word[0]};
      3'b100:  return {4'b0111, word[0]};
      3'b101:  return {4'b1000, word[0]};
      default: return {3'b111, word[1:0]};
    endcase
  endfunction

  // Whether the functions above say what isa_pkg does of the frame's order; checked at elaboration.
  function automatic bit frame_agrees(bit rv32e);
    bit                agrees;
    logic [31:0]       held;
    logic [15:0][4:0]  order;
    int unsigned       count;
    order  = rv32e ? 80'(FrameEOrder) : FrameIOrder;
    count  = rv32e ? FrameERegisters : FrameIRegisters;
    agrees = (frame_words(rv32e) == count + 2);
    held   = '0;
    for (int unsigned k = 0; k < 16; k++) begin
      if (k < count) begin
        agrees = agrees && (frame_word(order[k]) == 4'(k)) && (frame_register(4'(k)) == order[k]);
        held[order[k]] = 1'b1;
      end
    end
    for (int unsigned r = 0; r < (rv32e ? 16 : 32); r++) agrees = agrees && (in_frame(5'(r), rv32e) == held[r]);
    return agrees;
  endfunction

  /// A trap on its way into the CSRs.
  typedef struct packed {
    logic        valid;
    logic        irq;    // interrupt, else exception
    logic [11:0] code;   // exception code or interrupt id
    logic        minhv;  // epc is the address of a vector table entry: its fetch failed, or was interrupted
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
