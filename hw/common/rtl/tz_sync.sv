// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Brings wires of another clock domain, or of none, into that of `clk_i`: two flip-flops each. A wire that changes near a
// clock edge may leave the first one undecided for a while; it has a cycle to settle. What is seen behind is the level
// before or after the change, and wires that change together may be seen apart.
//
// Timing: a wire sampled in cycle t is at `data_o` in t+2. A pulse shorter than a clock period may be missed.
module tz_sync #(
  parameter int unsigned Width = 1
) (
  input  logic             clk_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  // Not reset: in reset the wires are sampled as ever, so that one that is active low does not rise behind it.
  (* async_reg = "true" *) logic [Width-1:0] first_q, second_q;

  always_ff @(posedge clk_i) begin
    first_q  <= data_i;
    second_q <= first_q;
  end

  assign data_o = second_q;

endmodule
