// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Frames that could not be stored, oldest first: one exception 24 is due for each. No interrupt is taken while one is due
// (tz_trap), so that these are at most the frames that were under way as the first error came: one in each bank, and one
// of which only the last word's answer was still to come, whose bank the next interrupt has taken.
module tz_frame_faults #(
  parameter int unsigned Depth = 3          // at least two; as many frames can be under way
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        drain_fault_i,        // a frame could not be stored ...
  input  logic        load_fault_i,         // ... or emret could not load its frame, which is not kept
  input  logic [31:2] addr_i,               // of the word

  output logic        due_o,                // an exception 24 is due, until it is taken
  input  logic        taken_i,
  output logic [31:2] addr_o                // its mtval; with nothing due that of the last load
);

  logic [Depth-1:0]       valid_d, valid_q, left, write;  // the lowest ones are valid
  logic [Depth-1:0][31:2] addr_d, addr_q;

  assign left    = taken_i ? valid_q >> 1 : valid_q;
  assign valid_d = drain_fault_i ? (left << 1) | Depth'(1) : left;
  // The first one that is free; what could not be loaded has a place only where nothing is due.
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
