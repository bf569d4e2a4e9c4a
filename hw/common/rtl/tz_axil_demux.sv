// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// One AXI4-Lite manager to several subordinates, by address. No cycle is added. One read and one write at a time; an
// address in no region is answered with DECERR. A subordinate sees address and data of a write together, never one
// without the other.
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

  logic                       aw_done_q, w_done_q, ar_done_q;  // accepted, and not answered
  logic [NumSubordinates-1:0] wsel, wsel_q, rsel, rsel_q;
  logic                       aw_show, w_show, ar_show;        // what of the manager's request may go on
  axil_pkg::axil_rsp_t        wacc, racc;                      // from where the request goes
  axil_pkg::axil_rsp_t        wrsp, rrsp;                      // from where it went, by flip-flops alone

  assign wsel    = aw_done_q ? wsel_q : decode(mgr_req_i.awaddr);
  assign rsel    = ar_done_q ? rsel_q : decode(mgr_req_i.araddr);
  assign aw_show = mgr_req_i.awvalid && !aw_done_q && (mgr_req_i.wvalid || w_done_q);
  assign w_show  = mgr_req_i.wvalid && !w_done_q && (mgr_req_i.awvalid || aw_done_q);
  assign ar_show = mgr_req_i.arvalid && !ar_done_q;

  for (genvar s = 0; s < int'(NumSubordinates); s++) begin : gen_sub
    always_comb begin
      sub_req_o[s]         = mgr_req_i;
      sub_req_o[s].awvalid = aw_show && wsel[s];
      sub_req_o[s].wvalid  = w_show && wsel[s];
      sub_req_o[s].bready  = mgr_req_i.bready && aw_done_q && w_done_q && wsel[s];
      sub_req_o[s].arvalid = ar_show && rsel[s];
      sub_req_o[s].rready  = mgr_req_i.rready && ar_done_q && rsel[s];
    end
  end

  // Nobody there: takes everything and answers with an error.
  always_comb begin
    wacc = '0;
    racc = '0;
    wrsp = '0;
    rrsp = '0;
    for (int unsigned s = 0; s < NumSubordinates; s++) begin
      wacc |= wsel[s] ? sub_rsp_i[s] : '0;
      racc |= rsel[s] ? sub_rsp_i[s] : '0;
      wrsp |= wsel_q[s] ? sub_rsp_i[s] : '0;
      rrsp |= rsel_q[s] ? sub_rsp_i[s] : '0;
    end
    if (wsel == '0) begin
      wacc.awready = 1'b1;
      wacc.wready  = 1'b1;
    end
    if (rsel == '0) racc.arready = 1'b1;
    if (wsel_q == '0) begin
      wrsp.bvalid = 1'b1;
      wrsp.bresp  = axil_pkg::RespDecErr;
    end
    if (rsel_q == '0) begin
      rrsp.rvalid = 1'b1;
      rrsp.rresp  = axil_pkg::RespDecErr;
    end
  end

  assign mgr_rsp_o = '{
    awready: aw_show && wacc.awready,
    wready:  w_show && wacc.wready,
    bvalid:  aw_done_q && w_done_q && wrsp.bvalid,
    bresp:   wrsp.bresp,
    arready: ar_show && racc.arready,
    rvalid:  ar_done_q && rrsp.rvalid,
    rdata:   rrsp.rdata,
    rresp:   rrsp.rresp
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
