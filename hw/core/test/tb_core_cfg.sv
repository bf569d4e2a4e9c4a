// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top: the core, with the fields of its configuration that the macro CORE_FIELDS sets, for example `.ExtM(0),
// .HartId(7)`.
module tb_core_cfg (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  output obi_pkg::obi_req_t       instr_req_o,
  input  obi_pkg::obi_rsp_t       instr_rsp_i,
  output obi_pkg::obi_req_t       data_req_o,
  input  obi_pkg::obi_rsp_t       data_rsp_i,
  output obi_pkg::obi_req_t       frame_req_o,
  input  obi_pkg::obi_rsp_t       frame_rsp_i,
  input  irq_pkg::clint_pending_t irq_pending_i,
  input  irq_pkg::clic_offer_t    irq_offer_i,
  output irq_pkg::clic_claim_t    irq_claim_o,
  output uintr_pkg::to_clic_t     post_clic_o,
  output uintr_pkg::to_others_t   post_o,
  input  uintr_pkg::from_others_t post_i,
  output logic                    sleep_o,
  input  logic                    debug_req_i,
  input  logic                    trigger_i,
  output logic                    debug_stop_time_o,
  output rvfi_pkg::rvfi_t         rvfi_o,
  output rvfi_pkg::irq_event_t    irq_event_o,
  output observe_pkg::observe_t   observe_o,
  input  observe_pkg::inspect_t   inspect_i
);

  trapeze_core #(
    .Cfg(core_cfg_pkg::core_cfg(`CORE_FIELDS))
  ) u_core (
    .*
  );

endmodule
