// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Several OBI managers take turns at one subordinate (round robin). It adds no cycle: a request reaches the subordinate
// in the cycle in which it comes, if no other manager has a request or this manager's turn is first. A request that has
// reached the subordinate and was not granted keeps its place. The subordinate must answer in the cycle after its
// grant; one that needs longer delays the grant.
//
// Bound: from the first cycle of a request to its grant each other manager is granted at most once. Let R be the
// largest number of cycles for which the subordinate refuses one request. Then a request waits for at most (NumManagers
// - 1) * (R + 1) + R cycles. With a memory that grants at once (R = 0) these are NumManagers - 1.
//
// With one manager there are only wires.
module tz_obi_arbiter #(
  parameter int unsigned NumManagers = 2
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  obi_pkg::obi_req_t [NumManagers-1:0] mgr_req_i,
  output obi_pkg::obi_rsp_t [NumManagers-1:0] mgr_rsp_o,
  output obi_pkg::obi_req_t                   sub_req_o,
  input  obi_pkg::obi_rsp_t                   sub_rsp_i
);

  if (NumManagers == 1) begin : gen_wires
    assign sub_req_o    = mgr_req_i[0];
    assign mgr_rsp_o[0] = sub_rsp_i;
    logic unused;
    assign unused = ^{clk_i, rst_ni};
  end else begin : gen_turns
    logic [NumManagers-1:0] ask, later, first, win;
    logic [NumManagers-1:0] behind_d, behind_q;  // managers of a higher number than the one granted last: first in turn
    logic [NumManagers-1:0] held_q;              // manager whose request reached the subordinate and was not granted
    logic [NumManagers-1:0] answer_q;            // manager that was granted in the last cycle: the answer is its

    for (genvar m = 0; m < int'(NumManagers); m++) begin : gen_ask
      assign ask[m] = mgr_req_i[m].req;
    end

    // The winner: the lowest manager with a request among those of behind_q; if there is none, among all.
    assign later = ask & behind_q;
    assign first = (later != '0) ? later & (~later + 1'b1) : ask & (~ask + 1'b1);
    assign win   = (held_q != '0) ? held_q : first;

    always_comb begin
      sub_req_o = mgr_req_i[NumManagers-1];
      for (int m = int'(NumManagers) - 2; m >= 0; m--) begin
        if (win[m]) sub_req_o = mgr_req_i[m];
      end
      sub_req_o.req = (win != '0);
    end

    always_comb begin
      behind_d = behind_q;
      if (win != '0 && sub_rsp_i.gnt) behind_d = ~(win | (win - 1'b1));
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        behind_q <= '0;
        held_q   <= '0;
        answer_q <= '0;
      end else begin
        behind_q <= behind_d;
        held_q   <= sub_rsp_i.gnt ? '0 : win;
        answer_q <= sub_rsp_i.gnt ? win : '0;
      end
    end

    for (genvar m = 0; m < int'(NumManagers); m++) begin : gen_answer
      assign mgr_rsp_o[m] = '{
        exokay: sub_rsp_i.exokay,
        gnt:    win[m] && sub_rsp_i.gnt,
        rvalid: answer_q[m],
        err:    sub_rsp_i.err,
        rdata:  sub_rsp_i.rdata
      };
    end

`ifdef TRAPEZE_CHECK
    NoneInReset_A: assert property (@(posedge clk_i) rst_ni || ask == '0);
`endif

    // The cycle of the response is known from the grant.
    logic unused;
    assign unused = sub_rsp_i.rvalid;
  end

endmodule
