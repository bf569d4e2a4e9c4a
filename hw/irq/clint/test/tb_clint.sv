// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_clint with plain ports.
module tb_clint #(
  parameter int unsigned MtimePrescale = 1
) (
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
  input  logic [15:0] irq_i,
  input  logic        irq_ext_i,
  output logic [15:0] platform_o,
  output logic        external_o,
  output logic        timer_o,
  output logic        software_o
);

  obi_pkg::obi_req_t       req;
  obi_pkg::obi_rsp_t       rsp;
  irq_pkg::clint_pending_t pending;

  assign req = obi_pkg::machine_access(obi_req_i, obi_we_i, obi_be_i, obi_addr_i, obi_wdata_i);
  assign {obi_gnt_o, obi_rvalid_o, obi_err_o, obi_rdata_o} = 35'(rsp);  // exokay is not looked at
  assign {platform_o, external_o, timer_o, software_o} = pending;

  tz_clint #(
    .MtimePrescale(MtimePrescale)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i    (req),
    .rsp_o    (rsp),
    .irq_i,
    .irq_ext_i,
    .pending_o(pending)
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
