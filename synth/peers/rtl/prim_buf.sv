// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// What Ibex calls a buffer that a tool must not remove: here a wire, since nothing is hardened.
module prim_buf #(
  parameter int Width = 1
) (
  input  logic [Width-1:0] in_i,
  output logic [Width-1:0] out_o
);

  assign out_o = in_i;

endmodule
