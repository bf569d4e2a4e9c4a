// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Gateways: turn wires into pending bits. Level-triggered: pending is the wire, as sampled. Edge-triggered: an edge, or
// software, sets a flip-flop that software or a claim clears. An edge in the cycle of a clear is kept.
//
// Edges: the wire and its last sample are compared under the present polarity. So a change of polarity is no edge.
// While a source is level-triggered its flip-flop is ignored, and keeps a written ip for one cycle only. So when a
// write turns the source edge-triggered, ip is what that write says (else 0), and edges count from the next cycle on.
module tz_clic_gateway #(
  parameter int unsigned NumSources = 64
) (
  input  logic                  clk_i,
  input  logic [NumSources-1:0] irq_i,        // wires
  input  logic [NumSources-1:0] pulse_i,      // counts as an edge, whatever the wire does and whatever the polarity

  input  logic [NumSources-1:0] edge_i,       // edge-triggered in this cycle
  input  logic [NumSources-1:0] negative_i,   // active low, falling edge

  input  logic [NumSources-1:0] enable_i,

  input  logic [NumSources-1:0] write_i,      // software writes the pending bit
  input  logic                  wdata_i,
  input  logic [NumSources-1:0] clear_i,      // the source is claimed

  output logic [NumSources-1:0] ip_o,         // pending
  output logic [NumSources-1:0] able_o        // enabled, and pending in the next cycle if no write or claim ends that
);

  logic [NumSources-1:0] irq_q, pending_q, pending_d;
  logic [NumSources-1:0] on, was_on, arrived, arrives, set, keep;

  assign on      = irq_i ^ negative_i;
  assign was_on  = irq_q ^ negative_i;
  assign arrived = edge_i & pending_q;
  assign arrives = (on & ~(edge_i & was_on)) | (edge_i & pulse_i);  // an edge comes; level-triggered: active

  assign set       = write_i & {NumSources{wdata_i}};
  assign keep      = pending_q & ~(write_i | clear_i);
  assign pending_d = set | (edge_i & (arrives | keep));
  assign ip_o      = arrived | (was_on & ~edge_i);
  assign able_o    = enable_i & (arrived | arrives);

  // No reset: the wires are sampled during reset, too. All sources are level-triggered then, and have no other state.
  always_ff @(posedge clk_i) begin
    irq_q     <= irq_i;
    pending_q <= pending_d;
  end

endmodule
