// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_amo: two harts on one port in front of a memory of 64 words. bank_gnt_i low makes the memory refuse
// grants; each hart has a reservation that elsewhere_i ends.
module tb_amo (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              bank_gnt_i,
  input  logic [1:0]        elsewhere_i,
  input  obi_pkg::obi_req_t a_req_i,
  output obi_pkg::obi_rsp_t a_rsp_o,
  input  obi_pkg::obi_req_t b_req_i,
  output obi_pkg::obi_rsp_t b_rsp_o
);

  obi_pkg::obi_req_t req, bank_req;
  obi_pkg::obi_rsp_t rsp, bank_rsp;

  tz_obi_share u_share (
    .clk_i,
    .rst_ni,
    .first_req_i (a_req_i),
    .first_rsp_o (a_rsp_o),
    .second_req_i(b_req_i),
    .second_rsp_o(b_rsp_o),
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
