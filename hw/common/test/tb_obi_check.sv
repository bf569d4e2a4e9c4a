// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_obi_check: both sides of a port, driven by the bench.
module tb_obi_check #(
  parameter bit NextCycle = 0
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_i,
  input logic        we_i,
  input logic [3:0]  be_i,
  input logic [31:0] addr_i,
  input logic [31:0] wdata_i,
  input logic [1:0]  prv_i,
  input logic [5:0]  mid_i,
  input logic [5:0]  atop_i,
  input logic        gnt_i,
  input logic        rvalid_i,
  input logic        exokay_i
);

  tz_obi_check #(
    .MaxOutstanding(2),
    .NextCycle(NextCycle)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i('{prv: prv_i, mid: mid_i, atop: atop_i, req: req_i, we: we_i, be: be_i, addr: addr_i, wdata: wdata_i}),
    .rsp_i('{exokay: exokay_i, gnt: gnt_i, rvalid: rvalid_i, err: 1'b0, rdata: '0})
  );

endmodule
