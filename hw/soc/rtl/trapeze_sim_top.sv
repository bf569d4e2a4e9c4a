// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Top of the verilated SoC: `trapeze_soc` with wait states and retirement records, structs flattened into plain ports
// (`rvfi_<field>_o`, `irq_event_<field>_o`, fields as in `rvfi_pkg`).
module trapeze_sim_top
  import trapeze_map_pkg::*;
#(
  parameter bit          RV32E         = 0,
  parameter bit          ExtM          = 1,
  parameter bit          ExtA          = 0,
  parameter bit          ExtC          = 1,
  parameter bit          ExtZba        = 1,
  parameter bit          ExtZbb        = 1,
  parameter bit          ExtZbs        = 1,
  parameter logic [31:0] ResetVector   = ImemBase,
  parameter logic [31:0] HartId        = 0,
  parameter irq_pkg::irq_scheme_e IrqScheme = irq_pkg::IrqClint,
  parameter int unsigned NumIrqSources = 64,
  parameter int unsigned IrqLineBase   = 16,
  parameter int unsigned NumIrqLines   = (IrqScheme == irq_pkg::IrqClic) ? NumIrqSources - IrqLineBase
                                                                         : irq_pkg::NumPlatformLines,
  parameter bit          IrqSync       = 0,
  parameter int unsigned Saver         = 0,
  parameter int unsigned NumBanks      = 2,
  parameter bit          FastSharedPort = 0,
  parameter int unsigned ClicCtlBits   = 8,
  parameter bit          ClicPipeline  = 0,
  parameter int unsigned MtimePrescale = 1,
  parameter bit          WaitStates    = 1,
  parameter int unsigned ProbeWidth    = 16,
  parameter int unsigned ProbeDepth    = 512,
  parameter int unsigned ProbeHistogramBins = 0,
  parameter bit          ProbeMoments  = 0,
  parameter int unsigned RandomWords   = 16,
  parameter int unsigned RandomCycles  = 32,
  parameter bit          Rvfi          = 1
) (
  input  logic         clk_i,
  input  logic         clk_bench_i,
  input  logic         rst_ni,
  input  logic [NumIrqLines-1:0] irq_i,

  output logic         uart_tx_valid_o,
  output logic [7:0]   uart_tx_data_o,
  input  logic         uart_tx_ready_i,
  input  logic         uart_rx_valid_i,
  input  logic [7:0]   uart_rx_data_i,
  output logic         uart_rx_ready_o,

  output logic [2:0]   probe_event_o,
  output logic         bench_active_o,

  output logic         exit_valid_o,
  output logic [31:0]  exit_code_o,

  input  logic [7:0]   wait_instr_i,
  input  logic [7:0]   wait_data_i,
  input  logic [31:0]  wait_seed_i,

  output logic         rvfi_valid_o,
  output logic [63:0]  rvfi_order_o,
  output logic [31:0]  rvfi_insn_o,
  output logic         rvfi_trap_o,
  output logic         rvfi_intr_o,
  output logic [1:0]   rvfi_mode_o,
  output logic [4:0]   rvfi_rs1_addr_o,
  output logic [4:0]   rvfi_rs2_addr_o,
  output logic [31:0]  rvfi_rs1_rdata_o,
  output logic [31:0]  rvfi_rs2_rdata_o,
  output logic [4:0]   rvfi_rd_addr_o,
  output logic [31:0]  rvfi_rd_wdata_o,
  output logic [31:0]  rvfi_pc_rdata_o,
  output logic [31:0]  rvfi_pc_wdata_o,
  output logic [31:0]  rvfi_mem_addr_o,
  output logic [3:0]   rvfi_mem_rmask_o,
  output logic [3:0]   rvfi_mem_wmask_o,
  output logic [31:0]  rvfi_mem_rdata_o,
  output logic [31:0]  rvfi_mem_wdata_o,
  output logic [31:0]  rvfi_cause_o,
  output logic         rvfi_csr_we_o,
  output logic [11:0]  rvfi_csr_addr_o,
  output logic [31:0]  rvfi_csr_wdata_o,
  output logic [63:0]  rvfi_cycle_fetch_o,
  output logic [63:0]  rvfi_cycle_ex_o,
  output logic [63:0]  rvfi_cycle_retire_o,
  output logic [63:0]  rvfi_cycle_mem_o,
  output logic [63:0]  rvfi_cycle_mem2_o,
  output logic [3:0]   rvfi_hart_o,
  output logic         rvfi_irq_o,
  output logic [11:0]  rvfi_irq_id_o,
  output logic [7:0]   rvfi_irq_level_o,
  output logic         irq_event_valid_o,
  output logic [11:0]  irq_event_id_o,
  output logic [7:0]   irq_event_level_o,
  output logic [31:0]  irq_event_epc_o,
  output logic         sleep_o
);

  localparam core_cfg_pkg::core_cfg_t Core = core_cfg_pkg::core_cfg(
    .RV32E(RV32E), .ExtM(ExtM), .ExtA(ExtA), .ExtC(ExtC), .ExtZba(ExtZba), .ExtZbb(ExtZbb), .ExtZbs(ExtZbs),
    .ResetVector(ResetVector), .HartId(HartId), .IrqScheme(IrqScheme), .NumIrqSources(NumIrqSources),
    .Saver(core_cfg_pkg::saver_e'(2'(Saver))), .NumBanks(NumBanks), .Rvfi(Rvfi)
  );

  rvfi_pkg::rvfi_t      rvfi;
  rvfi_pkg::irq_event_t irq_event;

  trapeze_soc #(
    .Core         (Core),
    .IrqLineBase  (IrqLineBase),
    .NumIrqLines  (NumIrqLines),
    .IrqSync      (IrqSync),
    .FastSharedPort(FastSharedPort),
    .ClicCtlBits  (ClicCtlBits),
    .ClicPipeline (ClicPipeline),
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
    .irq_i,
    .uart_tx_valid_o,
    .uart_tx_data_o,
    .uart_tx_ready_i,
    .uart_rx_valid_i,
    .uart_rx_data_i,
    .uart_rx_ready_o,
    .probe_event_o,
    .bench_active_o,
    .exit_valid_o,
    .exit_code_o,
    .wait_instr_i,
    .wait_data_i,
    .wait_seed_i,
    .rvfi_o     (rvfi),
    .irq_event_o(irq_event),
    .sleep_o
  );

  assign rvfi_valid_o        = rvfi.valid;
  assign rvfi_order_o        = rvfi.order;
  assign rvfi_insn_o         = rvfi.insn;
  assign rvfi_trap_o         = rvfi.trap;
  assign rvfi_intr_o         = rvfi.intr;
  assign rvfi_mode_o         = rvfi.mode;
  assign rvfi_rs1_addr_o     = rvfi.rs1_addr;
  assign rvfi_rs2_addr_o     = rvfi.rs2_addr;
  assign rvfi_rs1_rdata_o    = rvfi.rs1_rdata;
  assign rvfi_rs2_rdata_o    = rvfi.rs2_rdata;
  assign rvfi_rd_addr_o      = rvfi.rd_addr;
  assign rvfi_rd_wdata_o     = rvfi.rd_wdata;
  assign rvfi_pc_rdata_o     = rvfi.pc_rdata;
  assign rvfi_pc_wdata_o     = rvfi.pc_wdata;
  assign rvfi_mem_addr_o     = rvfi.mem_addr;
  assign rvfi_mem_rmask_o    = rvfi.mem_rmask;
  assign rvfi_mem_wmask_o    = rvfi.mem_wmask;
  assign rvfi_mem_rdata_o    = rvfi.mem_rdata;
  assign rvfi_mem_wdata_o    = rvfi.mem_wdata;
  assign rvfi_cause_o        = rvfi.cause;
  assign rvfi_csr_we_o       = rvfi.csr_we;
  assign rvfi_csr_addr_o     = rvfi.csr_addr;
  assign rvfi_csr_wdata_o    = rvfi.csr_wdata;
  assign rvfi_cycle_fetch_o  = rvfi.cycle_fetch;
  assign rvfi_cycle_ex_o     = rvfi.cycle_ex;
  assign rvfi_cycle_retire_o = rvfi.cycle_retire;
  assign rvfi_cycle_mem_o    = rvfi.cycle_mem;
  assign rvfi_cycle_mem2_o   = rvfi.cycle_mem2;
  assign rvfi_hart_o         = rvfi.hart;
  assign rvfi_irq_o          = rvfi.irq;
  assign rvfi_irq_id_o       = rvfi.irq_id;
  assign rvfi_irq_level_o    = rvfi.irq_level;
  assign irq_event_valid_o   = irq_event.valid;
  assign irq_event_id_o      = irq_event.id;
  assign irq_event_level_o   = irq_event.level;
  assign irq_event_epc_o     = irq_event.epc;

endmodule
