// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_uart with plain ports.
module tb_uart (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  obi_pkg::obi_req_t req_i,
  output obi_pkg::obi_rsp_t rsp_o,
  output logic              tx_valid_o,
  output logic [7:0]        tx_data_o,
  input  logic              tx_ready_i,
  input  logic              rx_valid_i,
  input  logic [7:0]        rx_data_i,
  output logic              rx_ready_o,
  output logic              irq_o
);

  tz_uart #(
    .RxTimeoutCycles(40)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_o,
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
    .req_i,
    .rsp_i(rsp_o)
  );

endmodule
