// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Brings an access to the debug module from the clock of the transport (tck) to that of the core, and the answer back.
//
// Handshake of four phases: request rises, acknowledge rises, request falls, acknowledge falls. Only these two wires go
// through synchronisers. The access stays the same from the rise of the request, the answer from the rise of the
// acknowledge, so both are stable when the other side looks. Nothing remembers a phase, so a reset of the transport in
// the middle of an access makes no second one.
//
// Timing: an access reaches the debug module three clocks after the edge of tck that begins it; the answer is there
// at the third edge of tck after that. `start_i` is ignored unless `ready_o`.
module tz_dmi_cdc (
  input  logic        tck_i,
  input  logic        trst_ni,
  input  logic        start_i,
  input  logic        cancel_i,   // forget the access; the debug module may have it or not
  input  logic        write_i,
  input  logic [6:0]  addr_i,
  input  logic [31:0] data_i,
  output logic        pending_o,  // an access has no answer yet
  output logic        ready_o,
  output logic [31:0] rdata_o,    // the last answer

  input  logic                clk_i,
  input  logic                rst_ni,
  output debug_pkg::dmi_req_t dmi_req_o,
  input  logic [31:0]         dmi_rdata_i
);

  logic        request_q, request_seen, acknowledge_q, acknowledge_seen;
  logic        write_q;
  logic [6:0]  addr_q;
  logic [31:0] data_q, answer_q;

  // ---------------------------------------------------------------- tck
  tz_sync u_acknowledge (
    .clk_i (tck_i),
    .data_i(acknowledge_q),
    .data_o(acknowledge_seen)
  );

  assign ready_o   = !request_q && !acknowledge_seen;
  assign pending_o = request_q && !acknowledge_seen;
  assign rdata_o   = pending_o ? '0 : answer_q;

  always_ff @(posedge tck_i or negedge trst_ni) begin
    if (!trst_ni) request_q <= 1'b0;
    else if (cancel_i || acknowledge_seen) request_q <= 1'b0;
    else if (start_i) request_q <= 1'b1;
  end

  always_ff @(posedge tck_i) begin
    if (start_i && ready_o) begin
      write_q <= write_i;
      addr_q  <= addr_i;
      data_q  <= data_i;
    end
  end

  // ---------------------------------------------------------------- clk
  tz_sync u_request (
    .clk_i,
    .data_i(request_q),
    .data_o(request_seen)
  );

  assign dmi_req_o = '{valid: request_seen && !acknowledge_q, write: write_q, addr: addr_q, data: data_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      acknowledge_q <= 1'b0;
      answer_q      <= '0;
    end else begin
      acknowledge_q <= request_seen;
      if (dmi_req_o.valid) answer_q <= dmi_rdata_i;
    end
  end

endmodule
