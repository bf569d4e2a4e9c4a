// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A peer with a flip-flop at every pin, as core_pins is for this project's core. `PEER names the module.
module peer_pins (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic serial_i,
  output logic serial_o
);

  typedef struct packed {
    obi_pkg::obi_rsp_t instr;
    obi_pkg::obi_rsp_t data;
    logic [14:0]       irq;
  } inputs_t;
  typedef struct packed {
    obi_pkg::obi_req_t instr;
    obi_pkg::obi_req_t data;
  } outputs_t;

  inputs_t  core_in;
  outputs_t core_out;
  logic     rst_n;

  pin_registers #(
    .NumInputs ($bits(inputs_t)),
    .NumOutputs($bits(outputs_t))
  ) u_pins (
    .clk_i,
    .rst_ni,
    .serial_i,
    .serial_o,
    .rst_no   (rst_n),
    .inputs_o (core_in),
    .outputs_i(core_out)
  );

  `PEER u_core (
    .clk_i,
    .rst_ni     (rst_n),
    .instr_req_o(core_out.instr),
    .instr_rsp_i(core_in.instr),
    .data_req_o (core_out.data),
    .data_rsp_i (core_in.data),
    .irq_i      (core_in.irq)
  );

endmodule
