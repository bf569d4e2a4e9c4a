// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top: the measurement of T1 and T2 as a system has it. The timer's interrupt starts the generator; probe 0 measures
// from there to data ready (T1), probe 1 from data ready to the read of the last word (T2).
//
//   0x0000 samples 0   0x1000 registers 0   0x2000 samples 1   0x3000 registers 1   0x4000 generator   0x5000 timer
module tb_chain #(
  parameter int unsigned Words  = 16,
  parameter int unsigned Cycles = 32
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  obi_pkg::obi_req_t req_i,
  output obi_pkg::obi_rsp_t rsp_o,
  output logic [2:0]        timer_irq_o,
  output logic              data_irq_o,
  output logic              read_done_o
);

  localparam int unsigned Ports = 6;

  axil_pkg::axil_req_t             mgr_req;
  axil_pkg::axil_rsp_t             mgr_rsp;
  axil_pkg::axil_req_t [Ports-1:0] sub_req;
  axil_pkg::axil_rsp_t [Ports-1:0] sub_rsp;

  tz_obi_axil u_bridge (
    .clk_i,
    .rst_ni,
    .obi_req_i (req_i),
    .obi_rsp_o (rsp_o),
    .axil_req_o(mgr_req),
    .axil_rsp_i(mgr_rsp)
  );

  tz_axil_demux #(
    .NumSubordinates(Ports),
    .Base           ({32'h5000, 32'h4000, 32'h3000, 32'h2000, 32'h1000, 32'h0000}),
    .Mask           ({Ports{32'hffff_f000}})
  ) u_demux (
    .clk_i,
    .rst_ni,
    .mgr_req_i(mgr_req),
    .mgr_rsp_o(mgr_rsp),
    .sub_req_o(sub_req),
    .sub_rsp_i(sub_rsp)
  );

  logic [1:0] unused_break;
  for (genvar p = 0; p < 2; p++) begin : gen_probe
    tz_latency_probe u_probe (
      .clk_i,
      .rst_ni,
      .irq_i    (p == 0 ? timer_irq_o[0] : data_irq_o),
      .ack_i    (p == 0 ? data_irq_o : read_done_o),
      .s00_req_i(sub_req[2*p]),
      .s00_rsp_o(sub_rsp[2*p]),
      .s01_req_i(sub_req[2*p+1]),
      .s01_rsp_o(sub_rsp[2*p+1]),
      .break_o  (unused_break[p])
    );
  end

  tz_random_generator #(
    .Words (Words),
    .Cycles(Cycles)
  ) u_generator (
    .clk_i,
    .rst_ni,
    .irq_i      (timer_irq_o[0]),
    .irq_o      (data_irq_o),
    .read_done_o,
    .active_o   (),
    .req_i      (sub_req[4]),
    .rsp_o      (sub_rsp[4])
  );

  tz_triple_timer u_timer (
    .clk_i,
    .rst_ni,
    .irq_o   (timer_irq_o),
    .active_o(),
    .req_i   (sub_req[5]),
    .rsp_o   (sub_rsp[5])
  );

  tz_obi_check #(
    .NextCycle(1)
  ) u_obi (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_i(rsp_o)
  );

endmodule
