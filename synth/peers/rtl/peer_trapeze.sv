// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// This project's core behind the pins that the peers have: CLINT scheme, the lines registered once as in the CLINT.
module peer_trapeze #(
  parameter logic [31:0] BootAddr = 32'h8000_0000  // the first instruction
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  output obi_pkg::obi_req_t  instr_req_o,
  input  obi_pkg::obi_rsp_t  instr_rsp_i,
  output obi_pkg::obi_req_t  data_req_o,
  input  obi_pkg::obi_rsp_t  data_rsp_i,
  input  logic [14:0]        irq_i           // interrupts 16 to 30
);

  logic [14:0]             irq_q;
  irq_pkg::clint_pending_t pending;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) irq_q <= '0;
    else irq_q <= irq_i;
  end
  assign pending = '{platform: {1'b0, irq_q}, default: '0};

  trapeze_core #(
    .Cfg(core_cfg_pkg::core_cfg(.ResetVector(BootAddr), .Rvfi(1'b0)))
  ) u_core (
    .clk_i,
    .rst_ni,
    .instr_req_o,
    .instr_rsp_i,
    .data_req_o,
    .data_rsp_i,
    .frame_req_o  (),
    .frame_rsp_i  ('0),
    .irq_pending_i(pending),
    .irq_offer_i  ('0),
    .irq_claim_o  (),
    .post_clic_o  (),
    .post_o       (),
    .post_i       ('0),
    .sleep_o      (),
    .rvfi_o       (),
    .irq_event_o  (),
    .observe_o    (),
    .inspect_i    ('0),
    .debug_req_i  (1'b0),
    .trigger_i    (1'b0),
    .debug_stop_time_o()
  );

endmodule
