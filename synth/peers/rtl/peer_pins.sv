// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A peer with a flip-flop at every pin, as core_pins does it for this project's core. `PEER names the module.
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

  inputs_t  shift_in_q, in_q;
  outputs_t core_out, out_q, shift_out_q;
  logic     rst_nq;

  always_ff @(posedge clk_i) begin
    rst_nq      <= rst_ni;
    shift_in_q  <= {shift_in_q[$bits(inputs_t)-2:0], serial_i};
    in_q        <= shift_in_q;
    out_q       <= core_out;
    shift_out_q <= serial_i ? out_q : shift_out_q << 1;
    serial_o    <= shift_out_q[$bits(outputs_t)-1];
  end

  `PEER u_core (
    .clk_i,
    .rst_ni     (rst_nq),
    .instr_req_o(core_out.instr),
    .instr_rsp_i(in_q.instr),
    .data_req_o (core_out.data),
    .data_rsp_i (in_q.data),
    .irq_i      (in_q.irq)
  );

endmodule
