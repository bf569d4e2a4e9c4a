// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Control and status registers (Privileged Architecture 1.12, M and U modes), trap entry and return, the interrupt
// decision of the CLINT scheme, and the counters. A CSR is read and written in EX in one cycle; what it writes holds
// from the next cycle on, so nothing stalls.
module tz_csr
  import tz_core_pkg::*;
#(
  parameter bit          RV32E       = 1'b0,
  parameter bit          ExtM        = 1'b1,
  parameter bit          ExtC        = 1'b1,
  parameter bit          ExtB        = 1'b1,   // Zba, Zbb and Zbs together, for misa
  parameter logic [31:0] HartId      = 32'd0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // CSR instruction in EX
  input  logic        csr_valid_i,   // EX holds a CSR instruction
  input  logic        csr_fire_i,    // and it completes in this cycle
  input  logic [11:0] csr_addr_i,
  input  logic [2:0]  csr_funct3_i,
  input  logic        csr_src_x0_i,  // rs1 field is zero: set and clear do not write
  input  logic [31:0] csr_operand_i,
  output logic [31:0] csr_rdata_o,
  output logic        csr_illegal_o,
  output logic        csr_we_o,      // it writes (if it fires)
  output logic [31:0] csr_wdata_o,

  // Traps and returns
  input  trap_t       trap_i,
  input  logic        mret_i,
  output logic [31:0] trap_target_o, // of trap_i
  output logic [31:0] mepc_o,

  // State the pipeline needs
  output logic [1:0]  priv_o,
  output logic        timeout_wait_o,   // mstatus.TW
  input  logic        retire_i,         // an instruction retires in WB in this cycle

  // Interrupts
  input  irq_pkg::clint_pending_t irq_pending_i,
  output logic        irq_wake_o,       // pending and enabled in mie, whatever mstatus says
  output logic        irq_take_o,       // to be taken as soon as the pipeline can
  output logic [4:0]  irq_id_o
);

  // ---------------------------------------------------------------- registers
  typedef struct packed {
    logic       tw;
    logic       mprv;
    logic [1:0] mpp;
    logic       mpie;
    logic       mie;
  } mstatus_t;

  logic [1:0]  priv_d, priv_q;
  mstatus_t    mstatus_d, mstatus_q;
  irq_pkg::clint_pending_t mie_d, mie_q;
  logic [31:2] mtvec_base_d, mtvec_base_q;
  logic        mtvec_vectored_d, mtvec_vectored_q;
  logic [31:0] mscratch_d, mscratch_q;
  logic [31:1] mepc_d, mepc_q;
  logic        mcause_irq_d, mcause_irq_q;
  logic [4:0]  mcause_code_d, mcause_code_q;
  logic [31:0] mtval_d, mtval_q;
  logic        counteren_cy_d, counteren_cy_q, counteren_ir_d, counteren_ir_q;
  logic        inhibit_cy_d, inhibit_cy_q, inhibit_ir_d, inhibit_ir_q;
  logic [63:0] mcycle_d, mcycle_q, minstret_d, minstret_q;
  logic        minstret_written_d, minstret_written_q;

  function automatic logic [31:0] pack_irq(irq_pkg::clint_pending_t p);
    return {p.platform, 4'b0, p.external, 3'b0, p.timer, 3'b0, p.software, 3'b0};
  endfunction

  localparam logic [31:0] Misa = {2'b01, 4'b0, 5'b0, 1'b1 /* U */, 7'b0, ExtM, 3'b0, !RV32E /* I */, 3'b0,
                                  RV32E /* E */, 1'b0, ExtC, ExtB, 1'b0};

  logic [31:0] mstatus;
  assign mstatus = {10'b0, mstatus_q.tw, 3'b0, mstatus_q.mprv, 4'b0, mstatus_q.mpp, 3'b0, mstatus_q.mpie, 3'b0,
                    mstatus_q.mie, 3'b0};

  // ---------------------------------------------------------------- read
  // The counters are read with the instructions ahead of this one included: the one in WB retires in this cycle.
  logic [63:0] minstret_now;
  logic        exists;
  always_comb begin
    exists      = 1'b1;
    csr_rdata_o = '0;
    unique case (csr_addr_i)
      CsrMstatus:       csr_rdata_o = mstatus;
      CsrMisa:          csr_rdata_o = Misa;
      CsrMie:           csr_rdata_o = pack_irq(mie_q);
      CsrMtvec:         csr_rdata_o = {mtvec_base_q, 1'b0, mtvec_vectored_q};
      CsrMcounteren:    csr_rdata_o = {29'b0, counteren_ir_q, 1'b0, counteren_cy_q};
      CsrMcountinhibit: csr_rdata_o = {29'b0, inhibit_ir_q, 1'b0, inhibit_cy_q};
      CsrMscratch:      csr_rdata_o = mscratch_q;
      CsrMepc:          csr_rdata_o = {mepc_q, 1'b0};
      CsrMcause:        csr_rdata_o = {mcause_irq_q, 26'b0, mcause_code_q};
      CsrMtval:         csr_rdata_o = mtval_q;
      CsrMip:           csr_rdata_o = pack_irq(irq_pending_i);
      CsrMcycle, CsrCycle:       csr_rdata_o = mcycle_q[31:0];
      CsrMcycleh, CsrCycleh:     csr_rdata_o = mcycle_q[63:32];
      CsrMinstret, CsrInstret:   csr_rdata_o = minstret_now[31:0];
      CsrMinstreth, CsrInstreth: csr_rdata_o = minstret_now[63:32];
      CsrMhartid:       csr_rdata_o = HartId;
      CsrMstatush, CsrMenvcfg, CsrMenvcfgh, CsrMvendorid, CsrMarchid, CsrMimpid, CsrMconfigptr: csr_rdata_o = '0;
      default: begin
        // mhpmcounter3..31, their upper halves, and mhpmevent3..31 exist and read zero.
        exists = ((csr_addr_i[11:5] == 7'b1011_000 || csr_addr_i[11:5] == 7'b1011_100 ||
                   csr_addr_i[11:5] == 7'b0011_001) && csr_addr_i[4:0] >= 5'd3);
      end
    endcase
  end

  // ---------------------------------------------------------------- legality and the value to write
  logic counter_denied;
  always_comb begin
    // cycle, instret and their upper halves from U mode (mcounteren).
    counter_denied = (priv_q == PrivU) && (csr_addr_i[11:8] == 4'hC) &&
                     !(csr_addr_i[1] ? counteren_ir_q : counteren_cy_q);
    csr_we_o      = csr_valid_i && (csr_funct3_i[1:0] == 2'b01 || !csr_src_x0_i);
    csr_illegal_o = csr_valid_i && (!exists || (csr_addr_i[9:8] > priv_q) ||
                                    (csr_we_o && csr_addr_i[11:10] == 2'b11) || counter_denied);
    unique case (csr_funct3_i[1:0])
      2'b10:   csr_wdata_o = csr_rdata_o | csr_operand_i;
      2'b11:   csr_wdata_o = csr_rdata_o & ~csr_operand_i;
      default: csr_wdata_o = csr_operand_i;
    endcase
  end

  // ---------------------------------------------------------------- next state
  logic write;
  assign write = csr_fire_i && csr_we_o;

  assign minstret_now = minstret_q + 64'(retire_i && !inhibit_ir_q && !minstret_written_q);

  always_comb begin
    priv_d             = priv_q;
    mstatus_d          = mstatus_q;
    mie_d              = mie_q;
    mtvec_base_d       = mtvec_base_q;
    mtvec_vectored_d   = mtvec_vectored_q;
    mscratch_d         = mscratch_q;
    mepc_d             = mepc_q;
    mcause_irq_d       = mcause_irq_q;
    mcause_code_d      = mcause_code_q;
    mtval_d            = mtval_q;
    counteren_cy_d     = counteren_cy_q;
    counteren_ir_d     = counteren_ir_q;
    inhibit_cy_d       = inhibit_cy_q;
    inhibit_ir_d       = inhibit_ir_q;
    mcycle_d           = mcycle_q + 64'(!inhibit_cy_q);
    minstret_d         = minstret_now;
    // An instruction that writes minstret does not count itself when it retires, which it does one cycle later.
    minstret_written_d = minstret_written_q && !retire_i;

    if (write) begin
      unique case (csr_addr_i)
        CsrMstatus: begin
          mstatus_d.tw   = csr_wdata_o[21];
          mstatus_d.mprv = csr_wdata_o[17];
          mstatus_d.mpp  = (csr_wdata_o[12:11] == PrivM) ? PrivM : PrivU;  // WARL: only M and U exist
          mstatus_d.mpie = csr_wdata_o[7];
          mstatus_d.mie  = csr_wdata_o[3];
        end
        CsrMie: begin
          mie_d = '{platform: csr_wdata_o[31:16], external: csr_wdata_o[11], timer: csr_wdata_o[7],
                    software: csr_wdata_o[3]};
        end
        CsrMtvec: begin
          mtvec_vectored_d = csr_wdata_o[0];  // mode 2 and 3 are reserved: bit 1 stays zero
          mtvec_base_d     = csr_wdata_o[31:2];
          if (csr_wdata_o[0]) mtvec_base_d[6:2] = '0;
        end
        CsrMcounteren: begin
          counteren_cy_d = csr_wdata_o[0];
          counteren_ir_d = csr_wdata_o[2];
        end
        CsrMcountinhibit: begin
          inhibit_cy_d = csr_wdata_o[0];
          inhibit_ir_d = csr_wdata_o[2];
        end
        CsrMscratch: mscratch_d = csr_wdata_o;
        CsrMepc:     mepc_d = csr_wdata_o[31:1];
        CsrMcause: begin
          mcause_irq_d  = csr_wdata_o[31];
          mcause_code_d = csr_wdata_o[4:0];
        end
        CsrMtval:   mtval_d = csr_wdata_o;
        CsrMcycle:  mcycle_d[31:0] = csr_wdata_o;
        CsrMcycleh: mcycle_d[63:32] = csr_wdata_o;
        CsrMinstret: begin
          minstret_d         = {minstret_now[63:32], csr_wdata_o};
          minstret_written_d = 1'b1;
        end
        CsrMinstreth: begin
          minstret_d         = {csr_wdata_o, minstret_now[31:0]};
          minstret_written_d = 1'b1;
        end
        default: ;
      endcase
    end

    if (mret_i) begin
      priv_d         = mstatus_q.mpp;
      mstatus_d.mie  = mstatus_q.mpie;
      mstatus_d.mpie = 1'b1;
      mstatus_d.mpp  = PrivU;
      if (mstatus_q.mpp != PrivM) mstatus_d.mprv = 1'b0;
    end

    if (trap_i.valid) begin
      priv_d         = PrivM;
      mstatus_d.mpp  = priv_q;
      mstatus_d.mpie = mstatus_q.mie;
      mstatus_d.mie  = 1'b0;
      mepc_d         = trap_i.epc[31:1];
      mcause_irq_d   = trap_i.irq;
      mcause_code_d  = trap_i.code;
      mtval_d        = trap_i.tval;
    end

    if (!ExtC) mepc_d[1] = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      priv_q             <= PrivM;
      mstatus_q          <= '0;
      mie_q              <= '0;
      mtvec_base_q       <= '0;
      mtvec_vectored_q   <= 1'b0;
      mscratch_q         <= '0;
      mepc_q             <= '0;
      mcause_irq_q       <= 1'b0;
      mcause_code_q      <= '0;
      mtval_q            <= '0;
      counteren_cy_q     <= 1'b0;
      counteren_ir_q     <= 1'b0;
      inhibit_cy_q       <= 1'b0;
      inhibit_ir_q       <= 1'b0;
      mcycle_q           <= '0;
      minstret_q         <= '0;
      minstret_written_q <= 1'b0;
    end else begin
      priv_q             <= priv_d;
      mstatus_q          <= mstatus_d;
      mie_q              <= mie_d;
      mtvec_base_q       <= mtvec_base_d;
      mtvec_vectored_q   <= mtvec_vectored_d;
      mscratch_q         <= mscratch_d;
      mepc_q             <= mepc_d;
      mcause_irq_q       <= mcause_irq_d;
      mcause_code_q      <= mcause_code_d;
      mtval_q            <= mtval_d;
      counteren_cy_q     <= counteren_cy_d;
      counteren_ir_q     <= counteren_ir_d;
      inhibit_cy_q       <= inhibit_cy_d;
      inhibit_ir_q       <= inhibit_ir_d;
      mcycle_q           <= mcycle_d;
      minstret_q         <= minstret_d;
      minstret_written_q <= minstret_written_d;
    end
  end

  // ---------------------------------------------------------------- interrupt decision
  // Fixed priority: platform lines, the highest first; then external, software, timer (Privileged Architecture 3.1.9
  // for the standard three; the order of the platform lines is the platform's).
  irq_pkg::clint_pending_t active;
  assign active = irq_pending_i & mie_q;
  always_comb begin
    irq_id_o = irq_pkg::IrqTimer;
    if (active.software) irq_id_o = irq_pkg::IrqSoftware;
    if (active.external) irq_id_o = irq_pkg::IrqExternal;
    for (int unsigned i = 0; i < irq_pkg::NumPlatformLines; i++) begin
      if (active.platform[i]) irq_id_o = irq_pkg::IrqPlatform + 5'(i);
    end
  end
  assign irq_wake_o = |active;
  assign irq_take_o = irq_wake_o && (mstatus_q.mie || priv_q == PrivU);

  assign trap_target_o = {mtvec_base_q[31:7],
                          (mtvec_vectored_q && trap_i.irq) ? trap_i.code : mtvec_base_q[6:2], 2'b00};
  assign mepc_o         = {mepc_q, 1'b0};
  assign priv_o         = priv_q;
  assign timeout_wait_o = mstatus_q.tw;

  logic unused;
  assign unused = ^{csr_funct3_i[2], trap_i.epc[0]};

endmodule
