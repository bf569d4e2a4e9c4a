// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Queue of the frames that could not be stored, oldest first. One exception 24 is due for each. While one is due no
// interrupt is taken (tz_trap_select). So the queue holds at most the frames that were under way when the first error
// came: one for each spare bank, and one more that waited only for the answer to its last word, so that its bank was
// free again and the next interrupt had taken it.
module tz_frame_faults #(
  parameter int unsigned Depth = 3          // frames that can be under way at once, at least two
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        drain_fault_i,        // a word of a frame could not be stored: the frame joins the queue
  input  logic        load_fault_i,         // a word of a frame could not be loaded: the frame does not join the queue
  input  logic [31:2] addr_i,               // address of the word

  output logic        due_o,                // an exception 24 is due, until it is taken
  input  logic        taken_i,
  output logic [31:2] addr_o                // mtval of that exception; with nothing due, of the last load that failed
);

  logic [Depth-1:0]       valid_d, valid_q, left, write;  // the lowest ones are valid
  logic [Depth-1:0][31:2] addr_d, addr_q;

  assign left    = taken_i ? valid_q >> 1 : valid_q;
  assign valid_d = drain_fault_i ? (left << 1) | Depth'(1) : left;
  // write: the place that takes addr_i. For a store it is the first free one; for a load place 0, if nothing is due.
  assign write   = drain_fault_i ? ~left & ((left << 1) | Depth'(1)) : Depth'(load_fault_i && !left[0]);
  always_comb begin
    for (int unsigned i = 0; i < Depth; i++) begin
      addr_d[i] = write[i] ? addr_i : (taken_i && i + 1 < Depth) ? addr_q[(i + 1) % Depth] : addr_q[i];
    end
  end

  assign due_o  = valid_q[0];
  assign addr_o = addr_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= valid_d;
  end
  always_ff @(posedge clk_i) addr_q <= addr_d;

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(drain_fault_i && left[Depth-1]));
  assert property (@(posedge clk_i) !(taken_i && !due_o));
`endif

endmodule
