// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_xbar: manager a (data), b (fetch only) and c (frames) on two memory banks and a slow
// device.
//   0x0000 bank 0, 1 KiB; 0x1000 bank 1, 1 KiB; 0x2000 device, 256 bytes
// The device grants when slow_gnt_i is high. It answers with the inverted address, and with an error at odd words.
// With Default the device has every other address, too. With Late, fetches and frames ask bank 1 and the device one cycle later.
module tb_xbar (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  obi_pkg::obi_req_t a_req_i,
  output obi_pkg::obi_rsp_t a_rsp_o,
  input  obi_pkg::obi_req_t b_req_i,
  output obi_pkg::obi_rsp_t b_rsp_o,
  input  obi_pkg::obi_req_t c_req_i,
  output obi_pkg::obi_rsp_t c_rsp_o,
  output logic [13:0]       bank_sees_o,  // prv, mid and atop of the request to bank 0
  output logic [2:0]        asked_o,      // a request reaches bank 0, bank 1, the device
  input  logic              slow_gnt_i
);

  parameter bit DeviceIsMemory = 0;
  parameter bit Late = 0;
  parameter bit Default = 0;

  obi_pkg::obi_req_t [2:0] mgr_req;
  obi_pkg::obi_rsp_t [2:0] mgr_rsp;
  obi_pkg::obi_req_t [2:0] sub_req;
  obi_pkg::obi_rsp_t [2:0] sub_rsp;

  assign mgr_req = {c_req_i, b_req_i, a_req_i};
  assign {c_rsp_o, b_rsp_o, a_rsp_o} = mgr_rsp;
  assign asked_o = {sub_req[2].req, sub_req[1].req, sub_req[0].req};
  assign bank_sees_o = {sub_req[0].prv, sub_req[0].mid, sub_req[0].atop};

  tz_xbar #(
    .NumManagers    (3),
    .NumSubordinates(3),
    .Base           ({32'h2000, 32'h1000, 32'h0000}),
    .Mask           ({32'hffff_ff00, 32'hffff_fc00, 32'hffff_fc00}),
    .IsMemory       ({DeviceIsMemory, 2'b11}),
    .MemoryOnly     (3'b110),
    .Late           ({Late, Late, 1'b0}),
    .Default        (Default),
    .Atomics        (1),
    .MaxRefused     (3)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .mgr_req_i(mgr_req),
    .mgr_rsp_o(mgr_rsp),
    .sub_req_o(sub_req),
    .sub_rsp_i(sub_rsp)
  );

  for (genvar i = 0; i < 2; i++) begin : gen_bank
    tz_sram #(
      .Size(1024)
    ) u_sram (
      .clk_i,
      .rst_ni,
      .req_i(sub_req[i]),
      .rsp_o(sub_rsp[i])
    );
  end

  logic        rvalid_q;
  logic [31:0] addr_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rvalid_q <= 1'b0;
      addr_q   <= '0;
    end else begin
      rvalid_q <= sub_req[2].req && slow_gnt_i;
      addr_q   <= sub_req[2].addr;
    end
  end
  assign sub_rsp[2] = '{exokay: 1'b0, gnt: slow_gnt_i, rvalid: rvalid_q, err: addr_q[2], rdata: ~addr_q};

  for (genvar i = 0; i < 3; i++) begin : gen_check_mgr
    tz_obi_check #(
      .NextCycle(1)
    ) u_check (
      .clk_i,
      .rst_ni,
      .req_i(mgr_req[i]),
      .rsp_i(mgr_rsp[i])
    );
  end
  for (genvar i = 0; i < 3; i++) begin : gen_check_sub
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
