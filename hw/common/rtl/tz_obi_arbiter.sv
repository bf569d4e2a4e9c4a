// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Several OBI managers take turns at one subordinate (round robin). No cycle is added: a request is shown to the
// subordinate in the cycle in which it comes, if nobody else asks or its turn is first. A request that was shown and not
// granted stays. The subordinate must answer in the cycle after its grant; one that needs longer delays the grant.
//
// Bound: from the first cycle of a request to its grant each other manager is granted at most once. So a request is
// refused in at most (NumManagers - 1) * (R + 1) + R cycles, where R is the longest that the subordinate refuses what it
// is shown: with a memory that grants at once (R = 0) in NumManagers - 1 cycles.
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
    logic [NumManagers-1:0] behind_d, behind_q;  // managers behind the one granted last: their turns come first
    logic [NumManagers-1:0] held_q;              // shown in the last cycle, not granted
    logic [NumManagers-1:0] answer_q;            // granted in the last cycle

    for (genvar m = 0; m < int'(NumManagers); m++) begin : gen_ask
      assign ask[m] = mgr_req_i[m].req;
    end

    // The lowest that asks among those behind the last one, else among all.
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
