// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// First-in first-out buffer, first word falls through: `data_o` is the oldest word while `valid_o`. A word pushed in
// cycle t is visible in t+1; there is no path from an input to an output. Storage has no reset.
module tz_fifo #(
  parameter int unsigned Width = 32,  // bits of a word
  parameter int unsigned Depth = 4,   // words, a power of two, at least 2
  localparam int unsigned PtrW = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,  // empty it; wins over a push or pop in the same cycle

  input  logic             valid_i,  // push, ignored while full
  input  logic [Width-1:0] data_i,
  output logic             ready_o,  // not full

  output logic             valid_o,  // not empty
  output logic [Width-1:0] data_o,
  input  logic             ready_i,  // pop, ignored while empty

  output logic [PtrW:0]    count_o   // words stored
);

  if (Depth < 2 || 2 ** PtrW != Depth) begin : gen_bad_depth
    $error("tz_fifo: Depth must be a power of two, at least 2");
  end

  logic [Width-1:0] mem[Depth];
  logic [PtrW:0] wptr_q, rptr_q;
  logic push, pop;

  assign count_o = wptr_q - rptr_q;
  assign valid_o = wptr_q != rptr_q;
  assign ready_o = !count_o[PtrW];
  assign push    = valid_i && ready_o;
  assign pop     = valid_o && ready_i;
  assign data_o  = mem[rptr_q[PtrW-1:0]];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wptr_q <= '0;
      rptr_q <= '0;
    end else if (clear_i) begin
      wptr_q <= '0;
      rptr_q <= '0;
    end else begin
      if (push) wptr_q <= wptr_q + 1'b1;
      if (pop) rptr_q <= rptr_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) mem[wptr_q[PtrW-1:0]] <= data_i;
  end

endmodule
