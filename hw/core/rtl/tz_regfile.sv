// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Integer register file: two asynchronous read ports, one write port at the rising edge. Flip-flops or LUT RAM: no
// reset, so that FPGA tools may infer distributed memory. x0 reads as zero. A read in the cycle of a write returns the
// old value; the bypass is the reader's business.
module tz_regfile #(
  parameter bit RV32E = 1'b0  // 16 registers instead of 32
) (
  input  logic        clk_i,
  input  logic [4:0]  raddr_a_i,
  output logic [31:0] rdata_a_o,
  input  logic [4:0]  raddr_b_i,
  output logic [31:0] rdata_b_o,
  input  logic        we_i,       // never with waddr_i = 0
  input  logic [4:0]  waddr_i,
  input  logic [31:0] wdata_i
);

  localparam int unsigned AddrW = RV32E ? 4 : 5;

  logic [31:0] mem[2**AddrW];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i[AddrW-1:0]] <= wdata_i;
  end

  assign rdata_a_o = (raddr_a_i[AddrW-1:0] == '0) ? '0 : mem[raddr_a_i[AddrW-1:0]];
  assign rdata_b_o = (raddr_b_i[AddrW-1:0] == '0) ? '0 : mem[raddr_b_i[AddrW-1:0]];

  if (RV32E) begin : gen_rv32e_unused
    logic unused;
    assign unused = &{1'b0, raddr_a_i[4], raddr_b_i[4], waddr_i[4]};
  end

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(we_i && waddr_i == '0));
`endif

endmodule
