// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Filter on one OBI port. A request to a memory passes, with no cycle added. A request to any other address does not
// reach the bus: it is granted at once and answered with `err` in the next cycle. Assumption: the manager has at most
// one request outstanding. A port that is itself a manager of tz_xbar does not need this module: tz_xbar does the same
// for its memory-only managers.
module tz_memory_only #(
  parameter int unsigned NumRegions = 1,
  parameter logic [NumRegions-1:0][31:0] Base = '0,     // first address, a multiple of the size
  parameter logic [NumRegions-1:0][31:0] Mask = '0,     // address bits that decode it
  parameter logic [NumRegions-1:0]       IsMemory = '0
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  obi_pkg::obi_req_t mgr_req_i,
  output obi_pkg::obi_rsp_t mgr_rsp_o,
  output obi_pkg::obi_req_t sub_req_o,
  input  obi_pkg::obi_rsp_t sub_rsp_i
);

  logic [NumRegions-1:0] hit;
  logic refuse, refused_q;

  for (genvar r = 0; r < int'(NumRegions); r++) begin : gen_region
    assign hit[r] = IsMemory[r] && (mgr_req_i.addr & Mask[r]) == Base[r];
  end
  assign refuse = mgr_req_i.req && (hit == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) refused_q <= 1'b0;
    else refused_q <= refuse;
  end

  always_comb begin
    sub_req_o     = mgr_req_i;
    sub_req_o.req = mgr_req_i.req && !refuse;
  end
  assign mgr_rsp_o = '{
    exokay: !refused_q && sub_rsp_i.exokay,
    gnt:    refuse || sub_rsp_i.gnt,
    rvalid: refused_q || sub_rsp_i.rvalid,
    err:    refused_q || sub_rsp_i.err,
    rdata:  sub_rsp_i.rdata
  };

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(refused_q && sub_rsp_i.rvalid));
`endif

endmodule
