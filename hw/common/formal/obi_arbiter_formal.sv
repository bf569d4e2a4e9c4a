// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof for tz_obi_arbiter, for all time: the requests to the subordinate keep the protocol; a manager is granted only
// a request that has reached the subordinate, and gets one answer for it; no manager waits while the subordinate is
// free, and none longer than the bound in the module's header. The subordinate refuses a request for at most `Refusals`
// cycles.
module obi_arbiter_formal #(
  parameter int unsigned NumManagers = 2,
  parameter int unsigned Refusals    = 0
) (
  input logic                                clk_i,
  input obi_pkg::obi_req_t [NumManagers-1:0] mgr_req_i,
  input obi_pkg::obi_rsp_t                   sub_rsp_i
);

  // The first cycle is a reset, all others are not.
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  obi_pkg::obi_rsp_t [NumManagers-1:0] mgr_rsp;
  obi_pkg::obi_req_t                   sub_req;

  tz_obi_arbiter #(
    .NumManagers(NumManagers)
  ) u_dut (
    .clk_i,
    .rst_ni   (rst_n),
    .mgr_req_i,
    .mgr_rsp_o(mgr_rsp),
    .sub_req_o(sub_req),
    .sub_rsp_i
  );

  // ---------------------------------------------------------------- both sides' part
  localparam int unsigned Bound = (NumManagers - 1) * (Refusals + 1) + Refusals;

  obi_pkg::obi_req_t [NumManagers-1:0] mgr_q;
  obi_pkg::obi_req_t                   sub_q;
  logic [NumManagers-1:0]              ask, granted, waits_q, granted_q;
  logic                                shown_q;     // the subordinate has refused in the last cycle
  logic [7:0]                          refused_q;   // number of cycles in a row in which the subordinate has refused
  logic [NumManagers-1:0][7:0]         waited_q;    // number of cycles in which the manager has been refused
  logic [NumManagers-1:0][NumManagers-1:0] passed_q; // [m][o]: manager o was granted while manager m waited

  for (genvar m = 0; m < int'(NumManagers); m++) begin : gen_manager
    assign ask[m]     = mgr_req_i[m].req;
    assign granted[m] = ask[m] && mgr_rsp[m].gnt;
    always_ff @(posedge clk_i) begin
      waits_q[m]  <= rst_n && ask[m] && !granted[m];
      waited_q[m] <= (rst_n && ask[m] && !granted[m]) ? waited_q[m] + 8'd1 : '0;
      passed_q[m] <= (rst_n && ask[m] && !granted[m]) ? passed_q[m] | granted : '0;
    end
    ReqStable_M: assume property (@(posedge clk_i) disable iff (!rst_n) !waits_q[m] || mgr_req_i[m] == mgr_q[m]);
  end
  always_ff @(posedge clk_i) begin
    mgr_q     <= mgr_req_i;
    sub_q     <= sub_req;
    shown_q   <= rst_n && sub_req.req && !sub_rsp_i.gnt;
    refused_q <= (rst_n && sub_req.req && !sub_rsp_i.gnt) ? refused_q + 8'd1 : '0;
    granted_q <= rst_n ? granted : '0;
  end
  NoneInReset_M: assume property (@(posedge clk_i) rst_n || ask == '0);
  Refused_M: assume property (@(posedge clk_i) disable iff (!rst_n)
    !(sub_req.req && !sub_rsp_i.gnt) || refused_q < 8'(Refusals));

  // ---------------------------------------------------------------- properties
  if (Refusals > 0) begin : gen_refusals
    Stable_A: assert property (@(posedge clk_i) disable iff (!rst_n) !shown_q || sub_req == sub_q);
  end
  // No manager waits while the port to the subordinate is idle. The subordinate grants one request, as its manager made
  // it.
  Shown_A: assert property (@(posedge clk_i) disable iff (!rst_n) sub_req.req == (ask != '0));
  OneGrant_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    (granted & (granted - 1'b1)) == '0 && (granted != '0) == (sub_req.req && sub_rsp_i.gnt));
  for (genvar m = 0; m < int'(NumManagers); m++) begin : gen_properties
    Granted_A: assert property (@(posedge clk_i) disable iff (!rst_n) !granted[m] || sub_req == mgr_req_i[m]);
    Answer_A: assert property (@(posedge clk_i) disable iff (!rst_n)
      mgr_rsp[m].rvalid == granted_q[m] && mgr_rsp[m].rdata == sub_rsp_i.rdata && mgr_rsp[m].err == sub_rsp_i.err &&
      mgr_rsp[m].exokay == sub_rsp_i.exokay);
    Alone_A: assert property (@(posedge clk_i) disable iff (!rst_n)
      !(ask == NumManagers'(1) << m) || granted[m] == sub_rsp_i.gnt);
    Fair_A: assert property (@(posedge clk_i) disable iff (!rst_n) !waits_q[m] || (passed_q[m] & granted) == '0);
    Bound_A: assert property (@(posedge clk_i) disable iff (!rst_n) waited_q[m] <= 8'(Bound));
    Bound_C: cover property (@(posedge clk_i) rst_n && granted[m] && waited_q[m] == 8'(Bound));
  end

  // ---------------------------------------------------------------- lemmas for the induction
  function automatic int unsigned place(logic [NumManagers-1:0] behind, int unsigned manager);
    place = 0;
    for (int unsigned o = 0; o < NumManagers; o++) begin
      if (behind[manager] ? (behind[o] && o < manager) : (behind[o] || o < manager)) place++;
    end
  endfunction
  function automatic int unsigned count(logic [NumManagers-1:0] bits);
    count = 0;
    for (int unsigned o = 0; o < NumManagers; o++) count += 32'(bits[o]);
  endfunction

  // Behind one manager are all with higher numbers; one request is held; and refusals are counted right.
  Order_L: assert property (@(posedge clk_i) disable iff (!rst_n)
    ((~u_dut.gen_turns.behind_q + 1'b1) & ~u_dut.gen_turns.behind_q) == '0);
  Held_L: assert property (@(posedge clk_i) disable iff (!rst_n)
    (u_dut.gen_turns.held_q != '0) == shown_q && (u_dut.gen_turns.held_q & ~waits_q) == '0 &&
    (u_dut.gen_turns.held_q & (u_dut.gen_turns.held_q - 1'b1)) == '0 &&
    refused_q <= 8'(Refusals) && shown_q == (refused_q != '0) && u_dut.gen_turns.answer_q == granted_q);
  for (genvar m = 0; m < int'(NumManagers); m++) begin : gen_lemmas
    HeldIs_L: assert property (@(posedge clk_i) disable iff (!rst_n)
      !u_dut.gen_turns.held_q[m] || (sub_q == mgr_q[m] && sub_q.req));
    Waits_L: assert property (@(posedge clk_i) disable iff (!rst_n)
      (!waits_q[m] || mgr_q[m].req) && (waits_q[m] == (waited_q[m] != '0)) && !passed_q[m][m] &&
      (waits_q[m] || passed_q[m] == '0) && (passed_q[m] == '0 || waited_q[m] > refused_q) &&
      32'(waited_q[m]) <= count(passed_q[m]) * (Refusals + 1) + 32'(refused_q));
    for (genvar o = 0; o < int'(NumManagers); o++) begin : gen_pairs
      // A manager that was granted while another one waited has its turn after it, and has no request at the
      // subordinate.
      Passed_L: assert property (@(posedge clk_i) disable iff (!rst_n)
        !passed_q[m][o] || (place(u_dut.gen_turns.behind_q, m) < place(u_dut.gen_turns.behind_q, o) &&
                            !u_dut.gen_turns.held_q[o]));
      // A request that is held was the first in turn of those that waited when it reached the subordinate.
      First_L: assert property (@(posedge clk_i) disable iff (!rst_n)
        !u_dut.gen_turns.held_q[o] || m == o || !waits_q[m] || waited_q[m] <= refused_q ||
        place(u_dut.gen_turns.behind_q, o) < place(u_dut.gen_turns.behind_q, m));
    end
  end

endmodule
