// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Watches one AXI4-Lite port and fails on a violation of the protocol (AMBA AXI specification, IHI 0022, A3.2, A3.3,
// B1.1); it drives nothing. In simulation all properties are checked. In a proof those of the side that is not under
// proof are assumed: `AssumeManager`, `AssumeSubordinate`.
module tz_axil_check #(
  parameter bit          AssumeManager     = 0,
  parameter bit          AssumeSubordinate = 0,
  parameter int unsigned MaxOutstanding    = 4,  // requests without a response at once, on each of AW, W, AR
  parameter int unsigned MaxWait           = 0   // cycles until a request is accepted while the manager takes all
                                                 // responses at once, and from there to the response; 0: any number
) (
  input logic                clk_i,
  input logic                rst_ni,
  input axil_pkg::axil_req_t req_i,
  input axil_pkg::axil_rsp_t rsp_i
);

  localparam int unsigned CountW = $clog2(MaxOutstanding + 1);

  axil_pkg::axil_req_t req_q;
  axil_pkg::axil_rsp_t rsp_q;
  logic                active_q;                    // the last cycle was out of reset
  logic [CountW-1:0]   aws_q, ws_q, ars_q;          // requests that were accepted and not answered
  logic                aw, w, b, ar, r;             // handshakes
  logic                aw_held, w_held, b_held, ar_held, r_held;  // valid and not ready in the cycle before

  assign aw = req_i.awvalid && rsp_i.awready;
  assign w  = req_i.wvalid && rsp_i.wready;
  assign b  = rsp_i.bvalid && req_i.bready;
  assign ar = req_i.arvalid && rsp_i.arready;
  assign r  = rsp_i.rvalid && req_i.rready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      req_q    <= '0;
      rsp_q    <= '0;
      aws_q    <= '0;
      ws_q     <= '0;
      ars_q    <= '0;
    end else begin
      active_q <= 1'b1;
      req_q    <= req_i;
      rsp_q    <= rsp_i;
      aws_q    <= aws_q + CountW'(aw) - CountW'(b);
      ws_q     <= ws_q + CountW'(w) - CountW'(b);
      ars_q    <= ars_q + CountW'(ar) - CountW'(r);
    end
  end

  assign aw_held = req_q.awvalid && !rsp_q.awready;
  assign w_held  = req_q.wvalid && !rsp_q.wready;
  assign b_held  = rsp_q.bvalid && !req_q.bready;
  assign ar_held = req_q.arvalid && !rsp_q.arready;
  assign r_held  = rsp_q.rvalid && !req_q.rready;

  // ------------------------------------------------------------------ the rules
  // The properties use rst_ni as a signal, although it is an asynchronous reset: this is meant.
  // verilator lint_off SYNCASYNCNET
  logic aw_stable, w_stable, ar_stable, m_reset;  // the manager's
  logic b_stable, r_stable, s_reset, b_expected, r_expected, resp_known;  // the subordinate's
  assign aw_stable = !aw_held || (req_i.awvalid && req_i.awaddr == req_q.awaddr && req_i.awprot == req_q.awprot);
  assign w_stable  = !w_held || (req_i.wvalid && req_i.wdata == req_q.wdata && req_i.wstrb == req_q.wstrb);
  assign ar_stable = !ar_held || (req_i.arvalid && req_i.araddr == req_q.araddr && req_i.arprot == req_q.arprot);
  assign m_reset   = active_q || !(req_i.awvalid || req_i.wvalid || req_i.arvalid);
  assign b_stable  = !b_held || (rsp_i.bvalid && rsp_i.bresp == rsp_q.bresp);
  assign r_stable  = !r_held || (rsp_i.rvalid && rsp_i.rdata == rsp_q.rdata && rsp_i.rresp == rsp_q.rresp);
  assign s_reset   = active_q || !(rsp_i.bvalid || rsp_i.rvalid);
  assign b_expected = !rsp_i.bvalid || (aws_q != '0 && ws_q != '0);
  assign r_expected = !rsp_i.rvalid || ars_q != '0;
  assign resp_known = !(rsp_i.bvalid && rsp_i.bresp == 2'b01) && !(rsp_i.rvalid && rsp_i.rresp == 2'b01);

  // This is no rule of the protocol: the counters above can count no further.
  logic bounded;
  assign bounded = !(aw && !b && aws_q == CountW'(MaxOutstanding)) && !(w && !b && ws_q == CountW'(MaxOutstanding)) &&
                   !(ar && !r && ars_q == CountW'(MaxOutstanding));

  if (AssumeManager) begin : gen_assume_manager
    AwStable_M: assume property (@(posedge clk_i) disable iff (!rst_ni) aw_stable);
    WStable_M: assume property (@(posedge clk_i) disable iff (!rst_ni) w_stable);
    ArStable_M: assume property (@(posedge clk_i) disable iff (!rst_ni) ar_stable);
    ManagerReset_M: assume property (@(posedge clk_i) m_reset);
  end else begin : gen_check_manager
    AwStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni) aw_stable);
    WStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni) w_stable);
    ArStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni) ar_stable);
    ManagerReset_A: assert property (@(posedge clk_i) m_reset);
  end

  if (AssumeSubordinate) begin : gen_assume_subordinate
    BStable_M: assume property (@(posedge clk_i) disable iff (!rst_ni) b_stable);
    RStable_M: assume property (@(posedge clk_i) disable iff (!rst_ni) r_stable);
    SubordinateReset_M: assume property (@(posedge clk_i) s_reset);
    BExpected_M: assume property (@(posedge clk_i) disable iff (!rst_ni) b_expected);
    RExpected_M: assume property (@(posedge clk_i) disable iff (!rst_ni) r_expected);
    RespKnown_M: assume property (@(posedge clk_i) disable iff (!rst_ni) resp_known);
  end else begin : gen_check_subordinate
    BStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni) b_stable);
    RStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni) r_stable);
    SubordinateReset_A: assert property (@(posedge clk_i) s_reset);
    BExpected_A: assert property (@(posedge clk_i) disable iff (!rst_ni) b_expected);
    RExpected_A: assert property (@(posedge clk_i) disable iff (!rst_ni) r_expected);
    RespKnown_A: assert property (@(posedge clk_i) disable iff (!rst_ni) resp_known);
  end
  Bounded_A: assert property (@(posedge clk_i) disable iff (!rst_ni) bounded);

  // ------------------------------------------------------------------ waiting
  if (MaxWait != 0) begin : gen_wait
    localparam int unsigned WaitW = $clog2(MaxWait + 2);
    logic [WaitW-1:0] write_q, bwait_q, read_q, rwait_q;

    // Cycles that are counted: a write waits when both its address and its data are there and neither is accepted. A
    // cycle in which the manager does not take a response does not count: the subordinate may wait for that.
    function automatic logic [WaitW-1:0] next(logic [WaitW-1:0] count, logic waits);
      if (!waits) return '0;
      return (count == WaitW'(MaxWait + 1)) ? count : count + 1'b1;
    endfunction

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        write_q <= '0;
        bwait_q <= '0;
        read_q  <= '0;
        rwait_q <= '0;
      end else begin
        write_q <= next(write_q, req_i.awvalid && req_i.wvalid && !aw && !w && !(rsp_i.bvalid && !req_i.bready));
        bwait_q <= next(bwait_q, aws_q != '0 && ws_q != '0 && !rsp_i.bvalid);
        read_q  <= next(read_q, req_i.arvalid && !ar && !(rsp_i.rvalid && !req_i.rready));
        rwait_q <= next(rwait_q, ars_q != '0 && !rsp_i.rvalid);
      end
    end

    WriteAccepted_A: assert property (@(posedge clk_i) disable iff (!rst_ni) write_q <= WaitW'(MaxWait));
    WriteAnswered_A: assert property (@(posedge clk_i) disable iff (!rst_ni) bwait_q <= WaitW'(MaxWait));
    ReadAccepted_A: assert property (@(posedge clk_i) disable iff (!rst_ni) read_q <= WaitW'(MaxWait));
    ReadAnswered_A: assert property (@(posedge clk_i) disable iff (!rst_ni) rwait_q <= WaitW'(MaxWait));
  end

  // verilator lint_on SYNCASYNCNET

  logic unused;
  assign unused = ^{req_q, rsp_q};

endmodule
