// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Options of the latency probe: histogram, sums for mean and deviation. Registers: regs/probe.rdl, from 0x20 up.
//
// The histogram is cleared bin by bin after a reset and after a clear; meanwhile `busy_o` is on and nothing is measured.
module tz_probe_options
  import probe_reg_pkg::*;
#(
  parameter int unsigned Width         = 16,
  parameter int unsigned HistogramBins = 0,
  parameter bit          Moments       = 0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 clear_i,
  input  logic [Width-1:0]     latency_i,    // the latency that is being recorded
  input  logic                 fetch_i,      // the cycle before `record_i`
  input  logic                 record_i,
  input  logic                 add_i,        // with `record_i`: the latency is added to the sums
  output logic                 busy_o,       // the histogram is being cleared; also high in the cycle of `clear_i`

  input  logic                 write_i,
  input  logic [AddrWidth-3:0] waddr_i,      // of words, as is raddr_i
  input  logic [31:0]          wdata_i,
  output logic                 write_hit_o,  // the address is not one of the probe's own registers
  input  logic [AddrWidth-3:0] raddr_i,
  output logic [31:0]          rdata_o,      // the register at an address that was the same in this and the last cycle
  output logic                 read_hit_o
);

  // The probe's own registers fill the first 32 bytes.
  assign write_hit_o = waddr_i[AddrWidth-3:3] != '0;
  assign read_hit_o  = raddr_i[AddrWidth-3:3] != '0;

  // ------------------------------------------------------------------ histogram
  logic [31:0] scale, bin_rdata;

  if (HistogramBins != 0) begin : gen_histogram
    localparam int unsigned IdxW = $clog2(HistogramBins);

    (* no_rw_check, ram_style = "block" *)
    logic [31:0]      mem[HistogramBins];
    logic [31:0]      word_q;
    logic [IdxW:0]    sweep_q;  // how many bins have been cleared
    logic [4:0]       shift_q;
    logic [Width-1:0] scaled;
    logic [IdxW-1:0]  bin;
    logic             sweeping;
    histogram_scale_t wscale, rscale;

    assign wscale   = wdata_i;
    assign sweeping = !sweep_q[IdxW];
    assign busy_o   = sweeping || clear_i;
    assign scaled   = latency_i >> shift_q;
    assign bin      = (32'(scaled) >= HistogramBins) ? '1 : IdxW'(scaled);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        sweep_q <= '0;
        shift_q <= HistogramScaleReset.shift;
      end else begin
        if (clear_i) sweep_q <= '0;
        else if (sweeping) sweep_q <= sweep_q + 1'b1;
        if (write_i && waddr_i == HistogramScaleOffset[AddrWidth-1:2]) shift_q <= wscale.shift;
      end
    end

    always_ff @(posedge clk_i) begin
      word_q <= mem[fetch_i ? bin : raddr_i[IdxW-1:0]];
      if (sweeping) mem[sweep_q[IdxW-1:0]] <= '0;
      else if (record_i) mem[bin] <= word_q + 32'(word_q != '1);
    end

    always_comb begin
      rscale       = '0;
      rscale.shift = shift_q;
    end
    assign scale     = rscale;
    assign bin_rdata = (32'(raddr_i[AddrWidth-4:0]) < HistogramBins) ? word_q : '0;

    logic unused;
    assign unused = ^wscale;
  end else begin : gen_no_histogram
    assign busy_o    = 1'b0;
    assign scale     = '0;
    assign bin_rdata = '0;

    logic unused;
    assign unused = ^{rst_ni, fetch_i, write_i, wdata_i, waddr_i};
  end

  if (HistogramBinOffset != 'h800 || AddrWidth != 12) begin : gen_bad_offsets
    $error("tz_probe_options: the histogram is the upper half of the registers");
  end

  // ------------------------------------------------------------------ sums
  logic [63:0] sum;
  logic [95:0] squares;

  if (Moments) begin : gen_moments
    logic [Width+15:0]   sum_q;
    logic [2*Width+15:0] squares_q;

    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        sum_q     <= '0;
        squares_q <= '0;
      end else if (record_i && add_i) begin
        sum_q     <= sum_q + (Width + 16)'(latency_i);
        squares_q <= squares_q + (2 * Width + 16)'(latency_i) * (2 * Width + 16)'(latency_i);
      end
    end

    assign sum     = 64'(sum_q);
    assign squares = 96'(squares_q);
  end else begin : gen_no_moments
    assign sum     = '0;
    assign squares = '0;

    logic unused;
    assign unused = add_i;
  end

  always_comb begin
    unique case (raddr_i)
      SumLoOffset[AddrWidth-1:2]:          rdata_o = sum[31:0];
      SumHiOffset[AddrWidth-1:2]:          rdata_o = sum[63:32];
      SquaresLoOffset[AddrWidth-1:2]:      rdata_o = squares[31:0];
      SquaresMidOffset[AddrWidth-1:2]:     rdata_o = squares[63:32];
      SquaresHiOffset[AddrWidth-1:2]:      rdata_o = squares[95:64];
      HistogramScaleOffset[AddrWidth-1:2]: rdata_o = scale;
      default:                             rdata_o = raddr_i[AddrWidth-3] ? bin_rdata : '0;
    endcase
  end

endmodule
