// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_amo: two harts on one port in front of a memory of 64 words. bank_gnt_i low makes the memory refuse
// grants; each hart has a reservation that elsewhere_i ends.
module tb_amo (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        bank_gnt_i,
  input  logic [1:0]  elsewhere_i,

  input  logic        a_req_i,
  input  logic        a_we_i,
  input  logic [5:0]  a_atop_i,
  input  logic [3:0]  a_be_i,
  input  logic [31:0] a_addr_i,
  input  logic [31:0] a_wdata_i,
  output logic        a_gnt_o,
  output logic        a_rvalid_o,
  output logic        a_err_o,
  output logic        a_exokay_o,
  output logic [31:0] a_rdata_o,

  input  logic        b_req_i,
  input  logic        b_we_i,
  input  logic [5:0]  b_atop_i,
  input  logic [3:0]  b_be_i,
  input  logic [31:0] b_addr_i,
  input  logic [31:0] b_wdata_i,
  output logic        b_gnt_o,
  output logic        b_rvalid_o,
  output logic        b_err_o,
  output logic        b_exokay_o,
  output logic [31:0] b_rdata_o
);

  obi_pkg::obi_req_t [1:0] mgr_req;
  obi_pkg::obi_rsp_t [1:0] mgr_rsp;
  obi_pkg::obi_req_t       req, bank_req;
  obi_pkg::obi_rsp_t       rsp, bank_rsp;

  always_comb begin
    mgr_req[0]      = obi_pkg::machine_access(a_req_i, a_we_i, a_be_i, a_addr_i, a_wdata_i);
    mgr_req[0].mid  = '{hart: 4'd0, port: obi_pkg::PortData};
    mgr_req[1]      = obi_pkg::machine_access(b_req_i, b_we_i, b_be_i, b_addr_i, b_wdata_i);
    mgr_req[1].mid  = '{hart: 4'd1, port: obi_pkg::PortData};
    mgr_req[0].atop = a_atop_i;
    mgr_req[1].atop = b_atop_i;
  end
  assign {a_exokay_o, a_gnt_o, a_rvalid_o, a_err_o, a_rdata_o} =
      {mgr_rsp[0].exokay, mgr_rsp[0].gnt, mgr_rsp[0].rvalid, mgr_rsp[0].err, mgr_rsp[0].rdata};
  assign {b_exokay_o, b_gnt_o, b_rvalid_o, b_err_o, b_rdata_o} =
      {mgr_rsp[1].exokay, mgr_rsp[1].gnt, mgr_rsp[1].rvalid, mgr_rsp[1].err, mgr_rsp[1].rdata};

  tz_obi_share u_share (
    .clk_i,
    .rst_ni,
    .first_req_i (mgr_req[0]),
    .first_rsp_o (mgr_rsp[0]),
    .second_req_i(mgr_req[1]),
    .second_rsp_o(mgr_rsp[1]),
    .req_o       (req),
    .rsp_i       (rsp)
  );

  logic [1:0] here;
  tz_amo #(
    .NumHarts(2),
    .AddrMask(32'h0000_00fc)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i      (req),
    .rsp_o      (rsp),
    .bank_req_o (bank_req),
    .bank_rsp_i (bank_rsp),
    .here_o     (here),
    .elsewhere_i
  );

  logic [31:0] mem[64];
  logic [31:0] rdata_q;
  logic        rvalid_q, accept;
  assign accept = bank_req.req && bank_gnt_i;
  always_ff @(posedge clk_i) begin
    if (accept && bank_req.we) begin
      for (int i = 0; i < 4; i++) if (bank_req.be[i]) mem[bank_req.addr[7:2]][8*i+:8] <= bank_req.wdata[8*i+:8];
    end
    rdata_q <= (accept && !bank_req.we) ? mem[bank_req.addr[7:2]] : 32'hbad0_bad0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rvalid_q <= 1'b0;
    else rvalid_q <= accept;
  end
  assign bank_rsp = '{exokay: 1'b0, gnt: bank_gnt_i, rvalid: rvalid_q, err: 1'b0, rdata: rdata_q};

  tz_obi_check #(
    .NextCycle(1)
  ) u_check_bus (
    .clk_i,
    .rst_ni,
    .req_i(req),
    .rsp_i(rsp)
  );
  tz_obi_check #(
    .NextCycle(1)
  ) u_check_bank (
    .clk_i,
    .rst_ni,
    .req_i(bank_req),
    .rsp_i(bank_rsp)
  );

  logic unused;
  assign unused = ^here;

endmodule
