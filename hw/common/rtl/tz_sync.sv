// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Synchroniser: brings wires of another clock domain, or of none, into that of `clk_i`, with two flip-flops for each
// wire. If a wire changes near a clock edge, the first flip-flop may become metastable; it has one cycle to settle.
// `data_o` then has the level before or after the change. Wires that change together may arrive in different cycles.
//
// Timing: a wire sampled in cycle t is at `data_o` in t+2. A pulse shorter than a clock period may be missed.
module tz_sync #(
  parameter int unsigned Width = 1
) (
  input  logic             clk_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  // No reset: the wires are sampled during reset, too. With a reset to zero a wire that is active low, and inactive,
  // would rise after it.
  (* async_reg = "true" *) logic [Width-1:0] first_q, second_q;

  always_ff @(posedge clk_i) begin
    first_q  <= data_i;
    second_q <= first_q;
  end

  assign data_o = second_q;

endmodule
