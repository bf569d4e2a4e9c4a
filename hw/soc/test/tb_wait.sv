// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_obi_wait in front of a bank of 1 KiB; slow_gnt_i low makes the bank's side refuse grants.
module tb_wait (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [7:0]        chance_i,
  input  logic [31:0]       seed_i,
  input  logic              slow_gnt_i,
  input  obi_pkg::obi_req_t req_i,
  output obi_pkg::obi_rsp_t rsp_o
);

  parameter logic [31:0] Salt = 32'h9e37_79b9;

  obi_pkg::obi_req_t sub_req, bank_req;
  obi_pkg::obi_rsp_t sub_rsp, bank_rsp;

  tz_obi_wait #(
    .Salt(Salt)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .chance_i,
    .seed_i,
    .mgr_req_i(req_i),
    .mgr_rsp_o(rsp_o),
    .sub_req_o(sub_req),
    .sub_rsp_i(sub_rsp)
  );

  always_comb begin
    bank_req     = sub_req;
    bank_req.req = sub_req.req && slow_gnt_i;
    sub_rsp      = bank_rsp;
    sub_rsp.gnt  = bank_rsp.gnt && slow_gnt_i;
  end

  tz_sram #(
    .Size(1024)
  ) u_sram (
    .clk_i,
    .rst_ni,
    .req_i(bank_req),
    .rsp_o(bank_rsp)
  );

  tz_obi_check u_check_mgr (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_i(rsp_o)
  );
  tz_obi_check #(
    .NextCycle(1)
  ) u_check_sub (
    .clk_i,
    .rst_ni,
    .req_i(sub_req),
    .rsp_i(sub_rsp)
  );

endmodule
