// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// CSRs of user-level interrupts: what a CSR instruction in EX reads and writes of them. A part of tz_csr, with its
// timing and ports. This module keeps utvec, utvt, uscratch and ufastirq. tz_csr keeps those that traps and returns
// change (trap_csrs_t.u). Sources: docs/user-level-interrupts.md; Fast Interrupts, commit 5f5f98d, section suclic.
module tz_csr_user
  import isa_pkg::*;
  import tz_core_pkg::*;
#(
  parameter core_cfg_pkg::core_cfg_t Cfg = core_cfg_pkg::CoreDefault
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        fire_i,          // a CSR instruction completes in this cycle
  input  logic        write_i,         // the CSR instruction that completes writes the CSR, and not in a special way
  input  logic [11:0] addr_i,
  input  logic [2:0]  funct3_i,
  input  logic [4:0]  rs1_i,           // rs1 field: the register's number or the immediate
  input  logic        registers_i,     // csrrw with registers only
  input  logic [31:0] operand_i,
  input  logic [31:0] wdata_i,

  output logic        exists_o,        // the address is one of these CSRs
  output logic [31:0] rdata_o,
  output logic        reserved_o,      // the instruction does not exist for this CSR
  output logic        special_o,       // the CSR writes through a path of its own (tz_csr, `special`)

  input  level_csrs_t now_i,           // the registers that traps change
  output level_csrs_t written_o,       // the registers as the CSR instruction leaves them
  output level_setup_t setup_o,
  output logic [31:2] link_o,          // ufastirq.link
  input  logic        nxti_qualifies_i,
  input  logic [31:2] entry_i          // address of the table entry of the interrupt offered
);

  localparam bit Fast = (Cfg.Saver != core_cfg_pkg::SaverNone);
  localparam int unsigned TableLsb = table_index_width(Cfg.NumIrqSources) + 2;

  logic [31:6]        utvec_d, utvec_q;
  logic [31:TableLsb] utvt_d, utvt_q;
  logic [31:0]        uscratch_d, uscratch_q, ufastirq_d, ufastirq_q;
  mcause_t            cause;
  logic               is_nxti, is_swap, swap, nxti_any;
  assign cause    = now_i.regs.cause;
  assign is_nxti  = (addr_i == CsrUnxti);
  assign is_swap  = (addr_i == CsrUscratchcswl);
  assign swap     = is_swap && ((cause.mpil == '0) != (now_i.il == '0));
  assign nxti_any = is_nxti && (rs1_i != 5'd0) && (operand_i[4:0] != 5'd0);

  // ---------------------------------------------------------------- read
  always_comb begin
    exists_o   = 1'b1;
    rdata_o    = '0;
    reserved_o = 1'b0;
    unique case (addr_i)
      CsrUstatus:    rdata_o = {27'b0, cause.mpie, 3'b0, now_i.ie};
      CsrUie, CsrUip: ;                                             // zero with the CLIC
      CsrUtvec:      rdata_o = {utvec_q, 4'b0, MtvecModeClic};
      CsrUtvt:       rdata_o = {utvt_q, {TableLsb{1'b0}}};
      CsrUscratch:   rdata_o = uscratch_q;
      CsrUepc:       rdata_o = {now_i.regs.epc, 1'b0};
      CsrUcause:     rdata_o = pack_mcause(cause);
      CsrUtval:      rdata_o = now_i.tval;
      CsrUintthresh: rdata_o = {24'b0, now_i.thresh};
      CsrUintstatus: rdata_o = {24'b0, now_i.il};
      CsrUnxti: begin
        rdata_o    = nxti_qualifies_i ? {entry_i, 2'b00} : '0;
        reserved_o = !(funct3_i == 3'b010 || funct3_i == 3'b110 || funct3_i == 3'b111) ||
                     (funct3_i == 3'b110 && rs1_i[4:1] != '0);
      end
      CsrUscratchcswl: begin
        rdata_o    = swap ? uscratch_q : operand_i;
        reserved_o = !registers_i;
      end
      CsrUfastirq: begin
        exists_o = Fast;
        rdata_o  = ufastirq_q;
      end
      CsrUframe: exists_o = Fast;                                   // reads zero; writes are hints, and ignored
      default:   exists_o = 1'b0;
    endcase
  end
  assign special_o = is_nxti || is_swap;

  // ---------------------------------------------------------------- write
  always_comb begin
    written_o  = now_i;
    utvec_d    = utvec_q;
    utvt_d     = utvt_q;
    uscratch_d = uscratch_q;
    ufastirq_d = ufastirq_q;
    if (write_i) begin
      unique case (addr_i)
        CsrUstatus: begin
          written_o.ie              = wdata_i[0];
          written_o.regs.cause.mpie = wdata_i[4];
        end
        CsrUtvec:      utvec_d             = wdata_i[31:6];
        CsrUtvt:       utvt_d              = wdata_i[31:TableLsb];
        CsrUscratch:   uscratch_d          = wdata_i;
        CsrUepc:       written_o.regs.epc  = wdata_i[31:1];
        CsrUcause: begin
          written_o.regs.cause     = unpack_mcause(wdata_i, Cfg.Uintr);
          written_o.regs.cause.mpp = PrivU;
        end
        CsrUtval:      written_o.tval      = wdata_i;
        CsrUintthresh: written_o.thresh    = wdata_i[7:0];
        CsrUfastirq:   if (Fast) ufastirq_d = wdata_i;
        // mstatus shows the bits of ustatus.
        CsrMstatus: begin
          written_o.ie              = wdata_i[0];
          written_o.regs.cause.mpie = wdata_i[4];
        end
        default: ;
      endcase
    end
    if (fire_i && is_nxti && rs1_i != 5'd0 && operand_i[0]) written_o.ie = (funct3_i != 3'b111);
    if (fire_i && swap) uscratch_d = operand_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      utvec_q    <= '0;
      utvt_q     <= '0;
      uscratch_q <= '0;
      ufastirq_q <= '0;
    end else begin
      utvec_q    <= utvec_d;
      utvt_q     <= utvt_d;
      uscratch_q <= uscratch_d;
      ufastirq_q <= ufastirq_d;
    end
  end

  assign setup_o = '{
    tvec:        {utvec_q, 4'b0},
    tvt:         {utvt_q, {(TableLsb - 6) {1'b0}}},
    fast:        ufastirq_q[0],
    nest:        ufastirq_q[0] && ufastirq_q[1],
    nxti_claims: fire_i && nxti_any && nxti_qualifies_i,
    nxti_level:  (funct3_i == 3'b010 && rs1_i != 5'd0) ? operand_i[23:16] : cause.mpil
  };
  assign link_o = ufastirq_q[31:2];

endmodule
