// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Connects one AXI4-Lite manager to several subordinates, by address. It adds no cycle. One read and one write are
// under way at a time. An address in no region is answered with DECERR. A subordinate sees the address and the data of
// a write in the same cycle, never one without the other.
module tz_axil_demux #(
  parameter int unsigned NumSubordinates = 2,
  parameter logic [NumSubordinates-1:0][31:0] Base = '0,  // first address, a multiple of the size
  parameter logic [NumSubordinates-1:0][31:0] Mask = '0   // address bits that decode it: ~(size - 1)
) (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  input  axil_pkg::axil_req_t                       mgr_req_i,
  output axil_pkg::axil_rsp_t                       mgr_rsp_o,
  output axil_pkg::axil_req_t [NumSubordinates-1:0] sub_req_o,
  input  axil_pkg::axil_rsp_t [NumSubordinates-1:0] sub_rsp_i
);

  // The first region that holds an address, none if no bit is set.
  function automatic logic [NumSubordinates-1:0] decode(logic [31:0] address);
    logic [NumSubordinates-1:0] hit;
    for (int unsigned s = 0; s < NumSubordinates; s++) hit[s] = (address & Mask[s]) == Base[s];
    return hit & (~hit + 1'b1);
  endfunction

  logic                       aw_done_q, w_done_q, ar_done_q;  // request accepted, and not answered
  logic [NumSubordinates-1:0] wsel, wsel_q, rsel, rsel_q;
  logic                       aw_show, w_show, ar_show;        // what of the manager's request may go on

  // The handshake signals of all subordinates, one vector for each signal: easier to follow than a vector of structs.
  logic [NumSubordinates-1:0]       awready, wready, bvalid, arready, rvalid;
  logic [NumSubordinates-1:0][1:0]  bresp, rresp;
  logic [NumSubordinates-1:0][31:0] rdata;
  // The subordinate that answers is the one that the request went to. This depends on flip-flops only.
  logic [1:0]                       mgr_bresp, mgr_rresp;
  logic [31:0]                      mgr_rdata;

  assign wsel    = aw_done_q ? wsel_q : decode(mgr_req_i.awaddr);
  assign rsel    = ar_done_q ? rsel_q : decode(mgr_req_i.araddr);
  assign aw_show = mgr_req_i.awvalid && !aw_done_q && (mgr_req_i.wvalid || w_done_q);
  assign w_show  = mgr_req_i.wvalid && !w_done_q && (mgr_req_i.awvalid || aw_done_q);
  assign ar_show = mgr_req_i.arvalid && !ar_done_q;

  for (genvar s = 0; s < int'(NumSubordinates); s++) begin : gen_sub
    assign sub_req_o[s] = '{
      awvalid: aw_show && wsel[s],
      awaddr:  mgr_req_i.awaddr,
      awprot:  mgr_req_i.awprot,
      wvalid:  w_show && wsel[s],
      wdata:   mgr_req_i.wdata,
      wstrb:   mgr_req_i.wstrb,
      bready:  mgr_req_i.bready && aw_done_q && w_done_q && wsel[s],
      arvalid: ar_show && rsel[s],
      araddr:  mgr_req_i.araddr,
      arprot:  mgr_req_i.arprot,
      rready:  mgr_req_i.rready && ar_done_q && rsel[s]
    };
    assign awready[s] = sub_rsp_i[s].awready;
    assign wready[s]  = sub_rsp_i[s].wready;
    assign bvalid[s]  = sub_rsp_i[s].bvalid;
    assign bresp[s]   = sub_rsp_i[s].bresp;
    assign arready[s] = sub_rsp_i[s].arready;
    assign rvalid[s]  = sub_rsp_i[s].rvalid;
    assign rresp[s]   = sub_rsp_i[s].rresp;
    assign rdata[s]   = sub_rsp_i[s].rdata;
  end

  // An address in no region: the request is accepted and answered with DECERR here.
  always_comb begin
    mgr_bresp = '0;
    mgr_rresp = '0;
    mgr_rdata = '0;
    for (int unsigned s = 0; s < NumSubordinates; s++) begin
      mgr_bresp |= wsel_q[s] ? bresp[s] : '0;
      mgr_rresp |= rsel_q[s] ? rresp[s] : '0;
      mgr_rdata |= rsel_q[s] ? rdata[s] : '0;
    end
    if (wsel_q == '0) mgr_bresp = axil_pkg::RespDecErr;
    if (rsel_q == '0) mgr_rresp = axil_pkg::RespDecErr;
  end

  assign mgr_rsp_o = '{
    awready: aw_show && (wsel == '0 || |(wsel & awready)),
    wready:  w_show && (wsel == '0 || |(wsel & wready)),
    bvalid:  aw_done_q && w_done_q && (wsel_q == '0 || |(wsel_q & bvalid)),
    bresp:   mgr_bresp,
    arready: ar_show && (rsel == '0 || |(rsel & arready)),
    rvalid:  ar_done_q && (rsel_q == '0 || |(rsel_q & rvalid)),
    rdata:   mgr_rdata,
    rresp:   mgr_rresp
  };

  logic written, read;
  assign written = mgr_rsp_o.bvalid && mgr_req_i.bready;
  assign read    = mgr_rsp_o.rvalid && mgr_req_i.rready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_done_q <= 1'b0;
      w_done_q  <= 1'b0;
      ar_done_q <= 1'b0;
      wsel_q    <= '0;
      rsel_q    <= '0;
    end else begin
      aw_done_q <= !written && (aw_done_q || mgr_rsp_o.awready);
      w_done_q  <= !written && (w_done_q || mgr_rsp_o.wready);
      ar_done_q <= !read && (ar_done_q || mgr_rsp_o.arready);
      wsel_q    <= wsel;
      rsel_q    <= rsel;
    end
  end

endmodule
