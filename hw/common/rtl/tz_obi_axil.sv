// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Bridge from OBI to AXI4-Lite, one access at a time. tz_xbar requires the response in the cycle after the grant. So
// this module grants only when the AXI side has answered. SLVERR and DECERR become `err`.
//
//   OBI     req stays ....................... gnt | rvalid, err, rdata
//   AXI     arvalid until arready; rready until rvalid       (a write likewise, address and data independently)
module tz_obi_axil (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  obi_pkg::obi_req_t   obi_req_i,
  output obi_pkg::obi_rsp_t   obi_rsp_o,
  output axil_pkg::axil_req_t axil_req_o,
  input  axil_pkg::axil_rsp_t axil_rsp_i
);

  logic        aw_done_q, w_done_q, ar_done_q;  // accepted by the AXI side
  logic        written, read;                   // the AXI side answers in this cycle
  logic        rvalid_q, err_q;
  logic        active_q;                        // low until the first edge out of reset: AXI allows no request before
  logic [31:0] rdata_q;

  assign written = axil_req_o.bready && axil_rsp_i.bvalid;
  assign read    = axil_req_o.rready && axil_rsp_i.rvalid;

  // The payload is that of the OBI request, which does not change before its grant.
  assign axil_req_o = '{
    awvalid: active_q && obi_req_i.req && obi_req_i.we && !aw_done_q,
    awaddr:  obi_req_i.addr,
    awprot:  '0,
    wvalid:  active_q && obi_req_i.req && obi_req_i.we && !w_done_q,
    wdata:   obi_req_i.wdata,
    wstrb:   obi_req_i.be,
    bready:  aw_done_q && w_done_q,
    arvalid: active_q && obi_req_i.req && !obi_req_i.we && !ar_done_q,
    araddr:  obi_req_i.addr,
    arprot:  '0,
    rready:  ar_done_q
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q  <= 1'b0;
      aw_done_q <= 1'b0;
      w_done_q  <= 1'b0;
      ar_done_q <= 1'b0;
      rvalid_q  <= 1'b0;
      err_q     <= 1'b0;
      rdata_q   <= '0;
    end else begin
      active_q  <= 1'b1;
      aw_done_q <= !written && (aw_done_q || (axil_req_o.awvalid && axil_rsp_i.awready));
      w_done_q  <= !written && (w_done_q || (axil_req_o.wvalid && axil_rsp_i.wready));
      ar_done_q <= !read && (ar_done_q || (axil_req_o.arvalid && axil_rsp_i.arready));
      rvalid_q  <= written || read;
      if (written) err_q <= axil_rsp_i.bresp[1];
      if (read) begin
        err_q   <= axil_rsp_i.rresp[1];
        rdata_q <= axil_rsp_i.rdata;
      end
    end
  end

  assign obi_rsp_o = '{exokay: 1'b0, gnt: written || read, rvalid: rvalid_q, err: err_q, rdata: rdata_q};

  logic unused;
  assign unused = ^{obi_req_i.prv, obi_req_i.mid, obi_req_i.atop, axil_rsp_i.bresp[0], axil_rsp_i.rresp[0]};

endmodule
