// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_host for two harts, with plain ports.
module tb_host (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        obi_req_i,
  input  logic        obi_we_i,
  input  logic [3:0]  obi_be_i,
  input  logic [31:0] obi_addr_i,
  input  logic [31:0] obi_wdata_i,
  output logic        obi_gnt_o,
  output logic        obi_rvalid_o,
  output logic        obi_err_o,
  output logic [31:0] obi_rdata_o,
  input  logic        hart_i,        // who asks
  output logic [1:0]  exit_valid_o,
  output logic [63:0] exit_code_o    // hart 1 in the upper half
);

  obi_pkg::obi_req_t req;
  obi_pkg::obi_rsp_t rsp;

  assign req = obi_pkg::from_initiator(obi_pkg::machine_access(obi_req_i, obi_we_i, obi_be_i, obi_addr_i, obi_wdata_i),
                                       4'(hart_i), obi_pkg::PortData);
  assign {obi_gnt_o, obi_rvalid_o, obi_err_o, obi_rdata_o} = 35'(rsp);  // exokay is not looked at

  tz_host #(
    .NumHarts(2)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i(req),
    .rsp_o(rsp),
    .exit_valid_o,
    .exit_code_o
  );

endmodule
