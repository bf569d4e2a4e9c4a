// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Memory with two ports, each of which reads or writes in a cycle. A write leaves the port's last read data as they are,
// so a port needs no copy of what it answers. What a port reads from an address that the other one writes in the same
// cycle is undefined, as in block RAM. Contents have no reset.
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

  // Two processes and not `always_ff`, which allows only one to write a variable: this is the form in which synthesis
  // tools know a memory with two ports. The same clock drives both.
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
