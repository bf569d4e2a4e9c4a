// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The latency measurement as a device of the SoC: two probes, the random data generator, the triple timer, and the
// stress generator, behind a bridge to AXI4-Lite. After "Interrupt Latency Accurate Measurement in Multiprocessing
// Embedded Systems by Means of a Dedicated Circuit" (Alonso et al., Electronics 2024, 13(9), 1626), Figure 7.
//
//   timer 0 ──► generator ──► data ready, to the core ──► its reads ──► read done
//           └──── probe 0: T1 ────┘└─────────── probe 1: T2 ───────────────┘
//
// Bus: a read or a write takes five cycles; one access at a time. Only whole words may be accessed: an access to a part
// of a word, or to an address without a register, is answered with an error. The addresses in the
// region, which moves as a whole, are those of regs/maps.
//
// Clock: while `active_o` is low no flip-flop of this module changes at the end of the cycle. So a simulator may leave
// out that clock edge. All inputs go into flip-flops only, with one exception: `active_o` depends on the request of its
// own cycle.
module tz_latency_bench
  import trapeze_map_pkg::*;
#(
  parameter int unsigned ProbeWidth         = 16,   // probes: bits of a latency
  parameter int unsigned ProbeDepth         = 512,  // probes: samples, a power of two, to 512
  parameter int unsigned ProbeHistogramBins = 0,    // probes: bins of the histogram
  parameter bit          ProbeMoments       = 0,    // probes: sum and sum of squares
  parameter bit          ProbeBreak         = 0,    // probes: break_o
  parameter int unsigned RandomWords        = 16,   // generator: words of a block
  parameter int unsigned RandomCycles       = 32,   // generator: from the timer's interrupt to data ready
  parameter soc_cfg_pkg::tile_map_t Map = soc_cfg_pkg::MapDefault  // where the region and the memory banks are
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  obi_pkg::obi_req_t req_i,
  output obi_pkg::obi_rsp_t rsp_o,

  output logic              stress_req_o,  // the stress generator reads a memory bank, which grants it at once
  output logic [31:0]       stress_addr_o,

  output logic              irq_o,         // data ready; level
  output logic              break_o,       // pulse: a probe's alarm, or a new maximum, as its control register asks
  output logic [2:0]        event_o,       // {read done, data ready, timer 0}: what the probes see
  output logic              active_o       // flip-flops may change at the end of this cycle; see "Clock" above
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

  // From the map that regs/maps describes to the region's place in this one.
  localparam logic [31:0] Moved = Map.Shared[soc_cfg_pkg::SharedProbe].Base - ProbeBase;

  obi_pkg::obi_req_t                  bridge_req;
  obi_pkg::obi_rsp_t                  bridge_rsp;
  axil_pkg::axil_req_t                mgr_req;
  axil_pkg::axil_rsp_t                mgr_rsp;
  axil_pkg::axil_req_t [NumPorts-1:0] sub_req;
  axil_pkg::axil_rsp_t [NumPorts-1:0] sub_rsp;

  // ------------------------------------------------------------------ bus
  // req_q: the request, one cycle late, until its grant. The blocks ignore write strobes. So an access to a part of a
  // word is refused here.
  obi_pkg::obi_req_t req_q;
  logic              refuse, refused_q;
  assign refuse = req_q.req && req_q.be != 4'b1111;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      req_q     <= '0;
      refused_q <= 1'b0;
    end else begin
      if (req_i.req) req_q <= req_i;
      if (!req_i.req || rsp_o.gnt) req_q.req <= 1'b0;
      refused_q <= refuse;
    end
  end

  always_comb begin
    bridge_req     = req_q;
    bridge_req.req = req_q.req && !refuse;
    rsp_o          = bridge_rsp;
    rsp_o.gnt      = refuse || bridge_rsp.gnt;
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
      Moved + ProbeStressBase, Moved + ProbeTimerBase, Moved + ProbeRandomBase, Moved + ProbeRegs1Base,
      Moved + ProbeSamples1Base, Moved + ProbeRegs0Base, Moved + ProbeSamples0Base
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
  logic [1:0] breaks;
  assign break_o = breaks != '0;
  logic       random_active, timer_active, stress_active;

  tz_latency_probe #(
    .Width        (ProbeWidth),
    .Depth        (ProbeDepth),
    .HistogramBins(ProbeHistogramBins),
    .Moments      (ProbeMoments),
    .Break        (ProbeBreak)
  ) u_probe0 (
    .clk_i,
    .rst_ni,
    .irq_i    (timer_irq[0]),
    .ack_i    (data_ready),
    .s00_req_i(sub_req[PortSamples0]),
    .s00_rsp_o(sub_rsp[PortSamples0]),
    .s01_req_i(sub_req[PortRegs0]),
    .s01_rsp_o(sub_rsp[PortRegs0]),
    .break_o  (breaks[0])
  );

  tz_latency_probe #(
    .Width        (ProbeWidth),
    .Depth        (ProbeDepth),
    .HistogramBins(ProbeHistogramBins),
    .Moments      (ProbeMoments),
    .Break        (ProbeBreak)
  ) u_probe1 (
    .clk_i,
    .rst_ni,
    .irq_i    (data_ready),
    .ack_i    (read_done),
    .s00_req_i(sub_req[PortSamples1]),
    .s00_rsp_o(sub_rsp[PortSamples1]),
    .s01_req_i(sub_req[PortRegs1]),
    .s01_rsp_o(sub_rsp[PortRegs1]),
    .break_o  (breaks[1])
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
    .active_o   (random_active),
    .req_i      (sub_req[PortRandom]),
    .rsp_o      (sub_rsp[PortRandom])
  );

  tz_triple_timer u_timer (
    .clk_i,
    .rst_ni,
    .irq_o   (timer_irq),
    .active_o(timer_active),
    .req_i   (sub_req[PortTimer]),
    .rsp_o   (sub_rsp[PortTimer])
  );

  tz_stress_generator #(
    .NumBanks(NumBanks),
    .Base    ({Map.Smem.Base, Map.Dmem.Base, Map.Imem.Base}),
    .Size    ({Map.Smem.Size, Map.Dmem.Size, Map.Imem.Size})
  ) u_stress (
    .clk_i,
    .rst_ni,
    .axil_req_i(sub_req[PortStress]),
    .axil_rsp_o(sub_rsp[PortStress]),
    .req_o     (stress_req_o),
    .addr_o    (stress_addr_o),
    .active_o  (stress_active)
  );

  assign irq_o   = data_ready;
  assign event_o = {read_done, data_ready, timer_irq[0]};

  // ------------------------------------------------------------------ clock
  // When the module is active: while one of its blocks works; from a rise of a probe's irq to a rise of its ack
  // (open_q; also if the probe is off); and for 15 cycles after that, more than a probe needs to record and an access
  // to be answered. With options of the probes, which have work of their own, always.
  localparam bit Options = (ProbeHistogramBins != 0) || ProbeMoments;
  logic [1:0] begins, begins_q, ends, ends_q, open_q;
  logic       busy;
  logic [3:0] settle_q;
  assign begins   = {data_ready, timer_irq[0]};
  assign ends     = {read_done, data_ready};
  assign busy     = Options || random_active || timer_active || stress_active || |open_q;
  assign active_o = req_i.req || busy || (settle_q != '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begins_q <= '0;
      ends_q   <= '0;
      open_q   <= '0;
      settle_q <= '0;
    end else begin
      begins_q <= begins;
      ends_q   <= ends;
      open_q   <= (open_q & ~(ends & ~ends_q)) | (begins & ~begins_q);
      settle_q <= (req_i.req || busy) ? 4'd15 : (settle_q != '0) ? settle_q - 4'd1 : '0;
    end
  end

  logic unused;
  assign unused = ^timer_irq[2:1];

endmodule
