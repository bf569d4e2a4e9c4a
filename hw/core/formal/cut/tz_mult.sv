// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Stands for the multiplier in a proof: the product is any, in each cycle another one.
module tz_mult
  import tz_core_pkg::*;
#(
  parameter bit Gates = 1'b0
) (
  input  mul_op_e     op_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] result_o
);
  assign result_o = pipeline_formal.muldiv_i.product;

  logic unused;
  assign unused = ^{Gates, op_i, a_i, b_i};

endmodule
