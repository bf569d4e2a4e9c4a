// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The core's half of the CLIC (Fast Interrupts v0.10, M mode): mtvt, mintthresh, mintstatus.mil, and what depends on
// levels: whether the controller's offer is taken, and whether it qualifies for xnxti and jalxnxti.
//
//   taken     from U mode: always (level 0 is never offered)
//             from M mode: mstatus.MIE and level > max(mil, th)
//   qualifies not hardware-vectored, level > mpil (or the level in rs1), level > th
//   chains    (emret) level > the interrupted level, level > th
//
// The table of handler addresses is aligned to its own size, so that an entry's address is made without an adder.
module tz_irq_clic
  import tz_core_pkg::*;
#(
  parameter int unsigned NumSources = 64  // interrupt sources, 1 to 4096
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  irq_pkg::clic_offer_t offer_i,
  output irq_t        irq_o,
  input  logic        user_i,          // the core is in U mode
  input  logic        mie_i,           // mstatus.MIE

  // mil: levels change with traps, returns and xnxti
  input  logic        enter_i,         // the offer is taken, as a trap or by xnxti
  input  logic        exception_i,     // an exception is taken
  input  logic        return_i,        // mret, emret
  input  logic        return_user_i,   // to U mode
  input  logic [7:0]  return_level_i,  // to this level
  output logic [7:0]  mil_o,

  // xnxti
  input  logic [7:0]  next_level_i,    // the offer must be above this one: mpil, or from rs1
  output logic        next_o,          // it qualifies
  output logic [31:0] entry_o,         // address of the offer's table entry

  // emret
  input  logic [7:0]  chain_level_i,   // the offer must be above this one, the level interrupted
  output logic        chain_o,         // it qualifies
  input  logic [7:0]  chain_regs_level_i,  // the same with mpil
  output logic        chain_regs_o,

  // CSRs
  input  logic        mtvt_we_i,
  input  logic        mintthresh_we_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] mtvt_o,
  output logic [7:0]  mintthresh_o
);

  localparam int unsigned IdW = (NumSources > 16) ? $clog2(NumSources) : 4;  // 64 bytes at least
  localparam int unsigned TableLsb = IdW + 2;

  logic [31:TableLsb] mtvt_d, mtvt_q;
  logic [7:0] th_d, th_q, mil_d, mil_q;

  logic above;
  assign above = offer_i.valid && (offer_i.level > mil_q) && (offer_i.level > th_q);

  assign irq_o = '{
    take:  user_i ? offer_i.valid : (above && mie_i),
    wake:  user_i ? offer_i.valid : above,
    id:    offer_i.id,
    level: offer_i.level,
    shv:   offer_i.shv
  };

  assign next_o  = offer_i.valid && !offer_i.shv && (offer_i.level > next_level_i) && (offer_i.level > th_q);
  assign chain_o = offer_i.valid && (offer_i.level > chain_level_i) && (offer_i.level > th_q);
  assign chain_regs_o = offer_i.valid && (offer_i.level > chain_regs_level_i) && (offer_i.level > th_q);
  assign entry_o = {mtvt_q, offer_i.id[IdW-1:0], 2'b00};

  always_comb begin
    mtvt_d = mtvt_we_i ? wdata_i[31:TableLsb] : mtvt_q;
    th_d   = th_q;
    mil_d  = mil_q;
    if (mintthresh_we_i) th_d = wdata_i[7:0];
    if (return_i) mil_d = return_level_i;
    if (return_i && return_user_i) th_d = '0;     // no threshold is left behind in M mode
    if (exception_i && user_i) mil_d = '0;        // a vertical exception is handled at level 0
    if (enter_i) mil_d = offer_i.level;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mtvt_q <= '0;
      th_q   <= '0;
      mil_q  <= '0;
    end else begin
      mtvt_q <= mtvt_d;
      th_q   <= th_d;
      mil_q  <= mil_d;
    end
  end

  assign mtvt_o       = {mtvt_q, {TableLsb{1'b0}}};
  assign mintthresh_o = th_q;
  assign mil_o        = mil_q;

  logic unused;
  assign unused = ^{wdata_i, offer_i.id, offer_i.prv};

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(enter_i && !offer_i.valid));
  assert property (@(posedge clk_i) !(offer_i.valid && offer_i.level == '0));
`endif

endmodule
