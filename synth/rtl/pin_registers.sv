// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A flip-flop at every pin of a design, for place and route: the design's own paths decide the frequency, not those to
// and from pads, of which no package has enough. Inputs come from a shift register, outputs go into one.
module pin_registers #(
  parameter int unsigned NumInputs  = 1,   // of the design
  parameter int unsigned NumOutputs = 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  serial_i,
  output logic                  serial_o,

  output logic                  rst_no,    // to the design
  output logic [NumInputs-1:0]  inputs_o,
  input  logic [NumOutputs-1:0] outputs_i  // from it
);

  logic [NumInputs-1:0]  shift_in_q;
  logic [NumOutputs-1:0] out_q, shift_out_q;

  always_ff @(posedge clk_i) begin
    rst_no      <= rst_ni;
    shift_in_q  <= {shift_in_q[NumInputs-2:0], serial_i};
    inputs_o    <= shift_in_q;
    out_q       <= outputs_i;
    shift_out_q <= serial_i ? out_q : shift_out_q << 1;
    serial_o    <= shift_out_q[NumOutputs-1];
  end

endmodule
