// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_clic with plain ports.
module tb_clic #(
  parameter int unsigned NumSources   = 8,
  parameter int unsigned CtlBits      = 8,
  parameter bit          UserIrq      = 0,
  parameter bit          TreePipeline = 0
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  obi_pkg::obi_req_t     req_i,
  output obi_pkg::obi_rsp_t     rsp_o,
  input  logic [NumSources-1:0] irq_i,
  output logic                  offer_valid_o,
  output logic [11:0]           offer_id_o,
  output logic [7:0]            offer_level_o,
  output logic                  offer_shv_o,
  output logic [1:0]            offer_prv_o,
  input  logic                  claim_valid_i,
  input  logic                  claim_clear_i
);

  irq_pkg::clic_offer_t offer;
  irq_pkg::clic_claim_t claim;

  assign {offer_valid_o, offer_id_o, offer_level_o, offer_shv_o, offer_prv_o} = offer;
  assign claim = '{valid: claim_valid_i, clear: claim_clear_i};

  tz_clic #(
    .NumSources  (NumSources),
    .CtlBits     (CtlBits),
    .UserIrq     (UserIrq),
    .TreePipeline(TreePipeline)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_o,
    .irq_i,
    .pulse_i('0),
    .offer_o(offer),
    .claim_i(claim)
  );

  tz_obi_check #(
    .NextCycle(1)
  ) u_check (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_i(rsp_o)
  );

endmodule
