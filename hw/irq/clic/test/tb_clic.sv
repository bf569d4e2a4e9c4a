// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_clic with plain ports.
module tb_clic #(
  parameter int unsigned NumSources   = 8,
  parameter int unsigned CtlBits      = 8,
  parameter bit          TreePipeline = 0
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  obi_req_i,
  input  logic                  obi_we_i,
  input  logic [3:0]            obi_be_i,
  input  logic [31:0]           obi_addr_i,
  input  logic [31:0]           obi_wdata_i,
  output logic                  obi_gnt_o,
  output logic                  obi_rvalid_o,
  output logic                  obi_err_o,
  output logic [31:0]           obi_rdata_o,
  input  logic [NumSources-1:0] irq_i,
  output logic                  offer_valid_o,
  output logic [11:0]           offer_id_o,
  output logic [7:0]            offer_level_o,
  output logic                  offer_shv_o,
  input  logic                  claim_valid_i,
  input  logic                  claim_clear_i
);

  obi_pkg::obi_req_t    req;
  obi_pkg::obi_rsp_t    rsp;
  irq_pkg::clic_offer_t offer;
  irq_pkg::clic_claim_t claim;

  assign req = obi_pkg::machine_access(obi_req_i, obi_we_i, obi_be_i, obi_addr_i, obi_wdata_i);
  assign {obi_gnt_o, obi_rvalid_o, obi_err_o, obi_rdata_o} = 35'(rsp);  // exokay is not looked at
  assign {offer_valid_o, offer_id_o, offer_level_o, offer_shv_o} = {offer.valid, offer.id, offer.level, offer.shv};
  assign claim = '{valid: claim_valid_i, clear: claim_clear_i};

  tz_clic #(
    .NumSources  (NumSources),
    .CtlBits     (CtlBits),
    .TreePipeline(TreePipeline)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i  (req),
    .rsp_o  (rsp),
    .irq_i,
    .offer_o(offer),
    .claim_i(claim)
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
