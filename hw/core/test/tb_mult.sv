// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top: compares the multipliers with the operator *. The multiplier for standard cells is tested 8 bits wide with
// all factors. Both multipliers are tested 32 bits wide with random and extreme factors. The run ends with a message,
// or with $fatal at a difference.
module tb_mult;

  import tz_core_pkg::*;

  localparam int unsigned Narrow = 8;
  localparam int unsigned Trials = 1_000_000;

  function automatic logic [63:0] right(logic [31:0] a, logic [31:0] b, logic [1:0] is_signed);
    return 64'($signed({a[31] & is_signed[0], a})) * 64'($signed({b[31] & is_signed[1], b}));
  endfunction

  logic [1:0]  is_signed;
  logic [31:0] a, b;
  logic [63:0] wide;
  logic [2*Narrow-1:0] narrow;
  tz_booth #(
    .Width(32)
  ) u_wide (
    .a_signed_i(is_signed[0]),
    .b_signed_i(is_signed[1]),
    .a_i       (a),
    .b_i       (b),
    .product_o (wide)
  );
  mul_op_e     op;
  logic [31:0] result, part;
  tz_mult #(
    .Gates(1'b0)
  ) u_blocks (
    .op_i    (op),
    .a_i     (a),
    .b_i     (b),
    .result_o(result)
  );
  tz_booth #(
    .Width(Narrow)
  ) u_narrow (
    .a_signed_i(is_signed[0]),
    .b_signed_i(is_signed[1]),
    .a_i       (a[Narrow-1:0]),
    .b_i       (b[Narrow-1:0]),
    .product_o (narrow)
  );

  // Factors are plain random numbers, and runs of ones and zeros of any length.
  function automatic logic [31:0] factor();
    logic [31:0] x, y;
    x = $urandom();
    y = $urandom();
    unique case (y[1:0])
      2'd0:    return x;
      2'd1:    return x >> y[6:2];
      2'd2:    return 32'($signed({1'b1, x[30:0]}) >>> y[6:2]);
      default: return x << y[6:2];
    endcase
  endfunction

  initial begin
    for (int unsigned i = 0; i < 2 ** (2 * Narrow + 2); i++) begin
      {is_signed, a[Narrow-1:0], b[Narrow-1:0]} = i[2*Narrow+1:0];
      a = {{32 - Narrow{a[Narrow-1] & is_signed[0]}}, a[Narrow-1:0]};
      b = {{32 - Narrow{b[Narrow-1] & is_signed[1]}}, b[Narrow-1:0]};
      #1;
      if (narrow != (2 * Narrow)'(right(a, b, is_signed))) $fatal(1, "narrow: %h * %h, signed %b", a, b, is_signed);
    end
    for (int unsigned i = 0; i < Trials; i++) begin
      is_signed = i[1:0];
      op = mul_op_e'(i[3:2]);
      a = factor();
      b = factor();
      #1;
      if (wide != right(a, b, is_signed)) $fatal(1, "wide: %h * %h, signed %b", a, b, is_signed);
      is_signed = {op == MulHigh, op != MulHighU};
      part = 32'(right(a, b, is_signed) >> ((op == MulLow) ? 0 : 32));
      if (result != part) $fatal(1, "blocks: %h * %h, signed %b", a, b, is_signed);
    end
    $display("all products are right");
    $finish;
  end

endmodule
