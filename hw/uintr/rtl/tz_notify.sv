// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Carries notifications from any hart to the hart whose mhartid they name, which may be the sender itself.
//
// Each sender has a place for one notification. It goes on as soon as its notification is in the place, and waits
// before its next one while the place is taken. A destination takes one notification at a time, from the senders in
// turn (round robin): a notification waits for at most one of each other sender. A notification for a hart that does
// not exist, or that takes none, is dropped.
module tz_notify
  import uintr_pkg::*;
#(
  parameter int unsigned NumHarts = 2,
  parameter logic [NumHarts-1:0][31:0] HartId   = '0,  // mhartid
  parameter logic [NumHarts-1:0]       Receives = '1
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  to_others_t   [NumHarts-1:0] harts_i,
  output from_others_t [NumHarts-1:0] harts_o
);

  notification_t [NumHarts-1:0]        place_q;
  logic [NumHarts-1:0][NumHarts-1:0]   to;     // [destination][sender]: a notification waits
  logic [NumHarts-1:0][NumHarts-1:0]   leaves; // [destination][sender]: the destination takes it in this cycle
  logic [NumHarts-1:0]                 known;  // [sender]: its notification has a destination
  logic [NumHarts-1:0]                 frees;

  always_comb begin
    known = '0;
    frees = '0;
    for (int unsigned d = 0; d < NumHarts; d++) begin
      for (int unsigned s = 0; s < NumHarts; s++) begin
        to[d][s] = Receives[d] && place_q[s].valid && (place_q[s].hart == HartId[d]);
        known[s] |= to[d][s];
        frees[s] |= leaves[d][s];
      end
    end
  end

  for (genvar s = 0; s < int'(NumHarts); s++) begin : gen_sender
    assign harts_o[s].sent = !place_q[s].valid;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) place_q[s] <= '0;
      else if (!place_q[s].valid) place_q[s] <= harts_i[s].send;
      else if (frees[s] || !known[s]) place_q[s].valid <= 1'b0;
    end
  end

  for (genvar d = 0; d < int'(NumHarts); d++) begin : gen_destination
    logic [NumHarts-1:0] behind_q, held_q, later, first, win;  // as in tz_obi_arbiter
    assign later = to[d] & behind_q;
    assign first = (later != '0) ? later & (~later + 1'b1) : to[d] & (~to[d] + 1'b1);
    assign win   = (held_q != '0) ? held_q : first;
    assign leaves[d] = win & {NumHarts{harts_i[d].received}};
    always_comb begin
      harts_o[d].receive = '0;
      for (int unsigned s = 0; s < NumHarts; s++) begin
        if (win[s]) harts_o[d].receive = place_q[s];
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        behind_q <= '0;
        held_q   <= '0;
      end else begin
        held_q <= harts_i[d].received ? '0 : win;
        if (win != '0 && harts_i[d].received) behind_q <= ~(win | (win - 1'b1));
      end
    end
  end

endmodule
