// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The ECP5's phase-locked loop, by the name and with those pins and parameters of the vendor's cell that are used here.
// For synthesis it is empty, the tools know the cell. Elsewhere it is a model that makes no frequency: its clock is the
// clock of its input, so a simulation gives the input the system's clock. It locks after a few cycles.
`ifdef SYNTHESIS
(* blackbox *)
`endif
module EHXPLLL #(
  // The model does not use them.
  // verilator lint_off UNUSEDPARAM
  parameter int unsigned CLKI_DIV     = 1,
  parameter int unsigned CLKFB_DIV    = 1,
  parameter int unsigned CLKOP_DIV    = 8,
  parameter int unsigned CLKOP_CPHASE = 0,
  parameter int unsigned CLKOP_FPHASE = 0,
  parameter string       CLKOP_ENABLE = "ENABLED",
  parameter string       FEEDBK_PATH  = "CLKOP"
  // verilator lint_on UNUSEDPARAM
) (
  input  logic CLKI,
  input  logic CLKFB,
  input  logic RST,
  input  logic STDBY,
  input  logic PHASESEL0,
  input  logic PHASESEL1,
  input  logic PHASEDIR,
  input  logic PHASESTEP,
  input  logic PHASELOADREG,
  input  logic PLLWAKESYNC,
  input  logic ENCLKOP,
  output logic CLKOP,
  output logic LOCK
);
`ifndef SYNTHESIS
  // A counter, because the level that it locks with is another module's asynchronous reset.
  logic [2:0] cycles_q;

  initial begin
    cycles_q = '0;
    LOCK     = 1'b0;
  end

  always @(posedge CLKI) begin
    cycles_q <= cycles_q + 3'd1;
    if (cycles_q == '1) LOCK <= 1'b1;
  end

  assign CLKOP = CLKI;

  logic unused;
  assign unused = ^{CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC,
                    ENCLKOP};
`endif
endmodule
