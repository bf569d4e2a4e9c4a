// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Interrupt decision of the CLIC scheme (Fast Interrupts v0.10, M mode): what the hart does with the interrupt that the
// controller offers. Combinational. `th` is mintthresh, `mil` mintstatus.mil.
//
//   taken      from U mode: always (level 0 is never offered)
//              from M mode: mstatus.MIE and level > max(mil, th)
//   qualifies  for xnxti and jalxnxti: not hardware-vectored, level > mpil (or the level in rs1), level > th
//   chains     for emret: level > the interrupted level, level > th
module tz_irq_clic
  import isa_pkg::*;
  import tz_core_pkg::*;
#(
  parameter int unsigned NumSources = 64  // interrupt sources, 1 to 4096
) (
  input  irq_pkg::clic_offer_t offer_i,
  input  trap_csrs_t  csrs_i /*verilator split_var*/,
  input  logic [31:6] mtvt_i,          // base of the vector table
  output irq_t        irq_o,
  output logic [31:2] entry_o,         // address of the offer's table entry

  input  logic [7:0]  nxti_level_i,    // xnxti: the offer must be above this level
  output logic        nxti_o,          // it qualifies
  input  logic [7:0]  frame_level_i,   // emret: the offer must be above the level of the frame that a bank holds
  output logic        chain_o,         // it qualifies
  output logic        chain_regs_o     // the same with the level in mcause
);

  localparam int unsigned IdW = table_index_width(NumSources);

  logic user, above_th, above;
  assign user     = (csrs_i.priv == PrivU);
  assign above_th = offer_i.valid && (offer_i.level > csrs_i.mintthresh);
  assign above    = above_th && (offer_i.level > csrs_i.mil);

  assign irq_o = '{
    take:  user ? offer_i.valid : (above && csrs_i.mie),
    wake:  user ? offer_i.valid : above,
    id:    offer_i.id,
    level: offer_i.level,
    shv:   offer_i.shv
  };

  assign nxti_o       = above_th && (offer_i.level > nxti_level_i) && !offer_i.shv;
  assign chain_o      = above_th && (offer_i.level > frame_level_i);
  assign chain_regs_o = above_th && (offer_i.level > csrs_i.regs.cause.mpil);
  assign entry_o      = {mtvt_i[31:IdW+2], offer_i.id[IdW-1:0]};

  logic unused;
  assign unused = ^{offer_i.id, offer_i.prv, mtvt_i, csrs_i};

endmodule
