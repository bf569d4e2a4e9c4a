// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Interrupt decision of the CLIC scheme (Fast Interrupts v0.10): what the hart does with the interrupt that the
// controller offers. Combinational. Below, `th` is xintthresh and `il` is xintstatus.xil of the mode that handles the
// interrupt.
//
//   take an interrupt of machine mode   while the hart runs U mode: always (level 0 is never offered)
//                                       while the hart runs M mode: if mstatus.MIE and level > max(mil, th)
//   take an interrupt of user mode      while the hart runs U mode: if ustatus.UIE and level > max(uil, th)
//                                       while the hart runs M mode: never
//   xnxti, jalxnxti may claim it        if it is of their mode and not hardware-vectored, level > xpil (or the level in
//                                       rs1), and level > th
//   emret, euret may chain it           if it is of their mode, level > the interrupted level, and level > th
module tz_irq_clic
  import isa_pkg::*;
  import tz_core_pkg::*;
#(
  parameter int unsigned NumSources = 64,  // interrupt sources, 1 to 4096
  parameter bit          UserIrq    = 1'b0 // interrupts may be user mode's
) (
  input  irq_pkg::clic_offer_t offer_i,
  input  trap_csrs_t  csrs_i /*verilator split_var*/,
  input  logic [31:6] mtvt_i,          // base of the vector table
  input  logic [31:6] utvt_i,          // base of user mode's vector table
  output irq_t        irq_o,
  output logic [31:2] entry_o,         // address of the offer's table entry

  input  logic [7:0]  nxti_level_i,    // mnxti: the offer must be above this level
  output logic        nxti_o,          // mnxti and jalmnxti may claim the offer
  input  logic [7:0]  unxti_level_i,   // unxti: the offer must be above this level
  output logic        unxti_o,
  input  logic        euret_i,         // chain_o and chain_regs_o are for an euret, else for an emret
  input  logic [7:0]  frame_level_i,   // interrupted level in the frame that a bank holds
  output logic        chain_o,         // emret may chain the offer, if it leaves that frame
  input  logic [7:0]  regs_level_i,    // interrupted level in the mcause or ucause that emret has loaded
  output logic        chain_regs_o
);

  localparam int unsigned IdW = table_index_width(NumSources);

  logic user, above_th, above;
  assign user     = (csrs_i.priv == PrivU);
  assign above_th = offer_i.valid && (offer_i.level > csrs_i.m.thresh);
  assign above    = above_th && (offer_i.level > csrs_i.m.il);

  logic mine, above_uth, above_u, chain_th;  // mine: the offer is user mode's
  if (UserIrq) begin : gen_user
    assign mine      = (offer_i.prv == PrivU);
    assign above_uth = offer_i.valid && (offer_i.level > csrs_i.u.thresh);
    assign above_u   = above_uth && (offer_i.level > csrs_i.u.il);
    assign unxti_o   = mine && above_uth && (offer_i.level > unxti_level_i) && !offer_i.shv;
    assign chain_th  = euret_i ? mine && above_uth : !mine && above_th;
    assign entry_o   = {mine ? utvt_i[31:IdW+2] : mtvt_i[31:IdW+2], offer_i.id[IdW-1:0]};
  end else begin : gen_machine
    assign {mine, above_uth, above_u, unxti_o} = '0;
    assign chain_th  = above_th;
    assign entry_o   = {mtvt_i[31:IdW+2], offer_i.id[IdW-1:0]};
  end

  always_comb begin
    irq_o = '{
      take:  user ? offer_i.valid : (above && csrs_i.m.ie),
      wake:  user ? offer_i.valid : above,
      id:    offer_i.id,
      level: offer_i.level,
      shv:   offer_i.shv,
      user:  mine
    };
    if (mine) begin
      irq_o.take = user && above_u && csrs_i.u.ie;
      irq_o.wake = user ? above_u : offer_i.valid;
    end
  end

  assign nxti_o       = !mine && above_th && (offer_i.level > nxti_level_i) && !offer_i.shv;
  assign chain_o      = chain_th && (offer_i.level > frame_level_i);
  assign chain_regs_o = chain_th && (offer_i.level > regs_level_i);

  logic unused;
  assign unused = ^{offer_i.id, offer_i.prv, mtvt_i, utvt_i, csrs_i, unxti_level_i, euret_i, above_uth, above_u};

endmodule
