// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_latency_bench on the SoC's bus matrix and memories: the stress generator, then manager a (data), then
// manager b (fetch only). wait_stress_i
// makes the stress generator wait for its grants, which nothing in the SoC does.
module tb_latency
  import trapeze_map_pkg::*;
#(
  parameter int unsigned Depth = 512
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        a_req_i,
  input  logic        a_we_i,
  input  logic [3:0]  a_be_i,
  input  logic [31:0] a_addr_i,
  input  logic [31:0] a_wdata_i,
  output logic        a_gnt_o,
  output logic        a_rvalid_o,
  output logic        a_err_o,
  output logic [31:0] a_rdata_o,
  input  logic        b_req_i,
  input  logic        b_we_i,
  input  logic [3:0]  b_be_i,
  input  logic [31:0] b_addr_i,
  input  logic [31:0] b_wdata_i,
  output logic        b_gnt_o,
  output logic        b_rvalid_o,
  output logic        b_err_o,
  output logic [31:0] b_rdata_o,
  input  logic [7:0]  wait_stress_i,
  output logic        stress_req_o,
  output logic        stress_gnt_o,
  output logic        stress_we_o,
  output logic [31:0] stress_addr_o,
  output logic        irq_o,
  output logic [2:0]  event_o
);

  localparam int unsigned NumManagers = 3;
  localparam int unsigned NumSubordinates = 4;  // imem, dmem, smem, the device

  obi_pkg::obi_req_t                       stress_req;
  obi_pkg::obi_rsp_t                       stress_rsp;
  obi_pkg::obi_req_t [NumManagers-1:0]     mgr_req;
  obi_pkg::obi_rsp_t [NumManagers-1:0]     mgr_rsp;
  obi_pkg::obi_req_t [NumSubordinates-1:0] sub_req;
  obi_pkg::obi_rsp_t [NumSubordinates-1:0] sub_rsp;

  assign mgr_req[1] = '{req: a_req_i, we: a_we_i, be: a_be_i, addr: a_addr_i, wdata: a_wdata_i};
  assign mgr_req[2] = '{req: b_req_i, we: b_we_i, be: b_be_i, addr: b_addr_i, wdata: b_wdata_i};
  assign {a_gnt_o, a_rvalid_o, a_err_o, a_rdata_o} = mgr_rsp[1];
  assign {b_gnt_o, b_rvalid_o, b_err_o, b_rdata_o} = mgr_rsp[2];

  assign stress_req_o  = stress_req.req;
  assign stress_we_o   = stress_req.we;
  assign stress_addr_o = stress_req.addr;
  assign stress_gnt_o  = stress_rsp.gnt;

  tz_obi_wait #(
    .Salt(32'h1234_5679)
  ) u_wait (
    .clk_i,
    .rst_ni,
    .chance_i (wait_stress_i),
    .seed_i   ('0),
    .mgr_req_i(stress_req),
    .mgr_rsp_o(stress_rsp),
    .sub_req_o(mgr_req[0]),
    .sub_rsp_i(mgr_rsp[0])
  );

  tz_xbar #(
    .NumManagers    (NumManagers),
    .NumSubordinates(NumSubordinates),
    .Base           ({ProbeBase, SmemBase, DmemBase, ImemBase}),
    .Mask           ({RegionMask[RegionProbe], RegionMask[RegionSmem], RegionMask[RegionDmem], RegionMask[RegionImem]}),
    .IsMemory       (4'b0111),
    .MemoryOnly     (3'b101)
  ) u_xbar (
    .clk_i,
    .rst_ni,
    .mgr_req_i(mgr_req),
    .mgr_rsp_o(mgr_rsp),
    .sub_req_o(sub_req),
    .sub_rsp_i(sub_rsp)
  );

  tz_sram #(
    .Size(ImemSize)
  ) u_imem (
    .clk_i,
    .rst_ni,
    .req_i(sub_req[0]),
    .rsp_o(sub_rsp[0])
  );
  tz_sram #(
    .Size(DmemSize)
  ) u_dmem (
    .clk_i,
    .rst_ni,
    .req_i(sub_req[1]),
    .rsp_o(sub_rsp[1])
  );
  tz_sram #(
    .Size(SmemSize)
  ) u_smem (
    .clk_i,
    .rst_ni,
    .req_i(sub_req[2]),
    .rsp_o(sub_rsp[2])
  );

  tz_latency_bench #(
    .ProbeDepth(Depth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i       (sub_req[3]),
    .rsp_o       (sub_rsp[3]),
    .stress_req_o(stress_req),
    .stress_rsp_i(stress_rsp),
    .irq_o,
    .event_o
  );

  tz_obi_check u_check_stress (
    .clk_i,
    .rst_ni,
    .req_i(stress_req),
    .rsp_i(stress_rsp)
  );
  for (genvar i = 0; i < int'(NumManagers); i++) begin : gen_check_mgr
    tz_obi_check #(
      .NextCycle(1)
    ) u_check (
      .clk_i,
      .rst_ni,
      .req_i(mgr_req[i]),
      .rsp_i(mgr_rsp[i])
    );
  end
  for (genvar i = 0; i < int'(NumSubordinates); i++) begin : gen_check_sub
    tz_obi_check #(
      .NextCycle(1)
    ) u_check (
      .clk_i,
      .rst_ni,
      .req_i(sub_req[i]),
      .rsp_i(sub_rsp[i])
    );
  end

endmodule
