// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The latency measurement as a device of the SoC: two probes, the random data generator, the triple timer, and the stress
// generator, behind a bridge to AXI4-Lite. After "Interrupt Latency Accurate Measurement in Multiprocessing Embedded
// Systems by Means of a Dedicated Circuit" (Alonso et al., Electronics 2024, 13(9), 1626), Figure 7.
//
//   timer 0 ──► generator ──► data ready, to the core ──► its reads ──► read done
//           └──── probe 0: T1 ────┘└─────────── probe 1: T2 ───────────────┘
//
// Bus: a read takes four cycles, a write as long; one access at a time. Only whole words: everything else, and an address
// at which there is nothing, is an error. Addresses: regs/soc.rdl.
module tz_latency_bench
  import trapeze_map_pkg::*;
#(
  parameter int unsigned ProbeWidth         = 16,   // probes: bits of a latency
  parameter int unsigned ProbeDepth         = 512,  // probes: samples, a power of two, to 512
  parameter int unsigned ProbeHistogramBins = 0,    // probes: bins of the histogram
  parameter bit          ProbeMoments       = 0,    // probes: sum and sum of squares
  parameter int unsigned RandomWords        = 16,   // generator: words of a block
  parameter int unsigned RandomCycles       = 32    // generator: from the timer's interrupt to data ready
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  obi_pkg::obi_req_t req_i,
  output obi_pkg::obi_rsp_t rsp_o,

  output obi_pkg::obi_req_t stress_req_o,  // manager of the stress generator, reaches memories only
  input  obi_pkg::obi_rsp_t stress_rsp_i,

  output logic              irq_o,         // data ready; level
  output logic [2:0]        event_o        // {read done, data ready, timer 0}: what the probes see
);

  if (4 * ProbeDepth > ProbeSamples0Size) begin : gen_bad_depth
    $error("tz_latency_bench: ProbeDepth must be at most 512, which the memory map has room for");
  end

  localparam int unsigned NumPorts = 7;
  localparam int unsigned PortSamples0 = 0;
  localparam int unsigned PortRegs0 = 1;
  localparam int unsigned PortSamples1 = 2;
  localparam int unsigned PortRegs1 = 3;
  localparam int unsigned PortRandom = 4;
  localparam int unsigned PortTimer = 5;
  localparam int unsigned PortStress = 6;

  localparam int unsigned NumBanks = 3;

  obi_pkg::obi_req_t                  bridge_req;
  obi_pkg::obi_rsp_t                  bridge_rsp;
  axil_pkg::axil_req_t                mgr_req;
  axil_pkg::axil_rsp_t                mgr_rsp;
  axil_pkg::axil_req_t [NumPorts-1:0] sub_req;
  axil_pkg::axil_rsp_t [NumPorts-1:0] sub_rsp;

  // ------------------------------------------------------------------ bus
  // The blocks do not look at write strobes, so no part of a word may get as far as them. As everywhere in this module the
  // grant comes from flip-flops and never, within a cycle, from the request.
  logic narrow, refuse_q, refused_q;
  assign narrow = req_i.be != 4'b1111;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      refuse_q  <= 1'b0;
      refused_q <= 1'b0;
    end else begin
      refuse_q  <= req_i.req && narrow && !refuse_q;
      refused_q <= refuse_q;
    end
  end

  always_comb begin
    bridge_req     = req_i;
    bridge_req.req = req_i.req && !narrow;
    rsp_o          = bridge_rsp;
    rsp_o.gnt      = refuse_q || bridge_rsp.gnt;
    rsp_o.rvalid   = refused_q || bridge_rsp.rvalid;
    rsp_o.err      = refused_q || bridge_rsp.err;
  end

  tz_obi_axil u_bridge (
    .clk_i,
    .rst_ni,
    .obi_req_i (bridge_req),
    .obi_rsp_o (bridge_rsp),
    .axil_req_o(mgr_req),
    .axil_rsp_i(mgr_rsp)
  );

  tz_axil_demux #(
    .NumSubordinates(NumPorts),
    .Base({
      ProbeStressBase, ProbeTimerBase, ProbeRandomBase, ProbeRegs1Base, ProbeSamples1Base, ProbeRegs0Base,
      ProbeSamples0Base
    }),
    .Mask({
      -32'(ProbeStressSize), -32'(ProbeTimerSize), -32'(ProbeRandomSize), -32'(ProbeRegs1Size),
      -32'(ProbeSamples1Size), -32'(ProbeRegs0Size), -32'(ProbeSamples0Size)
    })
  ) u_demux (
    .clk_i,
    .rst_ni,
    .mgr_req_i(mgr_req),
    .mgr_rsp_o(mgr_rsp),
    .sub_req_o(sub_req),
    .sub_rsp_i(sub_rsp)
  );

  // ------------------------------------------------------------------ the measurement
  logic [2:0] timer_irq;
  logic       data_ready, read_done;
  logic [1:0] unused_break;

  tz_latency_probe #(
    .Width        (ProbeWidth),
    .Depth        (ProbeDepth),
    .HistogramBins(ProbeHistogramBins),
    .Moments      (ProbeMoments)
  ) u_probe0 (
    .clk_i,
    .rst_ni,
    .irq_i    (timer_irq[0]),
    .ack_i    (data_ready),
    .s00_req_i(sub_req[PortSamples0]),
    .s00_rsp_o(sub_rsp[PortSamples0]),
    .s01_req_i(sub_req[PortRegs0]),
    .s01_rsp_o(sub_rsp[PortRegs0]),
    .break_o  (unused_break[0])
  );

  tz_latency_probe #(
    .Width        (ProbeWidth),
    .Depth        (ProbeDepth),
    .HistogramBins(ProbeHistogramBins),
    .Moments      (ProbeMoments)
  ) u_probe1 (
    .clk_i,
    .rst_ni,
    .irq_i    (data_ready),
    .ack_i    (read_done),
    .s00_req_i(sub_req[PortSamples1]),
    .s00_rsp_o(sub_rsp[PortSamples1]),
    .s01_req_i(sub_req[PortRegs1]),
    .s01_rsp_o(sub_rsp[PortRegs1]),
    .break_o  (unused_break[1])
  );

  tz_random_generator #(
    .Words (RandomWords),
    .Cycles(RandomCycles)
  ) u_random (
    .clk_i,
    .rst_ni,
    .irq_i      (timer_irq[0]),
    .irq_o      (data_ready),
    .read_done_o(read_done),
    .req_i      (sub_req[PortRandom]),
    .rsp_o      (sub_rsp[PortRandom])
  );

  tz_triple_timer u_timer (
    .clk_i,
    .rst_ni,
    .irq_o(timer_irq),
    .req_i(sub_req[PortTimer]),
    .rsp_o(sub_rsp[PortTimer])
  );

  tz_stress_generator #(
    .NumBanks(NumBanks),
    .Base    ({SmemBase, DmemBase, ImemBase}),
    .Size    ({32'(SmemSize), 32'(DmemSize), 32'(ImemSize)})
  ) u_stress (
    .clk_i,
    .rst_ni,
    .axil_req_i(sub_req[PortStress]),
    .axil_rsp_o(sub_rsp[PortStress]),
    .obi_req_o (stress_req_o),
    .obi_rsp_i (stress_rsp_i)
  );

  assign irq_o   = data_ready;
  assign event_o = {read_done, data_ready, timer_irq[0]};

  logic unused;
  assign unused = ^timer_irq[2:1];

endmodule
