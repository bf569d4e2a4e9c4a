// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_latency_bench on the SoC's bus matrix and memories. Managers: a (data), then b (fetches only). The
// stress generator stands in front of the banks. The clock of the device under test stands still whenever it may. A
// second device, whose clock always runs, must behave in the same way.
module tb_latency
  import trapeze_map_pkg::*;
#(
  parameter int unsigned Depth = 512
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  obi_pkg::obi_req_t a_req_i,
  output obi_pkg::obi_rsp_t a_rsp_o,
  input  obi_pkg::obi_req_t b_req_i,
  output obi_pkg::obi_rsp_t b_rsp_o,
  output logic              stress_req_o,
  output logic [31:0]       stress_addr_o,
  output logic              active_o,
  output logic              irq_o,
  output logic [2:0]        event_o
);

  localparam int unsigned NumManagers = 2;
  localparam int unsigned NumSubordinates = 4;  // imem, dmem, smem, the device
  localparam int unsigned NumBanks = 3;
  localparam logic [NumSubordinates-1:0][31:0] Base = {ProbeBase, SmemBase, DmemBase, ImemBase};
  localparam logic [NumSubordinates-1:0][31:0] Mask = {
    RegionMask[RegionProbe], RegionMask[RegionSmem], RegionMask[RegionDmem], RegionMask[RegionImem]
  };

  obi_pkg::obi_req_t [NumManagers-1:0]     mgr_req;
  obi_pkg::obi_rsp_t [NumManagers-1:0]     mgr_rsp;
  obi_pkg::obi_req_t [NumSubordinates-1:0] sub_req;
  obi_pkg::obi_rsp_t [NumSubordinates-1:0] sub_rsp;
  obi_pkg::obi_req_t [NumBanks-1:0]        bank_req;
  obi_pkg::obi_rsp_t [NumBanks-1:0]        bank_rsp;

  assign mgr_req = {b_req_i, a_req_i};
  assign {b_rsp_o, a_rsp_o} = mgr_rsp;

  // A clock gate as in silicon: it is open, or not, for the whole high half of the clock.
  logic open, clk_bench;
  always_latch begin
    if (!clk_i) open = active_o || !rst_ni;
  end
  assign clk_bench = clk_i && open;

  tz_xbar #(
    .NumManagers    (NumManagers),
    .NumSubordinates(NumSubordinates),
    .Base           (Base),
    .Mask           (Mask),
    .IsMemory       (4'b0111),
    .MemoryOnly     (2'b10)
  ) u_xbar (
    .clk_i,
    .rst_ni,
    .mgr_req_i(mgr_req),
    .mgr_rsp_o(mgr_rsp),
    .sub_req_o(sub_req),
    .sub_rsp_i(sub_rsp)
  );

  for (genvar b = 0; b < int'(NumBanks); b++) begin : gen_bank
    tz_bank_mux #(
      .Base(Base[b]),
      .Mask(Mask[b])
    ) u_mux (
      .clk_i,
      .rst_ni,
      .stress_req_i (stress_req_o),
      .stress_addr_i(stress_addr_o),
      .req_i        (sub_req[b]),
      .rsp_o        (sub_rsp[b]),
      .bank_req_o   (bank_req[b]),
      .bank_rsp_i   (bank_rsp[b])
    );
    tz_obi_check #(
      .NextCycle(1)
    ) u_check (
      .clk_i,
      .rst_ni,
      .req_i(bank_req[b]),
      .rsp_i(bank_rsp[b])
    );
  end

  tz_sram #(
    .Size(ImemSize)
  ) u_imem (
    .clk_i,
    .rst_ni,
    .req_i(bank_req[0]),
    .rsp_o(bank_rsp[0])
  );
  tz_sram #(
    .Size(DmemSize)
  ) u_dmem (
    .clk_i,
    .rst_ni,
    .req_i(bank_req[1]),
    .rsp_o(bank_rsp[1])
  );
  tz_sram #(
    .Size(SmemSize)
  ) u_smem (
    .clk_i,
    .rst_ni,
    .req_i(bank_req[2]),
    .rsp_o(bank_rsp[2])
  );

  logic break_made, ref_break;
  tz_latency_bench #(
    .ProbeDepth(Depth)
  ) u_dut (
    .clk_i(clk_bench),
    .rst_ni,
    .req_i(sub_req[3]),
    .rsp_o(sub_rsp[3]),
    .stress_req_o,
    .stress_addr_o,
    .irq_o,
    .event_o,
    .break_o(break_made),
    .active_o
  );

  obi_pkg::obi_rsp_t ref_rsp;
  logic              ref_stress_req, ref_irq, ref_active;
  logic [31:0]       ref_stress_addr;
  logic [2:0]        ref_event;
  tz_latency_bench #(
    .ProbeDepth(Depth)
  ) u_ref (
    .clk_i,
    .rst_ni,
    .req_i        (sub_req[3]),
    .rsp_o        (ref_rsp),
    .stress_req_o (ref_stress_req),
    .stress_addr_o(ref_stress_addr),
    .irq_o        (ref_irq),
    .event_o      (ref_event),
    .break_o      (ref_break),
    .active_o     (ref_active)
  );

  Same_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
    {sub_rsp[3], stress_req_o, stress_addr_o, irq_o, event_o, break_made, active_o} ==
    {ref_rsp, ref_stress_req, ref_stress_addr, ref_irq, ref_event, ref_break, ref_active});

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
