// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// tz_latency_probe with one port for each signal, named as Vivado and LiteX expect it. Verilog-2001, because Vivado takes
// no SystemVerilog file as a module of a block design. Parameters, ports, registers: README.md.
module tz_latency_probe_axi #(
  parameter integer WIDTH          = 16,
  parameter integer DEPTH          = 512,
  parameter integer MISSED_WIDTH   = 8,
  parameter integer HISTOGRAM_BINS = 0,
  parameter integer MOMENTS        = 0,
  parameter integer BREAK          = 0,
  parameter integer S00_ADDR_WIDTH = 12,  // enough for 4 * DEPTH bytes, at most 31
  parameter integer S01_ADDR_WIDTH = 12   // 5 to 31; with HISTOGRAM_BINS at least 12, with MOMENTS at least 6
) (
  (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 aclk CLK" *)
  (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF s00_axi:s01_axi, ASSOCIATED_RESET aresetn" *)
  input  wire                      aclk,
  (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 aresetn RST" *)
  (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
  input  wire                      aresetn,

  input  wire                      irq_in,
  input  wire                      ack_in,
  output wire                      break_out,

  input  wire [S00_ADDR_WIDTH-1:0] s00_axi_awaddr,
  input  wire [2:0]                s00_axi_awprot,
  input  wire                      s00_axi_awvalid,
  output wire                      s00_axi_awready,
  input  wire [31:0]               s00_axi_wdata,
  input  wire [3:0]                s00_axi_wstrb,
  input  wire                      s00_axi_wvalid,
  output wire                      s00_axi_wready,
  output wire [1:0]                s00_axi_bresp,
  output wire                      s00_axi_bvalid,
  input  wire                      s00_axi_bready,
  input  wire [S00_ADDR_WIDTH-1:0] s00_axi_araddr,
  input  wire [2:0]                s00_axi_arprot,
  input  wire                      s00_axi_arvalid,
  output wire                      s00_axi_arready,
  output wire [31:0]               s00_axi_rdata,
  output wire [1:0]                s00_axi_rresp,
  output wire                      s00_axi_rvalid,
  input  wire                      s00_axi_rready,

  input  wire [S01_ADDR_WIDTH-1:0] s01_axi_awaddr,
  input  wire [2:0]                s01_axi_awprot,
  input  wire                      s01_axi_awvalid,
  output wire                      s01_axi_awready,
  input  wire [31:0]               s01_axi_wdata,
  input  wire [3:0]                s01_axi_wstrb,
  input  wire                      s01_axi_wvalid,
  output wire                      s01_axi_wready,
  output wire [1:0]                s01_axi_bresp,
  output wire                      s01_axi_bvalid,
  input  wire                      s01_axi_bready,
  input  wire [S01_ADDR_WIDTH-1:0] s01_axi_araddr,
  input  wire [2:0]                s01_axi_arprot,
  input  wire                      s01_axi_arvalid,
  output wire                      s01_axi_arready,
  output wire [31:0]               s01_axi_rdata,
  output wire [1:0]                s01_axi_rresp,
  output wire                      s01_axi_rvalid,
  input  wire                      s01_axi_rready
);

  wire [31:0] s00_awaddr = {{(32 - S00_ADDR_WIDTH){1'b0}}, s00_axi_awaddr};
  wire [31:0] s00_araddr = {{(32 - S00_ADDR_WIDTH){1'b0}}, s00_axi_araddr};
  wire [31:0] s01_awaddr = {{(32 - S01_ADDR_WIDTH){1'b0}}, s01_axi_awaddr};
  wire [31:0] s01_araddr = {{(32 - S01_ADDR_WIDTH){1'b0}}, s01_axi_araddr};

  // The members of axil_req_t and axil_rsp_t in their order.
  tz_latency_probe #(
    .Width        (WIDTH),
    .Depth        (DEPTH),
    .MissedWidth  (MISSED_WIDTH),
    .HistogramBins(HISTOGRAM_BINS),
    .Moments      (MOMENTS),
    .Break        (BREAK)
  ) u_probe (
    .clk_i    (aclk),
    .rst_ni   (aresetn),
    .irq_i    (irq_in),
    .ack_i    (ack_in),
    .s00_req_i({s00_axi_awvalid, s00_awaddr, s00_axi_awprot, s00_axi_wvalid, s00_axi_wdata, s00_axi_wstrb,
                s00_axi_bready, s00_axi_arvalid, s00_araddr, s00_axi_arprot, s00_axi_rready}),
    .s00_rsp_o({s00_axi_awready, s00_axi_wready, s00_axi_bvalid, s00_axi_bresp, s00_axi_arready, s00_axi_rvalid,
                s00_axi_rdata, s00_axi_rresp}),
    .s01_req_i({s01_axi_awvalid, s01_awaddr, s01_axi_awprot, s01_axi_wvalid, s01_axi_wdata, s01_axi_wstrb,
                s01_axi_bready, s01_axi_arvalid, s01_araddr, s01_axi_arprot, s01_axi_rready}),
    .s01_rsp_o({s01_axi_awready, s01_axi_wready, s01_axi_bvalid, s01_axi_bresp, s01_axi_arready, s01_axi_rvalid,
                s01_axi_rdata, s01_axi_rresp}),
    .break_o  (break_out)
  );

endmodule
