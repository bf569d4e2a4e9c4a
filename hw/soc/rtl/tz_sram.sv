// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Memory bank: 32 bits wide, byte enables. Granted at once, answered in the next cycle, never an error. Contents have no
// reset; the array `mem` is inferred as block RAM, and simulation loads programs into it. Block RAM of an FPGA can have
// contents from the start: those of `InitFile`, words in hexadecimal ($readmemh).
//
// With two ports it is two banks, interleaved by words: port 0 holds the even words, port 1 the odd ones, and both work
// in the same cycle. The bus matrix outside must send each address to its port.
module tz_sram #(
  parameter int unsigned Size = 4096,  // bytes, a power of two
  parameter int unsigned NumPorts = 1, // 1 or 2
  parameter string InitFile = ""       // none: the contents are not known
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  obi_pkg::obi_req_t [NumPorts-1:0] req_i,
  output obi_pkg::obi_rsp_t [NumPorts-1:0] rsp_o
);

  localparam int unsigned Words = Size / 4;
  localparam int unsigned IdxW = $clog2(Words);
  localparam int unsigned PortW = $clog2(NumPorts);

  if (2 ** (IdxW + 2) != Size) begin : gen_bad_size
    $error("tz_sram: Size must be a power of two, at least 8");
  end
  if (NumPorts != 1 && NumPorts != 2) begin : gen_bad_ports
    $error("tz_sram: NumPorts must be 1 or 2");
  end

  logic [31:0] mem[Words];

  if (InitFile != "") begin : gen_init
    initial $readmemh(InitFile, mem);
  end

  for (genvar p = 0; p < int'(NumPorts); p++) begin : gen_port
    logic [IdxW-1:0] idx;
    logic [31:0]     rdata_q;
    logic            rvalid_q;

    if (PortW == 0) begin : gen_all
      assign idx = req_i[p].addr[IdxW+1:2];
    end else begin : gen_half
      assign idx = {req_i[p].addr[IdxW+1:3], 1'(p)};
      logic unused;
      assign unused = req_i[p].addr[2];
    end

    always_ff @(posedge clk_i) begin
      if (req_i[p].req) begin
        if (req_i[p].we) begin
          for (int unsigned i = 0; i < 4; i++) begin
            if (req_i[p].be[i]) mem[idx][8*i+:8] <= req_i[p].wdata[8*i+:8];
          end
        end else begin
          rdata_q <= mem[idx];
        end
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) rvalid_q <= 1'b0;
      else rvalid_q <= req_i[p].req;
    end

    assign rsp_o[p] = '{exokay: 1'b0, gnt: 1'b1, rvalid: rvalid_q, err: 1'b0, rdata: rdata_q};

    logic unused;
    assign unused = ^{req_i[p].prv, req_i[p].mid, req_i[p].atop, req_i[p].addr[31:IdxW+2], req_i[p].addr[1:0]};
  end

endmodule
