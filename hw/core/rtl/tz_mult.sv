// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Single-cycle multiplier of EX: mul, mulh, mulhsu, mulhu (Unprivileged ISA, "M" extension). Combinational.
module tz_mult
  import tz_core_pkg::*;
(
  input  mul_op_e     op_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] result_o
);

  logic signed [32:0] a, b;
  assign a = {a_i[31] & (op_i != MulHighU), a_i};
  assign b = {b_i[31] & (op_i == MulHigh), b_i};

  logic signed [63:0] product;  // the top two of 66 bits are sign only
  assign product  = 64'(a) * 64'(b);
  assign result_o = (op_i == MulLow) ? product[31:0] : product[63:32];

endmodule
