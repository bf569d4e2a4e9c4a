// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of trapeze_soc with a CLIC of many sources. The last source is a port of the top. The test writes the
// program into the memory arrays.
module tb_sources #(
  parameter int unsigned NumIrqSources = 4096
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        irq_last_i,
  output logic        exit_valid_o,
  output logic [31:0] exit_code_o
);

  logic [NumIrqSources-17:0] irq;
  assign irq = {irq_last_i, {(NumIrqSources - 17) {1'b0}}};

  trapeze_soc #(
    .Tiles(soc_cfg_pkg::tile_cfg(
      .Core(core_cfg_pkg::core_cfg(.IrqScheme(irq_pkg::IrqClic), .NumIrqSources(NumIrqSources)))))
  ) u_soc (
    .clk_i,
    .clk_bench_i    (clk_i),
    .rst_ni,
    .irq_i          (irq),
    .uart_tx_valid_o(),
    .uart_tx_data_o (),
    .uart_tx_ready_i(1'b1),
    .uart_rx_valid_i(1'b0),
    .uart_rx_data_i ('0),
    .uart_rx_ready_o(),
    .timer_irq_o    (),
    .software_irq_o (),
    .uart_irq_o     (),
    .probe_event_o  (),
    .bench_active_o (),
    .exit_valid_o,
    .exit_code_o,
    .wait_instr_i   ('0),
    .wait_data_i    ('0),
    .wait_seed_i    ('0),
    .rvfi_o         (),
    .irq_event_o    (),
    .observe_o      (),
    .inspect_i      ('0),
    .sleep_o        (),
    .timer_ahead_o  ()
  );

endmodule
