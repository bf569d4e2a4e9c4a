// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Shares a memory bank between the stress generator and the bus matrix (tz_xbar). The generator has priority: in a
// cycle in which it reads this bank, a request of the matrix is refused and stays on the bus. In all other cycles a
// request of the matrix reaches the bank, with no cycle added. Assumption: the bank grants every request at once.
module tz_bank_mux #(
  parameter logic [31:0] Base = '0,  // first address of the bank, a multiple of the size
  parameter logic [31:0] Mask = '0   // address bits that decode it: ~(size - 1)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              stress_req_i,  // a read of the stress generator; nobody gets its response
  input  logic [31:0]       stress_addr_i,

  input  obi_pkg::obi_req_t req_i,         // from the bus matrix
  output obi_pkg::obi_rsp_t rsp_o,

  output obi_pkg::obi_req_t bank_req_o,
  input  obi_pkg::obi_rsp_t bank_rsp_i
);

  logic taken, taken_q;
  assign taken = stress_req_i && (stress_addr_i & Mask) == Base;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) taken_q <= 1'b0;
    else taken_q <= taken;
  end

  assign bank_req_o = '{
    prv:   req_i.prv,
    mid:   req_i.mid,
    atop:  taken ? obi_pkg::AtopNone : req_i.atop,
    req:   req_i.req || taken,
    we:    req_i.we && !taken,
    be:    req_i.be | {4{taken}},
    addr:  taken ? stress_addr_i : req_i.addr,
    wdata: req_i.wdata
  };
  assign rsp_o = '{
    exokay: bank_rsp_i.exokay,
    gnt:    !taken,
    rvalid: bank_rsp_i.rvalid && !taken_q,
    err:    bank_rsp_i.err,
    rdata:  bank_rsp_i.rdata
  };

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(bank_req_o.req && !bank_rsp_i.gnt));
`endif

endmodule
