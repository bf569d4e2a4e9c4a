// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_uart with plain ports.
module tb_uart (
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
  output logic        tx_valid_o,
  output logic [7:0]  tx_data_o,
  input  logic        tx_ready_i,
  input  logic        rx_valid_i,
  input  logic [7:0]  rx_data_i,
  output logic        rx_ready_o,
  output logic        irq_o
);

  obi_pkg::obi_req_t req;
  obi_pkg::obi_rsp_t rsp;

  assign req = obi_pkg::machine_access(obi_req_i, obi_we_i, obi_be_i, obi_addr_i, obi_wdata_i);
  assign {obi_gnt_o, obi_rvalid_o, obi_err_o, obi_rdata_o} = 35'(rsp);  // exokay is not looked at

  tz_uart #(
    .RxTimeoutCycles(40)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i(req),
    .rsp_o(rsp),
    .tx_valid_o,
    .tx_data_o,
    .tx_ready_i,
    .rx_valid_i,
    .rx_data_i,
    .rx_ready_o,
    .irq_o
  );

  tz_obi_check #(
    .NextCycle(1)
  ) u_check (
    .clk_i,
    .rst_ni,
    .req_i(req),
    .rsp_i(rsp)
  );

endmodule
