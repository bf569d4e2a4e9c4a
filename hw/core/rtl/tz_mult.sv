// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Single-cycle multiplier of EX: mul, mulh, mulhsu, mulhu (Unprivileged ISA, "M" extension). Combinational.
module tz_mult
  import tz_core_pkg::*;
#(
  parameter bit Gates = 1'b0  // 1: gates for standard cells (tz_booth); 0: products for an FPGA's multiplier blocks
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
    // Four products of unsigned half-words. Signs are not handled in front of the multiplier blocks, which would make
    // the path longer. A negative factor, taken as unsigned, adds the other factor to the upper word: this is computed
    // beside the products and subtracted from their sum.
    logic [31:0] low, high, less;
    logic [32:0] middle;
    assign low     = 32'(a_i[15:0]) * 32'(b_i[15:0]);
    assign high    = 32'(a_i[31:16]) * 32'(b_i[31:16]);
    assign middle  = 33'(32'(a_i[31:16]) * 32'(b_i[15:0])) + 33'(32'(a_i[15:0]) * 32'(b_i[31:16]));
    assign less    = ((a_signed && a_i[31]) ? b_i : '0) + ((b_signed && b_i[31]) ? a_i : '0);
    assign product = {high - less, low} + {15'b0, middle, 16'b0};
  end
  assign result_o = (op_i == MulLow) ? product[31:0] : product[63:32];

endmodule
