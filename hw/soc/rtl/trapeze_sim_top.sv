// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Top of the verilated SoC: `trapeze_soc` with the parameters of the package `platform_pkg`, with wait states and
// retirement records. The laboratory (trapeze.platform.rtl) writes platform_pkg for each configuration.
//
// If that package says `Alone`, one tile of the platform instead, for a co-simulation: everything else is outside, at the
// ports `other_*`, and so is what drives its interrupts. With `Memory` there are memories outside, and all that is not the
// tile's own is at its default port; else these are its ports to what harts share. A request to the latency measurement, which has
// a port of its own, is granted one cycle after `other_gnt_i`, others at once. The answer is an input in the cycle of the grant, and an access of the
// stress generator in the cycle before it. So all these inputs go to flip-flops, and a simulator evaluates the tile once a
// cycle; but for `other_hold_i`, which refuses a request at the default port in its cycle. `passed_i`: observe_pkg::inspect_t.
//
// Structs are flattened into plain ports: `rvfi_<field>_o` and `irq_event_<field>_o` (rvfi_pkg), `observe_<field>_o`
// (observe_pkg::observe_t), and `inspect_<field>_i`, which go to every hart. A port that exists for each hart is an
// array, so that a simulator sees the same types whatever the number of harts.
module trapeze_sim_top
  import platform_pkg::*;
