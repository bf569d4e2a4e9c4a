// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Gateways: turn wires into pending bits. Level-triggered: pending is the wire, as sampled. Edge-triggered: an edge, or
// software, sets a flip-flop that software or a claim clears. An edge in the cycle of a clear is kept.
//
// A wire is compared with its own last sample under the present polarity, so that a change of polarity is no edge.
// While a source is level-triggered its flip-flop is held clear: one that turns edge-triggered counts the edges from
// then on.
module tz_clic_gateway #(
  parameter int unsigned NumSources = 64
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [NumSources-1:0] irq_i,        // wires

  input  logic [NumSources-1:0] edge_i,       // edge-triggered in this cycle
  input  logic [NumSources-1:0] edge_next_i,  // and in the next one
  input  logic [NumSources-1:0] negative_i,   // active low, falling edge

  input  logic [NumSources-1:0] write_i,      // software writes the pending bit
  input  logic                  wdata_i,
  input  logic [NumSources-1:0] clear_i,      // claimed

  output logic [NumSources-1:0] ip_o,         // pending
  output logic [NumSources-1:0] ip_next_o     // pending in the next cycle unless written or claimed in this one
);

  logic [NumSources-1:0] irq_q, pending_q, pending_d;
  logic [NumSources-1:0] on, was_on, arrives;

  assign on      = irq_i ^ negative_i;
  assign was_on  = irq_q ^ negative_i;
  assign arrives = edge_i & on & ~was_on;

  // pending_q is set only while edge_i is.
  assign pending_d = edge_next_i & (arrives | (write_i & {NumSources{wdata_i}}) | (pending_q & ~write_i & ~clear_i));
  assign ip_o      = pending_q | (was_on & ~edge_i);
  assign ip_next_o = pending_q | (on & ~(edge_i & was_on));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      irq_q     <= '0;
      pending_q <= '0;
    end else begin
      irq_q     <= irq_i;
      pending_q <= pending_d;
    end
  end

endmodule
