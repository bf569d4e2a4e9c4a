// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_memory_port in front of a memory of 1 KiB; slow_gnt_i low makes the memory refuse.
module tb_memory_port #(
  parameter int unsigned Turn     = 1,
  parameter int unsigned MaxBeats = 8
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        slow_gnt_i,
  input  logic                        line_req_i,
  input  logic                        line_we_i,
  input  logic [31:0]                 line_addr_i,
  input  logic [$clog2(MaxBeats)-1:0] line_beats_i,
  input  logic [63:0]                 line_wdata_i,
  output logic                        line_gnt_o,
  output logic                        line_last_o,
  output logic                        line_rvalid_o,
  output logic [63:0]                 line_rdata_o,
  input  obi_pkg::obi_req_t           req_i,
  output obi_pkg::obi_rsp_t           rsp_o
);

  localparam int unsigned Words = 128;

  logic        mem_req, mem_we;
  logic [7:0]  mem_be;
  logic [31:0] mem_addr;
  logic [63:0] mem_wdata, mem_rdata_q;
  logic [63:0] mem[Words];

  tz_memory_port #(
    .Turn    (Turn),
    .MaxBeats(MaxBeats)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .line_req_i,
    .line_we_i,
    .line_addr_i,
    .line_beats_i,
    .line_wdata_i,
    .line_gnt_o,
    .line_last_o,
    .line_rvalid_o,
    .line_rdata_o,
    .word_req_i (req_i),
    .word_rsp_o (rsp_o),
    .mem_req_o  (mem_req),
    .mem_we_o   (mem_we),
    .mem_be_o   (mem_be),
    .mem_addr_o (mem_addr),
    .mem_wdata_o(mem_wdata),
    .mem_gnt_i  (slow_gnt_i),
    .mem_rdata_i(mem_rdata_q)
  );

  always_ff @(posedge clk_i) begin
    if (mem_req && slow_gnt_i) begin
      mem_rdata_q <= mem[mem_addr[9:3]];
      for (int unsigned i = 0; i < 8; i++) begin
        if (mem_we && mem_be[i]) mem[mem_addr[9:3]][8*i+:8] <= mem_wdata[8*i+:8];
      end
    end
  end

  tz_obi_check #(
    .NextCycle(1)
  ) u_check (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_i(rsp_o)
  );

endmodule
