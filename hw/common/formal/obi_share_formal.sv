// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof for tz_obi_share, for all time: the shared port keeps the protocol if both managers do; a manager is granted
// only a request that is on the port; each answer reaches the manager that made the request; and the first manager
// never waits for a new request of the second. Assumption: a manager makes a request only when its last one is
// answered, at the earliest in the cycle of the answer.
module obi_share_formal (
  input logic              clk_i,
  input obi_pkg::obi_req_t first_req_i,
  input obi_pkg::obi_req_t second_req_i,
  input obi_pkg::obi_rsp_t rsp_i
);

  // The first cycle is a reset, all others are not.
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  obi_pkg::obi_req_t req;
  obi_pkg::obi_rsp_t first_rsp, second_rsp;

  tz_obi_share u_dut (
    .clk_i,
    .rst_ni      (rst_n),
    .first_req_i,
    .first_rsp_o (first_rsp),
    .second_req_i,
    .second_rsp_o(second_rsp),
    .req_o       (req),
    .rsp_i
  );

  // ---------------------------------------------------------------- both sides' part
  obi_pkg::obi_req_t first_q, second_q, req_q;
  logic              first_waits_q, second_waits_q, waits_q;
  logic              first_open_q, second_open_q;   // a request was granted and has no answer yet
  logic              second_older_q;                // if both managers wait for an answer, the second manager's request
                                                    // was granted earlier
  logic              first_free, second_free;
  assign first_free  = !first_open_q || first_rsp.rvalid;
  assign second_free = !second_open_q || second_rsp.rvalid;
  always_ff @(posedge clk_i) begin
    first_q        <= first_req_i;
    second_q       <= second_req_i;
    req_q          <= req;
    first_waits_q  <= rst_n && first_req_i.req && !first_rsp.gnt;
    second_waits_q <= rst_n && second_req_i.req && !second_rsp.gnt;
    waits_q        <= rst_n && req.req && !rsp_i.gnt;
    first_open_q   <= rst_n && ((first_req_i.req && first_rsp.gnt) || !first_free);
    second_open_q  <= rst_n && ((second_req_i.req && second_rsp.gnt) || !second_free);
    if (first_req_i.req && first_rsp.gnt) second_older_q <= 1'b1;
    if (second_req_i.req && second_rsp.gnt) second_older_q <= 1'b0;
  end
  FirstReqStable_M: assume property (@(posedge clk_i) disable iff (!rst_n)
    !first_waits_q || first_req_i == first_q);
  SecondReqStable_M: assume property (@(posedge clk_i) disable iff (!rst_n)
    !second_waits_q || second_req_i == second_q);
  FirstFree_M: assume property (@(posedge clk_i) disable iff (!rst_n)
    !first_req_i.req || first_waits_q || first_free);
  SecondFree_M: assume property (@(posedge clk_i) disable iff (!rst_n)
    !second_req_i.req || second_waits_q || second_free);
  Answered_M: assume property (@(posedge clk_i) disable iff (!rst_n) !rsp_i.rvalid || first_open_q || second_open_q);
  NoneInReset_M: assume property (@(posedge clk_i) rst_n || !(first_req_i.req || second_req_i.req || rsp_i.rvalid));

  // ---------------------------------------------------------------- properties
  Stable_A: assert property (@(posedge clk_i) disable iff (!rst_n) !waits_q || req == req_q);
  Granted_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !(first_rsp.gnt && second_rsp.gnt) &&
    (!(first_req_i.req && first_rsp.gnt) || (rsp_i.gnt && req == first_req_i)) &&
    (!(second_req_i.req && second_rsp.gnt) || (rsp_i.gnt && req == second_req_i)) &&
    (!(req.req && rsp_i.gnt) || (first_req_i.req && first_rsp.gnt) || (second_req_i.req && second_rsp.gnt)));
  // While a manager has a request, the port shows a request. The first manager's goes first, unless the second
  // manager's request is already on the port.
  First_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !first_req_i.req || (waits_q && req == second_q) || req == first_req_i);
  Second_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !second_req_i.req || first_req_i.req || req == second_req_i);
  Answer_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    (first_rsp.rvalid == (rsp_i.rvalid && first_open_q && !(second_open_q && second_older_q))) &&
    (second_rsp.rvalid == (rsp_i.rvalid && second_open_q && (second_older_q || !first_open_q))) &&
    first_rsp.rdata == rsp_i.rdata && second_rsp.rdata == rsp_i.rdata &&
    first_rsp.err == rsp_i.err && second_rsp.err == rsp_i.err);

  Lemma_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    u_dut.count_q == 2'(first_open_q) + 2'(second_open_q) &&
    u_dut.firm_q == (waits_q && !u_dut.held_q) && (!u_dut.firm_q || first_waits_q) &&
    (waits_q || !u_dut.held_q) && (!u_dut.held_q || second_waits_q) && (!waits_q || req_q.req) &&
    (!u_dut.firm_q || req_q == first_q) && (!u_dut.held_q || req_q == second_q) &&
    (!first_waits_q || (first_q.req && !first_open_q)) && (!second_waits_q || (second_q.req && !second_open_q)) &&
    (!waits_q || u_dut.firm_q || u_dut.held_q) && (u_dut.count_q != 2'd1 || u_dut.order_q[0] == second_open_q) &&
    (u_dut.count_q != 2'd2 || (u_dut.order_q[0] == second_older_q && u_dut.order_q[1] == !second_older_q)));

  Both_C: cover property (@(posedge clk_i) disable iff (!rst_n) first_open_q && second_open_q && rsp_i.rvalid);
  Overtaken_C: cover property (@(posedge clk_i) disable iff (!rst_n)
    waits_q && req == second_req_i && first_req_i.req && rsp_i.gnt);

endmodule
