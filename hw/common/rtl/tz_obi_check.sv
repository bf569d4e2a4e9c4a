// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Watches one OBI port in simulation and fails on a violation of the subset in `obi_pkg` (OBI v1.6, chapters 3, 4).
// Instantiated where the macro TRAPEZE_CHECK is defined; it drives nothing.
module tz_obi_check #(
  parameter int unsigned MaxOutstanding = 8,  // granted requests without a response, at most
  parameter bit          NextCycle      = 0   // every response comes in the cycle after its grant
) (
  input logic              clk_i,
  input logic              rst_ni,
  input obi_pkg::obi_req_t req_i,
  input obi_pkg::obi_rsp_t rsp_i
);

  localparam int unsigned CountW = $clog2(MaxOutstanding + 1);

  logic              accept;
  logic [CountW-1:0] outstanding_q;
  logic              active_q;    // out of reset since a cycle
  logic              waiting_q;   // the last cycle held a request that was not granted
  logic              accepted_q;  // the last cycle held one that was
  obi_pkg::obi_req_t req_q;

  assign accept = req_i.req && rsp_i.gnt;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      outstanding_q <= '0;
      active_q      <= 1'b0;
      waiting_q     <= 1'b0;
      accepted_q    <= 1'b0;
      req_q         <= '0;
    end else begin
      outstanding_q <= outstanding_q + CountW'(accept) - CountW'(rsp_i.rvalid);
      active_q      <= 1'b1;
      waiting_q     <= req_i.req && !rsp_i.gnt;
      accepted_q    <= accept;
      req_q         <= req_i;
    end
  end

  logic unused;
  assign unused = ^{req_q.req, accepted_q, rsp_i.err, rsp_i.rdata};

  // A request is not withdrawn and does not change before its grant; write data count only in a write.
  ReqStable_A: assert property (@(posedge clk_i)
    waiting_q |-> req_i.req && req_i.we == req_q.we && req_i.be == req_q.be && req_i.addr == req_q.addr)
    else $error("%m: the request changed before its grant");
  WdataStable_A: assert property (@(posedge clk_i)
    waiting_q && req_q.we |-> req_i.wdata == req_q.wdata)
    else $error("%m: the write data changed before the grant");
  AddrAligned_A: assert property (@(posedge clk_i)
    active_q && req_i.req |-> req_i.addr[1:0] == 2'b00)
    else $error("%m: the address is not that of a word");
  BeUsed_A: assert property (@(posedge clk_i)
    active_q && req_i.req |-> req_i.be != 4'b0000)
    else $error("%m: a request without a byte");
  RspExpected_A: assert property (@(posedge clk_i)
    active_q && rsp_i.rvalid |-> outstanding_q != '0)
    else $error("%m: a response without a request");
  OutstandingBounded_A: assert property (@(posedge clk_i)
    accept && !rsp_i.rvalid |-> outstanding_q != CountW'(MaxOutstanding))
    else $error("%m: too many requests without a response");
  if (NextCycle) begin : gen_next_cycle
    NextCycle_A: assert property (@(posedge clk_i)
      active_q |-> rsp_i.rvalid == accepted_q)
      else $error("%m: the response is not in the cycle after the grant");
  end

endmodule
