// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Integer register file: two asynchronous read ports, one write port at the rising edge. Flip-flops or LUT RAM: no
// reset, so that FPGA tools may infer distributed memory. x0 reads as zero. A read in the cycle of a write returns the
// old value; the bypass is the reader's business.
//
// With `NumBanks` (fastirq) the registers of the frame exist 1 + NumBanks times: bank 0 is part of the main array, the
// others are smaller ones in frame order. The pipeline sees the current bank; a third read port looks into any of them.
// sp is then a register of its own, so that it can be set in the cycle in which the last write to it arrives.
module tz_regfile
  import tz_core_pkg::*;
#(
  parameter bit          RV32E    = 1'b0,  // 16 registers instead of 32
  parameter int unsigned NumBanks = 0,     // spare banks, 0 to 4
  localparam int unsigned BankW   = (NumBanks > 0) ? $clog2(NumBanks + 1) : 1
) (
  input  logic        clk_i,
  input  logic [4:0]  raddr_a_i,
  output logic [31:0] rdata_a_o,
  input  logic [4:0]  raddr_b_i,
  output logic [31:0] rdata_b_o,
  input  logic        we_i,         // never with waddr_i = 0
  input  logic [4:0]  waddr_i,
  input  logic [31:0] wdata_i,

  // fastirq
  input  logic [BankW-1:0] bank_i,  // the current one
  input  logic        sp_set_i,     // sp becomes sp_i, whatever the write port says
  input  logic [31:0] sp_i,
  output logic [31:0] sp_o,
  output logic [31:0] sp_next_o,    // sp with what the write port writes in this cycle
  input  logic [BankW-1:0] drain_bank_i,
  input  logic [3:0]  drain_word_i, // word of the frame
  output logic [31:0] drain_data_o
);

  localparam int unsigned AddrW = RV32E ? 4 : 5;

  logic [31:0] mem[2**AddrW];
  logic [31:0] main_a, main_b;
  logic        main_we;

  always_ff @(posedge clk_i) begin
    if (main_we) mem[waddr_i[AddrW-1:0]] <= wdata_i;
  end

  assign main_a = (raddr_a_i[AddrW-1:0] == '0) ? '0 : mem[raddr_a_i[AddrW-1:0]];
  assign main_b = (raddr_b_i[AddrW-1:0] == '0) ? '0 : mem[raddr_b_i[AddrW-1:0]];

  if (NumBanks > 0) begin : gen_banks
    // Rows of a power of two, so that an index needs no multiplication.
    logic [31:0] spare [NumBanks << 4];
    logic [31:0] sp_q;
    logic        banked_a, banked_b, banked_w;
    logic [BankW+3:0] row_a, row_b, row_w, row_d;

    assign banked_a = (bank_i != '0) && in_frame(raddr_a_i, RV32E);
    assign banked_b = (bank_i != '0) && in_frame(raddr_b_i, RV32E);
    assign banked_w = (bank_i != '0) && in_frame(waddr_i, RV32E);
    assign row_a    = {bank_i - BankW'(1), frame_word(raddr_a_i)};
    assign row_b    = {bank_i - BankW'(1), frame_word(raddr_b_i)};
    assign row_w    = {bank_i - BankW'(1), frame_word(waddr_i)};
    assign row_d    = {drain_bank_i - BankW'(1), drain_word_i};

    logic [4:0] drain_register;
    assign drain_register = frame_register(drain_word_i);

    always_ff @(posedge clk_i) begin
      if (we_i && banked_w) spare[row_w[$clog2(NumBanks << 4)-1:0]] <= wdata_i;
      sp_q <= sp_set_i ? sp_i : sp_next_o;
    end

    assign main_we      = we_i && !banked_w && (waddr_i != 5'd2);
    assign sp_next_o    = (we_i && waddr_i == 5'd2) ? wdata_i : sp_q;
    assign sp_o         = sp_q;
    assign rdata_a_o    = (raddr_a_i == 5'd2) ? sp_q : banked_a ? spare[row_a[$clog2(NumBanks << 4)-1:0]] : main_a;
    assign rdata_b_o    = (raddr_b_i == 5'd2) ? sp_q : banked_b ? spare[row_b[$clog2(NumBanks << 4)-1:0]] : main_b;
    assign drain_data_o = (drain_bank_i == '0) ? mem[drain_register[AddrW-1:0]]
                                               : spare[row_d[$clog2(NumBanks << 4)-1:0]];

    logic unused_rows;
    assign unused_rows = ^{row_a, row_b, row_w, row_d, drain_register};
  end else begin : gen_no_banks
    assign main_we      = we_i;
    assign rdata_a_o    = main_a;
    assign rdata_b_o    = main_b;
    assign sp_o         = '0;
    assign sp_next_o    = '0;
    assign drain_data_o = '0;
    logic unused;
    assign unused = ^{bank_i, sp_set_i, sp_i, drain_bank_i, drain_word_i};
  end

  if (RV32E) begin : gen_rv32e_unused
    logic unused;
    assign unused = &{1'b0, raddr_a_i[4], raddr_b_i[4], waddr_i[4]};
  end

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(we_i && waddr_i == '0));
`endif

endmodule
