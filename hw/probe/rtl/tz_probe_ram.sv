// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Memory with two ports. Each port reads or writes in a cycle; read data come one cycle later. A write does not change
// the port's read data, so the user of a port need not copy them. If a port reads an address that the other port writes
// in the same cycle, the read data are undefined, as in block RAM. The contents have no reset.
module tz_probe_ram #(
  parameter int unsigned Width = 16,
  parameter int unsigned Words = 516,
  localparam int unsigned AddrW = $clog2(Words)
) (
  input  logic             clk_i,

  input  logic             a_we_i,
  input  logic             a_re_i,  // ignored with `a_we_i`
  input  logic [AddrW-1:0] a_addr_i,
  input  logic [Width-1:0] a_wdata_i,
  output logic [Width-1:0] a_rdata_o,

  input  logic             b_we_i,  // reads when it does not write
  input  logic [AddrW-1:0] b_addr_i,
  input  logic [Width-1:0] b_wdata_i,
  output logic [Width-1:0] b_rdata_o
);

  (* no_rw_check, ram_style = "block" *)
  logic [Width-1:0] mem[Words];

  // Two `always` processes with the same clock write the memory: in this form synthesis tools recognise a memory with
  // two ports. `always_ff` would allow only one process to write a variable.
  always @(posedge clk_i) begin
    if (a_we_i) mem[a_addr_i] <= a_wdata_i;
    else if (a_re_i) a_rdata_o <= mem[a_addr_i];
  end

  // verilator lint_off MULTIDRIVEN
  always @(posedge clk_i) begin
    if (b_we_i) mem[b_addr_i] <= b_wdata_i;
    else b_rdata_o <= mem[b_addr_i];
  end
  // verilator lint_on MULTIDRIVEN

endmodule
