// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of a tile that stands alone, with a memory map of its own and no shared window. The test writes the program
// into the memory arrays and answers at the default port.
module tb_tile #(
  parameter bit DefaultPort = 1'b1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  output obi_pkg::obi_req_t other_req_o,
  input  obi_pkg::obi_rsp_t other_rsp_i,
  output logic              shared_o,  // a request at a port to what harts share
  output logic              sleep_o
);

  import soc_cfg_pkg::*;

  localparam core_cfg_pkg::core_cfg_t Core = core_cfg_pkg::core_cfg(
    .IrqScheme(irq_pkg::IrqClic), .Saver(core_cfg_pkg::SaverBanks), .ResetVector(32'h4000_0000));
  localparam tile_cfg_t Cfg = tile_cfg(.Core(Core));
  localparam tile_map_t Map = tile_map(
    .Imem('{32'h4000_0000, 4096}), .Dmem('{32'h5000_0000, 2048}), .Smem('{32'h6000_0000, 1024}),
    .Clic('{32'h1200_0000, 32768}), .ClicUser('0), .Host('0), .Clint('0), .Uart('0), .Probe('0), .Shmem('0));

  obi_pkg::obi_req_t [NumShared-1:0] shared_req;
  always_comb begin
    shared_o = 1'b0;
    for (int unsigned s = 0; s < NumShared; s++) shared_o |= shared_req[s].req;
  end

  tz_tile #(
    .Cfg        (Cfg),
    .Map        (Map),
    .DefaultPort(DefaultPort)
  ) u_tile (
    .clk_i,
    .rst_ni,
    .irq_i               ('0),
    .probe_irq_i         (1'b0),
    .uart_irq_i          (1'b0),
    .irq_pending_i       ('0),
    .lines_o             (),
    .post_o              (),
    .post_i              ('0),
    .shared_req_o        (shared_req),
    .shared_rsp_i        ('0),
    .other_req_o,
    .other_rsp_i,
    .reserves_o          (),
    .reserves_elsewhere_i(1'b0),
    .stress_req_i        (1'b0),
    .stress_addr_i       ('0),
    .wait_instr_i        ('0),
    .wait_data_i         ('0),
    .wait_seed_i         ('0),
    .rvfi_o              (),
    .irq_event_o         (),
    .observe_o           (),
    .inspect_i           ('0),
    .sleep_o
  );

endmodule
