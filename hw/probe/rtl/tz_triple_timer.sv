// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Three timers of 32 bits, each with an interrupt output. Registers: regs/timers.rdl.
//
//   cycle   t                      t + 1 + P     t + 1 + 2 P
//           enable is accepted     irq_o rises   again, unless one-shot
module tz_triple_timer
  import timers_reg_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,

  output logic [2:0]          irq_o,
  output logic                active_o,  // a timer is enabled

  input  axil_pkg::axil_req_t req_i,
  output axil_pkg::axil_rsp_t rsp_o
);

  localparam int unsigned NumTimers = ChannelControlCount;
  localparam int unsigned IdxW = $clog2(ChannelControlStride);  // address bits inside a timer

  if (NumTimers != 3 || ChannelPeriodStride != ChannelControlStride || 2 ** IdxW != ChannelControlStride)
  begin : gen_bad_map
    $error("tz_triple_timer: three timers, a power of two of bytes each");
  end

  logic                 write, read;
  logic [AddrWidth-3:0] waddr, raddr;  // of words
  logic [31:0]          rdata_q;
  logic [1:0]           unused_begin;

  assign waddr = req_i.awaddr[AddrWidth-1:2];
  assign raddr = req_i.araddr[AddrWidth-1:2];

  tz_axil_port u_port (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_o,
    .write_ready_i(1'b1),
    .write_begin_o(unused_begin[0]),
    .write_o      (write),
    .read_ready_i (1'b1),
    .read_begin_o (unused_begin[1]),
    .read_o       (read),
    .rdata_i      (rdata_q)
  );

  // The word at which a register of a timer is.
  function automatic logic [AddrWidth-3:0] word(int unsigned timer, logic [AddrWidth-1:0] offset);
    return (AddrWidth - 2)'((32'(offset) + timer * ChannelControlStride) >> 2);
  endfunction

  logic [NumTimers-1:0][31:0] rdata;
  logic [NumTimers-1:0]       enabled;
  assign active_o = |enabled;

  for (genvar i = 0; i < int'(NumTimers); i++) begin : gen_timer
    channel_control_t wcontrol, control;
    channel_status_t  wstatus, status;
    logic             write_control, write_period, write_status, expire;
    logic             enable_q, one_shot_q, pulse_q, expired_q, irq_q;
    logic [31:0]      period_q, count_q;

    assign wcontrol      = req_i.wdata;
    assign wstatus       = req_i.wdata;
    assign write_control = write && waddr == word(i, ChannelControlOffset);
    assign write_period  = write && waddr == word(i, ChannelPeriodOffset);
    assign write_status  = write && waddr == word(i, ChannelStatusOffset);

    // The count is 0 in the cycle after the start and after an expiry; a period of 0 is one of 2^32.
    assign expire = enable_q && count_q >= period_q - 32'd1;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        enable_q   <= ChannelControlReset.enable;
        one_shot_q <= ChannelControlReset.one_shot;
        pulse_q    <= ChannelControlReset.pulse;
        period_q   <= ChannelPeriodReset.value;
        count_q    <= ChannelCountReset.value;
        expired_q  <= ChannelStatusReset.expired;
        irq_q      <= 1'b0;
      end else begin
        irq_q <= expire;
        if (expire) begin
          count_q   <= '0;
          expired_q <= 1'b1;
          if (one_shot_q) enable_q <= 1'b0;
        end else begin
          if (enable_q) count_q <= count_q + 1'b1;
          if (write_status && wstatus.expired) expired_q <= 1'b0;
        end
        if (write_period) period_q <= req_i.wdata;
        if (write_control) begin
          enable_q   <= wcontrol.enable;
          one_shot_q <= wcontrol.one_shot;
          pulse_q    <= wcontrol.pulse;
          if (wcontrol.enable) count_q <= '0;
        end
      end
    end

    assign irq_o[i]   = pulse_q ? irq_q : expired_q;
    assign enabled[i] = enable_q;

    always_comb begin
      control          = '0;
      control.enable   = enable_q;
      control.one_shot = one_shot_q;
      control.pulse    = pulse_q;
      status           = '0;
      status.expired   = expired_q;
      rdata[i]         = '0;
      if (raddr == word(i, ChannelControlOffset)) rdata[i] = control;
      if (raddr == word(i, ChannelPeriodOffset)) rdata[i] = period_q;
      if (raddr == word(i, ChannelCountOffset)) rdata[i] = count_q;
      if (raddr == word(i, ChannelStatusOffset)) rdata[i] = status;
    end

    logic unused;
    assign unused = ^{wcontrol, wstatus};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rdata_q <= '0;
    else if (read) rdata_q <= rdata[0] | rdata[1] | rdata[2];
  end

  logic unused;
  assign unused = ^req_i;

endmodule
