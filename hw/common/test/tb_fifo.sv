// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_fifo.
module tb_fifo #(
  parameter int unsigned Depth = 4
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   clear_i,
  input  logic                   valid_i,
  input  logic [7:0]             data_i,
  output logic                   ready_o,
  output logic                   valid_o,
  output logic [7:0]             data_o,
  input  logic                   ready_i,
  output logic [$clog2(Depth):0] count_o
);

  tz_fifo #(
    .Width(8),
    .Depth(Depth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .valid_i,
    .data_i,
    .ready_o,
    .valid_o,
    .data_o,
    .ready_i,
    .count_o
  );

endmodule
