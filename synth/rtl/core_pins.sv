// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The core with a flip-flop at every pin, for place and route.
module core_pins #(
  parameter core_cfg_pkg::core_cfg_t Cfg = core_cfg_pkg::core_cfg(.Rvfi(1'b0))
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic serial_i,
  output logic serial_o
);

  typedef struct packed {
    obi_pkg::obi_rsp_t       instr;
    obi_pkg::obi_rsp_t       data;
    obi_pkg::obi_rsp_t       frame;
    irq_pkg::clint_pending_t pending;
    irq_pkg::clic_offer_t    offer;
  } inputs_t;
  typedef struct packed {
    obi_pkg::obi_req_t    instr;
    obi_pkg::obi_req_t    data;
    obi_pkg::obi_req_t    frame;
    irq_pkg::clic_claim_t claim;
    logic                 sleep;
  } outputs_t;

  inputs_t  core_in;
  outputs_t core_out;
  logic     rst_n;

  // The pins of a debug module and of a trigger's signal are there only with debug mode, so that a core without it has no
  // flip-flop for them.
  localparam int unsigned NumInputs = $bits(inputs_t) + (Cfg.Debug ? 2 : 0);
  logic [NumInputs-1:0] pins;
  assign core_in = pins[$bits(inputs_t)-1:0];

  pin_registers #(
    .NumInputs (NumInputs),
    .NumOutputs($bits(outputs_t))
  ) u_pins (
    .clk_i,
    .rst_ni,
    .serial_i,
    .serial_o,
    .rst_no   (rst_n),
    .inputs_o (pins),
    .outputs_i(core_out)
  );

  trapeze_core #(
    .Cfg(Cfg)
  ) u_core (
    .clk_i,
    .rst_ni       (rst_n),
    .instr_req_o  (core_out.instr),
    .instr_rsp_i  (core_in.instr),
    .data_req_o   (core_out.data),
    .data_rsp_i   (core_in.data),
    .frame_req_o  (core_out.frame),
    .frame_rsp_i  (core_in.frame),
    .irq_pending_i(core_in.pending),
    .irq_offer_i  (core_in.offer),
    .irq_claim_o  (core_out.claim),
    .post_clic_o  (),
    .post_o       (),
    .post_i       ('0),
    .sleep_o      (core_out.sleep),
    .rvfi_o       (),
    .irq_event_o  (),
    .observe_o    (),
    .inspect_i    ('0),
    .debug_req_i  (Cfg.Debug && pins[NumInputs-1]),
    .trigger_i    (Cfg.Debug && pins[NumInputs-2]),
    .debug_stop_time_o()
  );

endmodule
