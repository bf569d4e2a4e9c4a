// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_clint with plain ports.
module tb_clint #(
  parameter int unsigned NumHarts = 1,
  parameter int unsigned MtimePrescale = 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  obi_pkg::obi_req_t      req_i,
  output obi_pkg::obi_rsp_t      rsp_o,
  input  logic [NumHarts*16-1:0] irq_i,  // hart 0 lowest, and so on
  input  logic                   irq_ext_i,
  output logic [NumHarts*16-1:0] platform_o,
  output logic [NumHarts-1:0]    external_o,
  output logic [NumHarts-1:0]    timer_o,
  output logic [NumHarts-1:0]    software_o,
  output logic [NumHarts-1:0]    timer_ahead_o
);

  irq_pkg::clint_pending_t [NumHarts-1:0] pending;

  for (genvar h = 0; h < int'(NumHarts); h++) begin : gen_hart
    assign {platform_o[16*h+:16], external_o[h], timer_o[h], software_o[h]} = pending[h];
  end

  tz_clint #(
    .NumHarts     (NumHarts),
    .MtimePrescale(MtimePrescale)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_o,
    .irq_i,
    .irq_ext_i,
    .pending_o(pending),
    .timer_ahead_o
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
