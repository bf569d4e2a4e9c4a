// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Core-local interruptor of one or more harts: one 64-bit clock (mtime) and, for each hart, a software interrupt, a
// timer, 16 platform lines and one external interrupt. Register map: regs/clint.rdl. Behaviour: RISC-V Privileged
// Architecture, 3.2.1 (mtime, mtimecmp).
//
// Bus: granted at once, answered in the next cycle, never an error. Offsets without a register, and registers of harts
// that do not exist, read as zero and ignore writes. In the cycle of a write to one half of mtime the other half does
// not count.
//
// Timing: every bit of `pending_o` is a flip-flop. A line that is high in cycle t is pending in t+1. A write to
// mtimecmp that is granted in t turns the timer interrupt of its hart off in t+1; a write to mtime does so for all
// harts. The result of the new comparison is in `pending_o` in t+2. So a handler that moves mtimecmp ahead is not
// entered a second time.
module tz_clint
  import clint_reg_pkg::*;
#(
  parameter int unsigned NumHarts      = 1,  // at least 1
  parameter int unsigned MtimePrescale = 1   // clock cycles for one count of mtime, at least 1
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  obi_pkg::obi_req_t req_i,
  output obi_pkg::obi_rsp_t rsp_o,

  input  logic [NumHarts-1:0][irq_pkg::NumPlatformLines-1:0] irq_i,  // platform lines of each hart, active high, level
  input  logic                                   irq_ext_i,          // external interrupt of all harts, active high
  input  logic                                   stop_time_i,        // mtime stands; writes change it
  output irq_pkg::clint_pending_t [NumHarts-1:0] pending_o,
  output logic [NumHarts-1:0]                    timer_ahead_o       // the timer interrupt will come by itself
);

  if (NumHarts < 1 || NumHarts > MsipCount) begin : gen_bad_harts
    $error("tz_clint: NumHarts must be 1 to 4095");
  end
  if (MtimePrescale < 1) begin : gen_bad_prescale
    $error("tz_clint: MtimePrescale must be at least 1");
  end

  function automatic logic [31:0] merge(logic [31:0] old_word, logic [31:0] new_word, logic [3:0] be);
    for (int unsigned i = 0; i < 4; i++) merge[8*i+:8] = be[i] ? new_word[8*i+:8] : old_word[8*i+:8];
  endfunction

  // Word address of the register of a hart.
  localparam int unsigned WordW = AddrWidth - 2;
  function automatic logic [WordW-1:0] word_of(logic [AddrWidth-1:0] offset, int unsigned stride, int unsigned hart);
    word_of = WordW'((offset + AddrWidth'(stride * hart)) >> 2);
  endfunction

  logic [WordW-1:0] word;
  logic             write;
  logic             tick, we_time_lo, we_time_hi, rvalid_q;
  logic [63:0]      mtime_q, mtime_d;
  logic [31:0]      rdata_d, rdata_q;
  logic [NumHarts-1:0][31:0] hart_rdata;  // value of the register that is read, at its hart; zero at the others

  assign word       = req_i.addr[AddrWidth-1:2];
  assign write      = req_i.req && req_i.we;
  assign we_time_lo = write && word == MtimeLoOffset[AddrWidth-1:2];
  assign we_time_hi = write && word == MtimeHiOffset[AddrWidth-1:2];

  if (MtimePrescale == 1) begin : gen_no_prescaler
    assign tick = !stop_time_i;
  end else begin : gen_prescaler
    localparam int unsigned DivW = $clog2(MtimePrescale);
    logic [DivW-1:0] div_q;
    assign tick = div_q == DivW'(MtimePrescale - 1) && !stop_time_i;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) div_q <= '0;
      else if (tick) div_q <= '0;
      else if (!stop_time_i) div_q <= div_q + 1'b1;
    end
  end

  always_comb begin
    mtime_d = mtime_q + 64'(tick);
    if (we_time_lo) mtime_d = {mtime_q[63:32], merge(mtime_q[31:0], req_i.wdata, req_i.be)};
    if (we_time_hi) mtime_d = {merge(mtime_q[63:32], req_i.wdata, req_i.be), mtime_q[31:0]};
  end

  always_comb begin
    unique case (word)
      MtimeLoOffset[AddrWidth-1:2]:    rdata_d = mtime_q[31:0];
      MtimeHiOffset[AddrWidth-1:2]:    rdata_d = mtime_q[63:32];
      default:                         rdata_d = '0;
    endcase
    for (int unsigned h = 0; h < NumHarts; h++) rdata_d |= hart_rdata[h];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mtime_q  <= {MtimeHiReset, MtimeLoReset};
      rvalid_q <= 1'b0;
      rdata_q  <= '0;
    end else begin
      mtime_q  <= mtime_d;
      rvalid_q <= req_i.req;
      if (req_i.req) rdata_q <= rdata_d;
    end
  end

  for (genvar h = 0; h < int'(NumHarts); h++) begin : gen_hart
    localparam logic [WordW-1:0] Msip       = word_of(MsipOffset, MsipStride, h);
    localparam logic [WordW-1:0] MtimecmpLo = word_of(MtimecmpLoOffset, MtimecmpLoStride, h);
    localparam logic [WordW-1:0] MtimecmpHi = word_of(MtimecmpHiOffset, MtimecmpHiStride, h);

    logic        we_msip, we_cmp_lo, we_cmp_hi;
    logic        msip_q, msip_d, timer_q, external_q, due;
    logic [63:0] mtimecmp_q, mtimecmp_d;
    logic [irq_pkg::NumPlatformLines-1:0] platform_q;

    assign we_msip   = write && word == Msip;
    assign we_cmp_lo = write && word == MtimecmpLo;
    assign we_cmp_hi = write && word == MtimecmpHi;
    assign due       = mtime_q >= mtimecmp_q;

    always_comb begin
      msip_d     = msip_q;
      mtimecmp_d = mtimecmp_q;
      if (we_msip && req_i.be[0]) msip_d = req_i.wdata[0];
      if (we_cmp_lo) mtimecmp_d[31:0] = merge(mtimecmp_q[31:0], req_i.wdata, req_i.be);
      if (we_cmp_hi) mtimecmp_d[63:32] = merge(mtimecmp_q[63:32], req_i.wdata, req_i.be);
    end

    always_comb begin
      unique case (word)
        Msip:       hart_rdata[h] = {31'b0, msip_q};
        MtimecmpLo: hart_rdata[h] = mtimecmp_q[31:0];
        MtimecmpHi: hart_rdata[h] = mtimecmp_q[63:32];
        default:    hart_rdata[h] = '0;
      endcase
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        msip_q     <= MsipReset.msip;
        mtimecmp_q <= {MtimecmpHiReset, MtimecmpLoReset};
        timer_q    <= 1'b0;
        platform_q <= '0;
        external_q <= 1'b0;
      end else begin
        msip_q     <= msip_d;
        mtimecmp_q <= mtimecmp_d;
        timer_q    <= due && !(we_cmp_lo || we_cmp_hi || we_time_lo || we_time_hi);
        platform_q <= irq_i[h];
        external_q <= irq_ext_i;
      end
    end

    assign pending_o[h] = '{platform: platform_q, external: external_q, timer: timer_q, software: msip_q};
    // An upper word of all ones counts as "turned off": software, which writes words, turns the timer off so.
    assign timer_ahead_o[h] = !due && mtimecmp_q[63:32] != '1;
  end

  assign rsp_o = '{exokay: 1'b0, gnt: 1'b1, rvalid: rvalid_q, err: 1'b0, rdata: rdata_q};

  logic unused;
  assign unused = ^{req_i.prv, req_i.mid, req_i.atop, req_i.addr[31:AddrWidth], req_i.addr[1:0],
                    MsipReset.reserved_31_1};

endmodule
