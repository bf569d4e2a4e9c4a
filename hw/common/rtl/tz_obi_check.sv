// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Watches one OBI port in simulation and fails on a violation of the subset in `obi_pkg` (OBI v1.6, chapters 3, 4).
// Instantiated where the macro TRAPEZE_CHECK is defined; it drives nothing.
module tz_obi_check #(
  parameter int unsigned MaxOutstanding = 8,  // granted requests without a response, at most
  parameter bit          NextCycle      = 0,  // every response comes in the cycle after its grant
  parameter int          MaxRefused     = -1  // most cycles in a row in which a request may be refused; -1: any number
) (
  input logic              clk_i,
  input logic              rst_ni,
  input obi_pkg::obi_req_t req_i,
  input obi_pkg::obi_rsp_t rsp_i
);

  localparam int unsigned CountW = $clog2(MaxOutstanding + 1);

  logic              accept;
  logic              atop_known;  // `atop` is a code of obi_pkg
  logic              exclusive;   // the request is an LR or SC: `exokay` may answer it
  logic [MaxOutstanding-1:0] exclusive_q, exclusive_d;  // of the requests without a response, the oldest in bit 0
  logic [CountW-1:0] behind;      // requests that have no response after that of this cycle
  logic [CountW-1:0] outstanding_q;
  logic              active_q;    // the last cycle was out of reset
  logic              waiting_q;   // the last cycle had a request that was not granted
  logic              accepted_q;  // the last cycle had a request that was granted
  obi_pkg::obi_req_t req_q;

  assign accept    = req_i.req && rsp_i.gnt;
  assign exclusive = (req_i.atop == obi_pkg::AtopLr) || (req_i.atop == obi_pkg::AtopSc);
  assign behind    = outstanding_q - CountW'(rsp_i.rvalid);
  always_comb begin
    unique case (req_i.atop)
      obi_pkg::AtopNone, obi_pkg::AtopLr, obi_pkg::AtopSc, obi_pkg::AtopSwap, obi_pkg::AtopAdd, obi_pkg::AtopXor,
      obi_pkg::AtopOr, obi_pkg::AtopAnd, obi_pkg::AtopMin, obi_pkg::AtopMax, obi_pkg::AtopMinu,
      obi_pkg::AtopMaxu, obi_pkg::AtopLoad, obi_pkg::AtopMark: atop_known = 1'b1;
      default:           atop_known = 1'b0;
    endcase
  end
  always_comb begin
    exclusive_d = rsp_i.rvalid ? exclusive_q >> 1 : exclusive_q;
    for (int unsigned i = 0; i < MaxOutstanding; i++) begin
      if (accept && behind == CountW'(i)) exclusive_d[i] = exclusive;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      outstanding_q <= '0;
      exclusive_q   <= '0;
      active_q      <= 1'b0;
      waiting_q     <= 1'b0;
      accepted_q    <= 1'b0;
      req_q         <= '0;
    end else begin
      outstanding_q <= behind + CountW'(accept);
      exclusive_q   <= exclusive_d;
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
    waiting_q |-> req_i.req && req_i.we == req_q.we && req_i.be == req_q.be && req_i.addr == req_q.addr &&
                 req_i.prv == req_q.prv && req_i.mid == req_q.mid && req_i.atop == req_q.atop)
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
  AtopKnown_A: assert property (@(posedge clk_i)
    active_q && req_i.req |-> atop_known)
    else $error("%m: no atomic operation has this code");
  AtopWord_A: assert property (@(posedge clk_i)
    active_q && req_i.req && req_i.atop != obi_pkg::AtopNone |->
      req_i.be == 4'b1111 &&
      (req_i.we == (req_i.atop != obi_pkg::AtopLr && req_i.atop != obi_pkg::AtopLoad) ||
       req_i.atop == obi_pkg::AtopSc))  // an SC without `we` fails
    else $error("%m: an atomic operation is not of a word, or its we is wrong");
  PrvKnown_A: assert property (@(posedge clk_i)
    active_q && req_i.req |-> req_i.prv != 2'b01)
    else $error("%m: there is no such privilege");
  PortKnown_A: assert property (@(posedge clk_i)
    active_q && req_i.req |-> req_i.mid.port <= obi_pkg::PortFrame)
    else $error("%m: a hart has no such port");
  ExokayAsked_A: assert property (@(posedge clk_i)
    active_q && rsp_i.rvalid && rsp_i.exokay |-> exclusive_q[0])
    else $error("%m: exokay without a load-reserved or store-conditional");
  RspExpected_A: assert property (@(posedge clk_i)
    active_q && rsp_i.rvalid |-> outstanding_q != '0)
    else $error("%m: a response without a request");
  OutstandingBounded_A: assert property (@(posedge clk_i)
    accept && !rsp_i.rvalid |-> outstanding_q != CountW'(MaxOutstanding))
    else $error("%m: too many requests without a response");
  if (MaxRefused >= 0) begin : gen_refused
    int unsigned refused_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) refused_q <= 0;
      else refused_q <= (req_i.req && !rsp_i.gnt) ? refused_q + 1 : 0;
    end
    Refused_A: assert property (@(posedge clk_i)
      active_q && req_i.req && !rsp_i.gnt |-> refused_q < MaxRefused)
      else $error("%m: refused for too long");
  end
  if (NextCycle) begin : gen_next_cycle
    NextCycle_A: assert property (@(posedge clk_i)
      active_q |-> rsp_i.rvalid == accepted_q)
      else $error("%m: the response is not in the cycle after the grant");
  end

endmodule
