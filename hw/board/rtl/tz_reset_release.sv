// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Reset from a level that is not of this clock: begins at once with `ready_i` low, without a clock, and ends with an edge
// of the clock, `Cycles` cycles after `ready_i` is high for good.
module tz_reset_release #(
  parameter int unsigned Cycles = 16  // at least 3
) (
  input  logic clk_i,
  input  logic ready_i,
  output logic rst_no
);

  logic [Cycles-2:0] ready_q;

  // The reset is a flip-flop of its own, and nothing but a reset.
  always_ff @(posedge clk_i or negedge ready_i) begin
    if (!ready_i) begin
      ready_q <= '0;
      rst_no  <= 1'b0;
    end else begin
      ready_q <= {ready_q[Cycles-3:0], 1'b1};
      rst_no  <= ready_q[Cycles-2];
    end
  end

endmodule
