// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Two OBI managers share one port; the first one has priority. It adds no cycle. A request that is on the port and was
// not granted stays there, also if the other manager comes. Responses go back in the order of the grants. At most two
// requests may be without a response.
module tz_obi_share (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  obi_pkg::obi_req_t first_req_i,
  output obi_pkg::obi_rsp_t first_rsp_o,
  input  obi_pkg::obi_req_t second_req_i,
  output obi_pkg::obi_rsp_t second_rsp_o,

  output obi_pkg::obi_req_t req_o,
  input  obi_pkg::obi_rsp_t rsp_i
);

  logic       second;              // the second manager has the port
  logic       held_d, held_q;      // the second manager's request is on the port and was not granted
  logic       firm_d, firm_q;      // the first manager's request is on the port and was not granted
  logic [1:0] order_d, order_q;    // bit 0: who gets the next response; bit 1: the one after; 1: second manager
  logic [1:0] count_d, count_q;    // number of requests without a response
  logic       grant;

  assign second = held_q || (!firm_q && !first_req_i.req);
  assign req_o  = second ? second_req_i : first_req_i;
  assign grant  = req_o.req && rsp_i.gnt;
  assign held_d = second && req_o.req && !rsp_i.gnt;
  assign firm_d = !second && req_o.req && !rsp_i.gnt;

  always_comb begin
    order_d = order_q;
    count_d = count_q;
    if (rsp_i.rvalid) begin
      order_d = {1'b0, order_q[1]};
      count_d = count_q - 2'd1;
    end
    if (grant) begin
      order_d[count_d[0]] = second;
      count_d             = count_d + 2'd1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q  <= 1'b0;
      firm_q  <= 1'b0;
      order_q <= '0;
      count_q <= '0;
    end else begin
      held_q  <= held_d;
      firm_q  <= firm_d;
      order_q <= order_d;
      count_q <= count_d;
    end
  end

  assign first_rsp_o  = '{gnt: rsp_i.gnt && !second, rvalid: rsp_i.rvalid && !order_q[0], err: rsp_i.err,
                          exokay: rsp_i.exokay, rdata: rsp_i.rdata};
  assign second_rsp_o = '{gnt: rsp_i.gnt && second, rvalid: rsp_i.rvalid && order_q[0], err: rsp_i.err,
                          exokay: rsp_i.exokay, rdata: rsp_i.rdata};

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(grant && !rsp_i.rvalid && count_q == 2'd2));
  Answered_A: assert property (@(posedge clk_i) !(rsp_i.rvalid && count_q == '0));
`endif
`ifdef TRAPEZE_CHECK
  // A manager makes a new request only when its last one is answered, at the earliest in the cycle of the answer.
  logic first_open, second_open;
  assign first_open  = (count_q != '0 && !order_q[0]) || (count_q == 2'd2 && !order_q[1]);
  assign second_open = (count_q != '0 && order_q[0]) || (count_q == 2'd2 && order_q[1]);
  FirstFree_A: assert property (@(posedge clk_i) !(first_req_i.req && first_open && !first_rsp_o.rvalid));
  SecondFree_A: assert property (@(posedge clk_i) !(second_req_i.req && second_open && !second_rsp_o.rvalid));
  NoneInReset_A: assert property (@(posedge clk_i) rst_ni || !(first_req_i.req || second_req_i.req || rsp_i.rvalid));
`endif

endmodule
