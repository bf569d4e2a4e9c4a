// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The SoC: one core, three memory banks, CLINT, CLIC, UART, host port and latency measurement on a bus matrix. Memory map:
// regs/maps.
//
// Interrupts: in the CLINT scheme there is no CLIC, its addresses are access faults, and there are 16 platform lines.
// In the CLIC scheme its sources 3 and 7 are the CLINT's software and timer interrupt, 11 is the UART, and platform line
// n is source IrqLineBase + n; the others are tied low. The data of the latency measurement share a platform line with
// irq_i: line 15, or the last one of fewer.
module trapeze_soc
  import trapeze_map_pkg::*;
#(
  parameter core_cfg_pkg::core_cfg_t Core = core_cfg_pkg::CoreDefault,
  parameter int unsigned IrqLineBase   = 16,        // CLIC: source of platform line 0, at least 12
  parameter int unsigned NumIrqLines   = (Core.IrqScheme == irq_pkg::IrqClic)
                                           ? Core.NumIrqSources - IrqLineBase : irq_pkg::NumPlatformLines,
  parameter bit          IrqSync       = 0,         // two flip-flops for each platform line, two cycles later
  parameter bit          FastSharedPort = 0,        // fastirq: no bus port of its own
  parameter int unsigned ClicCtlBits   = 8,         // CLIC: bits of level and priority, 2 to 8
  parameter bit          ClicPipeline  = 0,         // CLIC: register stage inside the tree, one cycle later
  parameter int unsigned MtimePrescale = 1,         // CLINT: clock cycles for one count of mtime
  parameter bit          WaitStates    = 0,         // random wait states between core and bus, for tests
  parameter int unsigned ProbeWidth    = 16,        // latency probes: bits of a latency
  parameter int unsigned ProbeDepth    = 512,       // latency probes: samples, a power of two, to 512
  parameter int unsigned ProbeHistogramBins = 0,    // latency probes: bins of the histogram
  parameter bit          ProbeMoments  = 0,         // latency probes: sum and sum of squares
  parameter int unsigned RandomWords   = 16,        // random data generator: words of a block
  parameter int unsigned RandomCycles  = 32         // random data generator: clocks from the timer to data ready
) (
  input  logic                  clk_i,
  input  logic                  clk_bench_i,  // clk_i again; may stand at the end of cycles with bench_active_o low
  input  logic                  rst_ni,   // asynchronous, active low

  // Platform lines; CLINT: level, active high; CLIC: as configured. Synchronous to clk_i, with IrqSync to nothing.
  input  logic [NumIrqLines-1:0] irq_i,

  output logic                  uart_tx_valid_o,  // bytes to the host; one moves in a cycle with valid and ready
  output logic [7:0]            uart_tx_data_o,
  input  logic                  uart_tx_ready_i,
  input  logic                  uart_rx_valid_i,  // bytes from the host
  input  logic [7:0]            uart_rx_data_i,
  output logic                  uart_rx_ready_o,

  output logic [2:0]            probe_event_o, // latency measurement: {read done, data ready, timer 0}
  output logic                  bench_active_o, // latency measurement: has something to do

  output logic                  exit_valid_o,  // the program has ended; stays on
  output logic [31:0]           exit_code_o,

  input  logic [7:0]            wait_instr_i,  // with WaitStates: chance / 256 of a stall in each cycle, fetch port
  input  logic [7:0]            wait_data_i,   // the same, data port and frame port
  input  logic [31:0]           wait_seed_i,   // start of the random streams, sampled in the first cycle after reset

  output rvfi_pkg::rvfi_t       rvfi_o,
  output rvfi_pkg::irq_event_t  irq_event_o,
  output logic                  sleep_o        // the core waits in WFI
);

  localparam bit          Clic = (Core.IrqScheme == irq_pkg::IrqClic);
  localparam int unsigned NumIrqSources = Core.NumIrqSources;

  if (Clic && (NumIrqLines < 1 || IrqLineBase <= int'(isa_pkg::IrqExternal) ||
               NumIrqSources < IrqLineBase + NumIrqLines)) begin : gen_bad_sources
    $error("trapeze_soc: NumIrqSources must be at least IrqLineBase + NumIrqLines, IrqLineBase at least 12");
  end

  // Managers in order of priority. Frames come last: a fetch, above all that of a handler, does not wait for them.
  localparam bit Fast = (Core.Saver != core_cfg_pkg::SaverNone);
  localparam int unsigned NumManagers = (Fast && !FastSharedPort) ? 3 : 2;
  localparam int unsigned MgrData = 0;
  localparam int unsigned MgrInstr = 1;
  localparam int unsigned MgrFrame = 2;
  localparam logic [NumManagers-1:0] MemoryOnly = ~(NumManagers'(1) << MgrData);
  // Where code and stacks share a bank, straight-line code fetches in every cycle. A word of a frame goes before a fetch
  // then, in every fourth cycle at most: so of the three that an interrupt may need in a row, one fetch that waits for
  // its grant, the table entry and the handler, one is kept back.
  localparam int unsigned FrameRefused = 3;

  // Data and stacks are in two banks each, interleaved by words, so that loads and stores and frames, both of which go from
  // word to word, meet once at most. Behind the regions, as the bus matrix sees them, come the odd words of these.
  localparam int unsigned NumTargets = NumRegions + 2;
  localparam int unsigned TargetDmemOdd = NumRegions;
  localparam int unsigned TargetSmemOdd = NumRegions + 1;
  function automatic int unsigned region_of(int unsigned target);
    return (target == TargetDmemOdd) ? RegionDmem : (target == TargetSmemOdd) ? RegionSmem : target;
  endfunction
  function automatic logic [NumTargets-1:0][31:0] target_bases();
    for (int unsigned t = 0; t < NumTargets; t++) begin
      target_bases[t] = RegionBase[region_of(t)] | ((t < NumRegions) ? 32'd0 : 32'd4);
    end
    // One that is not there gets a base that no masked address has.
    if (!Clic) target_bases[RegionClic] = 32'd1;
  endfunction
  function automatic logic [NumTargets-1:0][31:0] target_masks();
    for (int unsigned t = 0; t < NumTargets; t++) begin
      target_masks[t] = RegionMask[region_of(t)];
      if (region_of(t) == RegionDmem || region_of(t) == RegionSmem) target_masks[t][2] = 1'b1;
    end
  endfunction
  localparam logic [NumTargets-1:0][31:0] TargetMask = target_masks();
  function automatic logic [NumTargets-1:0] targets_memory();
    for (int unsigned t = 0; t < NumTargets; t++) targets_memory[t] = RegionIsMemory[region_of(t)];
  endfunction

  obi_pkg::obi_req_t [NumManagers-1:0] core_req, mgr_req;
  obi_pkg::obi_rsp_t [NumManagers-1:0] core_rsp, mgr_rsp;
  obi_pkg::obi_req_t [NumTargets-1:0]  sub_req;
  obi_pkg::obi_rsp_t [NumTargets-1:0]  sub_rsp;
  irq_pkg::clint_pending_t             irq_pending;
  logic                                unused_timer_ahead;
  irq_pkg::clic_offer_t                irq_offer;
  irq_pkg::clic_claim_t                irq_claim;
  logic                                uart_irq;
  obi_pkg::obi_req_t                   data_req, frame_req;
  obi_pkg::obi_rsp_t                   data_rsp, frame_rsp;

  // Number of the hart on the bus.
  localparam logic [3:0] Hart = Core.Hart;
  obi_pkg::obi_req_t                   instr_req, core_data_req, core_frame_req;
  assign core_req[MgrInstr] = obi_pkg::from_initiator(instr_req, Hart, obi_pkg::PortInstr);
  assign data_req           = obi_pkg::from_initiator(core_data_req, Hart, obi_pkg::PortData);
  assign frame_req          = obi_pkg::from_initiator(core_frame_req, Hart, obi_pkg::PortFrame);

  trapeze_core #(
    .Cfg(Core)
  ) u_core (
    .clk_i,
    .rst_ni,
    .instr_req_o  (instr_req),
    .instr_rsp_i  (core_rsp[MgrInstr]),
    .data_req_o   (core_data_req),
    .data_rsp_i   (data_rsp),
    .frame_req_o  (core_frame_req),
    .frame_rsp_i  (frame_rsp),
    .irq_pending_i(irq_pending),
    .irq_offer_i  (irq_offer),
    .irq_claim_o  (irq_claim),
    .sleep_o,
    .rvfi_o,
    .irq_event_o
  );

  if (Fast && FastSharedPort) begin : gen_shared_port
    obi_pkg::obi_req_t memory_req;
    obi_pkg::obi_rsp_t memory_rsp;
    tz_memory_only #(
      .NumRegions(NumRegions),
      .Base      (RegionBase),
      .Mask      (RegionMask),
      .IsMemory  (RegionIsMemory)
    ) u_frame (
      .clk_i,
      .rst_ni,
      .mgr_req_i(frame_req),
      .mgr_rsp_o(frame_rsp),
      .sub_req_o(memory_req),
      .sub_rsp_i(memory_rsp)
    );
    tz_obi_share u_share (
      .clk_i,
      .rst_ni,
      .first_req_i (data_req),
      .first_rsp_o (data_rsp),
      .second_req_i(memory_req),
      .second_rsp_o(memory_rsp),
      .req_o       (core_req[MgrData]),
      .rsp_i       (core_rsp[MgrData])
    );
  end else begin : gen_data_port
    assign core_req[MgrData] = data_req;
    assign data_rsp          = core_rsp[MgrData];
    if (Fast) begin : gen_frame_port
      assign core_req[MgrFrame] = frame_req;
      assign frame_rsp          = core_rsp[MgrFrame];
    end else begin : gen_no_frame_port
      assign frame_rsp = '0;
      logic unused;
      assign unused = ^frame_req;
    end
  end

  if (WaitStates) begin : gen_wait
    if (NumManagers > MgrFrame) begin : gen_wait_frame
      tz_obi_wait #(
        .Salt(32'h85eb_ca6b)
      ) u_frame (
        .clk_i,
        .rst_ni,
        .chance_i (wait_data_i),
        .seed_i   (wait_seed_i),
        .mgr_req_i(core_req[MgrFrame]),
        .mgr_rsp_o(core_rsp[MgrFrame]),
        .sub_req_o(mgr_req[MgrFrame]),
        .sub_rsp_i(mgr_rsp[MgrFrame])
      );
    end
    tz_obi_wait #(
      .Salt(32'h9e37_79b9)
    ) u_instr (
      .clk_i,
      .rst_ni,
      .chance_i (wait_instr_i),
      .seed_i   (wait_seed_i),
      .mgr_req_i(core_req[MgrInstr]),
      .mgr_rsp_o(core_rsp[MgrInstr]),
      .sub_req_o(mgr_req[MgrInstr]),
      .sub_rsp_i(mgr_rsp[MgrInstr])
    );
    tz_obi_wait #(
      .Salt(32'h7f4a_7c15)
    ) u_data (
      .clk_i,
      .rst_ni,
      .chance_i (wait_data_i),
      .seed_i   (wait_seed_i),
      .mgr_req_i(core_req[MgrData]),
      .mgr_rsp_o(core_rsp[MgrData]),
      .sub_req_o(mgr_req[MgrData]),
      .sub_rsp_i(mgr_rsp[MgrData])
    );
  end else begin : gen_no_wait
    logic unused;
    assign unused   = ^{wait_instr_i, wait_data_i, wait_seed_i};
    assign mgr_req  = core_req;
    assign core_rsp = mgr_rsp;
  end

  tz_xbar #(
    .NumManagers    (NumManagers),
    .NumSubordinates(NumTargets),
    .Base           (target_bases()),
    .Mask           (TargetMask),
    .IsMemory       (targets_memory()),
    .MemoryOnly     (MemoryOnly),
    .Atomics        (Core.ExtA),
    .MaxRefused     (FrameRefused)
  ) u_xbar (
    .clk_i,
    .rst_ni,
    .mgr_req_i(mgr_req),
    .mgr_rsp_o(mgr_rsp),
    .sub_req_o(sub_req),
    .sub_rsp_i(sub_rsp)
  );

  logic                               stress_req;
  logic [31:0]                        stress_addr;
  obi_pkg::obi_req_t [NumTargets-1:0] bank_req;
  obi_pkg::obi_rsp_t [NumTargets-1:0] bank_rsp;
  logic              [NumTargets-1:0] reserves;  // an LR or SC is made here

  // Atomic operations, where the core has them. An access of the stress generator takes a memory as a whole.
  for (genvar r = 0; r < int'(NumTargets); r++) begin : gen_bank
    if (RegionIsMemory[region_of(r)]) begin : gen_mux
      obi_pkg::obi_req_t plain_req;
      obi_pkg::obi_rsp_t plain_rsp;
      if (Core.ExtA) begin : gen_amo
        tz_amo #(
          .AddrMask(~TargetMask[r])
        ) u_amo (
          .clk_i,
          .rst_ni,
          .req_i      (sub_req[r]),
          .rsp_o      (sub_rsp[r]),
          .bank_req_o (plain_req),
          .bank_rsp_i (plain_rsp),
          .here_o     (reserves[r]),
          .elsewhere_i(|(reserves & ~(NumTargets'(1) << r)))
        );
      end else begin : gen_no_amo
        assign plain_req   = sub_req[r];
        assign sub_rsp[r]  = plain_rsp;
        assign reserves[r] = 1'b0;
        logic unused;
        assign unused = reserves[r];
      end
      tz_bank_mux #(
        .Base(RegionBase[region_of(r)]),
        .Mask(RegionMask[region_of(r)])
      ) u_mux (
        .clk_i,
        .rst_ni,
        .stress_req_i (stress_req),
        .stress_addr_i(stress_addr),
        .req_i        (plain_req),
        .rsp_o        (plain_rsp),
        .bank_req_o   (bank_req[r]),
        .bank_rsp_i   (bank_rsp[r])
      );
    end else begin : gen_none
      assign bank_req[r] = '0;
      assign bank_rsp[r] = '0;
      assign reserves[r] = 1'b0;
      logic unused;
      assign unused = ^{bank_req[r], bank_rsp[r], reserves[r]};
    end
  end

  tz_sram #(
    .Size(ImemSize)
  ) u_imem (
    .clk_i,
    .rst_ni,
    .req_i(bank_req[RegionImem]),
    .rsp_o(bank_rsp[RegionImem])
  );

  tz_sram #(
    .Size(DmemSize),
    .NumPorts(2)
  ) u_dmem (
    .clk_i,
    .rst_ni,
    .req_i({bank_req[TargetDmemOdd], bank_req[RegionDmem]}),
    .rsp_o({bank_rsp[TargetDmemOdd], bank_rsp[RegionDmem]})
  );

  tz_sram #(
    .Size(SmemSize),
    .NumPorts(2)
  ) u_smem (
    .clk_i,
    .rst_ni,
    .req_i({bank_req[TargetSmemOdd], bank_req[RegionSmem]}),
    .rsp_o({bank_rsp[TargetSmemOdd], bank_rsp[RegionSmem]})
  );

  // The platform lines, with the interrupt of the latency measurement.
  localparam int unsigned ProbeLine = (NumIrqLines < 16) ? NumIrqLines - 1 : 15;
  logic                   probe_irq;
  logic [NumIrqLines-1:0] pins, lines;
  if (IrqSync) begin : gen_sync
    tz_sync #(
      .Width(NumIrqLines)
    ) u_sync (
      .clk_i,
      .data_i(irq_i),
      .data_o(pins)
    );
  end else begin : gen_no_sync
    assign pins = irq_i;
  end
  assign lines = pins | (NumIrqLines'(probe_irq) << ProbeLine);

  tz_clint #(
    .MtimePrescale(MtimePrescale)
  ) u_clint (
    .clk_i,
    .rst_ni,
    .req_i    (sub_req[RegionClint]),
    .rsp_o    (sub_rsp[RegionClint]),
    .irq_i    (irq_pkg::NumPlatformLines'(lines)),
    .irq_ext_i(uart_irq),
    .pending_o(irq_pending),
    .timer_ahead_o(unused_timer_ahead)
  );

  if (Clic) begin : gen_clic
    logic [NumIrqSources-1:0] sources;
    always_comb begin
      sources = '0;
      sources[int'(isa_pkg::IrqSoftware)] = irq_pending.software;
      sources[int'(isa_pkg::IrqTimer)]    = irq_pending.timer;
      sources[int'(isa_pkg::IrqExternal)] = uart_irq;
      sources[IrqLineBase+:NumIrqLines]   = lines;
    end

    tz_clic #(
      .NumSources  (NumIrqSources),
      .CtlBits     (ClicCtlBits),
      .TreePipeline(ClicPipeline)
    ) u_clic (
      .clk_i,
      .rst_ni,
      .req_i  (sub_req[RegionClic]),
      .rsp_o  (sub_rsp[RegionClic]),
      .irq_i  (sources),
      .offer_o(irq_offer),
      .claim_i(irq_claim)
    );
  end else begin : gen_no_clic
    assign irq_offer           = '0;
    assign sub_rsp[RegionClic] = '0;
    logic unused;
    assign unused = ^{irq_claim, sub_req[RegionClic]};
  end

  tz_uart u_uart (
    .clk_i,
    .rst_ni,
    .req_i     (sub_req[RegionUart]),
    .rsp_o     (sub_rsp[RegionUart]),
    .tx_valid_o(uart_tx_valid_o),
    .tx_data_o (uart_tx_data_o),
    .tx_ready_i(uart_tx_ready_i),
    .rx_valid_i(uart_rx_valid_i),
    .rx_data_i (uart_rx_data_i),
    .rx_ready_o(uart_rx_ready_o),
    .irq_o     (uart_irq)
  );

  tz_host u_host (
    .clk_i,
    .rst_ni,
    .req_i(sub_req[RegionHost]),
    .rsp_o(sub_rsp[RegionHost]),
    .exit_valid_o,
    .exit_code_o
  );

  tz_latency_bench #(
    .ProbeWidth        (ProbeWidth),
    .ProbeDepth        (ProbeDepth),
    .ProbeHistogramBins(ProbeHistogramBins),
    .ProbeMoments      (ProbeMoments),
    .RandomWords       (RandomWords),
    .RandomCycles      (RandomCycles)
  ) u_latency_bench (
    .clk_i        (clk_bench_i),
    .rst_ni,
    .req_i        (sub_req[RegionProbe]),
    .rsp_o        (sub_rsp[RegionProbe]),
    .stress_req_o (stress_req),
    .stress_addr_o(stress_addr),
    .irq_o        (probe_irq),
    .event_o      (probe_event_o),
    .active_o     (bench_active_o)
  );

`ifdef TRAPEZE_CHECK
  for (genvar m = 0; m < int'(NumManagers); m++) begin : gen_check_mgr
    tz_obi_check u_core_port (
      .clk_i,
      .rst_ni,
      .req_i(core_req[m]),
      .rsp_i(core_rsp[m])
    );
    tz_obi_check #(
      .NextCycle(1)
    ) u_bus_port (
      .clk_i,
      .rst_ni,
      .req_i(mgr_req[m]),
      .rsp_i(mgr_rsp[m])
    );
  end
  for (genvar s = 0; s < int'(NumTargets); s++) begin : gen_check_sub
    tz_obi_check #(
      .NextCycle(1)
    ) u_port (
      .clk_i,
      .rst_ni,
      .req_i(sub_req[s]),
      .rsp_i(sub_rsp[s])
    );
  end
`endif

endmodule
