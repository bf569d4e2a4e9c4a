// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof for tz_pmp_guard, with any core and any bus that keep the protocol, even if the rows change in any cycle:
// - A refused request never reaches the bus.
// - A request on the bus stays there until its grant.
// - There is no grant without a request.
// - Each granted request has one answer, in order.
// - A word of `ask_i` is judged as an access of machine mode.
module pmp_guard_formal
  import tz_core_pkg::*;
#(
  parameter bit Two  = 1'b0,
  parameter bit Many = 1'b0
) (
  input logic                clk_i,
  input logic                rst_ni,
  input pmp_t                pmp_i,
  input logic                wait_i,
  input obi_pkg::obi_req_t   req_i,
  input logic [2:0]          kind_i,
  input logic                judged_i,
  input logic                next_i,
  input logic [31:2]         next_word_i,
  input pmp_ask_t            ask_i,
  input obi_pkg::obi_rsp_t   rsp_i
);

  obi_pkg::obi_rsp_t rsp;
  obi_pkg::obi_req_t req;
  logic              answer;
  tz_pmp_guard #(
    .Regions(4),
    .Two    (Two),
    .Many   (Many)
  ) u_guard (
    .clk_i,
    .rst_ni,
    .pmp_i,
    .wait_i,
    .req_i,
    .rsp_o(rsp),
    .kind_i,
    .judged_i,
    .next_i,
    .next_word_i,
    .ask_i,
    .allowed_o(answer),
    .req_o(req),
    .rsp_i
  );
  // The question to the judge. Its answer is free here; pmp_formal proves it.
  logic allowed, asks_request, asks_word;
  assign allowed      = u_guard.u_pmp.allowed_o;
  assign asks_request = u_guard.u_pmp.prv_i == req_i.prv && u_guard.u_pmp.kind_i == kind_i &&
                        u_guard.u_pmp.word_i == req_i.addr[31:2] && u_guard.u_pmp.next_i == next_i &&
                        u_guard.u_pmp.next_word_i == next_word_i;
  assign asks_word    = u_guard.u_pmp.prv_i == isa_pkg::PrivM && u_guard.u_pmp.word_i == ask_i.word &&
                        u_guard.u_pmp.kind_i == {1'b0, ask_i.writes, 1'b1} && !u_guard.u_pmp.next_i;

  // Requests without an answer on either side. The guard keeps up to three (Many), or one.
  logic [1:0] inside_q, outside_q;
  logic       started_q, wanted_q, seen_q;
  obi_pkg::obi_req_t req_q, out_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {inside_q, outside_q} <= '0;
      {wanted_q, seen_q}    <= '0;
    end else begin
      inside_q  <= inside_q + 2'(req_i.req && rsp.gnt) - 2'(rsp.rvalid);
      outside_q <= outside_q + 2'(req.req && rsp_i.gnt) - 2'(rsp_i.rvalid);
      wanted_q  <= req_i.req && !rsp.gnt;
      seen_q    <= req.req && !rsp_i.gnt;
    end
  end
  always_ff @(posedge clk_i) begin
    req_q <= req_i;
    out_q <= req;
  end
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // Assumptions about core and bus: first a reset; answers only to requests; a request stays once the bus has seen it;
  // no more requests than the guard can keep in order.
  Reset_K: assume property (@(posedge clk_i) rst_ni == started_q);
  RspExpected_M: assume property (@(posedge clk_i) !rsp_i.rvalid || outside_q != '0);
  FewUnderWay_M: assume property (@(posedge clk_i)
    !req_i.req || (Many ? (inside_q != 2'd3) : (inside_q == '0 || rsp_i.rvalid || u_guard.fault_q)));
  ReqStable_M: assume property (@(posedge clk_i) !seen_q || (req_i == req_q && req_i.req));

  AskAlone_M: assume property (@(posedge clk_i) !(ask_i.valid && req_i.req));

  Asked_A: assert property (@(posedge clk_i) !rst_ni || !ask_i.valid || (asks_word && answer == allowed));
  Request_A: assert property (@(posedge clk_i) !rst_ni || !req_i.req || asks_request);
  AskAllowed_C: cover property (@(posedge clk_i) rst_ni && ask_i.valid && answer);
  AskRefused_C: cover property (@(posedge clk_i) rst_ni && ask_i.valid && !answer);
  Refused_A: assert property (@(posedge clk_i) !rst_ni || !req.req || seen_q || allowed || judged_i);
  Waits_A: assert property (@(posedge clk_i) !rst_ni || !req.req || seen_q || !wait_i);
  Same_A: assert property (@(posedge clk_i) !rst_ni || !seen_q || (req == out_q));
  Unasked_A: assert property (@(posedge clk_i) !rst_ni || req_i.req || !rsp.gnt || rsp_i.gnt);
  Answers_A: assert property (@(posedge clk_i) !rst_ni || !rsp.rvalid || inside_q != '0);
  OneAnswer_A: assert property (@(posedge clk_i) !rst_ni || !(u_guard.fault_q && rsp_i.rvalid));
  Balance_A: assert property (@(posedge clk_i) !rst_ni || inside_q == outside_q + 2'(u_guard.fault_q));
  Order_A: assert property (@(posedge clk_i) !rst_ni || !u_guard.fault_q || outside_q == '0);
  Few_A: assert property (@(posedge clk_i) !rst_ni || Many || inside_q <= 2'd1);
  if (Many) begin : gen_many
    Count_A: assert property (@(posedge clk_i) !rst_ni || u_guard.gen_many.outs_q == outside_q);
  end
  Open_A: assert property (@(posedge clk_i) !rst_ni || u_guard.open_q == seen_q);
  Refusal_C: cover property (@(posedge clk_i) rst_ni && u_guard.fault_q);
  Pass_C: cover property (@(posedge clk_i) rst_ni && req.req && rsp_i.gnt);

  logic unused;
  assign unused = ^{wanted_q, req_q, out_q};

endmodule
