// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top: OBI through tz_obi_axil and tz_axil_demux to two AXI4-Lite ports, of 64 KiB at 0x10000 and 4 KiB at 0x30000.
module tb_axil (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  obi_pkg::obi_req_t req_i,
  output obi_pkg::obi_rsp_t rsp_o,

  output logic        m0_awvalid, m1_awvalid,
  output logic [31:0] m0_awaddr,  m1_awaddr,
  output logic [2:0]  m0_awprot,  m1_awprot,
  input  logic        m0_awready, m1_awready,
  output logic        m0_wvalid,  m1_wvalid,
  output logic [31:0] m0_wdata,   m1_wdata,
  output logic [3:0]  m0_wstrb,   m1_wstrb,
  input  logic        m0_wready,  m1_wready,
  input  logic        m0_bvalid,  m1_bvalid,
  input  logic [1:0]  m0_bresp,   m1_bresp,
  output logic        m0_bready,  m1_bready,
  output logic        m0_arvalid, m1_arvalid,
  output logic [31:0] m0_araddr,  m1_araddr,
  output logic [2:0]  m0_arprot,  m1_arprot,
  input  logic        m0_arready, m1_arready,
  input  logic        m0_rvalid,  m1_rvalid,
  input  logic [31:0] m0_rdata,   m1_rdata,
  input  logic [1:0]  m0_rresp,   m1_rresp,
  output logic        m0_rready,  m1_rready
);

  axil_pkg::axil_req_t       mgr_req;
  axil_pkg::axil_rsp_t       mgr_rsp;
  axil_pkg::axil_req_t [1:0] sub_req;
  axil_pkg::axil_rsp_t [1:0] sub_rsp;

  tz_obi_axil u_bridge (
    .clk_i,
    .rst_ni,
    .obi_req_i (req_i),
    .obi_rsp_o (rsp_o),
    .axil_req_o(mgr_req),
    .axil_rsp_i(mgr_rsp)
  );

  tz_axil_demux #(
    .NumSubordinates(2),
    .Base           ({32'h3_0000, 32'h1_0000}),
    .Mask           ({32'hffff_f000, 32'hffff_0000})
  ) u_demux (
    .clk_i,
    .rst_ni,
    .mgr_req_i(mgr_req),
    .mgr_rsp_o(mgr_rsp),
    .sub_req_o(sub_req),
    .sub_rsp_i(sub_rsp)
  );

  assign {m0_awvalid, m0_awaddr, m0_awprot, m0_wvalid, m0_wdata, m0_wstrb, m0_bready, m0_arvalid, m0_araddr, m0_arprot,
          m0_rready} = sub_req[0];
  assign {m1_awvalid, m1_awaddr, m1_awprot, m1_wvalid, m1_wdata, m1_wstrb, m1_bready, m1_arvalid, m1_araddr, m1_arprot,
          m1_rready} = sub_req[1];
  assign sub_rsp[0] = {m0_awready, m0_wready, m0_bvalid, m0_bresp, m0_arready, m0_rvalid, m0_rdata, m0_rresp};
  assign sub_rsp[1] = {m1_awready, m1_wready, m1_bvalid, m1_bresp, m1_arready, m1_rvalid, m1_rdata, m1_rresp};

  tz_obi_check #(
    .NextCycle(1)
  ) u_obi (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_i(rsp_o)
  );
  tz_axil_check u_mgr (
    .clk_i,
    .rst_ni,
    .req_i(mgr_req),
    .rsp_i(mgr_rsp)
  );
  for (genvar s = 0; s < 2; s++) begin : gen_check
    tz_axil_check u_check (
      .clk_i,
      .rst_ni,
      .req_i(sub_req[s]),
      .rsp_i(sub_rsp[s])
    );
  end

endmodule
