// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Random wait states on one OBI port, for tests. In each cycle a request is held back with probability chance_i / 256,
// and a response is held back with the same probability, independently. Both sides obey the protocol: a request that
// has reached the subordinate is never withdrawn, and responses keep their order. With chance_i zero the module adds no
// cycle. A change of chance_i is in force from the next cycle on. The first cycle after reset has no stall.
//
// The random stream is a 32-bit xorshift register (Marsaglia, "Xorshift RNGs", triple 13, 17, 5) that starts from
// seed_i in the first cycle after reset; it stands still while chance_i is zero. The same seed gives the same waits.
module tz_obi_wait #(
  parameter logic [31:0] Salt  = 32'h9e37_79b9,  // makes the streams of two ports differ, not zero
  parameter int unsigned Depth = 4               // granted requests without a response, at most; a power of two
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [7:0]        chance_i,
  input  logic [31:0]       seed_i,

  input  obi_pkg::obi_req_t mgr_req_i,
  output obi_pkg::obi_rsp_t mgr_rsp_o,
  output obi_pkg::obi_req_t sub_req_o,
  input  obi_pkg::obi_rsp_t sub_rsp_i
);

  function automatic logic [31:0] next_random(logic [31:0] state);
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
  endfunction

  // Random numbers. The decisions for a cycle are made in the one before it, which keeps chance_i and seed_i out of
  // every combinational path.
  logic [31:0] state_q, state_d;
  logic        seeded_q, stall_req_q, stall_rsp_q;
  assign state_d = next_random(seeded_q ? state_q : (seed_i == Salt ? Salt : seed_i ^ Salt));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seeded_q    <= 1'b0;
      state_q     <= '0;
      stall_req_q <= 1'b0;
      stall_rsp_q <= 1'b0;
    end else begin
      if (chance_i != '0 || !seeded_q) begin
        seeded_q <= 1'b1;
        state_q  <= state_d;
      end
      stall_req_q <= state_d[7:0] < chance_i;
      stall_rsp_q <= state_d[23:16] < chance_i;
    end
  end

  // Request phase
  localparam int unsigned CountW = $clog2(Depth) + 1;
  logic              shown_q;  // a request reached the subordinate in the last cycle and was not granted
  logic [CountW-1:0] outstanding_q;
  logic              accept, room;

  assign room = outstanding_q != CountW'(Depth);

  always_comb begin
    sub_req_o     = mgr_req_i;
    sub_req_o.req = mgr_req_i.req && (shown_q || (room && !stall_req_q));
  end
  assign accept = sub_req_o.req && sub_rsp_i.gnt;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      shown_q       <= 1'b0;
      outstanding_q <= '0;
    end else begin
      shown_q       <= sub_req_o.req && !sub_rsp_i.gnt;
      outstanding_q <= outstanding_q + CountW'(accept) - CountW'(mgr_rsp_o.rvalid);
    end
  end

  // Response phase: responses that are held back wait in a FIFO
  logic        held, push;
  logic [33:0] held_data;
  logic        unused_ready;  // `room` keeps it from filling up
  logic [CountW-1:0] unused_count;

  assign push = sub_rsp_i.rvalid && (held || stall_rsp_q);

  tz_fifo #(
    .Width(34),
    .Depth(Depth)
  ) u_held (
    .clk_i,
    .rst_ni,
    .clear_i(1'b0),
    .valid_i(push),
    .data_i ({sub_rsp_i.exokay, sub_rsp_i.err, sub_rsp_i.rdata}),
    .ready_o(unused_ready),
    .valid_o(held),
    .data_o (held_data),
    .ready_i(!stall_rsp_q),
    .count_o(unused_count)
  );

  assign mgr_rsp_o.gnt    = accept;
  assign mgr_rsp_o.rvalid = (held || sub_rsp_i.rvalid) && !stall_rsp_q;
  // While responses are held back the response signals have wrong values, so that a manager that reads them early is
  // found.
  assign mgr_rsp_o.exokay = stall_rsp_q ? 1'b1 : held ? held_data[33] : sub_rsp_i.exokay;
  assign mgr_rsp_o.err    = stall_rsp_q ? 1'b1 : held ? held_data[32] : sub_rsp_i.err;
  assign mgr_rsp_o.rdata  = stall_rsp_q ? state_q : held ? held_data[31:0] : sub_rsp_i.rdata;

endmodule
