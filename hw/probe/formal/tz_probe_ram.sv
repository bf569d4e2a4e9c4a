// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Takes the place of rtl/tz_probe_ram.sv in proofs. The memory consists of flip-flops, which properties can name. Data
// that the original file leaves undefined are the top's input `noise_i` here, so they may have any value.
module tz_probe_ram #(
  parameter int unsigned Width = 16,
  parameter int unsigned Words = 516,
  localparam int unsigned AddrW = $clog2(Words)
) (
  input  logic             clk_i,

  input  logic             a_we_i,
  input  logic             a_re_i,
  input  logic [AddrW-1:0] a_addr_i,
  input  logic [Width-1:0] a_wdata_i,
  output logic [Width-1:0] a_rdata_o,

  input  logic             b_we_i,
  input  logic [AddrW-1:0] b_addr_i,
  input  logic [Width-1:0] b_wdata_i,
  output logic [Width-1:0] b_rdata_o
);

  logic [2**AddrW-1:0][Width-1:0] mem;
  logic                           same;

  assign same = a_addr_i == b_addr_i;

  always_ff @(posedge clk_i) begin
    if (a_we_i) mem[a_addr_i] <= a_wdata_i;
    else if (a_re_i) a_rdata_o <= (b_we_i && same) ? probe_formal.noise_i : mem[a_addr_i];

    if (b_we_i) mem[b_addr_i] <= (a_we_i && same) ? probe_formal.noise_i : b_wdata_i;
    else b_rdata_o <= (a_we_i && same) ? probe_formal.noise_i : mem[b_addr_i];
  end

endmodule
