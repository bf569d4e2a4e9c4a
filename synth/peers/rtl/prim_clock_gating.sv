// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Ibex's clock gate for sleep: left out, as in FPGAs.
module prim_clock_gating (
  input  logic clk_i,
  input  logic en_i,
  input  logic test_en_i,
  output logic clk_o
);

  assign clk_o = clk_i;

  logic unused;
  assign unused = en_i ^ test_en_i;

endmodule
