// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof for tz_axil_demux with two subordinates, at 0x1000 and 0x3000, for all time: it keeps the protocol on all its
// ports, a subordinate sees only its own addresses, and the manager gets the answer of the subordinate that it has
// addressed.
module axil_demux_formal (
  input logic                      clk_i,
  input axil_pkg::axil_req_t       mgr_req_i,
  input axil_pkg::axil_rsp_t [1:0] sub_rsp_i
);

  // The first cycle is a reset, all others are not.
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  localparam logic [1:0][31:0] Base = {32'h3000, 32'h1000};
  localparam logic [1:0][31:0] Mask = {2{32'hffff_f000}};

  axil_pkg::axil_rsp_t       mgr_rsp;
  axil_pkg::axil_req_t [1:0] sub_req;

  tz_axil_demux #(
    .NumSubordinates(2),
    .Base           (Base),
    .Mask           (Mask)
  ) u_dut (
    .clk_i,
    .rst_ni   (rst_n),
    .mgr_req_i,
    .mgr_rsp_o(mgr_rsp),
    .sub_req_o(sub_req),
    .sub_rsp_i
  );

  tz_axil_check #(
    .AssumeManager (1),
    .MaxOutstanding(1)
  ) u_mgr (
    .clk_i,
    .rst_ni(rst_n),
    .req_i (mgr_req_i),
    .rsp_i (mgr_rsp)
  );

  // The selection of an access that was accepted, from the ports.
  logic [1:0] aw_hit, ar_hit, aw_hit_q, ar_hit_q;
  logic       aw_done, w_done, ar_done;  // request of the manager that was accepted and not answered
  assign aw_done = u_mgr.aws_q != '0;
  assign w_done  = u_mgr.ws_q != '0;
  assign ar_done = u_mgr.ars_q != '0;
  for (genvar s = 0; s < 2; s++) begin : gen_sub
    tz_axil_check #(
      .AssumeSubordinate(1),
      .MaxOutstanding   (1)
    ) u_check (
      .clk_i,
      .rst_ni(rst_n),
      .req_i (sub_req[s]),
      .rsp_i (sub_rsp_i[s])
    );

    assign aw_hit[s] = (mgr_req_i.awaddr & Mask[s]) == Base[s];
    assign ar_hit[s] = (mgr_req_i.araddr & Mask[s]) == Base[s];
    always_ff @(posedge clk_i) begin
      if (mgr_req_i.awvalid && mgr_rsp.awready) aw_hit_q[s] <= aw_hit[s];
      if (mgr_req_i.arvalid && mgr_rsp.arready) ar_hit_q[s] <= ar_hit[s];
    end

    Own_A: assert property (@(posedge clk_i) disable iff (!rst_n)
      (!sub_req[s].awvalid || (sub_req[s].awaddr & Mask[s]) == Base[s]) &&
      (!sub_req[s].arvalid || (sub_req[s].araddr & Mask[s]) == Base[s]));
    WriteData_A: assert property (@(posedge clk_i) disable iff (!rst_n)
      !sub_req[s].wvalid || (aw_done ? aw_hit_q[s] : aw_hit[s]));
    ReadAnswer_A: assert property (@(posedge clk_i) disable iff (!rst_n)
      !(ar_done && ar_hit_q[s]) || (mgr_rsp.rvalid == sub_rsp_i[s].rvalid && mgr_rsp.rdata == sub_rsp_i[s].rdata &&
      mgr_rsp.rresp == sub_rsp_i[s].rresp && sub_req[s].rready == mgr_req_i.rready));
    WriteAnswer_A: assert property (@(posedge clk_i) disable iff (!rst_n)
      !(aw_done && w_done && aw_hit_q[s]) || (mgr_rsp.bvalid == sub_rsp_i[s].bvalid &&
      mgr_rsp.bresp == sub_rsp_i[s].bresp && sub_req[s].bready == mgr_req_i.bready));
    Lemma_A: assert property (@(posedge clk_i) disable iff (!rst_n)
      u_check.aws_q == (aw_done && aw_hit_q[s]) && u_check.ars_q == (ar_done && ar_hit_q[s]) &&
      u_check.ws_q == (w_done && (aw_done ? aw_hit_q[s] : aw_hit[s])));
  end

  LemmaFlags_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    u_dut.aw_done_q == aw_done && u_dut.w_done_q == w_done && u_dut.ar_done_q == ar_done &&
    (!aw_done || u_dut.wsel_q == aw_hit_q) && (!ar_done || u_dut.rsel_q == ar_hit_q) &&
    (!w_done || aw_done || mgr_req_i.awvalid) && !(aw_done && aw_hit_q == '1) && !(ar_done && ar_hit_q == '1));
  Nobody_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    (!(ar_done && ar_hit_q == '0) || (mgr_rsp.rvalid && mgr_rsp.rresp == 2'b11)) &&
    (!(aw_done && w_done && aw_hit_q == '0) || (mgr_rsp.bvalid && mgr_rsp.bresp == 2'b11)));

  AddressFirst_C: cover property (@(posedge clk_i) rst_n && aw_done && !w_done && aw_hit_q[1]);
  DataFirst_C: cover property (@(posedge clk_i) rst_n && !aw_done && w_done);
  Both_C: cover property (@(posedge clk_i) rst_n && sub_rsp_i[0].rvalid && sub_rsp_i[1].bvalid);
  Nobody_C: cover property (@(posedge clk_i) rst_n && mgr_rsp.rvalid && mgr_rsp.rresp == 2'b11);

endmodule
