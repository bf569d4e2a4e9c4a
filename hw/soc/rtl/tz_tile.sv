// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A hart with what belongs to it alone: core, CLIC, memory banks, bus matrix (tz_xbar). What harts share is connected
// to `shared_req_o`: for the bus matrix these are subordinates like the tile's own. The parameter `Map` says where all of
// them are. With `DefaultPort` every other address is at `other_req_o`: loads, stores and atomic operations, and fetches
// and frames, because what is there may be memory. Who answers there knows by `mid.port` what may reach it; atomic
// operations are made there, and reservations of the tile end with `reserves_elsewhere_i`.
//
// Interrupts: in the CLINT scheme there is no CLIC, its addresses are access faults, and there are 16 platform lines.
// In the CLIC scheme its sources 3 and 7 are the CLINT's software and timer interrupt, 11 is the UART, and platform
// line n is source IrqLineBase + n; all other sources are tied low. The interrupt of the latency measurement is
// combined with platform line 15, or with the last line if there are fewer.
//
// Timing: a request reaches what is shared in the cycle in which the core makes it. Only fetches and frames reach the
// shared bank, and `other_req_o`, one cycle later (tz_xbar, Late).
module tz_tile #(
  parameter soc_cfg_pkg::tile_cfg_t Cfg = soc_cfg_pkg::TileDefault,
  parameter logic [3:0]  Hart       = 4'd0,             // number of the hart: its place in the list of the SoC
  parameter int unsigned Lines      = Cfg.NumIrqLines,  // width of irq_i; only the lowest Cfg.NumIrqLines are used
  parameter soc_cfg_pkg::tile_map_t Map = soc_cfg_pkg::MapDefault,
  parameter bit          DefaultPort = 1'b0,            // 0: an access to an address that is in no range is an error
  parameter bit          WaitStates = 1'b0,             // random wait states between core and bus, for tests
  parameter string       Init       = ""                // how the names of the banks' files begin; none: no files
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

  // Every other address, with DefaultPort. As at a shared port the response comes in the cycle after the grant.
  output obi_pkg::obi_req_t other_req_o,
  input  obi_pkg::obi_rsp_t other_rsp_i,

  output logic reserves_o,                  // an LR or SC of this hart is granted in a bank of the tile
  input  logic reserves_elsewhere_i,        // an LR or SC of this hart is granted outside of it

  input  logic        stress_req_i,         // read of the stress generator, for the bank at its address
  input  logic [31:0] stress_addr_i,

  input  logic [7:0]  wait_instr_i,         // as trapeze_soc says
  input  logic [7:0]  wait_data_i,
  input  logic [31:0] wait_seed_i,

  output rvfi_pkg::rvfi_t       rvfi_o,
  output rvfi_pkg::irq_event_t  irq_event_o,
  output observe_pkg::observe_t observe_o,
  input  observe_pkg::inspect_t inspect_i,
  output logic                  sleep_o,    // the core waits in WFI

  // Debug; else not used, and zero
  input  logic                  debug_req_i,        // to the core
  input  logic                  trigger_i,          // to the core: a probe's alarm
  output logic                  debug_stop_time_o,  // of the core
  input  obi_pkg::obi_req_t     debug_bus_req_i,    // system bus access: what loads of the core reach
  output obi_pkg::obi_rsp_t     debug_bus_rsp_o
);

  import soc_cfg_pkg::*;

  localparam core_cfg_pkg::core_cfg_t Core = Cfg.Core;
  localparam bit          Clic = (Core.IrqScheme == irq_pkg::IrqClic);
  localparam int unsigned NumIrqSources = Core.NumIrqSources;
  localparam int unsigned IrqLineBase = Cfg.IrqLineBase;
  localparam int unsigned NumIrqLines = Cfg.NumIrqLines;
  localparam bit          FastSharedPort = Cfg.FastSharedPort;

  if (Clic && (NumIrqLines < 1 || IrqLineBase <= int'(isa_pkg::IrqExternal) ||
               NumIrqSources < IrqLineBase + NumIrqLines)) begin : gen_bad_sources
    $error("tz_tile: NumIrqSources must be at least IrqLineBase + NumIrqLines, IrqLineBase at least 12");
  end
  if (Core.UserIrq && (Map.ClicUser.Base != (Map.Clic.Base | Map.Clic.Size) || Map.ClicUser.Size != Map.Clic.Size ||
                       (Map.Clic.Base & Map.Clic.Size) != 0)) begin : gen_bad_map
    $error("tz_tile: the two views of the CLIC must be halves of one range");
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
  // bus matrix: what harts share, in the order of shared_e, then what is the tile's own, then every other address.
  localparam int unsigned TargetClic    = NumShared;
  localparam int unsigned TargetImem    = NumShared + 1;
  localparam int unsigned TargetDmem    = NumShared + 2;
  localparam int unsigned TargetSmem    = NumShared + 3;
  localparam int unsigned TargetDmemOdd = NumShared + 4;
  localparam int unsigned TargetSmemOdd = NumShared + 5;
  localparam int unsigned TargetOther   = NumShared + 6;
  localparam int unsigned NumTargets    = NumShared + 6 + int'(DefaultPort);

  function automatic range_t range_of(int unsigned target);
    if (target < NumShared) return Map.Shared[target];
    unique case (target)
      TargetClic:                return Clic ? Map.Clic : '0;
      TargetImem:                return Map.Imem;
      TargetDmem, TargetDmemOdd: return Map.Dmem;
      TargetSmem, TargetSmemOdd: return Map.Smem;
      default:                   return '0;
    endcase
  endfunction
  function automatic bit is_odd(int unsigned target);
    return target == TargetDmemOdd || target == TargetSmemOdd;
  endfunction
  function automatic bit is_bank(int unsigned target);  // of the tile
    return target >= TargetImem && target <= TargetSmemOdd;
  endfunction
  function automatic logic [NumTargets-1:0][31:0] target_bases();
    for (int unsigned t = 0; t < NumTargets; t++) begin
      target_bases[t] = range_of(t).Base | (is_odd(t) ? 32'd4 : 32'd0);
      // What does not exist gets a base that no masked address has.
      if (range_of(t).Size == 0) target_bases[t] = 32'd1;
    end
  endfunction
  function automatic logic [NumTargets-1:0][31:0] target_masks();
    for (int unsigned t = 0; t < NumTargets; t++) begin
      target_masks[t] = (range_of(t).Size == 0) ? 32'd0 : ~(range_of(t).Size - 1);
      if (t == TargetClic && Core.UserIrq) target_masks[t] &= ~Map.Clic.Size;  // with user mode's view
      if (is_bank(t) && t != TargetImem) target_masks[t][2] = 1'b1;
    end
  endfunction
  function automatic logic [NumTargets-1:0] targets_late();
    for (int unsigned t = 0; t < NumTargets; t++) begin
      targets_late[t] = (t == SharedShmem || t == SharedDebug || t == TargetOther);
    end
  endfunction
  function automatic logic [NumTargets-1:0] targets_memory();
    for (int unsigned t = 0; t < NumTargets; t++) begin
      targets_memory[t] = is_bank(t) || t == TargetOther ||
                          ((t == SharedShmem || t == SharedDebug) && Map.Shared[t].Size != 0);
    end
  endfunction
  localparam logic [NumTargets-1:0][31:0] TargetMask = target_masks();

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
    .debug_req_i,
    .trigger_i,
    .debug_stop_time_o,
    .rvfi_o,
    .irq_event_o,
    .observe_o,
    .inspect_i
  );

  // The data port: of loads and stores first; then of frames, if they share it; then of system bus access.
  obi_pkg::obi_req_t own_req;
  obi_pkg::obi_rsp_t own_rsp;
  if (Fast && FastSharedPort) begin : gen_shared_port
    obi_pkg::obi_req_t memory_req;
    obi_pkg::obi_rsp_t memory_rsp;
    tz_memory_only #(
      .NumRegions(3),
      .Base      ({Map.Smem.Base, Map.Dmem.Base, Map.Imem.Base}),
      .Mask      ({~(Map.Smem.Size - 1), ~(Map.Dmem.Size - 1), ~(Map.Imem.Size - 1)}),
      .IsMemory  (3'b111)
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
      .req_o       (own_req),
      .rsp_i       (own_rsp)
    );
  end else begin : gen_data_port
    assign own_req  = data_req;
    assign data_rsp = own_rsp;
    if (Fast) begin : gen_frame_port
      assign core_req[MgrFrame] = frame_req;
      assign frame_rsp          = core_rsp[MgrFrame];
    end else begin : gen_no_frame_port
      assign frame_rsp = '0;
      logic unused;
      assign unused = ^frame_req;
    end
  end
  if (Core.Debug) begin : gen_debug_bus
    tz_obi_share u_share (
      .clk_i,
      .rst_ni,
      .first_req_i (own_req),
      .first_rsp_o (own_rsp),
      .second_req_i(debug_bus_req_i),
      .second_rsp_o(debug_bus_rsp_o),
      .req_o       (core_req[MgrData]),
      .rsp_i       (core_rsp[MgrData])
    );
  end else begin : gen_no_debug_bus
    assign core_req[MgrData] = own_req;
    assign own_rsp           = core_rsp[MgrData];
    assign debug_bus_rsp_o   = '0;
    logic unused;
    assign unused = ^debug_bus_req_i;
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
    .DebugOnly      (NumTargets'(1) << SharedDebug),
    .Default        (DefaultPort),
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
    if (is_bank(t)) begin : gen_mux
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
        .Base(range_of(t).Base),
        .Mask(~(range_of(t).Size - 1))
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
    .Size(Map.Imem.Size),
    .InitFile((Init == "") ? "" : {Init, "imem.hex"})
  ) u_imem (
    .clk_i,
    .rst_ni,
    .req_i(bank_req[TargetImem]),
    .rsp_o(bank_rsp[TargetImem])
  );

  tz_sram #(
    .Size(Map.Dmem.Size),
    .NumPorts(2),
    .InitFile((Init == "") ? "" : {Init, "dmem.hex"})
  ) u_dmem (
    .clk_i,
    .rst_ni,
    .req_i({bank_req[TargetDmemOdd], bank_req[TargetDmem]}),
    .rsp_o({bank_rsp[TargetDmemOdd], bank_rsp[TargetDmem]})
  );

  tz_sram #(
    .Size(Map.Smem.Size),
    .NumPorts(2),
    .InitFile((Init == "") ? "" : {Init, "smem.hex"})
  ) u_smem (
    .clk_i,
    .rst_ni,
    .req_i({bank_req[TargetSmemOdd], bank_req[TargetSmem]}),
    .rsp_o({bank_rsp[TargetSmemOdd], bank_rsp[TargetSmem]})
  );

  // ---------------------------------------------------------------- what harts share, and every other address
  assign shared_req_o           = sub_req[NumShared-1:0];
  assign sub_rsp[NumShared-1:0] = shared_rsp_i;
  if (DefaultPort) begin : gen_other
    assign other_req_o          = sub_req[TargetOther];
    assign sub_rsp[TargetOther] = other_rsp_i;
  end else begin : gen_no_other
    assign other_req_o = '0;
    logic unused;
    assign unused = ^other_rsp_i;
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
      .req_i  (sub_req[TargetClic]),
      .rsp_o  (sub_rsp[TargetClic]),
      .irq_i  (sources),
      .pulse_i(pulses),
      .offer_o(irq_offer),
      .claim_i(irq_claim)
    );
  end else begin : gen_no_clic
    assign irq_offer           = '0;
    assign sub_rsp[TargetClic] = '0;
    logic unused;
    assign unused = ^{irq_claim, post_clic, sub_req[TargetClic], uart_irq_i};
  end

  logic unused;
  assign unused = ^{irq_i, reserves_elsewhere_i};

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
