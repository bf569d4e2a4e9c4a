// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A hart with what belongs to it alone: core, CLIC, memory banks, bus matrix (tz_xbar). What harts share is connected
// to `shared_req_o`: for the bus matrix these are subordinates like the tile's own. Memory map: regs/maps.
//
// Interrupts: in the CLINT scheme there is no CLIC, its addresses are access faults, and there are 16 platform lines.
// In the CLIC scheme its sources 3 and 7 are the CLINT's software and timer interrupt, 11 is the UART, and platform
// line n is source IrqLineBase + n; all other sources are tied low. The interrupt of the latency measurement is
// combined with platform line 15, or with the last line if there are fewer.
//
// Timing: a request reaches what is shared in the cycle in which the core makes it. Only fetches and frames reach the
// shared bank one cycle later (tz_xbar, Late).
module tz_tile
  import trapeze_map_pkg::*;
#(
  parameter soc_cfg_pkg::tile_cfg_t Cfg = soc_cfg_pkg::TileDefault,
  parameter logic [3:0]  Hart       = 4'd0,             // number of the hart: its place in the list of the SoC
  parameter int unsigned Lines      = Cfg.NumIrqLines,  // width of irq_i; only the lowest Cfg.NumIrqLines are used
  parameter logic [31:0] SharedBase = '0,               // shared memory bank: first address
  parameter int unsigned SharedSize = 0,                // shared memory bank: bytes, a power of two; 0: no bank
  parameter bit          WaitStates = 1'b0              // random wait states between core and bus, for tests
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [Lines-1:0] irq_i,           // platform lines, as trapeze_soc says
  input  logic             probe_irq_i,     // interrupt of the latency measurement; see "Interrupts" above
  input  logic             uart_irq_i,
  input  irq_pkg::clint_pending_t irq_pending_i,
  output logic [irq_pkg::NumPlatformLines-1:0] lines_o,  // platform lines for the CLINT

  // User interrupts from hart to hart (Uintr)
  output uintr_pkg::to_others_t   post_o,
  input  uintr_pkg::from_others_t post_i,

  // What harts share, in the order of soc_cfg_pkg::shared_e
  output obi_pkg::obi_req_t [soc_cfg_pkg::NumShared-1:0] shared_req_o,
  input  obi_pkg::obi_rsp_t [soc_cfg_pkg::NumShared-1:0] shared_rsp_i,

  output logic reserves_o,                  // an LR or SC of this hart is granted in a bank of the tile
  input  logic reserves_elsewhere_i,        // an LR or SC of this hart is granted in the shared bank

  input  logic        stress_req_i,         // read of the stress generator, for the bank at its address
  input  logic [31:0] stress_addr_i,

  input  logic [7:0]  wait_instr_i,         // as trapeze_soc says
  input  logic [7:0]  wait_data_i,
  input  logic [31:0] wait_seed_i,

  output rvfi_pkg::rvfi_t       rvfi_o,
  output rvfi_pkg::irq_event_t  irq_event_o,
  output observe_pkg::observe_t observe_o,
  input  observe_pkg::inspect_t inspect_i,
  output logic                  sleep_o     // the core waits in WFI
);

  import soc_cfg_pkg::*;

  localparam core_cfg_pkg::core_cfg_t Core = Cfg.Core;
  localparam bit          Clic = (Core.IrqScheme == irq_pkg::IrqClic);
  localparam int unsigned NumIrqSources = Core.NumIrqSources;
  localparam int unsigned IrqLineBase = Cfg.IrqLineBase;
  localparam int unsigned NumIrqLines = Cfg.NumIrqLines;
  localparam bit          FastSharedPort = Cfg.FastSharedPort;
  localparam bit          SharedBank = (SharedSize != 0);

  if (Clic && (NumIrqLines < 1 || IrqLineBase <= int'(isa_pkg::IrqExternal) ||
               NumIrqSources < IrqLineBase + NumIrqLines)) begin : gen_bad_sources
    $error("tz_tile: NumIrqSources must be at least IrqLineBase + NumIrqLines, IrqLineBase at least 12");
  end
  if (Core.UserIrq && (ClicUserBase != (ClicBase | ClicSize) || ClicUserSize != ClicSize || (ClicBase & ClicSize) != 0))
  begin : gen_bad_map
    $error("tz_tile: the two views of the CLIC must be halves of one region");
  end
  if (NumIrqLines > Lines) begin : gen_bad_lines
    $error("tz_tile: Lines must be at least NumIrqLines");
  end

  // Managers, the one with the highest priority first. Frames are last: no fetch, such as that of a handler, waits for
  // them.
  localparam bit Fast = (Core.Saver != core_cfg_pkg::SaverNone);
  localparam int unsigned NumManagers = (Fast && !FastSharedPort) ? 3 : 2;
  localparam int unsigned MgrData = 0;
  localparam int unsigned MgrInstr = 1;
  localparam int unsigned MgrFrame = 2;
  localparam logic [NumManagers-1:0] MemoryOnly = ~(NumManagers'(1) << MgrData);
  // If code and stacks share a bank, straight-line code fetches from it in every cycle, and frames would never be
  // stored. So a word of a frame that was refused three times goes before a fetch: in every fourth cycle at most. An
  // interrupt needs up to three fetches in a row (the one that waits for its grant, the table entry, the handler): at
  // most one is delayed.
  localparam int unsigned FrameRefused = 3;

  // The data memory and the stack memory have two banks each, one for the even words and one for the odd words. Loads
  // and stores, and the words of a frame, go from word to word: so they meet at one bank at most once. Targets of the
  // bus matrix: the regions (with the even words of these two), then the two banks of odd words, then the shared bank.
  localparam int unsigned NumTargets = NumRegions + 2 + int'(SharedBank);
  localparam int unsigned TargetDmemOdd = NumRegions;
  localparam int unsigned TargetSmemOdd = NumRegions + 1;
  localparam int unsigned TargetShmem = NumRegions + 2;
  function automatic int unsigned region_of(int unsigned target);
    return (target == TargetDmemOdd) ? RegionDmem : (target == TargetSmemOdd) ? RegionSmem : target;
  endfunction
  function automatic bit is_memory(int unsigned target);
    return (target == TargetShmem) || RegionIsMemory[region_of(target)];
  endfunction
  function automatic logic [NumTargets-1:0][31:0] target_bases();
    for (int unsigned t = 0; t < NumTargets; t++) begin
      if (t == TargetShmem) target_bases[t] = SharedBase;
      else target_bases[t] = RegionBase[region_of(t)] | ((t < NumRegions) ? 32'd0 : 32'd4);
    end
    // A region that does not exist gets a base that no masked address has.
    if (!Clic) target_bases[RegionClic] = 32'd1;
    target_bases[RegionClicUser] = 32'd1;  // user mode's view is a part of the CLIC's region (target_masks)
  endfunction
  function automatic logic [NumTargets-1:0][31:0] target_masks();
    for (int unsigned t = 0; t < NumTargets; t++) begin
      if (t == TargetShmem) target_masks[t] = ~(SharedSize - 1);
      else target_masks[t] = RegionMask[region_of(t)];
      if (t == RegionClic && Core.UserIrq) target_masks[t] = RegionMask[t] & ~ClicSize;
      if (t != TargetShmem && (region_of(t) == RegionDmem || region_of(t) == RegionSmem)) target_masks[t][2] = 1'b1;
    end
  endfunction
  function automatic logic [NumTargets-1:0] targets_late();
    for (int unsigned t = 0; t < NumTargets; t++) targets_late[t] = (t == TargetShmem);
  endfunction
  localparam logic [NumTargets-1:0][31:0] TargetMask = target_masks();
  function automatic logic [NumTargets-1:0] targets_memory();
    for (int unsigned t = 0; t < NumTargets; t++) targets_memory[t] = is_memory(t);
  endfunction

  obi_pkg::obi_req_t [NumManagers-1:0] core_req, mgr_req;
  obi_pkg::obi_rsp_t [NumManagers-1:0] core_rsp, mgr_rsp;
  obi_pkg::obi_req_t [NumTargets-1:0]  sub_req;
  obi_pkg::obi_rsp_t [NumTargets-1:0]  sub_rsp;
  irq_pkg::clic_offer_t                irq_offer;
  irq_pkg::clic_claim_t                irq_claim;
  uintr_pkg::to_clic_t                 post_clic;
  obi_pkg::obi_req_t                   instr_req, core_data_req, core_frame_req, data_req, frame_req;
  obi_pkg::obi_rsp_t                   data_rsp, frame_rsp;

  // ---------------------------------------------------------------- core
  assign core_req[MgrInstr] = obi_pkg::from_initiator(instr_req, Hart, obi_pkg::PortInstr);
  assign data_req           = obi_pkg::from_initiator(core_data_req, Hart, obi_pkg::PortData);
  assign frame_req          = obi_pkg::from_initiator(core_frame_req, Hart, obi_pkg::PortFrame);

  trapeze_core #(
    .Cfg (Core),
    .Hart(Hart)
  ) u_core (
    .clk_i,
    .rst_ni,
    .instr_req_o  (instr_req),
    .instr_rsp_i  (core_rsp[MgrInstr]),
    .data_req_o   (core_data_req),
    .data_rsp_i   (data_rsp),
    .frame_req_o  (core_frame_req),
    .frame_rsp_i  (frame_rsp),
    .irq_pending_i,
    .irq_offer_i  (irq_offer),
    .irq_claim_o  (irq_claim),
    .post_clic_o  (post_clic),
    .post_o,
    .post_i,
    .sleep_o,
    .rvfi_o,
    .irq_event_o,
    .observe_o,
    .inspect_i
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

  // ---------------------------------------------------------------- bus and banks
  tz_xbar #(
    .NumManagers    (NumManagers),
    .NumSubordinates(NumTargets),
    .Base           (target_bases()),
    .Mask           (TargetMask),
    .IsMemory       (targets_memory()),
    .MemoryOnly     (MemoryOnly),
    .Late           (targets_late()),
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

  obi_pkg::obi_req_t [NumTargets-1:0] bank_req;
  obi_pkg::obi_rsp_t [NumTargets-1:0] bank_rsp;
  logic [NumTargets-1:0]              reserves;  // an LR or SC is granted in this bank

  assign reserves_o = (reserves != '0);

  // In front of each bank: tz_amo for atomic operations, and tz_bank_mux for the stress generator, whose access keeps
  // all banks of a memory busy.
  for (genvar t = 0; t < int'(NumTargets); t++) begin : gen_bank
    if (t != int'(TargetShmem) && is_memory(t)) begin : gen_mux
      obi_pkg::obi_req_t plain_req;
      obi_pkg::obi_rsp_t plain_rsp;
      if (Core.ExtA) begin : gen_amo
        tz_amo #(
          .AddrMask(~TargetMask[t])
        ) u_amo (
          .clk_i,
          .rst_ni,
          .req_i      (sub_req[t]),
          .rsp_o      (sub_rsp[t]),
          .bank_req_o (plain_req),
          .bank_rsp_i (plain_rsp),
          .here_o     (reserves[t]),
          .elsewhere_i(reserves_elsewhere_i || (reserves & ~(NumTargets'(1) << t)) != '0)
        );
      end else begin : gen_plain
        assign plain_req   = sub_req[t];
        assign sub_rsp[t]  = plain_rsp;
        assign reserves[t] = 1'b0;
      end
      tz_bank_mux #(
        .Base(RegionBase[region_of(t)]),
        .Mask(RegionMask[region_of(t)])
      ) u_mux (
        .clk_i,
        .rst_ni,
        .stress_req_i,
        .stress_addr_i,
        .req_i     (plain_req),
        .rsp_o     (plain_rsp),
        .bank_req_o(bank_req[t]),
        .bank_rsp_i(bank_rsp[t])
      );
    end else begin : gen_none
      assign bank_req[t] = '0;
      assign bank_rsp[t] = '0;
      assign reserves[t] = 1'b0;
      logic unused;
      assign unused = ^{bank_req[t], bank_rsp[t]};
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

  // ---------------------------------------------------------------- what harts share
  assign shared_req_o[SharedHost]  = sub_req[RegionHost];
  assign shared_req_o[SharedClint] = sub_req[RegionClint];
  assign shared_req_o[SharedUart]  = sub_req[RegionUart];
  assign shared_req_o[SharedProbe] = sub_req[RegionProbe];
  assign sub_rsp[RegionHost]       = shared_rsp_i[SharedHost];
  assign sub_rsp[RegionClint]      = shared_rsp_i[SharedClint];
  assign sub_rsp[RegionUart]       = shared_rsp_i[SharedUart];
  assign sub_rsp[RegionProbe]      = shared_rsp_i[SharedProbe];
  if (SharedBank) begin : gen_shared_bank
    assign shared_req_o[SharedShmem] = sub_req[TargetShmem];
    assign sub_rsp[TargetShmem]      = shared_rsp_i[SharedShmem];
  end else begin : gen_no_shared_bank
    assign shared_req_o[SharedShmem] = '0;
    logic unused;
    assign unused = ^shared_rsp_i[SharedShmem];
  end

  // ---------------------------------------------------------------- interrupts
  // The platform lines, combined with the interrupt of the latency measurement.
  localparam int unsigned ProbeLine = (NumIrqLines < 16) ? NumIrqLines - 1 : 15;
  logic [NumIrqLines-1:0] pins, lines;
  if (Cfg.IrqSync) begin : gen_sync
    tz_sync #(
      .Width(NumIrqLines)
    ) u_sync (
      .clk_i,
      .data_i(irq_i[NumIrqLines-1:0]),
      .data_o(pins)
    );
  end else begin : gen_no_sync
    assign pins = irq_i[NumIrqLines-1:0];
  end
  assign lines   = pins | (NumIrqLines'(probe_irq_i) << ProbeLine);
  assign lines_o = irq_pkg::NumPlatformLines'(lines);

  if (Clic) begin : gen_clic
    logic [NumIrqSources-1:0] sources, pulses;
    always_comb begin
      sources = '0;
      sources[int'(isa_pkg::IrqUserPost)] = post_clic.pending;
      sources[int'(isa_pkg::IrqSoftware)] = irq_pending_i.software;
      sources[int'(isa_pkg::IrqTimer)]    = irq_pending_i.timer;
      sources[int'(isa_pkg::IrqExternal)] = uart_irq_i;
      sources[IrqLineBase+:NumIrqLines]   = lines;
    end

    always_comb begin
      pulses = '0;
      for (int unsigned i = 0; i < NumIrqSources && i < 256; i++) begin
        pulses[i] = post_clic.pulse && (post_clic.source == 8'(i));
      end
    end

    tz_clic #(
      .NumSources  (NumIrqSources),
      .CtlBits     (Cfg.ClicCtlBits),
      .UserIrq     (Core.UserIrq),
      .TreePipeline(Cfg.ClicPipeline)
    ) u_clic (
      .clk_i,
      .rst_ni,
      .req_i  (sub_req[RegionClic]),
      .rsp_o  (sub_rsp[RegionClic]),
      .irq_i  (sources),
      .pulse_i(pulses),
      .offer_o(irq_offer),
      .claim_i(irq_claim)
    );
  end else begin : gen_no_clic
    assign irq_offer           = '0;
    assign sub_rsp[RegionClic] = '0;
    logic unused;
    assign unused = ^{irq_claim, post_clic, sub_req[RegionClic], uart_irq_i};
  end

  assign sub_rsp[RegionClicUser] = '0;
  logic unused;
  assign unused = ^{irq_i, reserves_elsewhere_i, sub_req[RegionClicUser]};

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
  for (genvar t = 0; t < int'(NumTargets); t++) begin : gen_check_sub
    tz_obi_check #(
      .NextCycle(1)
    ) u_port (
      .clk_i,
      .rst_ni,
      .req_i(sub_req[t]),
      .rsp_i(sub_rsp[t])
    );
  end
`endif

endmodule
