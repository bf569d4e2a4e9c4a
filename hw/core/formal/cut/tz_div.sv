// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Stands for the divider in a proof: it takes any time, and its result is any. What it keeps to, and div_formal.sv proves of
// the divider: it is ready only behind a cycle in which it was asked, and from then on until its result is taken or it is
// killed; behind that it is not.
module tz_div #(
  parameter int unsigned BitsPerCycle = 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  input  logic        signed_i,
  input  logic        rem_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic        kill_i,
  output logic        ready_o,
  input  logic        taken_i,
  output logic [31:0] result_o
);

  logic asked_q, ready_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {asked_q, ready_q} <= '0;
    end else if (kill_i || (ready_q && taken_i)) begin
      {asked_q, ready_q} <= '0;
    end else begin
      asked_q <= asked_q || valid_i;
      ready_q <= ready_q || ((asked_q || valid_i) && pipeline_formal.muldiv_i.divided);
    end
  end
  assign ready_o  = ready_q;
  assign result_o = pipeline_formal.muldiv_i.quotient;

  logic unused;
  assign unused = ^{BitsPerCycle, signed_i, rem_i, a_i, b_i};

endmodule
