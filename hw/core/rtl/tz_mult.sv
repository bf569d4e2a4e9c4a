// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Single-cycle multiplier of EX: mul, mulh, mulhsu, mulhu (Unprivileged ISA, "M" extension). Combinational.
module tz_mult
  import tz_core_pkg::*;
#(
  parameter bit Gates = 1'b0  // for standard cells; else an operator, which FPGA tools make of their blocks
) (
  input  mul_op_e     op_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] result_o
);

  logic a_signed, b_signed;
  assign a_signed = (op_i != MulHighU);
  assign b_signed = (op_i == MulHigh);

  logic signed [63:0] product;
  if (Gates) begin : gen_gates
    tz_booth #(
      .Width(32)
    ) u_booth (
      .a_signed_i(a_signed),
      .b_signed_i(b_signed),
      .a_i,
      .b_i,
      .product_o (product)
    );
  end else begin : gen_blocks
    logic signed [32:0] a, b;
    assign a       = {a_i[31] & a_signed, a_i};
    assign b       = {b_i[31] & b_signed, b_i};
    assign product = 64'(a) * 64'(b);  // the top two of 66 bits are sign only
  end
  assign result_o = (op_i == MulLow) ? product[31:0] : product[63:32];

endmodule
