// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// CV32E40P's clock gate for sleep: left out, as in FPGAs.
module cv32e40p_clock_gate (
  input  logic clk_i,
  input  logic en_i,
  input  logic scan_cg_en_i,
  output logic clk_o
);

  assign clk_o = clk_i;

  logic unused;
  assign unused = en_i ^ scan_cg_en_i;

endmodule
