// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Memory bank: single port, 32 bits wide, byte enables. Granted at once, answered in the next cycle, never an error.
// Contents have no reset; the array `mem` is inferred as block RAM, and simulation loads programs into it.
module tz_sram #(
  parameter int unsigned Size = 4096  // bytes, a power of two
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  obi_pkg::obi_req_t req_i,
  output obi_pkg::obi_rsp_t rsp_o
);

  localparam int unsigned Words = Size / 4;
  localparam int unsigned IdxW = $clog2(Words);

  if (2 ** (IdxW + 2) != Size) begin : gen_bad_size
    $error("tz_sram: Size must be a power of two, at least 8");
  end

  logic [31:0]     mem[Words];
  logic [IdxW-1:0] idx;
  logic [31:0]     rdata_q;
  logic            rvalid_q;

  assign idx = req_i.addr[IdxW+1:2];

  always_ff @(posedge clk_i) begin
    if (req_i.req) begin
      if (req_i.we) begin
        for (int unsigned i = 0; i < 4; i++) begin
          if (req_i.be[i]) mem[idx][8*i+:8] <= req_i.wdata[8*i+:8];
        end
      end else begin
        rdata_q <= mem[idx];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rvalid_q <= 1'b0;
    else rvalid_q <= req_i.req;
  end

  assign rsp_o = '{gnt: 1'b1, rvalid: rvalid_q, err: 1'b0, rdata: rdata_q};

  logic unused;
  assign unused = ^{req_i.addr[31:IdxW+2], req_i.addr[1:0]};

endmodule