#(
  parameter int unsigned MtimePrescale = 1,
  parameter bit          WaitStates    = 1,
  parameter bit          Debug         = 0,   // ports for debuggers: inspect_*_i and what answers them; else zero
  parameter int unsigned ProbeWidth    = 16,
  parameter int unsigned ProbeDepth    = 512,
  parameter int unsigned ProbeHistogramBins = 0,
  parameter bit          ProbeMoments  = 0,
  parameter int unsigned RandomWords   = 16,
  parameter int unsigned RandomCycles  = 32
) (
  input  logic         clk_i,
  input  logic         clk_bench_i,
  input  logic         rst_ni,
  input  logic [NumIrqLines-1:0] irq_i [NumHarts],

  output logic         uart_tx_valid_o,
  output logic [7:0]   uart_tx_data_o,
  input  logic         uart_tx_ready_i,
  input  logic         uart_rx_valid_i,
  input  logic [7:0]   uart_rx_data_i,
  output logic         uart_rx_ready_o,

  output logic [3+2*NumHarts:0] signal_o,  // signals whose rises are reported: {msip, mtip of each hart, interrupt of
                                           // the UART, event_o of the latency measurement}
  output logic         bench_active_o,

  output logic [NumHarts-1:0] exit_valid_o,
  output logic [31:0]         exit_code_o [NumHarts],

  input  logic [7:0]   wait_instr_i,
  input  logic [7:0]   wait_data_i,
  input  logic [31:0]  wait_seed_i,

  output logic [NumHarts-1:0] sleep_o,
  output logic [NumHarts-1:0] timer_ahead_o,
  output logic [NumHarts-1:0] rvfi_valid_o,
  output logic [NumHarts-1:0] irq_event_valid_o,
  output logic [63:0]  rvfi_order_o [NumHarts],
  output logic [31:0]  rvfi_insn_o [NumHarts],
  output logic         rvfi_trap_o [NumHarts],
  output logic         rvfi_intr_o [NumHarts],
  output logic [1:0]   rvfi_mode_o [NumHarts],
  output logic [4:0]   rvfi_rs1_addr_o [NumHarts],
  output logic [4:0]   rvfi_rs2_addr_o [NumHarts],
  output logic [31:0]  rvfi_rs1_rdata_o [NumHarts],
  output logic [31:0]  rvfi_rs2_rdata_o [NumHarts],
  output logic [4:0]   rvfi_rd_addr_o [NumHarts],
  output logic [31:0]  rvfi_rd_wdata_o [NumHarts],
  output logic [31:0]  rvfi_pc_rdata_o [NumHarts],
  output logic [31:0]  rvfi_pc_wdata_o [NumHarts],
  output logic [31:0]  rvfi_mem_addr_o [NumHarts],
  output logic [3:0]   rvfi_mem_rmask_o [NumHarts],
  output logic [3:0]   rvfi_mem_wmask_o [NumHarts],
  output logic [31:0]  rvfi_mem_rdata_o [NumHarts],
  output logic [31:0]  rvfi_mem_wdata_o [NumHarts],
  output logic [31:0]  rvfi_cause_o [NumHarts],
  output logic         rvfi_csr_we_o [NumHarts],
  output logic [11:0]  rvfi_csr_addr_o [NumHarts],
  output logic [31:0]  rvfi_csr_wdata_o [NumHarts],
  output logic [63:0]  rvfi_cycle_fetch_o [NumHarts],
  output logic [63:0]  rvfi_cycle_ex_o [NumHarts],
  output logic [63:0]  rvfi_cycle_retire_o [NumHarts],
  output logic [63:0]  rvfi_cycle_mem_o [NumHarts],
  output logic [63:0]  rvfi_cycle_mem2_o [NumHarts],
  output logic [3:0]   rvfi_hart_o [NumHarts],
  output logic         rvfi_irq_o [NumHarts],
  output logic [11:0]  rvfi_irq_id_o [NumHarts],
  output logic [7:0]   rvfi_irq_level_o [NumHarts],
  output logic [11:0]  irq_event_id_o [NumHarts],
  output logic [7:0]   irq_event_level_o [NumHarts],
  output logic [31:0]  irq_event_epc_o [NumHarts],

  output logic [7:0]   observe_level_o [NumHarts],
  output logic [2:0]   observe_bank_o [NumHarts],
  output logic [4:0]   observe_held_o [NumHarts],
  output logic [4:0]   observe_leaving_o [NumHarts],
  output logic         observe_judging_o [NumHarts],
  output logic         observe_frame_req_o [NumHarts],
  output logic         observe_frame_we_o [NumHarts],
  output logic [31:0]  observe_frame_addr_o [NumHarts],
  output logic         observe_frame_gnt_o [NumHarts],
  output logic         observe_posts_word_o [NumHarts],
  output logic         observe_posts_notified_o [NumHarts],
  output logic [5:0]   observe_posts_atop_o [NumHarts],
  output logic [31:0]  observe_posts_addr_o [NumHarts],
  output logic [31:0]  observe_posts_wdata_o [NumHarts],
  output logic         observe_posts_joins_o [NumHarts],
  output logic         observe_posts_high_o [NumHarts],
  output logic [31:0]  observe_posts_vectors_o [NumHarts],
  output logic         observe_posts_sends_o [NumHarts],
  output logic [31:0]  observe_posts_to_o [NumHarts],
  output logic [7:0]   observe_posts_vector_o [NumHarts],
  output logic         observe_posts_ends_o [NumHarts],
  output logic         observe_posts_pulse_o [NumHarts],
  output logic [7:0]   observe_posts_source_o [NumHarts],
  output logic [1:0]   observe_priv_o [NumHarts],
  output logic [31:0]  observe_next_pc_o [NumHarts],
  output logic         observe_next_table_o [NumHarts],
  output logic         observe_idle_o [NumHarts],
  output logic         observe_exists_o [NumHarts],
  output logic [31:0]  observe_value_o [NumHarts],
  input  logic         inspect_valid_i,
  input  logic         inspect_csr_i,
  input  logic [11:0]  inspect_number_i,

  // Alone: what is outside of the tile. Else the outputs are zero, and the inputs are not used.
  output logic         other_req_o,
  output logic         other_we_o,
  output logic [3:0]   other_be_o,
  output logic [5:0]   other_atop_o,
  output logic [1:0]   other_prv_o,
  output logic [1:0]   other_port_o,
  output logic [31:0]  other_addr_o,
  output logic [31:0]  other_wdata_o,
  output logic         other_reserved_o,    // an LR or SC is granted in a bank of the tile
  output logic         other_gnt_o,         // with other_req_o: it is granted
  input  logic         other_gnt_i,
  input  logic         other_hold_i,        // what is at the default port is not granted in this cycle
  input  logic         other_rvalid_i,
  input  logic         other_err_i,
  input  logic         other_exokay_i,
  input  logic [31:0]  other_rdata_i,
  input  logic         software_irq_i,      // of the CLINT, from its flip-flops
  input  logic         timer_irq_i,
  input  logic         uart_irq_i,
  input  logic         probe_irq_i,
  input  logic         stress_req_i,        // access of the stress generator to a bank of the tile
  input  logic [31:0]  stress_addr_i,
  input  logic [63:0]  passed_i,

  input  logic         jtag_tck_i,
  input  logic         jtag_trst_ni,
  input  logic         jtag_tms_i,
  input  logic         jtag_tdi_i,
  output logic         jtag_tdo_o
);

  logic [NumHarts-1:0][NumIrqLines-1:0]       irq;
  logic [NumHarts-1:0][31:0]                  exit_code;
  rvfi_pkg::rvfi_t [NumHarts-1:0]             rvfi;
  rvfi_pkg::irq_event_t [NumHarts-1:0]        irq_event;
  observe_pkg::observe_t [NumHarts-1:0]       observe;
  observe_pkg::inspect_t                      inspect;
  logic [NumHarts-1:0]                        timer_irq, software_irq;

  if (Alone) begin : gen_alone
    if (NumHarts != 1) begin : gen_bad_harts
      $error("trapeze_sim_top: a tile alone has one hart");
    end
    obi_pkg::obi_req_t req, default_req;
    obi_pkg::obi_rsp_t rsp;
    obi_pkg::obi_rsp_t [soc_cfg_pkg::NumShared-1:0] shared_rsp;
    irq_pkg::clint_pending_t pending;
    logic [irq_pkg::NumPlatformLines-1:0] lines, lines_q;
    logic external_q, gnt_q, rvalid_q, err_q, exokay_q, stress_req_q;
    logic [31:0] rdata_q, stress_addr_q;
    logic unused_stop_time;
    obi_pkg::obi_rsp_t unused_debug_bus;
    uintr_pkg::to_others_t   to_others;
    uintr_pkg::from_others_t from_others;
    obi_pkg::obi_req_t [soc_cfg_pkg::NumShared-1:0] shared_req;

    // The platform's part of the CLINT scheme: one flip-flop behind each line, as in tz_clint.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        lines_q      <= '0;
        external_q   <= 1'b0;
        gnt_q        <= 1'b0;
        rvalid_q     <= 1'b0;
        stress_req_q <= 1'b0;
      end else begin
        lines_q      <= lines;
        external_q   <= uart_irq_i;
        gnt_q        <= other_gnt_i;
        rvalid_q     <= other_rvalid_i;
        stress_req_q <= stress_req_i;
      end
    end
    always_ff @(posedge clk_i) begin
      {err_q, exokay_q, rdata_q} <= {other_err_i, other_exokay_i, other_rdata_i};
      stress_addr_q <= stress_addr_i;
    end
    assign pending = '{platform: lines_q, external: external_q, timer: timer_irq_i, software: software_irq_i};

    tz_tile #(
      .Cfg        (Tiles[0]),
      .Hart       (Number),
      .Lines      (NumIrqLines),
      .Map        (Map),
      .DefaultPort(Memory),
      .WaitStates (WaitStates)
    ) u_tile (
      .clk_i,
      .rst_ni,
      .irq_i               (irq[0]),
      .probe_irq_i,
      .uart_irq_i,
      .irq_pending_i       (pending),
      .lines_o             (lines),
      .post_o              (to_others),
      .post_i              (from_others),
      .shared_req_o        (shared_req),
      .shared_rsp_i        (shared_rsp),
      .other_req_o         (default_req),
      .other_rsp_i         (rsp),
      .reserves_o          (other_reserved_o),
      .reserves_elsewhere_i(default_req.req && (default_req.atop inside {obi_pkg::AtopLr, obi_pkg::AtopSc})),
      .stress_req_i        (stress_req_q),
      .stress_addr_i       (stress_addr_q),
      .wait_instr_i,
      .wait_data_i,
      .wait_seed_i,
      .rvfi_o              (rvfi[0]),
      .irq_event_o         (irq_event[0]),
      .observe_o           (observe[0]),
      .inspect_i           (inspect),
      .sleep_o             (sleep_o[0]),
      .debug_req_i         (1'b0),
      .trigger_i           (1'b0),
      .debug_stop_time_o   (unused_stop_time),
      .debug_bus_req_i     ('0),
      .debug_bus_rsp_o     (unused_debug_bus)
    );
    if (Tiles[0].Core.Uintr) begin : gen_notify
      tz_notify #(
        .NumHarts(1),
        .HartId  (Tiles[0].Core.HartId),
        .Receives(1'b1)
      ) u_notify (
        .clk_i,
        .rst_ni,
        .harts_i(to_others),
        .harts_o(from_others)
      );
    end else begin : gen_no_notify
      assign from_others = '0;
      logic unused;
      assign unused = ^to_others;
    end

    // One request is shown at a time, and no other one is granted: that of the latency measurement first, which has
    // its turn until its grant; then of the others that harts share the last one, then the default port's. So a fetch
    // from memory outside waits while a load or store is at the latency measurement.
    logic [soc_cfg_pkg::NumShared-1:0] shown;
    always_comb begin
      req   = default_req;
      shown = '0;
      for (int unsigned s = 0; s < soc_cfg_pkg::NumShared; s++) begin
        if (shared_req[s].req && !shown[soc_cfg_pkg::SharedProbe]) begin
          req      = shared_req[s];
          shown    = '0;
          shown[s] = 1'b1;
        end
      end
    end
    assign {other_req_o, other_we_o, other_be_o, other_atop_o} = {req.req, req.we, req.be, req.atop};
    assign {other_prv_o, other_port_o, other_addr_o, other_wdata_o} = {req.prv, req.mid.port, req.addr, req.wdata};
    assign other_gnt_o = gnt_q || !shown[soc_cfg_pkg::SharedProbe];
    assign rsp = '{exokay: exokay_q, gnt: !other_hold_i && shown == '0, rvalid: rvalid_q, err: err_q, rdata: rdata_q};
    always_comb begin
      for (int unsigned s = 0; s < soc_cfg_pkg::NumShared; s++) begin
        shared_rsp[s]     = rsp;
        shared_rsp[s].gnt = !other_hold_i && shown[s];
      end
      shared_rsp[soc_cfg_pkg::SharedProbe].gnt = gnt_q;
    end
    assign {timer_irq, software_irq} = {timer_irq_i, software_irq_i};
    assign signal_o[3:0] = {uart_irq_i, 3'b0};
    assign {uart_tx_valid_o, uart_tx_data_o, uart_rx_ready_o} = '0;
    assign {bench_active_o, timer_ahead_o, exit_valid_o, exit_code, jtag_tdo_o} = '0;
    logic unused;
    assign unused = ^{jtag_tck_i, jtag_trst_ni, jtag_tms_i, jtag_tdi_i, clk_bench_i, uart_tx_ready_i,
                      uart_rx_valid_i, uart_rx_data_i, shared_req, req.mid.hart};
  end else begin : gen_soc
    logic unused_tdo_oe;
    trapeze_soc #(
      .NumHarts     (NumHarts),
      .Tiles        (Tiles),
      .NumIrqLines  (NumIrqLines),
      .Map          (Map),
      .MtimePrescale(MtimePrescale),
      .WaitStates   (WaitStates),
      .ProbeWidth   (ProbeWidth),
      .ProbeDepth   (ProbeDepth),
      .ProbeHistogramBins(ProbeHistogramBins),
      .ProbeMoments (ProbeMoments),
      .RandomWords  (RandomWords),
      .RandomCycles (RandomCycles)
    ) u_soc (
      .clk_i,
      .clk_bench_i,
      .rst_ni,
      .irq_i      (irq),
      .uart_tx_valid_o,
      .uart_tx_data_o,
      .uart_tx_ready_i,
      .uart_rx_valid_i,
      .uart_rx_data_i,
      .uart_rx_ready_o,
      .timer_irq_o   (timer_irq),
      .software_irq_o(software_irq),
      .uart_irq_o    (signal_o[3]),
      .probe_event_o (signal_o[2:0]),
      .bench_active_o,
      .exit_valid_o,
      .exit_code_o(exit_code),
      .wait_instr_i,
      .wait_data_i,
      .wait_seed_i,
      .rvfi_o     (rvfi),
      .irq_event_o(irq_event),
      .observe_o  (observe),
      .inspect_i  (inspect),
      .sleep_o,
      .timer_ahead_o,
      .jtag_tck_i,
      .jtag_trst_ni,
      .jtag_tms_i,
      .jtag_tdi_i,
      .jtag_tdo_o,
      .jtag_tdo_oe_o(unused_tdo_oe)
    );
    assign {other_req_o, other_we_o, other_be_o, other_atop_o, other_prv_o, other_port_o} = '0;
    assign {other_addr_o, other_wdata_o, other_reserved_o, other_gnt_o} = '0;
    logic unused;
    assign unused = ^{other_gnt_i, other_hold_i, other_rvalid_i, other_err_i, other_exokay_i, other_rdata_i,
                      software_irq_i, timer_irq_i, uart_irq_i, probe_irq_i, stress_req_i, stress_addr_i,
                      Number, Memory};
  end

  for (genvar h = 0; h < int'(NumHarts); h++) begin : gen_hart
    assign signal_o[4+2*h+:2]       = {software_irq[h], timer_irq[h]};
    assign irq[h]                   = irq_i[h];
    assign exit_code_o[h]           = exit_code[h];
    assign rvfi_valid_o[h]          = rvfi[h].valid;
    assign rvfi_order_o[h]          = rvfi[h].order;
    assign rvfi_insn_o[h]           = rvfi[h].insn;
    assign rvfi_trap_o[h]           = rvfi[h].trap;
    assign rvfi_intr_o[h]           = rvfi[h].intr;
    assign rvfi_mode_o[h]           = rvfi[h].mode;
    assign rvfi_rs1_addr_o[h]       = rvfi[h].rs1_addr;
    assign rvfi_rs2_addr_o[h]       = rvfi[h].rs2_addr;
    assign rvfi_rs1_rdata_o[h]      = rvfi[h].rs1_rdata;
    assign rvfi_rs2_rdata_o[h]      = rvfi[h].rs2_rdata;
    assign rvfi_rd_addr_o[h]        = rvfi[h].rd_addr;
    assign rvfi_rd_wdata_o[h]       = rvfi[h].rd_wdata;
    assign rvfi_pc_rdata_o[h]       = rvfi[h].pc_rdata;
    assign rvfi_pc_wdata_o[h]       = rvfi[h].pc_wdata;
    assign rvfi_mem_addr_o[h]       = rvfi[h].mem_addr;
    assign rvfi_mem_rmask_o[h]      = rvfi[h].mem_rmask;
    assign rvfi_mem_wmask_o[h]      = rvfi[h].mem_wmask;
    assign rvfi_mem_rdata_o[h]      = rvfi[h].mem_rdata;
    assign rvfi_mem_wdata_o[h]      = rvfi[h].mem_wdata;
    assign rvfi_cause_o[h]          = rvfi[h].cause;
    assign rvfi_csr_we_o[h]         = rvfi[h].csr_we;
    assign rvfi_csr_addr_o[h]       = rvfi[h].csr_addr;
    assign rvfi_csr_wdata_o[h]      = rvfi[h].csr_wdata;
    assign rvfi_cycle_fetch_o[h]    = rvfi[h].cycle_fetch;
    assign rvfi_cycle_ex_o[h]       = rvfi[h].cycle_ex;
    assign rvfi_cycle_retire_o[h]   = rvfi[h].cycle_retire;
    assign rvfi_cycle_mem_o[h]      = rvfi[h].cycle_mem;
    assign rvfi_cycle_mem2_o[h]     = rvfi[h].cycle_mem2;
    assign rvfi_hart_o[h]           = rvfi[h].hart;
    assign rvfi_irq_o[h]            = rvfi[h].irq;
    assign rvfi_irq_id_o[h]         = rvfi[h].irq_id;
    assign rvfi_irq_level_o[h]      = rvfi[h].irq_level;
    assign irq_event_valid_o[h]     = irq_event[h].valid;
    assign irq_event_id_o[h]        = irq_event[h].id;
    assign irq_event_level_o[h]     = irq_event[h].level;
    assign irq_event_epc_o[h]       = irq_event[h].epc;
    assign observe_level_o[h]       = observe[h].level;
    assign observe_bank_o[h]        = observe[h].bank;
    assign observe_held_o[h]        = observe[h].held;
    assign observe_leaving_o[h]     = observe[h].leaving;
    assign observe_judging_o[h]     = observe[h].judging;
    assign observe_frame_req_o[h]   = observe[h].frame_req;
    assign observe_frame_we_o[h]    = observe[h].frame_we;
    assign observe_frame_addr_o[h]  = observe[h].frame_addr;
    assign observe_frame_gnt_o[h]   = observe[h].frame_gnt;
    assign observe_posts_word_o[h] = observe[h].posts.word;
    assign observe_posts_notified_o[h] = observe[h].posts.notified;
    assign observe_posts_atop_o[h] = observe[h].posts.atop;
    assign observe_posts_addr_o[h] = observe[h].posts.addr;
    assign observe_posts_wdata_o[h] = observe[h].posts.wdata;
    assign observe_posts_joins_o[h] = observe[h].posts.joins;
    assign observe_posts_high_o[h] = observe[h].posts.high;
    assign observe_posts_vectors_o[h] = observe[h].posts.vectors;
    assign observe_posts_sends_o[h] = observe[h].posts.sends;
    assign observe_posts_to_o[h] = observe[h].posts.to;
    assign observe_posts_vector_o[h] = observe[h].posts.vector;
    assign observe_posts_ends_o[h] = observe[h].posts.ends;
    assign observe_posts_pulse_o[h] = observe[h].posts.pulse;
    assign observe_posts_source_o[h] = observe[h].posts.source;
    if (Debug) begin : gen_debug
      assign observe_priv_o[h]       = observe[h].priv;
      assign observe_next_pc_o[h]    = observe[h].next_pc;
      assign observe_next_table_o[h] = observe[h].next_table;
      assign observe_idle_o[h]       = observe[h].idle;
      assign observe_exists_o[h]     = observe[h].exists;
      assign observe_value_o[h]      = observe[h].value;
    end else begin : gen_no_debug
      assign observe_priv_o[h]       = '0;
      assign observe_next_pc_o[h]    = '0;
      assign observe_next_table_o[h] = 1'b0;
      assign observe_idle_o[h]       = 1'b0;
      assign observe_exists_o[h]     = 1'b0;
      assign observe_value_o[h]      = '0;
      logic unused;
      assign unused = ^{observe[h].priv, observe[h].next_pc, observe[h].next_table, observe[h].idle, observe[h].exists,
                        observe[h].value};
    end
  end

  assign inspect = '{valid: Debug && inspect_valid_i, csr: Debug && inspect_csr_i,
                     number: Debug ? inspect_number_i : '0, passed: Alone ? passed_i : '0};

endmodule
