// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Gateways: turn wires into pending bits. Level-triggered: pending is the wire, as sampled. Edge-triggered: an edge, or
// software, sets a flip-flop that software or a claim clears. An edge in the cycle of a clear is kept.
//
// A wire is compared with its own last sample under the present polarity, so that a change of polarity is no edge.
// While a source is level-triggered its flip-flop says nothing, and forgets in a cycle what software wrote to it: one that
// turns edge-triggered counts the edges from then on, and what the very write that turns it says about ip.
module tz_clic_gateway #(
  parameter int unsigned NumSources = 64
) (
  input  logic                  clk_i,
  input  logic [NumSources-1:0] irq_i,        // wires
  input  logic [NumSources-1:0] pulse_i,      // edges whatever the wire does and for which edge the source waits

  input  logic [NumSources-1:0] edge_i,       // edge-triggered in this cycle
  input  logic [NumSources-1:0] negative_i,   // active low, falling edge

  input  logic [NumSources-1:0] enable_i,

  input  logic [NumSources-1:0] write_i,      // software writes the pending bit
  input  logic                  wdata_i,
  input  logic [NumSources-1:0] clear_i,      // claimed

  output logic [NumSources-1:0] ip_o,         // pending
  output logic [NumSources-1:0] able_o        // enabled and, unless written or claimed now, pending in the next cycle
);

  logic [NumSources-1:0] irq_q, pending_q, pending_d;
  logic [NumSources-1:0] on, was_on, arrived, arrives, set, keep;

  assign on      = irq_i ^ negative_i;
  assign was_on  = irq_q ^ negative_i;
  assign arrived = edge_i & pending_q;
  assign arrives = (on & ~(edge_i & was_on)) | (edge_i & pulse_i);  // or, level-triggered, is there

  assign set       = write_i & {NumSources{wdata_i}};
  assign keep      = pending_q & ~(write_i | clear_i);
  assign pending_d = set | (edge_i & (arrives | keep));
  assign ip_o      = arrived | (was_on & ~edge_i);
  assign able_o    = enable_i & (arrived | arrives);

  // Not reset: in reset the wires are sampled as ever, and a level-triggered source has no other state.
  always_ff @(posedge clk_i) begin
    irq_q     <= irq_i;
    pending_q <= pending_d;
  end

endmodule
