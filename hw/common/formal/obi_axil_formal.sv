// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof for tz_obi_axil, for all time: it keeps the protocol on the AXI side as a manager, and on the OBI side, with
// every response in the cycle after its grant. The OBI response has the data and the error of the AXI response.
module obi_axil_formal (
  input logic                clk_i,
  input obi_pkg::obi_req_t   obi_req_i,
  input axil_pkg::axil_rsp_t axil_rsp_i
);

  // The first cycle is a reset, all others are not.
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  obi_pkg::obi_rsp_t   obi_rsp;
  axil_pkg::axil_req_t axil_req;

  tz_obi_axil u_dut (
    .clk_i,
    .rst_ni    (rst_n),
    .obi_req_i,
    .obi_rsp_o (obi_rsp),
    .axil_req_o(axil_req),
    .axil_rsp_i
  );

  tz_axil_check #(
    .AssumeSubordinate(1),
    .MaxOutstanding   (1)
  ) u_axil (
    .clk_i,
    .rst_ni(rst_n),
    .req_i (axil_req),
    .rsp_i (axil_rsp_i)
  );

  // OBI: a request stays until its grant.
  obi_pkg::obi_req_t obi_q;
  logic              waiting_q, granted_q, error_q;
  logic [31:0]       data_q;
  logic              answered;
  always_ff @(posedge clk_i) begin
    obi_q     <= obi_req_i;
    waiting_q <= rst_n && obi_req_i.req && !obi_rsp.gnt;
    granted_q <= rst_n && obi_req_i.req && obi_rsp.gnt;
    error_q   <= axil_rsp_i.bvalid ? axil_rsp_i.bresp[1] : axil_rsp_i.rresp[1];
    data_q    <= axil_rsp_i.rdata;
  end
  assign answered = (axil_rsp_i.bvalid && axil_req.bready) || (axil_rsp_i.rvalid && axil_req.rready);
  ReqStable_M: assume property (@(posedge clk_i) disable iff (!rst_n) !waiting_q || obi_req_i == obi_q);

  NextCycle_A: assert property (@(posedge clk_i) disable iff (!rst_n) obi_rsp.rvalid == granted_q);
  GrantIsAnswer_A: assert property (@(posedge clk_i) disable iff (!rst_n) obi_rsp.gnt == answered);
  GrantIsAsked_A: assert property (@(posedge clk_i) disable iff (!rst_n) !obi_rsp.gnt || obi_req_i.req);
  Error_A: assert property (@(posedge clk_i) disable iff (!rst_n) !granted_q || obi_rsp.err == error_q);
  Data_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !granted_q || obi_q.we || obi_rsp.rdata == data_q);
  // The request on the AXI side is that of the OBI side, and exists only together with it.
  Kind_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    (!(axil_req.awvalid || axil_req.wvalid) || (obi_req_i.req && obi_req_i.we && axil_req.awaddr == obi_req_i.addr &&
     axil_req.wdata == obi_req_i.wdata && axil_req.wstrb == obi_req_i.be)) &&
    (!axil_req.arvalid || (obi_req_i.req && !obi_req_i.we && axil_req.araddr == obi_req_i.addr)));
  // The module accepts an AXI response in the cycle in which it comes.
  Taken_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    (!axil_rsp_i.bvalid || axil_req.bready) && (!axil_rsp_i.rvalid || axil_req.rready));

  Lemma_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    u_axil.aws_q == u_dut.aw_done_q && u_axil.ws_q == u_dut.w_done_q && u_axil.ars_q == u_dut.ar_done_q &&
    (!(u_dut.aw_done_q || u_dut.w_done_q) || (obi_req_i.req && obi_req_i.we)) &&
    (!u_dut.ar_done_q || (obi_req_i.req && !obi_req_i.we)) && (obi_req_i.req || !waiting_q));

  Write_C: cover property (@(posedge clk_i) rst_n && obi_rsp.rvalid && obi_rsp.err && obi_q.we);
  Read_C: cover property (@(posedge clk_i) rst_n && obi_rsp.rvalid && !obi_rsp.err && !obi_q.we && obi_req_i.req);

endmodule
