// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The SoC: a tile for each hart (tz_tile: core, CLIC, memory banks of its own), and what all harts share: CLINT, UART,
// host port, latency measurement and, if the parameter `Map` has one, a memory bank.
//
// The number of a hart is its place in `Tiles`: the CLINT's msip and mtimecmp, platform lines, exits and records of
// hart k have index k. Harts take turns at each shared device (tz_obi_arbiter, which states the bound). The interrupts
// of the UART and of the latency measurement go to every hart. The stress generator reads the banks of all tiles.
module trapeze_soc #(
  parameter int unsigned NumHarts      = 1,         // 1 to obi_pkg::MaxHarts
  parameter soc_cfg_pkg::tile_cfg_t [NumHarts-1:0] Tiles = {NumHarts{soc_cfg_pkg::TileDefault}},
  parameter int unsigned NumIrqLines   = Tiles[0].NumIrqLines,  // the largest number of platform lines of a hart
  parameter soc_cfg_pkg::tile_map_t Map = soc_cfg_pkg::MapDefault,  // with a shared memory bank, or none
  parameter int unsigned MtimePrescale = 1,         // CLINT: clock cycles for one count of mtime
  parameter bit          WaitStates    = 0,         // random wait states between core and bus, for tests
  parameter int unsigned ProbeWidth    = 16,        // latency probes: bits of a latency
  parameter int unsigned ProbeDepth    = 512,       // latency probes: samples, a power of two, to 512
  parameter int unsigned ProbeHistogramBins = 0,    // latency probes: bins of the histogram
  parameter bit          ProbeMoments  = 0,         // latency probes: sum and sum of squares
  parameter int unsigned RandomWords   = 16,        // random data generator: words of a block
  parameter int unsigned RandomCycles  = 32,        // random data generator: clocks from the timer to data ready
  parameter logic [31:0] Idcode        = 32'h0000_0001, // of the JTAG port
  parameter string       Init          = ""         // memories begin with files: Init, the hart's number in
                                                    // hexadecimal or nothing for the shared bank, the bank's name, ".hex"
) (
  input  logic                  clk_i,
  input  logic                  clk_bench_i,  // clk_i; may stand at the end of a cycle with bench_active_o low
  input  logic                  rst_ni,   // asynchronous, active low

  // Platform lines of each hart; a tile uses the lowest ones, as many as its NumIrqLines. CLINT: level, active high;
  // CLIC: as software configures. Synchronous to clk_i; with IrqSync they may be asynchronous.
  input  logic [NumHarts-1:0][NumIrqLines-1:0] irq_i,

  output logic                  uart_tx_valid_o,  // bytes to the host; one moves in a cycle with valid and ready
  output logic [7:0]            uart_tx_data_o,
  input  logic                  uart_tx_ready_i,
  input  logic                  uart_rx_valid_i,  // bytes from the host
  input  logic [7:0]            uart_rx_data_i,
  output logic                  uart_rx_ready_o,

  output logic [NumHarts-1:0]   timer_irq_o,   // mtip and msip of each hart, as the CLINT drives them
  output logic [NumHarts-1:0]   software_irq_o,
  output logic                  uart_irq_o,
  output logic [2:0]            probe_event_o, // latency measurement: {read done, data ready, timer 0}
  output logic                  bench_active_o, // latency measurement: it needs the edge that ends this cycle

  output logic [NumHarts-1:0]       exit_valid_o,  // the hart has ended its program; stays on
  output logic [NumHarts-1:0][31:0] exit_code_o,

  input  logic [7:0]            wait_instr_i,  // with WaitStates: chance / 256 of a stall in each cycle, fetch port
  input  logic [7:0]            wait_data_i,   // with WaitStates: the chance for the data port and the frame port
  input  logic [31:0]           wait_seed_i,   // start of the random streams, sampled in the first cycle after reset

  output rvfi_pkg::rvfi_t [NumHarts-1:0]      rvfi_o,
  output rvfi_pkg::irq_event_t [NumHarts-1:0] irq_event_o,
  output observe_pkg::observe_t [NumHarts-1:0] observe_o,
  input  observe_pkg::inspect_t inspect_i,     // of debuggers to every hart, while the clock stands; else zero
  output logic [NumHarts-1:0]   sleep_o,       // the core waits in WFI
  output logic [NumHarts-1:0]   timer_ahead_o,  // the hart's timer interrupt will come by itself

  // A debugger's JTAG port, if the cores have debug mode (core_cfg_pkg, Debug). It is not part of the reset that it asks for
  input  logic                  jtag_tck_i,
  input  logic                  jtag_trst_ni,
  input  logic                  jtag_tms_i,
  input  logic                  jtag_tdi_i,
  output logic                  jtag_tdo_o,
  output logic                  jtag_tdo_oe_o
);

  import soc_cfg_pkg::*;

  localparam int unsigned SharedSize = Map.Shared[SharedShmem].Size;

  // Whether any hart makes atomic operations.
  function automatic bit any_atomics();
    any_atomics = 1'b0;
    for (int unsigned h = 0; h < NumHarts; h++) any_atomics |= Tiles[h].Core.ExtA;
  endfunction

  // Which harts send and take user interrupts; and the mhartid of each hart, by which they are named.
  function automatic logic [NumHarts-1:0] posting();
    for (int unsigned h = 0; h < NumHarts; h++) posting[h] = Tiles[h].Core.Uintr;
  endfunction
  function automatic logic [NumHarts-1:0][31:0] hart_ids();
    for (int unsigned h = 0; h < NumHarts; h++) hart_ids[h] = Tiles[h].Core.HartId;
  endfunction

  if (NumHarts < 1 || NumHarts > obi_pkg::MaxHarts) begin : gen_bad_harts
    $error("trapeze_soc: NumHarts must be 1 to 16");
  end

  obi_pkg::obi_req_t [NumHarts-1:0][NumShared-1:0] tile_req;
  obi_pkg::obi_rsp_t [NumHarts-1:0][NumShared-1:0] tile_rsp;
  obi_pkg::obi_req_t [NumShared-1:0]               dev_req;
  obi_pkg::obi_rsp_t [NumShared-1:0]               dev_rsp;
  irq_pkg::clint_pending_t [NumHarts-1:0]          irq_pending;
  logic [NumHarts-1:0][irq_pkg::NumPlatformLines-1:0] lines;
  logic [NumHarts-1:0]                             reserves, reserves_shared;
  uintr_pkg::to_others_t [NumHarts-1:0]            from_tile;
  uintr_pkg::from_others_t [NumHarts-1:0]          to_tile;
  logic                                            uart_irq, probe_irq, stress_req;
  logic [31:0]                                     stress_addr;
  obi_pkg::obi_req_t [NumHarts-1:0]                unused_other;  // nothing is beyond the map
  logic [NumHarts-1:0]                             debug_req, stop_time;
  logic                                            probe_break;  // a probe's alarm, or a new maximum
  obi_pkg::obi_req_t                               debug_bus_req;
  obi_pkg::obi_rsp_t [NumHarts-1:0]                debug_bus_rsp;
  logic                                            ndmreset, rst_sys_n;
  assign rst_sys_n = rst_ni && !ndmreset;

  // ---------------------------------------------------------------- tiles
  for (genvar h = 0; h < int'(NumHarts); h++) begin : gen_tile
    tz_tile #(
      .Cfg       (Tiles[h]),
      .Hart      (4'(h)),
      .Lines     (NumIrqLines),
      .Map       (with_debug(Map, Tiles[0].Core.Debug, Tiles[0].Core.DebugBase)),
      .WaitStates(WaitStates),
      .Init      ((Init == "") ? "" : {Init, string'(8'((h < 10) ? 48 + h : 87 + h))})
    ) u_tile (
      .clk_i,
      .rst_ni(rst_sys_n),
      .irq_i               (irq_i[h]),
      .probe_irq_i         (probe_irq),
      .uart_irq_i          (uart_irq),
      .irq_pending_i       (irq_pending[h]),
      .lines_o             (lines[h]),
      .post_o              (from_tile[h]),
      .post_i              (to_tile[h]),
      .shared_req_o        (tile_req[h]),
      .shared_rsp_i        (tile_rsp[h]),
      .other_req_o         (unused_other[h]),
      .other_rsp_i         ('0),
      .reserves_o          (reserves[h]),
      .reserves_elsewhere_i(reserves_shared[h]),
      .stress_req_i        (stress_req),
      .stress_addr_i       (stress_addr),
      .wait_instr_i,
      .wait_data_i,
      .wait_seed_i,
      .rvfi_o              (rvfi_o[h]),
      .irq_event_o         (irq_event_o[h]),
      .observe_o           (observe_o[h]),
      .inspect_i,
      .sleep_o             (sleep_o[h]),
      .debug_req_i         (debug_req[h]),
      .trigger_i           (probe_break),
      .debug_stop_time_o   (stop_time[h]),
      .debug_bus_req_i     ((h == 0) ? debug_bus_req : '0),
      .debug_bus_rsp_o     (debug_bus_rsp[h])
    );
  end

  // ---------------------------------------------------------------- user interrupts from hart to hart
  if (posting() != '0) begin : gen_notify
    tz_notify #(
      .NumHarts(NumHarts),
      .HartId  (hart_ids()),
      .Receives(posting())
    ) u_notify (
      .clk_i,
      .rst_ni(rst_sys_n),
      .harts_i(from_tile),
      .harts_o(to_tile)
    );
  end else begin : gen_no_notify
    assign to_tile = '0;
    logic unused;
    assign unused = ^from_tile;
  end

  // ---------------------------------------------------------------- for measurements
  for (genvar h = 0; h < int'(NumHarts); h++) begin : gen_signals
    assign timer_irq_o[h]    = irq_pending[h].timer;
    assign software_irq_o[h] = irq_pending[h].software;
  end
  assign uart_irq_o = uart_irq;

  // ---------------------------------------------------------------- turns at what is shared
  for (genvar s = 0; s < int'(NumShared); s++) begin : gen_shared
    obi_pkg::obi_req_t [NumHarts-1:0] req;
    obi_pkg::obi_rsp_t [NumHarts-1:0] rsp;
    for (genvar h = 0; h < int'(NumHarts); h++) begin : gen_hart
      assign req[h]         = tile_req[h][s];
      assign tile_rsp[h][s] = rsp[h];
    end
    tz_obi_arbiter #(
      .NumManagers(NumHarts)
    ) u_turns (
      .clk_i,
      .rst_ni(rst_sys_n),
      .mgr_req_i(req),
      .mgr_rsp_o(rsp),
      .sub_req_o(dev_req[s]),
      .sub_rsp_i(dev_rsp[s])
    );
`ifdef TRAPEZE_CHECK
    // The bound of the wait for the shared bank (README.md). The bound of user interrupts depends on it
    // (hw/uintr/README.md). A bank refuses requests for one cycle, after an atomic operation.
    if (SharedSize != 0 && s == SharedShmem) begin : gen_check_turn
      localparam int unsigned MaxRefused = 2 * (NumHarts - 1) + 1;
      for (genvar h = 0; h < int'(NumHarts); h++) begin : gen_hart_waits
        logic [7:0] refused_q;
        always_ff @(posedge clk_i or negedge rst_sys_n) begin
          if (!rst_sys_n) refused_q <= '0;
          else refused_q <= (req[h].req && !rsp[h].gnt) ? refused_q + 8'd1 : '0;
        end
        Turn_A: assert property (@(posedge clk_i) 32'(refused_q) <= MaxRefused);
      end
    end
`endif
  end

  // ---------------------------------------------------------------- shared bank
  if (SharedSize != 0) begin : gen_shmem
    obi_pkg::obi_req_t bank_req;
    obi_pkg::obi_rsp_t bank_rsp;
    if (any_atomics()) begin : gen_amo
      tz_amo #(
        .NumHarts(NumHarts),
        .AddrMask(SharedSize - 1)
      ) u_amo (
        .clk_i,
        .rst_ni(rst_sys_n),
        .req_i      (dev_req[SharedShmem]),
        .rsp_o      (dev_rsp[SharedShmem]),
        .bank_req_o (bank_req),
        .bank_rsp_i (bank_rsp),
        .here_o     (reserves_shared),
        .elsewhere_i(reserves)
      );
    end else begin : gen_plain
      assign bank_req             = dev_req[SharedShmem];
      assign dev_rsp[SharedShmem] = bank_rsp;
      assign reserves_shared      = '0;
      logic unused;
      assign unused = ^reserves;
    end
    tz_sram #(
      .Size(SharedSize),
      .InitFile((Init == "") ? "" : {Init, "shmem.hex"})
    ) u_shmem (
      .clk_i,
      .rst_ni(rst_sys_n),
      .req_i(bank_req),
      .rsp_o(bank_rsp)
    );
  end else begin : gen_no_shmem
    assign dev_rsp[SharedShmem] = '0;
    assign reserves_shared      = '0;
    logic unused;
    assign unused = ^{dev_req[SharedShmem], reserves};
  end

  // ---------------------------------------------------------------- debug module
  if (Tiles[0].Core.Debug) begin : gen_debug
    // System bus access is that of hart 0: its memories, and what harts share.
    logic [NumHarts-1:0] unused_hart_reset;
    logic unused_bus;
    assign unused_bus = ^debug_bus_rsp;
    debug_pkg::auth_req_t unused_auth;
    tz_debug #(
      .NumHarts (NumHarts),
      .Base     (Tiles[0].Core.DebugBase),
      .Idcode   (Idcode),
      .HartReset(1'b0)
    ) u_debug (
      .clk_i,
      .rst_ni,
      .tck_i        (jtag_tck_i),
      .trst_ni      (jtag_trst_ni),
      .tms_i        (jtag_tms_i),
      .tdi_i        (jtag_tdi_i),
      .tdo_o        (jtag_tdo_o),
      .tdo_oe_o     (jtag_tdo_oe_o),
      .mem_req_i    (dev_req[SharedDebug]),
      .mem_rsp_o    (dev_rsp[SharedDebug]),
      .bus_req_o    (debug_bus_req),
      .bus_rsp_i    (debug_bus_rsp[0]),
      .auth_i       ('{authenticated: 1'b1, busy: 1'b0, data: '0}),
      .auth_o       (unused_auth),
      .debug_req_o  (debug_req),
      .unavailable_i('0),
      .hart_reset_i ({NumHarts{!rst_sys_n}}),
      .hart_reset_o (unused_hart_reset),
      .ndmreset_o   (ndmreset)
    );
  end else begin : gen_no_debug
    assign {jtag_tdo_o, jtag_tdo_oe_o, debug_req, debug_bus_req, ndmreset} = '0;
    assign dev_rsp[SharedDebug] = '0;
    logic unused;
    assign unused = ^{jtag_tck_i, jtag_trst_ni, jtag_tms_i, jtag_tdi_i, debug_bus_rsp, dev_req[SharedDebug]};
  end
  function automatic bit all_alike();
    all_alike = 1'b1;
    for (int unsigned h = 0; h < NumHarts; h++) begin
      all_alike &= Tiles[h].Core.Debug == Tiles[0].Core.Debug && Tiles[h].Core.DebugBase == Tiles[0].Core.DebugBase;
    end
  endfunction
  if (!all_alike()) begin : gen_bad_debug
    $error("trapeze_soc: Debug and DebugBase must be the same for all harts");
  end

  // ---------------------------------------------------------------- devices
  tz_clint #(
    .NumHarts     (NumHarts),
    .MtimePrescale(MtimePrescale)
  ) u_clint (
    .clk_i,
    .rst_ni(rst_sys_n),
    .req_i    (dev_req[SharedClint]),
    .rsp_o    (dev_rsp[SharedClint]),
    .irq_i    (lines),
    .irq_ext_i(uart_irq),
    .stop_time_i(&stop_time),
    .pending_o(irq_pending),
    .timer_ahead_o
  );

  tz_uart u_uart (
    .clk_i,
    .rst_ni(rst_sys_n),
    .req_i     (dev_req[SharedUart]),
    .rsp_o     (dev_rsp[SharedUart]),
    .tx_valid_o(uart_tx_valid_o),
    .tx_data_o (uart_tx_data_o),
    .tx_ready_i(uart_tx_ready_i),
    .rx_valid_i(uart_rx_valid_i),
    .rx_data_i (uart_rx_data_i),
    .rx_ready_o(uart_rx_ready_o),
    .irq_o     (uart_irq)
  );

  tz_host #(
    .NumHarts(NumHarts)
  ) u_host (
    .clk_i,
    .rst_ni(rst_sys_n),
    .req_i(dev_req[SharedHost]),
    .rsp_o(dev_rsp[SharedHost]),
    .exit_valid_o,
    .exit_code_o
  );

  tz_latency_bench #(
    .ProbeWidth        (ProbeWidth),
    .ProbeDepth        (ProbeDepth),
    .ProbeHistogramBins(ProbeHistogramBins),
    .ProbeMoments      (ProbeMoments),
    .ProbeBreak        (Tiles[0].Core.Debug && Tiles[0].Core.Triggers != 0),
    .RandomWords       (RandomWords),
    .RandomCycles      (RandomCycles),
    .Map               (Map)
  ) u_latency_bench (
    .clk_i        (clk_bench_i),
    .rst_ni(rst_sys_n),
    .req_i        (dev_req[SharedProbe]),
    .rsp_o        (dev_rsp[SharedProbe]),
    .stress_req_o (stress_req),
    .stress_addr_o(stress_addr),
    .irq_o        (probe_irq),
    .event_o      (probe_event_o),
    .break_o      (probe_break),
    .active_o     (bench_active_o)
  );

`ifdef TRAPEZE_CHECK
  for (genvar s = 0; s < int'(NumShared); s++) begin : gen_check
    // The cycles until a grant, as in README.md: the latency measurement also waits for a probe that records, and an
    // AMO keeps the shared bank busy for a cycle.
    tz_obi_check #(
      .NextCycle (1),
      .MaxRefused((s == SharedProbe) ? 12 : (s == SharedShmem) ? 1 : 0)
    ) u_port (
      .clk_i,
      .rst_ni(rst_sys_n),
      .req_i(dev_req[s]),
      .rsp_i(dev_rsp[s])
    );
  end
`endif

endmodule
